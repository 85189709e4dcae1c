"""The desk that searches for painted timelines: a first motion at once, then better ones, then the whole report."""

from collections import OrderedDict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from motionloom.studio.desks.opening import open_lent
from motionloom.studio.desks.showing import Ready, Showing
from motionloom.tasks import Cancelled, Task

if TYPE_CHECKING:
    from motionloom.assembly import Result
    from motionloom.methods.timeline import Model, Request

MODELS_KEPT = 2  # one for each choice of takes and rate
OTHERS = 3  # good motions beside the best


class TimelineDesk:
    """Keeps models of the corpus, and what makes the next search on them fast."""

    def __init__(self, folder: Path, can_write: bool) -> None:
        self.corpus = open_lent(folder, can_write)
        self._ready: OrderedDict[tuple, Ready] = OrderedDict()

    def warm_up(self, task: Task) -> None:
        """Compare all frames, where nobody has before, and compile what a search needs."""
        if any(info.kind == "body" for info in self.corpus.infos()):
            unheard = Task(lambda *_: None, task.stop)
            for places in ([], [{"position": [1.0, 1.0]}]):
                request = {"length": "2s", "places": places}
                self._ready_for(task, request, revision=0)
                self.search(unheard, request, others=0)

    def get_ready(self, task: Task, request: dict[str, Any], revision: int = 0) -> None:
        """Compare the frames that a request chooses from, so that a search for it can begin at once."""
        self._ready_for(task, request, revision)

    def search(self, task: Task, request: dict[str, Any], revision: int = 0, others: int = OTHERS) -> dict[str, Any]:
        """Search what a request asks for; answers are sent as they are found, see `Showing`.

        Args:
            task: hears of answers.
            request: as plain data.
            revision: of the corpus; where it has changed, takes and labels are read again.
            others: good motions to find after the best.
        """
        from motionloom.methods.timeline import Stopped, pose_problem, search, search_others

        ready, asked = self._ready_for(task, request, revision)
        problem = pose_problem(ready.model, asked)
        showing = Showing(task, ready, problem, asked)
        try:
            best = None
            for answer in search(ready.model, problem, stop=task.stop, recall=ready.recall):
                best = answer
                showing.improve(answer)
            assert best is not None
            showing.show(best)
            ready.frames = best.frames
            showing.explain(best)
            found = []
            for other in search_others(ready.model, problem, best, others, stop=task.stop):
                showing.show(other)
                found.append(other)
            for other in found:
                showing.explain(other)
        except Stopped:
            raise Cancelled from None
        if task.stop():  # others that were not found any more
            raise Cancelled
        return {"answers": showing.n_shown}

    def draw(
        self, task: Task, request: dict[str, Any], frames: np.ndarray, result: "Result", title: str, revision: int = 0
    ) -> bytes:
        """The picture of an answer, a PNG: paint, poses and takes.

        Args:
            task: hears of progress.
            request: that was asked.
            frames: (F,) of the model that the answer plays.
            result: what was made of them.
            title: of the picture.
            revision: of the corpus.
        """
        import tempfile

        from motionloom.methods.timeline import draw_sheet, pose_problem

        ready, asked = self._ready_for(task, request, revision)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "sheet.png"
            draw_sheet(path, ready.model, pose_problem(ready.model, asked), frames, result, title)
            return path.read_bytes()

    def _ready_for(self, task: Task, request: dict[str, Any], revision: int) -> tuple[Ready, "Request"]:
        """The model that a request chooses from, made again only where the corpus has changed; and the request."""
        from motionloom.methods.timeline import Request, material_of, prepare_for

        asked = Request.from_data(request)
        key = (material_of(self.corpus, asked), asked.fps)
        kept = self._ready.get(key)
        if kept is None or kept.revision != revision:
            task.progress(0, 0, "reading takes")
            model = prepare_for(self.corpus, asked, progress=partial(task.progress, note="comparing frames"))
            if kept is None or not _is_same(kept.model, model):
                from motionloom.assembly import learn_yardsticks

                task.progress(0, 0, "measuring what is usual")
                kept = Ready(model, learn_yardsticks(model.view))
            kept.revision = revision
            self._ready[key] = kept
        self._ready.move_to_end(key)
        while len(self._ready) > MODELS_KEPT:
            self._ready.popitem(last=False)
        return kept, asked


def _is_same(one: "Model", other: "Model") -> bool:
    return (one.view.key, one.labels) == (other.view.key, other.labels) and np.array_equal(one.tracks, other.tracks)
