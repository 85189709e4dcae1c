"""Recovery of a damaged catalogue: its rows go into a new one, and the damaged file into the quarantine."""

import json
import os
import shutil
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from motionloom.corpus.integrity.catalogue_rows import TAKES, CatalogueRows, Row, describe, read_rows
from motionloom.corpus.integrity.lost_takes import find_takes, read_skeletons
from motionloom.corpus.store import array_files, catalogue
from motionloom.corpus.store.connection import connect, log_of, transaction
from motionloom.corpus.store.interrupts import uninterrupted
from motionloom.corpus.store.write_lock import WriteLock
from motionloom.errors import CorpusError
from motionloom.formats.atomic_write import sync_folder

NOUNS = {
    "takes": "take",
    "labels": "label",
    "verified": "verified range",
    "proposals": "proposal",
    "contacts": "contact",
    "events": "event",
    "grounds": "ground",
    "curves": "set of curves",
    "layers": "layer",
    "models": "view or model",
}
_OF_TAKES = (
    "labels",
    "contacts",
    "events",
    "layers",
    "verified",
    "proposals",
    "classified",
    "listed",
    "grounds",
    "curves",
)
_CACHED = ("layers", "models", "model_arrays")  # computed again when they are next needed


class CannotRecover(CorpusError):
    """A file that holds nothing of a catalogue."""


@dataclass
class Recovered:
    """What was recovered of a catalogue, and what was not."""

    kept_as: Path  # the damaged file
    counts: dict[str, int] = field(default_factory=dict)  # rows by table
    n_set_aside: int = 0
    n_bad: int = 0  # pages and rows that could not be read
    n_lost_changes: int = 0
    takes: list[tuple[str, str, bool]] = field(default_factory=list)  # name, message, and whether it is recovered

    @property
    def summary(self) -> str:
        """What is there."""
        rows = [_count(self.counts[table], noun) for table, noun in NOUNS.items() if self.counts.get(table)]
        parts = [f"{', '.join(rows) or 'no rows'} recovered"]
        if self.n_set_aside:
            parts.append(f"{_count(self.n_set_aside, 'doubtful row')} set aside")
        return f"{'; '.join(parts)}; the damaged file is {self.kept_as.parent.name}/{self.kept_as.name}"

    @property
    def losses(self) -> str | None:
        """What is not there; None if nothing is known to be lost."""
        parts = []
        if self.n_bad:
            parts.append(f"{_count(self.n_bad, 'page or row', 'pages or rows')} of the catalogue could not be read")
        if self.n_lost_changes:
            parts.append(f"{_count(self.n_lost_changes, 'change')} of its log could not be read")
        return f"{' and '.join(parts)}; what was in them and is nowhere else is lost" if parts else None


@uninterrupted()
def recover_catalogue(folder: Path) -> Recovered:
    """Make a new catalogue of the rows of a damaged one; raises if it holds nothing of a catalogue.

    Rows stay as they were: one that its table and its index do not agree on goes to the table `set_aside`.
    """
    path = folder / catalogue.FILE
    with WriteLock(folder):
        try:
            found = read_rows(path)
        except OSError as error:
            raise CorpusError(f"{path} cannot be read ({error.strerror})") from error
        if not any(rows.rows for name, rows in found.tables.items() if name != "about"):
            raise CannotRecover(f"{path} has no rows that could be recovered; restore it from a backup")
        temporary = folder / f"{catalogue.FILE}.{os.getpid()}.new"
        recovered = Recovered(_quarantine(folder, path), n_lost_changes=found.n_lost_changes)
        try:
            _write(temporary, found, folder / array_files.FOLDER, recovered)
            _replace(path, temporary, found.image)
        finally:
            for left in folder.glob(f"{temporary.name}*"):
                left.unlink()
        _move_unreferenced(folder, path)
    return recovered


def keep_log(folder: Path) -> Path:
    """Copy a damaged log of the catalogue to the quarantine, because SQLite overwrites it; returns the copy."""
    log = log_of(folder / catalogue.FILE)[0]
    with WriteLock(folder):
        return _copy_aside(folder, log)


def _quarantine(folder: Path, path: Path) -> Path:
    """Copy a damaged catalogue and its log to the quarantine; returns the copy of the catalogue."""
    kept = _copy_aside(folder, path)
    log = log_of(path)[0]
    if log.exists() and log.stat().st_size:
        shutil.copy2(log, log_of(kept)[0])
    sync_folder(kept.parent)
    return kept


def _copy_aside(folder: Path, path: Path) -> Path:
    quarantine = folder / array_files.QUARANTINE
    quarantine.mkdir(exist_ok=True)
    time = catalogue.now()[:19].replace(":", "")
    names = (f"{path.name}-{time}{number}" for number in ["", *(f"-{n}" for n in range(2, 1000))])
    target = next(quarantine / name for name in names if not (quarantine / name).exists())
    shutil.copy2(path, target)
    return target


