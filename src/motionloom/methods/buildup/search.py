"""Searching: the steps of every character are taken one after another, then what was built is changed and aimed."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

from motionloom.assembly import BEST, OTHER, Answer
from motionloom.methods.buildup.model import Model
from motionloom.methods.buildup.request import Built, Request
from motionloom.methods.buildup.sequence.sequence import BuiltSequence
from motionloom.methods.buildup.sequence.steps import TakenStep, begin, take_step
from motionloom.tasks import Progress, Stop


@dataclass(frozen=True, eq=False)
class BuiltCharacter:
    """What one character does, and how its steps were taken."""

    built: Built
    sequence: BuiltSequence
    taken: tuple[TakenStep, ...]


@dataclass(frozen=True, eq=False)
class State:
    """What performing, judging and the next search need of an answer."""

    request: Request
    characters: tuple[BuiltCharacter, ...]


def search(
    model: Model,
    request: Request,
    *,
    seed: int = 0,
    stop: Stop | None = None,
    previous: Answer[State] | None = None,
    others: int = 0,
    progress: Progress | None = None,
) -> Iterator[Answer[State]]:
    """The sequence that a request builds up, then others that end in other ways.

    Trees stop by their number of nodes, never by time: the same request gives the same motion.

    Args:
        model: of the takes.
        request: what is asked.
        seed: not used: nothing is left to chance.
        stop: asked before each step; the sequence then ends there.
        previous: an answer to a request that begins alike: its steps are not searched again.
        others: motions whose last step goes another way.
        progress: called as progress(steps_done, steps).
    """
    began = time.perf_counter()
    total = sum(len(built.steps) for built in request.cast)
    characters: list[BuiltCharacter] = []
    done = 0
    for number, built in enumerate(request.cast):
        known = _known(previous, request, number)
        character = BuiltCharacter(built, begin(model, built), ())
        for step in range(len(built.steps)):
            if stop is not None and stop() and characters + [character] and step > 0:
                break
            character = _extend(model, character, known)
            done += 1
            if progress is not None:
                progress(done, total)
        characters.append(character)
    state = State(request, tuple(characters))
    best = make_answer(model, state, BEST, time.perf_counter() - began)
    yield best
    yield replace(best, is_settled=True)
    yield from _others(model, best, others, stop)


def make_answer(model: Model, state: State, kind: str, seconds: float, differs: float | None = None) -> Answer[State]:
    """The answer that some sequences are; it costs their seconds, and ten for a step that could not be taken."""
    request = state.request
    plans = tuple(character.sequence.plan(model, request.to_data()) for character in state.characters)
    lasts = max(character.sequence.n_frames for character in state.characters) / model.fps
    missed = sum(taken.stretch is None for character in state.characters for taken in character.taken)
    costs = {"seconds": lasts, "steps not taken": 10.0 * missed}
    return Answer(plans, sum(costs.values()), state, kind, seconds, costs, differs)


def _extend(model: Model, character: BuiltCharacter, known: BuiltCharacter | None) -> BuiltCharacter:
    """A character with one step more."""
    number = len(character.taken)
    step = character.built.steps[number]
    taken = known.taken[number] if known is not None and _is_known(known, character, number) else None
    taken = taken or take_step(model, character.sequence, step, number)
    sequence = character.sequence if taken.stretch is None else character.sequence.extended(taken.stretch)
    return BuiltCharacter(character.built, sequence, (*character.taken, taken))


def _known(previous: Answer[State] | None, request: Request, number: int) -> BuiltCharacter | None:
    """A character of an earlier answer that starts as one of this request."""
    if previous is None or number >= len(previous.state.characters):
        return None
    known = previous.state.characters[number]
    built, before = request.cast[number], known.built
    return known if (built.start, built.start_from) == (before.start, before.start_from) else None


def _is_known(known: BuiltCharacter, character: BuiltCharacter, number: int) -> bool:
    """Whether the steps up to one were taken before, and are asked in the same way now."""
    return number < len(known.taken) and known.built.steps[: number + 1] == character.built.steps[: number + 1]


def _others(model: Model, best: Answer[State], count: int, stop: Stop | None) -> Iterator[Answer[State]]:
    """Answers whose last step goes another way."""
    (*before, last) = best.state.characters
    if not last.taken or last.built.steps[-1].clips is not None or last.taken[-1].stretch is None:
        return
    base = replace(last, sequence=BuiltSequence(last.sequence.stretches[:-1]), taken=last.taken[:-1])
    asked = last.built.steps[-1]
    numbers = [way for way in range(last.taken[-1].n_ways) if way != asked.way][:count]
    for way in numbers:
        if stop is not None and stop():
            return
        steps = (*last.built.steps[:-1], replace(asked, way=way))
        other = _extend(model, replace(base, built=replace(last.built, steps=steps)), None)
        state = State(best.state.request, (*before, other))
        yield make_answer(model, state, OTHER, best.seconds, differs=1.0)
