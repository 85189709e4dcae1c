"""The desk that performs the demo corpus, before it is opened."""

import shutil
from pathlib import Path

from motionloom.tasks import Task

PARTIAL = ".demo-being-made"


class DemoCorpusDesk:
    """Works in the folder in which the corpora are."""

    def __init__(self, home: Path) -> None:
        self.home = home

    def make_demo(self, task: Task, name: str) -> str:
        """Perform the demo corpus; it gets its name when it is complete."""
        from motionloom.performer import make_demo_corpus

        partial = self.home / PARTIAL
        shutil.rmtree(partial, ignore_errors=True)
        try:
            make_demo_corpus(
                partial, progress=lambda done, total: task.progress(done, total, "takes performed")
            ).close()
            partial.rename(self.home / name)
        finally:
            shutil.rmtree(partial, ignore_errors=True)
        return name
