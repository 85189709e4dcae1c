"""Jobs: work at the desks that takes longer than a moment, with progress and cancel."""

import contextlib
import itertools
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from typing import Any

from motionloom.errors import MotionloomError
from motionloom.studio.server import problems
from motionloom.studio.server.broadcast import Broadcast
from motionloom.studio.server.messages.session import Job
from motionloom.studio.server.messages.sockets import JobUpdate
from motionloom.tasks import Assistant, Call, Stopped

KEPT = 30  # finished jobs that a page can still see
MOST_UNDER_WAY = 100  # jobs that run or wait
MOST_WAITING = 32  # requests that wait for a desk, of the 40 that can be answered at once
PAUSE = 0.08  # seconds between two messages about the progress of one job

Part = Callable[[Any], None]


class DeskBusy(MotionloomError):
    """A desk did not answer in time."""


class RunningJob:
    """A job while it runs, and for a while after."""

    def __init__(self, status: Job, key: str | None, desk: Assistant | None = None) -> None:
        self.status = status
        self.key = key
        self.desk = desk
        self.call: Call | None = None
        self.is_worked = False  # the desk has done its part: it is too late to cancel it
        self.future: Future = Future()  # of what the job gives in the end
        self.sent_at = 0.0


class Jobs:
    """All jobs of a server; every page gets their status."""

    def __init__(self, broadcast: Broadcast, explain: Callable[[BaseException], str] = problems.as_sentence) -> None:
        self._broadcast = broadcast
        self._explain = explain  # an error as a sentence
        self._guard = threading.RLock()  # held for moments alone: never while a process is started, or work is done
        self._numbers = itertools.count(1)
        self._jobs: dict[int, RunningJob] = {}
        self._turns = threading.BoundedSemaphore(MOST_WAITING)

    def all(self) -> list[Job]:
        """Those that run or wait, and the last ones that ended."""
        return [job.status for job in list(self._jobs.values())]

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
        for_method: str = "",
        on_part: Part | None = None,
        after: Callable[[Any], Any] | None = None,
    ) -> RunningJob:
        """Start a job; this waits for nothing, so it may be called where nothing may wait.

        Args:
            desk: whose object does it.
            method: of the object.
            arguments: by name.
            kind: what sort of work it is.
            title: for people.
            key: a running job with the same key is cancelled first.
            quiet: runs in the background, shown small.
            for_method: the method that searches, or gets ready to.
            on_part: gets what the method sends ahead, in a thread.
            after: gets what the method gives, in a thread; what it gives is the result of the job.
        """
        job = self._add(
            Job(id=0, kind=kind, title=title, state="waiting", quiet=quiet, for_method=for_method), key, desk
        )

        def listen(what: str, data: Any) -> None:
            if what == "part":
                if on_part is not None and job.status.state != "cancelled":
                    on_part(data)
            else:
                done, total, note = data
                self._move(job, state="running", done=done, total=total, note=note)

        try:
            call = desk.call(method, arguments, listen)
        except Exception as error:
            self._end(job, error)
            return job
        with self._guard:
            job.call = call
            is_cancelled = job.status.state == "cancelled"  # in the meantime, by a newer one with the same key
        if is_cancelled:
            call.cancel()
        call.future.add_done_callback(lambda future: self._finish(job, future, after))
        return job

    def wait(self, job: RunningJob, limit: float) -> Any:
        """What a job gives; raises `DeskBusy` and cancels the job where that takes longer than so many seconds."""
        try:
            with self.turn():
                return job.future.result(limit)
        except TimeoutError:
            if job.future.done():  # at the last moment, or the work itself raised it
                return job.future.result()
            self.cancel(job.status.id)
            raise self.busy(job.desk, job.status.title, limit) from None

    @contextlib.contextmanager
    def turn(self) -> Iterator[None]:
        """While a request waits for a desk; raises `DeskBusy` where so many do that no others could be answered."""
        if not self._turns.acquire(blocking=False):
            raise DeskBusy(f"the desks are busy: {MOST_WAITING} requests wait for them already; try again later")
        try:
            yield
        finally:
            self._turns.release()

    def busy(self, desk: Assistant | None, what: str, limit: float) -> DeskBusy:
        """The error of a call that has waited too long; it names what the desk was doing all the time."""
        others = [job.status.title for job in list(self._jobs.values()) if job.desk is desk and _goes_on(job.status)]
        reason = f" behind '{others[0]}'" if others else ""
        return DeskBusy(f"{what}: no answer in {limit:g} s{reason}, so it was given up; try again later")

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

    def _add(self, status: Job, key: str | None, desk: Assistant) -> RunningJob:
        """A new job, the last of all; others with its key are cancelled."""
        with self._guard:
            status = status.model_copy(update={"id": next(self._numbers)})
            job = RunningJob(status, key, desk)
            for other in list(self._jobs.values()):
                if key is not None and other.key == key:
                    self._cancel(other)
            if sum(_goes_on(other.status) for other in self._jobs.values()) >= MOST_UNDER_WAY:
                raise DeskBusy(f"{MOST_UNDER_WAY} jobs run or wait already; wait until one is done, or cancel some")
            self._jobs[status.id] = job
            self._forget_old()
            self._send(job)
        return job

    def _cancel(self, job: RunningJob) -> None:
        if _goes_on(job.status) and not job.is_worked:
            self._move(job, state="cancelled")
            self._send(job)
            if job.call is not None:  # else it is cancelled as soon as the desk has been called
                job.call.cancel()

    def _finish(self, job: RunningJob, future: Future, after: Callable[[Any], Any] | None) -> None:
        try:
            result = future.result()
            with self._guard:
                job.is_worked = True  # what comes after may cancel all jobs, as opening the corpus that was made does
            result = after(result) if after is not None else result
        except Exception as error:
            self._end(job, error)
        else:
            if job.status.state != "cancelled":
                self._move(job, state="done", done=job.status.total or 1.0, total=job.status.total or 1.0)
            self._send(job)
            job.future.set_result(result)

    def _end(self, job: RunningJob, error: Exception) -> None:
        if isinstance(error, Stopped):
            self._move(job, state="cancelled")
        else:
            problems.log_unexpected(error)
            self._move(job, state="failed", error=self._explain(error))
        self._send(job)
        job.future.set_exception(error)

    def _move(self, job: RunningJob, **changes: Any) -> None:
        with self._guard:  # or progress would put back what was cancelled
            if job.status.state == "cancelled" and changes.get("state") != "cancelled":
                return
            job.status = job.status.model_copy(update=changes)
        if time.monotonic() - job.sent_at >= PAUSE:
            self._send(job)

    def _send(self, job: RunningJob) -> None:
        job.sent_at = time.monotonic()
        self._broadcast.send(JobUpdate(job=job.status))

    def _forget_old(self) -> None:
        ended = [number for number, job in list(self._jobs.items()) if not _goes_on(job.status)]
        for number in ended[:-KEPT]:
            del self._jobs[number]


def _goes_on(status: Job) -> bool:
    return status.state in ("waiting", "running")
