"""Exact pass of points: what must hold is made to hold; points around go along, smoothly in space and in time.

The change is that of an edit: some points move, those around them as recordings have it, and all of it fades out within
a moment. So it is found by the same steps, with demands that are a hundred times as strict as they have to be met.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from motionloom.methods.dynamics.closing.closed import Closed
from motionloom.methods.dynamics.demands.demand import Demand, Finished
from motionloom.methods.dynamics.demands.face_demands import key_change, stay
from motionloom.methods.dynamics.demands.point_setting import PointSetting
from motionloom.methods.dynamics.demands.read_demands import Demands
from motionloom.methods.dynamics.prior.dynamic_prior import DynamicPrior
from motionloom.methods.dynamics.prior.free_layer import without_subspace
from motionloom.methods.dynamics.prior.neighbours import columns_of, edit_prior, with_rest
from motionloom.methods.dynamics.prior.point_vectors import PointVectors, put_on, take_off
from motionloom.methods.dynamics.trajectory.basis import Basis
from motionloom.methods.dynamics.trajectory.gauss_newton import descend
from motionloom.methods.dynamics.trajectory.normal_equations import Term
from motionloom.methods.dynamics.trajectory.problem import Problem, Reference
from motionloom.motion import Footing, PointMotion
from motionloom.motion.point_gaps import find_gaps
from motionloom.tasks import Stop, check_stop

ROUNDS = 4  # each takes the change before it as given, and leaves a small share of what is missed
STEPS, QUICK_STEPS = 10, 3  # of each: distances and projections bend
SETTLED = 1e-9  # relative decrease of the objective at which a round ends
AROUND = 0.5  # seconds before and after what is missed in which points may change
STILL = 3  # frames at either end of these that do not


def close_points(
    setting: PointSetting, demands: Demands, motion: PointMotion, *, quick: bool = False, stop: Stop | None = None
) -> Closed:
    """Meet what is hard.

    Args:
        setting: of the request.
        demands: of the request.
        motion: that was optimized, in the world.
        quick: stop after a few steps.
        stop: asked between rounds.
    """
    if setting.source is not None and demands.are_empty:
        return Closed(setting.source, None, Footing(), {}, setting.source)
    codec, hard = setting.codec, [demand for demand in demands.parts if demand.is_hard and demand.make_exact]
    keys = [key for key in demands.keys if key.is_hard]
    vectors = codec.written(take_off(motion.positions, setting.heads))
    if keys:
        vectors = vectors + key_change(vectors, keys, AROUND * setting.fps)
    for _ in range(1 if quick else ROUNDS):
        check_stop(stop)
        missed = _missed(setting, hard, vectors)
        if not len(missed):
            break
        steps = QUICK_STEPS if quick else STEPS
        vectors = _met(setting, hard, vectors, missed, [key.frame for key in keys], steps)
    if not keys and not hard:
        return Closed(_with_gaps(setting, demands, motion), None, Footing(), {}, motion)
    closed = replace(motion, positions=put_on(codec.read(vectors), setting.heads))
    return Closed(_with_gaps(setting, demands, closed), None, Footing(), {}, motion)


def _missed(setting: PointSetting, hard: Sequence[Demand], vectors: np.ndarray) -> np.ndarray:
    """(n,) frames in which something that must hold does not."""
    positions = put_on(setting.codec.read(vectors), setting.heads)
    finished = Finished.of(PointMotion(setting.codec.names, positions, setting.fps))
    missed = [demand.frames[demand.measure(finished) > (demand.tolerance or 0.0)] for demand in hard]
    return np.unique(np.concatenate([np.zeros(0, int), *missed]))


def _met(
    setting: PointSetting,
    hard: Sequence[Demand],
    vectors: np.ndarray,
    missed: np.ndarray,
    locked: Sequence[int],
    steps: int,
) -> np.ndarray:
    """(F, D) vectors in which what was missed is met, as far as it can be.

    Args:
        setting: of the request.
        hard: what must hold.
        vectors: (F, D) scaled.
        missed: frames in which it does not.
        locked: frames that stay as they are.
        steps: at most.
    """
    reach = round(AROUND * setting.fps)
    start, stop = max(int(missed.min()) - reach, 0), min(int(missed.max()) + reach + 1, len(vectors))
    rows = np.full(len(vectors), -1)
    rows[start:stop] = np.arange(stop - start)
    terms = [part for demand in hard if (part := _exactly(demand, rows)) is not None]
    points = sorted({point for demand in hard for point in demand.joints})
    codec = replace(setting.codec, fps=setting.fps)
    prior = _prior_of_change(setting, codec, points)
    terms += _locks(rows[list(locked)], vectors[start:stop], columns_of(points), setting.usual.hard * codec.scale)
    reference = Reference(vectors[start:stop], np.zeros((stop - start, 0)), setting.heads[start:stop], True)
    basis = Basis(stop - start)
    at_ends = (STILL if start else 0, STILL if stop < len(vectors) else 0)
    problem = Problem(prior, basis, np.arange(stop - start, dtype=float), reference, tuple(terms), fixed=at_ends)
    *_, best = descend(problem, np.zeros((basis.n_knots, prior.size)), most=steps, settled=SETTLED)
    changed = vectors.copy()
    changed[start:stop] += best.knots[: stop - start] @ prior.subspace.directions.T
    return changed


def _prior_of_change(setting: PointSetting, codec: PointVectors, points: Sequence[int]) -> DynamicPrior:
    """How likely changes of some points are: of an edit as recorded, else by the distance to others."""
    learnt = replace(setting.model.prior, vectors=codec)
    if setting.source is not None:
        return edit_prior(learnt, learnt.subspace, points)
    return with_rest(without_subspace(learnt), points)


def _exactly(demand: Demand, rows: np.ndarray) -> Term | None:
    """The part of a demand in some frames, by their new numbers, -1 of others."""
    assert demand.make_exact is not None
    return demand.make_exact(demand.frames).within(rows)


def _locks(rows: np.ndarray, vectors: np.ndarray, columns: np.ndarray, deviation: float) -> list[Term]:
    """That some numbers of vectors stay in some samples."""
    kept = np.unique(rows[rows >= 0])
    if not len(kept):
        return []
    return [stay(kept, vectors[kept], columns, deviation)]


def _with_gaps(setting: PointSetting, demands: Demands, motion: PointMotion) -> PointMotion:
    """A motion in which points are missing where they were in an edited one, and nothing is asked of them."""
    if setting.source is None or not np.isnan(setting.source.positions).any():
        return motion
    positions = np.array(motion.positions)
    for point, start, stop in find_gaps(setting.source).tolist():
        asked = [demand.frames for demand in demands.parts if point in demand.joints]
        if not any(((frames >= start) & (frames < stop)).any() for frames in asked):
            positions[start:stop, point] = np.nan
    return replace(motion, positions=positions)
