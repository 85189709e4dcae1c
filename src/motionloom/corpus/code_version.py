"""Which code made something: a digest of the sources, so that a change of code is noticed without anybody's help."""

import hashlib
from functools import cache
from pathlib import Path

from motionloom import __version__

_PACKAGE = Path(__file__).resolve().parents[1]


@cache
def code_version(*rooms: str) -> str:
    """The package's version and a digest of the sources of some rooms or files: "0.1.0+3f2a9c41d0b7"."""
    h = hashlib.sha256()
    for room in rooms:
        place = _PACKAGE / room
        paths = [place] if place.is_file() else sorted(place.rglob("*.py"))
        if not paths:
            raise ValueError(f"{place} is nowhere, so its code decides nothing")
        for path in paths:
            h.update(path.relative_to(_PACKAGE).as_posix().encode())
            h.update(path.read_bytes())
    return f"{__version__}+{h.hexdigest()[:12]}"
