"""The library's side of the server: the list of takes, badges that are measured on the side, imports, new takes."""

import contextlib
import shutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from motionloom.caching import Recent
from motionloom.errors import BadInput, MotionloomError
from motionloom.studio.server import problems
from motionloom.studio.server.jobs import MOST_UNDER_WAY, RunningJob
from motionloom.studio.server.messages.library import (
    CleanTakes,
    ImportedFile,
    ImportState,
    MadeTake,
    MadeTakes,
    NewBadges,
    TrimTake,
)
from motionloom.studio.server.messages.session import Job
from motionloom.studio.server.studio import Studio
from motionloom.studio.server.workspaces import uploads
from motionloom.studio.server.workspaces.take_list import Values, describe_takes
from motionloom.tasks import Stopped

MEASURING = "measure"
KEPT = 2 * MOST_UNDER_WAY  # jobs whose outcome a page can still ask for
CHANGE_PAUSE = 2.0  # seconds between two notices of new takes while an import runs

State = Literal["running", "done", "failed", "cancelled"]


class Library:
    """What the library remembers while a corpus is open."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        self._guard = threading.Lock()
        self._measured: list[tuple[str, Values]] = []  # in the order in which they came
        self._measuring: RunningJob | None = None
        self._busy = 0  # calls to the desk that measuring is paused for
        self._imports: Recent[str, tuple[RunningJob, list[ImportedFile]]] = Recent(KEPT)
        self._made: Recent[int, RunningJob] = Recent(KEPT)

    def list_takes(self) -> dict[str, Any]:
        """All takes, with what is known about them, in the form of a `TakeList`."""
        with self._studio.corpus() as corpus, self._guard:
            answer = describe_takes(corpus, dict(self._measured), self._studio.folders) | {
                "next_badges": len(self._measured)
            }
        is_missing = any(not row["measured"] and row["kind"] == "body" for row in answer["takes"])
        if is_missing and self._studio.settings.is_warmed:
            self.measure()
        return answer

    def new_badges(self, since: int) -> NewBadges:
        """What was measured since a page last asked."""
        with self._guard:
            return NewBadges(badges=dict(self._measured[since:]), next=len(self._measured))

    def measure(self) -> None:
        """Measure in the background what was not measured yet, unless a call waits for the desk."""
        with self._guard:
            is_running = self._measuring is not None and self._measuring.status.state in ("waiting", "running")
            if is_running or self._busy:
                return
            self._measuring = self._studio.start(
                "library",
                "measure",
                {},
                kind=MEASURING,
                title="looking for takes that want cleaning",
                quiet=True,
                on_part=self._keep_badges,
            )

    def import_batch(self, batch: str) -> Job:
        """Import what was uploaded."""
        with self._studio.corpus(write=True):
            folder = uploads.folder_of(self._studio, batch)
        if not folder.is_dir():
            raise BadInput("nothing was uploaded; choose files first")
        files: list[ImportedFile] = []
        sent_at = time.monotonic()

        def keep(part: dict[str, Any]) -> None:
            nonlocal sent_at
            files.append(ImportedFile.model_validate(part))
            if time.monotonic() - sent_at > CHANGE_PAUSE:  # takes show up while the others are still being read
                sent_at = time.monotonic()
                self._studio.changed("takes")

        job = self._start(
            "import_files",
            {"folder": str(folder)},
            kind="import",
            title="importing files",
            on_part=keep,
            after=self._notify_takes,
        )
        job.future.add_done_callback(lambda _: shutil.rmtree(folder, ignore_errors=True))
        self._imports.put(batch, (job, files))
        return job.status

    def import_state(self, batch: str) -> ImportState:
        """How far an import is, file by file."""
        known = self._imports.get(batch)
        if known is None:
            raise BadInput("this import is not known any more; look in the list of takes")
        job, files = known
        state, error = _state_of(self._studio, job)
        return ImportState(state=state, error=error, files=list(files))

    def mirror(self, takes: list[str]) -> Job:
        """Mirror takes into new ones."""
        return self._make("mirror", {"takes": takes}, f"mirroring {_shown(takes)}")

    def trim(self, wanted: TrimTake) -> Job:
        """Keep some frames of a take as a new one."""
        return self._make("trim", wanted.model_dump(), f"trimming {wanted.take}")

    def clean(self, wanted: CleanTakes) -> Job:
        """Clean takes into new ones."""
        return self._make("clean", wanted.model_dump(), f"cleaning {_shown(wanted.takes)}")

    def made(self, number: int) -> MadeTakes:
        """What a job has made."""
        job = self._made.get(number)
        if job is None:
            raise BadInput("this job is not known any more; look in the list of takes")
        state, error = _state_of(self._studio, job)
        made = [MadeTake.model_validate(take) for take in job.future.result()] if state == "done" else []
        for take in made:
            take.error = problems.present(take.error, self._studio.folders)
        return MadeTakes(state=state, error=error, made=made)

    def write_file(
        self, take: str, extension: str, folder: Path, skeleton: str | None = None, together: list[str] | None = None
    ) -> Path:
        """Write a take as a file, and wait for it; raises `DeskBusy` where that takes too long.

        Args:
            take: to write.
            extension: of the file.
            folder: to write to.
            skeleton: of which take, or "reference"; None for its own.
            together: takes that are exported with it, whose places share one scale on another skeleton.
        """
        arguments: dict[str, Any] = {"take": take, "extension": extension, "folder": str(folder)}
        if skeleton is not None:
            arguments |= {"skeleton": skeleton, "together": together or [take]}
        job = self._start("export", arguments, kind="export", title=f"writing {take}", quiet=True)
        return Path(self._studio.jobs.wait(job, self._studio.settings.answer_limit))

    @contextlib.contextmanager
    def undisturbed(self) -> Iterator[None]:
        """While calls wait for one piece of work after another, measuring rests in between, too."""
        self._begin()
        try:
            yield
        finally:
            self._rest()

    def _make(self, method: str, arguments: dict[str, Any], title: str) -> Job:
        with self._studio.corpus(write=True) as corpus:
            for take in arguments.get("takes") or [arguments["take"]]:
                corpus.info(take)
        job = self._start(method, arguments, kind=method, title=title, after=self._notify_takes)
        self._made.put(job.status.id, job)
        return job.status

    def _start(self, method: str, arguments: dict[str, Any], **options: Any) -> RunningJob:
        """Start a foreground job; background measuring pauses for it and resumes afterwards."""
        self._begin()
        try:
            job = self._studio.start("library", method, arguments, **options)
        except MotionloomError:
            self._rest()
            raise
        job.future.add_done_callback(lambda future: self._rest(is_cut_off=future.exception() is not None))
        return job

    def _begin(self) -> None:
        with self._guard:
            self._busy += 1
            measuring = self._measuring
        if measuring is not None:
            self._studio.jobs.cancel(measuring.status.id)

    def _rest(self, is_cut_off: bool = False) -> None:
        with self._guard:
            self._busy -= 1
        if is_cut_off:
            self._studio.changed("takes")  # some may have been made by then
        is_open = self._studio.kept.get("library") is self  # no other corpus was opened in the meantime
        if self._studio.settings.is_warmed and is_open and not self._busy:
            self.measure()

    def _notify_takes(self, result: Any) -> Any:
        self._studio.changed("takes")
        return result

    def _keep_badges(self, part: dict[str, list[Any]]) -> None:
        with self._guard:
            self._measured += [(take, (values[0], values[1], values[2])) for take, values in part.items()]


def library_of(studio: Studio) -> Library:
    """The library of the open corpus."""
    with studio.corpus():
        if "library" not in studio.kept:
            studio.kept["library"] = Library(studio)
        return studio.kept["library"]


def _state_of(studio: Studio, job: RunningJob) -> tuple[State, str]:
    if not job.future.done():
        return "running", ""
    error = job.future.exception()
    if error is None:
        return "done", ""
    if isinstance(error, Stopped):
        return "cancelled", ""
    return "failed", studio.explain(error)


def _shown(takes: list[str]) -> str:
    return takes[0] if len(takes) == 1 else f"{len(takes)} takes"
