"""Material: the takes of a corpus that a request chooses from."""

import fnmatch
from collections.abc import Iterable

from motionloom.corpus import Corpus
from motionloom.corpus.material import named_only, recordings
from motionloom.errors import BadInput


def choose_material(corpus: Corpus, patterns: Iterable[str] | None) -> list[str]:
    """The takes with a skeleton that patterns name; every pattern must name one. None: all that were recorded.

    A kept result is named by its full name alone.
    """
    infos = [info for info in corpus.infos() if info.kind == "body"]
    if not infos:
        raise BadInput(_nothing(corpus))
    recorded, kept = [info.name for info in recordings(infos)], named_only(infos)
    if patterns is None and not recorded:
        raise BadInput(f"{corpus.folder} has kept results alone; name them in full to choose them: {_some(kept)}")
    if patterns is None:
        return recorded
    every = {*recorded, *kept}
    found = {pattern: {*fnmatch.filter(recorded, pattern), *{pattern}.intersection(every)} for pattern in patterns}
    empty = [pattern for pattern, names in found.items() if not names]
    for pattern in empty:
        if fnmatch.filter(kept, pattern):
            meant = _some(fnmatch.filter(kept, pattern))
            raise BadInput(f"'{pattern}' means kept results alone; name them in full to choose them: {meant}")
    if empty or not found:
        what = f"no take is called '{empty[0]}'" if empty else "no takes are chosen"
        raise BadInput(f"{what}; the corpus has {_some(recorded or kept)}")
    return [info.name for info in infos if any(info.name in names for names in found.values())]


def _nothing(corpus: Corpus) -> str:
    if corpus.names():
        return f"{corpus.folder} has takes of points alone; import recordings of bodies, with a skeleton"
    return f"{corpus.folder} has no takes to choose from; import recordings first"


def _some(names: list[str]) -> str:
    return f"{', '.join(names[:5])}{', ...' if len(names) > 5 else ''}"
