"""Distances from the nearest real frame against a plain search over all pairs."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom.errors import BadInput, SkeletonMismatch
from motionloom.motion import Placement, cut, kinematics, place
from motionloom.quality import RealFrames, find_nearest, measure_quality, nearest_real


def plain_distance(first, second):
    """Metres: root of the mean square between (J, 3) points after the best turn and slide, found by trying turns."""
    a, b = first - first.mean(axis=0) * [1, 0, 1], second - second.mean(axis=0) * [1, 0, 1]
    low, high = -np.pi, np.pi
    for _ in range(8):
        angles = np.linspace(low, high, 41)
        c, s = np.cos(angles)[:, None], np.sin(angles)[:, None]
        turned = np.stack(
            [c * b[:, 0] + s * b[:, 2], 0 * c + b[:, 1], c * b[:, 2] - s * b[:, 0]], axis=-1
        )  # (41, J, 3)
        squares = ((a - turned) ** 2).sum(axis=-1).mean(axis=-1)
        best, step = angles[squares.argmin()], angles[1] - angles[0]
        low, high = best - step, best + step
    return squares.min() ** 0.5


@settings(max_examples=5, deadline=None)
@given(st.integers(0, 1000))
def test_the_nearest_frame_is_what_a_plain_search_finds(make, seed):
    motion = make.motion(3, seed=seed)
    real = {"a": make.motion(9, seed=seed + 1), "b": make.motion(7, seed=seed + 2)}
    found = find_nearest(motion, RealFrames(real))
    own = kinematics.world_positions(motion)
    for f in range(3):
        every = {
            (name, g): plain_distance(own[f], other)
            for name, take in real.items()
            for g, other in enumerate(kinematics.world_positions(take))
        }
        nearest = min(every, key=every.__getitem__)
        assert found.distances[f] == pytest.approx(every[nearest], abs=1e-6)
        assert every[found.names[found.motions[f]], found.frames[f]] == pytest.approx(every[nearest], abs=1e-6)


@given(st.floats(-7, 7), st.floats(-20, 20))
@settings(max_examples=10, deadline=None)
def test_a_piece_of_a_recording_is_found_wherever_it_was_moved(make, heading, x):
    takes = {str(seed): make.motion(60, seed=seed) for seed in range(3)}
    piece = place(cut(takes["1"], 20, 40), Placement(heading, np.array([x, -2.0])))
    found = find_nearest(piece, RealFrames(takes))
    np.testing.assert_allclose(found.distances, 0, atol=1e-7)
    assert (found.motions == 1).all()
    np.testing.assert_array_equal(found.frames, np.arange(20, 40))


def test_lifting_a_pose_is_a_distance_because_the_floor_is_not_to_be_left(make):
    take = make.motion(1)
    lifted = replace(take, root_positions=take.root_positions + np.array([0.3, 0.05, -0.2]))
    assert find_nearest(lifted, RealFrames({"take": take})).distances[0] == pytest.approx(0.05)


def test_joints_on_the_same_spot_count_once(make):
    bones = np.array(make.skeleton().offsets)
    knee = make.skeleton().index("LeftLeg")
    bones[knee] = 0.0  # on the hip
    skeleton = replace(make.skeleton(), offsets=bones)
    first, second = (replace(make.motion(1, seed=seed), skeleton=skeleton) for seed in (1, 2))
    points = [np.delete(kinematics.world_positions(motion)[0], knee, axis=0) for motion in (first, second)]
    found = find_nearest(first, RealFrames({"second": second}))
    assert found.distances[0] == pytest.approx(plain_distance(*points), abs=1e-6)


def test_frames_that_are_left_out_are_not_found(make):
    takes = {"a": make.motion(30, seed=1), "b": make.motion(40, seed=2)}
    real = RealFrames(takes)
    assert real.range_of("b") == (30, 70)
    without = find_nearest(takes["b"], real, leave_out=real.range_of("b"))
    alone = find_nearest(takes["b"], RealFrames({"a": takes["a"]}))
    assert (without.motions == 0).all()
    np.testing.assert_array_equal(without.distances, alone.distances)
    np.testing.assert_array_equal(without.frames, alone.frames)


def test_each_frame_can_leave_out_its_own_range(make):
    take = make.motion(50, seed=4)
    around = np.stack([np.arange(50) - 3, np.arange(50) + 4], axis=1).clip(0, 50)
    found = find_nearest(take, RealFrames({"take": take}), leave_out=around)
    assert (np.abs(found.frames - np.arange(50)) > 3).all()
    assert (found.distances > 0).all()
    nobody = np.zeros((50, 2), int)
    assert find_nearest(take, RealFrames({"take": take}), leave_out=nobody).farthest < 1e-7


def test_the_size_of_chunks_does_not_matter(make, monkeypatch):
    takes = {str(seed): make.motion(n, seed=seed) for seed, n in enumerate((30, 5, 44, 18))}
    motion = make.motion(25, seed=9)
    whole, seen = find_nearest(motion, RealFrames(takes)), []
    monkeypatch.setattr(nearest_real, "CHUNK", 20)
    parts = find_nearest(motion, RealFrames(takes), progress=lambda done, total: seen.append((done, total)))
    np.testing.assert_allclose(parts.distances, whole.distances, atol=1e-12)
    np.testing.assert_array_equal(parts.frames, whole.frames)
    np.testing.assert_array_equal(parts.motions, whole.motions)
    assert seen == [(30, 97), (79, 97), (97, 97)]


def test_the_summary_says_where_it_is_farthest(make):
    takes = {"a": make.motion(30, seed=1)}
    found = find_nearest(make.motion(20, seed=5), RealFrames(takes))
    data = found.to_data()
    assert data["farthest_m"] == found.distances[data["farthest_frame"]] == found.distances.max()
    assert data["nearest_to_it"] == ["a", int(found.frames[data["farthest_frame"]])]
    assert data["median_m"] <= data["percentile_95_m"] <= data["farthest_m"]
    assert f"at frame {data['farthest_frame']}" in found.describe()
    quality = measure_quality(make.motion(20, seed=5), None, real=RealFrames(takes))
    assert quality.to_data()["nearest_real"] == data
    assert quality.numbers()["distance from the nearest real frame, median"] == (100 * found.median, "cm")


def test_bad_input_is_refused_in_one_sentence(make, with_nan):
    take = make.motion(20)
    other = replace(take, skeleton=make.skeleton(seed=1))
    with pytest.raises(BadInput, match="no recorded motions"):
        RealFrames({})
    with pytest.raises(SkeletonMismatch, match="skeleton 'test person' of 'odd' differs from"):
        RealFrames({"even": take, "odd": other})
    with pytest.raises(SkeletonMismatch, match="conform them to one skeleton first"):
        find_nearest(other, RealFrames({"take": take}))
    with pytest.raises(BadInput, match="no recorded motion 'tale'; known are take"):
        RealFrames({"take": take}).range_of("tale")
    with pytest.raises(BadInput, match="frame 0 has no recorded frame to compare with"):
        find_nearest(take, RealFrames({"take": take}), leave_out=(0, 20))
    with pytest.raises(BadInput, match=r"leave_out has shape \(3,\)"):
        find_nearest(take, RealFrames({"take": take}), leave_out=[1, 2, 3])
    with pytest.raises(BadInput, match=r"frame 25 is out of range: there are 20 recorded frames"):
        find_nearest(take, RealFrames({"take": take}), leave_out=(0, 25))
    with pytest.raises(BadInput, match="recorded motion 'broken': frame 4 of the motion has values"):
        find_nearest(take, RealFrames({"broken": with_nan(take, 4)}))
    with pytest.raises(BadInput, match="frame 4 of the motion has values"):
        find_nearest(with_nan(take, 4), RealFrames({"take": take}))
