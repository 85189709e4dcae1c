"""Running corpus-wide work: here or on all cores, with the same results in the same order."""

from motionloom.tasks.run import Outcome, Progress, run_all, try_all

__all__ = ["Outcome", "Progress", "run_all", "try_all"]
