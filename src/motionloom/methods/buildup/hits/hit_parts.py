"""Hit parts: what a report says about hits, about how much bending changed steps, and how near bodies come."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from motionloom.assembly import Measured, Part, Played
from motionloom.methods.buildup.hits.hit_ways import describe_hit, reach_of
from motionloom.methods.buildup.hits.holds import WITHIN, Held, body_of, find_held
from motionloom.methods.buildup.hits.nearness import find_nearest
from motionloom.methods.buildup.hits.step_change import most_changed
from motionloom.methods.buildup.model import Model
from motionloom.methods.buildup.request import Built
from motionloom.methods.buildup.sequence.sequence import BuiltSequence
from motionloom.motion import Motion

STEPS_CHANGED = 0.3  # share by which steps may be longer, shorter or to the side


def hit_parts(
    model: Model,
    built: Built,
    sequence: BuiltSequence,
    played: Played,
    others: Mapping[str, Motion],
    why_not: Sequence[str],
) -> list[Part]:
    """A part for each hit of a character, and one for its steps where hits are exact.

    Args:
        model: of the takes.
        built: what the character was asked.
        sequence: that it does.
        played: its motion.
        others: motions of all characters, by name.
        why_not: what could not be had of each step, "" for all of it.
    """
    named = f"{built.name}: " if built.name else ""
    held, nowhere = find_held(built, sequence, body_of(played), others)
    found = {each.number: each for each in held}
    parts = []
    for number, hit in enumerate(built.hits):
        name = f"{named}hit {number + 1}, {describe_hit(hit)}"
        step = "" if hit.step is None or hit.step > len(why_not) else why_not[hit.step - 1]
        if number in nowhere:
            parts.append(Part(f"{name}: met", 0.0, "", None, False, nowhere[number]))
        else:
            parts.append(_distance_part(model, name, found[number], step))
    if any(each.hit.exact for each in held) and played.before is not None:
        parts.append(_steps_part(named, most_changed(played.before, sequence.targets(model))))
    return parts


def nearness_lines(played: Sequence[Played], fps: float) -> list[Measured]:
    """How near each two bodies come to each other, and when."""
    lines = []
    for first, second in combinations(played, 2):
        nearest = find_nearest(body_of(first), body_of(second))
        if nearest is not None:
            name = f"least distance between {first.name} and {second.name}"
            note = f"at {nearest.frame / fps:.2f} s; less than 0 is how deep they are in each other"
            lines.append(Measured(name, nearest.distance, "m", note=note))
    return lines


def hit_details(
    built: Built, sequence: BuiltSequence, motion: Motion, others: Mapping[str, Motion]
) -> list[dict[str, Any]]:
    """The hits of a character as plain data: what hits where and when, and how far it is off, in metres."""
    return [
        {
            "character": built.name,
            "hit": each.number + 1,
            "joint": each.point.name,
            "frame": each.frame,
            "point": [float(value) for value in each.goal],
            "distance": each.distance,
        }
        for each in find_held(built, sequence, motion, others)[0]
    ]


def _distance_part(model: Model, name: str, held: Held, why_not: str) -> Part:
    allowed = WITHIN if held.hit.exact else reach_of(model)
    met = held.distance <= allowed
    limb = held.point.name.replace("_", " ")
    why = "" if met else why_not or f"the {limb} cannot come so far from where the body is; {_way_out(held)}"
    return Part(f"{name}: distance", held.distance, "m", allowed, met, why, held.frame)


def _way_out(held: Held) -> str:
    if held.hit.step is None:
        return "let a step end with this hit, so that its way is chosen for it"
    return f"give step {held.hit.step} a place nearer to it, or add a step before"


def _steps_part(named: str, most: float) -> Part:
    met = most <= STEPS_CHANGED
    why = "" if met else "bent far for its hits; add steps between them, or allow another time"
    return Part(f"{named}steps changed", round(100 * most, 1), "%", 100 * STEPS_CHANGED, met, why)
