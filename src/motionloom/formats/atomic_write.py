"""Writing files whole or not at all."""

import contextlib
import os
from pathlib import Path

from motionloom.errors import BadInput


def replace_file(path: str | Path, content: bytes) -> None:
    """Put content at a path in one step, so that no reader ever sees half a file."""
    path = Path(path)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        temporary.write_bytes(content)
        os.replace(temporary, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise BadInput(
            f"{path} cannot be written ({error.strerror or error}); is the folder there, and may you write to it?"
        ) from None
