"""The desk that learns labels: keeps what was learnt, so that learning again after an acceptance is quick."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from motionloom.classify.svm import load_kernels
from motionloom.corpus.material import recordings
from motionloom.methods.annotate import propose_tracks, teaches_most
from motionloom.methods.annotate.labelling import learning_curve, sessions
from motionloom.methods.annotate.labelling.sessions import Choice, Session
from motionloom.methods.annotate.labelling.uncertainty import find_unsure, mean_confidences
from motionloom.studio.desks.lent_corpus import open_lent
from motionloom.tasks import Task

LONGEST = 30.0  # seconds; of longer takes a part is offered
OFFERS = 12  # that are kept at hand


class AnnotateDesk:
    """Learns from what people verified, proposes for all takes, and says what teaches most next."""

    def __init__(self, folder: Path, can_write: bool) -> None:
        self.corpus = open_lent(folder, can_write)
        self.session: Session | None = None

    def warm_up(self, task: Task) -> None:
        """Conform the takes, find their windows, and compile."""
        load_kernels()
        if recordings(info for info in self.corpus.infos() if info.kind == "body"):
            self._learn(task, sessions.kept_choice(self.corpus))

    def learn(self, task: Task, choice: Mapping[str, Any]) -> dict[str, Any]:
        """Learn from what is verified now, and renew the proposals of all takes.

        Args:
            task: receives progress.
            choice: labels and settings; see `sessions.Choice`.
        """
        session = self._learn(task, Choice(**choice))
        proposals = propose_tracks(session.model)
        if session.verified_takes and self.corpus.can_write:
            sessions.keep_proposals(
                self.corpus, session, proposals, lambda done, total: task.progress(done, total, "takes proposed")
            )
        ranked = teaches_most(session.model, len(session.view.names), longest=LONGEST)
        return {
            "offers": [sessions.describe_offer(session, offer) for offer in ranked[:OFFERS]],
            "ranking": [offer.take for offer in ranked],
            "unsure": [vars(stretch) for stretch in find_unsure(session, proposals)],
            "confidences": mean_confidences(proposals),
            "learnt": list(proposals.labels),
            "takes": list(session.view.names),
            "seconds": session.seconds,
        }

    def try_out(self, task: Task) -> dict[str, Any] | None:
        """Cross-validate: leave verified takes out of training in turn, to measure how well others are classified."""
        if self.session is None:
            return None
        made = learning_curve.try_session(
            self.corpus, self.session, lambda done, total: task.progress(done, total, "groups of takes left out")
        )
        return None if made is None else vars(made)

    def _learn(self, task: Task, choice: Choice) -> Session:
        wanted = Choice(choice.labels or [], None, choice.classifier, choice.kernel, choice.gamma)
        task.progress(0, 1, "learning")
        self.session = sessions.learn(
            self.corpus,
            wanted,
            maybe_nothing=True,
            before=self.session,
            progress=lambda done, total: task.progress(done, total, "takes conformed"),
        )
        return self.session
