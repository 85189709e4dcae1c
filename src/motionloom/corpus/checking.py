"""Checking a corpus: is everything there and whole, and if not, putting it in order without losing anything good."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from motionloom import tasks
from motionloom.corpus import catalogue, store
from motionloom.corpus.corpus import Corpus
from motionloom.corpus.lock import is_held
from motionloom.corpus.packing import n_columns
from motionloom.corpus.records import TakeInfo
from motionloom.corpus.repairing import drop_layer, drop_model, forget_file, quarantine_take, set_aside_row
from motionloom.errors import CorpusError, MotionloomError

UNIT_TOLERANCE = 1e-3  # how far the length of a stored rotation may be from 1


@dataclass(frozen=True)
class Problem:
    """Something that is not as it should be."""

    subject: str  # the take or file
    message: str
    is_repaired: bool = False

    def __str__(self) -> str:
        return f"{self.subject}: {self.message}{' (repaired)' if self.is_repaired else ''}"


@dataclass(frozen=True)
class CheckReport:
    """What a check found."""

    n_takes: int
    problems: tuple[Problem, ...]

    @property
    def left(self) -> tuple[Problem, ...]:
        """The problems that are not repaired."""
        return tuple(problem for problem in self.problems if not problem.is_repaired)

    @property
    def is_clean(self) -> bool:
        """Whether nothing is wrong, or nothing any more."""
        return not self.left

    @property
    def summary(self) -> str:
        """In a few words."""
        takes = f"{self.n_takes} take{'' if self.n_takes == 1 else 's'}"
        if not self.problems:
            return f"{takes}, everything is in order"
        found = f"{len(self.problems)} problem{'' if len(self.problems) == 1 else 's'}"
        if self.is_clean:
            return f"{takes}, {found} found and repaired"
        return f"{takes}, {found} found, {len(self.problems) - len(self.left)} repaired"

    def as_json(self) -> dict[str, Any]:
        """As plain values."""
        problems = [{"subject": p.subject, "message": p.message, "repaired": p.is_repaired} for p in self.problems]
        return {"takes": self.n_takes, "problems": problems}


@dataclass(frozen=True)
class _Fault:
    subject: str
    message: str
    repair: Callable[[Corpus], None] | None


def check(path: str | Path, repair: bool = False, *, progress: tasks.Progress | None = None) -> CheckReport:
    """Verify a corpus, and with `repair` put it in order.

    Repairing sets damaged takes aside (their files go to the folder `quarantine`, their rows to the removed takes) and
    labels about frames that do not exist, makes damaged layers again, and drops files that nothing refers to.
    """
    with Corpus.open(path, write=repair) as corpus:
        problems = []
        for fault in _find_faults(corpus, progress):
            if repair and fault.repair is not None:
                fault.repair(corpus)
            problems.append(Problem(fault.subject, fault.message, repair and fault.repair is not None))
        return CheckReport(len(corpus.names()), tuple(problems))


def _find_faults(corpus: Corpus, progress: tasks.Progress | None) -> Iterator[_Fault]:
    broken = list(_catalogue_faults(corpus))
    yield from broken
    if broken:
        return
    yield from _take_faults(corpus, progress)
    yield from _range_faults(corpus)
    yield from _layer_faults(corpus)
    yield from _model_faults(corpus)
    yield from _stray_files(corpus)


def _catalogue_faults(corpus: Corpus) -> Iterator[_Fault]:
    try:
        lines = [line for (line,) in corpus.connection.execute("PRAGMA integrity_check")]
    except CorpusError as error:
        lines = [str(error)]
    if lines != ["ok"]:
        message = f"the catalogue is damaged ({lines[0]}); restore it from a copy of the corpus"
        yield _Fault(catalogue.FILE, message, None)


def _take_faults(corpus: Corpus, progress: tasks.Progress | None) -> Iterator[_Fault]:
    query = f"SELECT takes.id, takes.file, takes.crc, {catalogue.INFO_COLUMNS} FROM takes LEFT JOIN skeletons"
    query += " ON skeletons.digest = takes.skeleton WHERE removed_because IS NULL OR removed_because = 'asked'"
    rows = corpus.connection.execute(query).fetchall()
    for done, (take, file, crc, *row) in enumerate(rows, start=1):
        info = catalogue.info_of(tuple(row))
        reason = _find_damage(corpus, info, take, store.StoredArray(file, crc))
        if reason is not None:
            what = "removed take" if info.removed else "take"
            yield _Fault(info.name, f"{what} is damaged: {reason}", _quarantining(take, file, reason))
        if progress is not None:
            progress(done, len(rows))


def _quarantining(take: int, file: str, reason: str) -> Callable[[Corpus], None]:
    return lambda corpus: quarantine_take(corpus, take, file, reason)


def _find_damage(corpus: Corpus, info: TakeInfo, take: int, stored: store.StoredArray) -> str | None:
    damage = store.find_damage(corpus.arrays, stored)
    if damage is not None:
        return damage
    try:
        skeleton = corpus.skeleton(info.skeleton) if info.skeleton is not None else None
    except (MotionloomError, ValueError, KeyError) as error:
        return f"its skeleton cannot be read ({error})"
    frames = store.open_array(corpus.arrays, stored)
    expected = (info.n_frames, n_columns(info, skeleton, corpus.point_names_of(take)))
    if frames.shape != expected:
        return f"{stored.file} has shape {frames.shape}, expected {expected}"
    return None if skeleton is None else _find_bad_frames(frames)


def _find_bad_frames(frames: np.ndarray) -> str | None:
    """Say what is wrong with the frames of a body, or None."""
    rotations = frames[:, 3:].reshape(len(frames), -1, 4)
    off = np.abs(np.linalg.norm(rotations, axis=-1) - 1.0).max(axis=1)
    bad = np.flatnonzero(~(off < UNIT_TOLERANCE) | ~np.isfinite(frames[:, :3]).all(axis=1))
    return f"{len(bad)} frames are not rotations, the first is frame {bad[0]}" if len(bad) else None


def _range_faults(corpus: Corpus) -> Iterator[_Fault]:
    for table, word, start, stop in (
        ("labels", "label", "start", "stop"),
        ("contacts", "point", "start", "stop"),
        ("events", "kind", "frame", "frame + 1"),
    ):
        query = f"""SELECT {table}.rowid, takes.name, {table}.{word}, {start}, {stop}, n_frames FROM {table}
            JOIN takes ON takes.id = {table}.take WHERE {start} < 0 OR {stop} > n_frames OR {start} >= {stop}"""
        for row, name, what, first, end, n_frames in corpus.connection.execute(query).fetchall():
            message = f"{table[:-1]} '{what}' over the frames [{first}, {end}), but the take has [0, {n_frames})"
            yield _Fault(name, message, _setting_aside(table, row, message))


def _setting_aside(table: str, row: int, reason: str) -> Callable[[Corpus], None]:
    return lambda corpus: set_aside_row(corpus, table, row, reason)


def _layer_faults(corpus: Corpus) -> Iterator[_Fault]:
    query = """SELECT takes.name, layers.layer, layers.take, layers.file, layers.crc FROM layers
        JOIN takes ON takes.id = layers.take"""
    for name, layer, take, file, crc in corpus.connection.execute(query).fetchall():
        damage = store.find_damage(corpus.arrays, store.StoredArray(file, crc))
        if damage is not None:
            yield _Fault(name, f"layer '{layer}' is damaged: {damage}", _dropping_layer(name, take, layer, file))


def _dropping_layer(name: str, take: int, layer: str, file: str) -> Callable[[Corpus], None]:
    return lambda corpus: drop_layer(corpus, name, take, layer, file)


def _model_faults(corpus: Corpus) -> Iterator[_Fault]:
    for kind, key, name, file, crc in corpus.connection.execute("SELECT * FROM model_arrays").fetchall():
        damage = store.find_damage(corpus.arrays, store.StoredArray(file, crc))
        if damage is not None:
            yield _Fault(f"{kind} {key}", f"'{name}' is damaged: {damage}", _dropping_model(kind, key))


def _dropping_model(kind: str, key: str) -> Callable[[Corpus], None]:
    return lambda corpus: drop_model(corpus, kind, key)


def _stray_files(corpus: Corpus) -> Iterator[_Fault]:
    """Files that a crash left behind."""
    if not corpus.can_write and is_held(corpus.folder):
        return  # they may be what the writer is about to finish
    used = catalogue.files_in_use(corpus.connection)
    for entry in sorted(os.scandir(corpus.arrays), key=lambda entry: entry.name):
        if entry.name in used:
            continue
        half_written = entry.name.endswith(store.TEMPORARY)
        message = "left half written by a process that ended" if half_written else "belongs to no take, layer or model"
        yield _Fault(entry.name, message, _forgetting(entry.name))


def _forgetting(file: str) -> Callable[[Corpus], None]:
    return lambda corpus: forget_file(corpus, file)
