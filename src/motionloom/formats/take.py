"""Take: one recording as it came from one file, with what was found out while reading it."""

from dataclasses import dataclass, field

from motionloom.motion import Motion, PointMotion


@dataclass(frozen=True)
class Finding:
    """Something a reader recognised or doubts about a file, in a sentence for people."""

    kind: str  # unit, up, rest_frame, rate, floor, bones, roles
    message: str
    is_warning: bool = False  # a warning wants a look; anything else is a note


@dataclass(frozen=True)
class Source:
    """What the file was like, so that exports can restore it."""

    path: str  # as given by the user
    format: str  # bvh, asfamc, npz, performer, ...
    digest: str  # sha256 of the content
    fps: float  # the rate that the file states
    metres_per_unit: float
    up: str = "y"  # the axis that points up in the file
    rest_frame_dropped: bool = False  # the file began with a T-pose that is not motion
    rotation_orders: tuple[str, ...] = field(default=())  # per joint, such as "ZYX"; empty where the format has none


@dataclass(frozen=True)
class Take:
    """One recording: a motion, in our units and axes, and where it is from."""

    name: str
    motion: Motion | PointMotion
    source: Source
    findings: tuple[Finding, ...] = ()
