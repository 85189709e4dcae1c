"""What the names of markers say of a face: which part of it one is on, on which side, and where on that part.

`Leyebrow_M`, `left_middle_brow`, `browL` and `LeftEyeBrowMiddle` are on the left eyebrow.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

PARTS: dict[str, tuple[str, ...]] = {  # of two that a name says, the first: an eye brow is a brow
    "mouth": ("mouth", "lip", "lips"),
    "brow": ("brow", "eyebrow"),
    "eye": ("eye", "lid", "eyelid"),
    "nose": ("nose", "nostril"),
}
PLACES: dict[str, tuple[str, ...]] = {
    "upper": ("up", "upper", "top"),
    "lower": ("down", "low", "lower", "bottom"),
    "inner": ("inside", "inner", "in"),
    "outer": ("outside", "outer", "out"),
    "middle": ("m", "mid", "middle", "center", "centre"),
    "corner": ("corner", "end"),
}
SIDES: dict[str, tuple[str, ...]] = {"left": ("left", "l"), "right": ("right", "r")}
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


@dataclass(frozen=True)
class OnFace:
    """What a name says; None and no places where it says nothing of it."""

    part: str | None  # mouth, eye, brow, nose
    side: str | None  # left, right: of the person
    places: frozenset[str]  # upper, lower, inner, outer, middle, corner


def read_name(name: str) -> OnFace:
    """Read the name of a marker; what comes before a colon names the person."""
    words = [known for word in _WORDS.findall(name.rpartition(":")[2]) for known in _split(word.lower())]
    parts, sides = _meanings(words, PARTS), _meanings(words, SIDES)
    return OnFace(next(iter(parts), None), next(iter(sides), None), frozenset(_meanings(words, PLACES)))


def read_names(names: Sequence[str]) -> list[OnFace]:
    """Read the names of a set of markers."""
    return [read_name(name) for name in names]


def _split(word: str) -> list[str]:
    """A word, or the side and the part that are written together: `leye`, `rend`, `mouthl`."""
    known = {spelling for table in (PARTS, PLACES) for spellings in table.values() for spelling in spellings}
    if word in known:
        return [word]
    if word[0] in "lr" and word[1:] in known:
        return [word[0], word[1:]]
    if word[-1] in "lr" and word[:-1] in known:
        return [word[:-1], word[-1]]
    return [word]


def _meanings(words: Sequence[str], table: dict[str, tuple[str, ...]]) -> list[str]:
    """What words mean, in the order of the table."""
    return [meaning for meaning, spellings in table.items() if not set(words).isdisjoint(spellings)]
