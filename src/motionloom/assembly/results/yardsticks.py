"""Yardsticks: what the recordings of a corpus are like, which results are held against."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from motionloom.caching import cached
from motionloom.conform import View
from motionloom.conform.statistics import learn_statistics
from motionloom.features.joint_limits import JointLimits, learn_limits
from motionloom.motion import Motion
from motionloom.motion.provenance import Provenance, SourceOfFrames
from motionloom.quality import MotionBars, NearestReal, Quality, RealFrames, learn_bars, measure_quality
from motionloom.quality.joins import WINDOW_SECONDS, whole_windows, window_frames, window_peaks

AT_JOINS = {  # the number of a result, and that of recordings beside it
    "joins with more acceleration than the bar": "acceleration_untouched",
    "joins with more jerk than the bar": "jerk_untouched",
}


@dataclass(frozen=True, eq=False)
class Yardsticks:
    """What is usual in the recordings of the corpus of a view."""

    view: View  # whose frames results are compared with
    bars: MotionBars  # accelerations and jerks that are rare
    limits: JointLimits  # how far joints turn
    usual: Mapping[str, float]  # numbers of `Quality.numbers` that recordings themselves have, as their units say
    peaks: np.ndarray  # (101,) percentiles 0 to 100 of acceleration / bar in windows without a join; 0 if none is whole

    @cached_property
    def real(self) -> RealFrames:
        """The recorded frames of the view."""
        return RealFrames({name: self.view.motion(name) for name in self.view.names})

    def share_calmer(self, peak: float) -> float:
        """0 to 1: windows of the recordings, without a join, whose hardest acceleration / bar is less than this."""
        return float(np.interp(peak, self.peaks, np.linspace(0, 1, len(self.peaks))))

    def where(self, nearest: NearestReal) -> Provenance:
        """The recorded frames nearest to those of a motion, as frames of their takes."""
        starts = np.array([self.view.range_of(name)[0] for name in nearest.names])
        frames = self.view.source_frames[starts[nearest.motions] + nearest.frames]
        sources = tuple(SourceOfFrames(name) for name in nearest.names)
        return Provenance(sources, nearest.motions[:, None], frames[:, None], np.ones((len(frames), 1)))


def learn_yardsticks(view: View) -> Yardsticks:
    """What is usual in the recordings of the corpus of a view, whichever of them it shows; kept in the corpus."""
    arrays = learn_statistics(view, _learn, {}, _learn).arrays
    names = view.skeleton.names
    bars = MotionBars(
        names, arrays["accelerations"], arrays["jerks"], float(arrays["percentile"][0]), int(arrays["n_frames"][0])
    )
    limits = JointLimits(names, *(np.array(arrays[key], float) for key in ("means", "low", "high")))
    words = bytes(arrays["usual_names"]).decode().split("\n")
    return Yardsticks(view, bars, limits, dict(zip(words, arrays["usual_values"].tolist())), arrays["peaks"])


@cached("yardsticks")
def _learn(view: View) -> dict[str, np.ndarray]:
    bars = learn_bars(_motions(view))
    limits = learn_limits(view.skeleton, np.concatenate([motion.local_rotations for motion in _motions(view)]))
    usual = _usual(view, bars, limits)
    return {
        "accelerations": bars.accelerations,
        "jerks": bars.jerks,
        "percentile": np.array([bars.percentile]),
        "n_frames": np.array([bars.n_frames]),
        "means": limits.means,
        "low": limits.low,
        "high": limits.high,
        "peaks": _peaks(view, bars),
        "usual_names": np.frombuffer("\n".join(usual).encode(), np.uint8),
        "usual_values": np.array(list(usual.values())),
    }


def _motions(view: View) -> Iterable[Motion]:
    return (view.motion(name) for name in view.names)


def _usual(view: View, bars: MotionBars, limits: JointLimits) -> dict[str, float]:
    """Means over the recordings, long ones counting more; of joins, what windows are like in which there is none."""
    measured = [
        measure_quality(
            view.motion(name), view.layer(name, "contacts"), bars=bars, limits=limits, footing=view.footing(name)
        )
        for name in view.names
    ]
    usual: dict[str, float] = {}
    for name in dict.fromkeys(name for quality in measured for name in quality.numbers()):
        having = [quality for quality in measured if name in quality.numbers()]
        seconds = np.array([quality.seconds for quality in having])
        usual[name] = float(np.array([quality.numbers()[name][0] for quality in having]) @ seconds / seconds.sum())
    return usual | {name: 100 * share for name, beside in AT_JOINS.items() if (share := _share(measured, beside)) >= 0}


def _peaks(view: View, bars: MotionBars) -> np.ndarray:
    parts = [np.zeros(0)]
    for motion in _motions(view):
        centres = whole_windows(motion.n_frames, window_frames(WINDOW_SECONDS, motion.fps))
        parts.append(window_peaks(motion, bars)[0, centres] if len(centres) else parts[0])
    peaks = np.concatenate(parts)
    return np.percentile(peaks, np.arange(101)) if len(peaks) else np.zeros(101)


def _share(measured: list[Quality], which: str) -> float:
    """0 to 1: of all windows of all recordings those above the bar; -1 where no recording is long enough."""
    summaries = [getattr(quality.joins, which) for quality in measured if quality.joins is not None]
    n_windows = sum(summary.n_windows for summary in summaries)
    return sum(summary.share_above * summary.n_windows for summary in summaries) / n_windows if n_windows else -1.0
