"""Contacts at any height: found where a foot carries the body, and nowhere else; with the boxes that feet stand on."""

from dataclasses import replace

import numpy as np
import pytest
from benchmarks.unseen.performed_supports import KINDS, perform_supports

from motionloom.errors import BadInput
from motionloom.features.contacts import CONTACT_POINTS, detect_contacts
from motionloom.features.feet import foot_points
from motionloom.features.supported_contacts import detect_supports
from motionloom.motion import Motion, Placement, Skeleton, cut, mirror, place, rotations
from motionloom.performer import Writer
from motionloom.performer.perform import move, set_stage
from motionloom.performer.stage import FootTask

OTHER_SIDE = [2, 3, 0, 1]


def score(found, truth):
    hits = (found & truth).sum()
    return 2 * hits / (2 * hits + (found ^ truth).sum())


def performed(writer, *tasks, seed=0):
    """A motion of the performer on the floor, with tasks of its feet."""
    stage = set_stage(writer.done(), np.random.default_rng(seed))
    stage.requests.extend(tasks)
    return move(stage).motion


def turned(motion, axis, angle, height):
    """A motion that is turned over about an axis through its hips, which are at a height then."""
    turn = rotations.about_axis(np.array(axis, float), np.array(angle))
    local = motion.local_rotations.copy()
    local[:, 0] = rotations.multiply(turn, local[:, 0])
    middle = motion.root_positions.mean(axis=0)
    roots = rotations.rotate(turn, motion.root_positions - middle) + [0.0, height, 0.0]
    return replace(motion, root_positions=roots, local_rotations=local)


def assert_rests_on_the_floor_alone(motion, floor_height=0.0):
    found = detect_supports(motion, floor_height)
    assert found.supports == ()
    np.testing.assert_array_equal(found.contacts, detect_contacts(motion, floor_height))
    np.testing.assert_array_equal(found.heights, np.where(found.contacts, floor_height, np.nan))
    assert found.ground.is_flat and found.ground.floor == floor_height


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("seed", "fps", "size"), [(20, 60, 1.0), (21, 60, 1.0), (22, 24, 1.0), (23, 300, 1.0), (24, 60, 1.6)]
)
def test_contacts_on_stones_stairs_and_hills_are_found_frame_by_frame(kind, seed, fps, size):
    walk = perform_supports(kind, seed, fps, size)
    found = detect_supports(walk.motion, 0.0)
    assert score(detect_contacts(walk.motion, 0.0), walk.contacts) < 0.9
    assert score(found.contacts, walk.contacts) > 0.96
    both = found.contacts & walk.contacts
    assert np.abs(found.heights - walk.heights)[both].max() < 0.055  # lower than that is the floor
    np.testing.assert_array_equal(np.isnan(found.heights), ~found.contacts)


@pytest.mark.parametrize("size", [0.5, 0.7])
def test_children_are_found_on_stones_too(size):
    walk = perform_supports("stones", seed=25, size=size)
    assert score(detect_supports(walk.motion, 0.0).contacts, walk.contacts) > 0.94


@pytest.mark.parametrize("kind", KINDS)
def test_feet_rest_on_the_boxes_that_are_laid_below_them_and_are_never_inside_one(kind):
    for seed in range(30, 33):
        motion = perform_supports(kind, seed).motion
        found, points = detect_supports(motion, 0.0), foot_points(motion, 0.0)
        surface = found.ground.supports_at(points)
        np.testing.assert_allclose(surface[found.contacts], found.heights[found.contacts], atol=1e-9)
        assert (points[..., 1] - surface).min() > -0.05
        for support in found.supports:
            for contact in support.contacts:
                assert contact.point == CONTACT_POINTS[contact.column]
                assert support.box.covers(points[contact.start : contact.stop, contact.column][:, [0, 2]]).all()
                assert found.contacts[contact.start : contact.stop, contact.column].all()


