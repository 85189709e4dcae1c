"""What is measured of points, as lines of a report, and what is not because it is of bodies."""

import numpy as np

from motionloom.assembly.results.result import Measured
from motionloom.caching import cached
from motionloom.conform import PointView
from motionloom.motion import PointMotion
from motionloom.motion.head_motion import take_off_head
from motionloom.motion.provenance import Provenance, SourceOfFrames
from motionloom.quality.point_quality import (
    NearestFrames,
    PointBars,
    find_nearest_frames,
    learn_point_bars,
    shares_above,
)

MOST_COMPARED = 6000  # recorded frames that each frame is compared with, evenly chosen
NEAREST, FAST, HARD = (
    "nearest recorded frame",
    "frames with a marker faster than the bar",
    "frames with a marker that accelerates more than the bar",
)
OF_BODIES = (("foot skate", "cm per contact second"), ("pose limits", "%"))
NO_BODY = "points have neither feet nor joints"
NO_RECORDINGS = "no recordings of the same markers to compare with"


def measure_points(motion: PointMotion, view: PointView | None) -> tuple[tuple[Measured, ...], Provenance | None]:
    """How near points are to recorded ones and how hard they move, as lines of a report; and the nearest frames.

    Args:
        motion: in the world.
        view: of recordings of the same markers; without it nothing can be measured, and the lines say so.
    """
    left_out = tuple(Measured(name, None, unit, note=NO_BODY) for name, unit in OF_BODIES)
    seen = np.isfinite(motion.positions).all(axis=2).any(axis=1)
    if view is None or motion.names != view.markers or not seen.any():
        names = ((NEAREST, "mm"), (FAST, "%"), (HARD, "%"))
        return (*(Measured(name, None, unit, note=NO_RECORDINGS) for name, unit in names), *left_out), None
    still = take_off_head(motion, view.rest, view.steady)[0].positions if view.has_head else motion.positions
    bars, usual = _usual(view)
    shares = shares_above(still, motion.fps, bars)
    step = max(1, -(-view.n_frames // MOST_COMPARED))
    found = find_nearest_frames(still, np.asarray(view.positions[::step], float))
    distances = np.where(seen, found.distances, 0.0)
    worst = int(distances.argmax())
    farthest = f"farthest {1000 * distances[worst]:.3g} mm at frame {worst}"
    lines = [
        Measured(NEAREST, 1000 * float(np.median(distances[seen])), "mm", note=farthest),
        *(Measured(name, 100 * share, "%", usual=100 * own) for name, share, own in zip((FAST, HARD), shares, usual)),
    ]
    return (*lines, *left_out), _where(view, found, step)


def _usual(view: PointView) -> tuple[PointBars, tuple[float, float]]:
    """The bars of the recordings, and how often these are above them."""
    arrays = view.model(_learn, {}, view)
    fast, hard = arrays["usual"].tolist()
    return PointBars(np.array(arrays["speeds"]), np.array(arrays["accelerations"])), (fast, hard)


@cached("point bars")
def _learn(view: PointView) -> dict[str, np.ndarray]:
    takes = [np.asarray(view.motion(name).positions) for name in view.names]
    bars = learn_point_bars(takes, view.fps)
    weights = np.array([len(take) for take in takes], float)
    usual = weights @ np.array([shares_above(take, view.fps, bars) for take in takes]) / weights.sum()
    return {"speeds": bars.speeds, "accelerations": bars.accelerations, "usual": usual}


def _where(view: PointView, found: NearestFrames, step: int) -> Provenance:
    """The recorded frames nearest to those of a motion, as frames of their takes."""
    frames = found.frames * step
    takes = np.searchsorted(view.starts, frames, side="right") - 1
    sources = tuple(SourceOfFrames(name) for name in view.names)
    return Provenance(sources, takes[:, None], view.source_frames[frames][:, None], np.ones((len(frames), 1)))
