"""Compiled loops of the body room; their plain twins are in the tests."""

import numba
import numpy as np


@numba.njit(cache=True, nogil=True)
def blend_points(
    matrices: np.ndarray, points: np.ndarray, joints: np.ndarray, weights: np.ndarray, shift: float, result: np.ndarray
) -> None:
    """Move (V, 3) points by the weighted mean of their joints' (F, J, 3, 4) matrices; shift 0 leaves the way out."""
    for f in range(matrices.shape[0]):
        for v in range(points.shape[0]):
            x, y, z = points[v, 0], points[v, 1], points[v, 2]
            sx, sy, sz = 0.0, 0.0, 0.0
            for k in range(joints.shape[1]):
                w = weights[v, k]
                if w == 0.0:
                    continue
                m = matrices[f, joints[v, k]]
                sx += w * (m[0, 0] * x + m[0, 1] * y + m[0, 2] * z + shift * m[0, 3])
                sy += w * (m[1, 0] * x + m[1, 1] * y + m[1, 2] * z + shift * m[1, 3])
                sz += w * (m[2, 0] * x + m[2, 1] * y + m[2, 2] * z + shift * m[2, 3])
            result[f, v, 0], result[f, v, 1], result[f, v, 2] = sx, sy, sz


@numba.njit(cache=True, nogil=True)
def blend_distances(
    points: np.ndarray,
    starts: np.ndarray,
    stops: np.ndarray,
    start_radii: np.ndarray,
    stop_radii: np.ndarray,
    flat_axes: np.ndarray,
    flatness: np.ndarray,
    middles: np.ndarray,
    reaches: np.ndarray,
    groups: np.ndarray,
    group_blends: np.ndarray,
    blend: float,
    distances: np.ndarray,
    nearest: np.ndarray,
) -> None:
    """Fill distances (M,) to the smooth union of N tapered capsules, and nearest (M,), the capsule nearest to each.

    Capsules of one group blend over group_blends[g] metres, the groups among each other over `blend` metres. Capsule n
    lies within reaches[n] of middles[n]: those that are too far away to count are passed over.
    """
    n_groups = group_blends.shape[0]
    too_far = 8.0 * max(group_blends.max(), blend)
    apart = np.empty(starts.shape[0])
    least_of_group, sums = np.empty(n_groups), np.empty(n_groups)
    for m in range(points.shape[0]):
        least_of_group[:] = 1e9
        least_bound = 1e9
        for n in range(starts.shape[0]):
            dx, dy, dz = points[m, 0] - middles[n, 0], points[m, 1] - middles[n, 1], points[m, 2] - middles[n, 2]
            apart[n] = np.sqrt(dx * dx + dy * dy + dz * dz) - reaches[n]
            if apart[n] > too_far:
                if apart[n] < least_bound:
                    least_bound = apart[n]
                    nearest[m] = n
                apart[n] = 1e9
                continue
            apart[n] = _capsule_distance(
                points[m], starts[n], stops[n], start_radii[n], stop_radii[n], flat_axes[n], flatness[n]
            )
            least_of_group[groups[n]] = min(least_of_group[groups[n]], apart[n])
        if least_of_group.min() > 1e8:
            distances[m] = least_bound
            continue
        nearest[m] = np.argmin(apart)
        sums[:] = 0.0
        for n in range(starts.shape[0]):
            g = groups[n]
            farther = (apart[n] - least_of_group[g]) / group_blends[g]
            if farther < 20.0:
                sums[g] += np.exp(-farther)
        total = 0.0
        for g in range(n_groups):
            if least_of_group[g] < 1e8:
                least_of_group[g] -= group_blends[g] * np.log(sums[g])
        smallest = least_of_group.min()
        for g in range(n_groups):
            total += np.exp((smallest - least_of_group[g]) / blend)
        distances[m] = smallest - blend * np.log(total)


@numba.njit(cache=True, nogil=True, inline="always")
def _capsule_distance(
    point: np.ndarray,
    start: np.ndarray,
    stop: np.ndarray,
    start_radius: float,
    stop_radius: float,
    flat_axis: np.ndarray,
    flatness: float,
) -> float:
    """About the distance to a tapered capsule that is thinner by the factor `flatness` along `flat_axis`."""
    stretch = 1.0 / flatness - 1.0
    px, py, pz = point[0] - start[0], point[1] - start[1], point[2] - start[2]
    ax, ay, az = stop[0] - start[0], stop[1] - start[1], stop[2] - start[2]
    fx, fy, fz = flat_axis[0], flat_axis[1], flat_axis[2]
    along = stretch * (px * fx + py * fy + pz * fz)
    px, py, pz = px + along * fx, py + along * fy, pz + along * fz
    along = stretch * (ax * fx + ay * fy + az * fz)
    ax, ay, az = ax + along * fx, ay + along * fy, az + along * fz
    length2 = ax * ax + ay * ay + az * az
    t = 0.0
    if length2 > 1e-12:
        t = min(max((px * ax + py * ay + pz * az) / length2, 0.0), 1.0)
    nx, ny, nz = px - t * ax, py - t * ay, pz - t * az
    away = np.sqrt(nx * nx + ny * ny + nz * nz)
    d = away - (start_radius + t * (stop_radius - start_radius))
    if away > 1e-9:
        # the space was stretched along the flat axis: undo that in the distance, to first order
        along = stretch * (nx * fx + ny * fy + nz * fz) / away
        nx, ny, nz = nx / away + along * fx, ny / away + along * fy, nz / away + along * fz
        d /= np.sqrt(nx * nx + ny * ny + nz * nz)
    return d
