"""Showing answers of a timeline search: the motion as soon as there is one, its whole report when it is known."""

import time
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from motionloom.studio.desks.display import describe_footsteps
from motionloom.tasks import Cancelled, Task

if TYPE_CHECKING:
    from motionloom.assembly import Result, Yardsticks
    from motionloom.methods.timeline import Answer, Model, Performed, Problem, Request

JOINS_KNOWN = 5000  # then they are forgotten
MANY_CUTS = 2  # from so many on, the first motion is shown before their joins are chosen


@dataclass
class Ready:
    """A model with everything that makes the next search on it fast."""

    model: "Model"
    yardsticks: "Yardsticks"
    recall: Any = None
    joins: dict[tuple, Any] = field(default_factory=dict)  # how cuts were joined before
    frames: np.ndarray | None = None  # (F,) of the model: the best answer of the last search
    revision: int = 0  # of the corpus, when it was looked at last

    def __post_init__(self) -> None:
        from motionloom.methods.timeline import Recall

        self.recall = self.recall or Recall()


class Showing:
    """Sends the answers of one search to the page; every motion is performed once.

    What is sent: `number` of the motion in this search, `kind` ("first", "best", "other"), `is_whole` (with quality and
    reasons), `cost`, `differs`, `result`, `seconds` since the search began, and with the motion, which is sent once,
    the `frames` of the model, the `labels` that hold and the `steps`.
    """

    def __init__(self, task: Task, ready: Ready, problem: "Problem", request: "Request") -> None:
        self._task, self._ready, self._problem, self._request = task, ready, problem, request
        self._performed: dict[bytes, tuple[int, Performed]] = {}
        self._least = np.inf
        self._began = time.perf_counter()
        self.n_shown = 0  # motions so far

    def improve(self, answer: "Answer") -> None:
        """Show an answer if it is better than what is shown; the first time, the motion of before may still be."""
        is_first = not self.n_shown
        if is_first:
            answer = min([answer, *self._earlier()], key=lambda one: one.cost)
        if answer.cost < self._least:
            self.show(answer, is_hurried=is_first)

    def show(self, answer: "Answer", *, is_hurried: bool = False) -> None:
        """Perform an answer and send the motion, unless it was sent before.

        is_hurried: where many joins would have to be chosen, they are left for when it is shown again.
        """
        from motionloom.methods.timeline import glance, labels_of, make_plan, perform, sketch

        if self._task.stop():
            raise Cancelled
        if answer.frames.tobytes() in self._performed:
            return
        ready, model, number = self._ready, self._ready.model, self.n_shown
        if len(ready.joins) > JOINS_KNOWN:
            ready.joins.clear()
        plan = make_plan(model, self._problem, answer, self._request)
        if is_hurried and len(plan.joins) >= MANY_CUTS:
            performed = sketch(plan, model, yardsticks=ready.yardsticks)
        else:
            performed = perform(plan, model, yardsticks=ready.yardsticks, known=ready.joins, stop=self._task.stop)
            self._performed[answer.frames.tobytes()] = (number, performed)
        self.n_shown += 1
        self._least = min(self._least, answer.cost)
        result = glance(performed, model)
        labels = [(one.label, one.start, one.stop) for one in labels_of(model, answer.frames, "")]
        steps = describe_footsteps(result.motion, result.contacts)
        self._send(number, answer, result, is_whole=False, frames=answer.frames, labels=labels, steps=steps)

    def explain(self, answer: "Answer") -> None:
        """Send the whole report of an answer whose motion was sent before."""
        from motionloom.methods.timeline import judge

        number, performed = self._performed[answer.frames.tobytes()]
        self._send(number, answer, judge(performed, self._ready.model, stop=self._task.stop), is_whole=True)

    def _send(self, number: int, answer: "Answer", result: "Result", **more: Any) -> None:
        told = {
            "number": number,
            "kind": answer.kind,
            "cost": asdict(answer.costs),
            "differs": answer.differs,
            "result": result,
            "seconds": time.perf_counter() - self._began,
        }
        self._task.send({**told, **more})

    def _earlier(self) -> list["Answer"]:
        """The best answer of the last search, if it is one here: while a place is dragged it is the nearest."""
        from motionloom.methods.timeline.objective.answer import make_answer

        frames, problem = self._ready.frames, self._problem
        if frames is None or len(frames) != problem.n_frames:
            return []
        for clip in problem.forced:
            if not np.array_equal(frames[clip.at : clip.stop], clip.first + np.arange(clip.n_frames)):
                return []
        return [make_answer(self._ready.model, problem, frames, "first")]
