"""The document that is open: one at a time, with a revision so that two pages do not overwrite each other."""

import secrets
import threading
from typing import Any

from pydantic import TypeAdapter, ValidationError

from motionloom.errors import BadInput, CorpusError, MotionloomError
from motionloom.studio import document
from motionloom.studio.server.messages.session import CommandRecord, DocumentState, SaveDocument
from motionloom.studio.server.studio import Studio

_STEPS = TypeAdapter(list[CommandRecord])


class Conflict(MotionloomError):
    """Another page has saved something in the meantime."""


class OpenDocument:
    """The open document."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        self._guard = threading.Lock()
        self._state: DocumentState
        listed = document.names(studio.folder)
        self._load(listed[0] if listed else document.FIRST)

    def state(self) -> DocumentState:
        """The document as a page gets it."""
        with self._guard:
            return self._state.model_copy(update={"names": self._names()})

    def save(self, wanted: SaveDocument) -> int:
        """Save what a page has; returns the new revision. Raises `Conflict` where another page was first."""
        with self._guard:
            if (wanted.name, wanted.revision) != (self._state.name, self._state.revision):
                raise Conflict("the document was changed in another window; this one shows it as it is now")
            if not self._studio.can_write:
                raise CorpusError("the document cannot be saved: the corpus is open for reading only")
            past, future = wanted.past[-document.MOST_STEPS :], wanted.future[-document.MOST_STEPS :]
            revision = _next(wanted.revision)
            history = {"revision": revision, "past": _plain(past), "future": _plain(future)}
            document.save(self._studio.folder, wanted.name, wanted.content, history)
            self._state = self._state.model_copy(
                update={
                    "revision": revision,
                    "content": wanted.content,
                    "past": past,
                    "future": future,
                    "problem": "",
                }
            )
            return self._state.revision

    def open(self, name: str, *, new: bool = False) -> DocumentState:
        """Open another document, or make one, for all pages."""
        with self._guard:
            document.check_name(name)
            if new == (name in self._names()):
                raise BadInput(f"there is {'already' if new else 'no'} document '{name}'")
            self._load(name)
            if new and self._studio.can_write:
                document.save(self._studio.folder, name, self._state.content, {"past": [], "future": []})
        return self._describe()

    def rename(self, name: str) -> DocumentState:
        """Give the open document another name, for all pages."""
        with self._guard:
            with self._studio.corpus(write=True):
                document.rename(self._studio.folder, self._state.name, name)
            self._state = self._state.model_copy(update={"name": name, "revision": self._state.revision + 1})
        return self._describe()

    def _describe(self) -> DocumentState:
        self._studio.changed("document")
        return self.state()

    def _load(self, name: str) -> None:
        content, problem = document.load(self._studio.folder, name)
        history = document.load_history(self._studio.folder, name)
        past, future = _read_steps(history)
        self._state = DocumentState(
            name=name, revision=_read_revision(history), content=content, past=past, future=future, problem=problem
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


def _read_revision(history: Any) -> int:
    """The revision that was saved: a page goes on where it was when the server comes back. 0: never saved."""
    found = history.get("revision") if isinstance(history, dict) else None
    return found if isinstance(found, int) else 0


def _plain(steps: list[CommandRecord]) -> list[dict[str, Any]]:
    return [step.model_dump(mode="json") for step in steps]


def _read_steps(history: Any) -> tuple[list[CommandRecord], list[CommandRecord]]:
    try:
        return _STEPS.validate_python(history["past"]), _STEPS.validate_python(history["future"])
    except (TypeError, KeyError, ValidationError):
        return [], []
