"""Searching: the motion is found by steps that lower its cost, each of them an answer (equation 15)."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.assembly import BEST, OTHER, Answer, Bent, Generated, Piece, Plan
from motionloom.conform.base_view import take_of
from motionloom.methods.dynamics.demands.body_setting import BodySetting
from motionloom.methods.dynamics.demands.read_demands import BodyDemands
from motionloom.methods.dynamics.model import Model
from motionloom.methods.dynamics.optimization import set_up
from motionloom.methods.dynamics.optimized_motion import Optimization
from motionloom.methods.dynamics.random_starts import descend_from_random, share_elsewhere
from motionloom.methods.dynamics.request import Request
from motionloom.methods.dynamics.trajectory.gauss_newton import Descent, descend
from motionloom.methods.dynamics.trajectory.narrowed import narrow
from motionloom.methods.dynamics.trajectory.windowed import window
from motionloom.motion import Footing, Motion, PointMotion
from motionloom.tasks import Progress, Stop, one_thread_per_product

MOST_WARM = 1e-1  # damping of the first of these steps: that of a search that was exhausted is forgotten
WARM_STEPS = 2  # from an earlier answer, before the search begins anew
KEPT = 2  # steps more after each of these, with the matrix that it was found with


@dataclass(frozen=True, eq=False)
class State:
    """What performing, judging and the next search need of an answer."""

    request: Request
    optimization: Optimization
    descent: Descent
    course: tuple[float, ...]  # the objective after 0, 1, 2, ... iterations
    starts: tuple[tuple[float, ...], ...] = ()  # the same from random starts
    span: tuple[int, int] | None = None  # frames of the model that a drag was about; None for all

    @property
    def knots(self) -> np.ndarray:
        return self.descent.knots


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
    """Better and better motions; the objective never rises.

    An earlier answer gives good answers at once; the search then begins anew, so that the same request settles on the
    same motion, whatever came before.

    Args:
        model: with the prior.
        request: what must hold.
        seed: of random starts; nothing else is left to chance.
        stop: asked after every step.
        previous: an answer of the same model to a like request.
        others: random starts that are tried after the usual one; those that end in another motion are answers as well.
        progress: called as progress(iterations, most).
    """
    if previous is not None and previous.is_settled and previous.state.request == request:
        yield previous
        return
    with one_thread_per_product():  # all of them are small
        yield from _search(model, request, seed, stop, previous, others, progress)


def _search(
    model: Model,
    request: Request,
    seed: int,
    stop: Stop | None,
    previous: Answer[State] | None,
    others: int,
    progress: Progress | None,
) -> Iterator[Answer[State]]:
    began = time.perf_counter()
    optimization = set_up(model, request, None if previous is None else previous.state.optimization)
    if previous is not None and fits(previous.state, optimization):
        for descent in warm_steps(optimization, previous.state):
            yield make_answer(model, request, optimization, descent, (), began)
            if stop is not None and stop():
                return
    course: list[float] = []
    shown = 0
    best = None
    steps = descend(optimization.problem, optimization.start, most=request.iterations, settled=model.settings.settled)
    for descent in steps:
        course.append(descent.objective)
        best = descent
        if progress is not None:
            progress(descent.iterations, request.iterations)
        ends = stop is not None and stop()
        if descent.iterations >= shown or ends:
            yield make_answer(model, request, optimization, descent, course, began)
            shown = max(2 * descent.iterations, 2)
        if ends:
            return
    assert best is not None
    ended = descend_from_random(
        optimization, others, seed=seed, most=request.iterations, settled=model.settings.settled, stop=stop
    )
    starts = tuple(ended)
    courses = tuple(start.course for start in starts)
    answer = make_answer(model, request, optimization, best, course, began)
    yield replace(answer, state=replace(answer.state, starts=courses), is_settled=True)
    known = [optimization.motion(best.knots)]
    for start in starts:
        motion = optimization.motion(start.descent.knots)
        differs = min(share_elsewhere(motion, other) for other in known)
        if differs:
            known.append(motion)
            answer = make_answer(model, request, optimization, start.descent, start.course, began)
            yield replace(answer, kind=OTHER, differs=differs, state=replace(answer.state, starts=courses))


def fits(state: State, optimization: Optimization) -> bool:
    """Whether a search can go on from the knots of an earlier one."""
    earlier, now = state.optimization, optimization
    same = earlier.problem.basis == now.problem.basis and earlier.problem.prior.name == now.problem.prior.name
    return (
        same
        and earlier.setting.source_name == now.setting.source_name
        and (earlier.problem.reference.is_source == now.problem.reference.is_source)
    )


def warm_steps(
    optimization: Optimization,
    state: State,
    most: int = WARM_STEPS,
    left_out: Sequence[int] = (),
    span: tuple[int, int] | None = None,
    kept: int = KEPT,
    shortens: bool = False,
) -> Iterator[Descent]:
    """A few steps from an earlier answer: so many iterations at most, with their cheap steps.

    Their objectives are of what they change, which is the whole unless something stays.

    Args:
        optimization: of what is asked now.
        state: of the earlier answer.
        most: iterations.
        left_out: coordinates of the free layer of an edit that stay as they were.
        span: the first and the last frame of the model in which an edit may change; None for all.
        kept: cheap steps after each iteration.
        shortens: whether steps that lead too far are shortened before they are found again.
    """
    knots = _carried(state, optimization) + _moved(state.optimization, optimization)
    part = narrow(optimization.problem, knots, left_out)
    damping = min(state.descent.warm_damping, MOST_WARM)
    within = window(part.problem, part.start, *(span or (0, part.problem.n_frames - 1)))
    steps = descend(within.problem, within.part, most=most, damping=damping, kept=kept, shortens=shortens)
    next(steps)
    for step in steps:
        yield replace(step, knots=part.widened(within.widened(step.knots)))


def _carried(state: State, optimization: Optimization) -> np.ndarray:
    """(K, u) the knots of an earlier answer, where other joints may be free."""
    old, new = state.optimization.problem.prior, optimization.problem.prior
    if old.free == new.free:
        return state.knots
    shared = old.size - len(old.free)
    found = np.zeros((len(state.knots), optimization.problem.n_unknowns))
    found[:, :shared], found[:, new.size :] = state.knots[:, :shared], state.knots[:, old.size :]
    places = {label: shared + number for number, label in enumerate(_labels(old.free))}
    for number, label in enumerate(_labels(new.free), start=shared):
        if label in places:
            found[:, number] = state.knots[:, places[label]]
    return found


def _labels(free: Sequence[int]) -> list[tuple[int, int]]:
    """Numbers of vectors that have coordinates of their own, each with how often it was among those before."""
    return [(column, free[:place].count(column)) for place, column in enumerate(free)]


def _moved(earlier: Optimization, now: Optimization) -> np.ndarray:
    """(K, d + p) how knots change so that the motion stays although its reference moved; an edit goes along with it."""
    if now.setting.source_name:
        return np.zeros((now.problem.basis.n_knots, now.problem.n_unknowns))
    old, new = (each.references for each in (earlier, now))
    step, prior = now.setting.step, now.problem.prior
    vectors = prior.subspace.directions.T @ (old.vectors - new.vectors)[::step].T
    values = np.concatenate([vectors.T, (old.places - new.places)[::step]], axis=1)
    return now.problem.basis.fit(values)


def make_answer(
    model: Model,
    request: Request,
    optimization: Optimization,
    descent: Descent,
    course: Iterator[float] | tuple[float, ...] | list[float],
    began: float,
) -> Answer[State]:
    """The answer that some knots are."""
    state = State(request, optimization, descent, tuple(course))
    plan = plan_of(model, state, optimization.motion(descent.knots))
    costs = optimization.problem.costs(descent.knots)
    return Answer((plan,), sum(costs.values()), state, BEST, time.perf_counter() - began, costs)


def plan_of(
    model: Model,
    state: State,
    motion: Motion | PointMotion,
    contacts: np.ndarray | None = None,
    footing: Footing | None = None,
) -> Plan:
    """A plan of one piece: made by the model, or frames of a recording that were changed."""
    made, asked = f"dynamics ({request_method(state)})", state.request.to_data()
    if isinstance(motion, PointMotion):
        piece = Piece(Generated(motion, made, parameters_of(model)), 0, motion.n_frames)
        return Plan((piece,), (), model.fps, "", model.view.key, asked)
    setting, demands = state.optimization.setting, state.optimization.demands
    assert isinstance(setting, BodySetting) and isinstance(demands, BodyDemands)
    below = footing or Footing()
    flags = demands.contacts.flags if contacts is None else contacts
    if setting.source is not None:
        start, _ = model.bodies.range_of(setting.source_name)
        frames = model.bodies.source_frames[start : start + motion.n_frames]
        own = model.bodies.footing(setting.source_name).cut(0, motion.n_frames)
        below = replace(own, supports=(*own.supports, *below.supports))
        source: Bent | Generated = Bent(take_of(setting.source_name), motion, frames, flags, below)
    else:
        source = Generated(motion, made, parameters_of(model), flags, below)
    piece = Piece(source, 0, motion.n_frames)
    return Plan((piece,), (), model.fps, model.skeleton.digest, model.view.key, asked)


def request_method(state: State) -> str:
    """The prior, or what stands in its place."""
    return state.optimization.problem.prior.name


def parameters_of(model: Model) -> Mapping[str, object]:
    """What the prior was learnt from."""
    prior = model.prior
    return {
        "learnt from": list(model.learnt_from[:20]),
        "motions": len(model.learnt_from),
        "dimensions": prior.size,
        "order": prior.order,
    }
