"""Files of a corpus that are neither catalogue nor arrays: documents of the studio, quarantine; copied for a backup."""

import mmap
import os
import stat
from collections.abc import Set
from pathlib import Path
from typing import BinaryIO

from motionloom.corpus.store.array_files import PART
from motionloom.formats.atomic_write import sync_folder

TURNS = 20  # of copying what changed meanwhile

Files = dict[Path, tuple[int, int, int]]  # inode, size and time of change by path below the corpus


def copy_other_files(folder: Path, target: Path, without: Set[str]) -> list[tuple[str, str]]:
    """Copy all files but some; again those that changed meanwhile, until nothing has.

    Args:
        folder: of the corpus.
        target: folder of the copy.
        without: names in the folder that are left out.

    Returns:
        The files that could not be copied, with the reason.
    """
    copied: Files = {}
    refused: dict[str, str] = {}
    for _ in range(TURNS):
        found = _list_files(folder, without, refused)
        if found == copied:
            break
        for gone in set(copied) - set(found):
            (target / gone).unlink(missing_ok=True)
        for path in found:
            if copied.get(path) != found[path]:
                _copy(folder, target, path, refused)
        copied = found
    else:
        refused["documents"] = "kept changing while they were copied; they may be of different moments"
    for place in {target / path.parent for path in copied}:
        sync_folder(place)
    return sorted(refused.items())


def copy_file(source: Path, target: Path, *, instead: mmap.mmap | None = None) -> None:
    """Copy a file with its permissions and sync it; `instead` is its content if it is deleted meanwhile."""
    with open(target, "wb") as written:
        mode = 0o644
        try:
            with open(source, "rb") as read:
                mode = stat.S_IMODE(os.fstat(read.fileno()).st_mode)
                while part := read.read(PART):
                    written.write(part)
        except FileNotFoundError:
            if instead is None:
                raise
            written.write(instead)
        _finish(written, mode)


def _finish(written: BinaryIO, mode: int) -> None:
    written.flush()
    os.fchmod(written.fileno(), mode | stat.S_IWUSR | stat.S_IRUSR)
    os.fsync(written.fileno())


def _list_files(folder: Path, without: Set[str], refused: dict[str, str]) -> Files:
    found: Files = {}
    for place, folders, names in os.walk(folder):
        here = Path(place).relative_to(folder)
        if place == str(folder):
            folders[:] = [name for name in folders if name not in without]
            names = [name for name in names if name not in without]
        for name in folders:
            if (folder / here / name).is_symlink():
                refused[(here / name).as_posix()] = "is a link to a folder and is not in the backup"
        for name in names:
            try:
                status = (folder / here / name).stat()
            except OSError:  # deleted since, or a link to nothing
                continue
            if stat.S_ISREG(status.st_mode):
                found[here / name] = (status.st_ino, status.st_size, status.st_mtime_ns)
    return found


def _copy(folder: Path, target: Path, path: Path, refused: dict[str, str]) -> None:
    (target / path).parent.mkdir(parents=True, exist_ok=True)
    try:
        copy_file(folder / path, target / path)
    except (FileNotFoundError, PermissionError) as error:
        (target / path).unlink(missing_ok=True)
        if isinstance(error, PermissionError):  # else it was deleted or renamed since, and is listed again
            refused[path.as_posix()] = f"cannot be read now ({error.strerror}) and is not in the backup"
