"""Names of files that stay apart on every computer, whatever its file system takes for the same."""

import itertools
import re
import unicodedata
from collections.abc import Iterable

_AMBIGUOUS = re.compile(r'[\x00-\x1f\\:*?"<>|]')  # some systems read them as a way to elsewhere


def portable(name: str) -> str:
    """A name with `/` between folders, in which characters that mean something to some systems are replaced by `_`."""
    return _AMBIGUOUS.sub("_", name)


def distinct_names(names: Iterable[str], extension: str = "") -> list[str]:
    """Names of files, one for each name and in their order, of which no two are the same file anywhere.

    File systems may not tell upper from lower case, composed from decomposed letters, or a name from one with a dot or
    space at its end. A name that is taken in one of these ways is numbered: "walk" and "Walk" become "walk" and
    "Walk (2)".

    Args:
        names: with `/` between folders, without extension.
        extension: that the names get.
    """
    taken: dict[tuple[str, ...], bool] = {}  # folded path -> whether it is a folder
    found = []
    for name in names:
        *folders, last = name.split("/")
        path: list[str] = []
        for folder in folders:
            path.append(_free(taken, path, folder, "", is_folder=True))
        path.append(_free(taken, path, last, extension, is_folder=False))
        found.append("/".join(path))
    return found


def _free(taken: dict[tuple[str, ...], bool], around: list[str], name: str, extension: str, is_folder: bool) -> str:
    """The name, or the first with a number, that is not taken in a folder; a folder may be there as a folder."""
    parent = tuple(_folded(part) for part in around)
    for number in itertools.count(1):
        candidate = f"{name}{extension}" if number == 1 else f"{name} ({number}){extension}"
        path = (*parent, _folded(candidate))
        if path not in taken or (is_folder and taken[path]):
            taken[path] = is_folder
            break
    return candidate


def _folded(part: str) -> str:
    """What every file system takes for the same becomes the same."""
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", part).casefold())
    return unicodedata.normalize("NFKC", folded).rstrip(" .") or folded
