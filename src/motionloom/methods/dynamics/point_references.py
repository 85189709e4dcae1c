"""Point references: what the coordinates of points on a head are relative to, in all frames of a motion."""

from collections.abc import Sequence

import numpy as np

from motionloom.methods.dynamics.demands.demand import Key
from motionloom.methods.dynamics.demands.face_demands import key_change
from motionloom.methods.dynamics.demands.point_setting import PointSetting
from motionloom.methods.dynamics.prior.dynamic_prior import DynamicPrior
from motionloom.methods.dynamics.prior.likely_poses import LikelyPose
from motionloom.methods.dynamics.prior.smooth_priors import INTERPOLATIONS
from motionloom.methods.dynamics.references import References, between, interpolated, layered

FADE = 0.4  # seconds before and after a key of an edit over which its change fades out


def make_point_references(
    setting: PointSetting, prior: DynamicPrior, keys: Sequence[Key], likely: Sequence[LikelyPose] = ()
) -> References:
    """Of a motion that is no edit: the mean and what the subspace cannot show of keys, or interpolated keys.

    Args:
        setting: of the request.
        prior: whose coordinates they are.
        keys: poses that are given, by their frames.
        likely: poses between which the search begins, where no whole ones are given.
    """
    n_frames = (setting.n_model_frames - 1) * setting.step + 1
    places, heads = np.zeros((n_frames, 0)), led_on(setting.heads, n_frames)
    if prior.name in INTERPOLATIONS:
        vectors = interpolated(keys, prior.subspace.middle, n_frames, prior.name)
        return References(vectors, places, heads, True, np.zeros((n_frames, prior.size)))
    whole = [key for key in keys if key.joints is None]
    vectors, start = layered(prior, whole, n_frames, {})
    if likely:
        start = between([pose.frame for pose in likely], np.array([pose.coordinates for pose in likely]), n_frames)
    return References(vectors, places, heads, False, start).curved(setting.step)


def point_references_of(setting: PointSetting, prior: DynamicPrior, keys: Sequence[Key]) -> References:
    """Of an edit: the motion that is edited, which goes to the keys and back within a moment.

    Args:
        setting: of the request.
        prior: whose coordinates they are.
        keys: poses that are given, by their frames.
    """
    n_frames = (setting.n_model_frames - 1) * setting.step + 1
    vectors = setting.source_vectors
    vectors = vectors + key_change(vectors, keys, FADE * setting.fps)
    more = np.arange(1.0, n_frames - len(vectors) + 1)[:, None]
    vectors = np.concatenate([vectors, vectors[-1] + more * (vectors[-1] - vectors[-2])])
    start = np.zeros((n_frames, prior.size))
    return References(vectors, np.zeros((n_frames, 0)), led_on(setting.heads, n_frames), True, start)


def led_on(heads: np.ndarray, n_frames: int) -> np.ndarray:
    """(n, 7) of a head (F, 7) that stays where it is after its last frame."""
    return np.concatenate([heads, np.repeat(heads[-1:], n_frames - len(heads), axis=0)])
