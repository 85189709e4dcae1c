"""Take bending: through the poses of hubs exactly, unchanged away from them, and again where a hub is dropped."""

import numpy as np
import pytest

from motionloom.methods.snap.builder.hub_poses import (
    HubPose,
    Passage,
    average_trios,
    ground_of,
    learn_feet,
    read_trio,
)
from motionloom.methods.snap.builder.take_bending import (
    BendTask,
    TakeBendSettings,
    bend_again,
    bend_take,
    evolve_common_poses,
    exact_task,
)
from motionloom.motion import Placement, cut, invert, kinematics, place

SETTINGS = TakeBendSettings(iterations=2)
FRAMES = (150, 300, 450)
NOT_TOUCHED = 30  # frames from a passage that displacement maps do not reach


@pytest.fixture(scope="module")
def take(make):
    """Somebody who shifts from foot to foot."""
    return make.demo_take("idle/weight_shifts").motion


@pytest.fixture(scope="module")
def feet(take):
    return learn_feet(take, np.ones((take.n_frames, 4), bool))


@pytest.fixture(scope="module")
def passages(take):
    return [Passage(0, frame, ground_of(take, frame)) for frame in FRAMES]


@pytest.fixture(scope="module")
def hub(take, passages):
    """The average of all passages."""
    return HubPose(average_trios([read_trio(take, passage) for passage in passages], take), np.zeros(4, bool))


@pytest.fixture(scope="module")
def free(take):
    """No contacts."""
    return np.zeros((take.n_frames, 4), bool)


def own_trio(take, passage):
    """The three frames of a take at a passage, in hub coordinates."""
    return place(cut(take, passage.frame - 1, passage.frame + 2), invert(passage.placement))


def positions(motion):
    return kinematics.world_positions(motion)


def test_a_bent_take_has_the_three_frames_of_its_hub_at_every_passage(take, passages, hub, free, feet):
    bent = bend_take(exact_task(take, passages, [hub], free, feet, SETTINGS)).motion
    for passage in passages:
        placed = place(hub.frames, passage.placement)
        beside = slice(passage.frame - 1, passage.frame + 2)
        np.testing.assert_array_equal(bent.root_positions[beside], placed.root_positions)
        np.testing.assert_array_equal(bent.local_rotations[beside], placed.local_rotations)


def test_frames_out_of_reach_of_passages_stay_as_they_were_recorded(take, passages, hub, free, feet):
    bent = bend_take(exact_task(take, passages, [hub], free, feet, SETTINGS)).motion
    away = np.abs(np.arange(take.n_frames)[:, None] - np.array(FRAMES)).min(axis=1) > NOT_TOUCHED
    assert 0 < away.sum() < take.n_frames
    np.testing.assert_array_equal(bent.root_positions[away], take.root_positions[away])
    np.testing.assert_allclose(positions(bent)[away], positions(take)[away], atol=1e-12)


def test_a_take_through_its_own_poses_hardly_changes(take, passages, free, feet):
    trios = [own_trio(take, passage) for passage in passages]
    for is_exact in (True, False):
        bent = bend_take(BendTask(take, passages, trios, free, feet, SETTINGS, is_exact)).motion
        assert np.abs(positions(bent) - positions(take)).max() < 1e-6


def test_a_take_that_is_bent_approximately_comes_with_its_poses_at_the_passages(take, passages, hub, free, feet):
    bent = bend_take(BendTask(take, passages, [hub.frames] * len(passages), free, feet, SETTINGS, is_exact=False))
    assert len(bent.trios) == len(passages)
    for passage, trio in zip(passages, bent.trios):
        read = read_trio(bent.motion, passage)
        for ours, theirs in zip(trio, read):
            np.testing.assert_array_equal(ours.local_rotations, theirs.local_rotations)
        np.testing.assert_allclose(trio[1].root_position, hub.frames.root_positions[1], atol=1e-6)


def test_where_a_passage_is_dropped_the_take_is_bent_again_and_nowhere_else(take, passages, hub, free, feet):
    before = bend_take(exact_task(take, passages, [hub], free, feet, SETTINGS)).motion
    left = [passages[0], passages[2]]
    again = bend_again(before, take, left, [hub], free, feet, SETTINGS, removed=[FRAMES[1]])
    outside = np.r_[: FRAMES[0], FRAMES[2] + 1 : take.n_frames]
    np.testing.assert_array_equal(again.root_positions[outside], before.root_positions[outside])
    np.testing.assert_array_equal(again.local_rotations[outside], before.local_rotations[outside])
    anew = bend_take(exact_task(take, left, [hub], free, feet, SETTINGS)).motion
    np.testing.assert_allclose(positions(again), positions(anew), atol=1e-9)


def test_the_common_pose_of_copies_is_their_pose(take, free, feet):
    headings = (0.0, 1.0, -2.0)
    copies = [place(take, Placement(heading, np.array([heading, 3.0]))) for heading in headings]
    own = [[Passage(0, FRAMES[0], ground_of(copy, FRAMES[0]))] for copy in copies]
    steps = []
    trios, bent = evolve_common_poses(
        copies, own, [free] * 3, 1, feet, SETTINGS, lambda tasks: map(bend_take, tasks), lambda: steps.append(1)
    )
    assert len(trios) == 1 and len(bent) == 3 and len(steps) == 3 * SETTINGS.iterations
    wanted = own_trio(take, Passage(0, FRAMES[0], ground_of(take, FRAMES[0])))
    np.testing.assert_allclose(positions(trios[0]), positions(wanted), atol=1e-3)


def test_planted_feet_stand_where_contacts_say_so(take, passages, hub, feet):
    from motionloom.features.feet import foot_points

    contacts = np.zeros((take.n_frames, 4), bool)
    contacts[200:260] = True
    bent = bend_take(exact_task(take, passages, [hub], contacts, feet, SETTINGS)).motion
    points = foot_points(bent, 0.0, heels=feet.heels)[205:255]
    assert np.linalg.norm(np.diff(points, axis=0), axis=-1).max() < 1e-4


def test_the_last_frames_of_a_take_are_bent_again_when_the_last_passage_is_dropped(take, passages, hub, free, feet):
    before = bend_take(exact_task(take, passages, [hub], free, feet, SETTINGS)).motion
    again = bend_again(before, take, passages[:2], [hub], free, feet, SETTINGS, removed=[FRAMES[2]])
    np.testing.assert_array_equal(again.root_positions[: FRAMES[1]], before.root_positions[: FRAMES[1]])
    recorded = slice(FRAMES[1] + NOT_TOUCHED + 1, take.n_frames)
    np.testing.assert_allclose(positions(again)[recorded], positions(take)[recorded], atol=1e-12)
