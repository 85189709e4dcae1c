"""The compiled solver beside plain twins: dense Jacobians, dense equations, numeric derivatives."""

import numpy as np
import pytest
from tests.markers.spoilt import three_on_each

from motionloom.markers import MarkerSet, _kernels, full_body_markers, put_on
from motionloom.markers.marked_body import mark_body
from motionloom.markers.nodes import Pull
from motionloom.motion import kinematics, rotations

WIDE = 0.05


def problem(make, markers=None, seed=0):
    """A body, a pose of it, and markers of another pose with weights of their own."""
    motion = make.motion(2, seed=seed, wildness=0.5)
    markers = markers or full_body_markers(motion.skeleton)
    body = mark_body(motion.skeleton, markers)
    local = np.ascontiguousarray(rotations.to_matrix(motion.local_rotations[0][body.joints]))
    rng = np.random.default_rng(seed)
    targets = put_on(motion, markers).positions[0] + rng.normal(scale=0.03, size=(len(markers.names), 3))
    weights = rng.uniform(0.5, 2.0, len(targets)) * 4e4
    weights[3] = 0.0
    pull = Pull(
        motion.root_positions[0] + 0.01,
        np.ascontiguousarray(rotations.to_matrix(motion.local_rotations[1][body.joints])),
        30.0,
        np.full(len(body.joints), 20.0),
    )
    work = _kernels.make_work(len(body.joints), len(targets))
    return body, pull, targets, weights, motion.root_positions[0].copy(), local, work


def turned(body, root, local, steps):
    """A pose after steps (N + 1, 3): of the root, and turns of joints about the axes of the world."""
    result = local.copy()
    axes = np.zeros_like(local)
    for n, parent in enumerate(body.nodes.parents):
        above = body.nodes.turns[n] if parent < 0 else axes[parent] @ body.nodes.turns[n]
        axes[n] = above @ local[n]
        result[n] = above.T @ rotations.to_matrix(rotations.exp(steps[n + 1])) @ above @ local[n]
    return root + steps[0], result


def cost(body, pull, targets, weights, root, local, work):
    return _kernels._evaluate(body.nodes, pull, targets, weights, WIDE, root, local, work)


@pytest.mark.parametrize("seed", [0, 1])
def test_the_right_side_is_the_gradient_of_the_cost(make, seed):
    body, pull, targets, weights, root, local, work = problem(make, seed=seed)
    cost(body, pull, targets, weights, root, local, work)
    _kernels._gather(body.nodes, weights, WIDE, work)
    _kernels._assemble(body.nodes, pull, 0.0, root, local, work)
    gradient, numeric, step = -2 * work.right.copy(), np.zeros_like(work.right), 1e-6
    for index in np.ndindex(numeric.shape):
        ends = []
        for sign in (1, -1):
            steps = np.zeros_like(numeric)
            steps[index] = sign * step
            ends.append(cost(body, pull, targets, weights, *turned(body, root, local, steps), work))
        numeric[index] = (ends[0] - ends[1]) / (2 * step)
    assert np.abs(gradient - numeric).max() < 1e-5 * np.abs(numeric).max()


def test_the_equations_are_those_of_dense_jacobians_and_so_is_their_solution(make):
    skeleton = make.skeleton()
    body, pull, targets, weights, root, local, work = problem(make, three_on_each(skeleton))
    body = body.__class__(body.skeleton, body.markers, body.joints, body.rest, body.nodes._replace(hinge_weight=0.0))
    cost(body, pull, targets, weights, root, local, work)
    _kernels._gather(body.nodes, weights, 1e6, work)  # so wide that every weight is whole
    _kernels._assemble(body.nodes, pull, 0.0, root, local, work)
    right = work.right.copy().ravel()
    quaternions = body.full_locals(local[None])[0]
    positions, world = kinematics.forward(skeleton, root[None], quaternions[None])
    size = 3 + 3 * len(body.joints)
    dense = np.diag(
        np.concatenate([np.full(3, pull.root_weight), np.repeat(pull.weights + body.nodes.rest_weights, 3)])
    )
    for joint, offset, weight in zip(body.markers.carriers(skeleton), body.markers.offsets, weights):
        jacobian = kinematics.position_jacobian(skeleton, positions, world, int(joint), offset)[0]
        rows = [jacobian[:, :3]]
        for own in body.joints:  # from turns about the joint's axes to turns about those of the world
            rows.append(jacobian[:, 3 + 3 * own : 6 + 3 * own] @ rotations.to_matrix(world[0, own]).T)
        row = np.concatenate(rows, axis=1)
        dense += weight * row.T @ row
    _kernels._solve(body.nodes, work)
    assert size == len(dense)
    assert np.allclose(work.step.ravel(), np.linalg.solve(dense, right), rtol=1e-6, atol=1e-9)


def test_a_descent_does_not_raise_the_cost_and_ends_where_the_gradient_is_nothing(make):
    body, pull, targets, weights, root, local, work = problem(make, seed=3)
    before = cost(body, pull, targets, weights, root, local, work)
    after = _kernels.descend(body.nodes, pull, targets, weights, WIDE, 100, 1e-9, root, local, work)
    assert after < before
    assert after == pytest.approx(cost(body, pull, targets, weights, root, local, work))
    _kernels._gather(body.nodes, weights, WIDE, work)
    _kernels._assemble(body.nodes, pull, 0.0, root, local, work)
    assert np.abs(work.right).max() < 1e-4 * after


def test_a_marker_on_a_joint_inside_a_bone_rides_on_the_joint_above(make):
    motion = make.with_twist_joints(make.motion(3), 1)
    markers = MarkerSet(
        ("a", "b"),
        ("LeftUpLegTwist", "Head"),
        np.array([[0.05, 0.0, 0.0], [0.0, 0.1, 0.0]]),
    )
    body = mark_body(motion.skeleton, markers)
    assert motion.skeleton.names[body.joints[body.nodes.carriers[0]]] == "LeftUpLeg"
