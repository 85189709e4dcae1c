"""The desk that learns statistics of the corpus again: a desk of its own, so that no search waits for it."""

from functools import partial
from pathlib import Path
from typing import Any

from motionloom.studio.desks.lent_corpus import open_lent
from motionloom.tasks import Task


class StatisticsDesk:
    """Learns aside: what was learnt is used when all of it is there; stopped before, everything is as it was."""

    def __init__(self, folder: Path, can_write: bool) -> None:
        self.corpus = open_lent(folder, can_write)

    def learn_again(self, task: Task, method: str, request: dict[str, Any]) -> None:
        """Learn the statistics again that a method uses, and make what is made with them for a request.

        Args:
            task: receives progress, and stops it.
            method: name of the method.
            request: as plain data; the takes that it chooses are prepared.
        """
        from motionloom.assembly import learn_again
        from motionloom.methods import load

        loaded = load(method)
        material = loaded.material_of(self.corpus, loaded.Request.from_data(request))
        task.progress(0, 0, "reading takes")
        learn_again(self.corpus, loaded, material, progress=partial(task.progress, note="comparing takes"))
