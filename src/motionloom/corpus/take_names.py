"""Takes by name, by a unique suffix of their path, and by glob pattern."""

from collections.abc import Sequence
from fnmatch import fnmatchcase

from motionloom import formats
from motionloom.errors import BadInput
from motionloom.formats.limits import LONGEST_NAME
from motionloom.formats.text import shorten

SHOWN_CANDIDATES = 6
SUGGESTIONS = 20  # unknown names for which similar ones are searched: it takes long in a large corpus


class TakeFinder:
    """Finds takes by a unique suffix of their path.

    Args:
        names: of takes.
        named_only: of takes that are found by their full name alone.
    """

    def __init__(self, names: list[str], *, named_only: Sequence[str] = ()) -> None:
        self._names = {*names, *named_only}
        self._named_only = named_only
        self._n_unknown = 0
        self._by_suffix: dict[str, list[str]] = {}
        for name in names:
            parts = name.split("/")
            for start in range(len(parts)):
                self._by_suffix.setdefault("/".join(parts[start:]), []).append(name)

    def find(self, written: str) -> str:
        """The take with this name, else the only one whose path ends in it; raises if there is none or several."""
        for form in dict.fromkeys((written, _without_extension(written))):
            if form in self._names:
                return form
        for form in dict.fromkeys((written, _without_extension(written))):
            found = self._by_suffix.get(form, [])
            if len(found) == 1:
                return found[0]
            if found:
                shown = ", ".join(sorted(found)[:SHOWN_CANDIDATES]) + (", ..." if len(found) > SHOWN_CANDIDATES else "")
                raise BadInput(
                    f"'{shorten(written, 200)}' is ambiguous, {len(found)} takes match: {shown}; give more of the path"
                )
        _refuse_part_of(written, [name for name in self._named_only if name.endswith(f"/{written}")])
        self._n_unknown += 1
        suggestion = self._suggestion(written) if self._n_unknown <= SUGGESTIONS else ""
        raise BadInput(f"no take '{shorten(written, 200)}' in the corpus{suggestion}")

    def _suggestion(self, written: str) -> str:
        import difflib

        stem = _without_extension(written).split("/")[-1]
        if len(written) > LONGEST_NAME:
            return ""
        close = self._by_suffix.get(stem) or difflib.get_close_matches(written, sorted(self._names), n=3, cutoff=0.7)
        return f"; did you mean {', '.join(sorted(close)[:SHOWN_CANDIDATES])}?" if close else ""


def choose_takes(
    known: Sequence[str], wanted: Sequence[str], what: str = "take", *, named_only: Sequence[str] = ()
) -> list[str]:
    """The takes that match names, unique suffixes of paths, or glob patterns such as 'walk/*', each once.

    Args:
        known: to choose from.
        wanted: names, suffixes and patterns.
        what: they are called in errors.
        named_only: takes that are chosen by their full name alone.
    """
    if not wanted:
        raise BadInput(f"no {what} given: name at least one {what}; '*' matches all")
    finder, found = TakeFinder(list(known), named_only=named_only), []
    for name in wanted:
        if any(letter in name for letter in "*?[") and name not in known and name not in named_only:
            matches = [take for take in known if fnmatchcase(take, name)]
            if not matches:
                _refuse_part_of(name, [take for take in named_only if fnmatchcase(take, name)])
                raise BadInput(f"no {what} matches '{name}'; `motionloom info` lists the takes")
            found += matches
        else:
            try:
                found.append(finder.find(name))
            except BadInput as error:
                raise BadInput(str(error).replace("no take", f"no {what}", 1)) from error
    return list(dict.fromkeys(found))


def _refuse_part_of(written: str, names: Sequence[str]) -> None:
    """Raise where something that is no full name would mean takes that have to be named in full."""
    if names:
        shown = ", ".join(names[:SHOWN_CANDIDATES]) + (", ..." if len(names) > SHOWN_CANDIDATES else "")
        raise BadInput(f"'{shorten(written, 200)}' means kept results alone; name them in full to choose them: {shown}")


def _without_extension(name: str) -> str:
    """The name without the extension of a readable file; other dots belong to the name."""
    head, dot, extension = name.rpartition(".")
    return head if head and f"{dot}{extension}".lower() in formats.READABLE else name


def suggest_names(name: str, names: Sequence[str]) -> str:
    """What to say about a name that no take has."""
    import difflib

    if not names:
        return "it is empty"
    close = [n for n in names if n.endswith("/" + name)] or difflib.get_close_matches(name, names, n=5, cutoff=0.6)
    return (
        f"did you mean {', '.join(close)}?" if close else f"it has {len(names)} takes, such as {', '.join(names[:5])}"
    )
