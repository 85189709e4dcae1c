"""Path editing: motions that end or pass where they shall, bent as little as that takes."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from motionloom.constraints.path_deformation import PathBendSettings, Pin, bend
from motionloom.constraints.path_editing import GroundTarget, PathSettings, bend_path
from motionloom.errors import BadInput
from motionloom.features.facing import find_facing
from motionloom.motion import (
    Motion,
    Placement,
    concatenate,
    cut,
    kinematics,
    place,
    resample,
    rotations,
    sample,
    two_bone_ik,
)
from motionloom.motion.placement import direction_of, turn_ground

FPS = 60.0
WALK_FRAMES = 300


@pytest.fixture(scope="module")
def walk(make):
    """Five seconds straight along +z with flat feet that stand still: the motion and its contacts."""
    skeleton, times = make.skeleton(), np.arange(WALK_FRAMES) / FPS
    speed, stance, cycle = 0.9, 0.62, 1.1
    root = np.stack([np.zeros_like(times), np.full_like(times, 0.86), speed * times], axis=-1)
    local = rotations.identity((WALK_FRAMES, skeleton.n_joints))
    contacts = np.zeros((WALK_FRAMES, 4), bool)
    for number, side in enumerate(("left", "right")):
        step, within = np.divmod(times + number * cycle / 2, cycle)
        u = np.clip((within - stance) / (cycle - stance), 0, 1)
        along = speed * (
            step * cycle - number * cycle / 2 + stance / 2 + (u - np.sin(2 * np.pi * u) / (2 * np.pi)) * cycle
        )
        height = 0.07 + 0.12 * np.sin(np.pi * u) ** 2
        ankles = np.stack([np.full_like(times, 0.09 - 0.18 * number), height, along], axis=-1)
        flat = rotations.identity((WALK_FRAMES,))
        local, _ = two_bone_ik.reach(skeleton, root, local, f"{side}_leg", ankles, end_rotations=flat)
        contacts[:, 2 * number : 2 * number + 2] = (within < stance)[:, None]
    return Motion(skeleton, root, local, FPS), contacts


def facing(motion):
    return find_facing(motion.skeleton, kinematics.world_positions(motion))


def wrapped(angle):
    return (np.asarray(angle) + np.pi) % (2 * np.pi) - np.pi


@settings(max_examples=25, deadline=None)
@given(st.floats(-2, 2), st.floats(-2, 2), st.floats(-np.pi, np.pi), st.floats(-np.pi, np.pi))
def test_a_motion_ends_where_it_shall_and_starts_where_it_did(walk, x, z, turn, placed):
    motion = place(walk[0], Placement(placed, np.array([z, x])))
    headings, ground = facing(motion)
    bent = bend_path(motion, [GroundTarget(-1, ground[-1] + [x, z], headings[-1] + turn)])
    new_headings, new_ground = facing(bent.motion)
    np.testing.assert_allclose(new_ground[-1], ground[-1] + [x, z], atol=1e-6)
    np.testing.assert_allclose(wrapped(new_headings[-1] - headings[-1] - turn), 0.0, atol=1e-6)
    np.testing.assert_allclose(new_ground[0], ground[0], atol=1e-9)
    np.testing.assert_allclose(wrapped(new_headings[0] - headings[0]), 0.0, atol=1e-9)
    assert bent.report.all_met


def test_poses_are_only_moved_over_the_ground(walk):
    motion, _ = walk
    bent = bend_path(motion, [GroundTarget(-1, (1.0, 4.0), 0.5)]).motion
    np.testing.assert_array_equal(bent.local_rotations[:, 1:], motion.local_rotations[:, 1:])
    np.testing.assert_allclose(bent.root_positions[:, 1], motion.root_positions[:, 1], atol=1e-12)


def test_what_is_met_already_changes_nothing(walk):
    motion, _ = walk
    headings, ground = facing(motion)
    met = [GroundTarget(150, ground[150], headings[150] - 2 * np.pi), GroundTarget(-1, ground[-1])]
    for targets in (met, []):
        bent = bend_path(motion, targets)
        np.testing.assert_array_equal(bent.motion.root_positions, motion.root_positions)
        np.testing.assert_array_equal(bent.motion.local_rotations, motion.local_rotations)
        assert bent.report.all_met and bent.report.stretch == 0


@settings(max_examples=15, deadline=None)
@example(5.0, -3.0, 2, True)
@example(10.0, 0.0, 60, False)
@given(st.floats(-100, 100), st.floats(-100, 100), st.integers(2, 60), st.booleans())
def test_even_absurd_targets_are_met_and_the_cost_is_reported(walk, x, z, n_frames, asks_heading):
    motion = cut(walk[0], 0, n_frames)
    _, ground = facing(motion)
    bent = bend_path(motion, [GroundTarget(-1, (x, z), 2.5 if asks_heading else None)])
    np.testing.assert_allclose(facing(bent.motion)[1][-1], [x, z], atol=1e-5)
    assert bent.report.all_met
    far = np.linalg.norm(np.array([x, z]) - ground[0])
    length = np.linalg.norm(ground[-1] - ground[0])
    assert 1 + bent.report.length_change >= 0.999 * far / length - 1e-9


def test_a_jump_between_two_frames_is_met_where_it_is_asked_for(walk):
    motion, _ = walk
    _, ground = facing(motion)
    places = ground[150], ground[151] + [0.5, 0.0]
    bent = bend_path(motion, [GroundTarget(150, places[0]), GroundTarget(151, places[1])])
    np.testing.assert_allclose(facing(bent.motion)[1][[150, 151]], places, atol=1e-6)
    assert bent.report.all_met
    assert bent.report.stretch > 1  # of a step that had 15 mm


def test_targets_in_every_frame_are_all_met(walk):
    motion = cut(walk[0], 0, 25)
    headings, ground = facing(motion)
    wanted = ground + np.linspace(0, 0.2, 25)[:, None] * [1.0, 0.5]
    turned = headings + 0.1 * np.sin(np.arange(25) / 8)
    bent = bend_path(motion, [GroundTarget(f, wanted[f], turned[f]) for f in range(25)])
    assert bent.report.all_met
    np.testing.assert_allclose(facing(bent.motion)[1], wanted, atol=1e-6)
    np.testing.assert_allclose(wrapped(facing(bent.motion)[0] - turned), 0.0, atol=1e-6)


def test_feet_that_cannot_follow_do_not_carry_the_body_away(walk):
    """Standing for three seconds, asked to be 2 metres away: the report says what was given up."""
    motion, contacts = walk
    stand, stands = concatenate([cut(motion, 60, 61)] * 180), np.repeat(contacts[60:61], 180, axis=0)
    _, ground = facing(stand)
    bent = bend_path(stand, [GroundTarget(-1, ground[0] + [2.0, 0.0])], stands)
    missed = np.linalg.norm(facing(bent.motion)[1][-1] - ground[0] - [2.0, 0.0])
    assert missed <= 2.0  # no worse than doing nothing
    assert bent.report.stretch > 5
    assert bent.report.planting.missed or not bent.report.all_met
    assert bent.report.all_met == (missed <= 0.001)
    if not bent.report.all_met:
        assert "planting the feet moved the body off it" in bent.report.sentences()[0]


@pytest.mark.parametrize("fps", [30.0, 120.0])
def test_a_bend_is_the_same_at_another_rate(walk, fps):
    motion, _ = walk
    target = GroundTarget(-1, (1.0, 4.0), 0.5)
    usual, other = bend_path(motion, [target]), bend_path(resample(motion, fps), [target])
    assert other.report.all_met
    times = np.arange(other.motion.n_frames) * FPS / fps
    expected = sample(usual.motion, times).root_positions
    np.testing.assert_allclose(other.motion.root_positions[:-2], expected[:-2], atol=0.02)  # it ends a frame apart


def test_one_round_of_planting_may_miss_and_says_why(walk):
    motion, contacts = walk
    headings, ground = facing(motion)
    target = GroundTarget(-1, ground[-1] + [2.0, 1.5], headings[-1] - 0.5)
    strict = PathSettings(rounds=1, position_tolerance=1e-7, heading_tolerance=1e-7)
    bent = bend_path(motion, [target], contacts, settings=strict)
    assert not bent.report.all_met
    assert "planting the feet moved the body off it" in bent.report.sentences()[0]


def test_a_bend_does_not_depend_on_where_the_motion_is(walk):
    motion, _ = walk
    placement = Placement(2.1, np.array([3.0, -5.0]))
    target, moved = np.array([1.0, 3.5]), turn_ground(np.array([1.0, 3.5]), 2.1) + placement.slide
    first = place(bend_path(motion, [GroundTarget(-1, target, 0.6)]).motion, placement)
    second = bend_path(place(motion, placement), [GroundTarget(-1, moved, 0.6 + 2.1)]).motion
    np.testing.assert_allclose(first.root_positions, second.root_positions, atol=1e-8)


def test_a_turn_alone_bends_the_walk_into_an_arc(walk):
    motion, _ = walk
    bent = bend_path(motion, [GroundTarget(-1, None, 1.0)])
    headings, ground = facing(bent.motion)
    assert bent.report.stretch < 1e-9
    assert np.diff(headings).min() > 0
    # the body goes on looking along its path
    steps = np.diff(ground, axis=0)
    along = direction_of((headings[1:] + headings[:-1]) / 2)
    np.testing.assert_allclose((steps * along).sum(1), np.linalg.norm(steps, axis=1), rtol=1e-9)


def test_passing_targets_are_met_and_nothing_kinks_there(walk):
    motion, _ = walk
    _, ground = facing(motion)
    aside = ground[150] + np.array([0.6, 0.0])
    bent = bend_path(motion, [GroundTarget(150, aside), GroundTarget(-1, ground[-1], 0.0)])
    headings, new_ground = facing(bent.motion)
    np.testing.assert_allclose(new_ground[150], aside, atol=1e-6)
    np.testing.assert_allclose(new_ground[-1], ground[-1], atol=1e-6)
    assert np.abs(np.diff(new_ground, 2, axis=0)).max() * FPS**2 < 2.0  # metres per second squared
    assert np.abs(np.diff(headings, 2)).max() * FPS**2 < 3.0  # radians per second squared


def test_headings_wind_on_from_target_to_target(walk):
    motion, _ = walk
    targets = [GroundTarget(f, None, heading) for f, heading in ((99, 2.0), (199, 4.0), (299, 6.0))]
    headings, _ = facing(bend_path(motion, targets).motion)
    np.testing.assert_allclose((headings - headings[0])[[99, 199, 299]], [2.0, 4.0, 6.0], atol=1e-6)


def test_a_standing_part_is_left_alone():
    """Walk, stand, walk: the change goes into the walking."""
    speed = np.concatenate([np.full(200, 1.0), np.zeros(200), np.full(200, 1.0)]) / FPS
    ground = np.stack([np.zeros(601), np.concatenate([[0.0], np.cumsum(speed)])], axis=-1)
    bent = bend(ground, np.zeros(601), FPS, [Pin(600, ground[-1] + [0.5, 0.5], 0.4)])
    moved = np.linalg.norm(np.diff(bent.ground, axis=0), axis=1)[230:370].sum()
    assert moved < 0.02
    assert abs(bent.turns[370] - bent.turns[230]) < 0.02
    np.testing.assert_allclose(bent.ground[-1], ground[-1] + [0.5, 0.5], atol=1e-9)


def test_a_turn_on_the_spot_takes_a_change_of_heading():
    headings = np.concatenate([np.zeros(100), np.linspace(0, 1.5, 100), np.full(100, 1.5)])
    bent = bend(np.zeros((300, 2)), headings, FPS, [Pin(299, np.zeros(2), 0.3)])
    assert bent.turns[220] - bent.turns[80] > 0.25


@pytest.mark.parametrize(("away", "turn"), [((0.5, -0.2), 0.5), ((-2.0, -2.5), -1.5), ((4.0, 3.0), 2.5)])
def test_the_bend_is_as_cheap_as_a_plain_search_finds(away, turn):
    """The twin: scipy's search over all strains, distortion written out as a sum."""
    from scipy.optimize import minimize

    n, fps = 16, 10.0
    rule = PathBendSettings(gait=0.0)
    ground = np.stack([0.2 * np.sin(np.arange(n) / 6), 0.15 * np.arange(n)], axis=-1)
    headings = 0.08 * np.arange(n)
    target = ground[-1] + away
    steps = np.diff(ground, axis=0)
    speed = np.linalg.norm(steps, axis=1)
    along = steps / speed[:, None]
    side = np.stack([along[:, 1], -along[:, 0]], axis=-1)
    travel = speed + rule.creep / fps
    turnable = travel + rule.lever * 0.08

    def cost(flat):
        total = 0.0
        weights = (1.0, travel), (rule.shear_weight, travel), (rule.lever**2, turnable)
        for values, (weight, length) in zip(flat.reshape(3, n - 1), weights):
            total += weight * (length * values**2).sum()
            between = np.minimum(length[1:], length[:-1])
            total += weight * (rule.smoothing * fps) ** 2 * (between * np.diff(values) ** 2).sum()
        return total

    def end(flat):
        stretch, shear, turning = flat.reshape(3, n - 1)
        heading, place = 0.0, ground[0]
        for f in range(n - 1):
            new_heading = heading + turnable[f] * turning[f]
            step = steps[f] + travel[f] * (stretch[f] * along[f] + shear[f] * side[f])
            place, heading = place + turn_ground(step, (heading + new_heading) / 2), new_heading
        return np.array([*(place - target), heading - turn])

    twin = minimize(cost, np.zeros(3 * (n - 1)), constraints=[{"type": "eq", "fun": end}], options={"maxiter": 200})
    bent = bend(ground, headings, fps, [Pin(n - 1, target, turn)], settings=rule)
    ours = np.concatenate([bent.stretch, bent.sidestep, bent.turning])
    np.testing.assert_allclose(end(ours), 0.0, atol=1e-9)
    assert cost(ours) <= 1.0001 * twin.fun


