"""Retargeting with a prior: feet at their scaled places, and never worse than the kit's own."""

from dataclasses import replace

import numpy as np
import pytest
from benchmarks.dynamics.bodies import with_limbs
from benchmarks.retarget.rigs import RIGS

from motionloom.errors import BadInput, SkeletonMismatch
from motionloom.features.feet import foot_points, heel_offsets
from motionloom.methods.dynamics.retargeting.prior_retarget import retarget_with_prior
from motionloom.methods.dynamics.retargeting.retarget_task import PriorSettings, RetargetTask
from motionloom.motion import cut, find_runs, kinematics, rotations
from motionloom.retarget import RetargetSettings, retarget_motion
from motionloom.tasks import Stopped

BODIES = {"short legs": {"legs": 0.7}, "long legs": {"legs": 1.25}, "long arms": {"arms": 1.3}}


def retargeted(walk, skeleton, prior, **options):
    motion, contacts = walk
    kit = retarget_motion(motion, skeleton, contacts=contacts)
    return kit, retarget_with_prior(motion, kit, prior, contacts=contacts, **options)


@pytest.fixture(params=BODIES)
def body(request, walk, learnt):
    skeleton = with_limbs(walk[0].skeleton, **BODIES[request.param])
    return skeleton, *retargeted(walk, skeleton, learnt(skeleton))


def test_feet_rest_where_those_of_the_source_do_in_the_new_size(walk, body):
    motion, contacts = walk
    skeleton, kit, made = body
    assert not made.is_kept
    ratio = skeleton.leg_length / motion.skeleton.leg_length
    points = foot_points(made.motion, 0.0, heels=heel_offsets(kit.motion, 0.0))
    own = ratio * foot_points(motion, 0.0)
    tried = 0
    for heel in (0, 2):
        flat = contacts[:, heel] & contacts[:, heel + 1]
        for start, stop in find_runs(flat):
            middle, wanted = (each[start:stop, heel : heel + 2][..., [0, 2]].mean(axis=1) for each in (points, own))
            away = np.linalg.norm(middle - np.median(wanted, axis=0), axis=-1)
            assert away.max() < 1e-3
            tried += 1
    assert tried > 4
    still = np.linalg.norm(np.diff(points, axis=0), axis=-1)[contacts[1:] & contacts[:-1]]
    assert still.max() < 1e-3


def test_feet_in_the_air_clear_the_floor_as_the_kits_own_do(body):
    _, kit, made = body
    heels = heel_offsets(kit.motion, 0.0)
    own, heights = (foot_points(each, 0.0, heels=heels)[..., 1] for each in (kit.motion, made.motion))
    assert (heights >= np.minimum(own, 0.0) - 1e-4).all()


def test_joints_stay_as_they_were(walk, body, learnt):
    motion, _ = walk
    skeleton, _, made = body
    joints = learnt(skeleton).vectors.joints
    angles = rotations.angle_between(made.motion.local_rotations[:, joints], motion.local_rotations[:, joints])
    assert np.degrees(angles.mean()) < 3.0
    assert (made.motion.skeleton, made.motion.n_frames, made.motion.fps) == (skeleton, motion.n_frames, motion.fps)


def test_it_says_how_it_compares_with_the_kit(body):
    _, _, made = body
    feet = made.yardsticks[0]
    assert feet.name == "feet from their scaled places" and feet.prior < feet.kit
    assert made.to_data()["unlikeliness"] == dict(zip(("kit", "prior"), made.unlikeliness))
    assert any("the kit's" in sentence for sentence in made.sentences())
    assert made.to_data()["yardsticks"][0]["kit"] == feet.kit


def test_where_the_prior_spoils_the_motion_the_kits_own_is_kept(walk, learnt):
    skeleton = with_limbs(walk[0].skeleton, legs=0.7)
    spoiling = PriorSettings(degrees=60.0, weights=(1e4,))
    kit, made = retargeted(walk, skeleton, learnt(skeleton, "sit/chair_1"), settings=spoiling)
    assert made.is_kept and made.weight == 0.0
    np.testing.assert_array_equal(made.motion.local_rotations, kit.motion.local_rotations)
    np.testing.assert_array_equal(made.motion.root_positions, kit.motion.root_positions)
    assert "the motion without it is kept" in made.sentences()[0]
    worse = [each for each in made.yardsticks if each.is_worse]
    assert worse and all(each.name in made.sentences()[0] for each in worse)


def test_a_prior_counts_less_where_it_made_the_motion_worse(walk, learnt):
    skeleton = with_limbs(walk[0].skeleton, legs=0.7)
    _, made = retargeted(walk, skeleton, learnt(skeleton), settings=PriorSettings(weights=(1e6, 1.0)))
    assert made.weight == 1.0
    assert not any(each.is_worse for each in made.yardsticks)


