"""Malformed files, each with the exact sentence it gets. `python tests/formats/test_malformed.py` prints the table."""

import io
import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from motionloom import formats
from motionloom.errors import FormatError

WHOLE = Path(__file__).parent / "whole"  # what the malformed ones are made from
BVH, ASF, AMC = ((WHOLE / f"small.{extension}").read_text() for extension in ("bvh", "asf", "amc"))


def _swap(text: str, old: str, new: str, count: int = 1) -> bytes:
    assert old in text
    return text.replace(old, new, count).encode()


def _npz(about: dict[str, object] | None = None, **arrays: np.ndarray) -> bytes:
    packed = io.BytesIO()
    if about is not None:
        arrays["about"] = np.frombuffer(json.dumps(about).encode(), np.uint8)
    np.savez(packed, **arrays)
    return packed.getvalue()


def _body(**changes: np.ndarray) -> bytes:
    arrays = {
        "parents": np.array([-1, 0]),
        "offsets": np.zeros((2, 3)),
        "end_parents": np.zeros(0, int),
        "end_offsets": np.zeros((0, 3)),
        "root_positions": np.zeros((4, 3)),
        "local_rotations": np.tile([1.0, 0, 0, 0], (4, 2, 1)),
    } | changes
    about = {
        "format": "motionloom",
        "version": 1,
        "kind": "body",
        "fps": 60,
        "names": ["a", "b"],
        "roles": {},
        "skeleton": "s",
    }
    return _npz(about, **arrays)


def _repack(content: bytes) -> bytes:
    packed = io.BytesIO()
    with np.load(io.BytesIO(content)) as archive:
        np.savez_compressed(packed, **archive)
    return packed.getvalue()


def _many_frames() -> bytes:
    joints = "JOINT j\n{\nOFFSET 0 1 0\nCHANNELS 0\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n"
    frames = "MOTION\nFrames: 300\nFrame Time: 0.01\n" + "0\n" * 300
    return f"HIERARCHY\nROOT r\n{{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n{joints * 9000}}}\n{frames}".encode()


def _many_joints() -> bytes:
    joints = "".join(f"JOINT j{i}\n{{\nOFFSET 0 1 0\nCHANNELS 1 Xrotation\n" for i in range(10_001))
    return f"HIERARCHY\nROOT r\n{{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n{joints}".encode()


