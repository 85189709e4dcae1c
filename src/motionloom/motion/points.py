"""PointMotion: markers or face points over frames."""

from dataclasses import dataclass, replace

import numpy as np

from motionloom.errors import BadInput
from motionloom.motion.arrays import check_rate, read_only
from motionloom.motion.cubic_interpolation import cubic_at, times_at_rate


@dataclass(frozen=True, eq=False)
class PointMotion:
    """Named points moving over frames, without a skeleton."""

    names: tuple[str, ...]  # M point names, unique
    positions: np.ndarray  # (F, M, 3) metres, world; NaN if a point is missing
    fps: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(self.names))
        object.__setattr__(self, "positions", read_only(self.positions))
        if self.positions.ndim != 3 or self.positions.shape[1:] != (len(self.names), 3):
            raise BadInput(
                f"positions have shape {self.positions.shape}, expected (F, {len(self.names)}, 3) for "
                f"{len(self.names)} point names"
            )
        if len(set(self.names)) != len(self.names):
            raise BadInput("point names must be unique")
        check_rate(self.fps)

    @property
    def n_frames(self) -> int:
        return len(self.positions)

    @property
    def duration(self) -> float:
        """Seconds from the first frame to the end of the last one."""
        return self.n_frames / self.fps


def resample_points(motion: PointMotion, fps: float) -> PointMotion:
    """Change the frame rate, not the speed, as `resample` does for bodies; gaps stay gaps."""
    times = times_at_rate(motion.n_frames, motion.fps, fps)
    return replace(motion, positions=cubic_at(motion.positions, times), fps=float(fps))
