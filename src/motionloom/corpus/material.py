"""Material: the takes that searches, annotation and totals are about.

A motion that was put together from others and kept is none, unless a request names it in full: the next motion would be
a copy of it, a classifier would learn its own answers, and nothing of it was recorded.
"""

from collections.abc import Iterable

from motionloom.corpus.records import TakeInfo

MADE_BY = "motionloom"  # format of the source of takes that were made, not recorded
COMPOSED = "several takes"  # path of the source of those that were not made of one


def is_composed(info: TakeInfo) -> bool:
    """Whether a take was put together from others; what was made of one take, such as a mirrored one, was not."""
    return (info.source.format, info.source.path) == (MADE_BY, COMPOSED)


def recordings(infos: Iterable[TakeInfo]) -> list[TakeInfo]:
    """Those that were not put together from others."""
    return [info for info in infos if not is_composed(info)]


def recorded_bodies(infos: Iterable[TakeInfo]) -> list[TakeInfo]:
    """Recordings of bodies; where there are none, bodies that were put together."""
    bodies = [info for info in infos if info.kind == "body"]
    return recordings(bodies) or bodies


def named_only(infos: Iterable[TakeInfo]) -> list[str]:
    """The names of those that were put together: no pattern and no part of a name chooses them."""
    return [info.name for info in infos if is_composed(info)]