def test_a_large_bend_turns_with_its_path_and_does_not_go_sideways():
    """Half a circle, asked to end far behind the start: seeking in shares finds a bend, not the plain way out."""
    turns = np.linspace(0, np.pi, 200)
    ground = np.cumsum(1.2 / FPS * direction_of(turns), axis=0)
    bent = bend(ground, turns, FPS, [Pin(199, ground[-1] + [-9.0, 6.0], None)])
    np.testing.assert_allclose(bent.ground[-1], ground[-1] + [-9.0, 6.0], atol=1e-9)
    assert np.abs(bent.turns).max() > 0.5
    assert np.abs(bent.sidestep).max() < 0.2 * np.abs(bent.stretch).max()


def test_a_free_start_needs_no_bending_for_one_target(walk):
    motion, _ = walk
    bent = bend_path(motion, [GroundTarget(-1, (7.0, 1.0), 2.0)], settings=PathSettings(is_start_free=True))
    assert bent.report.all_met
    assert max(bent.report.stretch, bent.report.sidestep, bent.report.turning) < 1e-9


def test_a_target_in_the_first_frame_moves_the_start(walk):
    motion, _ = walk
    bent = bend_path(motion, [GroundTarget(0, (1.0, 0.0)), GroundTarget(-1, (1.0, 4.0), 0.0)])
    headings, ground = facing(bent.motion)
    np.testing.assert_allclose(ground[0], [1.0, 0.0], atol=1e-9)
    np.testing.assert_allclose(headings[0], 0.0, atol=1e-6)
    assert bent.report.all_met


