"""Backups: a consistent copy of a corpus, taken while another process may write to it."""

import fcntl
import mmap
import os
import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from motionloom import tasks
from motionloom.corpus.corpus import Corpus
from motionloom.corpus.integrity.check import CheckFinding
from motionloom.corpus.integrity.other_files import copy_file, copy_other_files
from motionloom.corpus.store import array_files, catalogue, reserve
from motionloom.corpus.store.array_files import NotReadableNow, StoredArray
from motionloom.corpus.store.connection import connect, log_of
from motionloom.corpus.store.write_lock import LOCK_FILE
from motionloom.errors import BadInput, CorpusBusy, CorpusError
from motionloom.formats.atomic_write import sync_folder

SNAPSHOTS = 100  # of the catalogue at most, until all arrays that it refers to are pinned
_ARRAYS = """
SELECT file, crc, 'take ' || name FROM takes
UNION ALL SELECT layers.file, layers.crc, 'layer ' || layer || ' of ' || name FROM layers JOIN takes ON id = take
UNION ALL SELECT file, crc, kind || ' ' || key FROM model_arrays"""
_CURVES = "SELECT curves.file, curves.crc, 'curves of ' || name FROM curves JOIN takes ON id = take"


@dataclass(frozen=True)
class BackupReport:
    """What a backup holds, and what of the corpus is damaged."""

    folder: Path
    n_takes: int
    n_files: int  # arrays, documents and the catalogue
    n_bytes: int
    problems: tuple[CheckFinding, ...]  # of the corpus; they are in the backup as well

    def as_json(self) -> dict[str, Any]:
        """As JSON values."""
        problems = [{"subject": problem.subject, "message": problem.message} for problem in self.problems]
        return {"takes": self.n_takes, "files": self.n_files, "bytes": self.n_bytes, "problems": problems}


@dataclass
class _Pinned:
    """The arrays that a snapshot of the catalogue refers to, mapped so that they outlive their deletion."""

    stored: dict[str, tuple[StoredArray, str]] = field(default_factory=dict)  # with what they belong to
    maps: dict[str, mmap.mmap | None] = field(default_factory=dict)  # None where a file cannot be mapped
    missing: set[str] = field(default_factory=set)


def back_up(
    path: str | Path, to: str | Path, *, link: bool = False, progress: tasks.Progress | None = None
) -> BackupReport:
    """Copy a corpus with its documents, consistently, also while another process writes to it.

    All that was acknowledged before the call is in the copy, which is a corpus like any other. Every array is
    compared with its checksum; a damaged one is reported and copied as it is. The copy gets its name when it is
    complete and synced to disk.

    Args:
        path: the folder of the corpus.
        to: the folder of the copy; it must not exist yet or be empty.
        link: share array files with the corpus where both are on one disk: fast and small, but damage to such a file
            is damage to both.
        progress: called as progress(files_done, files_total).
    """
    folder, target = Path(path), Path(to)
    with Corpus.open(folder) as corpus:
        try:
            _check_place(folder, target)
            with _building(target) as partial:
                shutil.copymode(folder, partial)
                return _copy_all(corpus, target, partial, link, progress)
        except OSError as error:
            raise CorpusError(
                f"{error.filename or target}: the backup could not be written ({error.strerror or error})"
            ) from error


def _copy_all(corpus: Corpus, target: Path, partial: Path, link: bool, progress: tasks.Progress | None) -> BackupReport:
    """Copy the catalogue, arrays and documents; the catalogue gets its name last."""
    unnamed = partial / f"{catalogue.FILE}.partial"
    pinned = _pin(corpus, unnamed)
    _require_space(corpus, target.parent, pinned, link)
    problems = _copy_arrays(corpus, partial / array_files.FOLDER, pinned, link, progress)
    refused = copy_other_files(corpus.folder, partial, _own_files(corpus.folder))
    problems += [CheckFinding(name, message) for name, message in refused]
    n_takes, damage = _examine(unnamed)
    if damage is not None:
        advice = array_files.repair_advice(corpus.folder)
        problems.insert(0, CheckFinding(catalogue.FILE, f"the catalogue is damaged ({damage}); {advice}"))
    shutil.copymode(corpus.folder / catalogue.FILE, unnamed)
    _sync(unnamed)
    os.replace(unnamed, partial / catalogue.FILE)
    sync_folder(partial)
    sizes = [file.stat().st_size for file in partial.rglob("*") if file.is_file()]
    return BackupReport(target, n_takes, len(sizes), sum(sizes), tuple(problems))


def _own_files(folder: Path) -> set[str]:
    """The names of files and folders that are not copied as they are."""
    own = {catalogue.FILE, LOCK_FILE, reserve.FILE, array_files.FOLDER}
    own |= {file.name for file in log_of(folder / catalogue.FILE)}
    return own | {file.name for file in folder.glob(f"{catalogue.FILE}.*")}  # of processes that make a catalogue


def _pin(corpus: Corpus, copy: Path) -> _Pinned:
    """Copy the catalogue, again until every array that it refers to is pinned, so that deleting them does no harm."""
    pinned = _Pinned()
    for _ in range(SNAPSHOTS):
        stored = _snapshot(corpus, copy)
        before = pinned.missing
        pinned.stored, pinned.missing = stored, set()
        for file in stored:
            if file not in pinned.maps:
                _map(corpus.arrays / file, pinned)
        if not pinned.missing - before:  # what is still missing is not there at all
            return pinned
    return pinned


