"""What is particular to each kind of join, and the curves and poses they are made of."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom import blending
from motionloom.blending import Match, MovingPose, displace, easing_curves, read_pose
from motionloom.blending.inertialization import PEAK_OF_SLOPE, InertiaSettings, change_of_log
from motionloom.errors import BadInput, SkeletonMismatch
from motionloom.motion import Motion, Placement, cut, place, rotations

TURNS = st.lists(st.floats(-2.5, 2.5), min_size=3, max_size=3).map(np.array)


def pose_of(rng: np.random.Generator, near: MovingPose, *, angle: float = 0.4, speed: float = 1.0) -> MovingPose:
    """A random pose near another, with a random velocity."""
    n_joints = near.n_joints
    turns = rotations.exp(rng.normal(scale=angle, size=(n_joints, 3)))
    return MovingPose(
        near.root_position + rng.normal(scale=0.1, size=3),
        rotations.multiply(near.local_rotations, turns),
        near.root_velocity + rng.normal(scale=speed, size=3),
        near.angular_velocities + rng.normal(scale=speed, size=(n_joints, 3)),
    )


def assert_pose(motion: Motion, frame: int, wanted: MovingPose) -> None:
    np.testing.assert_allclose(motion.root_positions[frame], wanted.root_position, atol=1e-12)
    assert rotations.angle_between(motion.local_rotations[frame], wanted.local_rotations).max() < 1e-9


@given(seed=st.integers(0, 1000))
@settings(max_examples=20, deadline=None)
def test_displaced_frames_have_exactly_the_pose_that_was_asked_for(make, seed):
    motion, rng = make.motion(120, seed=seed % 7), np.random.default_rng(seed)
    frames = [0, 37, 60, 119]
    matches = [Match(frame, pose_of(rng, read_pose(motion, frame))) for frame in frames]
    displaced = displace(motion, matches[::-1]).motion
    for match in matches:
        assert_pose(displaced, match.frame, match.pose)


@pytest.mark.parametrize("frame", [0, 1500, 3000])
def test_displaced_frames_have_the_velocity_that_was_asked_for(make, frame):
    motion = make.motion(3001, fps=3000.0)
    fine = blending.DisplacementSettings(velocity_seconds=0.0007)
    wanted = pose_of(np.random.default_rng(frame), read_pose(motion, frame, seconds=0.0007))
    displaced = displace(motion, [Match(frame, wanted)], settings=fine).motion
    found = read_pose(displaced, frame, seconds=0.0007)
    np.testing.assert_allclose(found.root_velocity, wanted.root_velocity, atol=0.02)
    np.testing.assert_allclose(found.angular_velocities, wanted.angular_velocities, atol=0.02)


def test_displacement_ends_with_no_value_and_no_slope_at_the_next_match_the_reach_and_the_ends(make):
    motion = replace(make.motion(1201), fps=600.0)
    rng = np.random.default_rng(1)
    first, second = (Match(f, pose_of(rng, read_pose(motion, f))) for f in (150, 450))
    settings_ = blending.DisplacementSettings(reach=1.0)
    alone = displace(motion, [first], settings=settings_).motion
    both = displace(motion, [first, second], settings=settings_).motion
    for displaced, frames in ((alone, [0, 750, 1200]), (both, [0, 1050, 1200])):
        slides = displaced.root_positions - motion.root_positions
        turns = rotations.angle_between(displaced.local_rotations, motion.local_rotations)
        for frame in frames:
            inside = frame + 1 if frame == 0 else frame - 1
            assert np.abs(slides[frame]).max() < 1e-12
            assert turns[frame].max() < 1e-9
            assert np.abs(slides[inside]).max() < 2e-5  # with a slope it would be a hundred times as much
            assert turns[inside].max() < 5e-4
    unmoved = displace(motion, [first, Match(450, read_pose(motion, 450))], settings=settings_).motion
    assert np.abs(unmoved.root_positions[450:] - motion.root_positions[450:]).max() < 1e-12


def test_matches_that_a_motion_already_has_do_not_change_it(make):
    motion = make.motion(90)
    displaced = displace(motion, [Match(f, read_pose(motion, f)) for f in (10, 40, 80)]).motion
    np.testing.assert_allclose(displaced.root_positions, motion.root_positions, atol=1e-12)
    assert rotations.angle_between(displaced.local_rotations, motion.local_rotations).max() < 1e-9
    assert displace(motion, []).motion.n_frames == 90


def test_placed_matches_on_a_placed_motion_give_the_placed_result(make):
    motion, there = make.motion(60), Placement(2.0, np.array([1.0, -3.0]))
    wanted = pose_of(np.random.default_rng(5), read_pose(motion, 30))
    displaced = place(displace(motion, [Match(30, wanted)]).motion, there)
    again = displace(place(motion, there), [Match(30, blending.place_pose(wanted, there))]).motion
    np.testing.assert_allclose(again.root_positions, displaced.root_positions, atol=1e-12)
    assert rotations.angle_between(again.local_rotations, displaced.local_rotations).max() < 1e-9


def test_matches_that_cannot_be_met_are_refused(make):
    motion = make.motion(60)
    pose = read_pose(motion, 30)
    with pytest.raises(BadInput, match=r"match frame 30 is 4 frames from the next match.*at least 9"):
        displace(motion, [Match(30, pose), Match(34, pose)])
    with pytest.raises(BadInput, match=r"match frame 57 is 2 frames from the next match or the motion's end"):
        displace(motion, [Match(57, pose)])
    with pytest.raises(BadInput, match=r"two matches for the same frame"):
        displace(motion, [Match(30, pose), Match(30, pose)])
    with pytest.raises(BadInput, match=r"match frame 60 is out of range: the motion has 60 frames"):
        displace(motion, [Match(60, pose)])
    with pytest.raises(SkeletonMismatch, match="has 4 joints, expected 21"):
        displace(motion, [Match(30, replace(pose, local_rotations=rotations.identity((4,))))])
    with pytest.raises(BadInput, match="the pose for frame 30 has values that are not finite"):
        displace(motion, [Match(30, replace(pose, root_velocity=np.full(3, np.nan)))])


def test_a_match_frame_is_a_whole_number_however_it_is_written(make):
    motion = make.motion(60)
    wanted = pose_of(np.random.default_rng(0), read_pose(motion, 30))
    for frame in (30.0, np.int64(30), np.float32(30)):
        assert_pose(displace(motion, [Match(frame, wanted)]).motion, 30, wanted)
    for frame in (30.5, np.nan, "thirty", None):
        with pytest.raises(BadInput, match="match frame"):
            displace(motion, [Match(frame, wanted)])


@pytest.mark.parametrize("seconds", [np.nan, np.inf, -0.1])
def test_velocities_over_no_length_of_time_are_refused(make, seconds):
    motion = make.motion(20)
    match = "window of a velocity must be 0"
    with pytest.raises(BadInput, match=match):
        read_pose(motion, 5, seconds=seconds)
    with pytest.raises(BadInput, match=match):
        blending.displace_join(motion, motion, leave=10, enter=10, velocity_seconds=seconds)
    with pytest.raises(BadInput, match=match):
        blending.inertialize(motion, motion, leave=10, enter=10, settings=InertiaSettings(velocity_seconds=seconds))


@pytest.mark.parametrize(
    "wrong", [{"max_swing": np.nan}, {"max_swing": -0.1}, {"shortest": np.nan}, {"shortest": -1.0}]
)
def test_swings_that_make_no_sense_are_refused(make, wrong):
    motion = make.motion(20)
    with pytest.raises(BadInput, match=next(iter(wrong))):
        blending.inertialize(motion, motion, leave=10, enter=10, settings=InertiaSettings(**wrong))


def test_a_displaced_single_frame_is_the_pose(make):
    motion = make.motion(1)
    wanted = pose_of(np.random.default_rng(0), read_pose(motion, 0))
    assert_pose(displace(motion, [Match(0, wanted)]).motion, 0, wanted)


def test_displacing_at_a_cut_goes_halfway_and_a_short_side_goes_less(make):
    first, second = make.motion(80, seed=1), make.motion(80, seed=2)
    middle = (first.root_positions[40] + second.root_positions[40]) / 2
    joined = blending.displace_join(first, second, leave=40, enter=40, seconds=0.5).motion
    np.testing.assert_allclose(joined.root_positions[40], middle, atol=1e-12)
    short = blending.displace_join(first, second, leave=10, enter=40, seconds=0.5).motion
    expected = first.root_positions[10] * 0.75 + second.root_positions[40] * 0.25
    np.testing.assert_allclose(short.root_positions[10], expected, atol=1e-12)


def test_inertia_leaves_the_first_motion_alone_and_starts_in_its_pose(make):
    first, second = make.motion(60, seed=1), make.motion(60, seed=2)
    joined = blending.inertialize(first, second, leave=30, enter=10).motion
    np.testing.assert_array_equal(joined.root_positions[:30], first.root_positions[:30])
    np.testing.assert_array_equal(joined.local_rotations[:30], first.local_rotations[:30])
    assert_pose(joined, 30, read_pose(first, 30))


def test_a_fast_offset_swings_no_farther_than_it_may(make):
    still = replace(
        make.motion(200),
        root_positions=np.zeros((200, 3)),
        local_rotations=rotations.identity((200, 21)),
    )
    drift = np.arange(200)[:, None] * [0.0, 0.0, 1.0] / 60  # 1 m/s along z, through the origin at frame 100
    moving = replace(still, root_positions=drift - drift[100])
    guarded = blending.inertialize(moving, still, leave=100, enter=100, seconds=2.0)
    swings = guarded.motion.root_positions[100:, 2]
    assert swings.max() == pytest.approx(0.2, rel=0.02)  # max_swing
    free = blending.inertialize(
        moving, still, leave=100, enter=100, seconds=1.5, settings=InertiaSettings(max_swing=np.inf)
    )
    assert free.motion.root_positions[100:, 2].max() == pytest.approx(1.5 * PEAK_OF_SLOPE, rel=0.02)


@given(turn=TURNS, rates=TURNS)
@settings(max_examples=60, deadline=None)
def test_change_of_the_logarithm_is_what_small_steps_show(turn, rates):
    step = 1e-6
    if abs(np.linalg.norm(turn) - np.pi) < 1e-3:
        return  # the logarithm itself jumps at half turns
    q = rotations.exp(turn)
    ahead, behind = (rotations.log(rotations.multiply(q, rotations.exp(s * rates))) for s in (step, -step))
    np.testing.assert_allclose(
        change_of_log(rotations.log(q), rates), (ahead - behind) / (2 * step), atol=1e-4 * (1 + np.abs(rates).max())
    )


@given(turn=TURNS, rates=TURNS)
@settings(max_examples=60, deadline=None)
def test_rotation_curves_start_at_the_given_rates_and_end_at_rest(turn, rates):
    offset = rotations.exp(turn)
    step = 1e-5
    start, soon, late, end = easing_curves.rotation_fade(offset, rates, np.array([0.0, step, 1 - step, 1.0]))
    assert rotations.angle_between(start, offset) < 1e-9
    found = rotations.log(rotations.multiply(rotations.inverse(start), soon)) / step
    np.testing.assert_allclose(found, rates, atol=1e-3)
    np.testing.assert_allclose(end, rotations.IDENTITY, atol=1e-7)
    assert rotations.angle(late) < 1e-7


def test_rotation_curves_about_one_axis_are_hermite_curves():
    u = np.linspace(0, 1, 21)
    value, slope = easing_curves.hermite_fade(u)
    q = easing_curves.rotation_fade(rotations.exp(np.array([0.7, 0, 0])), np.array([-1.1, 0, 0]), u)
    np.testing.assert_allclose(rotations.log(q)[:, 0], 0.7 * value - 1.1 * slope, atol=1e-12)


@pytest.mark.parametrize(
    ("curve", "order"),
    [
        (easing_curves.ease_c1, 1),
        (easing_curves.ease_c2, 2),
        (easing_curves.fade_value, 2),
        (easing_curves.fade_slope, 0),
    ],
)
def test_curves_leave_and_arrive_as_flat_as_they_say(curve, order):
    h = 1e-3
    start = curve(np.array([0.0, h, 2 * h, 3 * h]))
    end = curve(np.array([1.0, 1 - h, 1 - 2 * h, 1 - 3 * h]))
    for n in range(1, order + 1):
        assert abs(np.diff(start, n)[0]) / h**n < 0.1
    for n in range(1, (2 if order == 0 else order) + 1):
        assert abs(np.diff(end, n)[0]) / h**n < 0.1
    if curve is easing_curves.fade_slope:
        assert (start[1] - start[0]) / h == pytest.approx(1, abs=1e-4)
        assert abs(np.diff(start, 2)[0]) / h**2 < 0.1


def test_a_fade_mixes_by_the_share_that_provenance_tells(make):
    first, second = make.motion(60, seed=1, wildness=0.2), make.motion(60, seed=2, wildness=0.2)
    joined = blending.crossfade(first, second, leave=30, enter=25, seconds=0.3)
    for frame in range(22, 39):
        share = sum(w for source, _, w in joined.provenance.of_frame(frame) if source.name == "second")
        a, b = first.local_rotations[frame], second.local_rotations[frame - 5]
        expected = rotations.slerp(a, b, np.full(21, share))
        assert rotations.angle_between(joined.motion.local_rotations[frame], expected).max() < 1e-9
    assert len(joined.provenance.of_frame(30)) == 2


def test_a_fade_does_not_change_sides_where_motions_turn_past_opposite_of_each_other(make):
    still = replace(make.motion(61), local_rotations=rotations.identity((61, 21)))
    angles = np.pi + np.linspace(-0.6, 0.6, 61)
    turning = rotations.identity((61, 21))
    turning[:, 0] = rotations.about_y(angles)
    joined = blending.crossfade(still, replace(still, local_rotations=turning), leave=33, enter=33, seconds=1.0).motion
    steps = rotations.angle_between(joined.local_rotations[1:, 0], joined.local_rotations[:-1, 0])
    assert steps.max() < 0.25  # changing over would turn by almost half a turn in one frame


def test_a_fade_goes_the_shorter_way_of_its_middle(make):
    still = replace(make.motion(61), local_rotations=rotations.identity((61, 21)))
    turning = rotations.identity((61, 21))
    turning[:, 0] = rotations.about_y(np.linspace(np.pi + 0.6, np.pi - 1.0, 61))  # more than half a turn at first
    joined = blending.crossfade(still, replace(still, local_rotations=turning), leave=30, enter=30, seconds=1.0).motion
    assert rotations.angle_between(joined.local_rotations[30, 0], rotations.about_y((np.pi - 0.2) / 2)) < 1e-9


def test_a_velocity_never_fades_faster_than_it_may(make):
    still = replace(make.motion(200), root_positions=np.zeros((200, 3)), local_rotations=rotations.identity((200, 21)))
    drift = (np.arange(200)[:, None] - 100) * [0.0, 0.0, 60.0] / 60  # 60 m/s: a swing of 0.2 m would be over in a frame
    joined = blending.inertialize(replace(still, root_positions=drift), still, leave=100, enter=100, seconds=1.0).motion
    swings = joined.root_positions[100:, 2]
    assert swings.max() == pytest.approx(60 * 0.15 * PEAK_OF_SLOPE, rel=0.02)
    assert np.flatnonzero(swings).max() == 8  # 0.15 s, though the pose has a whole second


@pytest.mark.parametrize("pose_first", [True, False])
def test_a_single_pose_on_the_way_of_a_motion_does_not_bend_it(make, pose_first):
    times = np.arange(60) / 60
    spin = np.multiply.outer(times, np.tile([0.3, -1.0, 2.0], (21, 1)))
    motion = replace(make.motion(60), root_positions=np.outer(times, [1.0, 0, 2]), local_rotations=rotations.exp(spin))
    pose = cut(motion, 0, 1) if pose_first else cut(motion, 59, 60)
    joined = blending.displace_join(*((pose, motion) if pose_first else (motion, pose))).motion
    np.testing.assert_allclose(joined.root_positions, motion.root_positions, atol=1e-9)
    assert rotations.angle_between(joined.local_rotations, motion.local_rotations).max() < 1e-7


def test_spreading_closes_a_gap_with_parabolas(make):
    first = make.motion(60, seed=1)
    moved = replace(first, root_positions=first.root_positions + [0.4, 0.0, 0.0])
    joined = blending.spread_offset(first, moved, leave=30, enter=30, seconds=10 / 60).motion
    shift = joined.root_positions[:, 0] - first.root_positions[:, 0]
    expected = [0.2 * (i / 10) ** 2 for i in range(11)]
    np.testing.assert_allclose(shift[20:31], expected, atol=1e-12)
    np.testing.assert_allclose(shift[30:41], 0.4 - np.array(expected)[::-1], atol=1e-12)


def test_a_steady_motion_has_its_velocity_everywhere_also_at_its_ends(make):
    spin, drift = np.array([0.3, -1.0, 2.0]), np.array([1.0, 0.2, -0.5])
    times = np.arange(20) / 60
    base = make.motion(20)
    local = rotations.multiply(
        base.local_rotations[:1], rotations.exp(np.multiply.outer(times, np.tile(spin, (21, 1))))
    )
    motion = replace(base, root_positions=np.outer(times, drift), local_rotations=local)
    for frame in (0, 1, 10, 19):
        pose = read_pose(motion, frame)
        np.testing.assert_allclose(pose.root_velocity, drift, atol=1e-9)
        np.testing.assert_allclose(pose.angular_velocities, np.tile(spin, (21, 1)), atol=1e-9)


def test_velocities_at_the_ends_are_those_of_the_end_not_of_half_a_window_ago(make):
    times = np.arange(20) / 60
    accelerating = replace(make.motion(20), root_positions=np.outer(times**2, [3.0, 0, 0]))
    assert read_pose(accelerating, 19).root_velocity[0] == pytest.approx(6 * times[19])
    assert read_pose(accelerating, 0).root_velocity[0] == pytest.approx(0, abs=1e-9)


def test_reading_poses_of_one_frame_and_of_frames_that_are_not_there(make):
    pose = read_pose(make.motion(1), 0)
    assert not pose.root_velocity.any()
    assert not pose.angular_velocities.any()
    with pytest.raises(BadInput, match=r"frame 5 is out of range: the motion has 5 frames"):
        read_pose(make.motion(5), 5)


@given(seed=st.integers(0, 1000), share=st.floats(0, 1))
@settings(max_examples=30, deadline=None)
def test_the_average_of_two_poses_lies_between_them(make, seed, share):
    rng = np.random.default_rng(seed)
    a = read_pose(make.motion(10, seed=seed % 5), 5)
    b = pose_of(rng, a)
    flipped = replace(b, local_rotations=-b.local_rotations)
    middle = blending.average_poses([a, flipped], [1 - share, share])
    expected = rotations.slerp(a.local_rotations, b.local_rotations, np.full(a.n_joints, share))
    assert rotations.angle_between(middle.local_rotations, expected).max() < 1e-8
    np.testing.assert_allclose(middle.root_position, a.root_position * (1 - share) + b.root_position * share)


def test_the_average_has_the_smallest_sum_of_squared_angles():
    rng = np.random.default_rng(3)
    q = rotations.exp(rng.normal(scale=0.6, size=(5, 8, 3)))
    weights = rng.random(5)
    mean = blending.average_rotations(q, weights)

    def badness(candidate: np.ndarray) -> np.ndarray:
        return (weights[:, None] * rotations.angle_between(candidate, q) ** 2).sum(axis=0)

    for _ in range(50):
        nearby = rotations.multiply(mean, rotations.exp(rng.normal(scale=0.05, size=(8, 3))))
        assert (badness(nearby) > badness(mean)).all()


def test_the_average_of_equal_poses_is_the_pose_and_moves_as_they_do(make):
    pose = read_pose(make.motion(10), 5)
    average = blending.average_poses([pose, pose, pose])
    assert rotations.angle_between(average.local_rotations, pose.local_rotations).max() < 1e-9
    np.testing.assert_allclose(average.angular_velocities, pose.angular_velocities, atol=1e-9)
    np.testing.assert_allclose(average.root_velocity, pose.root_velocity)


def test_averages_that_make_no_sense_are_refused(make):
    pose = read_pose(make.motion(10), 5)
    with pytest.raises(BadInput, match="no poses to average"):
        blending.average_poses([])
    for weights in ([1.0], [0.0, 0.0], [1.0, -1.0], [1.0, np.nan]):
        with pytest.raises(BadInput, match="for 2 poses; expected one for each"):
            blending.average_poses([pose, pose], weights)
    broken = replace(pose, angular_velocities=np.full((21, 3), np.nan))
    with pytest.raises(BadInput, match="pose 1 has values that are not finite"):
        blending.average_poses([pose, broken])
    small = replace(pose, local_rotations=pose.local_rotations[:4], angular_velocities=pose.angular_velocities[:4])
    with pytest.raises(SkeletonMismatch, match="poses have 21, 4 joints"):
        blending.average_poses([pose, small])
