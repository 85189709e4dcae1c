"""Jobs: work at the desks that takes longer than a moment, with progress and cancel."""

import itertools
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Any

from motionloom.studio.server import problems
from motionloom.studio.server.broadcast import Broadcast
from motionloom.studio.server.messages.session import Job
from motionloom.studio.server.messages.sockets import JobTold
from motionloom.tasks import Assistant, Call, Stopped

KEPT = 30  # finished jobs that a page can still see
PAUSE = 0.08  # seconds between two words about the progress of one job

Part = Callable[[Any], None]


class RunningJob:
    """A job while it runs, and for a while after."""

    def __init__(self, told: Job, key: str | None) -> None:
        self.told = told
        self.key = key
        self.call: Call | None = None
        self.future: Future = Future()  # of what the job gives in the end
        self.told_at = 0.0


class Jobs:
    """All jobs of a server; every page hears of them."""

    def __init__(self, broadcast: Broadcast) -> None:
        self._broadcast = broadcast
        self._guard = threading.Lock()  # of two jobs that begin at once, one is the newer one
        self._numbers = itertools.count(1)
        self._jobs: dict[int, RunningJob] = {}

    def all(self) -> list[Job]:
        """Those that run or wait, and the last ones that ended."""
        return [job.told for job in list(self._jobs.values())]

    def start(
        self,
        desk: Assistant,
        method: str,
        arguments: Mapping[str, Any],
        *,
        kind: str,
        title: str,
        key: str | None = None,
        quiet: bool = False,
        on_part: Part | None = None,
        after: Callable[[Any], Any] | None = None,
    ) -> RunningJob:
        """Start a job.

        Args:
            desk: whose object does it.
            method: of the object.
            arguments: by name.
            kind: what sort of work it is.
            title: for people.
            key: a running job with the same key is cancelled first.
            quiet: nobody waits for it.
            on_part: gets what the method sends ahead, in a thread.
            after: gets what the method gives, in a thread; what it gives is the result of the job.
        """
        job = RunningJob(Job(id=next(self._numbers), kind=kind, title=title, state="waiting", quiet=quiet), key)

        def listen(what: str, data: Any) -> None:
            if what == "part":
                if on_part is not None and job.told.state != "cancelled":
                    on_part(data)
            else:
                done, total, note = data
                self._move(job, state="running", done=done, total=total, note=note)

        try:
            with self._guard:
                for other in list(self._jobs.values()):
                    if key is not None and other.key == key:
                        self._cancel(other)
                self._jobs[job.told.id] = job
                self._forget_old()
                self._tell(job)
                job.call = desk.call(method, arguments, listen)
        except Exception as error:
            self._end(job, error)
        else:
            job.call.future.add_done_callback(lambda future: self._finish(job, future, after))
        return job

    def cancel(self, number: int) -> None:
        """Ask a job to stop; one that has ended stays as it is."""
        with self._guard:
            job = self._jobs.get(number)
            if job is not None:
                self._cancel(job)

    def cancel_all(self) -> None:
        """Ask all jobs to stop."""
        for number in list(self._jobs):
            self.cancel(number)

    def _cancel(self, job: RunningJob) -> None:
        if job.told.state in ("waiting", "running") and job.call is not None:
            self._move(job, state="cancelled")
            self._tell(job)
            job.call.cancel()

    def _finish(self, job: RunningJob, future: Future, after: Callable[[Any], Any] | None) -> None:
        try:
            result = future.result()
            result = after(result) if after is not None else result
        except Exception as error:
            self._end(job, error)
        else:
            if job.told.state != "cancelled":
                self._move(job, state="done", done=job.told.total or 1.0, total=job.told.total or 1.0)
            self._tell(job)
            job.future.set_result(result)

    def _end(self, job: RunningJob, error: Exception) -> None:
        if isinstance(error, Stopped):
            self._move(job, state="cancelled")
        else:
            problems.note(error)
            self._move(job, state="failed", error=problems.tell(error))
        self._tell(job)
        job.future.set_exception(error)

    def _move(self, job: RunningJob, **changes: Any) -> None:
        if job.told.state == "cancelled" and changes.get("state") != "cancelled":
            return
        job.told = job.told.model_copy(update=changes)
        if time.monotonic() - job.told_at >= PAUSE:
            self._tell(job)

    def _tell(self, job: RunningJob) -> None:
        job.told_at = time.monotonic()
        self._broadcast.tell(JobTold(job=job.told))

    def _forget_old(self) -> None:
        ended = [number for number, job in list(self._jobs.items()) if job.told.state not in ("waiting", "running")]
        for number in ended[:-KEPT]:
            del self._jobs[number]
