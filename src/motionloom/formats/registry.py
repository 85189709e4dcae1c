"""Which ending is read and written by which format."""

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType

from motionloom.errors import BadInput
from motionloom.formats.options import ReadOptions
from motionloom.formats.take import Source, Take
from motionloom.motion import Motion, PointMotion

# modules are imported when a file of their kind comes along
READABLE: Mapping[str, str] = {".bvh": "bvh", ".amc": "asfamc", ".npz": "npz"}
WRITABLE: Mapping[str, str] = {".bvh": "bvh", ".glb": "glb", ".npz": "npz"}


def read(path: str | Path, options: ReadOptions | None = None) -> Take:
    """Read a take with the reader that the file's ending names."""
    reader: Callable[..., Take] = _module(READABLE, path, "read").read
    return reader(path, options or ReadOptions())


def write(
    path: str | Path, motion: Motion | PointMotion, source: Source | None = None, *, name: str | None = None
) -> None:
    """Write a motion with the writer that the file's ending names.

    Args:
        path: where to; a file that is there is replaced.
        motion: what to write.
        source: what the motion's file was like: units, axes and rotation orders are restored where the format has them.
        name: how the motion is called inside the file, where the format has names; else the stem of the path.
    """
    ending = Path(path).suffix.lower()
    module = _module(WRITABLE, path, "write")
    if ending == ".glb":
        module.write(path, motion, name=name)
    else:
        module.write(path, motion, source, name=name)


def _module(table: Mapping[str, str], path: str | Path, verb: str) -> ModuleType:
    ending = Path(path).suffix.lower()
    if ending not in table:
        raise BadInput(
            f"{path}: '{ending or 'no ending'}' cannot be {_PARTICIPLE[verb]}; the endings are {', '.join(table)}"
        )
    return import_module(f"motionloom.formats.{table[ending]}")


_PARTICIPLE = {"read": "read", "write": "written"}
