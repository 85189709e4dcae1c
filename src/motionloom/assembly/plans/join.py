"""Join: how one piece goes over into the next."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from motionloom import blending
from motionloom.errors import BadInput


@dataclass(frozen=True)
class JoinKind:
    """One way of joining: who does it, how long it usually is, and how far it reaches to its sides."""

    run: Callable[..., blending.Joined]
    seconds: float  # usual length
    before: float  # parts of its length that it reaches into the piece before
    after: float  # and into the piece after


KINDS: Mapping[str, JoinKind] = {
    "cut": JoinKind(blending.spread_offset, 0.0, 0.0, 0.0),  # spread over nothing
    "crossfade": JoinKind(blending.crossfade, blending.CROSSFADE_SECONDS, 0.5, 0.5),
    "inertialize": JoinKind(blending.inertialize, blending.INERTIA_SECONDS, 0.0, 1.0),
    "displacement": JoinKind(blending.displace_join, blending.DISPLACEMENT_SECONDS, 1.0, 1.0),
    "arrive": JoinKind(partial(blending.displace_join, bends_second=False), blending.DISPLACEMENT_SECONDS, 1.0, 0.0),
    "spread": JoinKind(blending.spread_offset, blending.SPREAD_SECONDS, 1.0, 1.0),
}


@dataclass(frozen=True)
class Join:
    """How one piece goes over into the next; the number of frames stays as it is.

    Seconds are the whole of a crossfade, half of it on each side; what an inertialization takes after the cut, and what
    arriving takes before it; each of both sides of a displacement or of a spread offset. A cut has none.
    """

    kind: str
    seconds: float

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise BadInput(f"no join '{self.kind}'; there are {', '.join(KINDS)}")
        if not 0 <= self.seconds < np.inf:
            raise BadInput(f"the duration of a {self.kind} must be 0 or more seconds, got {self.seconds}")
        object.__setattr__(self, "seconds", float(self.seconds))
        if self.kind == "cut" and self.seconds:
            raise BadInput(f"a cut of {self.seconds:g} seconds; a cut takes no time, a crossfade does")

    @staticmethod
    def usual(kind: str) -> "Join":
        """A join of the length that is usual for its kind."""
        if kind not in KINDS:
            raise BadInput(f"no join '{kind}'; there are {', '.join(KINDS)}")
        return Join(kind, KINDS[kind].seconds)

    def longest(self, frames_before: int, frames_after: int, fps: float) -> float:
        """Seconds that a join of this kind can last between pieces of so many frames."""
        kind = KINDS[self.kind]
        sides = [(frames_before, kind.before), (frames_after, kind.after)]
        return min((frames / fps / part for frames, part in sides if part), default=0.0)

    def describe(self) -> str:
        """'crossfade of 0.30 s', 'cut'."""
        return self.kind if self.kind == "cut" else f"{self.kind} of {self.seconds:.2f} s"
