"""Files of points: C3D, TRC and marker tables, told apart by what is in them and not by their names."""

from pathlib import Path

from motionloom.errors import FormatError
from motionloom.formats import c3d, marker_csv, text, trc
from motionloom.formats.options import ReadOptions
from motionloom.formats.take import Take

_BEGINNING = 65_536  # bytes in which a table says what it is
_WORD = 20  # characters
_NOT_POINTS = (("HIERARCHY", "BVH", ".bvh"), (":VERSION", "ASF", ".asf"), (":FULLY-SPECIFIED", "AMC", ".amc"))


def read(path: str | Path, options: ReadOptions | None = None) -> Take:
    """Read a file of points, whatever its extension says it is."""
    content = text.read_bytes(path)
    options = options or ReadOptions()
    if c3d.is_c3d(content):
        return c3d.read(path, content, options)
    if Path(path).suffix.lower() == ".c3d":
        raise FormatError(path, c3d.describe_other(content))
    table = text.to_text_bytes(path, content)
    first = next(line for _, line in text.iterate_lines(table) if line.strip()).strip()
    for word, name, extension in _NOT_POINTS:
        if first[:_WORD].upper().startswith(word):
            raise FormatError(path, f"this is a {name} file. Please rename it so that it ends in {extension}.")
    reader = trc if trc.is_trc(first) else marker_csv
    return reader.read(path, content, table, options)


def is_point_table(path: Path) -> bool:
    """Whether a file is a table of points or curves rather than any other: files of this ending can be anything."""
    with path.open("rb") as file:
        beginning = file.read(_BEGINNING)
    if c3d.is_c3d(beginning):
        return True
    if beginning.startswith((b"\xff\xfe", b"\xfe\xff")):
        beginning = beginning[: len(beginning) // 2 * 2].decode("utf-16", "replace").encode()
    lines = text.split_lines(beginning.removeprefix(b"\xef\xbb\xbf"))
    first = next((line for line in lines if line.strip()), "").strip()
    return trc.is_trc(first) or marker_csv.is_header(first)