def _map(path: Path, pinned: _Pinned) -> None:
    try:
        with open(path, "rb") as file:
            pinned.maps[path.name] = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except FileNotFoundError:
        pinned.missing.add(path.name)
    except (OSError, ValueError):  # may not be read, or is empty
        pinned.maps[path.name] = None


def _snapshot(corpus: Corpus, copy: Path) -> dict[str, tuple[StoredArray, str]]:
    """Copy the catalogue as it is at this moment; returns the arrays that it refers to, with what they belong to."""
    copy.unlink(missing_ok=True)
    with closing(connect(copy, "rwc")) as target:
        try:
            corpus.connection.backup(target)
        except sqlite3.Error as error:
            raise CorpusError(f"{corpus.folder / catalogue.FILE} cannot be copied ({error})") from error
        target.execute("PRAGMA journal_mode = WAL")
        rows = target.execute(_ARRAYS).fetchall()
        if target.execute("SELECT 1 FROM sqlite_schema WHERE name = 'curves'").fetchone():  # older ones have none
            rows += target.execute(_CURVES).fetchall()
    return {file: (StoredArray(file, crc), subject) for file, crc, subject in rows if _is_file_name(file)}


def _is_file_name(file: Any) -> bool:
    """Whether a row names a file of the folder of arrays; a damaged one may name anything."""
    return isinstance(file, str) and file == os.path.basename(file) and file.isprintable() and file not in ("", "..")


def _copy_arrays(
    corpus: Corpus, target: Path, pinned: _Pinned, link: bool, progress: tasks.Progress | None
) -> list[CheckFinding]:
    target.mkdir()
    problems = []
    for done, (file, (stored, subject)) in enumerate(sorted(pinned.stored.items()), start=1):
        damage = _copy_array(corpus.arrays / file, target, stored, pinned, link)
        if damage is not None:
            problems.append(CheckFinding(subject, damage))
        if progress is not None:
            progress(done, len(pinned.stored))
    sync_folder(target)
    return problems


def _copy_array(source: Path, folder: Path, stored: StoredArray, pinned: _Pinned, link: bool) -> str | None:
    """Copy or link an array; describes its damage, None if it is intact."""
    if stored.file in pinned.missing:
        return f"{stored.file} is missing"
    if link:
        try:
            os.link(source, folder / stored.file)
            return array_files.find_damage(folder, stored)
        except OSError:  # on another disk, or deleted since
            (folder / stored.file).unlink(missing_ok=True)
    try:
        copy_file(source, folder / stored.file, instead=pinned.maps.get(stored.file))
    except PermissionError as error:
        return f"{stored.file} cannot be read now ({error.strerror}) and is not in the backup"
    try:
        return array_files.find_damage(folder, stored)
    except NotReadableNow as error:
        raise CorpusError(str(error)) from error


def _require_space(corpus: Corpus, place: Path, pinned: _Pinned, link: bool) -> None:
    """Raise if the arrays cannot fit on the disk of the copy."""
    if link and os.stat(place).st_dev == os.stat(corpus.folder).st_dev:
        return
    needed = sum(len(content) for file in pinned.stored if (content := pinned.maps.get(file)) is not None)
    free = shutil.disk_usage(place).free
    if needed > free:
        raise CorpusError(
            f"{place} has {free / 1e6:.1f} MB free and the backup needs {needed / 1e6:.1f} MB; choose another disk"
        )


def _examine(copy: Path) -> tuple[int, str | None]:
    """The number of takes of a copied catalogue, and its damage."""
    with closing(connect(copy, "rw")) as connection:
        lines = [line for (line,) in connection.execute("PRAGMA integrity_check")]
        (n_takes,) = connection.execute("SELECT count(*) FROM takes WHERE removed IS NULL").fetchone()
    return n_takes, None if lines == ["ok"] else lines[0]


def _check_place(folder: Path, target: Path) -> None:
    """Raise unless a backup can be made in a folder: it is new or empty, and outside of the corpus."""
    above, inside = folder.resolve(), target.resolve()
    if inside == above or above in inside.parents:
        raise BadInput(f"{target} is inside of the corpus; make the backup in another folder")
    if target.is_symlink() or (target.exists() and not target.is_dir()):
        raise BadInput(f"{target} is a file; give a folder that does not exist yet")
    if target.is_dir() and any(target.iterdir()):
        raise BadInput(f"{target} is not empty; give a folder that does not exist yet")
    if target.is_dir() and target.is_mount():
        raise BadInput(f"{target} is the top folder of a disk; give a folder on it, such as {target / folder.name}")


@contextmanager
def _building(target: Path) -> Iterator[Path]:
    """A folder beside the target that gets its name at the end of the block, and is deleted if that fails.

    One that a killed process left behind is cleared; while it is in use, it is locked.
    """
    target = target.resolve()
    partial = target.with_name(f".{target.name}.partial-backup")
    target.parent.mkdir(parents=True, exist_ok=True)
    partial.mkdir(exist_ok=True)
    lock = os.open(partial, os.O_RDONLY)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise CorpusBusy(f"{target}: another process is making a backup there; wait until it is done") from error
        try:
            _clear(partial.iterdir())
            yield partial
            os.rename(partial, target)  # replaces an empty folder
        except BaseException:
            shutil.rmtree(partial, ignore_errors=True)
            raise
        sync_folder(target.parent)
    finally:
        os.close(lock)


def _clear(entries: Iterable[Path]) -> None:
    for entry in entries:
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()


def _sync(path: Path) -> None:
    with open(path, "rb+") as file:
        os.fsync(file.fileno())
