"""Shapes: tapered capsules fixed to joints, whose smooth union is the body."""

from dataclasses import dataclass, field, replace

import numpy as np

from motionloom.motion import rotations


@dataclass(frozen=True, eq=False)
class Shapes:
    """N tapered capsules, and the radii of their smooth union."""

    joints: np.ndarray  # (N,) int, the joint each is fixed to
    starts: np.ndarray  # (N, 3) metres
    stops: np.ndarray  # (N, 3) metres
    start_radii: np.ndarray  # (N,) metres
    stop_radii: np.ndarray  # (N,) metres
    flat_axes: np.ndarray  # (N, 3) unit: the direction in which each is thinner
    flatness: np.ndarray  # (N,) by this factor
    groups: np.ndarray  # (N,) int: parts of the body, blended first inside, then with each other
    group_blends: np.ndarray  # (G,) metres: blend radius inside each group
    blend: float  # metres: blend radius between groups


@dataclass
class Moulding:
    """A builder of shapes."""

    rows: list[tuple] = field(default_factory=list)
    group_blends: list[float] = field(default_factory=list)

    def begin_group(self, blend: float) -> None:
        """Begin a new group with a blend radius in metres."""
        self.group_blends.append(blend)

    def add(
        self,
        joint: int,
        start: np.ndarray,
        stop: np.ndarray,
        start_radius: float,
        stop_radius: float | None = None,
        flat_axis: tuple[float, float, float] | np.ndarray = (0.0, 0.0, 1.0),
        flatness: float = 1.0,
    ) -> None:
        """Add a tapered capsule fixed to a joint."""
        stop_radius = start_radius if stop_radius is None else stop_radius
        axis = np.asarray(flat_axis, float)
        axis = axis / np.linalg.norm(axis)
        self.rows.append((joint, start, stop, start_radius, stop_radius, axis, flatness, len(self.group_blends) - 1))

    def finish(self, blend: float) -> Shapes:
        """The shapes as arrays."""
        joints, starts, stops, start_radii, stop_radii, axes, flatness, groups = zip(*self.rows)
        return Shapes(
            joints=np.array(joints, dtype=np.int64),
            starts=np.array(starts, dtype=float),
            stops=np.array(stops, dtype=float),
            start_radii=np.array(start_radii, dtype=float),
            stop_radii=np.array(stop_radii, dtype=float),
            flat_axes=np.array(axes, dtype=float),
            flatness=np.array(flatness, dtype=float),
            groups=np.array(groups, dtype=np.int64),
            group_blends=np.array(self.group_blends, dtype=float),
            blend=float(blend),
        )


def move_shapes(shapes: Shapes, centres: np.ndarray, turns: np.ndarray, new_centres: np.ndarray) -> Shapes:
    """Move shapes with their joints, from (J, 3) centres by (J, 4) rotations to (J, 3) new centres."""
    turn, centre, new_centre = turns[shapes.joints], centres[shapes.joints], new_centres[shapes.joints]
    return replace(
        shapes,
        starts=rotations.rotate(turn, shapes.starts - centre) + new_centre,
        stops=rotations.rotate(turn, shapes.stops - centre) + new_centre,
        flat_axes=rotations.rotate(turn, shapes.flat_axes),
    )


def measure(shapes: Shapes, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Signed distance of (M, 3) points from the body, (M,) metres, and the nearest shape, (M,) int."""
    from motionloom.body._kernels import blend_distances

    points = np.ascontiguousarray(points, dtype=float)
    distances, nearest = np.empty(len(points)), np.zeros(len(points), dtype=np.int64)
    reaches = np.linalg.norm(shapes.stops - shapes.starts, axis=-1) / 2 + np.maximum(
        shapes.start_radii, shapes.stop_radii
    )
    blend_distances(
        points,
        shapes.starts,
        shapes.stops,
        shapes.start_radii,
        shapes.stop_radii,
        shapes.flat_axes,
        shapes.flatness,
        (shapes.starts + shapes.stops) / 2,
        reaches,
        shapes.groups,
        shapes.group_blends,
        shapes.blend,
        distances,
        nearest,
    )
    return distances, nearest


def slopes(shapes: Shapes, points: np.ndarray, step: float = 2e-4) -> tuple[np.ndarray, np.ndarray]:
    """The distance (M,) at (M, 3) points and its gradient (M, 3), which is the outward normal on the surface."""
    corners = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], float)  # of a small tetrahedron
    values = measure(shapes, (points + step * corners[:, None]).reshape(-1, 3))[0].reshape(4, len(points))
    return values.mean(axis=0), values.T @ corners / (4 * step)
