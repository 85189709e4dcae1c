"""Whatever a file holds, readers answer with a take or with one sentence, never with a traceback."""

import tempfile
from pathlib import Path

import numpy as np
from benchmarks.faults.seeds import AMC, ASF, BVH
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom import formats
from motionloom.errors import MotionloomError
from motionloom.formats import ReadOptions
from motionloom.motion import Motion, Skeleton, rotations


def make_npz() -> bytes:
    skeleton = Skeleton(names=("a", "b"), parents=np.array([-1, 0]), offsets=np.ones((2, 3)))
    motion = Motion(skeleton, np.zeros((3, 3)), rotations.identity((3, 2)), 60)
    with tempfile.TemporaryDirectory() as folder:
        formats.write(Path(folder) / "a.npz", motion)
        return (Path(folder) / "a.npz").read_bytes()


NPZ = make_npz()

WORDS = [
    b"{",
    b"}",
    b"\n",
    b"\r",
    b"JOINT",
    b"ROOT x",
    b"End Site",
    b"OFFSET",
    b"CHANNELS 1 Xrotation",
    b"MOTION",
    b"nan",
    b"1e400",
]
WORDS += [
    b"-1",
    b"0",
    b"99999999999",
    b"begin",
    b"end",
    b":root",
    b"dof",
    b"root",
    b"\xff",
    b"\xc3",
    b"\0",
    b"#",
    b"(",
    b"head",
    b"Frames:",
]

edits = st.lists(
    st.tuples(st.integers(0, 10_000), st.integers(0, 30), st.one_of(st.sampled_from(WORDS), st.binary(max_size=6))),
    min_size=1,
    max_size=6,
)


def mutate(content: bytes, changes: list[tuple[int, int, bytes]]) -> bytes:
    """Cut out a few bytes here and put in others there."""
    for where, length, new in changes:
        at = where % (len(content) + 1)
        content = content[:at] + new + content[at + length :]
    return content


def read_all(files: dict[str, bytes], name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for other, content in files.items():
            (Path(folder) / other).write_bytes(content)
        try:
            take = formats.read(Path(folder) / name, ReadOptions())
        except MotionloomError as refusal:
            assert len(str(refusal)) < 1000 and "\n" not in str(refusal)
        else:
            assert isinstance(take.motion, Motion)
            assert np.isfinite(take.motion.local_rotations).all() and np.isfinite(take.motion.root_positions).all()


@settings(max_examples=250, deadline=None)
@given(edits)
def test_damaged_bvh_files_are_read_or_refused(changes: list[tuple[int, int, bytes]]) -> None:
    read_all({"a.bvh": mutate(BVH, changes)}, "a.bvh")


@settings(max_examples=150, deadline=None)
@given(edits)
def test_damaged_amc_files_are_read_or_refused(changes: list[tuple[int, int, bytes]]) -> None:
    read_all({"a.asf": ASF, "a.amc": mutate(AMC, changes)}, "a.amc")


@settings(max_examples=200, deadline=None)
@given(edits)
def test_damaged_asf_files_are_read_or_refused(changes: list[tuple[int, int, bytes]]) -> None:
    read_all({"a.asf": mutate(ASF, changes), "a.amc": AMC}, "a.amc")


@settings(max_examples=200, deadline=None)
@given(edits)
def test_damaged_npz_files_are_read_or_refused(changes: list[tuple[int, int, bytes]]) -> None:
    read_all({"a.npz": mutate(NPZ, changes)}, "a.npz")


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=400), st.sampled_from([".bvh", ".amc", ".npz"]))
def test_random_bytes_are_refused(content: bytes, extension: str) -> None:
    read_all({"a.asf": content, f"a{extension}": content}, f"a{extension}")


@settings(max_examples=100, deadline=None)
@given(st.integers(0, len(BVH)))
def test_files_cut_off_anywhere_are_read_or_refused(length: int) -> None:
    read_all({"a.bvh": BVH[:length]}, "a.bvh")


def test_numbers_with_thousands_of_digits_are_read_or_refused() -> None:
    long = b"0" * 5000
    for old, new in (
        (b"CHANNELS 6", b"CHANNELS " + long + b"6"),
        (b"CHANNELS 6", b"CHANNELS 6" + long),
        (b"Frames: 3", b"Frames: " + long + b"3"),
        (b"0.0083333", b"0.0083333e-" + long),
        (b"1 17 2 10", b"1 17e" + long + b" 2 10"),
        (b"OFFSET 1 -2", b"OFFSET 1" + long + b" -2"),
    ):
        assert old in BVH
        read_all({"a.bvh": BVH.replace(old, new)}, "a.bvh")
    read_all({"a.asf": ASF, "a.amc": AMC.replace(b"\n2\n", b"\n2" + long + b"\n")}, "a.amc")
