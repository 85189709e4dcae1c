"""Laws that every kind of join keeps."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom import blending
from motionloom.errors import BadInput, SkeletonMismatch
from motionloom.motion import Motion, Placement, concatenate, cut, mirror, place, rotations

JOINS = {
    "crossfade": blending.crossfade,
    "inertialize": blending.inertialize,
    "displace_join": blending.displace_join,
    "spread_offset": blending.spread_offset,
}
SMOOTH = {name: JOINS[name] for name in ("crossfade", "inertialize", "displace_join")}
every_join = pytest.mark.parametrize("join", JOINS.values(), ids=JOINS)
every_smooth_join = pytest.mark.parametrize("join", SMOOTH.values(), ids=SMOOTH)


def assert_same(a: Motion, b: Motion, tolerance: float = 1e-9) -> None:
    np.testing.assert_allclose(a.root_positions, b.root_positions, atol=tolerance, rtol=0)
    assert rotations.angle_between(a.local_rotations, b.local_rotations).max() < max(tolerance, 1e-9)


def gap(a: Motion, i: int, b: Motion, j: int) -> tuple[float, float]:
    """Metres and radians between two frames."""
    turned = rotations.angle_between(a.local_rotations[i], b.local_rotations[j]).max()
    return float(np.linalg.norm(a.root_positions[i] - b.root_positions[j])), float(turned)


def offset_of(a: Motion, b: Motion, frame: int) -> np.ndarray:
    return a.root_positions[frame] - b.root_positions[frame]


def velocity_jump(motion: Motion, frame: int) -> float:
    """Metres or radians per second between the velocities just before and just after a frame.

    Each side's velocity at the frame itself comes from a parabola through three frames.
    """

    def one_sided(step: int) -> np.ndarray:
        root, local = motion.root_positions, motion.local_rotations
        first = rotations.log(
            rotations.multiply(local[frame + step], rotations.inverse(local[frame]))
        )  # (J, 3) seen from the parent
        both = rotations.log(rotations.multiply(local[frame + 2 * step], rotations.inverse(local[frame])))
        turning = (4 * first - both) / 2
        sliding = (4 * (root[frame + step] - root[frame]) - (root[frame + 2 * step] - root[frame])) / 2
        return np.vstack([turning, sliding]) * step * motion.fps

    return float(np.linalg.norm(one_sided(1) - one_sided(-1), axis=-1).max())


@every_join
@given(frame=st.integers(0, 39), seed=st.integers(0, 5), seconds=st.floats(0, 1.2))
@settings(max_examples=25, deadline=None)
def test_a_motion_that_is_left_and_entered_in_the_same_frame_stays_as_it_is(make, join, frame, seed, seconds):
    motion = make.motion(40, seed=seed)
    joined = join(motion, motion, leave=frame, enter=frame, seconds=seconds)
    assert_same(joined.motion, motion)


@every_join
@pytest.mark.parametrize("frame", [0, 3, 4, 20, 36, 39])
def test_a_motion_cut_in_two_and_joined_again_is_the_motion(make, join, frame):
    motion = make.motion(40, seed=3)
    spare = 10  # frames that both pieces have around the cut
    first = cut(motion, 0, min(frame + spare, 39) + 1)
    start = max(frame - spare, 0)
    joined = join(first, cut(motion, start, 40), leave=frame, enter=frame - start, seconds=0.25)
    assert_same(joined.motion, motion)


@every_join
def test_frames_far_from_the_join_are_the_motions_themselves(make, join):
    first, second = make.motion(60, seed=1), make.motion(70, seed=2)
    joined = join(first, second, leave=30, enter=20, seconds=0.2).motion
    assert joined.n_frames == 30 + 50
    assert_same(cut(joined, 0, 30 - 12), cut(first, 0, 30 - 12), 0)
    assert_same(cut(joined, 30 + 12, 80), cut(second, 20 + 12, 70), 0)


@every_join
def test_a_join_of_no_length_is_a_plain_cut(make, join):
    first, second = make.motion(30, seed=1), make.motion(30, seed=2)
    joined = join(first, second, leave=12, enter=7, seconds=0.0)
    assert_same(joined.motion, concatenate([cut(first, 0, 12), cut(second, 7, 30)]), 0)
    assert [source.name for source, _, _ in joined.provenance.of_frame(12)] == ["second"]


@every_join
def test_the_defaults_are_the_end_of_the_first_and_the_beginning_of_the_second(make, join):
    first, second = make.motion(50, seed=1), make.motion(50, seed=2)
    joined = join(first, second, seconds=0.2)
    spare = 6 if join is blending.crossfade else 0  # half a fade, for which both must be there
    explicit = join(first, second, seconds=0.2, leave=49 - spare, enter=spare)
    assert joined.motion.n_frames == 99 - 2 * spare
    assert_same(joined.motion, explicit.motion, 0)


@every_join
def test_no_frame_of_a_join_is_far_from_its_neighbours(make, join):
    first, second = make.motion(120, seed=1), make.motion(120, seed=2)
    apart = gap(first, 60, second, 60)
    joined = join(first, second, leave=60, enter=60, seconds=0.5).motion
    steps = [gap(joined, i, joined, i + 1) for i in range(joined.n_frames - 1)]
    assert max(slide for slide, _ in steps) < 0.25 * apart[0]
    assert max(turn for _, turn in steps) < 0.25 * apart[1]


@every_smooth_join
@pytest.mark.parametrize("seed", range(4))
def test_velocities_just_before_and_after_the_meeting_agree(make, join, seed):
    first, second = make.motion(401, seed=seed, fps=400.0), make.motion(401, seed=seed + 100, fps=400.0)
    close_together = replace(second, root_positions=second.root_positions + offset_of(first, second, 200))
    spread = blending.spread_offset(first, close_together, leave=200, enter=200).motion
    joined = join(first, second, leave=200, enter=200, seconds=0.2).motion
    assert velocity_jump(spread, 200) > 1  # poses meet in it, velocities do not
    assert velocity_jump(joined, 200) < 0.1


@every_join
@pytest.mark.parametrize("seconds", [0.1, 0.4])
def test_placing_both_and_joining_is_joining_and_placing(make, join, seconds):
    first, second = make.motion(40, seed=1), make.motion(40, seed=2)
    somewhere = Placement(2.1, np.array([3.0, -7.0]))
    joined = join(first, second, leave=21, enter=17, seconds=seconds)
    placed = join(place(first, somewhere), place(second, somewhere), leave=21, enter=17, seconds=seconds)
    assert_same(placed.motion, place(joined.motion, somewhere))


@every_join
def test_mirroring_both_and_joining_is_joining_and_mirroring(make, join):
    first, second = make.motion(40, seed=1), make.motion(40, seed=2)
    joined = join(first, second, leave=21, enter=17, seconds=0.3)
    mirrored = join(mirror(first), mirror(second), leave=21, enter=17, seconds=0.3)
    assert_same(mirrored.motion, mirror(joined.motion))


@every_join
def test_the_second_motion_is_placed_before_it_is_joined(make, join):
    first, second = make.motion(40, seed=1), make.motion(40, seed=2)
    there = Placement(-1.2, np.array([0.5, 4.0]))
    joined = join(first, second, leave=20, enter=20, placement=there)
    assert_same(joined.motion, join(first, place(second, there), leave=20, enter=20).motion, 0)


@every_join
def test_signs_of_quaternions_do_not_matter(make, join):
    first, second = make.motion(40, seed=1), make.motion(40, seed=2)
    flips = np.random.default_rng(0).choice([-1.0, 1.0], size=(40, 21, 1))
    flipped = replace(second, local_rotations=second.local_rotations * flips)
    joined = join(first, flipped, leave=20, enter=20)
    assert_same(joined.motion, join(first, second, leave=20, enter=20).motion)


@every_join
def test_neighbouring_quaternions_at_the_meeting_have_near_signs(make, join):
    first, second = make.motion(40, seed=1, wildness=0.2), make.motion(40, seed=2, wildness=0.2)
    joined = join(first, replace(second, local_rotations=-second.local_rotations), leave=20, enter=20)
    local = joined.motion.local_rotations
    assert ((local[1:] * local[:-1]).sum(-1) > 0).all()


@every_join
def test_every_frame_comes_from_the_frames_that_were_played(make, join):
    first, second = make.motion(40, seed=1), make.motion(50, seed=2)
    joined = join(first, second, leave=25, enter=15, seconds=0.2, names=("walk", "run"))
    found = joined.provenance
    assert found.n_frames == joined.motion.n_frames == 25 + 35
    np.testing.assert_allclose(found.weights.sum(axis=1), 1)
    for frame in range(found.n_frames):
        for source, source_frame, weight in found.of_frame(frame):
            assert source_frame == (frame if source.name == "walk" else frame - 25 + 15)
            assert 0 < weight <= 1
    assert [source.name for source, _, _ in found.of_frame(0)] == ["walk"]
    assert [source.name for source, _, _ in found.of_frame(59)] == ["run"]


@every_join
@pytest.mark.parametrize("lengths", [(1, 1), (1, 2), (2, 1), (2, 2), (1, 30), (30, 1), (3, 30), (30, 3), (5, 5)])
def test_short_motions_are_joined_with_the_frames_they_have(make, join, lengths):
    first, second = make.motion(lengths[0], seed=1), make.motion(lengths[1], seed=2)
    joined = join(first, second, seconds=0.5)
    assert joined.motion.n_frames == joined.provenance.n_frames >= 1
    assert np.isfinite(joined.motion.root_positions).all()
    assert np.isfinite(joined.motion.local_rotations).all()
    np.testing.assert_allclose(np.linalg.norm(joined.motion.local_rotations, axis=-1), 1)


@pytest.mark.parametrize("join", [blending.inertialize, blending.displace_join, blending.spread_offset])
def test_a_single_pose_joined_to_a_motion_becomes_where_the_motion_starts(make, join):
    pose, second = make.motion(1, seed=1), make.motion(60, seed=2)
    joined = join(pose, second, seconds=0.3).motion
    assert joined.n_frames == 60
    assert max(gap(joined, 0, pose, 0)) < 1e-9
    assert_same(cut(joined, 30, 60), cut(second, 30, 60), 0)


@pytest.mark.parametrize("join", [blending.displace_join, blending.spread_offset])
def test_a_motion_joined_to_a_single_pose_ends_in_it(make, join):
    first, pose = make.motion(60, seed=1), make.motion(1, seed=2)
    joined = join(first, pose, seconds=0.3).motion
    assert joined.n_frames == 60
    assert max(gap(joined, 59, pose, 0)) < 1e-9
    assert_same(cut(joined, 0, 30), cut(first, 0, 30), 0)


@every_join
def test_heights_of_the_root_meet_too(make, join):
    first, second = make.motion(60, seed=1), make.motion(60, seed=1)
    higher = replace(second, root_positions=second.root_positions + [0.0, 0.2, 0.0])
    joined = join(first, higher, leave=30, enter=30, seconds=0.3).motion
    lift = joined.root_positions[:, 1] - first.root_positions[:, 1]
    assert lift[0] == 0
    assert lift[-1] == pytest.approx(0.2)
    assert np.diff(lift).max() < 0.05
    assert np.diff(lift).min() > -1e-9


@every_join
def test_the_motions_given_are_not_changed_and_singles_become_doubles(make, join):
    first = make.motion(30, seed=1)
    halves = replace(
        first,
        root_positions=first.root_positions.astype(np.float32),
        local_rotations=first.local_rotations.astype(np.float32),
    )
    before = halves.local_rotations.copy()
    joined = join(halves, make.motion(30, seed=2), leave=15, enter=15).motion
    assert joined.local_rotations.dtype == joined.root_positions.dtype == np.float64
    np.testing.assert_array_equal(halves.local_rotations, before)


@every_join
def test_motions_that_cannot_be_joined_are_refused(make, join):
    motion = make.motion(20)
    with pytest.raises(SkeletonMismatch, match="conform the motions first"):
        join(motion, replace(motion, skeleton=make.skeleton(seed=1)))
    with pytest.raises(BadInput, match="resample one of the motions first"):
        join(motion, replace(motion, fps=30.0))
    with pytest.raises(BadInput, match=r"leave 20 is out of range: the first motion has 20 frames"):
        join(motion, motion, leave=20)
    with pytest.raises(BadInput, match=r"enter -1 is out of range: the second motion has"):
        join(motion, motion, enter=-1)
    for leave in (2.5, np.nan, "two"):
        with pytest.raises(BadInput, match=f"leave must be a frame number, got {leave}"):
            join(motion, motion, leave=leave)
    for seconds in (-0.1, np.nan, np.inf):
        with pytest.raises(BadInput, match=r"must be 0 \(a plain cut\) or more seconds"):
            join(motion, motion, seconds=seconds)


@every_join
def test_values_that_are_no_numbers_are_refused_with_their_frame(make, join):
    motion = make.motion(20)
    local = motion.local_rotations.copy()
    local[7, 3, 1] = np.nan
    with pytest.raises(BadInput, match="frame 7 of the second motion has values that are not finite"):
        join(motion, replace(motion, local_rotations=local))
    root = motion.root_positions.copy()
    root[4, 0] = np.inf
    with pytest.raises(BadInput, match="frame 4 of the first motion"):
        join(replace(motion, root_positions=root), motion)
    empty = replace(motion, root_positions=np.zeros((0, 3)), local_rotations=np.zeros((0, 21, 4)))
    with pytest.raises(BadInput, match="the first motion has no frames"):
        join(empty, motion)