def test_every_step_of_a_stair_is_a_box_of_its_own():
    walk = perform_supports("stairs", seed=34)
    steps = {round(height, 3) for height in walk.heights[walk.contacts] if height > 0}
    found = detect_supports(walk.motion, 0.0)
    assert {round(support.box.top, 3) for support in found.supports} == steps
    assert [s.contacts[0].start for s in found.supports] == sorted(s.contacts[0].start for s in found.supports)


@pytest.mark.parametrize("seed", range(5))
def test_moving_mirroring_and_raising_everything_changes_nothing_else(seed):
    rng = np.random.default_rng(seed)
    motion = perform_supports(KINDS[seed % 3], seed=40 + seed).motion
    found = detect_supports(motion, 0.0)
    placement = Placement(rng.uniform(-3, 3), rng.uniform(-5, 5, 2))
    moved = detect_supports(place(motion, placement), 0.0)
    np.testing.assert_array_equal(moved.contacts, found.contacts)
    np.testing.assert_allclose(moved.heights, found.heights, atol=1e-9)
    places = rng.uniform(-1, 8, (400, 2))
    np.testing.assert_allclose(moved.ground.heights(places), found.ground.moved(placement).heights(places), atol=1e-6)
    mirrored = detect_supports(mirror(motion), 0.0)
    np.testing.assert_array_equal(mirrored.contacts[:, OTHER_SIDE], found.contacts)
    up = float(rng.uniform(-3, 3))
    raised = detect_supports(replace(motion, root_positions=motion.root_positions + [0.0, up, 0.0]), up)
    np.testing.assert_array_equal(raised.contacts, found.contacts)
    np.testing.assert_allclose(raised.heights, found.heights + up, atol=1e-9)


def test_feet_that_jitter_and_creep_as_recorded_ones_do_are_still_found():
    rng = np.random.default_rng(0)
    for kind in KINDS:
        walk = perform_supports(kind, seed=50)
        creep = np.cumsum(0.05 / 60 * np.sin(np.arange(walk.motion.n_frames) / 20))[:, None] * [1.0, 0.0, 0.5]
        noise = rng.normal(scale=0.0005, size=(walk.motion.n_frames, 3))
        motion = replace(walk.motion, root_positions=walk.motion.root_positions + creep + noise)
        assert score(detect_supports(motion, 0.0).contacts, walk.contacts) > 0.93


@pytest.mark.parametrize(
    "name", ["walk/normal_1", "run/fast", "jump/run_and_jump_1", "sit/chair_1", "fight/left_stance"]
)
def test_on_the_floor_contacts_are_what_they_were(make, name):
    assert_rests_on_the_floor_alone(make.demo_take(name).motion)


@pytest.mark.parametrize(
    "point", [(-0.1, -0.72, 0.2), (-0.1, -0.5, 0.3), (-0.1, -0.6, -0.25), (-0.45, -0.5, 0.0), (-0.1, -0.05, 0.7)]
)
def test_a_foot_that_is_held_up_while_the_other_stands_does_not_rest(point):
    task = FootTask("right", 1.0, 6.0, (2.0, 5.0), np.array([point, point]), pitch=0.0)
    motion = performed(Writer("hold").then("stand", 8), task)
    assert (foot_points(motion, 0.0)[150:270, 3, 1] > 0.06).all()
    assert_rests_on_the_floor_alone(motion)


def test_a_kick_that_pauses_does_not_rest_on_anything():
    points = np.array([[-0.1, -0.4, 0.25], [-0.1, -0.05, 0.7], [-0.1, -0.05, 0.72], [-0.1, -0.4, 0.25]])
    task = FootTask("right", 1.0, 3.2, (1.5, 1.8, 2.2, 2.6), points, pitch=0.3)
    assert_rests_on_the_floor_alone(performed(Writer("kick").then("stand", 5), task))


def test_jumps_land_on_the_floor():
    for seed in range(3):
        assert_rests_on_the_floor_alone(
            performed(Writer("jump").then("stand", 1.5).then("jump", 2).then("stand", 2), seed=seed)
        )


