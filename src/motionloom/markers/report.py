"""Reports of fits: how near each marker is to its place on the body, where it is missing, and what was left out."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from motionloom.markers.strays import Strays
from motionloom.motion.runs import find_runs


@dataclass(frozen=True)
class MarkerReport:
    """One marker of the set over F frames."""

    name: str
    joint: str  # that carries it
    n_frames: int
    n_seen: int  # frames
    longest_gap: int  # frames
    n_left_out: int  # frames in which it was seen and not believed
    mean: float  # metres from its place on the body, of the samples that were believed; nan without any
    worst: float  # metres
    worst_frame: int  # -1 without samples
    reason: str  # why samples were left out; "" if none were

    @property
    def is_used(self) -> bool:
        """Whether any of its samples was believed."""
        return self.worst_frame >= 0

    @property
    def n_missing(self) -> int:
        return self.n_frames - self.n_seen

    def sentence(self) -> str:
        """One line, in millimetres."""
        text = f"{self.name} on {self.joint}: "
        if self.n_seen == 0:
            return text + "never seen"
        text += "not used" if not self.is_used else f"mean {1000 * self.mean:.1f} mm"
        if self.is_used:
            text += f", worst {1000 * self.worst:.1f} mm in frame {self.worst_frame}"
        if self.n_missing:
            text += f"; missing in {self.n_missing} of {self.n_frames} frames, {self.longest_gap} in a row at most"
        return text + (f"; {self.reason}" if self.reason else "")

    def to_data(self) -> dict[str, Any]:
        """As plain data, for JSON."""
        return {
            "name": self.name,
            "joint": self.joint,
            "frames_seen": self.n_seen,
            "share_seen": self.n_seen / self.n_frames,
            "longest_gap_frames": self.longest_gap,
            "frames_left_out": self.n_left_out,
            "left_out_because": self.reason,
            "mean_mm": 1000 * self.mean if self.is_used else None,
            "worst_mm": 1000 * self.worst if self.is_used else None,
            "worst_frame": self.worst_frame if self.is_used else None,
        }


@dataclass(frozen=True)
class FitReport:
    """All markers of the set, and the body."""

    markers: tuple[MarkerReport, ...]
    unknown: tuple[str, ...]  # names of points that the set does not have; they were not used
    absent: tuple[str, ...]  # markers of the set that no point is named after
    size: float  # of the body relative to the given skeleton
    n_unseen: int  # frames without any marker: their poses are those of the smooth course between others
    held: tuple[str, ...]  # joints that no marker is below of; they keep their neutral rotation

    @property
    def mean(self) -> float:
        """Metres, over all samples that were believed; nan without any."""
        counts = np.array([row.n_seen - row.n_left_out for row in self.markers], float)
        means = np.array([row.mean for row in self.markers])
        used = counts > 0
        return float((counts[used] * means[used]).sum() / counts[used].sum()) if used.any() else float("nan")

    @property
    def share_left_out(self) -> float:
        """Of all samples that were seen."""
        return sum(row.n_left_out for row in self.markers) / max(sum(row.n_seen for row in self.markers), 1)

    @property
    def is_met(self) -> bool:
        """Whether every marker that is seen was used."""
        return all(row.is_used for row in self.markers if row.n_seen)

    def to_data(self) -> dict[str, Any]:
        """As plain data, for JSON."""
        return {
            "met": self.is_met,
            "mean_mm": None if np.isnan(self.mean) else 1000 * self.mean,
            "markers": [row.to_data() for row in self.markers],
            "not_in_the_set": list(self.unknown),
            "not_among_the_points": list(self.absent),
            "size": self.size,
            "frames_without_markers": self.n_unseen,
            "joints_held": list(self.held),
        }

    def sentences(self) -> list[str]:
        """One line for each marker, then what concerns all."""
        return [row.sentence() for row in self.markers] + self.remarks()

    def remarks(self) -> list[str]:
        """What concerns all markers."""
        lines = []
        if self.unknown:
            lines.append(f"not in the marker set, not used: {', '.join(self.unknown)}")
        if self.absent:
            lines.append(f"in the marker set, not among the points: {', '.join(self.absent)}")
        if abs(self.size - 1) > 1e-9:
            lines.append(f"the body is {self.size:.3f} times as large as the given skeleton")
        if self.n_unseen:
            lines.append(f"no marker in {self.n_unseen} frames: their poses are interpolated")
        return lines


def report_markers(
    names: tuple[str, ...], joints: tuple[str, ...], misses: np.ndarray, seen: np.ndarray, strays: Strays
) -> tuple[MarkerReport, ...]:
    """Reports of K markers.

    Args:
        names: K markers.
        joints: K joints that carry them.
        misses: (F, K) metres from their places.
        seen: (F, K) bool.
        strays: what was left out.
    """
    rows = []
    for k, (name, joint) in enumerate(zip(names, joints)):
        used = seen[:, k] & ~strays.left_out[:, k]
        own = misses[used, k]
        gaps = [stop - start for start, stop in find_runs(~seen[:, k])]
        n_out = int((seen[:, k] & strays.left_out[:, k]).sum())
        rows.append(
            MarkerReport(
                name,
                joint,
                len(seen),
                int(seen[:, k].sum()),
                max(gaps, default=0),
                n_out,
                float(own.mean()) if len(own) else float("nan"),
                float(own.max()) if len(own) else float("nan"),
                int(np.flatnonzero(used)[own.argmax()]) if len(own) else -1,
                _explain(k, names, strays, n_out),
            )
        )
    return tuple(rows)


def _explain(k: int, names: tuple[str, ...], strays: Strays, n_out: int) -> str:
    if not n_out:
        return ""
    if strays.n_swapped[k]:
        other = names[strays.partners[k]]
        text = f"swapped with {other} in {strays.n_swapped[k]} frames"
        return text + (f", left out in {n_out}" if n_out > strays.n_swapped[k] else ", left out there")
    if strays.whole[k]:
        return "left out: it is not where the marker set has it"
    return f"left out in {n_out} frames: too far from its place"