def test_feet_stay_planted_and_the_end_is_met_all_the_same(walk):
    motion, contacts = walk
    headings, ground = facing(motion)
    target = GroundTarget(-1, ground[-1] + [0.6, 0.4], headings[-1] - 0.5)
    bent = bend_path(motion, [target], contacts)
    assert bent.report.all_met
    assert bent.report.planting is not None
    assert bent.report.planting.farthest_before_mm > 1.0
    assert bent.report.planting.farthest_after_mm < 0.1
    new_headings, new_ground = facing(bent.motion)
    np.testing.assert_allclose(new_ground[[0, -1]], [ground[0], target.position], atol=1e-4)
    np.testing.assert_allclose(wrapped(new_headings[-1] - target.heading), 0.0, atol=1e-4)


def test_contradicting_targets_get_a_compromise_and_are_named(walk):
    motion, _ = walk
    bent = bend_path(motion, [GroundTarget(-1, (1.0, 4.0)), GroundTarget(-1, (-1.0, 4.0))])
    np.testing.assert_allclose(facing(bent.motion)[1][-1], [0.0, 4.0], atol=1e-4)
    assert not bent.report.all_met
    assert len(bent.report.sentences()) == 2
    assert "frame 299 misses its target by 1000.0 mm" in bent.report.sentences()[0]


