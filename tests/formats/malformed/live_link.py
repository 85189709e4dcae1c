"""Malformed files of Live Link Face."""

from tests.formats.live_link_files import live_link_file
from tests.formats.malformed.malformed_file import Malformed, swap

NAMES = ("EyeBlinkLeft", "JawOpen")


def small(n_rows: int = 3) -> str:
    """The text of a file of two curves."""
    return live_link_file(n_rows, names=NAMES).decode()


def with_rows(*rows: str) -> bytes:
    """A file with these rows below its names."""
    return "\n".join([small().split("\n")[0], *rows, ""]).encode()


MALFORMED = [
    Malformed("face_empty.csv", lambda: b"", {}, ": the file is empty. Was it copied completely?"),
    Malformed(
        "face_points.csv",
        lambda: b"C7.x,C7.y,C7.z\n1,2,3\n",
        {},
        " line 1: 'C7.x,C7.y' where Timecode,BlendShapeCount and the names of curves were expected.",
    ),
    Malformed(
        "face_header_only.csv",
        lambda: with_rows(),
        {},
        ": no rows below the names of the curves. Is the file cut off?",
    ),
    Malformed(
        "face_no_names.csv",
        lambda: b"Timecode,BlendShapeCount\n16:55:51:38.453,0\n",
        {},
        " line 1: no names of curves. Is the file cut off?",
    ),
    Malformed(
        "face_twice.csv",
        lambda: swap(small(), "JawOpen", "EyeBlinkLeft"),
        {},
        " line 1: the curve 'EyeBlinkLeft' twice. Please rename one of them.",
    ),
    Malformed(
        "face_cut_off.csv",
        lambda: small().encode()[:-16],
        {},
        " line 4: 1 values, expected 2. Is the file cut off or damaged?",
    ),
    Malformed(
        "face_count.csv",
        lambda: with_rows("16:55:51:38.453,61,0.1,0.2"),
        {},
        " line 2: '61' values are stated for 2 curves.",
    ),
    Malformed(
        "face_word.csv",
        lambda: with_rows("16:55:51:38.453,2,0.1,open"),
        {},
        " line 2: 'open' is not a valid number, expected a finite decimal. Is the file damaged here?",
    ),
    Malformed(
        "face_timecode.csv",
        lambda: with_rows("16:75:51:38.453,2,0.1,0.2"),
        {},
        " line 2: '16:75:51:38.453' is not a timecode such as 16:55:51:38.453. Is the file damaged here?",
    ),
    Malformed(
        "face_back.csv",
        lambda: with_rows("16:55:51:38.4,2,0.1,0.2", "16:55:51:36.4,2,0.1,0.2"),
        {},
        ": the timecode of row 2 is before that of the row above it. Please put the rows in order.",
    ),
    Malformed(
        "face_untracked.csv",
        lambda: with_rows("16:55:51:38.453,0,,", "16:55:51:40.453,0,,"),
        {},
        ": no row has values. Is it the right file?",
    ),
    Malformed(
        "face_frames.csv",
        lambda: swap(live_link_file(90, names=NAMES, step=1.0, timecode_fps=25).decode(), ":52:24.453", ":52:99.453"),
        {},
        ": the timecode 16:55:52:99.453 has more frames than its second, 25. Is it damaged?",
    ),
]
