"""What the user may say about a file instead of leaving it to be recognised."""

from dataclasses import dataclass
from pathlib import Path

from motionloom.errors import BadInput

CMU_UNIT = 0.0254 / 0.45  # metres: CMU files measure in 1/0.45 inch


@dataclass(frozen=True)
class ReadOptions:
    """Overrides for reading; everything on auto is recognised and told in the take's findings."""

    fps: float | None = None  # frames per second of the recording; None trusts the file
    scale: str | float = "auto"  # metres per file unit, or "cmu", or "auto"
    up: str = "auto"  # the axis that points up in the file: auto, x, y or z
    rest_frame: str = "auto"  # auto, drop or keep a first frame that is a T-pose
    skeleton: str | Path | None = None  # the .asf of an .amc file; None looks beside it

    def __post_init__(self) -> None:
        if self.fps is not None and not 0 < self.fps < 1e6:
            raise BadInput(f"{self.fps} frames per second; give a rate above 0, such as 120")
        if self.up not in ("auto", "x", "y", "z"):
            raise BadInput(f"no up axis '{self.up}'; give auto, x, y or z")
        if self.rest_frame not in ("auto", "drop", "keep"):
            raise BadInput(f"no way '{self.rest_frame}' to treat a rest frame; give auto, drop or keep")
        if self.scale not in ("auto", "cmu"):
            try:
                metres = float(self.scale)
            except (TypeError, ValueError):
                metres = 0.0
            if not 0 < metres < 1e6:
                raise BadInput(f"no scale '{self.scale}'; give auto, cmu or metres per file unit, such as 0.01")

    @property
    def metres_per_unit(self) -> float | None:
        """The scale as a number, or None where it is to be recognised."""
        if self.scale == "auto":
            return None
        return CMU_UNIT if self.scale == "cmu" else float(self.scale)
