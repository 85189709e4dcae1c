"""Answers of a search, sent to the page: the motion as soon as there is one, its whole report when it is known."""

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from motionloom.motion import Motion
from motionloom.studio.desks.display import describe_footsteps
from motionloom.tasks import Task

if TYPE_CHECKING:
    from motionloom.assembly import Answer, Character, Method, Performed, Result


class AnswerStream:
    """Sends the answers of one search; every motion is performed once.

    What is sent: `number` of the motion in this search, `kind` ("first", "best", "other"), `is_whole` (with quality and
    reasons), `cost`, `costs`, `differs`, `result`, `seconds` since the search began, and with the motion, which is sent
    once, the `steps` of every character.
    """

    def __init__(self, task: Task, method: "Method", model: Any) -> None:
        self._task, self._method, self._model = task, method, model
        self._performed: dict[tuple, tuple[int, Performed[Any]]] = {}
        self._least = np.inf
        self._began = time.perf_counter()
        self.n_shown = 0  # motions so far

    def improve(self, answer: "Answer[Any]") -> None:
        """Show an answer if it is better than what is shown; the first may be performed with less care."""
        if answer.cost < self._least:
            self.show(answer, quick=not self.n_shown)

    def show(self, answer: "Answer[Any]", *, quick: bool = False) -> None:
        """Perform an answer and send the motion, unless it was sent before.

        quick: what takes long is left for when it is shown again.
        """
        self._task.check()
        if _key(answer) in self._performed:
            return
        number = self.n_shown
        performed = self._method.perform(answer, self._model, quick=quick, stop=self._task.stop)
        if not performed.is_quick:
            self._performed[_key(answer)] = (number, performed)
        self.n_shown += 1
        self._least = min(self._least, answer.cost)
        result = self._method.judge(performed, self._model, quick=True)
        self._send(number, answer, result, is_whole=False, steps=[_steps(character) for character in result.characters])

    def explain(self, answer: "Answer[Any]", others: "Sequence[Answer[Any]]" = ()) -> None:
        """Send the whole report of an answer whose motion was sent before; it mentions others if they are given."""
        number, performed = self._performed[_key(answer)]
        result = self._method.judge(performed, self._model, others=others, stop=self._task.stop)
        self._send(number, answer, result, is_whole=True)

    def _send(self, number: int, answer: "Answer[Any]", result: "Result", **more: Any) -> None:
        sent = {
            "number": number,
            "kind": answer.kind,
            "cost": answer.cost,
            "costs": dict(answer.costs),
            "differs": answer.differs,
            "result": result,
            "seconds": time.perf_counter() - self._began,
        }
        self._task.send({**sent, **more})


def _key(answer: "Answer[Any]") -> tuple:
    """What an answer plays; two with the same key are the same motion."""
    return tuple(plan.content_key for plan in answer.plans)


def _steps(character: "Character") -> dict[str, Any]:
    """Footprints and contacts of a body; points have none."""
    if not isinstance(character.motion, Motion) or character.contacts is None:
        return {"footprints": [], "contacts": {}, "supports": []}
    return describe_footsteps(character.motion, character.contacts, character.footing)
