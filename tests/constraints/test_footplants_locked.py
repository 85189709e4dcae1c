"""Locked frames: root and feet stay, the change leaves them with no slope, and what cannot be met is reported."""

import tracemalloc

import numpy as np
import pytest

from motionloom.constraints import plant_feet
from motionloom.constraints.footplant_demands import PlantRules, demand_plants
from motionloom.features.feet import POINTS, foot_points
from motionloom.motion import Motion, kinematics, rotations

FLOOR = 0.01  # metres; a little above where the feet are now and then
N_FRAMES = 160


@pytest.fixture
def skating(make):
    """A person who stands with bent knees and slides about, with all four points in contact, then lifts the left."""
    time = np.arange(N_FRAMES) / 60.0
    skeleton = make.skeleton()
    turns = np.zeros((N_FRAMES, skeleton.n_joints, 3))
    for side in ("left", "right"):
        hip, knee, foot = (skeleton.index(f"{side}_{role}") for role in ("hip", "knee", "foot"))
        turns[:, hip, 0], turns[:, knee, 0], turns[:, foot, 0] = -0.3, 0.6, -0.3
    turns[:, skeleton.index("left_hip"), 0] += 0.01 * np.sin(3 * time)
    root = np.stack([0.02 * np.sin(1.3 * time), 0.91 + 0.002 * np.sin(2 * time), 0.02 * np.sin(time)], axis=-1)
    contacts = np.ones((N_FRAMES, 4), bool)
    contacts[100:140, :2] = False
    return Motion(skeleton, root, rotations.exp(turns), 60.0), contacts


def change_of(planted, motion):
    """(F, J, 3) metres that joints moved."""
    return kinematics.world_positions(planted.motion) - kinematics.world_positions(motion)


@pytest.mark.parametrize("locked", [[50], [0], [N_FRAMES - 1], [20, 120], [50, 51, 52]])
def test_locked_frames_stay_to_the_last_bit(skating, locked):
    motion, contacts = skating
    planted = plant_feet(motion, contacts, FLOOR, locked=locked).motion
    np.testing.assert_array_equal(planted.root_positions[locked], motion.root_positions[locked])
    np.testing.assert_array_equal(planted.local_rotations[locked], motion.local_rotations[locked])


@pytest.mark.parametrize("locked", [[50], [120]])
def test_the_change_has_no_slope_at_a_locked_frame(skating, locked):
    motion, contacts = skating
    free = np.linalg.norm(change_of(plant_feet(motion, contacts, FLOOR), motion), axis=-1)
    change = np.linalg.norm(change_of(plant_feet(motion, contacts, FLOOR, locked=locked), motion), axis=-1)
    assert free[locked].max() > 0.003
    assert change[locked[0] - 1 : locked[0] + 2].max() < 1e-6
    assert change[locked[0] - 2 : locked[0] + 3].max() < 1e-3  # and it leaves slowly


def test_a_plant_through_a_locked_frame_is_where_that_frame_has_it(skating):
    motion, contacts = skating
    planted = plant_feet(motion, contacts, FLOOR, locked=[50])
    before = foot_points(motion, FLOOR)
    for plant in planted.plants:
        if plant.start <= 50 < plant.stop:
            assert np.linalg.norm(plant.position - before[50, POINTS.index(f"{plant.side}_{plant.point}")]) < 0.005
    after = foot_points(planted.motion, FLOOR, like=motion)
    moves = np.linalg.norm(np.diff(after, axis=0), axis=-1)
    moves[~(contacts[1:] & contacts[:-1])] = 0
    assert moves.max() < 1e-3


def test_locked_frames_that_disagree_are_joined_by_a_glide_and_reported(skating):
    motion, contacts = skating
    planted = plant_feet(motion, contacts, FLOOR, locked=[20, 80])
    found = {(d.point, d.first, d.second): d.millimetres for d in planted.report.disagreements}
    before = foot_points(motion, FLOOR)
    for column, point in enumerate(("left_heel", "left_ball", "right_heel", "right_ball")):
        apart = 1000 * np.linalg.norm(before[79, column] - before[21, column])  # beside the locks all is held too
        assert found[point, 21, 79] == pytest.approx(apart)
    after = foot_points(planted.motion, FLOOR, like=motion)
    moves = 60 * np.linalg.norm(np.diff(after[20:81], axis=0), axis=-1)  # metres per second
    assert moves.max() < 3 * np.linalg.norm(before[80] - before[20], axis=-1).max()  # in a second: no jump
    assert any(miss.out_of_reach_mm < 0.01 for miss in planted.report.missed)


def test_many_locked_frames_need_little_memory():
    points, contacts = np.zeros((4000, 4, 3)), np.ones((4000, 4), bool)
    rules = PlantRules(clearance=0.002, other_support=0.03, short_swing=0.15, lock_fade=0.1, spread=0.15)
    tracemalloc.start()
    demands = demand_plants(points, contacts, np.arange(4000), 60.0, 0.0, rules)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert demands.held.all()
    assert peak < 20e6  # bytes; every frame against every locked one would be 128e6


