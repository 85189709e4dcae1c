"""Asked faces: poses that are likely where something is asked of some points, and no whole pose is given anywhere.

They are looked for among the recorded ones every third of a second, in frames in which something is asked; what is
asked within a sixth of a second of these counts too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from motionloom.methods.dynamics.demands.demand import Demand, pull_alike
from motionloom.methods.dynamics.demands.point_setting import PointSetting
from motionloom.methods.dynamics.demands.read_demands import Demands
from motionloom.methods.dynamics.prior.dynamic_prior import DynamicPrior
from motionloom.methods.dynamics.prior.likely_poses import LEAST, LikelyPose, likely_pose
from motionloom.methods.dynamics.prior.point_vectors import PointVectors
from motionloom.methods.dynamics.terms.linear_terms import LikelyTerm, PoseTerm
from motionloom.methods.dynamics.terms.point_terms import DistanceTerm, PointTerm, ProjectionTerm
from motionloom.methods.dynamics.trajectory.posed import Spot
from motionloom.motion import rotations

APART = 1 / 3  # seconds between poses that are looked for
Telling = PointTerm | DistanceTerm | ProjectionTerm | PoseTerm


@dataclass(frozen=True, eq=False)
class AskedFace:
    """A likely pose, and what it was found by."""

    pose: LikelyPose
    around: tuple[Demand, ...]
    head: np.ndarray  # (7,)

    def is_of(self, frame: int, around: Sequence[Demand], head: np.ndarray) -> bool:
        """Whether the same is asked around a frame."""
        is_there = self.pose.frame == frame and len(around) == len(self.around) and np.array_equal(head, self.head)
        return is_there and all(pull_alike(one, other) for one, other in zip(self.around, around))


def ask_faces(
    setting: PointSetting, demands: Demands, prior: DynamicPrior, known: Sequence[AskedFace] = ()
) -> tuple[AskedFace, ...]:
    """Likely poses by their frames; none of an edit, nor where whole poses are given.

    Args:
        setting: of the request.
        demands: of the request.
        prior: that was learnt, or what stands in its place.
        known: of an earlier request to the same model; what it asked alike is not looked for again.
    """
    has_whole = any(key.joints is None for key in demands.keys)
    if setting.source is not None or has_whole or prior.name != "dynamics" or not len(prior.poses):
        return ()
    telling = [demand for demand in demands.parts if len(demand.pulled)]
    frames = spread_frames(np.unique(np.concatenate([demand.pulled for demand in telling])), APART * setting.fps)
    on_head = setting.codec.read(prior.poses)
    least = LEAST * setting.codec.extent * setting.codec.scale
    found = []
    for frame in frames.tolist():
        around = tuple(each for each in telling if _gap(each, frame) <= 0.5 * APART * setting.fps)
        head = setting.heads[frame]
        same = next((face for face in known if face.is_of(frame, around, head)), None)
        if same is None:
            away = _away(around, RecordedPoses(setting.codec, prior.poses, on_head, head), frame)
            same = AskedFace(likely_pose(prior.subspace, prior.poses, away, least, frame), around, head)
        found.append(same)
    return tuple(found)


def likely_term(prior: DynamicPrior, likely: Sequence[LikelyPose], rows: np.ndarray) -> LikelyTerm:
    """That likely poses are met, as certain as they are.

    Args:
        prior: with the subspace that they are in.
        likely: poses.
        rows: (n,) their samples.
    """
    found = np.array([pose.coordinates for pose in likely])
    roots = np.array([np.linalg.inv(np.linalg.cholesky(pose.covariance)) for pose in likely])
    return LikelyTerm(rows, prior.subspace.directions, prior.subspace.to_vectors(found), roots)


def spread_frames(frames: np.ndarray, apart: float) -> np.ndarray:
    """Some of (n,) ascending frames: of each run of them as many, evenly spread, as it is long.

    Args:
        frames: in which something is asked.
        apart: frames between those that are chosen; nearer ones are of one run.
    """
    kept: list[int] = []
    for run in np.split(frames, np.flatnonzero(np.diff(frames) > apart) + 1):
        count = int((run[-1] - run[0]) / apart + 0.5) + 1
        wanted = np.linspace(run[0], run[-1], count) if count > 1 else [0.5 * (run[0] + run[-1])]
        kept += [int(run[np.abs(run - place).argmin()]) for place in wanted]
    return np.unique(kept)


@dataclass(frozen=True, eq=False)
class RecordedPoses:
    """Recorded poses on one head, as terms see them."""

    codec: PointVectors
    vectors: np.ndarray  # (N, D) scaled
    on_head: np.ndarray  # (N, M, 3) metres
    head: np.ndarray  # (7,)

    @cached_property
    def _turn(self) -> np.ndarray:
        return np.asarray(rotations.to_matrix(self.head[3:]))

    def points(self, spots: Sequence[Spot], rows: np.ndarray) -> np.ndarray:
        """(n, S, 3) metres, world."""
        on_head = self.on_head[rows[:, None], [spot.joint for spot in spots]]
        return np.asarray(on_head @ self._turn.T + self.head[:3])


def _gap(demand: Demand, frame: int) -> int:
    """Frames between a frame and the nearest in which something is asked."""
    return int(np.abs(demand.pulled - frame).min())


def _away(around: Sequence[Demand], recorded: RecordedPoses, frame: int) -> np.ndarray:
    """(N,) how far recorded poses are from what is asked around a frame, in usual deviations."""
    total = np.zeros(len(recorded.vectors))
    for demand in around:
        term = demand.make_term(demand.pulled)
        if isinstance(term, Telling):
            beside = term.beside(int(np.abs(demand.pulled - frame).argmin()), recorded)
            total += (beside**2).sum(axis=1)
    return np.sqrt(total)
