"""Labels as CSV files: columns take,label,start,stop[,source], half-open frames; verified ranges and proposals too."""

import csv
import io
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from motionloom import formats
from motionloom.corpus.corpus import Corpus
from motionloom.corpus.labels.annotations import add_labels, check_range, check_word
from motionloom.corpus.labels.frame_ranges import Range, join_ranges, keep_inside
from motionloom.corpus.labels.label_state import read_said
from motionloom.corpus.labels.verified_ranges import contradicts_verified, verified_ranges
from motionloom.corpus.records import Label, Verified
from motionloom.errors import BadInput, FormatError, MotionloomError
from motionloom.formats.files import replace_file

COLUMNS = ("take", "label", "start", "stop", "source")
CONFIDENCE = "confidence"  # a column that only proposals have
DEFAULT_SOURCE = "user"
SHOWN_CANDIDATES = 6


@dataclass(frozen=True)
class LabelReport:
    """What became of the rows of a label file."""

    added: int  # new labels
    known: int  # rows that were there already
    refused: tuple[str, ...]  # one sentence per bad row: file, line, reason
    verified: int = 0  # verified ranges of the other file that went in


def import_labels(corpus: Corpus, path: str | Path, verified: str | Path | None = None) -> LabelReport:
    """Add the labels of a CSV file; bad rows are reported and the others go on. Nothing that is there is changed.

    A take is named by any unique end of its path: `143_04` or `football/143_04.bvh` for `cmu/football/143_04`.

    Args:
        corpus: open for writing.
        path: the labels; none of them counts as verified by being imported.
        verified: file of the ranges in which a person has verified them, as `export_verified` writes it.
    """
    corpus.require_writing()
    listed = _rows(Path(verified)) if verified is not None else []
    labels, refused = read_labels(corpus, path, keep_verified=True)
    accepted = _accepted(corpus, listed, labels)
    added = corpus.add_labels(one for one in labels if one not in accepted)
    added += add_labels(corpus, accepted, are_listed=False)
    n_verified = 0
    if verified is not None:
        ranges, not_verified = _read_verified(corpus, Path(verified), listed, labels, is_whole=not refused)
        corpus.verify(ranges)
        n_verified, refused = len(ranges), [*refused, *not_verified]
    return LabelReport(added, len(labels) - added, tuple(refused), n_verified)


def read_labels(corpus: Corpus, path: str | Path, *, keep_verified: bool = False) -> tuple[list[Label], list[str]]:
    """The labels of a CSV file about takes of a corpus, and a sentence for each row that is none.

    With `keep_verified`, proposals and labels that contradict what was verified are no good either.
    """
    names = TakeFinder(corpus.names())
    kept = verified_ranges(corpus) if keep_verified else {}
    labels: list[Label] = []
    refused: list[str] = []
    for line, row in _rows(Path(path)):
        try:
            label = _label_of(corpus, names, row)
            if keep_verified and row.get(CONFIDENCE):
                raise BadInput("a proposal that nobody has looked at; `annotate accept --corrected` makes labels of it")
            if reason := contradicts_verified(corpus, label, kept):
                raise BadInput(reason)
            labels.append(label)
        except MotionloomError as error:
            refused.append(str(FormatError(path, str(error), line)))
    return labels, refused


def read_label_file(path: str | Path) -> list[Label]:
    """The labels of a CSV file, with the takes as they are written in it; raises at the first row that is none."""
    labels = []
    for line, row in _rows(Path(path)):
        try:
            labels.append(_plain_label(row))
        except BadInput as error:
            raise FormatError(path, str(error), line) from error
    return labels


def export_labels(corpus: Corpus, path: str | Path) -> int:
    """Write all labels to a CSV file, in an order that does not depend on how they came in. Returns how many."""
    labels = sorted(corpus.labels())
    rows = [[label.take, label.label, label.start, label.stop, label.source] for label in labels]
    return _write(path, COLUMNS, rows)


def export_verified(corpus: Corpus, path: str | Path) -> int:
    """Write where people have verified labels to a CSV file. Returns how many ranges."""
    rows = [[one.take, one.label, one.start, one.stop] for one in sorted(corpus.verified())]
    return _write(path, COLUMNS[:4], rows)


def export_proposals(
    corpus: Corpus, path: str | Path, takes: Iterable[str] | None = None, *, to_correct: bool = False
) -> int:
    """Write the proposals of some takes, or of all, with their confidence to a CSV file. Returns how many rows.

    With `to_correct`, all that stands is written, people's labels too, so that the file can be corrected and accepted
    as a whole; proposals are left out where people have listed what a take holds.
    """
    wanted = set(corpus.names() if takes is None else takes)
    said = read_said(corpus)
    rows: list[tuple] = [
        (one.take, one.label, one.start, one.stop, "proposal", f"{one.confidence:.3f}")
        for one in corpus.proposals()
        if one.take in wanted and not (to_correct and said.is_listed(one.take, one.label))
    ]
    if to_correct:
        people = (one for one in corpus.labels() if one.take in wanted)
        rows += [(one.take, one.label, one.start, one.stop, one.source, "") for one in people]
    return _write(path, (*COLUMNS, CONFIDENCE), sorted(rows))


