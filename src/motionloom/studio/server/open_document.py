"""The document that is open: one at a time, with a revision so that two pages do not overwrite each other.

Other programs may change its files: what they wrote is loaded when a page asks for the document, and never overwritten
unless the page that saves says so.
"""

import errno
import os
import secrets
import threading
from dataclasses import replace

from motionloom.errors import BadInput, CorpusError, MotionloomError
from motionloom.studio import document, document_files
from motionloom.studio.document import EDITED, FOLDER, UNREADABLE, History, Loaded
from motionloom.studio.document_files import MAIN, MISSING
from motionloom.studio.server.messages.session import DocumentState, Saved, SaveDocument
from motionloom.studio.server.studio import Studio


class Conflict(MotionloomError):
    """Another page has saved something in the meantime."""


class ChangedOnDisk(MotionloomError):
    """Another program has changed the files of the document."""


class GoneFromDisk(ChangedOnDisk):
    """Another program has deleted or renamed the files of the document."""


class OpenDocument:
    """The open document."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        self._guard = threading.Lock()
        self._state: DocumentState
        self._loaded: Loaded
        kept = self._recover()
        listed = document.names(studio.folder)
        self._load(listed[0] if listed else document.FIRST)
        if kept:
            words = f"what was changed on disk while a save was not finished is kept as {_list(kept)}"
            problem = "; ".join(filter(None, (self._state.problem, words)))
            self._state = self._state.model_copy(update={"problem": problem})

    def state(self) -> DocumentState:
        """The document as a page gets it, with what other programs have made of it."""
        with self._guard:
            is_new = self._look_at_disk()
            state = self._state.model_copy(update={"names": self._names()})
        if is_new:
            self._studio.changed("document")
        return state

    def save(self, wanted: SaveDocument) -> Saved:
        """Save what a page has.

        Raises:
            Conflict: another page was first.
            ChangedOnDisk: another program has changed the files, and the page does not want to save over them.
        """
        with self._guard:
            if (wanted.name, wanted.revision) != (self._state.name, self._state.revision):
                raise Conflict("the document was changed in another window; this one shows it as it is now")
            if not self._studio.can_write:
                raise CorpusError("the document cannot be saved: the corpus is open for reading only")
            if not self._studio.folder.is_dir():
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), self._studio.folder.name)
            changed = self._find_changed()
            if changed and not wanted.over:
                raise self._changed_on_disk(changed)
            past, future = wanted.past[-document.MOST_STEPS :], wanted.future[-document.MOST_STEPS :]
            history = History(revision=_next(wanted.revision), past=past, future=future)
            aside = {**dict.fromkeys(self._loaded.problems, UNREADABLE), **dict.fromkeys(changed, EDITED)}
            digests, kept = document.save(self._studio.folder, wanted.name, wanted.content, history, aside)
            before, problems = self._loaded.digests, self._loaded.problems
            unread = {part: why for part, why in problems.items() if digests[part] == before[part]}
            self._loaded = Loaded(wanted.content, history, digests, unread)
            self._show(wanted.name, history.revision, self._state.problem if unread else "")
            return Saved(revision=history.revision, kept=[f"{FOLDER}/{file}" for file in kept])

    def open(self, name: str, *, new: bool = False) -> DocumentState:
        """Open another document, or make one, for all pages."""
        with self._guard:
            document.check_name(name)
            if new == (name in self._names()):
                raise BadInput(f"there is {'already' if new else 'no'} document '{name}'")
            self._load(name)
            if new and self._studio.can_write:
                aside = dict.fromkeys(self._loaded.problems, UNREADABLE)
                digests, _ = document.save(self._studio.folder, name, self._loaded.content, History(), aside)
                self._loaded = replace(self._loaded, history=History(), digests=digests)
        return self._describe()

    def rename(self, name: str) -> DocumentState:
        """Give the open document another name, for all pages."""
        with self._guard:
            with self._studio.corpus(write=True):
                if changed := self._find_changed():
                    raise self._changed_on_disk(changed)
                document.rename(self._studio.folder, self._state.name, name)
            self._state = self._state.model_copy(update={"name": name, "revision": self._state.revision + 1})
        return self._describe()

    def _describe(self) -> DocumentState:
        self._studio.changed("document")
        return self.state()

    def _recover(self) -> list[str]:
        """Finish what a process that was killed had begun; returns what is kept aside."""
        folder = self._studio.folder / FOLDER
        if not self._studio.can_write or not folder.is_dir():
            return []
        document_files.remove_leftovers(folder)
        return document_files.recover(folder)

    def _load(self, name: str) -> None:
        self._loaded = document.load(self._studio.folder, name)
        words = "; ".join(self._keep_unreadable(name))
        self._show(name, self._loaded.history.revision, f"{words}; what could be read is shown" if words else "")

    def _look_at_disk(self) -> bool:
        """Take over what another program has written; whether there was something."""
        changed = self._find_changed()
        is_gone = changed.get(MAIN) == MISSING
        if is_gone or not changed:
            sentence = "" if self._state.is_gone else self._state.changed
            sentence = str(self._changed_on_disk(changed)) if is_gone else sentence
            self._state = self._state.model_copy(update={"is_gone": is_gone, "changed": sentence})
            return False
        name, revision = self._state.name, self._state.revision
        sentence = str(self._changed_on_disk(changed))
        before, self._loaded = self._loaded, document.load(self._studio.folder, name, self._loaded)
        missing = [part for part, found in changed.items() if found == MISSING]
        words = [*self._keep_unreadable(name), *(f"{name}{part} is not on disk any more" for part in missing)]
        problem = f"{'; '.join(words)}; the studio goes on with what it had" if words else ""
        if (
            self._loaded.content == before.content
            and self._loaded.history == before.history
            and not words
            and not before.problems
        ):
            return False  # written in another way
        self._show(name, max(revision, self._loaded.history.revision) + 1, problem, sentence)
        return True

    def _find_changed(self) -> dict[str, str]:
        """The files that are not as they were loaded or saved, by extension: their digests now."""
        found = document.read_digests(self._studio.folder, self._state.name)
        return {part: now for part, now in found.items() if now != self._loaded.digests[part]}

    def _changed_on_disk(self, changed: dict[str, str]) -> ChangedOnDisk:
        name = self._state.name
        if changed.get(MAIN) == MISSING:
            return GoneFromDisk(f"another program has deleted or renamed the files of the document '{name}'")
        return ChangedOnDisk(f"another program has changed {_list([f'{name}{part}' for part in changed])} on disk")

    def _keep_unreadable(self, name: str) -> list[str]:
        """Keep what cannot be read aside, now: sentences with why it cannot be read, and where it is kept."""
        folder, sentences = self._studio.folder / FOLDER, []
        for part, problem in self._loaded.problems.items():
            if not self._studio.can_write:
                sentences.append(f"{problem} (nothing of it was changed)")
                continue
            try:
                kept = document_files.keep_aside(folder, f"{name}{part}", UNREADABLE, may_move=False)
                sentences.append(f"{problem} (kept as {FOLDER}/{kept})")
            except BadInput as error:
                sentences.append(f"{problem} ({error})")
        return sentences

    def _show(self, name: str, revision: int, problem: str = "", changed: str = "") -> None:
        self._state = DocumentState(
            name=name,
            revision=revision,
            content=self._loaded.content,
            past=self._loaded.history.past,
            future=self._loaded.history.future,
            problem=problem,
            changed=changed,
        )

    def _names(self) -> list[str]:
        listed = document.names(self._studio.folder)
        return listed if self._state.name in listed else [self._state.name, *listed]


def document_of(studio: Studio) -> OpenDocument:
    """The open document of the open corpus."""
    with studio.corpus():
        if "document" not in studio.kept:
            studio.kept["document"] = OpenDocument(studio)
        return studio.kept["document"]


def _next(revision: int) -> int:
    """The revision after another; the first one is any, so that documents of other corpora do not share it."""
    return revision + 1 if revision else secrets.randbelow(1 << 30) + 1


def _list(files: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(files[:-1]), files[-1])))
