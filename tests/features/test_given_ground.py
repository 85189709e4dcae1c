"""Contacts on a given ground: heights are measured above its surface, and further supports are found above it."""

from dataclasses import replace

import numpy as np
import pytest
from benchmarks.unseen.performed_supports import KINDS, perform_supports

from motionloom.errors import BadInput
from motionloom.features.contacts import detect_contacts
from motionloom.features.feet import foot_points, heel_offsets
from motionloom.features.supported_contacts import detect_footing, detect_supports
from motionloom.motion import Box, Ground, Motion, Placement, Terrain, mirror, place
from motionloom.performer import Writer
from motionloom.performer.perform import move, set_stage
from motionloom.performer.stage import FootTask

OTHER_SIDE = [2, 3, 0, 1]


def score(found, truth):
    hits = (found & truth).sum()
    return 2 * hits / (2 * hits + (found ^ truth).sum())


def standing_on_one_leg():
    """A motion in which the right foot is put on something while the left one stays on the floor."""
    point = (-0.1, -0.6, 0.25)
    stage = set_stage(Writer("hold").then("stand", 8).done(), np.random.default_rng(0))
    stage.requests.append(FootTask("right", 1.0, 6.0, (2.0, 5.0), np.array([point, point]), pitch=0.0))
    return move(stage).motion


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("seed", "fps", "size"), [(20, 60, 1.0), (22, 24, 1.0), (23, 144, 0.8), (24, 60, 1.3)])
def test_contacts_are_found_as_well_as_without_the_ground_and_on_it(kind, seed, fps, size):
    walk = perform_supports(kind, seed, fps, size)
    found, without = (detect_supports(walk.motion, 0.0, ground=ground) for ground in (walk.ground, None))
    assert score(found.contacts, walk.contacts) >= min(score(without.contacts, walk.contacts), 0.97)
    assert score(found.contacts, walk.contacts) > 0.96
    assert found.supports == () and found.ground == walk.ground
    surface = walk.ground.heights(foot_points(walk.motion, 0.0, ground=walk.ground)[..., [0, 2]])
    np.testing.assert_allclose(found.heights[found.contacts], surface[found.contacts], atol=1e-12)
    np.testing.assert_array_equal(np.isnan(found.heights), ~found.contacts)


def test_a_flat_ground_changes_no_bit():
    for kind in KINDS:
        motion = perform_supports(kind, 31).motion
        one, other = detect_supports(motion, 0.02), detect_supports(motion, 0.02, ground=Ground(0.02))
        np.testing.assert_array_equal(one.contacts, other.contacts)
        np.testing.assert_array_equal(one.heights, other.heights)
        assert one.ground == other.ground
        assert detect_footing(motion, 0.02)[1] == detect_footing(motion, 0.02, ground=Ground(0.02))[1]


def test_a_foot_that_is_put_on_a_given_box_rests_on_it_although_it_carries_nobody():
    motion = standing_on_one_leg()
    points = foot_points(motion, 0.0)
    held = points[150:270, 2:]
    x, _, z = held.mean(axis=(0, 1))
    ground = Ground(0.0, (Box((x, z), (0.2, 0.25), 0.0, float(held[:, 0, 1].mean()), 0.0),))
    assert not detect_supports(motion, 0.0).contacts[150:270, 2:].any()
    found = detect_supports(motion, 0.0, ground=ground)
    assert found.contacts[150:270, 2:].all() and (found.heights[150:270, 2:] == ground.boxes[0].top).all()
    contacts, footing = detect_footing(motion, 0.0, ground=ground)
    assert footing.ground == ground and not footing.supports
    np.testing.assert_array_equal(contacts, found.contacts)
    higher = replace(ground.boxes[0], top=2.0)  # a foot deep inside of something does not rest on it
    assert not detect_supports(motion, 0.0, ground=Ground(0.0, (higher,))).contacts[150:270, 2:].any()


@pytest.mark.parametrize("seed", [33, 37])
def test_stones_on_a_given_plateau_are_found_above_it(seed):
    walk = perform_supports("stones", seed)
    motion = replace(walk.motion, root_positions=walk.motion.root_positions + [0.0, 1.0, 0.0])
    plateau = Ground(0.0, (), Terrain((-3.0, -3.0), 12.0, np.ones((2, 2))))
    found, on_floor = detect_supports(motion, 0.0, ground=plateau), detect_supports(walk.motion, 0.0)
    assert score(found.contacts, walk.contacts) > 0.96
    assert len(found.supports) == len(on_floor.supports)
    assert min(support.box.top for support in found.supports) > 1.0 + 0.085
    np.testing.assert_allclose(found.heights[:30], 1.0)


def test_a_pit_below_the_floor_is_stood_in():
    motion = perform_supports("hills", 34).motion
    flat = replace(motion, root_positions=motion.root_positions - [0.0, 2.0, 0.0])
    hill = perform_supports("hills", 34)
    sunk = Ground(0.0, (), hill.ground.raised(-2.0).terrain)
    found = detect_supports(flat, 0.0, ground=sunk)
    assert score(found.contacts, hill.contacts) > 0.97
    assert not detect_contacts(flat, 0.0).any()
    assert np.nanmax(found.heights) < -1.3


def test_ankles_rest_above_the_ground_that_they_are_on():
    """A take that never comes near the floor has the heels that it would have there."""
    walk = perform_supports("stairs", 35)
    high = replace(walk.motion, root_positions=walk.motion.root_positions + [0.0, 1.5, 0.0])
    boxes = tuple(replace(box, bottom=0.0) for box in walk.ground.raised(1.5).boxes)
    ground = Ground(0.0, boxes, Terrain((-3, -3), 12.0, np.full((2, 2), 1.5)))
    np.testing.assert_allclose(heel_offsets(high, 0.0, ground), heel_offsets(walk.motion, 0.0, walk.ground), atol=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_moving_mirroring_and_raising_the_world_changes_nothing_else(seed):
    rng = np.random.default_rng(seed)
    walk = perform_supports(KINDS[seed], seed=40 + seed)
    found = detect_supports(walk.motion, 0.0, ground=walk.ground)
    placement = Placement(rng.uniform(-3, 3), rng.uniform(-5, 5, 2))
    moved = detect_supports(place(walk.motion, placement), 0.0, ground=walk.ground.moved(placement))
    np.testing.assert_array_equal(moved.contacts, found.contacts)
    np.testing.assert_allclose(moved.heights, found.heights, atol=1e-9)
    mirrored = detect_supports(mirror(walk.motion), 0.0, ground=walk.ground.mirrored())
    np.testing.assert_array_equal(mirrored.contacts[:, OTHER_SIDE], found.contacts)
    up = float(rng.uniform(-3, 3))
    higher = replace(walk.motion, root_positions=walk.motion.root_positions + [0.0, up, 0.0])
    raised = detect_supports(higher, up, ground=walk.ground.raised(up))
    np.testing.assert_array_equal(raised.contacts, found.contacts)
    np.testing.assert_allclose(raised.heights, found.heights + up, atol=1e-9)


def test_a_ground_with_another_floor_is_refused_in_a_sentence():
    motion: Motion = perform_supports("stairs", 36).motion
    with pytest.raises(BadInput, match=r"floor of the ground is at 0.3 m, but the floor height is 0 m"):
        detect_supports(motion, 0.0, ground=Ground(0.3))
