"""Material: the takes of a corpus that a request chooses from."""

import fnmatch
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from motionloom.corpus import Corpus, TakeInfo
from motionloom.corpus.material import named_only, recordings
from motionloom.errors import BadInput


@dataclass(frozen=True)
class ChosenTakes:
    """Takes of one kind that a request chooses from."""

    kind: str  # "body" or "points"
    takes: tuple[str, ...]


def choose_material(corpus: Corpus, patterns: Iterable[str] | None) -> list[str]:
    """The takes that patterns name, one of a body among them; every pattern must name one. None: all recorded bodies.

    A kept result is named by its full name alone. Points are left out by a view, with the reason, so a pattern means
    them where no body is called so.
    """
    infos = [info for info in corpus.infos() if info.kind == "body"]
    if not infos:
        raise BadInput(_nothing(corpus))
    if patterns is None:
        return _all_recorded(corpus, infos)
    found = _find(infos, patterns)
    points = _find_points(corpus, [pattern for pattern, names in found.items() if not names])
    _check_all_mean_something({pattern: names or points[pattern] for pattern, names in found.items()}, infos)
    chosen = {name for names in found.values() for name in names}
    without_skeleton = {name for names in points.values() for name in names}
    if not chosen:
        raise BadInput(f"{_some(sorted(without_skeleton))}: points without a skeleton; choose takes of bodies as well")
    return [info.name for info in corpus.infos() if info.name in chosen | without_skeleton]


def choose_takes_of_a_kind(corpus: Corpus, patterns: Iterable[str] | None) -> ChosenTakes:
    """The takes that patterns name, all of bodies or all of points, for methods that can use either.

    A pattern means points where no body is called so. None: all recorded bodies, or points where there is no body.
    """
    infos = corpus.infos()
    bodies, points = ([info for info in infos if info.kind == kind] for kind in ("body", "points"))
    if patterns is None:
        if not points or recordings(bodies):
            return ChosenTakes("body", tuple(choose_material(corpus, None)))
        return ChosenTakes("points", tuple(_all_recorded(corpus, points)))
    of_bodies, of_points = _find(bodies, patterns := list(patterns)), _find(points, patterns)
    only_points = [pattern for pattern in of_bodies if of_points[pattern] and not of_bodies[pattern]]
    others = [pattern for pattern in of_bodies if of_bodies[pattern]]
    if only_points and others:
        raise BadInput(
            f"'{only_points[0]}' means points ({_some(sorted(of_points[only_points[0]]))}) and '{others[0]}' bodies "
            f"({_some(sorted(of_bodies[others[0]]))}); choose takes of one kind"
        )
    if not only_points and (bodies or not points):
        return ChosenTakes("body", tuple(choose_material(corpus, patterns)))
    _check_all_mean_something(of_points, points)
    chosen = {name for names in of_points.values() for name in names}
    return ChosenTakes("points", tuple(info.name for info in infos if info.name in chosen))


def choose_points(corpus: Corpus, patterns: Iterable[str] | None) -> list[str]:
    """The takes of points that patterns name; every pattern must name one. None: all recorded ones.

    A kept result is named by its full name alone.
    """
    infos = [info for info in corpus.infos() if info.kind == "points"]
    recorded, kept = [info.name for info in recordings(infos)], named_only(infos)
    if patterns is None:
        if not recorded:
            raise BadInput(f"{corpus.folder} has no recorded points to choose from; import recordings of points first")
        return recorded
    found = {pattern: {*fnmatch.filter(recorded, pattern), *{pattern}.intersection(kept)} for pattern in patterns}
    empty = [pattern for pattern, names in found.items() if not names]
    if empty or not found:
        what = f"no take of points is called '{empty[0]}'" if empty else "no takes are chosen"
        raise BadInput(f"{what}; the corpus has {_some(recorded or kept)}")
    chosen = {name for names in found.values() for name in names}
    return [info.name for info in infos if info.name in chosen]


def material_kind(corpus: Corpus, patterns: Iterable[str] | None, named: Iterable[str]) -> str:
    """Whether patterns and takes that are named in full mean bodies ("body") or points ("points"); both is an error.

    A pattern means points where no body is called so. Without patterns the named takes decide, and where there are
    none, what the corpus has, bodies first.
    """
    kinds = {info.name: info.kind for info in corpus.infos()}
    bodies = [name for name, kind in kinds.items() if kind == "body"]
    points = [name for name, kind in kinds.items() if kind == "points"]
    meant: dict[str, str] = {}
    for name in named:
        meant.setdefault(kinds.get(name, "body"), name)
    for pattern in patterns or ():
        of_points = not fnmatch.filter(bodies, pattern) and fnmatch.filter(points, pattern)
        meant.setdefault("points" if of_points else "body", pattern)
    if len(meant) > 1:
        raise BadInput(
            f"'{meant['body']}' means a body and '{meant['points']}' points: they cannot be made from one another; "
            "choose takes of one kind"
        )
    if meant:
        return next(iter(meant))
    return "points" if points and not bodies else "body"


def _all_recorded(corpus: Corpus, infos: Sequence[TakeInfo]) -> list[str]:
    recorded = [info.name for info in recordings(infos)]
    if not recorded:
        kept = named_only(infos)
        raise BadInput(f"{corpus.folder} has kept results alone; name them in full to choose them: {_some(kept)}")
    return recorded


def _find(infos: Sequence[TakeInfo], patterns: Iterable[str]) -> dict[str, set[str]]:
    """The takes that each pattern names: recordings by patterns, kept results by their full names."""
    recorded, kept = [info.name for info in recordings(infos)], named_only(infos)
    every = {*recorded, *kept}
    return {pattern: {*fnmatch.filter(recorded, pattern), *{pattern}.intersection(every)} for pattern in patterns}


def _check_all_mean_something(found: dict[str, set[str]], infos: Sequence[TakeInfo]) -> None:
    """Refuse patterns that name no take, and no patterns."""
    recorded, kept = [info.name for info in recordings(infos)], named_only(infos)
    empty = [pattern for pattern, names in found.items() if not names]
    for pattern in empty:
        if fnmatch.filter(kept, pattern):
            meant = _some(fnmatch.filter(kept, pattern))
            raise BadInput(f"'{pattern}' means kept results alone; name them in full to choose them: {meant}")
    if empty or not found:
        what = f"no take is called '{empty[0]}'" if empty else "no takes are chosen"
        raise BadInput(f"{what}; the corpus has {_some(recorded or kept)}")


def _find_points(corpus: Corpus, patterns: Iterable[str]) -> dict[str, set[str]]:
    """The takes of points that each pattern names."""
    points = [info.name for info in corpus.infos() if info.kind != "body"]
    return {pattern: set(fnmatch.filter(points, pattern)) for pattern in patterns}


def _nothing(corpus: Corpus) -> str:
    if corpus.names():
        return f"{corpus.folder} has takes of points alone; import recordings of bodies, with a skeleton"
    return f"{corpus.folder} has no takes to choose from; import recordings first"


def _some(names: list[str]) -> str:
    return f"{', '.join(names[:5])}{', ...' if len(names) > 5 else ''}"