def test_a_motion_of_one_frame_goes_to_its_target_and_none_changes_nothing(make):
    motion = make.motion(1)
    bent = bend_path(motion, [GroundTarget(0, (2.0, 3.0), 1.0)])
    headings, ground = facing(bent.motion)
    np.testing.assert_allclose(ground[0], [2.0, 3.0], atol=1e-9)
    np.testing.assert_allclose(wrapped(headings[0] - 1.0), 0.0, atol=1e-6)
    same = bend_path(make.motion(5), [])
    np.testing.assert_allclose(same.motion.root_positions, make.motion(5).root_positions, atol=1e-12)


@pytest.mark.parametrize(
    ("target", "message"),
    [
        (GroundTarget(9, (0, 0)), r"target 0: frame 9 is out of range: the motion has 5 frames"),
        (GroundTarget(-6, (0, 0)), "frame -6"),
        (GroundTarget(0), "neither a position nor a heading"),
        (GroundTarget(0, (np.nan, 0)), "2 finite numbers"),
        (GroundTarget(0, (1, 2, 3)), "2 finite numbers"),
        (GroundTarget(0, None, np.inf), "give radians"),
        (GroundTarget(2.0, (0, 0)), r"target 0: frame must be an integer, got 2\.0"),
    ],
)
def test_targets_that_make_no_sense_are_refused(make, target, message):
    with pytest.raises(BadInput, match=message):
        bend_path(make.motion(5), [target])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rounds": 0}, "rounds must be at least 1, got 0"),
        ({"position_tolerance": 0.0}, "position_tolerance must be finite and above 0, got 0.0"),
        ({"heading_tolerance": np.nan}, "heading_tolerance must be finite and above 0, got nan"),
        ({"bending": PathBendSettings(lever=0.0)}, "lever of path editing must be finite and above 0, got 0.0"),
        ({"bending": PathBendSettings(creep=-1.0)}, "creep of path editing must be finite and above 0, got -1.0"),
        ({"bending": PathBendSettings(gait=-1.0)}, "gait of path editing must be 0 to 60 seconds, got -1.0"),
        ({"bending": PathBendSettings(smoothing=np.nan)}, "smoothing of path editing must be 0 to 60 seconds, got nan"),
    ],
)
def test_settings_that_make_no_sense_are_refused(make, change, message):
    with pytest.raises(BadInput, match=message):
        bend_path(make.motion(5), [GroundTarget(-1, (0, 0))], settings=PathSettings(**change))


def test_broken_motions_and_contacts_are_refused(make, walk):
    motion = make.motion(5)
    root = motion.root_positions.copy()
    root[2] = np.nan
    with pytest.raises(BadInput, match="frame 2"):
        bend_path(Motion(motion.skeleton, root, motion.local_rotations, FPS), [GroundTarget(-1, (0, 0))])
    with pytest.raises(BadInput, match="contacts"):
        bend_path(walk[0], [GroundTarget(-1, (0, 0))], walk[1][:7])
    with pytest.raises(BadInput, match="the motion has no frames"):
        bend_path(Motion(motion.skeleton, root[:0], motion.local_rotations[:0], FPS), [])
