"""Smoothing: joins are as calm as any way of joining makes them, and stay out of forced frames."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.assembly import KINDS, Plan, assemble, fit_joins, learn_yardsticks
from motionloom.methods.timeline import ForcedFrames, Model, Request, make_plan, pose_problem
from motionloom.methods.timeline.objective.answer import make_answer
from motionloom.methods.timeline.smoothing import BETWEEN_FORCED, WAYS, smooth_plan
from motionloom.quality import measure_joins


@pytest.fixture(scope="module")
def bars(model):
    return learn_yardsticks(model.view).bars


def play(model: Model, lengths: list[int], seed: int, **asked) -> tuple[Plan, Request]:
    """A plan of pieces of so many frames, each the nearest that can follow the one before."""
    rng = np.random.default_rng(seed)
    frame = int(rng.choice(np.flatnonzero(model.stops - np.arange(model.n_frames) > lengths[0] + 1)))
    runs = [frame + np.arange(lengths[0])]
    for n_frames in lengths[1:]:
        near = model.neighbours[model.following[runs[-1][-1]]]
        fits = [int(j) for j in near if j >= 0 and model.stops[j] - j > n_frames]
        runs.append(fits[0] + np.arange(n_frames))
    frames = np.concatenate(runs)
    request = Request(length=f"{len(frames)}f", **asked)
    problem = pose_problem(model, request)
    return make_plan(model, problem, make_answer(model, problem, frames, "test"), request), request


def changed_by(plan: Plan, number: int) -> range:
    """The frames of the answer that a join may change."""
    join, begin = plan.joins[number], plan.begins[number + 1]
    kind = KINDS[join.kind]
    before, after = (round(part * join.seconds * plan.fps) for part in (kind.before, kind.after))
    return range(begin - before, begin + after)


@pytest.mark.parametrize("seed", range(4))
def test_pieces_stay_and_joins_fit_between_them(model, bars, seed):
    plan, request = play(model, [70, 8, 40, 3, 60], seed)
    smooth = smooth_plan(plan, model, pose_problem(model, request), bars)
    assert smooth.pieces == plan.pieces and smooth.request == plan.request
    assert smooth.joins == fit_joins(smooth.pieces, smooth.joins, smooth.fps)
    assert assemble(smooth, model.view).motion.n_frames == 181


@pytest.mark.parametrize("seed", range(3))
def test_chosen_joins_are_about_as_calm_as_the_calmest_kind(model, bars, seed):
    plan, request = play(model, [80, 90, 80], seed)
    smooth = smooth_plan(plan, model, pose_problem(model, request), bars)
    peaks = []
    for way in WAYS:
        joins = fit_joins(plan.pieces, (way,) * 2, plan.fps)
        peaks.append(peaks_of(model, replace(plan, joins=joins), bars))
    assert (peaks_of(model, smooth, bars) <= np.max(peaks, axis=0) + 1e-9).all()
    assert (peaks_of(model, smooth, bars) <= np.min(peaks, axis=0) + 0.15).all()


def peaks_of(model: Model, plan: Plan, bars) -> np.ndarray:
    motion = assemble(plan, model.view).motion
    return np.array([peak.acceleration for peak in measure_joins(motion, list(plan.begins[1:]), bars)])


@pytest.mark.parametrize(
    "at, n_frames", [(60, 60), (60, 1), (70, 10), (119, 1), (20, 30), (130, 20), (55, 4), (121, 3), (59, 62)]
)
def test_joins_stay_out_of_forced_frames(model, bars, at, n_frames):
    plan, _ = play(model, [60, 60, 60], seed=1)
    number = next(i for i, begin in reversed([*enumerate(plan.begins)]) if begin <= at)
    piece = plan.pieces[number]
    start = piece.start + at - plan.begins[number]
    stop = min(start + n_frames, piece.stop)
    forced = ForcedFrames(at=f"{at}f", take=piece.name, start=start, stop=stop)
    request = Request(length="180f", frames=(forced,))
    smooth = smooth_plan(plan, model, pose_problem(model, request), bars)
    kept = range(at, at + stop - start)
    for number in range(2):
        assert not set(changed_by(smooth, number)) & set(kept)
        assert smooth.joins[number].seconds > 0


def test_a_cut_between_two_forced_clips_is_joined_briefly(model, bars):
    plan, _ = play(model, [60, 60], seed=2)
    one, two = plan.pieces
    frames = (
        ForcedFrames(at="50f", take=one.name, start=one.start + 50, stop=one.stop),
        ForcedFrames(at="60f", take=two.name, start=two.start, stop=two.start + 10),
    )
    request = Request(length="120f", frames=frames)
    smooth = smooth_plan(plan, model, pose_problem(model, request), bars)
    assert smooth.joins == (BETWEEN_FORCED,)


def test_a_plan_of_one_piece_stays_as_it_is(model, bars):
    plan, request = play(model, [50], seed=0)
    assert smooth_plan(plan, model, pose_problem(model, request), bars).joins == ()
