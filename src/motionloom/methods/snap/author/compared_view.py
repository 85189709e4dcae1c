"""A compared view: which frames are alike, as minima of all slices. Cached in the corpus for every pair of takes.

Choosing hubs afterwards compares no frames again, nor does leaving takes out; new takes are compared with the others.
Thresholds are those of the corpus, whichever takes are chosen.
"""

from dataclasses import dataclass

import numpy as np

from motionloom.caching import cached
from motionloom.conform import View
from motionloom.conform.base_view import take_of
from motionloom.conform.statistics import learn_statistics, recorded_only
from motionloom.corpus import TakeFinder
from motionloom.errors import BadInput
from motionloom.graphs.view_measures import measure_view_points, plain_settings
from motionloom.methods.snap.author.foot_levels import keep_level_minima, view_levels
from motionloom.methods.snap.author.graph_request import TakeFrame
from motionloom.similarity import Measure, default_threshold
from motionloom.similarity.point_cloud import PointSettings
from motionloom.similarity.slice_minima import SliceMinima, find_slice_minima
from motionloom.tasks import Progress

USUAL_FACTOR = 1.5  # times the usual threshold of the takes: the default threshold of match sets
MOST_FACTOR = 3.0  # times the usual threshold: the largest threshold; minima are found up to it
LEAST_USUAL = 0.013  # metres: lower bound of the usual threshold, for takes that hardly move
MOST_SHARE = 0.5  # of all pairs of frames: the largest threshold is at most this quantile of their distances
SAMPLES = 20_000  # random pairs of frames from which the distribution of distances is estimated


@dataclass(frozen=True, eq=False)
class ComparedView:
    """Which frames of a view are alike: the minima of all slices, and the usual threshold of the corpus."""

    view: View
    usual: float  # metres: below this distance a transition between two frames is smooth
    minima: SliceMinima  # up to MOST_FACTOR times that, or the MOST_SHARE quantile of all distances
    spread: np.ndarray  # (101,) metres: percentiles of the distance between two random frames
    levels: np.ndarray | None = None  # (N, 4) metres, of `view_levels`; None where all feet stand on the floor

    @property
    def threshold(self) -> float:
        """The default threshold of match sets, metres."""
        return min(USUAL_FACTOR * self.usual, self.most)

    def share_below(self, distance: float) -> float:
        """The share of all pairs of frames, 0 to 1, whose distance is smaller."""
        return float(np.interp(distance, self.spread, np.linspace(0, 1, len(self.spread))))

    @property
    def most(self) -> float:
        """The largest threshold that a request may have, metres."""
        return self.minima.threshold


def compare_view(view: View, progress: Progress | None = None) -> ComparedView:
    """Compare all frames of a view; what is found is cached if the corpus is open for writing.

    Args:
        view: whose frames are compared.
        progress: called as progress(done, total).
    """
    learnt = learn_statistics(view, _learn_scale, {"most": MOST_FACTOR}, _learn_scale).arrays
    usual, most = learnt["thresholds"].tolist()
    points = PointSettings(joints=tuple(learnt["joints"].tolist()))
    made_with = {"threshold": most, "points": plain_settings(points)}
    found = view.pairs(_compare, made_with, lambda cells: _compare(view, points, most, cells, progress))
    minima = SliceMinima(most, found.starts, found.frames, found.distances)
    levels = None
    if len(view.supports):
        levels = view_levels(view)
        minima = keep_level_minima(minima, levels)
    return ComparedView(view, usual, minima, learnt["spread"], levels)


def frame_in_view(view: View, wanted: TakeFrame) -> int:
    """The index, over all frames of a view, of the frame that shows a frame of a take.

    Raises:
        BadInput: the view has no such take, or the take no such frame.
    """
    try:
        name = TakeFinder([*view.names]).find(wanted.take)
    except BadInput as error:
        if wanted.take in view.corpus.names():
            raise BadInput(f"{wanted.take} is not among the takes of the graph; add it to `takes`") from None
        raise error from None
    n_recorded = view.corpus.info(take_of(name)).n_frames
    if wanted.frame > n_recorded - 1:
        raise BadInput(f"frame {wanted.frame:g} is out of range: take {name} has {n_recorded} frames")
    start, stop = view.range_of(name)
    return start + int(np.abs(view.source_frames[start:stop] - wanted.frame).argmin())


def frame_of_take(view: View, frame: int) -> TakeFrame:
    """The frame of a take that a frame of a view shows, by its index over all frames of the view."""
    origin = view.origin(int(frame))
    return TakeFrame(origin.take, round(origin.frame, 3))


def describe_frame(view: View, frame: int) -> str:
    """'walk/normal_1 frame 113'."""
    shown = frame_of_take(view, frame)
    return f"{shown.take} frame {shown.frame:g}"


@cached("distance scale")
def _learn_scale(view: View) -> dict[str, np.ndarray]:
    """Thresholds and the distribution of distances between recorded frames, and the joints whose positions differ."""
    measure = measure_view_points(recorded_only(view))
    usual = max(default_threshold(measure, view.fps), LEAST_USUAL)
    spread = _spread(measure)
    most = min(MOST_FACTOR * usual, float(np.interp(MOST_SHARE, np.linspace(0, 1, len(spread)), spread)))
    return {"thresholds": np.array([usual, most]), "spread": spread, "joints": measure.joints}


@cached("slice minima")
def _compare(
    view: View, points: PointSettings, most: float, cells: np.ndarray, progress: Progress | None
) -> dict[str, np.ndarray]:
    """The arrays of the minima of the pairs of motions that are True in (M, M) bool."""
    found = find_slice_minima(measure_view_points(view, points), most, cells=cells, progress=progress)
    return {"starts": found.starts, "frames": found.frames, "distances": found.distances}


def _spread(measure: Measure) -> np.ndarray:
    """(101,) percentiles of the distance between two random frames."""
    frames, rng = np.flatnonzero(measure.comparable), np.random.default_rng(0)
    return np.percentile(measure.pairs(rng.choice(frames, SAMPLES), rng.choice(frames, SAMPLES)), np.arange(101))
