"""Building a body for a skeleton: capsules, a closed mesh around them, skin weights."""

from functools import lru_cache

import numpy as np

from motionloom.body.body import Body
from motionloom.body.capsules import mould_capsules
from motionloom.body.humanoid import REFERENCE_LEG, is_humanoid, mould_mannequin, trunk_joints
from motionloom.body.shapes import Shapes, move_shapes
from motionloom.body.skin_weights import keep_largest, smooth_trunk, spread_weights
from motionloom.body.surface_nets import Lens, extract_surface, find_normals
from motionloom.features.neutral_pose import REST, NeutralPose, learn_neutral_pose
from motionloom.motion import Motion, Skeleton, kinematics, rest_pose, rotations

ARMS_DOWN, LEGS_APART = 0.7, 0.16  # radians between T-pose and bind pose: halfway to the usual poses of the limbs
GRID_CELLS_PER_LEG = 34.0  # about 5000 vertices for a person


def build_for(motion: Motion, neutral: NeutralPose | None = None) -> Body:
    """Build the mannequin of a motion; where its neutral pose is not known, learn that from the motion."""
    return build(motion.skeleton, learn_neutral_pose([motion]) if neutral is None else neutral)


@lru_cache(maxsize=16)
def build(skeleton: Skeleton, neutral: NeutralPose = REST) -> Body:
    """Build a smooth mannequin for a skeleton, or capsules along its bones if its joints have no roles; cached.

    Args:
        skeleton: J joints.
        neutral: how head, feet and hands are turned where the rest pose misleads; by default as in the rest pose.
    """
    if is_humanoid(skeleton):
        bind_rotations, bind_positions, shapes = _pose_mannequin(skeleton, neutral)
        cell, lenses = skeleton.leg_length / GRID_CELLS_PER_LEG, _find_lenses(skeleton, shapes, bind_positions)
    else:
        bind_rotations, bind_positions = rotations.identity((skeleton.n_joints,)), skeleton.rest_positions
        shapes, lenses = mould_capsules(skeleton), []
        cell = _cell_for(shapes)
    vertices, triangles = extract_surface(shapes, cell, lenses)
    spread = spread_weights(shapes, vertices, triangles, skeleton.n_joints)
    if is_humanoid(skeleton):
        spread = smooth_trunk(spread, vertices, bind_positions, trunk_joints(skeleton), 0.09 * skeleton.leg_length)
    joints, weights = keep_largest(spread)
    body = Body(
        vertices=vertices,
        normals=find_normals(vertices, triangles),
        triangles=triangles.astype(np.int32),
        joints=joints.astype(np.int32),
        weights=weights,
        sides=(_sides_of_joints(skeleton)[joints] * weights).sum(axis=1),
        bind_positions=np.array(bind_positions),
        bind_rotations=bind_rotations,
    )
    for array in vars(body).values():
        array.setflags(write=False)  # cached bodies are shared
    return body


def _pose_mannequin(skeleton: Skeleton, neutral: NeutralPose) -> tuple[np.ndarray, np.ndarray, Shapes]:
    """Build the shapes in T-pose, where sizes are known, then spread legs and lower arms so that parts do not touch.

    Returns:
        (J, 4) joint to world and (J, 3) metres of the bind pose, and the shapes in it.
    """
    t_rotations = rest_pose.t_pose(skeleton, neutral.rotations)
    standing = rest_pose.rebase_skeleton(skeleton, t_rotations)
    heels = {
        side: standing.rest_positions[skeleton.index(f"{side}_foot")] + standing.heel_offset(side)
        for side in ("left", "right")
    }
    shapes = mould_mannequin(standing, heels)
    local = rotations.identity((skeleton.n_joints,))
    for side, out in (("left", 1.0), ("right", -1.0)):
        local[skeleton.index(f"{side}_shoulder")] = rotations.about_axis(np.array([0.0, 0.0, 1.0]), -out * ARMS_DOWN)
        local[skeleton.index(f"{side}_hip")] = rotations.about_axis(np.array([0.0, 0.0, 1.0]), out * LEGS_APART)
    positions, turns = kinematics.forward(standing, np.zeros((1, 3)), local[None])
    shapes = move_shapes(shapes, standing.rest_positions, turns[0], positions[0])
    return rotations.multiply(turns[0], t_rotations), positions[0], shapes


def _find_lenses(skeleton: Skeleton, shapes: Shapes, positions: np.ndarray) -> list[Lens]:
    """Finer mesh at hands, feet and head, which have small features, and a coarser one over the belly."""
    size = skeleton.leg_length / REFERENCE_LEG
    lenses = []
    for role, radius, ratio in (("left_hand", 0.3, 0.5), ("left_foot", 0.26, 0.75), ("head", 0.24, 0.7)):
        for name in dict.fromkeys((role, role.replace("left", "right"))):
            of_joint = shapes.joints == skeleton.index(name)
            ends = np.concatenate([shapes.starts[of_joint], shapes.stops[of_joint]])
            lenses.append(Lens((ends.min(axis=0) + ends.max(axis=0)) / 2, radius * size, ratio))
    both = [positions[[skeleton.index(f"{side}_{role}") for side in ("left", "right")]] for role in ("hip", "shoulder")]
    hips, shoulders = (pair.mean(axis=0) for pair in both)
    lenses.append(Lens((hips + shoulders) / 2, 0.75 * float(np.linalg.norm(shoulders - hips)), 1.25))
    return lenses


def _cell_for(shapes: Shapes) -> float:
    """The grid cell for about 3000 vertices, and about five around the thinnest capsule."""
    lengths = np.linalg.norm(shapes.stops - shapes.starts, axis=-1)
    mean_radii = (shapes.start_radii + shapes.stop_radii) / 2
    area = (2 * np.pi * mean_radii * (lengths + 2 * mean_radii)).sum()
    thinnest = min(shapes.start_radii.min(), shapes.stop_radii.min())
    return float(min(np.sqrt(area / 3000), 1.3 * thinnest))


def _sides_of_joints(skeleton: Skeleton) -> np.ndarray:
    """(J,) 1 for joints of the left arm and leg, -1 for those of the right ones, 0 for others."""
    sides = np.zeros(skeleton.n_joints)
    for side, sign in (("left", 1.0), ("right", -1.0)):
        for role in ("hip", "shoulder"):
            if skeleton.has(f"{side}_{role}"):
                sides[skeleton.index(f"{side}_{role}")] = sign
    for joint in range(1, skeleton.n_joints):
        if sides[joint] == 0:
            sides[joint] = sides[skeleton.parents[joint]]
    return sides
