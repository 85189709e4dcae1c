"""The desk that learns labels: keeps what was learnt, so that learning again after an acceptance is quick."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from motionloom.methods.annotate import solve, teaches_most
from motionloom.methods.annotate.classifier.svm import load_kernels
from motionloom.methods.annotate.labelling import learning_curve, sessions
from motionloom.methods.annotate.labelling.sessions import Choice, Lesson
from motionloom.methods.annotate.labelling.uncertainty import find_unsure, mean_confidences
from motionloom.studio.desks.opening import open_lent
from motionloom.tasks import Task

LONGEST = 30.0  # seconds; of longer takes a part is offered
OFFERS = 12  # that are kept at hand


class AnnotateDesk:
    """Learns from what people verified, proposes for all takes, and says what teaches most next."""

    def __init__(self, folder: Path, can_write: bool) -> None:
        self.corpus = open_lent(folder, can_write)
        self.lesson: Lesson | None = None

    def warm_up(self, task: Task) -> None:
        """Conform the takes, find their windows, and compile."""
        load_kernels()
        if sessions.takes_of_most(self.corpus):
            self._learn(task, sessions.kept_choice(self.corpus))

    def learn(self, task: Task, choice: Mapping[str, Any]) -> dict[str, Any]:
        """Learn from what is verified now, and renew the proposals of all takes.

        Args:
            task: to tell how far it is.
            choice: labels and settings; see `sessions.Choice`.
        """
        lesson = self._learn(task, Choice(**choice))
        proposals = solve(lesson.model)
        if lesson.verified_takes and self.corpus.can_write:
            sessions.keep_proposals(
                self.corpus, lesson, proposals, lambda done, total: task.progress(done, total, "takes proposed")
            )
        ranked = teaches_most(lesson.model, len(lesson.view.names), longest=LONGEST)
        return {
            "offers": [sessions.describe_offer(lesson, one) for one in ranked[:OFFERS]],
            "ranking": [one.take for one in ranked],
            "unsure": [vars(one) for one in find_unsure(lesson, proposals)],
            "confidences": mean_confidences(proposals),
            "learnt": list(proposals.labels),
            "takes": list(lesson.view.names),
            "seconds": lesson.seconds,
        }

    def try_out(self, task: Task) -> dict[str, Any] | None:
        """Leave verified takes out of learning in turn, to see how well takes are told that nobody looked at."""
        if self.lesson is None:
            return None
        made = learning_curve.try_lesson(
            self.corpus, self.lesson, lambda done, total: task.progress(done, total, "groups of takes left out")
        )
        return None if made is None else vars(made)

    def _learn(self, task: Task, choice: Choice) -> Lesson:
        takes = sessions.takes_of_most(self.corpus)
        wanted = Choice(choice.labels or [], takes, choice.classifier, choice.kernel, choice.gamma)
        task.progress(0, 1, "learning")
        self.lesson = sessions.learn(
            self.corpus,
            wanted,
            maybe_nothing=True,
            before=self.lesson,
            progress=lambda done, total: task.progress(done, total, "takes conformed"),
        )
        return self.lesson
