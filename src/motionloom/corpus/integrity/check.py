"""The integrity check of a corpus: missing, damaged and unreferenced files and rows, found and repaired."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from motionloom import tasks
from motionloom.corpus.corpus import Corpus
from motionloom.corpus.given_grounds import parse_content
from motionloom.corpus.integrity.damage import find_damage
from motionloom.corpus.integrity.recovery import CannotRecover, keep_log, recover_catalogue
from motionloom.corpus.integrity.repair import (
    delete_unreferenced,
    drop_layer,
    drop_model,
    quarantine_array,
    quarantine_take,
    rewrite_texts,
    set_aside_row,
)
from motionloom.corpus.records import TakeInfo
from motionloom.corpus.store import array_files, catalogue, serialization
from motionloom.corpus.store.connection import CatalogueDamaged, NotACatalogue, log_of
from motionloom.corpus.store.packed_curves import unpack_curves
from motionloom.corpus.store.write_ahead_log import read_log
from motionloom.corpus.store.write_lock import is_held
from motionloom.errors import CorpusError


@dataclass(frozen=True)
class CheckFinding:
    """A problem that the check found."""

    subject: str  # the take or file
    message: str
    is_repaired: bool = False

    def __str__(self) -> str:
        return f"{self.subject}: {self.message}{' (repaired)' if self.is_repaired else ''}"


@dataclass(frozen=True)
class CheckReport:
    """The problems that a check found."""

    n_takes: int
    problems: tuple[CheckFinding, ...]

    @property
    def left(self) -> tuple[CheckFinding, ...]:
        """The problems that are not repaired."""
        return tuple(problem for problem in self.problems if not problem.is_repaired)

    @property
    def is_clean(self) -> bool:
        """Whether no problem was found, or all are repaired."""
        return not self.left

    @property
    def summary(self) -> str:
        """In one line."""
        takes = f"{self.n_takes} take{'' if self.n_takes == 1 else 's'}"
        if not self.problems:
            return f"{takes}, no problems found"
        found = f"{len(self.problems)} problem{'' if len(self.problems) == 1 else 's'}"
        if self.is_clean:
            return f"{takes}, {found} found and repaired"
        return f"{takes}, {found} found, {len(self.problems) - len(self.left)} repaired"

    def as_json(self) -> dict[str, Any]:
        """As JSON values."""
        problems = [{"subject": p.subject, "message": p.message, "repaired": p.is_repaired} for p in self.problems]
        return {"takes": self.n_takes, "problems": problems}


@dataclass(frozen=True)
class _Fault:
    subject: str
    message: str
    repair: Callable[[Corpus], None] | None
    is_whole_take: bool = False


def check(path: str | Path, repair: bool = False, *, progress: tasks.Progress | None = None) -> CheckReport:
    """Check the integrity of a corpus, and with `repair` repair it.

    A damaged catalogue is made anew from the rows that can be read; the damaged file moves to the quarantine. So do
    damaged takes (their files to the folder `quarantine`, their rows to the removed takes). Labels with frames out of
    range move to the table `set_aside`; damaged layers are recomputed, unreferenced files deleted.

    Args:
        path: folder of the corpus.
        repair: needs the write lock.
        progress: called as progress(takes_done, takes_total).
    """
    folder = Path(path)
    log_damage = _check_log(folder, repair)
    try:
        report = _check_corpus(folder, repair, progress)
    except (CatalogueDamaged, NotACatalogue) as error:
        report = _recover(folder, error, progress) if repair else _damaged(folder, error)
    return replace(report, problems=(*log_damage, *report.problems))


def _check_corpus(folder: Path, repair: bool, progress: tasks.Progress | None) -> CheckReport:
    problems: list[CheckFinding] = []
    lacks_arrays = not os.path.isdir(folder / array_files.FOLDER)  # opening for writing makes the folder
    with Corpus.open(folder, write=repair) as corpus:
        if lacks_arrays:
            problems.append(CheckFinding(array_files.FOLDER, "the folder of the arrays is missing", repair))
        for fault in _find_faults(corpus, progress):
            if repair and fault.repair is not None:
                fault.repair(corpus)
            problems.append(CheckFinding(fault.subject, fault.message, repair and fault.repair is not None))
        return CheckReport(len(corpus.names()), tuple(problems))


def _damaged(folder: Path, error: CatalogueDamaged | NotACatalogue) -> CheckReport:
    """The report about a catalogue that cannot be read."""
    if isinstance(error, NotACatalogue):  # most likely the wrong folder
        raise error
    message = f"the catalogue is damaged ({error.reason}); {array_files.recovery_advice(folder)}"
    return CheckReport(0, (CheckFinding(catalogue.FILE, message),))


def _recover(folder: Path, damage: CatalogueDamaged | NotACatalogue, progress: tasks.Progress | None) -> CheckReport:
    """Make a damaged catalogue anew and check the corpus again."""
    reason = "it does not begin as one" if isinstance(damage, NotACatalogue) else damage.reason
    try:
        recovered = recover_catalogue(folder)
        report = _check_corpus(folder, True, progress)
    except (CannotRecover, CatalogueDamaged) as error:
        if isinstance(damage, NotACatalogue):
            raise damage from None
        return CheckReport(0, (CheckFinding(catalogue.FILE, f"the catalogue is damaged ({reason}): {error}"),))
    message = f"the catalogue was damaged ({reason}) and is made anew: {recovered.summary}"
    found = [CheckFinding(catalogue.FILE, message, is_repaired=True)]
    if recovered.losses is not None:
        found.append(CheckFinding(catalogue.FILE, recovered.losses))
    found += [CheckFinding(name, message, is_recovered) for name, message, is_recovered in recovered.takes]
    return replace(report, problems=(*found, *report.problems))


def _check_log(folder: Path, repair: bool) -> list[CheckFinding]:
    """Damage of the log of a catalogue that no process has open; SQLite leaves out what follows it without a word."""
    log = log_of(folder / catalogue.FILE)[0]
    try:
        content = b"" if is_held(folder) else log.read_bytes()
    except OSError:
        return []
    lost = read_log(content).n_lost
    if not lost:
        return []
    kept = f"; it is kept as {keep_log(folder).name} in the quarantine" if repair else ""
    changes = "1 change" if lost == 1 else f"{lost} changes"
    return [CheckFinding(log.name, f"the log of the catalogue is damaged: {changes} in it cannot be read{kept}")]


def _find_faults(corpus: Corpus, progress: tasks.Progress | None) -> Iterator[_Fault]:
    _check_catalogue(corpus)
    damaged: set[int] = set()
    yield from _take_faults(corpus, damaged, progress)
    yield from _range_faults(corpus, damaged)
    yield from _event_faults(corpus)
    yield from _ground_faults(corpus)
    yield from _curve_faults(corpus)
    yield from _layer_faults(corpus)
    yield from _model_faults(corpus)
    yield from _stray_files(corpus, damaged)


def _check_catalogue(corpus: Corpus) -> None:
    lines = [line for (line,) in corpus.connection.execute("PRAGMA integrity_check")]
    if lines != ["ok"]:
        raise CatalogueDamaged(corpus.folder / catalogue.FILE, lines[0])


def _take_faults(corpus: Corpus, damaged: set[int], progress: tasks.Progress | None) -> Iterator[_Fault]:
    """Damaged takes and texts; the row ids of damaged takes are added to `damaged`."""
    query = f"SELECT takes.id, takes.file, takes.crc, {catalogue.INFO_COLUMNS} FROM takes LEFT JOIN skeletons"
    query += " ON skeletons.digest = takes.skeleton WHERE removed_because IS NULL OR removed_because = ?"
    rows = corpus.connection.execute(query, [catalogue.ASKED]).fetchall()
    for done, (take, file, crc, *row) in enumerate(rows, start=1):
        for fault in _faults_of_take(corpus, take, array_files.StoredArray(file, crc), tuple(row)):
            if fault.is_whole_take:
                damaged.add(take)
            yield fault
        if progress is not None:
            progress(done, len(rows))


def _faults_of_take(corpus: Corpus, take: int, stored: array_files.StoredArray, row: tuple) -> Iterator[_Fault]:
    name = serialization.shorten(row[0])
    try:
        info = catalogue.info_of(row)
        reason = find_damage(corpus, take, info, stored)
    except array_files.NotReadableNow as error:
        yield _Fault(name, f"{error}; check its permissions", None)
        return
    except CorpusError as error:
        info, reason = None, str(error).removeprefix(f"take '{name}': ")
    if reason is not None:
        if not _refers(corpus, "takes", take, stored.file):
            return
        what = "removed take" if row[-2] else "take"
        yield _Fault(name, f"{what} is damaged: {reason}", _quarantining(take, stored.file, reason), True)
    elif info is not None and (lost := [f.message for f in info.findings if f.kind == serialization.LOST]):
        yield _Fault(name, "; ".join(lost), _rewriting(take, info))


def _quarantining(take: int, file: str, reason: str) -> Callable[[Corpus], None]:
    return lambda corpus: quarantine_take(corpus, take, file, reason)


def _rewriting(take: int, info: TakeInfo) -> Callable[[Corpus], None]:
    return lambda corpus: rewrite_texts(corpus, take, info)


def _range_faults(corpus: Corpus, damaged: set[int]) -> Iterator[_Fault]:
    """Labels, contacts and events out of range; those of damaged takes, whose length is unknown, are skipped."""
    for table, noun, word, start, stop in (
        ("labels", "label", "label", "start", "stop"),
        ("contacts", "contact", "point", "start", "stop"),
        ("events", "event", "kind", "frame", "frame + 1"),
        ("listed", "listed", "label", "0", "1"),
        ("verified", "verified range of", "label", "start", "stop"),
        ("proposals", "proposal", "label", "start", "stop"),
        ("classified", "decision about", "label", "start", "stop"),
    ):
        query = f"""SELECT takes.id, {table}.rowid, takes.name, {table}.{word}, {start}, {stop}, n_frames FROM {table}
            JOIN takes ON takes.id = {table}.take WHERE removed_because IS NULL OR removed_because = ?"""
        rows = corpus.connection.execute(query, [catalogue.ASKED]).fetchall()
        for take, row, name, what, first, end, n_frames in rows:
            if take in damaged:
                continue
            message = None
            if not isinstance(what, str) or not serialization.is_text(what):
                message = f"{noun} '{serialization.shorten(what)}' is not text"
            elif not all(isinstance(n, int) for n in (first, end, n_frames)) or not 0 <= first < end <= n_frames:
                message = f"{noun} '{what}': frames [{first}, {end}) are out of range: the take has {n_frames} frames"
            if message is not None:
                yield _Fault(serialization.shorten(name), message, _setting_aside(table, row, message))


def _event_faults(corpus: Corpus) -> Iterator[_Fault]:
    query = "SELECT events.rowid, takes.name, events.kind, data FROM events JOIN takes ON takes.id = events.take"
    for row, name, kind, data in corpus.connection.execute(query).fetchall():
        if serialization.read_data(data) is None:
            message = f"the data of event '{serialization.shorten(kind)}' cannot be read"
            yield _Fault(serialization.shorten(name), message, _setting_aside("events", row, message))


def _ground_faults(corpus: Corpus) -> Iterator[_Fault]:
    query = "SELECT grounds.rowid, takes.name, grounds.content, grounds.digest FROM grounds JOIN takes ON id = take"
    for row, name, content, digest in corpus.connection.execute(query).fetchall():
        try:
            parse_content(content, digest)
        except CorpusError as error:
            yield _Fault(serialization.shorten(name), str(error), _setting_aside("grounds", row, str(error)))


def _curve_faults(corpus: Corpus) -> Iterator[_Fault]:
    query = "SELECT curves.rowid, takes.name, content, curves.digest, curves.file, curves.crc FROM curves"
    for row, name, content, digest, file, crc in corpus.connection.execute(
        f"{query} JOIN takes ON id = take"
    ).fetchall():
        stored = array_files.StoredArray(file, crc)
        try:
            reason = array_files.find_damage(corpus.arrays, stored)
            if reason is None:
                unpack_curves(content, digest, array_files.open_array(corpus.arrays, stored))
                continue
        except array_files.NotReadableNow as error:
            yield _Fault(serialization.shorten(name), f"its curves: {error}", None)
            continue
        except CorpusError as error:
            reason = str(error)
        if _refers(corpus, "curves", row, file):
            message = f"its curves are damaged: {reason}"
            yield _Fault(serialization.shorten(name), message, _setting_curves_aside(row, file, message))


def _setting_curves_aside(row: int, file: str, reason: str) -> Callable[[Corpus], None]:
    def repair(corpus: Corpus) -> None:
        set_aside_row(corpus, "curves", row, reason)
        quarantine_array(corpus, file)

    return repair


def _setting_aside(table: str, row: int, reason: str) -> Callable[[Corpus], None]:
    return lambda corpus: set_aside_row(corpus, table, row, reason)


def _layer_faults(corpus: Corpus) -> Iterator[_Fault]:
    query = """SELECT layers.rowid, takes.name, layers.layer, layers.take, layers.file, layers.crc FROM layers
        JOIN takes ON takes.id = layers.take"""
    for row, name, layer, take, file, crc in corpus.connection.execute(query).fetchall():
        try:
            damage = array_files.find_damage(corpus.arrays, array_files.StoredArray(file, crc))
        except array_files.NotReadableNow as error:
            yield _Fault(name, f"layer '{layer}': {error}", None)
            continue
        if damage is not None and _refers(corpus, "layers", row, file):
            yield _Fault(name, f"layer '{layer}' is damaged: {damage}", _dropping_layer(name, take, layer, file))


def _dropping_layer(name: str, take: int, layer: str, file: str) -> Callable[[Corpus], None]:
    return lambda corpus: drop_layer(corpus, name, take, layer, file)


def _model_faults(corpus: Corpus) -> Iterator[_Fault]:
    query = "SELECT rowid, kind, key, name, file, crc FROM model_arrays"
    for row, kind, key, name, file, crc in corpus.connection.execute(query).fetchall():
        try:
            damage = array_files.find_damage(corpus.arrays, array_files.StoredArray(file, crc))
        except array_files.NotReadableNow as error:
            yield _Fault(f"{kind} {key}", str(error), None)
            continue
        if damage is not None and _refers(corpus, "model_arrays", row, file):
            yield _Fault(f"{kind} {key}", f"'{name}' is damaged: {damage}", _dropping_model(kind, key))


def _dropping_model(kind: str, key: str) -> Callable[[Corpus], None]:
    return lambda corpus: drop_model(corpus, kind, key)


def _refers(corpus: Corpus, table: str, row: int, file: str) -> bool:
    """Whether a row still refers to a file: another process may have deleted or replaced both since."""
    found = corpus.connection.execute(f"SELECT file FROM {table} WHERE rowid = ?", [row]).fetchone()
    return found is not None and found[0] == file


def _stray_files(corpus: Corpus, damaged: set[int]) -> Iterator[_Fault]:
    """Files that no row refers to, left by a crash; where takes are damaged, one of them may be theirs and is kept."""
    if not corpus.can_write and is_held(corpus.folder):
        return  # the writer may be about to insert their rows
    if not corpus.arrays.is_dir():
        return
    used = catalogue.files_in_use(corpus.connection)
    try:
        entries = sorted(os.scandir(corpus.arrays), key=lambda entry: entry.name)
    except OSError as error:
        yield _Fault(array_files.FOLDER, f"{corpus.arrays} cannot be listed ({error.strerror})", None)
        return
    for entry in entries:
        if entry.name in used:
            continue
        half_written = entry.name.endswith(array_files.TEMPORARY)
        message = (
            "incomplete: its process ended while writing it" if half_written else "no take, layer or model refers to it"
        )
        keeps = bool(damaged) and not half_written
        yield _Fault(entry.name, message, _discarding(entry.name, quarantine_array if keeps else delete_unreferenced))


def _discarding(file: str, discard: Callable[[Corpus, str], None]) -> Callable[[Corpus], None]:
    return lambda corpus: discard(corpus, file)
