"""The own format: everything comes back bit for bit."""

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom import formats
from motionloom.formats import ReadOptions, Source
from motionloom.motion import Motion, PointMotion, Skeleton, rotations


def make_motion(dtype: str = "float64") -> Motion:
    skeleton = Skeleton(
        names=("Hips", "lähmung", "tip"),
        parents=np.array([-1, 0, 1]),
        offsets=np.random.default_rng(0).normal(size=(3, 3)),
        end_parents=np.array([2]),
        end_offsets=np.array([[0.1, 1 / 3, 0]]),
        roles={"head": "tip"},
        name="odd one",
    )
    rng = np.random.default_rng(1)
    local = rotations.normalize(rng.normal(size=(7, 3, 4)))
    return Motion(skeleton, rng.normal(size=(7, 3)).astype(dtype), local.astype(dtype), 119.88)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_motion_comes_back_bit_for_bit(dtype: str, tmp_path: Path) -> None:
    motion = make_motion(dtype)
    formats.write(tmp_path / "a.npz", motion, name="folder/take")
    take = formats.read(tmp_path / "a.npz")
    assert take.name == "folder/take" and isinstance(take.motion, Motion)
    assert take.motion.skeleton == motion.skeleton and take.motion.skeleton.name == "odd one"
    assert dict(take.motion.skeleton.roles) == dict(motion.skeleton.roles) and take.motion.fps == motion.fps
    for ours, theirs in (
        (motion.root_positions, take.motion.root_positions),
        (motion.local_rotations, take.motion.local_rotations),
    ):
        assert ours.dtype == theirs.dtype and ours.tobytes() == theirs.tobytes()


def test_points_come_back_bit_for_bit_with_their_gaps(tmp_path: Path) -> None:
    positions = np.random.default_rng(0).normal(size=(5, 2, 3))
    positions[1, 0] = np.nan
    formats.write(tmp_path / "a.npz", PointMotion(("LFHD", "jaw 1"), positions, 60))
    motion = formats.read(tmp_path / "a.npz").motion
    assert isinstance(motion, PointMotion) and motion.names == ("LFHD", "jaw 1") and motion.fps == 60
    assert motion.positions.tobytes() == positions.tobytes()


def test_the_same_motion_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        formats.write(tmp_path / f"{name}.npz", make_motion(), name="same")
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_what_the_first_file_was_like_is_remembered(tmp_path: Path) -> None:
    source = Source("x.bvh", "bvh", "d", 120, 0.05, up="z", rotation_orders=("ZYX", "X", ""))
    formats.write(tmp_path / "a.npz", make_motion(), source)
    read = formats.read(tmp_path / "a.npz").source
    assert (read.format, read.up, read.metres_per_unit, read.rotation_orders) == ("npz", "z", 0.05, ("ZYX", "X", ""))
    assert read.fps == 119.88


def test_a_given_rate_replaces_the_stored_one(tmp_path: Path) -> None:
    formats.write(tmp_path / "a.npz", make_motion())
    take = formats.read(tmp_path / "a.npz", ReadOptions(fps=60))
    assert take.motion.fps == 60 and take.source.fps == 119.88 and take.findings[0].kind == "rate"


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 6), st.floats(1, 1000), st.integers(0, 2**32 - 1))
def test_any_motion_comes_back(n_frames: int, fps: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    positions, local = rng.normal(size=(n_frames, 3)), rng.normal(size=(n_frames, 3, 4))
    motion = Motion(make_motion().skeleton, positions, local, fps)
    with tempfile.TemporaryDirectory() as folder:
        formats.write(Path(folder) / "a.npz", motion)
        read = formats.read(Path(folder) / "a.npz").motion
    assert isinstance(read, Motion)
    assert read.fps == fps and read.root_positions.tobytes() == positions.tobytes()
    assert read.local_rotations.tobytes() == local.tobytes()
