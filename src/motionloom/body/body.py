"""Body: a skinned mesh over a skeleton, deformed by linear blend skinning."""

from dataclasses import dataclass

import numpy as np

from motionloom.motion import rotations

MAX_INFLUENCES = 4  # joints per vertex; all viewers support as many


@dataclass(frozen=True, eq=False)
class Body:
    """A closed mesh, skinned to the joints of one skeleton (linear blend skinning).

    The mesh is given in its bind pose: standing, facing +z, arms half lowered and legs slightly apart, independent of
    the skeleton's rest pose.
    """

    vertices: np.ndarray  # (V, 3) metres, bind pose
    normals: np.ndarray  # (V, 3) unit, outwards, bind pose
    triangles: np.ndarray  # (T, 3) int, counter-clockwise seen from outside
    joints: np.ndarray  # (V, 4) int, the joints that influence each vertex
    weights: np.ndarray  # (V, 4) at least 0, each row sums to 1, largest first
    sides: np.ndarray  # (V,) 1 on the left arm and leg, -1 on the right ones, 0 elsewhere, smooth between
    bind_positions: np.ndarray  # (J, 3) metres: joints in the bind pose
    bind_rotations: np.ndarray  # (J, 4) joint to world in the bind pose


def skin(body: Body, positions: np.ndarray, world_rotations: np.ndarray) -> np.ndarray:
    """Skin the body: vertices by linear blend skinning.

    Args:
        body: V vertices over J joints.
        positions: (F, J, 3) metres, world.
        world_rotations: (F, J, 4) joint to world.

    Returns:
        (F, V, 3) metres, world, float32.
    """
    from motionloom.body._kernels import blend_points

    matrices = joint_matrices(body, positions, world_rotations)
    result = np.empty((len(matrices), len(body.vertices), 3), np.float32)
    blend_points(matrices, body.vertices, body.joints, body.weights, 1.0, result)
    return result


def skin_normals(body: Body, positions: np.ndarray, world_rotations: np.ndarray) -> np.ndarray:
    """Skinned normals: (F, V, 3) unit, world, float32."""
    from motionloom.body._kernels import blend_points

    matrices = joint_matrices(body, positions, world_rotations)
    result = np.empty((len(matrices), len(body.vertices), 3), np.float32)
    blend_points(matrices, body.normals, body.joints, body.weights, 0.0, result)
    return result / np.maximum(np.linalg.norm(result, axis=-1, keepdims=True), 1e-12)


def joint_matrices(body: Body, positions: np.ndarray, world_rotations: np.ndarray) -> np.ndarray:
    """Skinning matrices, from the bind pose to the world: (F, J, 3, 4), rotation, then translation in metres."""
    turns = rotations.multiply(world_rotations, rotations.inverse(body.bind_rotations))
    matrices = np.empty((*turns.shape[:2], 3, 4))
    matrices[..., :3] = rotations.to_matrix(turns)
    matrices[..., 3] = positions - rotations.rotate(turns, np.broadcast_to(body.bind_positions, positions.shape))
    return matrices
