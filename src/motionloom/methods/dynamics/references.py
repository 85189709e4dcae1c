"""References: what the coordinates of a motion are relative to, in all its frames.

Of an edit, the motion that is edited. Of an interpolation, the interpolated keys. Else the mean pose, and what the
subspace cannot show of given poses as a layer between them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.methods.dynamics.demands.body_setting import BodySetting
from motionloom.methods.dynamics.demands.demand import Key, PoseKey
from motionloom.methods.dynamics.prior.dynamic_prior import DynamicPrior
from motionloom.methods.dynamics.prior.pose_vectors import HEIGHT, HEIGHT_AT, N_GROUND, SPEED, find_places
from motionloom.methods.dynamics.prior.smooth_priors import INTERPOLATIONS
from motionloom.methods.dynamics.prior.subspace import likeliest_coordinates
from motionloom.methods.dynamics.trajectory.basis import Basis
from motionloom.methods.dynamics.trajectory.problem import Reference, curve_values
from motionloom.motion import Motion, rotations
from motionloom.motion.placement import direction_of


@dataclass(frozen=True, eq=False)
class References:
    """A reference in every frame of a motion, up to the last frame of the model."""

    vectors: np.ndarray  # (F, D) scaled
    places: np.ndarray  # (F, p)
    still: np.ndarray | None  # (F, J, 4) of a body, (F, 7) of the head of points
    is_source: bool
    start: np.ndarray  # (F, d) coordinates to start from

    def at(self, frames: np.ndarray) -> Reference:
        """In some frames."""
        still = None if self.still is None else self.still[frames]
        return Reference(self.vectors[frames], self.places[frames], still, self.is_source)

    def widened(self, size: int) -> "References":
        """The same with more coordinates, which start from zero."""
        more = np.zeros((len(self.start), size - self.start.shape[1]))
        return replace(self, start=np.concatenate([self.start, more], axis=1))

    def curved(self, step: int) -> "References":
        """The same in the frames of the model, and on the curves of coordinates between them.

        Coordinates, which are known in the frames of the model alone, could not take away a corner between two of them.

        Args:
            step: frames of a motion for each frame of the model.
        """
        basis = Basis((len(self.places) - 1) // step + 1)
        rows = basis.rows(np.arange(len(self.places)) / step)
        vectors, places = (curve_values(rows, basis.fit(values[::step])) for values in (self.vectors, self.places))
        return replace(self, vectors=vectors, places=places)


def make_references(
    setting: BodySetting,
    prior: DynamicPrior,
    keys: Sequence[PoseKey],
    guessed: np.ndarray,
    levels: np.ndarray,
    is_placed: bool = True,
) -> References:
    """What coordinates of a motion that is no edit are relative to, and where a search for them starts.

    Args:
        setting: of the request.
        prior: whose coordinates they are.
        keys: poses that are given, by their frames.
        guessed: (F, 3) places, up to the last frame of the model.
        levels: (F,) metres of the ground under the body.
        is_placed: whether anything was asked of places; else they follow from the velocities of the poses.
    """
    n_frames = (setting.n_model_frames - 1) * setting.step + 1
    whole = [key for key in keys if key.joints is None]
    still = _still(setting, whole, n_frames)
    if prior.name in INTERPOLATIONS:
        vectors = interpolated(keys, prior.subspace.middle, n_frames, prior.name)
        vectors[:, :N_GROUND] = _ground(setting, guessed)
        return References(vectors, guessed, still, True, np.zeros((n_frames, prior.size)))
    vectors, start = layered(prior, whole, n_frames, {HEIGHT_AT: HEIGHT * levels})
    if not is_placed:
        guessed = _walked(setting, (vectors + start @ prior.subspace.directions.T)[:: setting.step], guessed)
    return References(vectors, guessed, still, False, start).curved(setting.step)


def layered(
    prior: DynamicPrior, whole: Sequence[Key], n_frames: int, raised: Mapping[int, np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """(F, D) the mean and what the subspace cannot show of keys, and (F, d) coordinates between those of keys.

    Args:
        prior: with the subspace.
        whole: poses that are given, by their frames.
        n_frames: F.
        raised: numbers of vectors, and (F,) by how much they are more than the subspace shows.
    """
    found = np.array([likeliest_coordinates(prior.subspace, key.vector) for key in whole]).reshape(-1, prior.size)
    frames = [key.frame for key in whole]
    shown = prior.subspace.to_vectors(found)
    for column, more in raised.items():
        shown[:, column] += more[frames]
    rests = np.array([np.nan_to_num(key.vector - one) for key, one in zip(whole, shown)]).reshape(-1, len(shown.T))
    vectors = prior.subspace.middle + between(frames, rests, n_frames)
    for column, more in raised.items():
        vectors[:, column] += more
    return vectors, between(frames, found, n_frames)


def _walked(setting: BodySetting, vectors: np.ndarray, guessed: np.ndarray) -> np.ndarray:
    """(F, 3) places that velocities of the T poses of the model lead to, with the headings that were guessed."""
    forward, left = (vectors[:-1, :2] / SPEED / setting.codec.fps).T
    headings = guessed[:: setting.step, 2][:-1]
    ahead = direction_of(headings)
    moved = forward[:, None] * ahead + left[:, None] * np.stack([ahead[:, 1], -ahead[:, 0]], axis=-1)
    places = np.concatenate([np.zeros((1, 2)), np.cumsum(moved, axis=0)]) + guessed[0, :2]
    every = np.arange(len(guessed)) / setting.step
    along = [np.interp(every, np.arange(len(places)), column) for column in places.T]
    return np.column_stack([*along, guessed[:, 2]])


def references_of(setting: BodySetting, prior: DynamicPrior, motion: Motion) -> References:
    """What coordinates of an edit are relative to: a motion of F frames, up to the last frame of the model."""
    if motion is setting.source:
        vectors, places, still = setting.once("reference", lambda: _reference_to(setting, motion))
    else:
        vectors, places, still = _reference_to(setting, motion)
    return References(vectors, places, still, True, np.zeros((len(places), prior.size)))


def _reference_to(setting: BodySetting, motion: Motion) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(F, D) scaled, (F, 3) and (F, J, 4), up to the last frame of the model."""
    source = setting.led_on(motion)
    codec, places = setting.codec, find_places(source)
    poses = codec.scales[N_GROUND:] * codec.poses(source, places)
    return np.concatenate([_ground(setting, places), poses], axis=1), places, source.local_rotations


