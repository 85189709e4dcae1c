"""Choosing takes by their names, by unique ends of names, and by patterns."""

from collections.abc import Sequence
from fnmatch import fnmatchcase

from motionloom.corpus.labels.label_files import TakeFinder
from motionloom.errors import BadInput


def choose_takes(known: Sequence[str], wanted: Sequence[str], what: str = "take") -> list[str]:
    """The takes that names, unique ends of names and patterns such as 'walk/*' mean, each once."""
    if not wanted:
        raise BadInput(f"name at least one {what}; '*' means all of them")
    finder, found = TakeFinder(list(known)), []
    for name in wanted:
        if any(letter in name for letter in "*?[") and name not in known:
            hits = [one for one in known if fnmatchcase(one, name)]
            if not hits:
                raise BadInput(f"no {what} is called like '{name}'; `motionloom info` lists the takes")
            found += hits
        else:
            try:
                found.append(finder.find(name))
            except BadInput as error:
                raise BadInput(str(error).replace("no take", f"no {what}", 1)) from error
    return list(dict.fromkeys(found))
