"""A compared view: which frames are alike, as minima of all slices. Computed once and cached in the corpus.

Choosing hubs afterwards compares no frames again.
"""

from dataclasses import dataclass

import numpy as np

from motionloom.caching import cached
from motionloom.conform import View
from motionloom.conform.view import take_of
from motionloom.corpus import TakeFinder
from motionloom.errors import BadInput
from motionloom.graphs.view_measures import measure_view_points
from motionloom.methods.snap.author.foot_levels import keep_level_minima, view_levels
from motionloom.methods.snap.author.graph_request import TakeFrame
from motionloom.similarity import Measure, default_threshold
from motionloom.similarity.slice_minima import SliceMinima, find_slice_minima
from motionloom.tasks import Progress

USUAL_FACTOR = 1.5  # times the usual threshold of the takes: the default threshold of match sets
MOST_FACTOR = 3.0  # times the usual threshold: the largest threshold; minima are found up to it
LEAST_USUAL = 0.013  # metres: lower bound of the usual threshold, for takes that hardly move
MOST_SHARE = 0.5  # of all pairs of frames: the largest threshold is at most this quantile of their distances
SAMPLES = 20_000  # random pairs of frames from which the distribution of distances is estimated
KEPT = 6  # selections of takes whose minima stay cached in a corpus; the oldest are removed


@dataclass(frozen=True, eq=False)
class ComparedView:
    """Which frames of a view are alike: the minima of all slices, and the usual threshold."""

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
    """Compare all frames of a view; the result is cached if the corpus is open for writing.

    Args:
        view: whose frames are compared.
        progress: called as progress(done, total).
    """
    settings = {"most": MOST_FACTOR}
    kept = view.model(_compare, settings, view, progress)
    usual, most = (float(value) for value in np.asarray(kept["thresholds"]))
    minima = SliceMinima(most, kept["starts"], kept["frames"], kept["distances"])
    levels = None
    if len(view.supports):
        levels = view_levels(view)
        minima = keep_level_minima(minima, levels)
    return ComparedView(view, usual, minima, np.asarray(kept["spread"]), levels)


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


@cached("slice minima", at_most=KEPT)
def _compare(view: View, progress: Progress | None) -> dict[str, np.ndarray]:
    measure = measure_view_points(view)
    usual = max(default_threshold(measure, view.fps), LEAST_USUAL)
    spread = _spread(measure)
    most = min(MOST_FACTOR * usual, float(np.interp(MOST_SHARE, np.linspace(0, 1, len(spread)), spread)))
    found = find_slice_minima(measure, most, progress=progress)
    return {
        "thresholds": np.array([usual, found.threshold]),
        "spread": spread,
        "starts": found.starts,
        "frames": found.frames,
        "distances": found.distances,
    }


def _spread(measure: Measure) -> np.ndarray:
    """(101,) percentiles of the distance between two random frames."""
    frames, rng = np.flatnonzero(measure.comparable), np.random.default_rng(0)
    return np.percentile(measure.pairs(rng.choice(frames, SAMPLES), rng.choice(frames, SAMPLES)), np.arange(101))