@pytest.mark.parametrize("locks", [[0], [9], [4], [2, 7], [0, 9], list(range(10))])
def test_points_keep_their_velocity_at_locked_frames_and_lose_it_beside_them(locks):
    points, contacts = np.cumsum(np.ones((10, 4, 3)), axis=0), np.zeros((10, 4), bool)
    rules = PlantRules(clearance=0.002, other_support=0.03, short_swing=0.15, lock_fade=0.05, spread=0.15)
    demands = demand_plants(points, contacts, np.array(locks), 60.0, 0.0, rules)
    for frame in range(9):
        away = max(min(abs(end - lock) for lock in locks) for end in (frame, frame + 1))  # of its farther end
        u = min(max(1 - (away - 1) / 3, 0), 1)
        np.testing.assert_allclose(demands.steps[frame], u * u * (3 - 2 * u), atol=1e-12)


@pytest.mark.parametrize("is_before", [True, False])
def test_a_point_that_rests_at_a_locked_frame_does_not_glide_there(is_before):
    """A join leaves feet that still come to rest where locked frames begin; what fades is the velocity at the lock."""
    away = np.linspace(1, 0, 31)[:, None, None] ** 3 * [0.03, 0.0, 0.01] * np.ones((1, 4, 1))  # metres, ever calmer
    points = np.concatenate([away, np.zeros((30, 4, 3))]) + [0.0, 0.002, 0.0]
    locks = np.arange(30, 60)
    if not is_before:
        points, locks = points[::-1].copy(), 60 - locks
    rules = PlantRules(clearance=0.002, other_support=0.03, short_swing=0.15, lock_fade=0.1, spread=0.15)
    demands = demand_plants(points, np.ones((61, 4), bool), np.sort(locks), 60.0, 0.0, rules)
    own = np.linalg.norm(np.diff(points, axis=0), axis=-1)
    assert own.max() > 2e-3
    assert np.linalg.norm(demands.steps, axis=-1).max() < 1e-5


def test_locking_every_frame_changes_nothing(skating):
    motion, contacts = skating
    planted = plant_feet(motion, contacts, FLOOR, locked=range(N_FRAMES))
    np.testing.assert_array_equal(planted.motion.local_rotations, motion.local_rotations)
    np.testing.assert_array_equal(planted.motion.root_positions, motion.root_positions)


def test_a_plant_beside_a_locked_frame_goes_by_it_too(skating):
    motion, contacts = skating
    planted = plant_feet(motion, contacts, FLOOR, locked=[100])  # the left foot is planted until frame 100
    before, after = foot_points(motion, FLOOR), foot_points(planted.motion, FLOOR, like=motion)
    assert np.linalg.norm(after[60, :2] - before[99, :2], axis=-1).max() < 0.005


def test_plants_out_of_reach_say_by_how_much_and_bones_stay_rigid(skating):
    motion, contacts = skating
    root = motion.root_positions + np.linspace(0, 6, N_FRAMES)[:, None] * [0.0, 0.0, 1.0]
    contacts = np.zeros_like(contacts)
    contacts[:, :2] = contacts[:20, 2:] = contacts[-20:, 2:] = True  # the left foot stays, the right comes down far off
    planted = plant_feet(Motion(motion.skeleton, root, motion.local_rotations, 60.0), contacts, FLOOR)
    short = [miss for miss in planted.report.missed if miss.out_of_reach_mm > 1]
    assert short
    for miss in short:
        plant = planted.plants[miss.plant]
        assert plant.start <= min(miss.frames)
        assert max(miss.frames) < plant.stop
    lengths = np.linalg.norm(motion.skeleton.offsets, axis=-1)
    positions = kinematics.world_positions(planted.motion)
    bones = np.linalg.norm(positions[:, 1:] - positions[:, motion.skeleton.parents[1:]], axis=-1)
    np.testing.assert_allclose(bones, np.broadcast_to(lengths[1:], bones.shape), atol=1e-9)


@pytest.mark.parametrize("gap", [1, 2, 3])
@pytest.mark.parametrize("is_before", [True, False])
def test_a_plant_that_one_lock_holds_leaves_no_foot_behind_at_the_next(skating, gap, is_before):
    motion, _ = skating
    drift = motion.root_positions + np.outer(np.linspace(0, 1.2, N_FRAMES), [0.0, 0.0, 1.0])  # 7.5 mm per frame
    motion = Motion(motion.skeleton, drift, motion.local_rotations, motion.fps)
    locks, contacts = [30, 80], np.zeros((N_FRAMES, 4), bool)
    first, last = (20, 80 - gap) if is_before else (31 + gap, 90)
    contacts[first:last, :2] = True
    planted = plant_feet(motion, contacts, FLOOR, locked=locks)
    before, after = (kinematics.world_positions(each) for each in (motion, planted.motion))
    ankle = motion.skeleton.index("left_foot")
    steps = np.linalg.norm(np.diff(after[:, ankle] - before[:, ankle], axis=0), axis=-1)
    assert steps.max() < 0.02
    assert len(planted.report.disagreements) == 2  # of heel and ball, which have to slide


def test_a_foot_comes_down_calmly_to_a_plant_that_a_locked_frame_has_below_the_floor(skating):
    motion, _ = skating
    contacts = np.zeros((N_FRAMES, 4), bool)
    contacts[:100, 2:], contacts[60:120, :2] = True, True
    below = FLOOR + 0.03 + foot_points(motion, FLOOR)[..., 1].min()
    planted = plant_feet(motion, contacts, below, locked=[90])
    ankle = motion.skeleton.index("left_foot")
    raised = change_of(planted, motion)[:, ankle, 1]
    assert np.abs(raised[58:122]).max() < 0.01  # as deep as it is locked
    assert 0.005 < raised[:40].max() < 0.05  # above the floor before, and no higher
    assert np.abs(np.diff(raised, 2)).max() < 0.004  # metres per frame squared
