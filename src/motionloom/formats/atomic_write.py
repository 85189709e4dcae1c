"""Atomic writing of files."""

import contextlib
import os
from pathlib import Path

from motionloom.errors import BadInput


def replace_file(path: str | Path, content: bytes) -> None:
    """Write a file atomically: to a temporary name, then renamed."""
    path = Path(path)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        temporary.write_bytes(content)
        os.replace(temporary, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise BadInput(
            f"{path} cannot be written ({error.strerror or error}); does the folder exist, and is it writable?"
        ) from None
