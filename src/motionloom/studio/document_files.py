"""The files of documents on disk: several are replaced as one step, and nothing that a person wrote is lost.

A step is first written as a journal, one file with everything that it changes: when that has its name the step is done,
whatever happens to the process. Then the files are replaced and the journal is removed; who finds one finishes
the step (`recover`), or, where nothing may be written, reads the files as they will be (`read_files`).
"""

import contextlib
import hashlib
import json
import logging
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from motionloom.errors import BadInput, MotionloomError
from motionloom.formats.atomic_write import TEMPORARY, replace_file, sync_folder

MAIN, REQUEST, GRAPH, HISTORY = ".yaml", ".request.yaml", ".graph.yaml", ".history.json"
BUILDUP, DIRECT = ".buildup.yaml", ".dynamics.yaml"
EXTENSIONS = (MAIN, REQUEST, GRAPH, BUILDUP, DIRECT, HISTORY)  # of the files of a document

JOURNAL = ".documents.journal"
KIND = "motionloom studio journal, version 1"
STABLE_READS = 20  # tries to read files that another process does not change meanwhile
MISSING, NOT_READABLE = "", "not readable"  # instead of digests
log = logging.getLogger("motionloom.studio")

Content = bytes | OSError | None  # of a file, why it cannot be read, or None if there is none


@dataclass(frozen=True)
class Change:
    """What a step makes of one file."""

    file: str
    before: str  # digest of what it replaces
    after: bytes | None  # None: the file is removed


def digest(content: Content) -> str:
    """What tells two contents of a file apart; `MISSING` where there is none."""
    if content is None:
        return MISSING
    return NOT_READABLE if isinstance(content, OSError) else hashlib.sha256(content).hexdigest()


def read_files(folder: Path, files: Iterable[str]) -> dict[str, Content]:
    """Files as they were at one moment between two steps, also where another process writes or was killed."""
    files = list(files)
    found = _read_once(folder, files)
    for _ in range(STABLE_READS):
        before, found = found, _read_once(folder, files)
        if all(digest(before[file]) == digest(found[file]) for file in files):
            break
    return found


def list_files(folder: Path) -> dict[str, int]:
    """The files of documents that there are, and when each was written (nanoseconds)."""
    found = {}
    with contextlib.suppress(FileNotFoundError), os.scandir(folder) as entries:
        for entry in entries:
            with contextlib.suppress(FileNotFoundError):  # another process renames it
                if _is_file_of_a_document(entry.name):
                    found[entry.name] = entry.stat().st_mtime_ns
    with contextlib.suppress(FileNotFoundError):
        written = (folder / JOURNAL).stat().st_mtime_ns
        for file, content in _read_ahead(folder).items():
            found.pop(file, None)
            if content is not None:
                found[file] = written
    return found


def replace_files(folder: Path, contents: Mapping[str, bytes | None]) -> None:
    """Replace files, or remove those that are None, as one step: all of it is done or nothing, and synced."""
    recover(folder)
    for file in contents:
        if isinstance(_read(folder / file), OSError):
            keep_aside(folder, file, "unreadable")
    changes = [Change(file, digest(_read(folder / file)), content) for file, content in contents.items()]
    changes = [change for change in changes if change.before != digest(change.after)]
    if not changes:
        return
    try:
        replace_file(folder / JOURNAL, _pack(changes))  # from here on it is done
    except BadInput as error:
        raise BadInput(str(error).replace(f"{folder}{os.sep}", "")) from None
    try:
        _finish(folder, changes)
    except (OSError, MotionloomError) as error:
        log.warning("a step is in %s and not in its files yet (%s)", JOURNAL, error)


def recover(folder: Path) -> list[str]:
    """Finish a step that was cut off; the names under which files were kept that a person has changed since."""
    try:
        changes = _read_journal(folder)
    except BadInput as error:
        kept = keep_aside(folder, JOURNAL, "unreadable")
        (folder / JOURNAL).unlink(missing_ok=True)
        log.warning("%s; it is kept as %s", error, kept)
        return []
    return _finish(folder, changes) if changes else []


