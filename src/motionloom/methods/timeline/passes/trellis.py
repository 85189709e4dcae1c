"""The trellis: slots in a row, every block in every slot with what it costs there. Dynamic programming runs over it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.methods.timeline.model import Model
from motionloom.methods.timeline.objective.problem import Problem
from motionloom.methods.timeline.objective.slots import Slots, all_slot_costs, make_slots
from motionloom.tasks import Stop, check_stop


@dataclass(frozen=True, eq=False)
class Trellis:
    """What all passes over the slots of one problem need.

    A block of a slot is named by its first frame in the model. Its cost is infinite where it cannot be in the slot.
    """

    model: Model  # N frames
    problem: Problem  # weights of cuts
    slots: Slots  # S
    costs: tuple[np.ndarray, ...]  # S times (N,) float32: wrong labels of each block in the slot
    stop: Stop | None = None  # asked before every slot; if it answers True, `Stopped` is raised

    @property
    def n_slots(self) -> int:
        return self.slots.n_slots

    @property
    def n_blocks(self) -> int:
        """Blocks of all slots together."""
        return self.slots.n_slots * self.model.n_frames

    def length(self, slot: int) -> int:
        """Frames of a slot."""
        return int(self.slots.lengths[slot])

    def between(self, first: int, last: int) -> "Trellis":
        """The slots [first, last)."""
        return replace(self, slots=self.slots.between(first, last), costs=self.costs[first:last])

    def with_costs(self, costs: Sequence[np.ndarray]) -> "Trellis":
        """The same slots with other costs of blocks."""
        return replace(self, costs=tuple(costs))

    def check_stop(self) -> None:
        """Raise `Stopped` if the search was asked to stop."""
        check_stop(self.stop)


def make_trellis(model: Model, problem: Problem, stop: Stop | None = None) -> Trellis:
    """The trellis of a problem, with slots of the usual length; shorter where no motion is that long."""
    longest = int(np.diff(model.starts).max())
    slots = make_slots(problem, min(model.settings.by_all.block, longest))
    return Trellis(model, problem, slots, tuple(all_slot_costs(model, problem, slots)), stop)
