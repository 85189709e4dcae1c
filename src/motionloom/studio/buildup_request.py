"""The request of a build-up under a name of its own: the page has the requests of all methods side by side."""

from pydantic.dataclasses import dataclass

from motionloom.assembly.requests.request_files import STRICT
from motionloom.methods.buildup.request import Request


@dataclass(frozen=True, config=STRICT)
class BuildupRequest(Request):
    """What is built up, by one character or several."""
