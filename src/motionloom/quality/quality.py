"""Quality: all measures of a motion, as data and as a table that compares before and after."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np
import numpy.typing as npt

from motionloom.errors import BadInput
from motionloom.features.feet import foot_points
from motionloom.features.floor import check_floor
from motionloom.features.joint_limits import JointLimits
from motionloom.motion import Footing, Motion, check_motion
from motionloom.quality.acceleration_bars import MotionBars
from motionloom.quality.air import InTheAir, measure_air
from motionloom.quality.foot_skate import Skate, measure_skate
from motionloom.quality.hinge_range import HingeRange, measure_hinges
from motionloom.quality.input_checks import check_contacts
from motionloom.quality.joins import WINDOW_SECONDS, JoinComparison, JoinPeak, compare_within, measure_joins
from motionloom.quality.nearest_real import NearestReal, RealFrames, find_nearest
from motionloom.quality.penetration import Penetration, measure_penetration
from motionloom.quality.pose_limits import BeyondLimits, measure_limits

IN_THE_AIR = "longest time in the air without support"  # name of that measure


@dataclass(frozen=True, eq=False)
class Quality:
    """All measures of a motion; None for those without a reference or without joints for them."""

    n_frames: int
    seconds: float
    skate: Skate | None = None
    penetration: Penetration | None = None
    joins: JoinComparison | None = None
    hardest_join: JoinPeak | None = None  # the one with the highest peak of acceleration
    limits: BeyondLimits | None = None
    nearest_real: NearestReal | None = None
    in_the_air: InTheAir | None = None
    hinges: HingeRange | None = None

    def to_data(self) -> dict:
        """As JSON values."""
        measured = {
            name: None if part is None else _plain(asdict(part))
            for name, part in (
                ("skate", self.skate),
                ("penetration", self.penetration),
                ("joins", self.joins),
                ("hardest_join", self.hardest_join),
                ("limits", self.limits),
                ("in_the_air", self.in_the_air),
                ("hinges", self.hinges),
            )
        }
        nearest = None if self.nearest_real is None else self.nearest_real.to_data()
        return {"n_frames": self.n_frames, "seconds": self.seconds, **measured, "nearest_real": nearest}

    def numbers(self) -> dict[str, tuple[float, str]]:
        """The main numbers, lower is better: value and unit by name."""
        found: dict[str, tuple[float, str]] = {}
        if self.skate is not None:
            found["foot skate"] = self.skate.cm_per_second, "cm per contact second"
            found["farthest step of a planted point"] = self.skate.farthest_mm, "mm per frame"
        if self.penetration is not None:
            tolerance = f"{self.penetration.tolerance_mm:g} mm"
            found["deepest foot point below the floor"] = self.penetration.deepest_mm, "mm"
            found[f"frames with a foot point deeper than {tolerance}"] = 100 * self.penetration.share_of_frames, "%"
        if self.in_the_air is not None:
            found[IN_THE_AIR] = self.in_the_air.longest_seconds, "seconds"
        if self.joins is not None and self.joins.acceleration_at_joins.n_windows:
            found["joins with more acceleration than the bar"] = 100 * self.joins.acceleration_at_joins.share_above, "%"
            found["joins with more jerk than the bar"] = 100 * self.joins.jerk_at_joins.share_above, "%"
        if self.joins is not None and self.joins.acceleration_untouched.n_windows:
            untouched = self.joins.acceleration_untouched
            found["other windows with more acceleration than the bar"] = 100 * untouched.share_above, "%"
        if self.limits is not None:
            found["frames with a joint beyond its limits"] = 100 * self.limits.share_of_frames, "%"
            found["farthest beyond a limit"] = self.limits.worst_degrees, "degrees"
        if self.hinges is not None:
            found["frames with a knee or elbow beyond straight"] = 100 * self.hinges.share_of_frames, "%"
            found["farthest beyond straight"] = self.hinges.worst_degrees, "degrees"
            found["knees and elbows that turn over in a frame"] = float(self.hinges.flips), "times"
        if self.nearest_real is not None:
            found["distance from the nearest real frame, median"] = 100 * self.nearest_real.median, "cm"
            found["distance from the nearest real frame, farthest"] = 100 * self.nearest_real.farthest, "cm"
        return found

    def describe(self) -> str:
        """A line for each number."""
        return _table([(name, f"{value:.2f}", unit) for name, (value, unit) in self.numbers().items()])


def measure_quality(
    motion: Motion,
    contacts: np.ndarray | None,
    floor_height: float = 0.0,
    *,
    joins: npt.ArrayLike = (),
    bars: MotionBars | None = None,
    limits: JointLimits | None = None,
    real: RealFrames | None = None,
    source: Motion | None = None,
    footing: Footing | None = None,
    window_seconds: float = WINDOW_SECONDS,
) -> Quality:
    """Measure everything for which references are given.

    Args:
        motion: any; without feet, their measures are None.
        contacts: (F, 4) bool in the order of `features.feet.POINTS`, usually those of the source; None for no skate.
        floor_height: metres, world.
        joins: (N,) frames where pieces meet or footplants begin and end; needs bars.
        bars: accelerations and jerks of the corpus, from `learn_bars`; None for no measures of joins.
        limits: of the corpus, from `features.joint_limits.learn_limits`.
        real: recorded frames, for the distance to the nearest one.
        source: the motion of the same skeleton that this one was edited from; heel offsets are taken from it.
        footing: what feet stand on besides the floor; None for nothing.
        window_seconds: seconds around a join.
    """
    motion = check_motion(motion)
    check_floor(floor_height)
    like = None if source is None else check_motion(source, "the source")
    ground = None if footing is None else footing.ground
    points = foot_points(motion, floor_height, like=like, ground=ground)
    has_feet = not np.isnan(points).any(axis=(0, 2)).all()
    if contacts is not None:
        contacts = check_contacts(contacts, points)
    if bars is None and np.size(joins):
        raise BadInput("joins are given without bars to compare with; give those of the corpus, from learn_bars")
    peaks = () if bars is None else measure_joins(motion, joins, bars, window_seconds)
    return Quality(
        n_frames=motion.n_frames,
        seconds=motion.duration,
        skate=measure_skate(motion, contacts, floor_height, points=points)
        if has_feet and contacts is not None
        else None,
        penetration=measure_penetration(motion, floor_height, footing=footing, points=points, contacts=contacts)
        if has_feet
        else None,
        in_the_air=measure_air(motion, floor_height, footing=footing, points=points) if has_feet else None,
        joins=None if bars is None else compare_within(motion, joins, bars, window_seconds),
        hardest_join=max(peaks, key=lambda peak: peak.acceleration, default=None),
        limits=None if limits is None else measure_limits(motion, limits),
        nearest_real=None if real is None else find_nearest(motion, real),
        hinges=measure_hinges(motion, source),
    )


def compare_text(before: Quality, after: Quality) -> str:
    """A table of the numbers of two motions: one line per number, `-` if a motion lacks it."""
    first, second = before.numbers(), after.numbers()
    rows = [("", "before", "after", "unit")]
    for name in dict.fromkeys([*first, *second]):
        values = [f"{numbers[name][0]:.2f}" if name in numbers else "-" for numbers in (first, second)]
        rows.append((name, values[0], values[1], (first.get(name) or second[name])[1]))
    return _table(rows)


def _table(rows: Sequence[tuple[str, ...]]) -> str:
    """Columns of equal width: the first and the last left-aligned, numbers right-aligned."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))] if rows else []
    last = len(widths) - 1
    lines = []
    for row in rows:
        cells = zip(row, widths, range(len(row)))
        aligned = [cell.ljust(width) if i in (0, last) else cell.rjust(width) for cell, width, i in cells]
        lines.append("  ".join(aligned).rstrip())
    return "\n".join(lines)


def _plain(data: dict) -> dict:
    """Tuples as lists, so that data survive a round trip through JSON."""
    return {
        key: _plain(value) if isinstance(value, dict) else list(value) if isinstance(value, tuple) else value
        for key, value in data.items()
    }