def remove_leftovers(folder: Path) -> None:
    """Remove temporary files of processes that were killed; only for who holds the write lock."""
    for path in folder.iterdir():
        if TEMPORARY.fullmatch(path.name):
            path.unlink(missing_ok=True)


def keep_aside(folder: Path, file: str, why: str, *, may_move: bool = True) -> str:
    """Keep a copy of a file under a name that nothing else has: FILE.WHY-1, FILE.WHY-2 ...; returns the name.

    Where the same content is kept already, that is its name. What cannot be copied, because this process may not read
    it, is moved there if it may be moved.
    """
    content = _read(folder / file)
    if isinstance(content, OSError) and not may_move:
        raise BadInput("it is moved aside when something is saved in its place")
    number = 1
    while os.path.lexists(aside := folder / f"{file}.{why}-{number}"):
        if isinstance(content, bytes) and digest(_read(aside)) == digest(content):
            return aside.name
        number += 1
    try:
        if isinstance(content, bytes):
            replace_file(aside, content)
        elif content is not None:
            (folder / file).rename(aside)
    except (OSError, BadInput) as error:
        raise BadInput(f"{file} could not be kept aside, so it was not replaced ({error})") from None
    return aside.name


def _finish(folder: Path, changes: list[Change]) -> list[str]:
    kept = []
    for change in changes:
        found = digest(_read(folder / change.file))
        if found == digest(change.after):
            continue
        if found not in (change.before, MISSING) or found == NOT_READABLE:
            kept.append(keep_aside(folder, change.file, "edited"))
        if change.after is None:
            (folder / change.file).unlink(missing_ok=True)
        else:
            replace_file(folder / change.file, change.after)
    sync_folder(folder)
    (folder / JOURNAL).unlink(missing_ok=True)
    sync_folder(folder)
    return kept


def _read_once(folder: Path, files: list[str]) -> dict[str, Content]:
    ahead = _read_ahead(folder)
    return {file: ahead[file] if file in ahead else _read(folder / file) for file in files}


def _read_ahead(folder: Path) -> dict[str, bytes | None]:
    """What files will hold when a step that was cut off is finished."""
    try:
        return {change.file: change.after for change in _read_journal(folder)}
    except BadInput:
        return {}


def _read(path: Path) -> Content:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        return error


def _pack(changes: list[Change]) -> bytes:
    """The journal of a step; bytes that are no text come back as they were."""
    data = [
        {
            "file": change.file,
            "before": change.before,
            "after": None if change.after is None else change.after.decode("utf-8", "surrogateescape"),
        }
        for change in changes
    ]
    return json.dumps({"motionloom": KIND, "changes": data}).encode()


def _read_journal(folder: Path) -> list[Change]:
    """The step that was not finished; raises `BadInput` if its journal cannot be read."""
    content = _read(folder / JOURNAL)
    if content is None:
        return []
    try:
        if isinstance(content, OSError):
            raise content
        data = json.loads(content)
        if data["motionloom"] != KIND:
            raise ValueError(f"it is a {data['motionloom']!r}")
        changes = [
            Change(
                change["file"],
                change["before"],
                None if change["after"] is None else change["after"].encode("utf-8", "surrogateescape"),
            )
            for change in data["changes"]
        ]
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise BadInput(f"{JOURNAL} cannot be read ({error})") from None
    strangers = [change.file for change in changes if not _is_file_of_a_document(change.file)]
    if strangers:
        raise BadInput(f"{JOURNAL} names {strangers[0]!r}, which is no file of a document")
    return changes


def _is_file_of_a_document(file: str) -> bool:
    return file.endswith(EXTENSIONS) and not file.startswith(".") and Path(file).name == file
