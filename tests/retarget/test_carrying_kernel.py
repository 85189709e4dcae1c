"""The compiled loop of retargeting beside its plain twin."""

import numpy as np
import pytest
from benchmarks.retarget.rigs import RIGS
from tests.retarget.bodies import below_a_root, with_spine

from motionloom.motion import Skeleton, kinematics, rotations
from motionloom.retarget import RetargetMap, plan_retarget
from motionloom.retarget.carried_rotations import carry_rotations
from motionloom.retarget.joint_map import CARRIED, HEADING


def carry_plainly(plan: RetargetMap, positions: np.ndarray, world: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """As `carry_rotations`, joint by joint in words."""
    target = plan.target
    turned = np.empty((len(world), target.n_joints, 4))
    heading = _heading(plan, world)
    for joint in range(target.n_joints):
        if plan.kinds[joint] == CARRIED:
            first = rotations.multiply(world[:, plan.firsts[joint]], plan.first_turns[joint])
            second = rotations.multiply(world[:, plan.seconds[joint]], plan.second_turns[joint])
            second = np.where((first * second).sum(-1, keepdims=True) < 0, -second, second)
            weight = plan.weights[joint]
            turned[:, joint] = rotations.normalize((1 - weight) * first + weight * second)
        elif plan.kinds[joint] == HEADING:
            turned[:, joint] = rotations.multiply(heading, plan.neutral[joint])
        else:
            turned[:, joint] = turned[:, target.parents[joint]]
    places = _places(target, turned)
    left, right, left_top, right_top, neck, head = plan.ends[1]
    middle = (places[:, left] + places[:, right]) / 2
    if plan.trunk.any():
        base, chest = places[:, plan.spine_base], places[:, plan.chest]
        top = (places[:, left_top] + places[:, right_top]) / 2
        wanted = _unit(positions[:, plan.ends[0, 2:4]].mean(axis=1) - positions[:, plan.ends[0, :2]].mean(axis=1))
        stays = base - middle + top - chest
        along = (stays * wanted).sum(-1, keepdims=True)
        reach = along**2 - (stays**2).sum(-1, keepdims=True) + ((chest - base) ** 2).sum(-1, keepdims=True)
        swing = rotations.between_vectors(chest - base, (along + np.sqrt(reach)) * wanted - stays)
        turned[:, plan.trunk] = rotations.multiply(swing[:, None], turned[:, plan.trunk])
    if plan.neck.any():
        wanted = positions[:, plan.ends[0, 5]] - positions[:, plan.ends[0, 4]]
        swing = rotations.between_vectors(places[:, head] - places[:, neck], wanted)
        turned[:, plan.neck] = rotations.multiply(swing[:, None], turned[:, plan.neck])
    for joint in np.flatnonzero((plan.kinds != CARRIED) & (plan.kinds != HEADING)):
        turned[:, joint] = turned[:, target.parents[joint]]
    return kinematics.to_local(target, turned), middle


def _heading(plan: RetargetMap, world: np.ndarray) -> np.ndarray:
    hips = rotations.multiply(world[:, plan.hips], plan.from_neutral)
    return rotations.split_swing_twist(hips, np.array([0.0, 1.0, 0.0]))[1]


def _places(skeleton: Skeleton, turned: np.ndarray) -> np.ndarray:
    places = np.zeros((len(turned), skeleton.n_joints, 3))
    for joint in range(1, skeleton.n_joints):
        parent = skeleton.parents[joint]
        offset = np.broadcast_to(skeleton.offsets[joint], (len(turned), 3))
        places[:, joint] = places[:, parent] + rotations.rotate(turned[:, parent], offset)
    return places


def _unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


TARGETS = {**RIGS, "long spine": lambda: with_spine(5), "below a root": lambda: below_a_root(with_spine(4))}


@pytest.mark.parametrize("name", TARGETS)
def test_the_compiled_loop_does_what_its_plain_twin_does(make, name):
    motion = make.motion(25, seed=7, wildness=0.4, hinged=True)
    plan = plan_retarget(motion.skeleton, TARGETS[name]())
    positions, world = kinematics.world(motion)
    local, middles = carry_rotations(plan, positions, world)
    plain, plain_middles = carry_plainly(plan, positions, world)
    assert rotations.angle_between(local, plain).max() < 1e-6
    np.testing.assert_allclose(middles, plain_middles, atol=1e-9)
