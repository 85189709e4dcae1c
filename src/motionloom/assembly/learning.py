"""Learning statistics again, after an answer was given with those that are due.

An answer never waits for it: it uses the statistics that there are, and its report says how old they are. What was
learnt takes their place when everything that a method prepares has been made with it; until then, and if it is stopped,
all is as it was.
"""

from typing import Any

from motionloom.assembly.method import Method
from motionloom.assembly.results.yardsticks import learn_yardsticks
from motionloom.conform.base_view import BaseView
from motionloom.conform.statistics import learning_again
from motionloom.corpus import Corpus
from motionloom.tasks import Progress


def is_learning_due(view: BaseView) -> bool:
    """Whether statistics that were used with a view are to be learnt again, and its corpus is open for writing."""
    return view.corpus.can_write and any(used.is_due for used in view.statistics.values())


def learn_again(
    corpus: Corpus, method: Method, material: Any, settings: Any = None, *, progress: Progress | None = None
) -> None:
    """Learn the statistics again that a method uses, and make all that is made with them.

    Args:
        corpus: open for writing.
        method: of the table of methods.
        material: that was prepared, from its `material_of`.
        settings: of the method; None for the defaults.
        progress: called as progress(done, total) where the method reports it.
    """
    with learning_again(corpus):
        model = method.prepare(corpus, material, settings, progress=progress)
        learn_yardsticks(model.view)
