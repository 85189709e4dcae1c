"""Performing: sequences become motions, smooth at their joins, where they were asked to be, with feet planted."""

import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from motionloom.assembly import (
    Answer,
    Bent,
    Performed,
    Piece,
    Plan,
    Played,
    Timing,
    choose_joins,
    held_labels,
    play,
    usual_joins,
)
from motionloom.methods.buildup.finished import find_finished, keep_finished
from motionloom.methods.buildup.hits.holds import body_of, meet_hits, meet_missed
from motionloom.methods.buildup.model import Model
from motionloom.methods.buildup.search import BuiltCharacter, State, make_answer
from motionloom.methods.buildup.sequence.finished_edits import finish_edits
from motionloom.tasks import Stop, check_stop


def perform(answer: Answer[State], model: Model, *, quick: bool = False, stop: Stop | None = None) -> Performed[State]:
    """Make the motions of an answer; it becomes another one where bridges of edits do not hold once finished.

    Args:
        answer: of the search.
        model: that it was found with.
        quick: join in the usual way instead of the calmest, and perform only what is not performed yet.
        stop: asked at every join; if it answers True, `Stopped` is raised.
    """
    began = time.perf_counter()
    characters = answer.state.characters
    known = [find_finished(model, *each) if quick else None for each in zip(characters, answer.plans)]
    given = [_unedited(model, *each) for each in zip(answer.plans, characters)]
    plans = [usual_joins(plan) if quick else _join(plan, model, stop) for plan in given]
    took = Timing("choosing joins", time.perf_counter() - began)
    check_stop(stop)
    found: dict[int, Played] = {}
    done = list(characters)
    for number in answer.state.request.order:  # those that others aim at come first
        character, whole, finished = characters[number], answer.plans[number], known[number]
        others = {played.name: body_of(played) for played in found.values()}
        if finished is not None:
            played = _labelled(model, character, finished.go_on(model, character, whole))
            found[number] = meet_missed(model, character.built, character.sequence, played, others)
        else:
            played, character = _play(model, character, plans[number], quick, stop)
            played = _labelled(model, character, played)
            found[number] = meet_hits(model, character.built, character.sequence, played, others)
            if character.sequence is not characters[number].sequence:
                done[number], whole = character, character.sequence.plan(model, whole.request)
        keep_finished(model, character, whole, found[number])
    answer = _as_done(model, answer, done)
    return Performed(answer, tuple(found[number] for number in range(len(found))), (took,), quick)


def _as_done(model: Model, answer: Answer[State], characters: Sequence[BuiltCharacter]) -> Answer[State]:
    """The answer that characters are as they were performed."""
    if all(done is known for done, known in zip(characters, answer.state.characters)):
        return answer
    state = replace(answer.state, characters=tuple(characters))
    made = make_answer(model, state, answer.kind, answer.seconds, answer.differs)
    return replace(made, is_settled=answer.is_settled)


def _join(plan: Plan, model: Model, stop: Stop | None) -> Plan:
    return choose_joins(plan, model.view, model.yardsticks.bars, known=model.chosen_joins, stop=stop)


def _unedited(model: Model, plan: Plan, character: BuiltCharacter) -> Plan:
    """The plan of what the steps of a character make, which its edits are spliced into."""
    return character.unedited.plan(model, plan.request) if character.edits else plan


def _play(
    model: Model, character: BuiltCharacter, plan: Plan, quick: bool, stop: Stop | None
) -> tuple[Played, BuiltCharacter]:
    """What a character does, and itself with its edits as they were made in it."""
    played = play(plan, model.view, targets=character.unedited.targets(model))
    if not character.edits:
        return played, character
    played, edits = finish_edits(model, played, character.edits, quick=quick, stop=stop)
    return played, replace(character, sequence=edits[-1].sequence, edits=edits)


def _labelled(model: Model, character: BuiltCharacter, played: Played) -> Played:
    """With the name of the character, and the labels that hold in its frames."""
    labels = held_labels(model.labels, model.tracks[shown_frames(model, played.plan)])
    return replace(played, name=character.built.name, labels=labels)


def shown_frames(model: Model, plan: Plan) -> np.ndarray:
    """(F,) the frame of the view that each frame of a plan shows."""
    return np.concatenate([_shown(model, piece) for piece in plan.pieces])


def _shown(model: Model, piece: Piece) -> np.ndarray:
    start, stop = model.view.range_of(piece.name)
    times = np.round(piece.times).astype(int)
    if isinstance(piece.source, Bent):  # each of its frames shows one of the take
        own = piece.source.frames[times]
        return start + np.abs(np.subtract.outer(own, model.view.source_frames[start:stop])).argmin(axis=1)
    return start + times
