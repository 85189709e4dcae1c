"""Label files (CSV): columns take,label,start,stop[,source], half-open frames; verified ranges and proposals too."""

import csv
import io
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from motionloom.corpus.corpus import Corpus
from motionloom.corpus.labels.annotations import add_labels, check_frames, check_word
from motionloom.corpus.labels.frame_ranges import Range, join_ranges, keep_inside
from motionloom.corpus.labels.label_state import read_label_state
from motionloom.corpus.labels.verified_ranges import contradicts_verified, verified_ranges
from motionloom.corpus.records import Label, Verified
from motionloom.corpus.take_names import TakeFinder
from motionloom.errors import BadInput, FormatError, MotionloomError
from motionloom.formats.atomic_write import replace_file
from motionloom.formats.text import shorten

COLUMNS = ("take", "label", "start", "stop", "source")
MOST_ROWS = 200_000
LONGEST_FRAME = 12  # digits of a frame number
CONFIDENCE = "confidence"  # a column that only proposals have
DEFAULT_SOURCE = "user"


@dataclass(frozen=True)
class LabelReport:
    """The outcome of importing a label file."""

    added: int  # new labels
    known: int  # duplicates of labels in the corpus
    refused: tuple[str, ...]  # one error per invalid row: file, line, reason
    verified: int = 0  # verified ranges imported from the other file


def import_labels(corpus: Corpus, path: str | Path, verified: str | Path | None = None) -> LabelReport:
    """Add the labels of a CSV file; invalid rows are reported and the others imported. No label is changed.

    A take is named by any unique suffix of its path: `143_04` or `football/143_04.bvh` for `cmu/football/143_04`.

    Args:
        corpus: open for writing.
        path: of the labels; importing does not verify them.
        verified: file of the ranges in which a person has verified them, as `export_verified` writes it.
    """
    corpus.require_writing()
    verified_rows = _rows(Path(verified)) if verified is not None else []
    labels, refused = read_labels(corpus, path, keep_verified=True)
    accepted = _accepted(corpus, verified_rows, labels)
    added = corpus.add_labels(label for label in labels if label not in accepted)
    added += add_labels(corpus, accepted, are_listed=False)
    n_verified = 0
    if verified is not None:
        ranges, not_verified = _read_verified(corpus, Path(verified), verified_rows, labels, is_complete=not refused)
        corpus.verify(ranges)
        n_verified, refused = len(ranges), [*refused, *not_verified]
    return LabelReport(added, len(labels) - added, tuple(refused), n_verified)


def read_labels(corpus: Corpus, path: str | Path, *, keep_verified: bool = False) -> tuple[list[Label], list[str]]:
    """The labels of a CSV file for takes of a corpus, and an error message for each invalid row.

    With `keep_verified`, proposals and labels that contradict verified ranges are invalid too.
    """
    takes = _Takes(corpus)
    kept = verified_ranges(corpus) if keep_verified else {}
    labels: list[Label] = []
    refused: list[str] = []
    for line, row in _rows(Path(path)):
        try:
            label = _label_of(takes, row)
            if keep_verified and row.get(CONFIDENCE):
                raise BadInput("is an unverified proposal; `annotate accept --corrected` turns proposals into labels")
            if reason := contradicts_verified(corpus, label, kept):
                raise BadInput(reason)
            labels.append(label)
        except MotionloomError as error:
            refused.append(str(FormatError(path, str(error), line)))
    return labels, refused


def read_label_file(path: str | Path) -> list[Label]:
    """The labels of a CSV file, with takes named as in the file; raises at the first invalid row."""
    labels = []
    for line, row in _rows(Path(path)):
        try:
            labels.append(_plain_label(row))
        except BadInput as error:
            raise FormatError(path, str(error), line) from error
    return labels


def export_labels(corpus: Corpus, path: str | Path) -> int:
    """Write all labels to a CSV file, sorted. Returns how many."""
    labels = sorted(corpus.labels())
    rows = [[label.take, label.label, label.start, label.stop, label.source] for label in labels]
    return _write(path, COLUMNS, rows)


def export_verified(corpus: Corpus, path: str | Path) -> int:
    """Write the verified ranges of all labels to a CSV file. Returns how many."""
    rows = [[verified.take, verified.label, verified.start, verified.stop] for verified in sorted(corpus.verified())]
    return _write(path, COLUMNS[:4], rows)


def export_proposals(
    corpus: Corpus, path: str | Path, takes: Iterable[str] | None = None, *, to_correct: bool = False
) -> int:
    """Write the proposals of some takes, or of all, with their confidence to a CSV file. Returns how many rows.

    With `to_correct`, labels of people are written too, so that the file can be corrected and accepted as a whole;
    proposals are left out for labels that are fully listed in a take.
    """
    wanted = set(corpus.names() if takes is None else takes)
    state = read_label_state(corpus)
    rows: list[tuple] = [
        (row.take, row.label, row.start, row.stop, "proposal", f"{row.confidence:.3f}")
        for row in corpus.proposals()
        if row.take in wanted and not (to_correct and state.is_listed(row.take, row.label))
    ]
    if to_correct:
        labels = (label for label in corpus.labels() if label.take in wanted)
        rows += [(label.take, label.label, label.start, label.stop, label.source, "") for label in labels]
    return _write(path, (*COLUMNS, CONFIDENCE), sorted(rows))


