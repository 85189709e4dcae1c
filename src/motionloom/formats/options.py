"""Options for reading a file, which override what is detected."""

from dataclasses import dataclass
from pathlib import Path

from motionloom.errors import BadInput
from motionloom.formats.limits import LEAST_FPS, MOST_FPS, MOST_METRES_PER_UNIT

CMU_UNIT = 0.0254 / 0.45  # metres: CMU files measure in 1/0.45 inch
LONGEST_FILL = 1.0  # seconds: what a point did in longer gaps nobody can tell


@dataclass(frozen=True)
class ReadOptions:
    """Options for reading; what is "auto" is detected and reported in the take's findings."""

    fps: float | None = None  # frames per second of the recording; None for that of the file
    scale: str | float = "auto"  # metres per file unit, or "cmu", or "auto"
    up: str = "auto"  # up axis of the file: auto, x, y or z
    rest_frame: str = "auto"  # auto, drop or keep a first frame that is a T-pose
    skeleton: str | Path | None = None  # the .asf of an .amc file; None to search its folder
    fill_gaps: float = 0.0  # seconds: gaps of points up to this length are filled

    def __post_init__(self) -> None:
        if self.fps is not None and not LEAST_FPS <= self.fps <= MOST_FPS:
            raise BadInput(
                f"frame rate must be above 0 frames per second, such as 120, and {LEAST_FPS:g} to {MOST_FPS:g}, "
                f"got {self.fps}"
            )
        if self.up not in ("auto", "x", "y", "z"):
            raise BadInput(f"up axis must be auto, x, y or z, got '{self.up}'")
        if self.rest_frame not in ("auto", "drop", "keep"):
            raise BadInput(f"rest frame must be auto, drop or keep, got '{self.rest_frame}'")
        if not 0 <= self.fill_gaps <= LONGEST_FILL:
            raise BadInput(f"gaps to be filled must be 0 to {LONGEST_FILL:g} seconds long, got {self.fill_gaps}")
        if self.scale not in ("auto", "cmu"):
            try:
                metres = float(self.scale)
            except (TypeError, ValueError):
                metres = 0.0
            if not 0 < metres <= MOST_METRES_PER_UNIT:
                raise BadInput(f"scale must be auto, cmu or metres per file unit, such as 0.01, got '{self.scale}'")

    @property
    def metres_per_unit(self) -> float | None:
        """The scale as a number, or None if it is to be detected."""
        if self.scale == "auto":
            return None
        return CMU_UNIT if self.scale == "cmu" else float(self.scale)
