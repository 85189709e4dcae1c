"""Material: the takes of a corpus that a request chooses from."""

import fnmatch
from collections.abc import Iterable

from motionloom.assembly.results.kept_results import is_composed
from motionloom.corpus import Corpus
from motionloom.errors import BadInput


def choose_material(corpus: Corpus, patterns: Iterable[str] | None) -> list[str]:
    """The takes with a skeleton that patterns name; every pattern must name one. None: all that were recorded."""
    infos = [info for info in corpus.infos() if info.kind == "body"]
    bodies = [info.name for info in infos]
    if not bodies and corpus.names():
        raise BadInput(f"{corpus.folder} has takes of points alone; import recordings of bodies, with a skeleton")
    if not bodies:
        raise BadInput(f"{corpus.folder} has no takes to choose from; import recordings first")
    if patterns is None:
        return [info.name for info in infos if not is_composed(info)] or bodies
    found = {pattern: {*fnmatch.filter(bodies, pattern), *{pattern}.intersection(bodies)} for pattern in patterns}
    empty = [pattern for pattern, names in found.items() if not names]
    if empty or not found:
        what = f"no take is called '{empty[0]}'" if empty else "no takes are chosen"
        raise BadInput(f"{what}; the corpus has {', '.join(bodies[:5])}{', ...' if len(bodies) > 5 else ''}")
    return [name for name in bodies if any(name in names for names in found.values())]
