"""Joins: peaks of acceleration and jerk where pieces of a motion meet, compared with unedited motion."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from motionloom.errors import BadInput
from motionloom.motion import Motion, check_motion
from motionloom.quality.acceleration_bars import MotionBars, check_same_joints, motion_sizes

WINDOW_SECONDS = 0.5  # around a join, in which its peak is searched


@dataclass(frozen=True)
class JoinPeak:
    """Peaks around one join, relative to the bars of the corpus; above 1 is beyond the percentile."""

    frame: int  # the join
    acceleration: float  # maximum of acceleration / bar over the joints and the window
    acceleration_joint: str  # joint of the maximum
    jerk: float  # maximum of jerk / bar
    jerk_joint: str


@dataclass(frozen=True)
class PeakSummary:
    """Statistics of the peaks of windows; all zero if there are none."""

    n_windows: int
    share_above: float  # 0 to 1: windows whose peak is above the bar
    median: float  # of peak / bar
    highest: float


@dataclass(frozen=True)
class JoinComparison:
    """Peaks at joins compared with peaks in unedited windows of the same length."""

    window_seconds: float
    acceleration_at_joins: PeakSummary
    acceleration_untouched: PeakSummary
    jerk_at_joins: PeakSummary
    jerk_untouched: PeakSummary

    @property
    def acceleration_excess(self) -> float:
        """Percentage points by which joins are above the bar more often than unedited windows."""
        return 100 * (self.acceleration_at_joins.share_above - self.acceleration_untouched.share_above)

    @property
    def jerk_excess(self) -> float:
        """The same for jerk."""
        return 100 * (self.jerk_at_joins.share_above - self.jerk_untouched.share_above)

    def describe(self) -> str:
        """One sentence for users."""
        joins, untouched = self.acceleration_at_joins, self.acceleration_untouched
        if joins.n_windows == 0:
            return "no joins"
        at_joins = (
            f"{100 * joins.share_above:.1f} % of {joins.n_windows} joins are above the bar (median {joins.median:.2f}, "
            f"highest {joins.highest:.2f})"
        )
        if untouched.n_windows == 0:
            return f"{at_joins}; no untouched window of {self.window_seconds:g} s to compare with"
        return (
            f"{at_joins} and {100 * untouched.share_above:.1f} % of untouched windows (median {untouched.median:.2f}) "
            f"of {self.window_seconds:g} s"
        )


def measure_joins(
    motion: Motion, frames: npt.ArrayLike, bars: MotionBars, window_seconds: float = WINDOW_SECONDS
) -> tuple[JoinPeak, ...]:
    """Find the peaks of acceleration and jerk around each of (N,) frames; windows are clipped at the ends."""
    motion, window = check_motion(motion), window_frames(window_seconds, motion.fps)
    ratios = _ratios(motion, bars)
    peaks = []
    for frame in _check_frames(frames, motion.n_frames).tolist():
        inside = slice(max(frame - window // 2, 0), frame + window // 2 + 1)
        (acceleration, joint), (jerk, other) = (_highest(ratio[inside], bars.names) for ratio in ratios)
        peaks.append(JoinPeak(frame, acceleration, joint, jerk, other))
    return tuple(peaks)


def compare_joins(
    joined: Iterable[tuple[Motion, npt.ArrayLike]],
    bars: MotionBars,
    untouched: Iterable[Motion | tuple[Motion, npt.ArrayLike]] | None = None,
    window_seconds: float = WINDOW_SECONDS,
) -> JoinComparison:
    """Compare peaks at joins with peaks in unedited windows of the same length.

    All complete unedited windows are counted, one per frame, rather than a random sample.

    Args:
        joined: motions with the (N,) frames of their joins, or of the borders of their footplants.
        bars: of the corpus, from `learn_bars`.
        untouched: unedited motions, of which all complete windows count, or motions with the (N,) centres of the
            windows that count, such as the same frames before the edit. None for the windows of the joined motions
            that do not overlap the window of a join.
        window_seconds: seconds around a join or a centre.
    """
    at_joins: list[np.ndarray] = []
    beside: list[np.ndarray] = []
    for motion, frames in joined:
        peaks, window = window_peaks(motion, bars, window_seconds), window_frames(window_seconds, motion.fps)
        frames = _check_frames(frames, motion.n_frames)
        at_joins.append(peaks[:, frames])
        if untouched is None:
            beside.append(peaks[:, whole_windows(motion.n_frames, window, frames)])
    for item in untouched or ():
        motion, centres = item if isinstance(item, tuple) else (item, None)
        peaks, window = window_peaks(motion, bars, window_seconds), window_frames(window_seconds, motion.fps)
        frames = whole_windows(motion.n_frames, window) if centres is None else centres
        beside.append(peaks[:, _check_frames(frames, motion.n_frames)])
    if not sum(part.shape[1] for part in beside):
        raise BadInput(
            f"no untouched window of {window_seconds:g} s to compare with: the motions are too short or the joins too "
            "dense; give longer untouched motions"
        )
    return _comparison(window_seconds, at_joins, beside)


def compare_within(
    motion: Motion, frames: npt.ArrayLike, bars: MotionBars, window_seconds: float = WINDOW_SECONDS
) -> JoinComparison:
    """Compare the joins of one motion with the rest of it, which may have no window to compare with."""
    peaks, window = window_peaks(motion, bars, window_seconds), window_frames(window_seconds, motion.fps)
    joins = _check_frames(frames, motion.n_frames)
    beside = peaks[:, whole_windows(motion.n_frames, window, joins)]
    return _comparison(window_seconds, [peaks[:, joins]], [beside])


def window_peaks(motion: Motion, bars: MotionBars, window_seconds: float = WINDOW_SECONDS) -> np.ndarray:
    """(2, F) maximum of acceleration / bar and jerk / bar over all joints in the window around every frame."""
    from scipy.ndimage import maximum_filter1d

    motion = check_motion(motion)
    highest = np.stack([ratio.max(axis=1) for ratio in _ratios(motion, bars)])  # (2, F)
    return maximum_filter1d(highest, window_frames(window_seconds, motion.fps), axis=1, mode="nearest")


def whole_windows(n_frames: int, window: int, joins: Sequence[int] | np.ndarray = ()) -> np.ndarray:
    """(N,) centres of the windows of this many frames that lie inside the motion and overlap no window of a join."""
    half = window // 2
    free = np.zeros(n_frames, bool)
    free[half : n_frames - half] = True
    for join in np.asarray(joins, int):
        free[max(join - 2 * half, 0) : join + 2 * half + 1] = False
    return np.flatnonzero(free)


def window_frames(window_seconds: float, fps: float) -> int:
    """The length of a window in frames, odd; its first and last frame are this many seconds apart."""
    if not 0 <= window_seconds < np.inf:
        raise BadInput(f"window_seconds must be 0 or more, got {window_seconds}")
    return 2 * round(window_seconds * fps / 2) + 1


def _ratios(motion: Motion, bars: MotionBars) -> tuple[np.ndarray, np.ndarray]:
    """(F, J) acceleration and jerk relative to the bars."""
    check_same_joints(bars.names, motion.skeleton)
    acceleration, jerk = motion_sizes(motion)
    return acceleration / bars.accelerations, jerk / bars.jerks


def _check_frames(frames: npt.ArrayLike, n_frames: int) -> np.ndarray:
    found = np.atleast_1d(np.asarray(frames))
    if found.size == 0:
        return np.zeros(0, int)
    if found.ndim != 1 or found.dtype.kind not in "iu":
        raise BadInput(f"frames have shape {found.shape} and type {found.dtype}, expected a list of integers")
    outside = found[(found < 0) | (found >= n_frames)]
    if len(outside):
        raise BadInput(f"frame {outside[0]} is out of range: the motion has {n_frames} frames")
    return found.astype(int)


def _highest(ratios: np.ndarray, names: tuple[str, ...]) -> tuple[float, str]:
    joint = int(ratios.max(axis=0).argmax())
    return float(ratios[:, joint].max()), names[joint]


def _comparison(window_seconds: float, at_joins: list[np.ndarray], beside: list[np.ndarray]) -> JoinComparison:
    joins, rest = _summaries(at_joins), _summaries(beside)
    return JoinComparison(window_seconds, joins[0], rest[0], joins[1], rest[1])


def _summaries(parts: list[np.ndarray]) -> tuple[PeakSummary, PeakSummary]:
    """Summaries of acceleration and jerk from (2, N) peaks."""
    peaks = np.concatenate([np.zeros((2, 0)), *parts], axis=1)
    first, second = (_summary(row) for row in peaks)
    return first, second


def _summary(peaks: np.ndarray) -> PeakSummary:
    if len(peaks) == 0:
        return PeakSummary(0, 0.0, 0.0, 0.0)
    return PeakSummary(len(peaks), float((peaks > 1).mean()), float(np.median(peaks)), float(peaks.max()))
