"""The compiled solver beside plain twins: dense Jacobians, dense equations, numeric derivatives."""

import numpy as np
import pytest
from tests.markers.spoilt import three_on_each

from motionloom.markers import MarkerSet, _kernels, full_body_markers, put_on
from motionloom.markers.marked_body import mark_body, to_quaternions
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
    work = _kernels.make_work(len(body.joints), len(targets), len(body.nodes.hinges))
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


def gradient(body, pull, targets, weights, root, local, work):
    """(3 + 3 N,) numeric: of half the cost, by the root position and turns about the axes of the world."""
    found, step = np.zeros((len(body.joints) + 1, 3)), 1e-6
    for index in np.ndindex(found.shape):
        ends = []
        for sign in (1, -1):
            steps = np.zeros_like(found)
            steps[index] = sign * step
            ends.append(cost(body, pull, targets, weights, *turned(body, root, local, steps), work))
        found[index] = (ends[0] - ends[1]) / (4 * step)
    return found.ravel()


def equations(body, pull, targets, weights, root, local):
    """The equations of markers (D, D), and those of all else: the course, the rest pose, knees and elbows."""
    skeleton, size = body.skeleton, 3 + 3 * len(body.joints)
    positions, world = kinematics.forward(skeleton, root[None], body.full_locals(local[None]))
    of_markers = np.zeros((size, size))
    places = kinematics.attached_positions(positions, world, body.markers.carriers(skeleton), body.markers.offsets)[0]
    trusts = weights * (WIDE**2 / (WIDE**2 + ((targets - places) ** 2).sum(axis=-1))) ** 2
    for joint, offset, trust in zip(body.markers.carriers(skeleton), body.markers.offsets, trusts):
        jacobian = kinematics.position_jacobian(skeleton, positions, world, int(joint), offset)[0]
        rows = [jacobian[:, :3]]
        for own in body.joints:  # from turns about the joint's axes to turns about those of the world
            rows.append(jacobian[:, 3 + 3 * own : 6 + 3 * own] @ rotations.to_matrix(world[0, own]).T)
        row = np.concatenate(rows, axis=1)
        of_markers += trust * row.T @ row
    others = np.diag(
        np.concatenate([np.full(3, pull.root_weight), np.repeat(pull.weights + body.nodes.rest_weights, 3)])
    )
    for hinge, node in enumerate(body.nodes.hinges):
        if bend(body, hinge, root, local) < 0:
            row, step = np.zeros(size), 1e-6
            for a in range(3):
                steps = np.zeros((len(body.joints) + 1, 3))
                steps[node + 1, a] = step
                ends = [bend(body, hinge, *turned(body, root, local, sign * steps)) for sign in (1, -1)]
                row[3 + 3 * node + a] = (ends[0] - ends[1]) / (2 * step)
            others += body.nodes.hinge_weight * np.outer(row, row)
    return of_markers, others


def bend(body, hinge, root, local):
    """The angle of a knee or elbow, in radians."""
    nodes, axes = body.nodes, []
    for n, parent in enumerate(nodes.parents):
        axes.append((nodes.turns[n] if parent < 0 else axes[parent] @ nodes.turns[n]) @ local[n])
    node = nodes.hinges[hinge]
    above = axes[nodes.parents[node]]
    upper, axis = above @ nodes.upper_bones[hinge], above @ nodes.hinge_axes[hinge]
    lower = axes[node] @ nodes.lower_bones[hinge]
    return np.arctan2(np.cross(axis, upper) @ lower, upper @ lower)


@pytest.mark.parametrize(("seed", "damping"), [(0, 0.0), (1, 0.0), (2, 0.3)])
def test_a_step_solves_the_equations_of_dense_jacobians(make, seed, damping):
    body, pull, targets, weights, root, local, work = problem(make, seed=seed)
    downhill = -gradient(body, pull, targets, weights, root, local, work)
    of_markers, others = equations(body, pull, targets, weights, root, local)
    held = np.diag(np.concatenate([np.full(3, pull.root_weight), np.zeros(len(downhill) - 3)]))
    system = of_markers + others + damping * np.diag(np.diag(of_markers + held))
    cost(body, pull, targets, weights, root, local, work)
    _kernels._find_step(body.nodes, pull, weights, damping, root, work)
    assert np.allclose(work.step.ravel(), np.linalg.solve(system, downhill), rtol=1e-4, atol=1e-7)
    assert any(bend(body, hinge, root, local) < 0 for hinge in range(len(body.nodes.hinges)))  # knees count here too


def test_the_pivots_tell_how_certain_each_joint_is_by_what_is_below_it(make):
    body, pull, targets, weights, root, local, work = problem(make, three_on_each(make.skeleton()))
    of_markers, others = equations(body, pull, targets, weights, root, local)
    cost(body, pull, targets, weights, root, local, work)
    _kernels._find_step(body.nodes, pull, weights, 0.0, root, work)
    for node in (0, 3, len(body.joints) - 1):
        below = [n for n in range(len(body.joints)) if node in chain(body, n)]
        rows = np.concatenate([np.arange(3 + 3 * n, 6 + 3 * n) for n in below])
        inverse = np.linalg.inv((of_markers + others)[np.ix_(rows, rows)])
        own = 3 * below.index(node) + np.arange(3)
        assert np.allclose(work.pivots[node + 1], inverse[np.ix_(own, own)], rtol=1e-6)
    assert np.allclose(work.pivots[0], np.linalg.inv(of_markers + others)[:3, :3], rtol=1e-6)


def chain(body, node):
    """The joint and all above it."""
    found = [node]
    while body.nodes.parents[found[-1]] >= 0:
        found.append(int(body.nodes.parents[found[-1]]))
    return found


def test_a_descent_does_not_raise_the_cost_and_ends_where_the_gradient_is_nothing(make):
    body, pull, targets, weights, root, local, work = problem(make, seed=3)
    before = cost(body, pull, targets, weights, root, local, work)
    after = _kernels.descend(body.nodes, pull, targets, weights, WIDE, 100, 1e-9, root, local, work)
    assert after < before
    assert after == pytest.approx(cost(body, pull, targets, weights, root, local, work))
    _kernels._find_step(body.nodes, pull, weights, 0.0, root, work)
    assert np.abs(work.step).max() < 1e-6


def test_a_marker_on_a_joint_inside_a_bone_rides_on_the_joint_above(make):
    motion = make.with_twist_joints(make.motion(3), 1)
    markers = MarkerSet(
        ("a", "b"),
        ("LeftUpLegTwist", "Head"),
        np.array([[0.05, 0.0, 0.0], [0.0, 0.1, 0.0]]),
    )
    body = mark_body(motion.skeleton, markers)
    assert motion.skeleton.names[body.joints[body.nodes.carriers[0]]] == "LeftUpLeg"


def test_quaternions_of_matrices_keep_their_sign(make):
    turns = rotations.exp(np.linspace([0.1, 0.0, 0.0], [4.0, 5.0, -3.0], 200))[:, None]  # more than one round
    turns = rotations.multiply(turns, rotations.exp(np.random.default_rng(0).normal(size=(6, 3)))[None])
    found = to_quaternions(rotations.to_matrix(turns))
    assert rotations.angle_between(found, turns).max() < 1e-7
    assert np.allclose(np.linalg.norm(found, axis=-1), 1.0)
    assert (found[1:] * found[:-1]).sum(axis=-1).min() > 0