def test_a_floor_elsewhere_changes_nothing_else(walk, learnt):
    motion, contacts = walk
    skeleton = with_limbs(motion.skeleton, legs=0.7)
    _, made = retargeted(walk, skeleton, learnt(skeleton))
    up = np.array([0.0, 0.5, 0.0])
    raised = replace(motion, root_positions=motion.root_positions + up)
    kit = retarget_motion(raised, skeleton, floor_height=0.5, contacts=contacts)
    high = retarget_with_prior(raised, kit, learnt(skeleton), contacts=contacts)
    np.testing.assert_allclose(high.motion.root_positions - up, made.motion.root_positions, atol=1e-5)


@pytest.mark.parametrize("rig", ["a_pose", "child"])
def test_other_hierarchies_and_rest_poses_are_retargeted_too(walk, learnt, rig):
    rig = RIGS[rig]()
    kit, made = retargeted(walk, rig, learnt(rig))
    assert kit.motion.skeleton.n_joints != walk[0].skeleton.n_joints
    assert not made.is_kept
    assert made.yardsticks[0].prior < 1.0 < made.yardsticks[0].kit


def test_what_the_kit_was_told_to_keep_is_kept(walk, learnt):
    motion, contacts = walk
    skeleton = with_limbs(motion.skeleton, arms=1.3)
    rules = RetargetSettings(hands="floor")
    kit = retarget_motion(motion, skeleton, contacts=contacts, settings=rules)
    made = retarget_with_prior(motion, kit, learnt(skeleton), contacts=contacts, retargeting=rules)
    for side in ("left", "right"):
        hands = [
            kinematics.world_positions(each)[:, each.skeleton.index(f"{side}_hand"), 1]
            for each in (motion, made.motion)
        ]
        assert np.abs(hands[1] - hands[0]).max() < 0.01


def test_it_can_be_stopped(walk, learnt):
    skeleton = with_limbs(walk[0].skeleton, legs=0.7)
    with pytest.raises(Stopped):
        retargeted(walk, skeleton, learnt(skeleton), stop=lambda: True)


def test_a_prior_of_another_body_or_rate_and_a_motion_that_is_too_short_are_refused(walk, learnt):
    motion, contacts = walk
    skeleton = with_limbs(motion.skeleton, legs=0.7)
    kit = retarget_motion(motion, skeleton, contacts=contacts)
    with pytest.raises(SkeletonMismatch, match="the prior is of"):
        retarget_with_prior(motion, kit, learnt(motion.skeleton), contacts=contacts)
    slow = replace(motion, fps=50.0), replace(kit, motion=replace(kit.motion, fps=50.0))
    with pytest.raises(BadInput, match="a prior at 30 frames per second for a motion at 50"):
        retarget_with_prior(*slow, learnt(skeleton), contacts=contacts)
    short = cut(motion, 0, 4), replace(kit, motion=cut(kit.motion, 0, 4))
    with pytest.raises(BadInput, match="too short"):
        retarget_with_prior(*short, learnt(skeleton), contacts=contacts[:4])


def test_nothing_is_asked_of_feet_that_never_rest(walk, learnt):
    motion, contacts = walk
    skeleton = with_limbs(motion.skeleton, legs=0.7)
    free = np.zeros_like(contacts)
    kit = retarget_motion(motion, skeleton, contacts=free)
    made = retarget_with_prior(motion, kit, learnt(skeleton), contacts=free)
    assert made.yardsticks[0].prior == made.yardsticks[0].kit == 0.0


@pytest.mark.parametrize("n_frames", [180, 181])
def test_the_last_frame_goes_on_as_the_ones_before_it(walk, learnt, n_frames):
    motion, contacts = cut(walk[0], 0, n_frames), walk[1][:n_frames]
    skeleton = with_limbs(motion.skeleton, legs=0.7)
    _, made = retargeted((motion, contacts), skeleton, learnt(skeleton))
    assert not made.is_kept
    bends = np.linalg.norm(np.diff(made.motion.root_positions, 2, axis=0), axis=-1) * motion.fps**2
    assert bends[-3:].max() < 1.2 * bends[6:-6].max(), "metres per second squared, of the root"
    assert bends[:3].max() < 1.2 * bends[6:-6].max()


def test_poses_are_those_of_the_source_before_hands_were_brought_to_what_they_touch(walk, learnt):
    motion, contacts = walk
    skeleton, rules = with_limbs(motion.skeleton, arms=1.3), RetargetSettings(touch=0.12)
    kit = retarget_motion(motion, skeleton, contacts=contacts, settings=rules)
    task = RetargetTask.of(motion, kit, learnt(skeleton), contacts, rules, PriorSettings())
    own = task.motion(task.basis.fit(np.pad(task.coordinates, ((0, 0), (0, 3)))))
    arms = [skeleton.index(f"{side}_{role}") for side in ("left", "right") for role in ("shoulder", "elbow", "hand")]
    turned = [
        np.degrees(rotations.angle_between(each.local_rotations[:, arms], motion.local_rotations[:, arms])).max()
        for each in (kit.motion, own)
    ]
    assert turned[0] > 20.0, "the kit bends arms"
    assert turned[1] < 1e-3, "here they are bent at the end, not twice"
