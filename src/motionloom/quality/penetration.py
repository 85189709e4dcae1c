"""Ground penetration: depth of feet below the floor."""

from dataclasses import dataclass

import numpy as np

from motionloom.errors import BadInput
from motionloom.features.feet import POINTS
from motionloom.motion import Footing, Motion
from motionloom.quality.input_checks import check_points

TOLERANCE_MM = 5.0  # millimetres below the floor that are not visible


@dataclass(frozen=True)
class Penetration:
    """Depth of heels and balls below the floor; toe ends are left out, they penetrate in many recordings."""

    deepest_mm: float  # millimetres below the floor; 0 if no point is below
    frame: int | None  # of the deepest point; None if no point is below
    point: str | None  # the deepest, one of features.feet.POINTS
    share_of_frames: float  # 0 to 1: frames with a point deeper than the tolerance
    tolerance_mm: float  # millimetres

    def describe(self) -> str:
        """One sentence for users."""
        if self.frame is None:
            return "no foot point is below the floor"
        return (
            f"{self.point} is {self.deepest_mm:.1f} mm below the floor at frame {self.frame}; "
            f"{100 * self.share_of_frames:.1f} % of the frames have a point deeper than {self.tolerance_mm:g} mm"
        )


def measure_penetration(
    motion: Motion,
    floor_height: float = 0.0,
    *,
    footing: Footing | None = None,
    tolerance_mm: float = TOLERANCE_MM,
    points: np.ndarray | None = None,
    contacts: np.ndarray | None = None,
) -> Penetration:
    """Measure how deep heels and balls of the feet are below the floor.

    Args:
        motion: of a skeleton with at least one foot.
        floor_height: metres, world.
        footing: what feet stand on besides the floor; None for nothing.
        tolerance_mm: millimetres; shallower frames are not counted.
        points: (F, 4, 3) metres, world: heels and balls if they are computed already.
        contacts: (F, 4) bool: those that rest, for the footing; None for unknown.
    """
    if not 0 <= tolerance_mm < np.inf:
        raise BadInput(f"tolerance_mm must be 0 or more, got {tolerance_mm}")
    points = check_points(motion, points, floor_height, footing)
    under = floor_height if footing is None or footing.is_flat else footing.under(np.nan_to_num(points), contacts)
    depths = 1000 * np.nan_to_num(under - points[..., 1], nan=-np.inf)  # (F, 4) millimetres; no foot, no depth
    frame, point = (int(i) for i in np.unravel_index(depths.argmax(), depths.shape))
    below = depths[frame, point] > 0
    return Penetration(
        deepest_mm=float(depths[frame, point]) if below else 0.0,
        frame=frame if below else None,
        point=POINTS[point] if below else None,
        share_of_frames=float((depths > tolerance_mm).any(axis=1).mean()),
        tolerance_mm=float(tolerance_mm),
    )
