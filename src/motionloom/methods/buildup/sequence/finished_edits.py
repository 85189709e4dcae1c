"""Finished edits: bridges are spliced into a finished motion, and those that do not hold there give way to others.

A bridge is found for poses as they were recorded. Planted feet and ends that were bent elsewhere move what is finished,
so what it takes to close a gap is known only there.
"""

from collections.abc import Sequence as Several
from dataclasses import replace

import numpy as np

from motionloom.assembly import Played
from motionloom.methods.buildup.model import Model
from motionloom.methods.buildup.sequence.bridge import Bridge
from motionloom.methods.buildup.sequence.edits import MadeEdit, make_edit
from motionloom.methods.buildup.sequence.splice import heels_of, splice
from motionloom.tasks import Stop

WHY_NOT = (
    "nobody could move so, over the best bridge: between finished frames its steps change too much; replace a longer "
    "stretch, or choose another pose"
)


def finish_edits(
    model: Model, played: Played, found: Several[MadeEdit], *, quick: bool = False, stop: Stop | None = None
) -> tuple[Played, tuple[MadeEdit, ...]]:
    """A motion with edits in it, and the edits as they were made in it.

    An edit that comes after one that took another bridge is made anew, because its time is that of what is left then.

    Args:
        model: of the takes.
        played: the finished motion before all of them.
        found: edits as they were found, one after another.
        quick: join in the usual way instead of the calmest.
        stop: asked at every join; if it answers True, `Stopped` is raised.
    """
    heels, made = heels_of(played), list[MadeEdit]()
    for number, edit in enumerate(found):
        if made and edit.given is not made[-1].sequence:
            edit = make_edit(model, made[-1].sequence, edit.edit)
        played, finished = _finish(model, played, edit, number, heels, quick, stop)
        made.append(finished)
    return played, tuple(made)


def _finish(
    model: Model, played: Played, edit: MadeEdit, number: int, heels: np.ndarray, quick: bool, stop: Stop | None
) -> tuple[Played, MadeEdit]:
    """The same for one edit, with the best bridge that holds; the motion as it was where none does."""
    refused = list[Bridge]()
    while edit.bridge is not None:
        spliced = splice(model, played, edit, number, quick=quick, heels=heels, stop=stop)
        if spliced is not None:
            return spliced, edit
        refused.append(edit.bridge)
        edit = make_edit(model, edit.given, edit.edit, refused)
    return played, replace(edit, why_not=WHY_NOT) if refused else edit
