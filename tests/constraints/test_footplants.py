"""Planting feet: planted points stay, the rest changes little and smoothly, locked frames stay."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.constraints import FootplantSettings, foot_targets, plant_feet
from motionloom.errors import BadInput
from motionloom.features.contacts import find_runs
from motionloom.features.feet import POINTS, foot_points
from motionloom.motion import Motion, Placement, Skeleton, cut, kinematics, mirror, place, rotations

STEP = 40  # frames of a plant and of a swing


def stroll(make, n_steps=5, slide=0.1, seed=0, fps=60.0):
    """A walk on the spot of the test person whose planted feet skate, sink and rise, and its contacts."""
    rng = np.random.default_rng(seed)
    n_frames = n_steps * STEP
    time = np.arange(n_frames) / 60.0
    skeleton = make.skeleton()
    turns = np.zeros((n_frames, skeleton.n_joints, 3))
    contacts = np.zeros((n_frames, 4), bool)
    for column, side in enumerate(("left", "right")):
        phase = 2 * np.pi * (np.arange(n_frames) / (2 * STEP) + column / 2)
        lift = np.clip(np.sin(phase), 0, None) ** 2
        hip, knee, foot = (skeleton.index(f"{side}_{role}") for role in ("hip", "knee", "foot"))
        wave = slide * np.sin(2 * np.pi * time * rng.uniform(0.2, 0.5, 3)[:, None]).T
        turns[:, hip, 0] = -0.25 - 0.7 * lift + wave[:, 0]
        turns[:, knee, 0] = 0.5 + 1.4 * lift
        turns[:, foot, 0] = -0.25 - 0.3 * lift + wave[:, 1] / 2
        turns[:, hip, 1] = wave[:, 2]
        down = np.sin(phase) < 0.1
        contacts[:, 2 * column] = down & (np.sin(phase - 0.4) < 0.2)  # heels strike first and leave first
        contacts[:, 2 * column + 1] = down & (np.sin(phase + 0.4) < 0.2)
    root = np.stack([0.2 * np.sin(time), 0.90 + 0.01 * np.sin(5 * time), 0.1 * time], axis=-1)
    return Motion(skeleton, root, rotations.exp(turns), fps), contacts


def moves_of(points, contacts):
    """(N,) metres that planted points move from frame to frame."""
    return np.linalg.norm(np.diff(points, axis=0), axis=-1)[contacts[1:] & contacts[:-1]]


def floor_under(motion):
    return float(np.percentile(foot_points(motion, 0.0)[..., 1], 10))


def column_of(plant):
    """Which of the four points of the feet is planted."""
    return POINTS.index(f"{plant.side}_{plant.point}")


def test_planted_points_stay_where_they_are(make):
    motion, contacts = stroll(make)
    floor = floor_under(motion)
    before = foot_points(motion, floor)
    planted = plant_feet(motion, contacts, floor)
    after = foot_points(planted.motion, floor, like=motion)
    assert moves_of(before, contacts).max() > 0.003
    assert planted.report.farthest_before_mm == pytest.approx(1000 * moves_of(before, contacts).max())
    assert moves_of(after, contacts).max() < 1e-4
    for plant in planted.plants:
        there = after[plant.start : plant.stop, column_of(plant)]
        assert np.abs(there - plant.position).max() < 1e-3


@pytest.mark.parametrize("seed", range(12))
def test_any_contacts_of_a_wild_motion_are_kept_or_reported(make, seed):
    rng = np.random.default_rng(seed)
    motion = make.motion(n_frames=60, seed=seed, wildness=0.15)
    contacts = np.repeat(rng.random((10, 4)) < 0.5, 6, axis=0)
    floor = floor_under(motion)
    planted = plant_feet(motion, contacts, floor)
    after = foot_points(planted.motion, floor, like=motion)
    assert np.isfinite(planted.motion.local_rotations).all()
    kept = contacts.copy()
    for miss in planted.report.missed:
        kept[list(miss.frames), column_of(planted.plants[miss.plant])] = False
    assert moves_of(after, kept).max(initial=0.0) < 1e-3
    assert kept.sum() > 0.85 * contacts.sum()
    assert after[..., 1].min() > floor - 0.005


def test_points_in_the_air_do_not_sink(make):
    motion, contacts = stroll(make, slide=0.2)
    floor = floor_under(motion) + 0.03
    before = foot_points(motion, floor)
    planted = plant_feet(motion, contacts, floor)
    after = foot_points(planted.motion, floor, like=motion)
    assert before[..., 1].min() < floor - 0.02
    assert after[..., 1].min() > floor - 0.005
    assert planted.report.deepest_after_mm < 5 < planted.report.deepest_before_mm


def test_only_the_root_and_the_legs_change(make):
    motion, contacts = stroll(make)
    planted = plant_feet(motion, contacts, floor_under(motion)).motion
    legs = [motion.skeleton.index(f"{side}_{role}") for side in ("left", "right") for role in ("hip", "knee", "foot")]
    others = np.setdiff1d(np.arange(motion.skeleton.n_joints), legs)
    np.testing.assert_array_equal(planted.local_rotations[:, others], motion.local_rotations[:, others])
    assert planted.skeleton == motion.skeleton
    np.testing.assert_allclose(np.linalg.norm(planted.local_rotations, axis=-1), 1.0, atol=1e-9)


def test_the_change_begins_and_ends_smoothly(make):
    motion, contacts = stroll(make)
    floor = floor_under(motion)
    planted = plant_feet(motion, contacts, floor).motion
    change = kinematics.world_positions(planted) - kinematics.world_positions(motion)
    ankle = change[:, motion.skeleton.index("left_foot")]
    bends = np.linalg.norm(np.diff(ankle, 2, axis=0), axis=-1) * 60**2
    edges = np.flatnonzero(np.diff(contacts[:-3, :2].any(axis=1).astype(int)))
    assert len(edges) >= 3
    assert bends[np.concatenate([edges - 1, edges, edges + 1])].max() < 10  # m/s2; a jump of 1 cm would be 36


def test_a_plant_far_from_all_others_changes_nothing_far_from_it(make):
    motion, _ = stroll(make, n_steps=12)
    contacts = np.zeros((motion.n_frames, 4), bool)
    contacts[10:30, 1] = True
    planted = plant_feet(motion, contacts, floor_under(motion) - 0.5).motion
    change = np.linalg.norm(kinematics.world_positions(planted) - kinematics.world_positions(motion), axis=-1)
    assert change[10:30].max() > 1e-3
    assert change[30 + 2 * 60 :].max() < 1e-4


def twitch(make, seed):
    """A person who stands on feet that are measured badly, and when they are planted."""
    rng = np.random.default_rng(seed)
    skeleton = make.skeleton()
    turns = np.zeros((160, skeleton.n_joints, 3))
    for side in ("left", "right"):
        hip, knee, foot = (skeleton.index(f"{side}_{role}") for role in ("hip", "knee", "foot"))
        turns[:, hip, 0], turns[:, knee, 0] = -0.3, 0.6
        turns[:, foot] = [-0.3, 0.0, 0.0] + rng.normal(scale=0.1, size=(160, 3))
    contacts = np.zeros((160, 4), bool)
    contacts[40:120] = True
    return Motion(skeleton, np.tile([0.0, 0.91, 0.0], (160, 1)), rotations.exp(turns), 60.0), contacts


def turns_of_feet(first, second):
    """(F, 2) radians between the feet of two motions."""
    feet = [first.skeleton.index(f"{side}_foot") for side in ("left", "right")]
    before, after = (kinematics.world(motion)[1][:, feet] for motion in (first, second))
    return np.linalg.norm(rotations.log(rotations.multiply(rotations.inverse(before), after)), axis=-1)


@pytest.mark.parametrize("seed", range(3))
def test_feet_that_twitch_do_not_turn_over(make, seed):
    motion, contacts = twitch(make, seed)
    planted = plant_feet(motion, contacts, 0.01)
    assert moves_of(foot_points(planted.motion, 0.01, like=motion), contacts).max() < 1e-4
    assert turns_of_feet(motion, planted.motion).max() < np.radians(50)


def test_feet_stay_near_so_that_the_root_moves_less(make):
    motion, contacts = stroll(make)
    short = FootplantSettings(straight=0.95, bent=0.93)  # legs that are asked to stay bent
    held_back, free = (
        plant_feet(motion, contacts, floor_under(motion), settings=replace(short, reach_weight=weight)).report
        for weight in (short.reach_weight, 0.0)
    )
    assert held_back.root_change_mm < 0.9 * free.root_change_mm


def test_without_contacts_nothing_changes(make):
    motion, contacts = stroll(make)
    planted = plant_feet(motion, np.zeros_like(contacts), floor_under(motion))
    np.testing.assert_array_equal(planted.motion.local_rotations, motion.local_rotations)
    np.testing.assert_array_equal(planted.motion.root_positions, motion.root_positions)
    assert planted.plants == ()
    assert planted.report.mean_change_mm == 0


def test_a_planted_motion_stays_as_it_is(make):
    motion, contacts = stroll(make)
    floor = floor_under(motion)
    once = plant_feet(motion, contacts, floor)
    twice = plant_feet(once.motion, contacts, floor)
    assert twice.report.mean_change_mm < 0.25 * once.report.mean_change_mm


@pytest.mark.parametrize("n_frames", [1, 2, 3, 4])
def test_very_short_motions_are_planted_too(make, n_frames):
    motion, contacts = stroll(make)
    short, flags = cut(motion, 20, 20 + n_frames), contacts[20 : 20 + n_frames]
    planted = plant_feet(short, flags, floor_under(short))
    after = foot_points(planted.motion, floor_under(short), like=short)
    assert flags.any()
    assert moves_of(after, flags).max(initial=0.0) < 1e-4


def test_it_does_not_matter_where_the_motion_is(make):
    motion, contacts = stroll(make)
    floor = floor_under(motion)
    placement = Placement(2.1, np.array([3.0, -5.0]))
    first = place(plant_feet(motion, contacts, floor).motion, placement)
    second = plant_feet(place(motion, placement), contacts, floor).motion
    apart = kinematics.world_positions(first) - kinematics.world_positions(second)
    assert np.abs(apart).max() < 1e-3


def test_left_and_right_are_treated_alike(make):
    motion, contacts = stroll(make)
    floor = floor_under(motion)
    first = mirror(plant_feet(motion, contacts, floor).motion)
    second = plant_feet(mirror(motion), contacts[:, [2, 3, 0, 1]], floor).motion
    apart = kinematics.world_positions(first) - kinematics.world_positions(second)
    assert np.abs(apart).max() < 1e-3


def enlarge(motion, factor):
    skeleton = motion.skeleton
    larger = replace(skeleton, offsets=factor * skeleton.offsets, end_offsets=factor * skeleton.end_offsets)
    return replace(motion, skeleton=larger, root_positions=factor * motion.root_positions)


@pytest.mark.parametrize("factor", [0.2, 5.0, 50.0])
def test_small_and_large_bodies_change_in_proportion(make, factor, monkeypatch):
    monkeypatch.setattr(foot_targets, "SETTLED", 1e-5)  # to the end, where rounding does not decide
    monkeypatch.setattr(foot_targets, "PATIENT", foot_targets.MAX_ITERATIONS)
    motion, contacts = stroll(make)
    contacts[:, ::2] = False  # soles are as thick on all bodies: heels are left out of it, and how high feet rest
    settings = FootplantSettings(straight=0.95, bent=0.93)  # so that the root has to move
    usual = plant_feet(motion, contacts, -1.0, settings=settings).motion
    assert np.abs(usual.root_positions - motion.root_positions).max() > 0.002
    other = plant_feet(enlarge(motion, factor), contacts, -factor, settings=settings).motion
    apart = kinematics.world_positions(other) / factor - kinematics.world_positions(usual)
    assert np.abs(apart).max() < 1e-4


def test_demands_that_no_foot_can_meet_end_in_no_wild_motion(make):
    """A person of 2 cm, of whose feet heels cannot be found."""
    motion, contacts = stroll(make)
    tiny = enlarge(motion, 0.01)
    planted = plant_feet(tiny, contacts, 0.01 * floor_under(motion))
    change = kinematics.world_positions(planted.motion) - kinematics.world_positions(tiny)
    assert np.abs(change).max() < 0.02


def test_the_sign_of_quaternions_does_not_matter(make):
    motion, contacts = stroll(make)
    floor = floor_under(motion)
    signs = np.where(np.random.default_rng(0).random(motion.local_rotations.shape[:2]) < 0.5, -1.0, 1.0)[..., None]
    first = plant_feet(motion, contacts, floor).motion
    second = plant_feet(replace(motion, local_rotations=signs * motion.local_rotations), contacts, floor).motion
    apart = kinematics.world_positions(first) - kinematics.world_positions(second)
    assert np.abs(apart).max() < 1e-9


def test_the_same_motion_is_planted_the_same_each_time(make):
    motion, contacts = stroll(make)
    first, second = (plant_feet(motion, contacts, floor_under(motion)).motion for _ in range(2))
    np.testing.assert_array_equal(first.local_rotations, second.local_rotations)
    np.testing.assert_array_equal(first.root_positions, second.root_positions)


@pytest.mark.parametrize("kind", ["all", "every second", "single", "first", "last"])
def test_odd_contacts_are_kept_and_turn_no_foot_over(make, kind):
    motion, _ = stroll(make)
    contacts = np.zeros((motion.n_frames, 4), bool)
    contacts[
        {"all": slice(None), "every second": slice(None, None, 2), "single": [20, 60, 101], "first": 0, "last": -1}[
            kind
        ]
    ] = True
    floor = floor_under(motion)
    planted = plant_feet(motion, contacts, floor)
    after = foot_points(planted.motion, floor, like=motion)
    assert planted.report.missed == ()
    assert moves_of(after, contacts).max(initial=0.0) < 1e-4
    assert turns_of_feet(motion, planted.motion).max() < np.radians(45)


def test_the_rate_does_not_change_the_look(make):
    motion, contacts = stroll(make)
    floor = floor_under(motion)
    every_second = replace(
        motion, root_positions=motion.root_positions[::2], local_rotations=motion.local_rotations[::2]
    )
    slow = plant_feet(replace(every_second, fps=30.0), contacts[::2], floor).motion
    fast = plant_feet(motion, contacts, floor).motion
    apart = kinematics.world_positions(slow) - kinematics.world_positions(fast)[::2]
    assert np.abs(apart).mean() < 0.001
    assert moves_of(foot_points(slow, floor, like=motion), contacts[::2]).max() < 1e-4


def test_heel_and_ball_of_a_flat_foot_are_as_far_apart_as_they_are(make):
    motion, contacts = stroll(make)
    floor = floor_under(motion)
    planted = plant_feet(motion, contacts, floor)
    length = np.linalg.norm(np.diff(foot_points(motion, floor)[:, :2], axis=1), axis=-1)
    assert np.ptp(length) < 1e-9
    heels = [p for p in planted.plants if (p.side, p.point) == ("left", "heel")]
    balls = [p for p in planted.plants if (p.side, p.point) == ("left", "ball")]
    pairs = [(h, b) for h in heels for b in balls if max(h.start, b.start) < min(h.stop, b.stop)]
    assert len(pairs) >= 2
    for heel, ball in pairs:
        assert np.linalg.norm(heel.position - ball.position) == pytest.approx(length[0], abs=1e-4)


def test_plants_are_the_runs_of_the_contacts(make):
    motion, contacts = stroll(make)
    planted = plant_feet(motion, contacts, floor_under(motion))
    found = sorted((column_of(p), p.start, p.stop) for p in planted.plants)
    assert found == sorted((k, a, b) for k in range(4) for a, b in find_runs(contacts[:, k]))


def test_a_foot_that_nobody_has_is_left_alone_and_its_contacts_are_refused(make):
    motion, contacts = stroll(make)
    roles = dict.fromkeys(("right_hip", "right_knee", "right_foot", "right_ball"))
    one_legged = replace(motion, skeleton=motion.skeleton.with_roles(roles))
    left = contacts & np.array([True, True, False, False])
    planted = plant_feet(one_legged, left, floor_under(motion))
    assert moves_of(foot_points(planted.motion, floor_under(motion), like=one_legged), left).max() < 1e-4
    with pytest.raises(BadInput, match="right_heel"):
        plant_feet(one_legged, contacts, floor_under(motion))


def test_skeletons_without_legs_are_refused():
    snake = Skeleton(("a", "b"), np.array([-1, 0]), np.array([[0, 0, 0], [0, 0, 1.0]]), name="snake")
    motion = Motion(snake, np.zeros((3, 3)), rotations.identity((3, 2)), 60.0)
    with pytest.raises(BadInput, match=r"snake.*left_hip.*with_roles"):
        plant_feet(motion, np.zeros((3, 4), bool))


def test_bad_input_is_refused_in_one_sentence(make):
    motion, contacts = stroll(make)
    broken = motion.root_positions.copy()
    broken[7, 1] = np.nan
    with pytest.raises(BadInput, match="frame 7 of the motion has values that are not finite"):
        plant_feet(replace(motion, root_positions=broken), contacts)
    with pytest.raises(BadInput, match="no frames"):
        plant_feet(replace(motion, root_positions=broken[:0], local_rotations=motion.local_rotations[:0]), contacts[:0])
    with pytest.raises(BadInput, match=r"contacts have shape \(200, 2\).*left_heel"):
        plant_feet(motion, contacts[:, :2])
    with pytest.raises(BadInput, match="contacts have type float64, expected bool"):
        plant_feet(motion, contacts.astype(float))
    with pytest.raises(BadInput, match="floor"):
        plant_feet(motion, contacts, float("nan"))
    with pytest.raises(BadInput, match=r"locked frame 200 is out of range: the motion has 200 frames"):
        plant_feet(motion, contacts, locked=[3, 200])


@pytest.mark.parametrize("seed", [3, 13])
def test_feet_at_the_end_of_their_reach_settle(make, seed):
    """Legs that are pulled to and fro across the end of their reach: more iterations change nothing any more."""
    rng = np.random.default_rng(seed)
    motion, contacts = stroll(make, seed=seed, slide=0.15)
    root, along = motion.root_positions.copy(), np.linspace(0, 1, motion.n_frames)
    root[:, 0] += rng.uniform(0.1, 0.5) * np.sin(2 * np.pi * along * rng.uniform(0.5, 2))
    root[:, 2] += rng.uniform(0.2, 1.2) * along
    motion = replace(motion, root_positions=root + np.array([0.0, 0.02, 0.0]))
    floor = floor_under(motion)
    usual, long = (
        plant_feet(motion, contacts, floor, settings=FootplantSettings(max_iterations=count)).motion
        for count in (foot_targets.MAX_ITERATIONS, 200)
    )
    assert np.abs(usual.root_positions - long.root_positions).max() < 5e-4
