"""Played: the frames of a plan before anything is measured."""

from dataclasses import dataclass, field

import numpy as np

from motionloom.assembly.plans.plan import Plan
from motionloom.assembly.results.result import Character, HeldLabel, Part, Report, Result, Timing
from motionloom.motion import Footing, Motion, PointMotion
from motionloom.motion.provenance import Provenance


@dataclass(frozen=True, eq=False)
class Played:
    """A plan as frames: all that is needed to show it."""

    plan: Plan  # with the joins that were really made
    motion: Motion | PointMotion
    contacts: np.ndarray | None  # (F, 4) bool of a body; None for points
    provenance: Provenance
    before: Motion | None = None  # joined, but not yet bent to its places nor planted; None for points
    parts: tuple[Part, ...] = ()
    timings: tuple[Timing, ...] = ()
    notes: tuple[str, ...] = ()
    name: str = ""  # of the character; "" where there is one
    labels: tuple[HeldLabel, ...] = ()  # that hold in its frames, where the method knows them
    footing: Footing = field(default_factory=Footing)  # what its feet stand on besides the floor
    footing_before: Footing = field(default_factory=Footing)  # what those of `before` stand on

    @property
    def character(self) -> Character:
        """As it goes into a result."""
        return Character(self.motion, self.provenance, self.contacts, self.name, self.plan, self.labels, self.footing)

    @property
    def unmeasured(self) -> Result:
        """The motion with a report that says nothing of its quality."""
        return Result((self.character,), Report(self.plan.request, self.parts, (), self.timings, self.notes))
