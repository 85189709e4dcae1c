"""Errors as pages show them, one sentence without places on this computer; everything else goes to the terminal."""

import logging
import os
import re
import tempfile
from collections.abc import Iterable
from pathlib import Path, PurePath

from motionloom.assembly.requests.yaml_text import shorten
from motionloom.errors import MotionloomError

BUG = "something went wrong in the studio itself; what was done before is safe"
LONGEST = 600  # characters of a sentence: some repeat what was sent
log = logging.getLogger("motionloom.studio")


def as_sentence(error: BaseException, folders: Iterable[Path] = ()) -> str:
    """An error as a sentence for people, without its internals.

    Args:
        error: of any kind.
        folders: whose contents are named as people see them, see `hide_folders`.
    """
    if isinstance(error, MotionloomError):
        return present(str(error), folders)
    if isinstance(error, OSError) and error.strerror:
        return f"this computer could not do it ({error.strerror}); is the disk full, and is the corpus still there?"
    return BUG


def present(text: str, folders: Iterable[Path]) -> str:
    """A sentence that can be sent: one line, not too long, text that every reader takes, no places on this computer."""
    return shorten(" ".join(hide_folders(as_text(text), folders).split()), LONGEST)


def hide_folders(text: str, folders: Iterable[Path]) -> str:
    """A text in which what lies in some folders is named from there on, and they themselves by their last name."""
    known = {path for folder in folders for path in (folder.absolute(), folder.resolve())}
    known |= {Path(tempfile.gettempdir()), Path.home()} - {Path("/")}
    for folder in sorted(known, key=lambda path: len(str(path)), reverse=True):
        shown = r"(?<![\w./-])" + re.escape(as_text(str(folder)))  # "walk/tmp" does not lie in /tmp
        text = re.sub(shown + re.escape(os.sep), "", text)
        text = as_text(folder.name).join(re.split(shown + r"(?![\w/-])", text))
    return text


def name_source(path: str, folders: Iterable[Path]) -> str:
    """The path of a file as it may be shown: from one of the folders on, or its name alone where it lies elsewhere."""
    if not PurePath(path).is_absolute():
        return as_text(path)
    for folder in folders:
        if PurePath(path).is_relative_to(folder):
            return as_text(PurePath(path).relative_to(folder).as_posix())
    return as_text(PurePath(path).name)


def as_text(name: str) -> str:
    """A name as it can be sent; names of files may hold bytes that are no text."""
    return re.sub("[\ud800-\udfff]", "\N{REPLACEMENT CHARACTER}", name)


def log_unexpected(error: BaseException) -> None:
    """Log an error that is not one of ours, with its traceback."""
    if not isinstance(error, MotionloomError):
        log.error("unexpected", exc_info=error)