def _write(path: str | Path, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> int:
    file = io.StringIO(newline="")
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    replace_file(path, file.getvalue().encode())
    return len(rows)


def _accepted(corpus: Corpus, verified: list[tuple[int, dict[str, str]]], labels: list[Label]) -> set[Label]:
    """The labels inside verified rows: they were accepted there, so they are not a full list of their take."""
    takes = _Takes(corpus)
    windows: dict[tuple[str, str], list[Range]] = {}
    for _, row in verified:
        with suppress(MotionloomError):  # reported by `_read_verified`
            window = _label_of(takes, row)
            windows.setdefault((window.take, window.label), []).append((window.start, window.stop))
    joined = {pair: join_ranges(ranges) for pair, ranges in windows.items()}
    return {x for x in labels if any(a <= x.start and x.stop <= b for a, b in joined.get((x.take, x.label), ()))}


def _read_verified(
    corpus: Corpus, path: Path, rows: list[tuple[int, dict[str, str]]], labels: list[Label], is_complete: bool
) -> tuple[list[Verified], list[str]]:
    """The verified ranges of a file that belongs to these labels, and an error message for each invalid row."""
    takes = _Takes(corpus)
    verified: list[Verified] = []
    refused: list[str] = []
    for line, row in rows:
        try:
            window = _label_of(takes, row)
            if not is_complete:
                raise BadInput("not verified, because rows of the labels were refused; correct them and import again")
            if _inside(labels, window) != _inside(corpus.labels(window.take), window):
                raise BadInput(
                    f"{window.take}: not verified, because label '{window.label}' has other ranges there in the "
                    "corpus than in the file"
                )
            verified.append(Verified(window.take, window.label, window.start, window.stop))
        except MotionloomError as error:
            refused.append(str(FormatError(path, str(error), line)))
    return verified, refused


def _inside(labels: Iterable[Label], window: Label) -> list[tuple[int, int]]:
    """The ranges of a label inside a range of its take."""
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
        return _read_rows(path, reader)
    except csv.Error as error:
        raise FormatError(path, f"is not a valid CSV file ({error})", reader.line_num) from error


def _read_rows(path: Path, reader: Any) -> list[tuple[int, dict[str, str]]]:
    """The rows behind the header, with the columns that are known; a list of all cells would take far more memory."""
    header = [cell.strip().lower() for cell in next(reader, [])]
    missing = [column for column in COLUMNS[:4] if column not in header]
    if missing:
        raise FormatError(
            path, f"column {', '.join(missing)} is missing; the first line must be take,label,start,stop[,source]", 1
        )
    known = [(column, place) for place, column in enumerate(header) if column in (*COLUMNS, CONFIDENCE)]
    rows: list[tuple[int, dict[str, str]]] = []
    for cells in reader:
        row = {column: cells[place].strip() for column, place in known if place < len(cells)}
        if not any(row.values()) and not any(cell.strip() for cell in cells):
            continue
        if len(rows) == MOST_ROWS:
            raise FormatError(path, f"more than {MOST_ROWS} rows; split the file", reader.line_num)
        rows.append((reader.line_num, row))
    return rows


class _Takes:
    """The takes of a corpus by what a file calls them, and their numbers of frames."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self.finder = TakeFinder(corpus.names())
        self._n_frames: dict[str, int] = {}

    def n_frames(self, take: str) -> int:
        if take not in self._n_frames:
            self._n_frames[take] = self.corpus.info(take).n_frames
        return self._n_frames[take]


def _label_of(takes: _Takes, row: dict[str, str]) -> Label:
    """A row as a label of a take of the corpus."""
    written = _plain_label(row, has_frames=False)
    label = replace(written, take=takes.finder.find(written.take))
    check_frames(label.take, takes.n_frames(label.take), label.start, label.stop, f"label '{label.label}'")
    return label


def _plain_label(row: dict[str, str], has_frames: bool = True) -> Label:
    """A row as a label, with its take named as in the file."""
    missing = [column for column in COLUMNS[:4] if not row.get(column)]
    if missing:
        raise BadInput(f"value for {', '.join(missing)} is missing; expected take,label,start,stop[,source]")
    start, stop = (_frame(row[column], column) for column in ("start", "stop"))
    check_word(row["label"], "label")
    source = row.get("source") or DEFAULT_SOURCE
    check_word(source, "source")
    if has_frames and not 0 <= start < stop:
        raise BadInput(f"frames [{start}, {stop}) of label '{row['label']}' are invalid: expected 0 <= start < stop")
    return Label(row["take"], row["label"], start, stop, source)


def _frame(text: str, column: str) -> int:
    try:
        if len(text) > LONGEST_FRAME:
            raise ValueError
        return int(text)
    except ValueError:
        raise BadInput(f"{column} is '{shorten(text)}', expected a frame number") from None
