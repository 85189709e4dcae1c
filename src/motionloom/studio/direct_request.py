"""The request of a directed motion under names of its own: the page has the requests of all methods side by side."""

from pydantic.dataclasses import dataclass

from motionloom.assembly.requests.request_files import STRICT
from motionloom.methods.dynamics.request import Pose, Request


@dataclass(frozen=True, config=STRICT, kw_only=True)
class KeyPose(Pose):
    """A whole pose, or that of some joints."""


@dataclass(frozen=True, config=STRICT)
class DirectRequest(Request):
    """What must hold of a motion, and by which prior the rest is filled in."""

    poses: tuple[KeyPose, ...] = ()
