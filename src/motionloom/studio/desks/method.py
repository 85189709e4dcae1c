"""The desk of a method: a first motion at once, then better ones, then the whole report; the same for all methods."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from motionloom.caching import Recent
from motionloom.studio.desks.answer_stream import AnswerStream
from motionloom.studio.desks.lent_corpus import open_lent
from motionloom.tasks import Task

if TYPE_CHECKING:
    from motionloom.assembly import Answer, Result

MODELS_KEPT = 2  # one for each material
OTHERS = 3  # good motions beside the best


@dataclass
class Ready:
    """A model, and the answer that the next search on it starts from."""

    model: Any
    previous: "Answer[Any] | None" = None
    revision: int = 0  # of the corpus, when it was looked at last


class MethodDesk:
    """Keeps models of the corpus, and what makes the next search on them fast."""

    def __init__(self, folder: Path, can_write: bool, method: str) -> None:
        from motionloom.methods import load

        self.corpus = open_lent(folder, can_write)
        self.method = load(method)
        self._ready: Recent[Any, Ready] = Recent(MODELS_KEPT)

    def warm_up(self, task: Task) -> None:
        """Prepare a model and compile what a search needs, with the method's own examples of requests."""
        if any(info.kind == "body" for info in self.corpus.infos()):
            unheard = Task(lambda *_: None, task.stop)
            for request in getattr(self.method, "WARM_UP", ()):
                self._ready_for(task, request, revision=0)
                self.search(unheard, request, others=0)

    def get_ready(self, task: Task, request: dict[str, Any], revision: int = 0) -> None:
        """Prepare the model that a request chooses from, so that a search for it can begin at once."""
        self._ready_for(task, request, revision)

    def search(self, task: Task, request: dict[str, Any], revision: int = 0, others: int = OTHERS) -> dict[str, Any]:
        """Search what a request asks for; answers are sent as they are found, see `AnswerStream`.

        Args:
            task: receives answers.
            request: as plain data.
            revision: of the corpus; where it has changed, takes and labels are read again.
            others: good motions to find after the best.
        """
        from motionloom.assembly import OTHER, Ranking, follow, is_learning_due

        ready, asked = self._ready_for(task, request, revision)
        stream = AnswerStream(task, self.method, ready.model)
        progress = partial(task.progress, note="preparing the search")
        ranking = Ranking()
        for answer in follow(
            self.method,
            ready.model,
            asked,
            others=others,
            previous=ready.previous,
            stop=task.stop,
            progress=progress,
        ):
            ranking.add(answer)
            if answer.kind == OTHER:
                stream.show(answer)
            elif answer.is_settled:
                stream.show(answer)
                stream.explain(answer)
                ready.previous = answer
            else:
                stream.improve(answer)
        task.check()  # what was not found any more is not missed
        for other in ranking.others:
            stream.explain(other)
        if ranking.best is not None and ranking.others:
            stream.explain(ranking.best, ranking.others)  # its report names the others
        return {"answers": stream.n_shown, "is_learning_due": is_learning_due(ready.model.view)}

    def draw(self, task: Task, result: "Result", title: str) -> bytes:
        """The picture of an answer, a PNG.

        Args:
            task: not used.
            result: what is drawn.
            title: of the picture.
        """
        import tempfile

        from motionloom.methods.result_files import draw_result

        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "sheet.png"
            draw_result(self.method, path, result, title)
            return path.read_bytes()

    def _material_of(self, asked: Any, revision: int) -> Any:
        """What a request chooses from; of a corpus that may have changed since the revision before."""
        return self.method.material_of(self.corpus, asked)

    def _ready_for(self, task: Task, request: dict[str, Any], revision: int) -> tuple[Ready, Any]:
        """The model that a request chooses from, made again only where the corpus has changed; and the request."""
        asked = self.method.Request.from_data(request)
        material = self._material_of(asked, revision)
        kept = self._ready.get(material)
        if kept is None or kept.revision != revision:
            task.progress(0, 0, "reading takes")
            model = self.method.prepare(self.corpus, material, progress=partial(task.progress, note="comparing takes"))
            if kept is None or not kept.model.is_same(model):
                kept = Ready(model)
            kept.revision = revision
        self._ready.put(material, kept)
        return kept, asked
