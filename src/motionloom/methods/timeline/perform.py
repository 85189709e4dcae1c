"""Performing: an answer becomes a motion, smooth at its joins, at its places, with its feet planted."""

import time
from dataclasses import replace

from motionloom.assembly import Answer, Performed, Timing, choose_joins, held_labels, play, usual_joins
from motionloom.constraints import GroundTarget
from motionloom.methods.timeline.model import Model
from motionloom.methods.timeline.objective.problem import Problem
from motionloom.methods.timeline.search import State
from motionloom.tasks import Stop, check_stop

MANY_CUTS = 2  # from so many on, a motion in a hurry is joined in the usual way


def perform(answer: Answer[State], model: Model, *, quick: bool = False, stop: Stop | None = None) -> Performed[State]:
    """Make the motion of an answer; it has exactly as many frames as were asked for.

    Joins are made as smooth as the corpus itself is, the path is bent so that every place is met, and feet are planted.

    Args:
        answer: of the search.
        model: that it was found with.
        quick: where there are many cuts, join them in the usual way instead of the calmest.
        stop: asked at every cut; if it answers True, `Stopped` is raised.
    """
    problem, began = answer.state.problem, time.perf_counter()
    forced = [range(clip.at, clip.stop) for clip in problem.forced]
    is_quick = quick and len(answer.plan.joins) >= MANY_CUTS
    if is_quick:
        plan = usual_joins(answer.plan, forced)
    else:
        bars, known = model.yardsticks.bars, model.chosen_joins
        plan = choose_joins(answer.plan, model.view, bars, locked=forced, known=known, stop=stop)
    took = Timing("choosing joins", time.perf_counter() - began)
    check_stop(stop)
    played = play(plan, model.view, targets=ground_targets(problem), locked=locked_frames(problem))
    labels = held_labels(model.labels, model.tracks[answer.state.solution.frames])
    return Performed(answer, (replace(played, labels=labels),), (took,), is_quick)


def ground_targets(problem: Problem) -> list[GroundTarget]:
    """The places of a problem as path editing wants them; the start stays where the plan has it."""
    return [GroundTarget(place.frame, place.position, place.heading) for place in problem.places]


def locked_frames(problem: Problem) -> list[int]:
    """Forced frames: what was asked for exactly stays as it was recorded, feet that creep there included.

    Planting them too would move knees and toes by 3 to 8 cm, on takes without foot-skate clean-up.
    """
    return [frame for clip in problem.forced for frame in range(clip.at, clip.stop)]
