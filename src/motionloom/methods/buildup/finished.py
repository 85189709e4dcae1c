"""Finished motions of characters: what a quick performance of a sequence that begins alike starts with."""

from dataclasses import dataclass

from motionloom.assembly import Plan, Played
from motionloom.methods.buildup.model import Model
from motionloom.methods.buildup.request import Hit
from motionloom.methods.buildup.search import BuiltCharacter
from motionloom.methods.buildup.sequence.continuation import common_frames, continue_played
from motionloom.methods.buildup.sequence.sequence import BuiltSequence

LEAST = 0.5  # seconds that two sequences have in common at least, or the whole is performed


@dataclass(frozen=True, eq=False)
class Finished:
    """What a character did in an answer, as it was performed."""

    plan: Plan  # before its joins were chosen
    sequence: BuiltSequence
    hits: tuple[Hit, ...]  # that it meets
    played: Played

    def go_on(self, model: Model, character: BuiltCharacter, plan: Plan) -> Played:
        """The motion of a plan that begins alike."""
        common = common_frames(self.plan, plan)
        is_bent = bool(character.sequence.targets(model))
        return continue_played(model, self.played, plan, common, is_bent=is_bent)


def keep_finished(model: Model, character: BuiltCharacter, plan: Plan, played: Played) -> None:
    """Keep what was performed, for quick performances to come."""
    kept = Finished(plan, character.sequence, character.built.hits, played)
    model.performances.put((character.built.name, plan.content_key, kept.hits), kept)


def find_finished(model: Model, character: BuiltCharacter, plan: Plan) -> Finished | None:
    """The finished motion of a character that has most in common with what it does now.

    None where there is none, or where it cannot be told what is the same: an earlier hit was moved or taken away, or
    what is new is bent.
    """
    best, most = None, LEAST * model.fps
    for key in model.performances.newest_first():
        kept = model.performances.get(key)
        if kept is None or key[0] != character.built.name:
            continue
        common = common_frames(kept.plan, plan)
        if common > most and _keeps_hits(kept, character) and _bends_alike(kept.sequence, character.sequence, common):
            best, most = kept, common
    return best


def _keeps_hits(kept: Finished, character: BuiltCharacter) -> bool:
    """Whether all that was hit is still to be hit."""
    return all(hit in character.built.hits for hit in kept.hits)


def _bends_alike(one: BuiltSequence, other: BuiltSequence, common: int) -> bool:
    """Whether two sequences are bent to the same places in what they have in common, and to none behind it."""
    (mine, theirs) = (_bent_ends(each) for each in (one, other))
    return mine == theirs and all(border <= common for border, _ in mine)


def _bent_ends(sequence: BuiltSequence) -> list[tuple[int, tuple[float, float, float]]]:
    """Where stretches end at exact places, and at which."""
    ends = zip(sequence.borders[1:], sequence.stretches)
    return [(border, stretch.end) for border, stretch in ends if stretch.end is not None]
