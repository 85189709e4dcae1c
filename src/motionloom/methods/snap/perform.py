"""Performing: the clips of a graph walk one after another, as they are stored; nothing is solved."""

from motionloom.assembly import Answer, Performed, play
from motionloom.methods.snap.model import Model
from motionloom.methods.snap.search import State
from motionloom.tasks import Stop, check_stop


def perform(answer: Answer[State], model: Model, *, quick: bool = False, stop: Stop | None = None) -> Performed[State]:
    """Make the motion of a graph walk: its clips join by plain cuts, with the feet planted when the graph was built.

    Args:
        answer: of the search.
        model: that it was found with.
        quick: makes no difference: it is quick.
        stop: asked once; if it answers True, `Stopped` is raised.
    """
    check_stop(stop)
    return Performed(answer, (play(answer.plan, model.view, footplants=None),))
