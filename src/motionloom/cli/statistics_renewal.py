"""Learning the statistics of a corpus again at the end of a command, when they are due and nobody has to wait."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from motionloom.cli.console import note, progress_bar
from motionloom.errors import MotionloomError

if TYPE_CHECKING:
    from motionloom.conform import View
    from motionloom.tasks import Progress


def renew_statistics(view: View, learn: Callable[[Progress], None]) -> None:
    """Learn the statistics that were used with a view again if they are due; Ctrl-C keeps those there are.

    Args:
        view: that an answer was made with, whose corpus is still open.
        learn: learns them again; called with what shows how far it is.
    """
    from motionloom.assembly import is_learning_due

    if not is_learning_due(view):
        return
    note("over a tenth of the corpus has changed: learning its statistics again (Ctrl-C keeps those there are)")
    try:
        with progress_bar("learning again") as progress:
            learn(progress)
    except KeyboardInterrupt:
        note("stopped; the statistics are as they were")
    except MotionloomError as error:  # the answer is there all the same
        note(f"the statistics are as they were: {error}")
