"""What a server has open: the corpus, its document, the desks that work on it."""

import contextlib
import os
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from motionloom.corpus import Corpus
from motionloom.corpus.store.catalogue import FILE as CATALOGUE
from motionloom.corpus.take_list import measure_size
from motionloom.errors import BadInput, CorpusError, MotionloomError
from motionloom.studio import desks
from motionloom.studio.server import problems
from motionloom.studio.server.broadcast import Broadcast
from motionloom.studio.server.jobs import Jobs, RunningJob
from motionloom.studio.server.messages.session import CorpusEntry, OpenCorpus
from motionloom.studio.server.messages.sockets import Changed, CorpusChanged
from motionloom.studio.server.security import safe_child
from motionloom.studio.server.settings import Settings
from motionloom.tasks import Assistant, Call

MOST_PAGES = 100  # that are connected at once


class NothingOpen(MotionloomError):
    """No corpus is open."""

    def __init__(self) -> None:
        super().__init__("no corpus is open; open one, or make one from files or from the demo")


class Studio:
    """One open corpus at a time; everything that routes need is found here."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.broadcast = Broadcast()
        self.jobs = Jobs(self.broadcast, self.explain)
        self.desks: dict[str, Assistant] = {}
        self.demo_desk = Assistant(desks.open_demo_desk, settings.home)  # makes corpora that are not open yet
        self.kept: dict[str, Any] = {}  # what workspaces remember while this corpus is open
        self.revision = 0
        self._guard = threading.RLock()
        self._corpus: Corpus | None = None
        self._reason = ""
        if settings.corpus is not None:
            self.open(settings.corpus)

    @property
    def folder(self) -> Path:
        """The folder of the open corpus."""
        if self._corpus is None:
            raise NothingOpen
        return self._corpus.folder

    @property
    def can_write(self) -> bool:
        """Whether the open corpus can be changed."""
        return self._corpus is not None and self._corpus.can_write

    @contextlib.contextmanager
    def corpus(self, *, write: bool = False) -> Iterator[Corpus]:
        """The open corpus, for one thread at a time."""
        with self._guard:
            if self._corpus is None:
                raise NothingOpen
            if write and not self._corpus.can_write:
                raise CorpusError(f"{self._corpus.folder.name} cannot be changed now: {self._reason}")
            yield self._corpus

    @contextlib.contextmanager
    def changing(self, what: Changed) -> Iterator[Corpus]:
        """The open corpus, to change something of it; then all pages are notified that it has changed."""
        with self.corpus(write=True) as corpus:
            yield corpus
        self.changed(what)

    def open(self, folder: Path) -> None:
        """Open a corpus instead of the one that is open; for reading only where another program writes to it."""
        with self._guard:
            if self.can_write and self.folder.resolve() == folder.resolve():
                return  # its own lock would keep it out
            reason = ""
            try:
                corpus = Corpus.open(folder, write=True)
            except CorpusError as error:  # another program writes, or it is read-only; raises again if it is no corpus
                corpus, reason = Corpus.open(folder), problems.present(str(error), [self.settings.home, folder])
            left = self._leave()
            self._corpus, self._reason = corpus, reason
            self.desks = {
                name: Assistant(desks.open_desk, name, folder, corpus.can_write) for name in desks.desk_names()
            }
        _join(left)
        self.changed("session")
        if self.settings.is_warmed:
            self.warm_up()

    def create(self, name: str) -> Path:
        """Make an empty corpus in the home folder and open it."""
        folder = self.find_folder(name)
        Corpus.create(folder).close()
        self.open(folder)
        return folder

    def close(self) -> None:
        """Close what is open and end the desks."""
        with self._guard:
            left = self._leave()
        _join(left)

    def dismiss(self) -> None:
        """End the desks for good: calls that wait for one fail at once."""
        self.jobs.cancel_all()
        dismissed = [*self.desks.values(), self.demo_desk]
        for desk in dismissed:
            desk.close()
        _join(dismissed)

    def shut(self) -> None:
        """Close everything for good."""
        self.dismiss()
        self.close()

    def warm_up(self) -> None:
        """Let the desks load and compile what they need one after another, in the background."""
        self._warm_up([(name, self.desks[name]) for name in desks.warmed_desks()])

    def _warm_up(self, waiting: list[tuple[str, Assistant]]) -> None:
        if not waiting:
            return
        (name, desk), *others = waiting
        method = name.removeprefix(desks.METHOD) if name.startswith(desks.METHOD) else ""
        title = f"getting {method or name} ready"
        job = self.jobs.start(desk, "warm_up", {}, kind="warm-up", title=title, quiet=True, for_method=method)
        job.future.add_done_callback(lambda _: self._warm_up(others))  # errors come when it is needed

    def start(self, desk: str, method: str, arguments: Mapping[str, Any], **options: Any) -> RunningJob:
        """Start a job at a desk; see `Jobs.start`."""
        return self.jobs.start(self._find_desk(desk), method, arguments, **options)

    def ask(self, desk: str, method: str, arguments: Mapping[str, Any]) -> Any:
        """Let a desk do something short, and wait for it; raises `DeskBusy` where that takes too long."""
        asked, limit = self._find_desk(desk), self.settings.answer_limit
        with self.jobs.turn():
            return self._wait(asked, asked.call(method, arguments), desk, limit)

    def call(self, desk: str, method: str, arguments: Mapping[str, Any]) -> Call:
        """Let a desk do something short; this waits for nothing."""
        return self._find_desk(desk).call(method, arguments)

    def _wait(self, asked: Assistant, call: Call, desk: str, limit: float) -> Any:
        try:
            return call.future.result(limit)
        except TimeoutError:
            if call.future.done():  # at the last moment, or the work itself raised it
                return call.future.result()
            call.cancel()
            raise self.jobs.busy(asked, f"asking the {desk} desk", limit) from None

    def _leave(self) -> list[Assistant]:
        """End the desks, then close the corpus that they work on; returns them."""
        self.jobs.cancel_all()
        left = list(self.desks.values())
        for desk in left:
            desk.close()
        self.desks, self.kept = {}, {}
        if self._corpus is not None:
            self._corpus.close()
            self._corpus = None
        return left

    def _find_desk(self, name: str) -> Assistant:
        desk = self.desks.get(name)
        if desk is None:
            raise NothingOpen
        return desk

    @property
    def folders(self) -> list[Path]:
        """Whose contents pages know by their names in there."""
        corpus = self._corpus
        return [self.settings.home, *([corpus.folder] if corpus is not None else [])]

    def explain(self, error: BaseException) -> str:
        """An error as a sentence for pages."""
        return problems.as_sentence(error, self.folders)

    def has_room(self) -> bool:
        """Whether one more page can be served."""
        return len(self.broadcast) < MOST_PAGES

    def changed(self, what: Changed) -> None:
        """Notify all pages that something has changed."""
        self.revision += 1
        self.broadcast.send(CorpusChanged(what=what, revision=self.revision))

    def find_folder(self, name: str) -> Path:
        """The folder of a corpus by its name; raises where no corpus may be chosen or the name is none."""
        if self.settings.corpus is not None:
            raise BadInput("this studio was started with one corpus; start it without one to choose")
        if "/" in name:
            raise BadInput(f"'{name}' is no name of a corpus; use letters, digits, dots and dashes")
        return safe_child(self.settings.home, name)

    def entries(self) -> list[CorpusEntry]:
        """The corpora that can be opened."""
        if self.settings.corpus is not None:
            return []
        entries = []
        for folder in sorted(self.settings.home.iterdir()):
            if os.path.isfile(folder / CATALOGUE) and not folder.is_symlink():  # False for one that may not be read
                with contextlib.suppress(MotionloomError), Corpus.open(folder) as corpus:
                    takes, seconds = measure_size(corpus)
                    entries.append(CorpusEntry(name=problems.as_text(folder.name), takes=takes, seconds=seconds))
        return entries

    def describe_corpus(self) -> OpenCorpus | None:
        """The open corpus as pages show it."""
        with self._guard:
            if self._corpus is None:
                return None
            takes, seconds = measure_size(self._corpus)
            return OpenCorpus(
                name=problems.as_text(self._corpus.folder.resolve().name),
                takes=takes,
                seconds=seconds,
                can_write=self._corpus.can_write,
                reason=self._reason,
            )


def _join(ended: list[Assistant]) -> None:
    """Let those be answered who waited for desks that have ended; they may need the corpus, so not while it is held."""
    for desk in ended:
        desk.join()