def _write(path: Path, found: CatalogueRows, arrays: Path, recovered: Recovered) -> None:
    with closing(connect(path, "rwc")) as db:
        db.execute("PRAGMA journal_mode = WAL")
        with transaction(db):
            catalogue.write_schema(db)
            _insert(db, "set_aside", found, recovered)
            _insert_takes(db, found, arrays, recovered)
            for name in found.tables:
                if name not in ("skeletons", TAKES, "set_aside"):
                    _insert(db, name, found, recovered)
            if not found.tables["listed"].is_found:  # an older catalogue, as when it is brought up to date
                db.execute("INSERT INTO listed SELECT DISTINCT take, label FROM labels")
            _set_aside_lone_rows(db, recovered)
            for name in found.tables:
                (recovered.counts[name],) = db.execute(f"SELECT count(*) FROM {name}").fetchone()
            (recovered.counts[TAKES],) = db.execute("SELECT count(*) FROM takes WHERE removed IS NULL").fetchone()
    with open(path, "rb+") as file:
        os.fsync(file.fileno())


def _insert_takes(db: sqlite3.Connection, found: CatalogueRows, arrays: Path, recovered: Recovered) -> None:
    skeletons = read_skeletons(found.tables["skeletons"])
    for number, row in found.tables["skeletons"].rows.items():
        if row["digest"] in skeletons:
            _insert_row(db, "skeletons", number, row)
        else:
            _set_aside(db, "skeletons", row, "it does not have its digest", recovered)
    taken: set[object] = set()
    for number, take in find_takes(found, skeletons, arrays).items():
        row = take.row
        if row["removed"] is None and {row["name"], row["digest"]} & taken:
            _set_aside(db, TAKES, row, "another take has its name or its content", recovered)
            continue
        if row["removed"] is None:
            taken |= {row["name"], row["digest"]}
        try:
            _insert_row(db, TAKES, number, row | {"id": number})
        except sqlite3.IntegrityError as error:
            _set_aside(db, TAKES, row, str(error), recovered)
            continue
        if take.message is not None:
            recovered.takes.append((str(row["name"]), take.message, take.is_recovered))
    recovered.n_bad += found.tables[TAKES].n_bad + found.tables["skeletons"].n_bad
    for row, reason in found.tables[TAKES].doubtful + found.tables["skeletons"].doubtful:
        _set_aside(db, TAKES, row, reason, recovered)


def _insert(db: sqlite3.Connection, table: str, found: CatalogueRows, recovered: Recovered) -> None:
    rows = found.tables[table]
    for number, row in rows.rows.items():
        try:
            _insert_row(db, table, number, row)
        except sqlite3.IntegrityError as error:
            _set_aside(db, table, row, str(error), recovered)
    recovered.n_bad += rows.n_bad
    for row, reason in rows.doubtful:
        if table not in _CACHED:
            _set_aside(db, table, row, reason, recovered)


def _insert_row(db: sqlite3.Connection, table: str, number: int, row: Row) -> None:
    columns = ["rowid", *row] if "id" not in row else list(row)
    values = [number, *row.values()] if "id" not in row else list(row.values())
    marks = ", ".join("?" * len(values))
    sqlite3.Connection.execute(db, f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", values)


def _set_aside_lone_rows(db: sqlite3.Connection, recovered: Recovered) -> None:
    """Set aside what belongs to takes that are lost, and delete what can be computed again."""
    db.execute("DELETE FROM model_arrays WHERE (kind, key) NOT IN (SELECT kind, key FROM models)")
    for table in _OF_TAKES:
        lone = "take NOT IN (SELECT id FROM takes)"
        if table not in _CACHED:
            cursor = db.execute(f"SELECT * FROM {table} WHERE {lone}")
            columns = [column[0] for column in cursor.description]
            for values in cursor.fetchall():
                _set_aside(db, table, dict(zip(columns, values)), "its take is lost", recovered)
        db.execute(f"DELETE FROM {table} WHERE {lone}")


def _set_aside(db: sqlite3.Connection, table: str, row: Row, reason: str, recovered: Recovered) -> None:
    content = json.dumps(describe(row))
    db.execute("INSERT INTO set_aside VALUES (?, ?, ?, ?)", [table, content, f"recovery: {reason}", catalogue.now()])
    recovered.n_set_aside += 1


def _replace(path: Path, new: Path, image: bytes) -> None:
    """Put a new catalogue in the place of the damaged one.

    First the damaged file gets the changes of its log, so that the log can go: at no moment is there a log beside a
    file that it does not belong to.
    """
    whole = new.with_name(f"{new.name}.old")
    with open(whole, "wb") as file:
        file.write(image)
        file.flush()
        os.fsync(file.fileno())
    shutil.copymode(path, whole)
    shutil.copymode(path, new)
    os.replace(whole, path)
    sync_folder(path.parent)
    for log in log_of(path):
        log.unlink(missing_ok=True)
    sync_folder(path.parent)
    os.replace(new, path)
    sync_folder(path.parent)


def _move_unreferenced(folder: Path, path: Path) -> None:
    """Move arrays that no row refers to any more to the quarantine: their rows may be lost."""
    with closing(connect(path, "rw")) as db:
        used = catalogue.files_in_use(db)
    quarantine = folder / array_files.QUARANTINE
    for file in _names(folder / array_files.FOLDER):
        if file not in used and not file.endswith(array_files.TEMPORARY):
            os.replace(folder / array_files.FOLDER / file, quarantine / file)


def _names(folder: Path) -> Iterable[str]:
    return sorted(entry.name for entry in os.scandir(folder)) if folder.is_dir() else []


def _count(n: int, one: str, many: str | None = None) -> str:
    return f"{n} {one if n == 1 else many or one + 's'}"
