"""Alignment: placements that put windows onto each other, and sets of them that agree."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom.errors import BadInput, SkeletonMismatch
from motionloom.motion import Motion, Placement, compose, cut, invert, kinematics, place, place_points
from motionloom.similarity import (
    PointSettings,
    align_frames,
    align_motions,
    align_points,
    align_set,
    measure_points,
    stack,
)


def same_place(one, other, atol=1e-9):
    return np.allclose(one.slide, other.slide, atol=atol) and np.isclose(
        np.exp(1j * one.heading), np.exp(1j * other.heading), atol=atol
    )


@settings(max_examples=50, deadline=None)
@given(heading=st.floats(-np.pi, np.pi), slide=st.tuples(st.floats(-9, 9), st.floats(-9, 9)), seed=st.integers(0, 99))
def test_a_placement_is_found_again_in_all_four_quadrants(heading, slide, seed):
    rng = np.random.default_rng(seed)
    points, weights = rng.normal(size=(8, 3)), rng.random(8)
    moved = place_points(points, Placement(heading, np.array(slide)))
    assert same_place(align_points(points, moved, weights), Placement(heading, np.array(slide)), atol=1e-7)


def test_the_arctangent_of_one_quadrant_would_not_find_half_turns():
    rng = np.random.default_rng(1)
    points = rng.normal(size=(8, 3))
    turned = place_points(points, Placement(np.pi - 0.2, np.zeros(2)))
    found = align_points(points, turned)
    assert abs(found.heading) > np.pi / 2  # which is all that an arctangent of a quotient can give


def test_what_is_left_after_aligning_is_the_distance(some):
    clouds = measure_points(some.positions, some.starts)
    for moved, onto in ((10, 120), (120, 10), (60, 160)):
        placement = align_frames(clouds, moved, onto)
        one, other = clouds.windows([moved, onto])
        left = ((place_points(one, placement) - other) ** 2).sum(axis=1)
        np.testing.assert_allclose(np.sqrt(clouds.weights @ left), clouds.pairs(moved, onto))


def test_there_and_back_is_nothing(some):
    clouds = measure_points(some.positions, some.starts)
    there, back = align_frames(clouds, 30, 110), align_frames(clouds, 110, 30)
    assert same_place(compose(back, there), Placement.none())


def test_a_motion_is_put_onto_another(make):
    motion = make.motion(40, seed=2)
    elsewhere = place(motion, Placement(-2.8, np.array([2.0, 5.0])))
    for window in (1, 5):
        placement = align_motions(motion, 20, elsewhere, 20, window=window)
        found = kinematics.world_positions(place(motion, placement))
        np.testing.assert_allclose(found, kinematics.world_positions(elsewhere), atol=1e-9)


@pytest.mark.parametrize("window", [1, 5])
def test_motions_are_aligned_as_their_frames_are(make, window):
    one, other = make.motion(12, seed=2), make.motion(12, seed=3)
    both = stack([one, other])
    clouds = measure_points(both.positions, both.starts, PointSettings(window))
    assert same_place(align_motions(one, 4, other, 7, window=window), align_frames(clouds, 4, 12 + 7))


def test_a_joint_that_is_there_twice_does_not_pull_twice(make):
    one, other = make.motion(1, seed=2), make.motion(1, seed=3)
    skeleton = one.skeleton
    doubled = replace(
        skeleton,
        names=(*skeleton.names, "again"),
        parents=np.append(skeleton.parents, 4),
        offsets=np.concatenate([skeleton.offsets, np.zeros((1, 3))]),
    )
    more = [
        Motion(doubled, m.root_positions, np.concatenate([m.local_rotations, m.local_rotations[:, :1]], axis=1), m.fps)
        for m in (one, other)
    ]
    assert same_place(align_motions(more[0], 0, more[1], 0), align_motions(one, 0, other, 0))


@pytest.fixture
def match_set(make):
    """A measure of frames that are alike but not the same, all over the place, and the frames."""
    rng = np.random.default_rng(8)
    motion = make.motion(60, seed=3)
    takes = [
        place(cut(motion, 10 + shift, 40 + shift), Placement(rng.uniform(-3, 3), rng.normal(scale=4, size=2)))
        for shift in (0, 1, 3, 4, 7)
    ]
    clouds = measure_points(stack(takes).positions, stack(takes).starts)
    return clouds, [15 + 30 * k for k in range(5)]


def test_placements_of_a_set_agree_along_every_chain(match_set):
    clouds, frames = match_set
    aligned = align_set(clouds, frames)
    for p in range(5):
        assert same_place(aligned.between(p, p), Placement.none())
        for q in range(5):
            assert same_place(aligned.between(q, p), invert(aligned.between(p, q)))
            for r in range(5):
                chain = compose(aligned.between(q, r), aligned.between(p, q))
                assert same_place(chain, aligned.between(p, r))


def test_placements_found_pair_by_pair_do_not_agree(match_set):
    clouds, frames = match_set
    chain = compose(align_frames(clouds, frames[3], frames[4]), align_frames(clouds, frames[0], frames[3]))
    assert not same_place(chain, align_frames(clouds, frames[0], frames[4]), atol=1e-4)  # else no base were needed


def test_from_p_to_q_is_base_to_q_after_the_inverse_of_base_to_p(match_set):
    clouds, frames = match_set
    aligned = align_set(clouds, frames)
    from_base = [align_frames(clouds, frames[aligned.base], frame) for frame in frames]
    for p, q in ((0, 4), (3, 1)):
        placement = aligned.between(p, q)
        assert same_place(placement, compose(from_base[q], invert(from_base[p])))
        window, onto = clouds.windows([frames[p], frames[q]])
        left = np.sqrt(clouds.weights @ ((place_points(window, placement) - onto) ** 2).sum(axis=1))
        assert left < 0.2  # alike frames meet
        printed = compose(from_base[p], invert(from_base[q]))  # equation 5 as it stands in the paper
        wrong = np.sqrt(clouds.weights @ ((place_points(window, printed) - onto) ** 2).sum(axis=1))
        assert wrong > 1.0  # it moves q onto p: p lands metres away


def test_the_base_has_the_smallest_sum_of_distances(match_set):
    clouds, frames = match_set
    sums = clouds.pairs(np.array(frames)[:, None], np.array(frames)).sum(axis=1)
    assert align_set(clouds, frames).base == sums.argmin()


def test_a_set_of_one_frame_stays_where_it_is(match_set):
    clouds, frames = match_set
    assert same_place(align_set(clouds, frames[:1]).between(0, 0), Placement.none())


def test_what_cannot_be_aligned_is_refused(make, match_set):
    clouds, _ = match_set
    motion, points = make.motion(10), np.zeros((4, 3))
    bigger = place(motion, Placement.none())
    other = make.motion(10)
    object.__setattr__(bigger, "skeleton", make.skeleton(3))
    with pytest.raises(SkeletonMismatch, match="conform the motions first"):
        align_motions(bigger, 3, other, 3)
    with pytest.raises(BadInput, match="window of 5 frames around frame 1"):
        align_motions(motion, 1, other, 5, window=5)
    with pytest.raises(BadInput, match="same K"):
        align_points(points, points[:3])
    with pytest.raises(BadInput, match="is not finite"):
        align_points(points * np.nan, points)
    with pytest.raises(BadInput, match="not all zero"):
        align_points(points, points, np.zeros(4))
    with pytest.raises(BadInput, match="at least one"):
        align_set(clouds, np.zeros(0, int))
    with pytest.raises(BadInput, match="too near an end"):
        align_set(clouds, [0, 15])


def test_points_on_one_vertical_line_are_only_slid():
    line = np.array([[1.0, 0.0, 2.0], [1.0, 1.0, 2.0]])
    assert same_place(align_points(line, line + [3.0, 0.0, -1.0]), Placement(0.0, np.array([3.0, -1.0])))
