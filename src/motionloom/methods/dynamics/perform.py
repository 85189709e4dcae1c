"""Performing: the solution in all frames, with the last pass that meets what must hold exactly."""

import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from motionloom.assembly import Answer, Part, Performed, Timing, play
from motionloom.conform.base_view import some_of
from motionloom.methods.dynamics.closing.closed import Closed
from motionloom.methods.dynamics.closing.last_pass import close
from motionloom.methods.dynamics.demands.body_setting import BodySetting
from motionloom.methods.dynamics.demands.demand import DEGREES, PIXELS, Demand, Finished
from motionloom.methods.dynamics.demands.point_demands import BEHIND
from motionloom.methods.dynamics.demands.point_setting import PointSetting
from motionloom.methods.dynamics.demands.setting import Setting
from motionloom.methods.dynamics.model import Model
from motionloom.methods.dynamics.reasons import explain
from motionloom.methods.dynamics.search import State, plan_of
from motionloom.motion import Motion, PointMotion
from motionloom.tasks import Stop, check_stop

FASTEST = 30.0  # metres per second that no body moves at
NOTICED = 1e-4  # metres by which the last pass moves joints, from which on it is worth a sentence


def perform(answer: Answer[State], model: Model, *, quick: bool = False, stop: Stop | None = None) -> Performed[State]:
    """Make the motion of an answer.

    Args:
        answer: of the search.
        model: that it was found with.
        quick: leave feet as they are where nothing was said of them.
        stop: asked between steps; if it answers True, `Stopped` is raised.
    """
    check_stop(stop)
    began = time.perf_counter()
    state = answer.state
    optimization = state.optimization
    closed = close(optimization.setting, optimization.demands, optimization.motion(state.knots), quick=quick, stop=stop)
    plan = plan_of(model, state, closed.motion, closed.contacts, closed.footing)
    took = Timing("meeting what must hold", time.perf_counter() - began)
    played = play(plan, None if model.is_of_points else model.bodies, footplants=None)
    parts = measure_demands(optimization.demands.parts, Finished.of(played.motion), closed.reasons)
    played = replace(played, parts=(*parts, *played.parts), notes=(*notes_of(state, closed), *played.notes))
    return Performed(answer, (played,), (took,), quick)


def measure_demands(demands: Sequence[Demand], finished: Finished, reasons: dict[str, str] | object) -> list[Part]:
    """How well each demand is met by a finished motion, at its worst frame."""
    known = reasons if isinstance(reasons, dict) else {}
    return [_measure(demand, finished, known.get(demand.name, ""), demands) for demand in demands]


def _measure(demand: Demand, finished: Finished, reason: str, demands: Sequence[Demand]) -> Part:
    misses = demand.measure(finished)
    worst = int(np.argmax(misses))
    value = float(misses[worst])
    met = demand.tolerance is None or value <= demand.tolerance
    why_not = "" if met else reason or explain(demand, misses, demands, finished)
    if demand.compared_in == PIXELS and value >= BEHIND:
        value, why_not = value - BEHIND, "the point is behind the camera; move the camera back, or turn it"
    is_angle = demand.unit == DEGREES
    return Part(
        f"{demand.name}: off by" if not demand.name.endswith("moves per frame") else demand.name,
        round(value, 4 if is_angle else 6),
        demand.unit,
        demand.tolerance,
        met,
        why_not,
        int(demand.frames[worst]),
    )


def notes_of(state: State, closed: Closed) -> list[str]:
    """What a person should know besides."""
    changed, course, setting = closed.changed, state.course, state.optimization.setting
    retargeted = setting.retargeted if isinstance(setting, BodySetting) else None
    notes = [] if retargeted is None else [f"retargeted: {sentence}" for sentence in retargeted.sentences()]
    if isinstance(closed.motion, Motion) and changed.most > NOTICED:
        notes.append(
            f"the last pass, which meets exactly what must hold and plants feet, moved joints by "
            f"{1000 * changed.mean:.1f} mm on average, {1000 * changed.most:.0f} mm at most"
        )
    elif isinstance(closed.motion, PointMotion):
        notes += notes_of_points(setting, closed)
    notes += _haste(closed.motion) if isinstance(closed.motion, Motion) else []
    if len(course) > 1:
        end = "settled" if state.descent.is_settled else "ran out of iterations"
        notes.append(f"{state.descent.iterations} iterations, {end}: cost {course[0]:.4g} to {course[-1]:.4g}")
    return notes


def notes_of_points(setting: Setting, closed: Closed) -> list[str]:
    """What the last pass did, and which points are missing."""
    changed, notes = closed.changed, list[str]()
    assert isinstance(setting, PointSetting) and isinstance(closed.motion, PointMotion)
    if changed.most > setting.usual.hard:
        notes.append(
            f"the last pass, which meets exactly what must hold, moved points by {1000 * changed.mean:.2f} mm on "
            f"average, {1000 * changed.most:.2f} mm at most"
        )
    gone = np.isnan(closed.motion.positions).any(axis=2)
    if gone.any():
        names = [name for name, is_gone in zip(closed.motion.names, gone.any(axis=0)) if is_gone]
        notes.append(
            f"{some_of(names)} {'is' if len(names) == 1 else 'are'} missing in some frames, as in {setting.source_name}"
        )
    return notes


def _haste(motion: Motion) -> list[str]:
    """That places are too far apart for the time between them."""
    speeds = np.linalg.norm(np.diff(motion.root_positions, axis=0), axis=1) * motion.fps
    worst = int(np.argmax(speeds))
    if speeds[worst] <= FASTEST:
        return []
    return [
        f"the body moves at {speeds[worst]:.0f} m/s at {worst / motion.fps:.2f} s, which no body does; ask for nearer "
        "places, or give it more time"
    ]
