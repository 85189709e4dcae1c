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


def choose_takes_of_a_kind(corpus: Corpus, patterns: Iterable[str] | None, named: Iterable[str] = ()) -> ChosenTakes:
    """The takes that patterns name, all of bodies or all of points, for methods that can use either.

    A pattern means points where no body is called so. None: all recorded bodies, or points where points are named or
    there is no body.

    Args:
        corpus: with the takes.
        patterns: of names.
        named: takes that are wanted besides, by their names; they must be of the same kind.
    """
    infos = corpus.infos()
    bodies, points = ([info for info in infos if info.kind == kind] for kind in ("body", "points"))
    of_names = {info.name: info for info in infos if info.name in set(named)}
    kinds = {info.kind: name for name, info in of_names.items()}
    if len(kinds) > 1:
        raise BadInput(f"'{kinds['points']}' is of points and '{kinds['body']}' a body; choose takes of one kind")
    if patterns is None:
        if "points" not in kinds and (not points or recordings(bodies)):
            return ChosenTakes("body", tuple(choose_material(corpus, None)))
        return ChosenTakes("points", tuple(_all_recorded(corpus, points)))
    chosen = _choose_by_patterns(corpus, patterns, bodies, points)
    if kinds and chosen.kind not in kinds:
        ((kind, name),) = kinds.items()
        what = {"points": "points", "body": "a body"}
        raise BadInput(
            f"'{name}' is {what[kind]} and '{chosen.takes[0]}', which is learnt from, {what[chosen.kind]}; choose "
            "takes of one kind"
        )
    return chosen


def means_points(corpus: Corpus, patterns: Iterable[str] | None, named: Iterable[str] = ()) -> bool | None:
    """Whether a request chooses points; None where it chooses nothing, and `choose_takes_of_a_kind` says why."""
    try:
        return choose_takes_of_a_kind(corpus, patterns, named).kind == "points"
    except BadInput:
        return None


def _choose_by_patterns(
    corpus: Corpus, patterns: Iterable[str], bodies: Sequence[TakeInfo], points: Sequence[TakeInfo]
) -> ChosenTakes:
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
    return ChosenTakes("points", tuple(info.name for info in corpus.infos() if info.name in chosen))


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
