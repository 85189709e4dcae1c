"""Take: one recording from one file, with the findings of its reader."""

from dataclasses import dataclass, field

from motionloom.motion import Curves, Motion, PointMotion


@dataclass(frozen=True)
class Finding:
    """Something that a reader detected or doubts, as a sentence for users."""

    kind: str  # unit, up, rest_frame, rate, floor, flip, bones, roles, gaps, analog, ...
    message: str
    is_warning: bool = False  # to be checked by the user; else a note


@dataclass(frozen=True)
class Source:
    """Properties of the file, which exports restore."""

    path: str  # as given by the user
    format: str  # bvh, asfamc, npz, performer, ...
    digest: str  # sha256 of the content
    fps: float  # frame rate that the file states
    metres_per_unit: float
    up: str = "y"  # up axis of the file
    rest_frame_dropped: bool = False  # the file began with a rest pose that is not motion
    rotation_orders: tuple[str, ...] = field(default=())  # per joint, such as "ZYX"; empty if the format has none
    filled: tuple[
        tuple[str, int, int], ...
    ] = ()  # gaps of points filled on request: point, first frame, frame after it


@dataclass(frozen=True)
class Take:
    """One recording: a motion in metres with y up, its source, and what was recorded beside it."""

    name: str
    motion: Motion | PointMotion
    source: Source
    findings: tuple[Finding, ...] = ()
    curves: Curves | None = None  # that were recorded beside it
