"""Searching: the steps of every character are taken one after another, then what was built is changed and aimed."""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from motionloom.assembly import BEST, OTHER, Answer
from motionloom.methods.buildup.hits.aims import get_ready
from motionloom.methods.buildup.hits.hit_ways import take_hit_step
from motionloom.methods.buildup.hits.holds import rehearse
from motionloom.methods.buildup.model import Model
from motionloom.methods.buildup.request import Built, Request
from motionloom.methods.buildup.sequence.edits import MadeEdit, make_edits
from motionloom.methods.buildup.sequence.sequence import BuiltSequence
from motionloom.methods.buildup.sequence.steps import TakenStep, begin, take_step
from motionloom.motion import Motion
from motionloom.tasks import Progress, Stop


@dataclass(frozen=True, eq=False)
class BuiltCharacter:
    """What one character does, and how its steps were taken and its edits made."""

    built: Built
    sequence: BuiltSequence
    taken: tuple[TakenStep, ...]
    edits: tuple[MadeEdit, ...] = ()

    @property
    def unedited(self) -> BuiltSequence:
        """What its steps alone make."""
        return self.edits[0].given if self.edits else self.sequence

    def edited(self, model: Model) -> "BuiltCharacter":
        """With its edits made."""
        made = make_edits(model, self.sequence, self.built.edits)
        return replace(self, sequence=made[-1].sequence, edits=made) if made else self


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
    characters: dict[int, BuiltCharacter] = {}
    motions: dict[str, Motion] = {}  # of those that others aim at
    done = 0
    for number in request.order:
        built = request.cast[number]
        known = _known(previous, request, number)
        character = BuiltCharacter(built, begin(model, built), ())
        for step in range(len(built.steps)):
            if stop is not None and stop() and step > 0:
                break
            character = _extend(model, character, known, motions)
            done += 1
            if progress is not None:
                progress(done, total)
        characters[number] = character = character.edited(model)
        if built.name in _aimed_at(request):
            motions[built.name] = rehearse(model, built, character.sequence, motions)
    state = State(request, tuple(characters[number] for number in range(len(request.cast))))
    best = make_answer(model, state, BEST, time.perf_counter() - began)
    yield best
    yield replace(best, is_settled=True)
    yield from _others(model, best, others, stop, motions)


def make_answer(model: Model, state: State, kind: str, seconds: float, differs: float | None = None) -> Answer[State]:
    """The answer that some sequences are; it costs their seconds, and ten for a step or edit that could not be made."""
    request = state.request
    plans = tuple(character.sequence.plan(model, request.to_data()) for character in state.characters)
    lasts = max(character.sequence.n_frames for character in state.characters) / model.fps
    missed = sum(taken.stretch is None for character in state.characters for taken in character.taken)
    kept = sum(made.bridge is None for character in state.characters for made in character.edits)
    costs = {"seconds": lasts, "steps not taken": 10.0 * missed}
    costs |= {"edits not made": 10.0 * kept} if kept else {}
    return Answer(plans, sum(costs.values()), state, kind, seconds, costs, differs)


def _extend(
    model: Model, character: BuiltCharacter, known: BuiltCharacter | None, motions: Mapping[str, Motion]
) -> BuiltCharacter:
    """A character with one step more."""
    number = len(character.taken)
    step = character.built.steps[number]
    sequence, aim, late = get_ready(model, character.built, number, character.sequence, motions)
    taken = known.taken[number] if known is not None and _is_known(known, character, number) else None
    if taken is None:
        taken = (
            take_step(model, sequence, step, number)
            if aim is None
            else take_hit_step(model, sequence, step, number, aim)
        )
        taken = replace(taken, why_not=taken.why_not or late)
    sequence = sequence if taken.stretch is None else sequence.extended(taken.stretch)
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
    asked, before = (
        (built.steps[: number + 1], [hit for hit in built.hits if hit.step is not None and hit.step <= number + 1])
        for built in (character.built, known.built)
    )
    follows = any(hit.on is not None for hit in asked[1])  # what others do, which may have changed
    return number < len(known.taken) and asked == before and not follows


def _aimed_at(request: Request) -> set[str]:
    return {hit.on.character for built in request.cast for hit in built.hits if hit.on is not None}


def _others(
    model: Model, best: Answer[State], count: int, stop: Stop | None, motions: Mapping[str, Motion]
) -> Iterator[Answer[State]]:
    """Answers whose last step goes another way."""
    request, characters = best.state.request, best.state.characters
    which = request.order[-1]  # nobody aims at the last
    last = characters[which]
    if not last.taken or last.built.steps[-1].clips is not None or last.taken[-1].stretch is None:
        return
    base = replace(last, sequence=BuiltSequence(last.unedited.stretches[:-1]), taken=last.taken[:-1], edits=())
    asked = last.built.steps[-1]
    numbers = [way for way in range(last.taken[-1].n_ways) if way != asked.way][:count]
    for way in numbers:
        if stop is not None and stop():
            return
        steps = (*last.built.steps[:-1], replace(asked, way=way))
        other = _extend(model, replace(base, built=replace(last.built, steps=steps)), None, motions).edited(model)
        state = State(request, (*characters[:which], other, *characters[which + 1 :]))
        yield make_answer(model, state, OTHER, best.seconds, differs=1.0)
