"""Running corpus-wide work: here or on all cores, with the same results in the same order; and assistants that stay."""

from motionloom.tasks.assistant import Assistant, Task
from motionloom.tasks.channel import AssistantDied, Call
from motionloom.tasks.run import Outcome, Progress, keep_workers, run_all, try_all
from motionloom.tasks.stop import Stop, Stopped, check_stop

__all__ = [
    "Assistant",
    "AssistantDied",
    "Call",
    "Outcome",
    "Progress",
    "Stop",
    "Stopped",
    "Task",
    "check_stop",
    "keep_workers",
    "run_all",
    "try_all",
]
