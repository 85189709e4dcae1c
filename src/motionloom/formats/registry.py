"""The registry of formats by file extension."""

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType

from motionloom.body import NeutralPose
from motionloom.errors import BadInput
from motionloom.formats.freed_pages import keep_freed_pages
from motionloom.formats.options import ReadOptions
from motionloom.formats.take import Source, Take
from motionloom.motion import Curves, Footing, Motion, PointMotion

# modules are imported when they are needed
READABLE: Mapping[str, str] = {
    ".bvh": "bvh",
    ".amc": "asfamc",
    ".npz": "npz",
    ".c3d": "point_files",
    ".trc": "point_files",
    ".csv": "point_files",
}
WRITABLE: Mapping[str, str] = {".bvh": "bvh", ".glb": "glb", ".npz": "npz", ".csv": "marker_csv", ".c3d": "c3d"}
FOR_BODIES = (".bvh", ".glb", ".npz")  # of those
FOR_POINTS = (".csv", ".c3d", ".glb", ".npz")
TABLES = (".csv",)  # endings of files that may be anything: those in folders are recordings if they look like one


def read(path: str | Path, options: ReadOptions | None = None) -> Take:
    """Read a take with the reader of the file's extension."""
    keep_freed_pages()
    reader: Callable[..., Take] = _module(READABLE, path, "read").read
    return reader(path, options or ReadOptions())


def looks_readable(path: str | Path) -> bool:
    """Whether a file is one that `read` is for: by its extension, and a table also by what is in it."""
    extension = Path(path).suffix.lower()
    if extension not in TABLES:
        return extension in READABLE
    from motionloom.formats.point_files import is_point_table

    return is_point_table(Path(path))


def holds_curves(path: str | Path) -> bool:
    """Whether a file holds no motion but curves that were recorded beside one: a table of Live Link Face."""
    from motionloom.formats import live_link

    return live_link.is_file(Path(path))


def read_curves(path: str | Path) -> Curves:
    """Read a table of Live Link Face."""
    from motionloom.formats import live_link

    return live_link.read(path)


def write_curves(path: str | Path, curves: Curves) -> None:
    """Write curves as a table of Live Link Face (.csv)."""
    from motionloom.formats import live_link

    if Path(path).suffix.lower() != ".csv":
        raise BadInput(f"{path}: curves are written as .csv")
    live_link.write(path, curves)


def read_skeleton(path: str | Path, options: ReadOptions | None = None) -> Take:
    """Read a file for its skeleton: any that `read` takes, or an .asf alone, which has one frame at rest."""
    if Path(path).suffix.lower() != ".asf":
        return read(path, options)
    from motionloom.formats import asfamc

    return asfamc.read_skeleton(path, options)


def write(
    path: str | Path,
    motion: Motion | PointMotion,
    source: Source | None = None,
    *,
    name: str | None = None,
    footing: Footing | None = None,
    neutral: NeutralPose | None = None,
    curves: Curves | None = None,
) -> None:
    """Write a motion with the writer of the file's extension.

    Args:
        path: of the file; an existing one is replaced.
        motion: to write.
        source: of the motion: its units, axes and rotation orders are restored if the format has them.
        name: of the motion inside a .glb file; None for the stem of the path. Other formats hold no name.
        footing: what feet stand on besides the floor: a .glb file shows it. Other formats hold motions alone.
        neutral: neutral pose of the body in a .glb file; None to learn it from the motion. Other formats hold no body.
        curves: that were recorded beside the motion: an .npz file keeps them. Other formats hold motions alone.
    """
    extension = Path(path).suffix.lower()
    module = _module(WRITABLE, path, "write")
    if extension == ".glb":
        module.write(path, motion, name=name, footing=footing, neutral=neutral)
    elif extension == ".npz":
        module.write(path, motion, source, name=name, curves=curves)
    else:
        module.write(path, motion, source, name=name)


def _module(table: Mapping[str, str], path: str | Path, verb: str) -> ModuleType:
    extension = Path(path).suffix.lower()
    if extension not in table:
        raise BadInput(
            f"{path}: '{extension or 'no extension'}' cannot be {_PARTICIPLE[verb]}; the extensions are "
            f"{', '.join(table)}"
        )
    return import_module(f"motionloom.formats.{table[extension]}")


_PARTICIPLE = {"read": "read", "write": "written"}