class TakeFinder:
    """Finds takes by the end of their path."""

    def __init__(self, names: list[str]) -> None:
        self._names = set(names)
        self._by_end: dict[str, list[str]] = {}
        for name in names:
            parts = name.split("/")
            for start in range(len(parts)):
                self._by_end.setdefault("/".join(parts[start:]), []).append(name)

    def find(self, written: str) -> str:
        """The one take that is meant; a name in full wins over an ending that others share."""
        for form in dict.fromkeys((written, _without_ending(written))):
            if form in self._names:
                return form
        for form in dict.fromkeys((written, _without_ending(written))):
            found = self._by_end.get(form, [])
            if len(found) == 1:
                return found[0]
            if found:
                shown = ", ".join(sorted(found)[:SHOWN_CANDIDATES]) + (", ..." if len(found) > SHOWN_CANDIDATES else "")
                raise BadInput(f"'{written}' could be any of {len(found)} takes: {shown}; write more of the path")
        raise BadInput(f"no take '{written}' in the corpus{self._suggestion(written)}")

    def _suggestion(self, written: str) -> str:
        import difflib

        stem = _without_ending(written).split("/")[-1]
        close = self._by_end.get(stem) or difflib.get_close_matches(written, sorted(self._names), n=3, cutoff=0.7)
        return f"; did you mean {', '.join(sorted(close)[:SHOWN_CANDIDATES])}?" if close else ""


def _write(path: str | Path, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> int:
    file = io.StringIO(newline="")
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    replace_file(path, file.getvalue().encode())
    return len(rows)


def _accepted(corpus: Corpus, verified: list[tuple[int, dict[str, str]]], labels: list[Label]) -> set[Label]:
    """The labels that lie in verified rows: they were accepted there and need not be all that a take holds."""
    names = TakeFinder(corpus.names())
    windows: dict[tuple[str, str], list[Range]] = {}
    for _, row in verified:
        with suppress(MotionloomError):  # told when it is read to be verified
            one = _label_of(corpus, names, row)
            windows.setdefault((one.take, one.label), []).append((one.start, one.stop))
    joined = {pair: join_ranges(ranges) for pair, ranges in windows.items()}
    return {x for x in labels if any(a <= x.start and x.stop <= b for a, b in joined.get((x.take, x.label), ()))}


def _read_verified(
    corpus: Corpus, path: Path, rows: list[tuple[int, dict[str, str]]], labels: list[Label], is_whole: bool
) -> tuple[list[Verified], list[str]]:
    """The verified ranges of a file whose labels are these, and a sentence for each row that cannot be verified."""
    names = TakeFinder(corpus.names())
    verified: list[Verified] = []
    refused: list[str] = []
    for line, row in rows:
        try:
            one = _label_of(corpus, names, row)
            if not is_whole:
                raise BadInput("not verified, because rows of the labels were refused; mend them and import again")
            if _holding(labels, one) != _holding(corpus.labels(one.take), one):
                raise BadInput(
                    f"{one.take}: not verified, because the corpus has other labels '{one.label}' there than the file"
                )
            verified.append(Verified(one.take, one.label, one.start, one.stop))
        except MotionloomError as error:
            refused.append(str(FormatError(path, str(error), line)))
    return verified, refused


def _holding(labels: Iterable[Label], window: Label) -> list[tuple[int, int]]:
    """Where a label holds inside a range of its take."""
    ranges = [(x.start, x.stop) for x in labels if (x.take, x.label) == (window.take, window.label)]
    return join_ranges(keep_inside(ranges, [(window.start, window.stop)]))


def _rows(path: Path) -> list[tuple[int, dict[str, str]]]:
    """The rows of the file with their line numbers, by column."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise FormatError(path, "no such file") from error
    except (UnicodeDecodeError, OSError) as error:
        raise FormatError(path, f"cannot be read as text ({error})") from error
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        lines = [(reader.line_num, cells) for cells in reader]
    except csv.Error as error:
        raise FormatError(path, f"is no CSV file ({error})", reader.line_num) from error
    header = [cell.strip().lower() for cell in lines[0][1]] if lines else []
    missing = [column for column in COLUMNS[:4] if column not in header]
    if missing:
        raise FormatError(
            path, f"no column {', '.join(missing)}; the first line must be take,label,start,stop[,source]", 1
        )
    return [
        (line, {column: cell.strip() for column, cell in zip(header, cells)})
        for line, cells in lines[1:]
        if any(cell.strip() for cell in cells)
    ]


def _label_of(corpus: Corpus, names: TakeFinder, row: dict[str, str]) -> Label:
    """A row as a label of a take of the corpus."""
    written = _plain_label(row, check_frames=False)
    label = replace(written, take=names.find(written.take))
    check_range(corpus, label.take, label.start, label.stop, f"label '{label.label}'")
    return label


def _plain_label(row: dict[str, str], check_frames: bool = True) -> Label:
    """A row as a label, with its take as it is written."""
    missing = [column for column in COLUMNS[:4] if not row.get(column)]
    if missing:
        raise BadInput(f"no value for {', '.join(missing)}; expected take,label,start,stop[,source]")
    start, stop = (_frame(row[column], column) for column in ("start", "stop"))
    check_word(row["label"], "label")
    if check_frames and not 0 <= start < stop:
        raise BadInput(f"label '{row['label']}' over the frames [{start}, {stop}); start must be below stop")
    return Label(row["take"], row["label"], start, stop, row.get("source") or DEFAULT_SOURCE)


def _frame(text: str, column: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise BadInput(f"{column} is '{text}', expected a frame number") from None


def _without_ending(name: str) -> str:
    """The name without the ending of a recording, which people may write; other dots belong to the name."""
    head, dot, ending = name.rpartition(".")
    return head if head and f"{dot}{ending}".lower() in formats.READABLE else name
