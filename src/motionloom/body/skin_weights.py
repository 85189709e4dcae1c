"""Skin weights by bone heat: heat diffusion from the bones over the surface."""

import numpy as np

from motionloom.body.body import MAX_INFLUENCES
from motionloom.body.shapes import Shapes, measure


def spread_weights(shapes: Shapes, vertices: np.ndarray, triangles: np.ndarray, n_joints: int) -> np.ndarray:
    """Skin weights by heat diffusion (bone heat).

    Each vertex is heated by the joint of its nearest shape, inversely to the squared distance from that shape's axis;
    the weights are the equilibrium of diffusion over the surface.

    Returns:
        (V, J) weights, each row sums to 1.
    """
    from scipy.sparse import diags
    from scipy.sparse.linalg import splu

    nearest = measure(shapes, vertices)[1]
    bones = shapes.joints[nearest]
    areas, laplacian = _areas_and_laplacian(vertices, triangles)
    heating = areas / _distances_to_lines(shapes, vertices, nearest) ** 2
    solve = splu((diags(heating) - laplacian).tocsc()).solve
    weights = np.zeros((len(vertices), n_joints))
    for joint in np.unique(bones):
        weights[:, joint] = solve(heating * (bones == joint))
    weights = np.maximum(weights, 0.0)
    return weights / weights.sum(axis=1, keepdims=True)


def smooth_trunk(
    weights: np.ndarray, vertices: np.ndarray, joint_positions: np.ndarray, trunk: list[int], spread: float
) -> np.ndarray:
    """Distribute the weights of the trunk among its joints by height only, so that the belly bends in a wide arc.

    Args:
        weights: (V, J).
        vertices: (V, 3) metres, standing upright.
        joint_positions: (J, 3) metres.
        trunk: joints from the root upwards, each weighted from its own height to the next one's.
        spread: metres below and above a joint over which weights are blended.

    Returns:
        (V, J) weights, each row sums to 1.
    """
    heights = joint_positions[trunk, 1]
    taken_over = np.ones((len(vertices), len(trunk) + 1))
    for k, height in enumerate(heights[1:], start=1):
        t = np.clip((vertices[:, 1] - height) / (2 * spread) + 0.5, 0.0, 1.0)
        taken_over[:, k] = t * t * (3 - 2 * t)
    taken_over[:, -1] = 0.0
    taken_over = np.minimum.accumulate(taken_over, axis=1)
    result = weights.copy()
    result[:, trunk] = weights[:, trunk].sum(axis=1, keepdims=True) * (taken_over[:, :-1] - taken_over[:, 1:])
    return result


def keep_largest(weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Keep the four largest of (V, J) weights: (V, 4) joints and (V, 4) weights that sum to 1, largest first."""
    n_kept = min(MAX_INFLUENCES, weights.shape[1])
    joints = np.argsort(-weights, axis=1, kind="stable")[:, :n_kept]
    kept = np.take_along_axis(weights, joints, axis=1)
    kept = np.where(kept < 0.01, 0.0, kept)
    kept = kept / kept.sum(axis=1, keepdims=True)
    missing = MAX_INFLUENCES - n_kept
    joints, kept = np.pad(joints, ((0, 0), (0, missing))), np.pad(kept, ((0, 0), (0, missing)))
    return np.where(kept > 0, joints, 0), kept


def _areas_and_laplacian(vertices: np.ndarray, triangles: np.ndarray):  # type: ignore[no-untyped-def]
    """Area (V,) around each vertex, and the cotangent Laplacian as a sparse (V, V) matrix whose rows sum to 0."""
    from scipy.sparse import coo_matrix, diags

    n = len(vertices)
    corners = vertices[triangles]  # (T, 3, 3)
    double_area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=-1)
    areas = np.bincount(triangles.ravel(), np.repeat(double_area / 6, 3), n)
    rows, columns, values = [], [], []
    for c in range(3):
        i, j, k = triangles[:, (c + 1) % 3], triangles[:, (c + 2) % 3], triangles[:, c]
        cosine = ((vertices[i] - vertices[k]) * (vertices[j] - vertices[k])).sum(-1)
        half_cotangent = np.clip(0.5 * cosine / np.maximum(double_area, 1e-12), 0.0, 10.0)
        rows += [i, j]
        columns += [j, i]
        values += [half_cotangent, half_cotangent]
    between = coo_matrix(
        (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))), shape=(n, n)
    ).tocsr()
    return areas, between - diags(np.asarray(between.sum(axis=1)).ravel())


def _distances_to_lines(shapes: Shapes, points: np.ndarray, nearest: np.ndarray) -> np.ndarray:
    """Metres (M,) from points to the axes of the given shapes, at least a millimetre."""
    start, along = shapes.starts[nearest], (shapes.stops - shapes.starts)[nearest]
    length2 = np.maximum((along**2).sum(-1), 1e-12)
    t = np.clip(((points - start) * along).sum(-1) / length2, 0.0, 1.0)
    return np.maximum(np.linalg.norm(points - start - t[:, None] * along, axis=-1), 1e-3)
