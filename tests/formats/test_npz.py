"""The own format: everything comes back bit for bit."""

import io
import json
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom import formats
from motionloom.errors import FormatError
from motionloom.formats import ReadOptions, Source, npz
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
    assert take.name == "a" and isinstance(take.motion, Motion)
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


def test_equal_motions_give_equal_bytes_whatever_they_are_called(tmp_path: Path) -> None:
    motion = make_motion()
    turned = np.asfortranarray(motion.local_rotations)  # the same values in another order in memory
    roles = {role: motion.skeleton.roles[role] for role in sorted(motion.skeleton.roles, reverse=True)}
    other = replace(motion, local_rotations=turned, skeleton=replace(motion.skeleton, roles=roles))
    source = Source("x.bvh", "bvh", "d", 120, 0.05, up="z", rotation_orders=("ZYX", "X", ""))
    formats.write(tmp_path / "a.npz", motion, source, name="one")
    formats.write(tmp_path / "b.npz", other, replace(source, path="elsewhere/y.bvh", digest="e"), name="another")
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
    assert [formats.read(tmp_path / f"{name}.npz").name for name in "ab"] == ["a", "b"]


def test_files_of_older_versions_keep_the_name_that_is_in_them(tmp_path: Path) -> None:
    arrays = npz.motion_arrays(make_motion())
    about = {**json.loads(arrays["about"].tobytes()), "name": "folder/take", "source": {"path": "x", "up": "y"}}
    np.savez_compressed(tmp_path / "a.npz", **{**arrays, "about": np.frombuffer(json.dumps(about).encode(), np.uint8)})
    take = formats.read(tmp_path / "a.npz")
    assert take.name == "folder/take" and take.source.metres_per_unit == 1.0
    assert take.motion.local_rotations.tobytes() == make_motion().local_rotations.tobytes()


def test_a_motion_that_hardly_changes_comes_back_however_long_it_is(tmp_path: Path) -> None:
    positions = np.zeros((6_000_000, 1, 3))  # 144 MB of zeros, which deflate to a thousandth
    formats.write(tmp_path / "a.npz", PointMotion(("nose",), positions, 120))
    motion = formats.read(tmp_path / "a.npz").motion
    assert isinstance(motion, PointMotion) and motion.positions.shape == positions.shape
    assert not motion.positions.any()


def test_what_the_first_file_was_like_is_remembered(tmp_path: Path) -> None:
    source = Source("x.bvh", "bvh", "d", 120, 0.05, up="z", rotation_orders=("ZYX", "X", ""))
    formats.write(tmp_path / "a.npz", make_motion(), source)
    read = formats.read(tmp_path / "a.npz").source
    assert (read.format, read.up, read.metres_per_unit, read.rotation_orders) == ("npz", "z", 0.05, ("ZYX", "X", ""))
    assert read.fps == 119.88


def test_gaps_that_were_filled_stay_marked(tmp_path: Path) -> None:
    points = PointMotion(("LFHD", "jaw 1"), np.zeros((5, 2, 3)), 60)
    source = Source("x.c3d", "c3d", "d", 60, 0.001, up="z", filled=(("jaw 1", 1, 3), ("LFHD", 2, 3)))
    formats.write(tmp_path / "a.npz", points, source)
    assert formats.read(tmp_path / "a.npz").source.filled == source.filled


def test_a_given_rate_replaces_the_stored_one(tmp_path: Path) -> None:
    formats.write(tmp_path / "a.npz", make_motion())
    take = formats.read(tmp_path / "a.npz", ReadOptions(fps=60))
    assert take.motion.fps == 60 and take.source.fps == 119.88 and take.findings[0].kind == "rate"


def zipped(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return packed.getvalue()


def members_of(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda m: m.pop("about.npy") and m.update(about=b"{}"), r"not written by motionloom"),
        (lambda m: m.update({"x.npy": m["parents.npy"]}), r"not written by motionloom"),
        (lambda m: m.update({"../parents.npy": m["parents.npy"]}), r"not written by motionloom"),
        (
            lambda m: m.update({"parents.npy": m["parents.npy"][:60]}),
            r"the array 'parents' does not hold plain numbers",
        ),
        (lambda m: m.update({"parents.npy": b""}), r"cut off or damaged"),
        (lambda m: m.update({"parents.npy": m["parents.npy"] + b"\0"}), r"'parents' has another size than its header"),
        (lambda m: m.update({"parents.npy": m["parents.npy"][:-8]}), r"'parents' has another size than its header"),
        (
            lambda m: m.update({"parents.npy": m["parents.npy"].replace(b"(3,), }", b"(9**9,)}", 1)}),
            r"the array 'parents' does not hold plain numbers",
        ),
        (
            lambda m: m.update({"offsets.npy": m["offsets.npy"].replace(b"<f8", b"|O8", 1)}),
            r"the array 'offsets' does not hold plain numbers",
        ),
        (
            lambda m: m.update({"offsets.npy": m["offsets.npy"].replace(b"<f8", b"<i8", 1)}),
            r"'offsets' has type int64, expected floating-point numbers",
        ),
        (
            lambda m: m.update({"about.npy": m["about.npy"][:128] + b"[" * len(m["about.npy"][128:])}),
            r"its header cannot be read",
        ),
    ],
)
def test_members_that_are_not_as_they_should_be_are_refused(change: Callable, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    formats.write(path, make_motion())
    members = members_of(path)
    path.write_bytes(zipped(members))
    assert isinstance(formats.read(path).motion, Motion)
    change(members)
    path.write_bytes(zipped(members))
    with pytest.raises(FormatError, match=sentence):
        formats.read(path)


def test_members_that_are_there_twice_or_packed_in_another_way_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    formats.write(path, make_motion())
    members = members_of(path)
    path.write_bytes(zipped(members, zipfile.ZIP_LZMA))
    with pytest.raises(FormatError, match="packed in an unusual way"):
        formats.read(path)
    packed = io.BytesIO(zipped(members))
    with zipfile.ZipFile(packed, "a") as archive, pytest.warns(UserWarning, match="Duplicate name"):
        archive.writestr("about.npy", members["about.npy"])
    path.write_bytes(packed.getvalue())
    with pytest.raises(FormatError, match="it has the array 'about' twice"):
        formats.read(path)


def test_arrays_in_fortran_order_of_older_files_are_read(tmp_path: Path) -> None:
    motion = make_motion()
    arrays = npz.motion_arrays(motion)
    arrays["local_rotations"] = np.asfortranarray(arrays["local_rotations"])
    np.savez_compressed(tmp_path / "a.npz", **arrays)
    read = formats.read(tmp_path / "a.npz").motion
    assert isinstance(read, Motion)
    np.testing.assert_array_equal(read.local_rotations, motion.local_rotations)


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 6), st.floats(1, 1000), st.integers(0, 2**32 - 1))
def test_any_motion_comes_back(n_frames: int, fps: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    positions, local = rng.normal(size=(n_frames, 3)), rotations.normalize(rng.normal(size=(n_frames, 3, 4)))
    motion = Motion(make_motion().skeleton, positions, local, fps)
    with tempfile.TemporaryDirectory() as folder:
        formats.write(Path(folder) / "a.npz", motion)
        read = formats.read(Path(folder) / "a.npz").motion
    assert isinstance(read, Motion)
    assert read.fps == fps and read.root_positions.tobytes() == positions.tobytes()
    assert read.local_rotations.tobytes() == local.tobytes()
