"""Running corpus-wide work: here or on all cores, with the same results in the same order; and assistants that stay."""

from motionloom.tasks.assistant import Assistant, Task
from motionloom.tasks.channel import AssistantDied, Call
from motionloom.tasks.processes import Outcome, Progress, keep_workers, run_all, try_all
from motionloom.tasks.stop import Stop, Stopped, check_stop
from motionloom.tasks.threads import count_cores, count_threads, one_thread_per_product, run_threads

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
    "count_cores",
    "count_threads",
    "keep_workers",
    "one_thread_per_product",
    "run_all",
    "run_threads",
    "try_all",
]