def _ground(setting: BodySetting, places: np.ndarray) -> np.ndarray:
    """(F, 3) scaled velocities from each frame of the model to the next."""
    codec, step = setting.codec, setting.step
    seen = codec.velocities(places[::step]) * codec.scales[:N_GROUND]
    return np.repeat(seen, step, axis=0)[: len(places)]


def _still(setting: BodySetting, keys: Sequence[PoseKey], n_frames: int) -> np.ndarray | None:
    """(F, J, 4) rotations of keys, and between them."""
    if not keys:
        return None
    poses = np.concatenate([key.pose.local_rotations for key in keys])
    frames = np.array([key.frame for key in keys])
    every = np.arange(n_frames)
    after = np.clip(np.searchsorted(frames, every, side="right"), 1, max(len(keys) - 1, 1))
    before = after - 1
    after = np.minimum(after, len(keys) - 1)
    gap = np.maximum(frames[after] - frames[before], 1)
    share = np.clip((every - frames[before]) / gap, 0.0, 1.0)
    return rotations.slerp(poses[before], poses[after], share[:, None])


def interpolated(keys: Sequence[Key], middle: np.ndarray, n_frames: int, method: str) -> np.ndarray:
    """(F, D) every number between the keys that give it; the mean where none does."""
    vectors = np.tile(middle, (n_frames, 1))
    given = np.array([key.vector for key in keys]).reshape(-1, len(middle))
    frames = np.array([key.frame for key in keys])
    every = np.arange(n_frames)
    curve = spline_through if method == "spline" else _line_through
    patterns = np.isfinite(given)
    for pattern in np.unique(patterns, axis=1).T:
        if pattern.any():
            columns = np.flatnonzero((patterns == pattern[:, None]).all(axis=0))
            vectors[:, columns] = curve(frames[pattern], given[pattern][:, columns])(every)
    return vectors


Curve = Callable[[np.ndarray], np.ndarray]


def spline_through(frames: np.ndarray, values: np.ndarray) -> Curve:
    """A natural cubic spline through (n, k) values, constant before the first and after the last."""
    frames, first = np.unique(frames, return_index=True)
    values = values[first]
    if len(frames) < 3:
        return _line_through(frames, values)
    from scipy.interpolate import CubicSpline

    spline = CubicSpline(frames, values, bc_type="natural")
    return lambda every: np.asarray(spline(np.clip(every, frames[0], frames[-1])))


def _line_through(frames: np.ndarray, values: np.ndarray) -> Curve:
    return lambda every: np.stack([np.interp(every, frames, column) for column in values.T], axis=1)


def between(frames: Sequence[int], values: np.ndarray, n_frames: int) -> np.ndarray:
    """(F, k) linear between (n, k) values; zeros where there are none."""
    if not len(frames):
        return np.zeros((n_frames, values.shape[1]))
    return _line_through(np.array(frames), values)(np.arange(n_frames))
