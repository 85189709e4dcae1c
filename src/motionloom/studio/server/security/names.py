"""Names of files that may be used: nothing outside a folder can be reached by any of them."""

import re
from pathlib import Path, PurePosixPath

from motionloom import formats
from motionloom.errors import BadInput

EXTENSIONS = tuple(sorted({*formats.READABLE, ".asf"}))  # of files that can be brought in


def safe_child(folder: Path, name: str) -> Path:
    """The path of a name below a folder; a name that leads anywhere else is refused.

    Names have `/` between folders, on every system. What Windows understands in its own way is refused everywhere, so
    that a corpus can be carried from one computer to another.
    """
    parts = name.split("/")
    if not name or any(not _is_plain(part) for part in parts):
        raise BadInput(f"{_shown(name)} cannot be used as a name of a file")
    path = folder.joinpath(*parts)
    try:
        is_inside = path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):  # links in a circle
        is_inside = False
    if not is_inside:
        raise BadInput(f"{_shown(name)} leads out of {folder.name}")
    return path


def check_extension(name: str) -> str:
    """The extension of a file to be brought in; raises where it is none of those that can be read."""
    extension = PurePosixPath(name.replace("\\", "/")).suffix.lower()
    if extension not in EXTENSIONS:
        raise BadInput(f"{_shown(name)} is no recording that can be read; bring {', '.join(EXTENSIONS)}")
    return extension


_DEVICES = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])", re.IGNORECASE)
_FORBIDDEN = re.compile(r'[\x00-\x1f\x7f\\:*?"<>|\ud800-\udfff]')


def _is_plain(part: str) -> bool:
    """Whether one part of a path means the same everywhere."""
    if part in ("", ".", "..") or part[-1] in ". " or part[0] == " " or _FORBIDDEN.search(part):
        return False
    return not _DEVICES.fullmatch(part.split(".")[0].rstrip()) and len(part.encode()) <= 255


def _shown(name: str) -> str:
    return ascii(name if len(name) <= 60 else name[:57] + "...")
