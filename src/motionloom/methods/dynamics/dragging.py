"""Dragging: what a changed request makes of the motion at once, from the answer to the request before it."""

import time
from dataclasses import dataclass

import numpy as np

from motionloom.assembly import Part
from motionloom.methods.dynamics.closing.exact_pass import close
from motionloom.methods.dynamics.demands.demand import Finished
from motionloom.methods.dynamics.model import Model
from motionloom.methods.dynamics.optimization import set_up
from motionloom.methods.dynamics.perform import measure_demands
from motionloom.methods.dynamics.request import Request
from motionloom.methods.dynamics.search import State, fits, warm_steps
from motionloom.methods.dynamics.trajectory.gauss_newton import descend
from motionloom.motion import Motion
from motionloom.tasks import Stop, check_stop, one_thread_per_product

WARM, COLD = 0.1, 0.4  # seconds after which no further step begins: from the answer before, and without one


@dataclass(frozen=True, eq=False)
class Dragged:
    """The motion while something is dragged, and how well it meets what is asked."""

    motion: Motion
    contacts: np.ndarray  # (F, 4) bool
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
    if state is not None and is_warm:
        steps, seconds = warm_steps(optimization, state, 1), WARM
    else:
        steps, seconds = descend(optimization.problem, optimization.start, most=request.iterations), COLD
    began, descent = time.perf_counter(), next(steps)
    while time.perf_counter() - began < seconds and (better := next(steps, None)) is not None:
        check_stop(stop)
        descent = better
    closed = close(
        optimization.setting, optimization.demands, optimization.motion(descent.knots), quick=True, stop=stop
    )
    pulling = [demand for demand in optimization.demands.parts if len(demand.pulled)]
    parts = measure_demands(pulling, Finished.of(closed.motion), closed.reasons)
    return Dragged(closed.motion, closed.contacts, tuple(parts), State(request, optimization, descent, ()))
