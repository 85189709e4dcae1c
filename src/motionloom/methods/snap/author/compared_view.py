"""Comparing the frames of a view: found once, kept in the corpus, and never again while hubs are chosen."""

from dataclasses import dataclass

import numpy as np

from motionloom.conform import View
from motionloom.conform.view import take_of
from motionloom.corpus import TakeFinder
from motionloom.errors import BadInput
from motionloom.graphs.measures import measure_view_points
from motionloom.methods.snap.author.graph_request import TakeFrame
from motionloom.similarity import Measure, default_threshold
from motionloom.similarity.slice_minima import SliceMinima, find_slice_minima
from motionloom.tasks import Progress

ROOMS = ("similarity", "graphs/measures.py", "methods/snap/author/compared_view.py")  # whose code decides what is kept
USUAL_FACTOR = 1.5  # times the usual threshold of the takes: what match sets are grown with where nothing is said
MOST_FACTOR = 3.0  # times the usual threshold: farther apart frames are not alike, and minima are not looked for
LEAST_USUAL = 0.013  # metres: of people who hardly move, frames so near are alike whatever their takes make usual
MOST_SHARE = 0.5  # of all pairs of frames: a threshold that so many are below catches everything
SAMPLES = 20_000  # pairs of frames that shares are found from
KEPT = 6  # choices of takes whose minima a corpus keeps; the oldest go


@dataclass(frozen=True, eq=False)
class ComparedView:
    """Which frames of a view are alike: the minima of all slices, and which distance is usual."""

    view: View
    usual: float  # metres: between frames that are alike enough to go over from one to the other
    minima: SliceMinima  # up to MOST_FACTOR times that, or to where half of everything matches
    spread: np.ndarray  # (101,) metres: percentiles of the distance between two frames by chance

    @property
    def threshold(self) -> float:
        """Metres that frames match up to where a request says nothing."""
        return min(USUAL_FACTOR * self.usual, self.most)

    def share_below(self, distance: float) -> float:
        """0 to 1: pairs of frames that are nearer than this."""
        return float(np.interp(distance, self.spread, np.linspace(0, 1, len(self.spread))))

    @property
    def most(self) -> float:
        """Metres that a threshold may have at most."""
        return self.minima.threshold


def compare_view(view: View, progress: Progress | None = None) -> ComparedView:
    """Compare all frames of a view: a model of it, kept in the corpus by whoever may write.

    Args:
        view: whose frames are compared.
        progress: told how much is done, and of how much.
    """
    settings = {"most": MOST_FACTOR}
    kept = view.model("slice minima", settings, lambda: _compare(view, progress), rooms=ROOMS, at_most=KEPT)
    usual, most = (float(value) for value in np.asarray(kept["thresholds"]))
    minima = SliceMinima(most, kept["starts"], kept["frames"], kept["distances"])
    return ComparedView(view, usual, minima, np.asarray(kept["spread"]))


def frame_in_view(view: View, one: TakeFrame) -> int:
    """Which of all frames of a view shows a frame of a take; refuses takes and frames that it does not have."""
    try:
        name = TakeFinder([*view.names]).find(one.take)
    except BadInput as error:
        if one.take in view.corpus.names():
            raise BadInput(f"{one.take} is not among the takes of the graph; add it to `takes`") from None
        raise error from None
    n_recorded = view.corpus.info(take_of(name)).n_frames
    if one.frame > n_recorded - 1:
        raise BadInput(f"frame {one.frame:g} of {name}, but the take has [0, {n_recorded})")
    start, stop = view.range_of(name)
    return start + int(np.abs(view.source_frames[start:stop] - one.frame).argmin())


def frame_of_take(view: View, frame: int) -> TakeFrame:
    """The frame of a take that one of all frames of a view shows."""
    origin = view.origin(int(frame))
    return TakeFrame(origin.take, round(origin.frame, 3))


def say_frame(view: View, frame: int) -> str:
    """'walk/normal_1 frame 113'."""
    one = frame_of_take(view, frame)
    return f"{one.take} frame {one.frame:g}"


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
    """(101,) percentiles of the distance between two frames by chance."""
    frames, rng = np.flatnonzero(measure.comparable), np.random.default_rng(0)
    return np.percentile(measure.pairs(rng.choice(frames, SAMPLES), rng.choice(frames, SAMPLES)), np.arange(101))
