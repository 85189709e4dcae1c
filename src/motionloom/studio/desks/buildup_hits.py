"""Hits at the desk of the build-up workspace: the way that the method chooses for a step whose end hits something."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from motionloom.tasks import Stop

if TYPE_CHECKING:
    from motionloom.methods.buildup import Model, Request
    from motionloom.methods.buildup.request import Built
    from motionloom.methods.buildup.search import BuiltCharacter


def choose_ways(
    model: "Model", request: "Request", character: int, step: int, stop: Stop | None
) -> list[list[dict[str, Any]] | None]:
    """The clips of a step as its hit wants them, and of those after it, which go on from its new end.

    What was accepted for them before counts no more: they are searched as a request without clips is. Where the step
    comes out as it was, those after it stay.

    Args:
        model: of the takes.
        request: with the hit.
        character: whose step it is.
        step: number of the step, from 0.
        stop: asked often; the search ends as soon as it answers True.

    Returns:
        The clips of the step and of each after it; None for one that stays as it is.
    """
    from motionloom.methods.buildup import search

    answer = next(iter(search(model, _without_clips(request, character, step), stop=stop)))
    found = answer.state.characters[character]
    clips = [_clips_of(found, number) for number in range(step, len(found.built.steps))]
    if clips[0] == _plain(request.cast[character].steps[step].clips):
        clips[1:] = [None] * (len(clips) - 1)
    return clips


def _without_clips(request: "Request", character: int, step: int) -> "Request":
    """The request with ways still to be chosen, from a step on."""

    def free(built: "Built") -> "Built":
        steps = (replace(each, clips=None) if number >= step else each for number, each in enumerate(built.steps))
        return replace(built, steps=tuple(steps), edits=())

    if request.characters:
        cast = (free(built) if number == character else built for number, built in enumerate(request.characters))
        return replace(request, characters=tuple(cast))
    freed = free(request.cast[0])
    return replace(request, steps=freed.steps, edits=freed.edits)


def _clips_of(found: "BuiltCharacter", number: int) -> list[dict[str, Any]] | None:
    """What is played for a step; None where it could not be taken."""
    stretch = found.taken[number].stretch if number < len(found.taken) else None
    if stretch is None:
        return None
    return [{"take": clip.name, "start": clip.start, "stop": clip.stop} for clip in stretch.clips]


def _plain(clips: Any) -> list[dict[str, Any]] | None:
    return None if clips is None else [{"take": clip.take, "start": clip.start, "stop": clip.stop} for clip in clips]
