"""Feature space: joint positions, velocities and accelerations in the body's frame, reduced by PCA.

Arikan et al. 2003, section 3.2: the features of a frame are expressed in the torso's coordinate frame and projected by
principal components. Ours is the facing, the torso's frame projected onto the ground, so that leaning and height count.
Lengths are divided by leg length, so that people of different height are comparable; the three groups are normalized to
the same total variance and then weighted 1 : 1 : 0.5 (in metres and seconds accelerations would dominate).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace

import numpy as np
import numpy.typing as npt

from motionloom.errors import BadInput
from motionloom.features import facing, velocities
from motionloom.features.principal_components import principal_components
from motionloom.motion import Skeleton
from motionloom.similarity.measure import Measure, check_finite, check_starts, find_repeats
from motionloom.similarity.point_cloud import choose_joints
from motionloom.similarity.tiles import Scratch

LEAST_STEP = 0.1  # of the step from frame to frame: nearer frames are duplicates
ROUNDING = 2e-6  # relative error of squared distances in float32; 5 times the worst seen on recordings


@dataclass(frozen=True)
class FeatureSettings:
    """Joints, weights and dimensions of the features."""

    joints: Sequence[int] | None = None  # None: all with distinct positions
    group_weights: tuple[float, float, float] = (1.0, 1.0, 0.5)  # of position, velocity, acceleration
    n_components: int = 20  # principal components


@dataclass(frozen=True, eq=False)
class FeatureSpace:
    """A PCA model of features, and the unit of their distances."""

    joints: np.ndarray  # (J,) int, of the skeleton
    mean: np.ndarray  # (9 J,) of raw features: leg lengths, per second, per second squared
    scales: np.ndarray  # (9 J,) factors of raw features, after the mean is subtracted
    components: np.ndarray  # (P, 9 J) principal components, orthonormal rows, largest variance first
    variances: np.ndarray  # (P + 1,) of each component, and the residual
    unit_distance: np.ndarray  # () divisor of distances

    def to_arrays(self) -> dict[str, np.ndarray]:
        """All of it as arrays by name, to be kept."""
        return {part.name: np.atleast_1d(getattr(self, part.name)) for part in fields(self)}

    @staticmethod
    def from_arrays(arrays: Mapping[str, np.ndarray]) -> "FeatureSpace":
        """What `to_arrays` gave."""
        missing = sorted({part.name for part in fields(FeatureSpace)} - set(arrays))
        if missing:
            raise BadInput(f"a feature space without {', '.join(missing)}; learn it again")
        parts = {part.name: np.array(arrays[part.name]) for part in fields(FeatureSpace)}
        parts["unit_distance"] = parts["unit_distance"].reshape(())
        return FeatureSpace(**parts)


@dataclass(frozen=True, eq=False)
class FeatureDistances(Measure):
    """A measure without unit, or in multiples of the median distance to the nearest frame; see `measure_features`."""

    starts: np.ndarray  # (M + 1,) int
    comparable: np.ndarray  # (F,) bool: all of them
    slack: np.ndarray  # (F,) float32
    repeats: np.ndarray  # (F,) bool
    coordinates: np.ndarray  # (F, P) in the feature space, divided by its unit distance
    bulk: np.ndarray = field(repr=False)  # (F, P) float32
    sizes: np.ndarray = field(repr=False)  # (F,) float32: squared lengths
    unit: str = ""

    def squared_block(self, rows: slice, columns: slice, scratch: Scratch) -> np.ndarray:
        from motionloom.similarity._kernels import finish_features

        out = scratch.take("block", rows.stop - rows.start, columns.stop - columns.start)
        np.dot(self.bulk[rows], self.bulk[columns].T, out=out)
        finish_features(self.sizes, rows.start, columns.start, out)
        return out

    def fill_pairs(self, first: np.ndarray, second: np.ndarray, out: np.ndarray) -> None:
        from motionloom.similarity._kernels import feature_pairs

        feature_pairs(self.coordinates, first, second, out)


def learn_features(
    skeleton: Skeleton,
    positions: np.ndarray,
    starts: npt.ArrayLike,
    fps: float,
    settings: FeatureSettings | None = None,
) -> FeatureSpace:
    """Learn a feature space from motions; its distances are in its own units until `in_nearest_distances`.

    Args:
        skeleton: of J joints, with hips or shoulders of both sides, and legs.
        positions: (F, J, 3) metres, world, floor at y = 0, of motions one after the other.
        starts: (M + 1,) where they start; the last is F.
        fps: frames per second.
        settings: joints, weights and number of components.
    """
    settings = settings or FeatureSettings()
    joints = choose_joints(np.asarray(positions), settings.joints)
    raw = raw_features(skeleton, positions, starts, fps, joints)
    n_kept = _check_settings(settings, raw.shape)
    mean = raw.mean(axis=0)
    scales = _group_scales(raw, settings.group_weights)
    variances, directions = principal_components(np.cov((raw - mean) * scales, rowvar=False, bias=True))
    components = directions.T[:n_kept]
    largest = np.abs(components).argmax(axis=1)
    signs = np.sign(np.take_along_axis(components, largest[:, None], axis=1))  # else they are arbitrary
    left_out = variances[::-1].sum() - variances[:n_kept].sum()  # summed from the smallest
    return FeatureSpace(
        joints=joints,
        mean=mean,
        scales=scales,
        components=components * signs,
        variances=np.append(variances[:n_kept], max(left_out, 0.0)),
        unit_distance=np.array(1.0),
    )


def raw_features(
    skeleton: Skeleton, positions: np.ndarray, starts: npt.ArrayLike, fps: float, joints: np.ndarray
) -> np.ndarray:
    """Positions, velocities and accelerations in the frame of the facing: (F, 9 J) in leg lengths and seconds.

    Velocities and accelerations are world velocities rotated into the facing, so that they include the body's speed.
    """
    positions = np.asarray(positions, dtype=np.float64)
    if positions.shape[1:] != (skeleton.n_joints, 3):
        raise BadInput(f"positions have shape {positions.shape}, expected (F, {skeleton.n_joints}, 3)")
    starts = check_starts(starts, len(positions))
    check_finite(positions, starts, "the positions")
    joints = choose_joints(positions, joints)
    leg = skeleton.leg_length
    if leg <= 0:
        raise BadInput(
            f"skeleton '{skeleton.name}' has no known leg length; assign the roles of knees and feet; "
            f"joints: {', '.join(skeleton.names)}"
        )
    parts = [_features_of_one(skeleton, positions[a:b], fps, joints) for a, b in zip(starts[:-1], starts[1:])]
    return np.concatenate(parts) / leg


def project(space: FeatureSpace, raw: np.ndarray) -> np.ndarray:
    """Coordinates in a feature space: (F, P) from (F, 9 J) raw features, divided by its unit distance."""
    if raw.ndim != 2 or raw.shape[1] != len(space.mean):
        raise BadInput(
            f"raw features have shape {raw.shape}, expected (F, {len(space.mean)}) for a feature space of "
            f"{len(space.joints)} joints; compute them with its joints"
        )
    return ((raw - space.mean) * space.scales) @ space.components.T / space.unit_distance


def measure_features(coordinates: np.ndarray, starts: npt.ArrayLike) -> FeatureDistances:
    """The measure of frames by their coordinates in a feature space.

    Args:
        coordinates: (F, P) from `project`, of motions one after the other.
        starts: (M + 1,) where they start; the last is F.
    """
    coordinates = np.ascontiguousarray(coordinates, dtype=np.float64)
    if coordinates.ndim != 2 or coordinates.shape[1] < 1:
        raise BadInput(f"features have shape {coordinates.shape}, expected (F, P)")
    starts = check_starts(starts, len(coordinates))
    check_finite(coordinates, starts, "the features")
    centred = coordinates - coordinates.mean(axis=0)  # for precision in float32; distances stay the same
    sizes = (centred**2).sum(axis=1)
    return FeatureDistances(
        starts=starts,
        comparable=np.ones(len(coordinates), bool),
        slack=(ROUNDING * sizes).astype(np.float32),
        repeats=find_repeats(starts, 0, coordinates),
        coordinates=coordinates,
        bulk=centred.astype(np.float32),
        sizes=sizes.astype(np.float32),
    )


def in_nearest_distances(space: FeatureSpace, coordinates: np.ndarray, starts: npt.ArrayLike) -> FeatureSpace:
    """Choose the unit so that 1 is the median distance of a frame to its nearest neighbour.

    If that is almost 0, because most frames have duplicates, it is a tenth of the median step of one frame.

    Args:
        space: of the coordinates.
        coordinates: (F, P) of the frames it was learnt from.
        starts: (M + 1,) where their motions start; the last is F.
    """
    from motionloom.similarity.thresholds import natural_step, nearest_distance

    measure = measure_features(coordinates, starts)
    unit = max(nearest_distance(measure), LEAST_STEP * natural_step(measure))
    return replace(space, unit_distance=space.unit_distance * (unit or 1.0))  # 0 if all frames are equal


def _features_of_one(skeleton: Skeleton, positions: np.ndarray, fps: float, joints: np.ndarray) -> np.ndarray:
    headings, ground = facing.find_facing(skeleton, positions)
    chosen = positions[:, joints]
    groups = (
        velocities.positions_seen_from(headings, ground, 0.0, chosen),
        velocities.seen_from(headings, velocities.velocities(chosen, fps)),
        velocities.seen_from(headings, velocities.accelerations(chosen, fps)),
    )
    return np.concatenate([group.reshape(len(positions), -1) for group in groups], axis=1)


def _group_scales(raw: np.ndarray, group_weights: tuple[float, float, float]) -> np.ndarray:
    """(9 J,) factors that normalize each group to a total variance of 1, times its weight; 0 for constant groups."""
    per_group = raw.var(axis=0).reshape(3, -1).sum(axis=1)
    still = per_group < 1e-12
    scales = np.where(still, 0.0, np.asarray(group_weights) / np.sqrt(np.where(still, 1.0, per_group)))
    return np.repeat(scales, raw.shape[1] // 3)


def _check_settings(settings: FeatureSettings, shape: tuple[int, int]) -> int:
    """The number of components: as in the settings, at most the number of features."""
    weights = np.asarray(settings.group_weights, float)
    if weights.shape != (3,) or not (weights >= 0).all() or not 0 < weights.sum() < np.inf or settings.n_components < 1:
        raise BadInput(
            f"group weights {settings.group_weights} and {settings.n_components} components are invalid: expected "
            "three weights, not negative and not all zero, and at least one component"
        )
    if shape[0] < 2:
        raise BadInput("a feature space needs at least 2 frames, got 1")
    return min(settings.n_components, shape[1])