@pytest.mark.parametrize("height", [0.15, 0.6, 1.2])
@pytest.mark.parametrize(("axis", "angle"), [((1, 0, 0), np.pi / 2), ((1, 0, 0), -np.pi / 2), ((0, 0, 1), np.pi / 2)])
def test_feet_of_a_body_that_lies_or_swims_carry_nobody(axis, angle, height):
    going = performed(Writer("walk").then("walk", 5, speed=0.3))
    assert detect_supports(turned(going, axis, angle, height), 0.0).supports == ()


@pytest.mark.parametrize("height", [0.7, 0.95])
def test_feet_of_a_handstand_carry_nobody(height):
    going = performed(Writer("walk").then("walk", 5, speed=0.3))
    assert detect_supports(turned(going, (1, 0, 0), np.pi, height), 0.0).supports == ()


@pytest.mark.parametrize("drop", [0.2, 0.45])
def test_feet_that_hang_from_a_seat_carry_nobody(drop):
    seated = performed(Writer("sit").then("stand", 2).then("sit", 6).then("stand", 2))
    height = seated.root_positions[:, 1]
    low = np.flatnonzero(height < height.min() + 0.02)
    still = cut(seated, int(low[0]), int(low[-1]) + 1)
    assert still.n_frames > 60
    assert detect_supports(still, -drop).supports == ()


def test_a_body_that_never_touches_the_ground_has_no_contacts():
    fall = performed(Writer("stand").then("stand", 1))
    times = np.arange(fall.n_frames) / fall.fps
    drop = np.stack([0 * times, 8.0 + 3.0 * times - 4.905 * times**2, 0 * times], axis=-1)
    falling = replace(fall, root_positions=fall.root_positions + drop)
    floating = replace(fall, root_positions=fall.root_positions + np.stack([2 * times, 1 + 0 * times, times], axis=-1))
    hanging = replace(fall, root_positions=fall.root_positions + [0.0, 1.0, 0.0])
    for motion in (falling, floating, hanging):
        found = detect_supports(motion, 0.0)
        assert not found.contacts.any() and np.isnan(found.heights).all() and found.ground.is_flat


def test_a_walk_along_a_platform_alone_rests_on_the_platform():
    walk = performed(Writer("walk").then("stand", 1).then("walk", 4).then("stand", 1))
    found = detect_supports(walk, -0.5)
    assert score(found.contacts, detect_contacts(walk, 0.0)) > 0.97
    np.testing.assert_allclose(found.heights[found.contacts], 0.0, atol=0.03)


def without(skeleton, *roles):
    return replace(skeleton, roles={role: joint for role, joint in skeleton.roles.items() if role not in roles})


@pytest.mark.parametrize(
    "missing",
    [
        ("left_knee", "right_knee"),
        ("left_hip", "right_hip"),
        ("left_hand", "right_hand", "head", "left_shoulder", "right_shoulder"),
        ("right_foot", "right_ball"),
    ],
)
def test_what_a_skeleton_lacks_is_not_asked_for(missing):
    walk = perform_supports("stairs", seed=60)
    motion = replace(walk.motion, skeleton=without(walk.motion.skeleton, *missing))
    found = detect_supports(motion, 0.0)
    expected = walk.contacts & (np.array([True, True, False, False]) if "right_foot" in missing else True)
    if "right_foot" not in missing:
        assert score(found.contacts, expected) > 0.96
    assert not found.contacts[:, 2:].any() or "right_foot" not in missing


def test_a_body_without_feet_has_no_contacts():
    lonely = Motion(
        Skeleton(("root",), np.array([-1]), np.zeros((1, 3))), np.zeros((5, 3)), np.eye(4)[:1, None].repeat(5, 0), 60.0
    )
    found = detect_supports(lonely, 0.0)
    assert not found.contacts.any() and found.supports == ()


def test_single_frames_and_wrong_floors_are_no_trouble():
    motion = perform_supports("stones", seed=61).motion
    assert detect_supports(cut(motion, 200, 201), 0.0).contacts.shape == (1, 4)
    with pytest.raises(BadInput, match="floor height must be finite"):
        detect_supports(motion, float("nan"))
