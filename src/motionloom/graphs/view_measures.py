"""Distance measures between the frames of a view; feature spaces are cached in the corpus."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from motionloom.caching import cached
from motionloom.conform import View
from motionloom.conform.carried_heights import carried_heights
from motionloom.conform.statistics import Statistics, learn_statistics
from motionloom.motion import Motion, kinematics
from motionloom.motion.packed import unpack_frames
from motionloom.similarity.feature_space import (
    FeatureDistances,
    FeatureSettings,
    FeatureSpace,
    in_nearest_distances,
    learn_features,
    measure_features,
    project,
    raw_features,
)
from motionloom.similarity.joint_angles import JointAngles, measure_angles
from motionloom.similarity.measure import Measure
from motionloom.similarity.point_cloud import PointClouds, PointSettings, measure_points

POINTS = PointSettings()
FEATURES = FeatureSettings()
LEVEL = 30.0  # median distances to the nearest frame that a metre between what carries two bodies counts as


@dataclass(frozen=True)
class AngleSettings:
    """Settings of the measure by joint angles."""

    joint_weights: Sequence[float] | None = None  # one per joint; None: equal


ANGLES = AngleSettings()
MeasureSettings = PointSettings | AngleSettings | FeatureSettings


def measure_view(view: View, settings: MeasureSettings = POINTS) -> Measure:
    """The distance measure of the frames of a view that belongs to the type of the settings.

    Args:
        view: whose frames are compared.
        settings: of point clouds (metres), joint angles (radians), or features (multiples of the median distance to the
            nearest frame).
    """
    if isinstance(settings, AngleSettings):
        return measure_view_angles(view, settings)
    if isinstance(settings, FeatureSettings):
        return measure_view_features(view, settings)
    return measure_view_points(view, settings)


def measure_view_points(view: View, settings: PointSettings = POINTS) -> PointClouds:
    """Compare the frames of a view as point clouds, in metres."""
    return measure_points(world_positions_of(view), view.starts, settings)


def measure_view_angles(view: View, settings: AngleSettings = ANGLES) -> JointAngles:
    """Compare the frames of a view by the angles of their joints, in radians."""
    return measure_angles(whole_motion(view).local_rotations, view.starts, settings.joint_weights)


def measure_view_features(view: View, settings: FeatureSettings = FEATURES) -> FeatureDistances:
    """Compare the frames of a view in the feature space of its corpus; 1 is the median distance to the nearest frame.

    Where feet stand on steps, how high these are counts too: somebody who stands on a stone is far from somebody who
    stands on the floor in the same pose, because a cut between them leaves the body in the air.
    """
    statistics = feature_statistics(view, settings)
    space = FeatureSpace.from_arrays(statistics.arrays)
    parts = view.parts(_place, {"space": statistics.digest}, lambda name: _place(view.motion(name), space))
    coordinates = np.column_stack([parts.arrays["coordinates"], LEVEL * carried_heights(view)])
    return measure_features(coordinates, view.starts)


def feature_statistics(view: View, settings: FeatureSettings = FEATURES) -> Statistics:
    """The feature space of the corpus of a view, as arrays."""
    return learn_statistics(view, _learn, plain_settings(settings), lambda sample: _learn(sample, settings))


def whole_motion(view: View) -> Motion:
    """All frames of a view as one motion, for computations on single frames."""
    return unpack_frames(view.frames, view.skeleton, view.fps)


def world_positions_of(view: View) -> np.ndarray:
    """Joint positions in all frames of a view: (N, J, 3) metres, world."""
    return kinematics.world_positions(whole_motion(view))


def plain_settings(settings: Any) -> dict[str, Any]:
    """The fields of a settings dataclass as JSON values, by name."""
    return {part.name: _plain(getattr(settings, part.name)) for part in fields(settings)}


def _plain(value: Any) -> Any:
    return np.asarray(value).tolist() if np.iterable(value) or isinstance(value, np.generic) else value


@cached("feature space")
def _learn(view: View, settings: FeatureSettings) -> dict[str, np.ndarray]:
    """The feature space that is learnt from the frames of a view."""
    positions = world_positions_of(view)
    space = learn_features(view.skeleton, positions, view.starts, view.fps, settings)
    raw = raw_features(view.skeleton, positions, view.starts, view.fps, space.joints)
    return in_nearest_distances(space, project(space, raw), view.starts).to_arrays()


@cached("feature coordinates")
def _place(motion: Motion, space: FeatureSpace) -> dict[str, np.ndarray]:
    """(F, P) where the frames of a motion are in a feature space."""
    positions = kinematics.world_positions(motion)
    raw = raw_features(motion.skeleton, positions, [0, motion.n_frames], motion.fps, space.joints)
    return {"coordinates": project(space, raw)}
