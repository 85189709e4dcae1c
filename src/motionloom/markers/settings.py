"""Settings of fitting a body to markers."""

from dataclasses import dataclass

from motionloom.errors import BadInput


@dataclass(frozen=True)
class FitSettings:
    """How much markers are believed, and what is found beside the pose."""

    learns_offsets: bool = False  # where markers are on their bones, beginning with the marker set
    learns_size: bool = False  # one factor of all bones and offsets
    noise: float = 0.005  # metres: markers slide on the skin; what is nearer is as good as met
    wide: float = 0.05  # metres: a miss of it counts half as much as its square, one far beyond hardly at all
    beyond: float = 0.04  # metres: a marker farther from its place is left out in that frame
    calm: float = 0.2  # radians from the pose before and after that a joint without markers may be in a gap
    most_steps: int = 12  # per frame and pass; one that follows its neighbours needs two


DEFAULT = FitSettings()


def check_settings(settings: FitSettings) -> None:
    for name in ("noise", "wide", "beyond", "calm"):
        if not 0 < getattr(settings, name) < float("inf"):
            raise BadInput(f"{name} of a fit must be finite and above 0, got {getattr(settings, name)}")
    if settings.most_steps < 1:
        raise BadInput(f"most_steps of a fit must be at least 1, got {settings.most_steps}")
