"""Packed frames: rows of numbers and back."""

import numpy as np
import pytest

from motionloom.motion.packed import (
    pack_arrays,
    pack_frames,
    packed_root_transforms,
    packed_roots,
    packed_rotations,
    packed_width,
    unpack_frames,
)


def test_a_motion_comes_back_from_its_frames(make):
    motion = make.motion(n_frames=7)
    frames = pack_frames(motion)
    assert frames.shape == (7, packed_width(21)) == (7, 87) and frames.dtype == np.float32
    again = unpack_frames(frames, motion.skeleton, motion.fps)
    np.testing.assert_array_equal(again.root_positions, motion.root_positions.astype(np.float32))
    np.testing.assert_array_equal(again.local_rotations, motion.local_rotations.astype(np.float32))
    assert again.local_rotations.dtype == again.root_positions.dtype == float
    np.testing.assert_array_equal(pack_frames(again), frames)


def test_the_root_comes_first_and_then_the_joints_in_order():
    row = np.arange(3 + 4 * 2, dtype=float)
    np.testing.assert_array_equal(packed_roots(row), [0, 1, 2])
    np.testing.assert_array_equal(packed_root_transforms(row), [0, 1, 2, 3, 4, 5, 6])
    np.testing.assert_array_equal(packed_rotations(row), [[3, 4, 5, 6], [7, 8, 9, 10]])


@pytest.mark.parametrize("shape", [(), (5,), (0,), (2, 3), (0, 3)])
def test_parts_of_frames_are_views_of_any_number_of_axes(shape):
    rng = np.random.default_rng(0)
    roots, rotations = rng.normal(size=(*shape, 3)), rng.normal(size=(*shape, 4, 4))
    frames = pack_arrays(roots, rotations)
    assert frames.shape == (*shape, 19)
    np.testing.assert_array_equal(packed_roots(frames), roots.astype(np.float32))
    np.testing.assert_array_equal(packed_rotations(frames), rotations.astype(np.float32))
    assert np.shares_memory(packed_root_transforms(frames), frames) or not frames.size
    packed_rotations(frames)[...] = 0.0
    packed_roots(frames)[...] = 1.0
    assert (frames[..., :3] == 1).all() and (frames[..., 3:] == 0).all()
