"""Measures of a view: how unlike any two of its frames are, with what has to be learnt for that kept in the corpus."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from motionloom.caching import cached
from motionloom.conform import View
from motionloom.motion import Motion, kinematics
from motionloom.motion.packed import unpack_frames
from motionloom.similarity.feature_space import (
    FeatureDistances,
    FeatureSettings,
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


@dataclass(frozen=True)
class AngleSettings:
    """Which joints are compared by their angles."""

    joint_weights: Sequence[float] | None = None  # one per joint; None: all the same


ANGLES = AngleSettings()
MeasureSettings = PointSettings | AngleSettings | FeatureSettings


def measure_view(view: View, settings: MeasureSettings = POINTS) -> Measure:
    """Prepare to compare the frames of a view; the kind of the settings decides how.

    Args:
        view: whose frames are compared.
        settings: clouds of points (metres), joint angles (radians), or features (usual distances to the nearest frame).
    """
    if isinstance(settings, AngleSettings):
        return measure_view_angles(view, settings)
    if isinstance(settings, FeatureSettings):
        return measure_view_features(view, settings)
    return measure_view_points(view, settings)


def measure_view_points(view: View, settings: PointSettings = POINTS) -> PointClouds:
    """Compare the frames of a view as clouds of points, in metres."""
    return measure_points(world_positions_of(view), view.starts, settings)


def measure_view_angles(view: View, settings: AngleSettings = ANGLES) -> JointAngles:
    """Compare the frames of a view by the angles of their joints, in radians."""
    return measure_angles(whole_motion(view).local_rotations, view.starts, settings.joint_weights)


def measure_view_features(view: View, settings: FeatureSettings = FEATURES) -> FeatureDistances:
    """Compare the frames of a view in its feature space; 1 is the usual distance to the nearest frame elsewhere."""
    learnt = view.model(_learn, plain_settings(settings), view, settings)
    return measure_features(learnt["coordinates"], view.starts)


def whole_motion(view: View) -> Motion:
    """All frames of a view as if they were one motion, for what looks at each frame alone."""
    return unpack_frames(view.frames, view.skeleton, view.fps)


def world_positions_of(view: View) -> np.ndarray:
    """Where the joints are in all frames of a view: (N, J, 3) metres, world."""
    return kinematics.world_positions(whole_motion(view))


def plain_settings(settings: Any) -> dict[str, Any]:
    """The fields of a settings dataclass by name, with numbers and lists of them as JSON can hold them."""
    return {part.name: _plain(getattr(settings, part.name)) for part in fields(settings)}


def _plain(value: Any) -> Any:
    return np.asarray(value).tolist() if np.iterable(value) or isinstance(value, np.generic) else value


@cached("feature space")
def _learn(view: View, settings: FeatureSettings) -> dict[str, np.ndarray]:
    """(N, P) where the frames of the view are in the feature space that is learnt from them."""
    positions = world_positions_of(view)
    space = learn_features(view.skeleton, positions, view.starts, view.fps, settings)
    raw = raw_features(view.skeleton, positions, view.starts, view.fps, space.joints)
    space = in_nearest_distances(space, project(space, raw), view.starts)
    return {"coordinates": project(space, raw)}
