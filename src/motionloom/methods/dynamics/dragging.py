"""Dragging: what a changed request makes of the motion at once, from the answer to the request before it."""

import time
from dataclasses import dataclass, replace

import numpy as np

from motionloom.assembly import Part
from motionloom.methods.dynamics.closing.hard_targets import is_of_limb
from motionloom.methods.dynamics.closing.last_pass import close
from motionloom.methods.dynamics.demands.body_setting import BodySetting
from motionloom.methods.dynamics.demands.demand import Demand, Finished, pull_alike
from motionloom.methods.dynamics.demands.held_rest import columns_of, limb_of, trunk_of
from motionloom.methods.dynamics.model import Model
from motionloom.methods.dynamics.optimization import set_up
from motionloom.methods.dynamics.optimized_motion import Optimization
from motionloom.methods.dynamics.perform import measure_demands
from motionloom.methods.dynamics.prior.dynamic_prior import DynamicPrior
from motionloom.methods.dynamics.prior.neighbours import columns_of as columns_of_points
from motionloom.methods.dynamics.request import Request
from motionloom.methods.dynamics.search import KEPT, State, fits, warm_steps
from motionloom.methods.dynamics.trajectory.gauss_newton import descend
from motionloom.motion import Motion, PointMotion
from motionloom.tasks import Stop, check_stop, one_thread_per_product

WARM, COLD = 0.1, 0.4  # seconds after which no further step begins: from the answer before, and without one
AROUND = 0.6  # seconds before and after what has changed in which an edit follows


@dataclass(frozen=True, eq=False)
class Dragged:
    """The motion while something is dragged, and how well it meets what is asked."""

    motion: Motion | PointMotion
    contacts: np.ndarray | None  # (F, 4) bool; None of points
    parts: tuple[Part, ...]  # demands that pull; feet that rest are measured when the drag is over
    state: State  # what the next one starts from


def drag(model: Model, request: Request, state: State | None = None, *, stop: Stop | None = None) -> Dragged:
    """A few steps towards what a request asks; the same request again goes on from there.

    Args:
        model: with the prior.
        request: what must hold.
        state: of what was dragged before, with the same model; None to begin anew.
        stop: asked between steps; if it answers True, `Stopped` is raised.
    """
    with one_thread_per_product():
        return _drag(model, request, state, stop)


def _drag(model: Model, request: Request, state: State | None, stop: Stop | None) -> Dragged:
    optimization = set_up(model, request, None if state is None else state.optimization)
    is_warm = state is not None and fits(state, optimization)
    span, is_again = None, False
    if state is not None and is_warm:
        left_out, span = coordinates_at_rest(state.optimization, optimization), frames_around(state, optimization)
        is_again = not _moved(state.optimization, optimization)
        asked = without_pins_of_limbs(state.optimization, optimization)
        kept = 0 if any(demand.is_hard for demand in _pulling(optimization)) else KEPT  # they are too stiff for these
        steps = warm_steps(asked, state, 1, left_out, span, kept=kept, shortens=True)
        seconds = WARM
    else:
        steps, seconds = descend(optimization.problem, optimization.start, most=request.iterations), COLD
    began, descent = time.perf_counter(), next(steps)
    while time.perf_counter() - began < seconds and (better := next(steps, None)) is not None:
        check_stop(stop)
        descent = better
    closed = close(
        optimization.setting, optimization.demands, optimization.motion(descent.knots), quick=True, stop=stop
    )
    pulling = _pulling(optimization)
    parts = measure_demands(pulling, Finished.of(closed.motion), closed.reasons)
    return Dragged(
        closed.motion,
        closed.contacts,
        tuple(parts),
        State(request, optimization, descent, (), span=None if is_again else span),
    )


def coordinates_at_rest(before: Optimization, now: Optimization) -> list[int]:
    """Coordinates of the free layer of an edit that a change of some demands on limbs leaves as they are.

    Those of limbs that nothing new is asked of, nor of the trunk that bears them; none where anything else changed.
    """
    prior, setting = now.problem.prior, now.setting
    if (
        not setting.source_name
        or not prior.free
        or not _differ_in_points_alone(before.setting.request, setting.request)
    ):
        return []
    moved = {joint for demand in _moved(before, now) for joint in demand.joints}
    if not moved:
        return []
    if not isinstance(setting, BodySetting):
        return _coordinates_but(prior, columns_of_points(sorted(moved)))
    skeleton = setting.model.skeleton
    if 0 in moved:  # the limbs follow in the last pass
        moved = {joint for demand in _pulling(now) if not is_of_limb(skeleton, demand) for joint in demand.joints} - {0}
    limbs = {above for joint in moved for above in limb_of(skeleton, joint)}
    return _coordinates_but(prior, columns_of(setting, limbs | trunk_of(skeleton, limbs)))


def _coordinates_but(prior: DynamicPrior, wanted: np.ndarray) -> list[int]:
    """The coordinates of the free layer that are not of some numbers of vectors; none where none else would be left."""
    shared, kept = prior.size - len(prior.free), set(wanted.tolist())
    others = [shared + place for place, column in enumerate(prior.free) if column not in kept]
    return others if len(others) < prior.size else []


def _differ_in_points_alone(one: Request, other: Request) -> bool:
    return one is other or _without_points(one) == _without_points(other)


def _without_points(request: Request) -> Request:
    """What else is asked than something of some joints."""
    return replace(request, points=(), orientations=(), angles=(), distances=(), projections=())


def without_pins_of_limbs(before: Optimization, now: Optimization) -> Optimization:
    """While the root is dragged, what must hold of limbs is left to the last pass; at rest all of it is asked."""
    problem, setting = now.problem, now.setting
    if not isinstance(setting, BodySetting) or not problem.prior.free:
        return now
    if not _differ_in_points_alone(before.setting.request, setting.request):
        return now
    skeleton = setting.model.skeleton
    if not any(0 in demand.joints for demand in _moved(before, now)):
        return now
    pulling = _pulling(now)
    kept = [term for demand, term in zip(pulling, problem.terms) if not is_of_limb(skeleton, demand)]
    return replace(now, problem=replace(problem, terms=(*kept, *problem.terms[len(pulling) :])))


def frames_around(state: State, now: Optimization) -> tuple[int, int] | None:
    """The first and the last frame of the model in which an edit follows a change of some demands on joints.

    Those of the drag just before where nothing changed since; None where nothing did for longer, or anything else did:
    then all of it is asked.
    """
    before = state.optimization
    is_edit = now.setting.source_name and now.problem.prior.free
    if not is_edit or not _differ_in_points_alone(before.setting.request, now.setting.request):
        return None
    moved = _moved(before, now)
    if not moved:
        return state.span
    frames = np.concatenate([demand.pulled for demand in moved]) / now.setting.step
    reach = AROUND * now.problem.prior.fps
    last = now.problem.n_frames - 1
    return max(int(np.floor(frames.min() - reach)), 0), min(int(np.ceil(frames.max() + reach)), last)


def _moved(before: Optimization, now: Optimization) -> list[Demand]:
    """The demands that were not there before, have changed, or are gone, as they were and as they are."""
    asked = [{demand.name: demand for demand in _pulling(each)} for each in (before, now)]
    return [
        each[name]
        for name in asked[0].keys() | asked[1].keys()
        if not pull_alike(asked[0].get(name), asked[1].get(name))
        for each in asked
        if name in each
    ]


def _pulling(optimization: Optimization) -> list[Demand]:
    return [demand for demand in optimization.demands.parts if len(demand.pulled)]