# name of the file, its content, other files beside it, and what the message says after the name of the file at fault
Files = dict[str, bytes]
MALFORMED: list[tuple[str, Callable[[], bytes], Files, str]] = [
    ("empty.bvh", lambda: b"", {}, ": the file is empty. Was it copied completely?"),
    (
        "binary.bvh",
        lambda: b"HIER\0\1\2\xff",
        {},
        " line 1: byte 4 is zero, so this is not a text file. Is it the right file?",
    ),
    (
        "picture.bvh",
        lambda: b"\x89PNG\r\n\x1a\n rest of a picture",
        {},
        " line 1: '\x89PNG' where HIERARCHY was expected. Is this a BVH file?".replace("\x89", "?"),
    ),
    (
        "other_text.bvh",
        lambda: b"take,label,start,stop\na,walk,0,10\n",
        {},
        " line 1: 'take,label,start,stop' where HIERARCHY was expected. Is this a BVH file?",
    ),
    (
        "no_root.bvh",
        lambda: b"HIERARCHY\nMOTION\nFrames: 1\nFrame Time: 0.01\n0\n",
        {},
        " line 1: no ROOT in the hierarchy. Is the file complete?",
    ),
    (
        "two_roots.bvh",
        lambda: _swap(BVH, "MOTION", "ROOT Other\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\nMOTION"),
        {},
        " line 16: a second ROOT 'Other' after 'Hips', but only one skeleton can be read. "
        "Please split the file into one per skeleton.",
    ),
    (
        "open_brace.bvh",
        lambda: _swap(BVH, "  }\n}\nMOTION", "  }\nMOTION"),
        {},
        " line 14: 1 brace is not closed where the hierarchy ends ('Hips' of line 2). Is the file cut off?",
    ),
    (
        "extra_brace.bvh",
        lambda: _swap(BVH, "}\nMOTION", "}\n}\nMOTION"),
        {},
        " line 16: '}' without a matching '{'. Please check the braces.",
    ),
    (
        "no_brace.bvh",
        lambda: _swap(BVH, "  JOINT Chest\n  {\n", "  JOINT Chest\n"),
        {},
        " line 7: 'OFFSET 0 20 0' where '{' was expected. Please check the braces.",
    ),
    (
        "no_offset.bvh",
        lambda: _swap(BVH, "    OFFSET 0 20 0\n", ""),
        {},
        " line 13: joint 'Chest' has no OFFSET, expected 'OFFSET x y z'. Please add it.",
    ),
    (
        "short_offset.bvh",
        lambda: _swap(BVH, "OFFSET 0 20 0", "OFFSET 0 20"),
        {},
        " line 8: OFFSET with 2 numbers, expected 3. Please correct this line.",
    ),
    (
        "word_in_offset.bvh",
        lambda: _swap(BVH, "OFFSET 0 20 0", "OFFSET 0 2O 0"),
        {},
        " line 8: '2O' is not a number, expected a number of an OFFSET. Please correct this line.",
    ),
    (
        "channel_count.bvh",
        lambda: _swap(BVH, "CHANNELS 3", "CHANNELS 4"),
        {},
        " line 9: CHANNELS states 4 but lists 3: Zrotation Yrotation Xrotation. Please correct this line.",
    ),
    (
        "channel_name.bvh",
        lambda: _swap(BVH, "Yrotation Xrotation\n    End", "Wrotation Xrotation\n    End"),
        {},
        " line 9: no channel 'Wrotation'; the channels are Xposition, Yposition, Zposition, Xrotation, "
        "Yrotation and Zrotation. Please correct this line.",
    ),
    (
        "unknown_word.bvh",
        lambda: _swap(BVH, "    OFFSET 0 20 0", "    SCALE 2\n    OFFSET 0 20 0"),
        {},
        " line 8: 'SCALE 2' is unknown, expected ROOT, JOINT, End Site, OFFSET, CHANNELS or MOTION. "
        "Please correct this line.",
    ),
    (
        "many_joints.bvh",
        _many_joints,
        {},
        " line 40002: more than 10000 joints. Is this a motion of one person?",
    ),
    (
        "no_motion.bvh",
        lambda: BVH.split("MOTION")[0].encode(),
        {},
        " line 16: no line MOTION after the hierarchy. Is the file cut off?",
    ),
    (
        "cut_in_hierarchy.bvh",
        lambda: BVH[:150].encode(),
        {},
        " line 9: 2 braces are not closed where the hierarchy ends ('Hips' of line 2, 'Chest' of line 6). "
        "Is the file cut off?",
    ),
    (
        "no_frames.bvh",
        lambda: _swap(BVH, "Frames: 2\n", ""),
        {},
        " line 17: no 'Frames:' after MOTION. Is the file cut off?",
    ),
    (
        "zero_frames.bvh",
        lambda: _swap(BVH, "Frames: 2", "Frames: 0"),
        {},
        " line 17: 'Frames: 0', expected a whole number above 0. Is the file cut off?",
    ),
    (
        "negative_frame_time.bvh",
        lambda: _swap(BVH, "0.01", "-0.01"),
        {},
        " line 18: 'Frame Time: -0.01', expected seconds above 0. Please correct it or give --fps.",
    ),
    (
        "no_frame_time.bvh",
        lambda: _swap(BVH, "Frame Time: 0.01\n", ""),
        {},
        " line 18: no 'Frame Time:' after 'Frames:'. Please add it, such as 'Frame Time: 0.0083333'.",
    ),
    (
        "cut_off.bvh",
        lambda: BVH[:-8].encode(),
        {},
        " line 20: 5 values, expected 9 (2 joints). Is the file cut off or damaged?",
    ),
    (
        "missing_frames.bvh",
        lambda: _swap(BVH, "Frames: 2", "Frames: 200000000"),
        {},
        " line 20: 2 frames of numbers, but 'Frames:' states 200000000. Is the file cut off?",
    ),
    (
        "long_line.bvh",
        lambda: _swap(BVH, "0 90 0 0", "0 90 0 0 0"),
        {},
        " line 19: 10 values, expected 9 (2 joints). Is the file cut off or damaged?",
    ),
    (
        "word_in_numbers.bvh",
        lambda: _swap(BVH, "0 91 0", "0 ninety 0"),
        {},
        " line 20: 'ninety' is not a valid number, expected a finite decimal. Is the file damaged here?",
    ),
    (
        "comma_decimals.bvh",
        lambda: _swap(BVH, "0 91 0", "0 91,5 0"),
        {},
        " line 20: '91,5' is not a valid number, expected a finite decimal. Is the file damaged here?",
    ),
    (
        "nan.bvh",
        lambda: _swap(BVH, "0 91 0", "0 nan 0"),
        {},
        " line 20: 'nan' is not a valid number, expected a finite decimal. Is the file damaged here?",
    ),
    (
        "too_large.bvh",
        lambda: _swap(BVH, "0 91 0", "0 1e999 0"),
        {},
        " line 20: '1e999' is not a valid number, expected a finite decimal. Is the file damaged here?",
    ),
    (
        "too_fast.bvh",
        lambda: _swap(BVH, "0.01", "1e-6"),
        {},
        " line 18: 'Frame Time: 1e-6', expected 0.0001 to 10 seconds. Please correct it or give --fps.",
    ),
    (
        "giant.bvh",
        lambda: _swap(BVH, "OFFSET 0 20 0", "OFFSET 0 1e38 0"),
        {},
        ": a bone is longer than 100000 m (is the unit right?). Please correct the file, or give its unit or rate.",
    ),
    (
        "many_channels.bvh",
        lambda: _swap(BVH, "CHANNELS 3 Zrotation", "CHANNELS 30" + " Zrotation" * 28),
        {},
        " line 9: 30 CHANNELS; a joint has at most 24.",
    ),
    (
        "long_name.bvh",
        lambda: _swap(BVH, "JOINT Chest", "JOINT " + "Chest" * 300),
        {},
        " line 6: a name of 1500 characters; at most 1000 are read.",
    ),
    (
        "wide.bvh",
        _many_frames,
        {},
        ": 300 frames of 9001 joints in 0.6 MB, of which at most 277 frames are read. Is it a real recording?",
    ),
    (
        "07_01.amc",
        lambda: AMC.encode(),
        {},
        ": no skeleton '07.asf' beside it (no .asf is there). Please put it there or give its path.",
    ),
    (
        "unknown_bone.amc",
        lambda: _swap(AMC, "head 4", "tail 4"),
        {"a.asf": ASF.encode()},
        " line 10: no bone 'tail' in the skeleton; its bones are root, back, head. Is it the right .asf?",
    ),
    (
        "dof_mismatch.amc",
        lambda: _swap(AMC, "back 2 3", "back 2 3 4"),
        {"a.asf": ASF.encode()},
        " line 9: 3 values for 'back', expected 2. Is the file cut off, or the .asf wrong?",
    ),
    (
        "missing_bone.amc",
        lambda: _swap(AMC, "back 2 3\n", ""),
        {"a.asf": ASF.encode()},
        " line 7: the frame that starts here has no bone 'back'. Is the file cut off?",
    ),
    (
        "twice.amc",
        lambda: _swap(AMC, "2\nroot", "root"),
        {"a.asf": ASF.encode()},
        " line 7: 'root' twice in one frame. Is a frame number missing?",
    ),
    (
        "word.amc",
        lambda: _swap(AMC, "back 1 2", "back 1 two"),
        {"a.asf": ASF.encode()},
        " line 5: 'two' is not a number, expected an angle of 'back'. Please correct this line.",
    ),
    (
        "header_only.amc",
        lambda: b":DEGREES\n",
        {"a.asf": ASF.encode()},
        ": no frames. Is the file cut off?",
    ),
    (
        "bones_first.amc",
        lambda: b":DEGREES\nroot 0 0 0 0 0 0\n",
        {"a.asf": ASF.encode()},
        " line 2: 'root 0 0 0 0 0 0' before the first frame number. Is this an AMC file?",
    ),
    (
        "asf_cut_off.amc",
        lambda: AMC.encode(),
        {"a.asf": ASF[: ASF.index("    axis 0 0 0 XYZ\n    dof rx\n")].encode()},
        ": no section ':hierarchy'. Is this a complete ASF file?",
    ),
    (
        "asf_unknown_bone.amc",
        lambda: AMC.encode(),
        {"a.asf": _swap(ASF, "back head", "back hat")},
        " line 34: no bone 'hat'; the bones are root, back, head. Please correct this line.",
    ),
    (
        "asf_lost_bone.amc",
        lambda: AMC.encode(),
        {"a.asf": _swap(ASF, "    back head\n", "")},
        ": bone 'head' has no parent in ':hierarchy'. Please add it there.",
    ),
    (
        "asf_limits.amc",
        lambda: AMC.encode(),
        {"a.asf": _swap(ASF, "           (-30 30)\n", "")},
        " line 20: bone 'back' has 2 numbers in its limits, expected 4, low and high per dof. Please correct them.",
    ),
    (
        "asf_parenthesis.amc",
        lambda: AMC.encode(),
        {"a.asf": _swap(ASF, "  begin\n    id 2\n", "  begin\n    (-30 30)\n    id 2\n")},
        " line 24: '(-30 30)' without 'limits' before it. Please correct this line.",
    ),
    (
        "amc_empty_frame.amc",
        lambda: AMC.encode() + b"3\n4\n",
        {"a.asf": ASF.encode()},
        " line 11: the frame that starts here has no bones. Is the file cut off?",
    ),
    (
        "asf_dof.amc",
        lambda: AMC.encode(),
        {"a.asf": _swap(ASF, "dof rx ry", "dof rx rw")},
        " line 19: no dof 'rw'; the dofs are rx, ry, rz, tx, ty, tz, l. Please correct this line.",
    ),
    (
        "asf_axis.amc",
        lambda: AMC.encode(),
        {"a.asf": _swap(ASF, "axis 0 0 0 XYZ", "axis 0 0 XYZ")},
        " line 18: bone 'back' has 3 values for 'axis', expected 4. Please correct it.",
    ),
    ("empty.npz", lambda: b"", {}, ": the file is empty. Was it copied completely?"),
    (
        "cut_off.npz",
        lambda: _body()[:-30],
        {},
        ": this is not an .npz file, or it is cut off or damaged. Please write it again.",
    ),
    (
        "other.npz",
        lambda: _npz(x=np.zeros(3)),
        {},
        ": this .npz was not written by motionloom. Please export it again with motionloom.",
    ),
    (
        "newer.npz",
        lambda: _npz({"format": "motionloom", "version": 99}),
        {},
        ": format version 99, but this motionloom reads up to 1. Please update motionloom.",
    ),
    (
        "missing_array.npz",
        lambda: _npz({"format": "motionloom", "version": 1, "kind": "body", "fps": 60}),
        {},
        ": the array 'parents' is missing. Please write the file again.",
    ),
    (
        "shapes.npz",
        lambda: _body(root_positions=np.zeros((5, 3))),
        {},
        ": the arrays do not fit together (root_positions have shape (5, 3) and local_rotations (4, 2, 4), expected "
        "(F, 3) and (F, 2, 4) for a skeleton of 2 joints). Please write it again.",
    ),
    (
        "nan.npz",
        lambda: _body(root_positions=np.full((4, 3), np.nan)),
        {},
        ": the arrays do not fit together ('root_positions' has values that are not finite). Please write it again.",
    ),
    (
        "no_rotation.npz",
        lambda: _body(local_rotations=np.tile([1.0, 1, 0, 0], (4, 2, 1))),
        {},
        ": frame 0: the rotation of 'a' has length 1.414, expected 1. Please write it again.",
    ),
    (
        "objects.npz",
        lambda: _body(root_positions=np.array(["a"] * 12).reshape(4, 3)),
        {},
        ": the array 'root_positions' does not hold plain numbers. Please write it again.",
    ),
    (
        "unfolding.npz",
        lambda: _repack(_body(positions=np.zeros(13_000_000))),
        {},
        ": it would unfold from 0.1 MB to 104 MB, of which at most 100 MB are read. Is it a real recording?",
    ),
]


def refuse(folder: Path, name: str, content: bytes, beside: Files) -> str:
    """Write the files into a folder, read the one, and return the message."""
    for other, text in beside.items():
        (folder / other).write_bytes(text)
    (folder / name).write_bytes(content)
    with pytest.raises(FormatError) as refusal:
        formats.read(name)
    return str(refusal.value)


@pytest.mark.parametrize(("name", "content", "beside", "message"), MALFORMED, ids=[m[0] for m in MALFORMED])
def test_a_malformed_file_is_refused_in_one_sentence_that_helps(
    name: str,
    content: Callable[[], bytes],
    beside: Files,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    at_fault = "a.asf" if name.startswith("asf_") else name
    assert refuse(tmp_path, name, content(), beside) == at_fault + message


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        FormatError, match=r"gone\.bvh: cannot be read \(No such file or directory\)\. Is the path right\?"
    ):
        formats.read(tmp_path / "gone.bvh")


def test_the_page_about_formats_shows_every_message() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "formats.md").read_text()
    assert table() in page, "run python docs/figures/malformed_files.py"


def table() -> str:
    """All malformed files with their messages, as a Markdown table."""
    rows = ["| file | message |", "| --- | --- |"]
    before = Path.cwd()
    for name, content, beside, _ in MALFORMED:
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                message = refuse(Path(folder), name, content(), beside)
            finally:
                os.chdir(before)
        rows.append(f"| `{name}` | {message.replace('|', chr(92) + '|')} |")
    return "\n".join(rows)


if __name__ == "__main__":
    print(table())
