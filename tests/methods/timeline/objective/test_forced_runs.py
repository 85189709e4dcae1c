"""A forced frame brings frames of its own recording, wherever there is room for them."""

import numpy as np
import pytest

from motionloom.methods.timeline import Request
from motionloom.methods.timeline.objective.forced_clips import LEAST_BROUGHT, MOST_BROUGHT
from motionloom.methods.timeline.objective.problem import pose_problem
from motionloom.methods.timeline.solvers.solver import solve_problem


def pose(model, **asked):
    return pose_problem(model, Request.from_data(asked))


def forced(at, take, frame):
    return {"at": f"{at}f", "take": f"take_{take}", "frame": frame}


def own_frames(model, frames, clip):
    """The frames without a cut around a clip, in an answer."""
    follows = model.following[frames[:-1]] == frames[1:]
    first, last = clip.at, clip.stop - 1
    while first and follows[first - 1]:
        first -= 1
    while last < len(follows) and follows[last]:
        last += 1
    return last + 1 - first


def test_a_frame_in_the_middle_brings_as_many_before_as_after(tiny):
    model = tiny((200, 200), {})
    (run,) = pose(model, length="200f", frames=[forced(100, 1, 80)]).runs
    assert (run.at, run.first, run.n_frames, run.short) == (85, 265, 32, "")


@pytest.mark.parametrize(
    ("at", "frame", "n_frames", "why"),
    [
        (0, 80, 32, ""),  # at the start all come after it
        (199, 80, 32, ""),
        (100, 0, 32, ""),
        (100, 199, 32, ""),
        (3, 195, 8, "the motion begins and take_1 ends"),
        (199, 3, 4, "take_1 begins and the motion ends"),
    ],
)
def test_what_one_side_has_no_room_for_the_other_brings(tiny, at, frame, n_frames, why):
    import re

    model = tiny((200, 200), {})
    (run,) = pose(model, length="200f", frames=[forced(at, 1, frame)]).runs
    assert run.n_frames == n_frames
    assert re.search(why, run.short) if why else not run.short


def test_paint_that_contradicts_the_recording_leaves_room_for_eight(tiny):
    track = np.full(400, -1)
    track[200:] = 1  # all of the second take is `a`
    model = tiny((200, 200), {"a": track})
    not_a = {"label": "a", "from": "0f", "to": "200f", "value": "must_not"}
    (run,) = pose(model, length="200f", frames=[forced(100, 1, 80)], labels=[not_a]).runs
    assert run.n_frames == LEAST_BROUGHT and "not a is painted" in run.short
    near = not_a | {"to": "95f"}
    (run,) = pose(model, length="200f", frames=[forced(100, 1, 80)], labels=[near]).runs
    assert (run.at, run.n_frames, run.short) == (95, MOST_BROUGHT, "")


def test_two_clips_share_the_time_between_them(tiny):
    model = tiny((200, 200), {})
    first, second = pose(model, length="200f", frames=[forced(100, 0, 80), forced(111, 1, 80)]).runs
    assert first.stop <= second.at and first.n_frames == second.n_frames == MOST_BROUGHT
    _, second, _ = pose(model, length="200f", frames=[forced(100, 0, 80), forced(103, 1, 80), forced(106, 0, 20)]).runs
    assert second.n_frames == 3 and "take_0 is forced at 1.67 s" in second.short and "at 1.77 s" in second.short


@pytest.mark.parametrize("seed", range(12))
def test_every_answer_has_what_a_forced_frame_is_said_to_bring(tiny, seed):
    rng = np.random.default_rng(seed)
    lengths = rng.integers(3, 90, 5)
    tracks = {"a": rng.choice([-1, 0, 1], lengths.sum())}
    model = tiny(lengths, tracks, seed=seed)
    total = int(rng.integers(40, 150))
    moments = sorted(rng.choice(total, 3, replace=False).tolist())
    takes = rng.integers(0, 5, 3)
    asked = [forced(at, take, int(rng.integers(lengths[take]))) for at, take in zip(moments, takes)]
    paint = [{"label": "a", "from": "10f", "to": "30f"}]
    problem = pose(model, length=f"{total}f", frames=asked, labels=paint if seed % 2 else [])
    for clip, run in zip(problem.forced, problem.runs):
        assert run.at <= clip.at and clip.stop <= run.stop and run.first - run.at == clip.first - clip.at
        assert (run.n_frames < MOST_BROUGHT) == bool(run.short)
    assert all(before.stop <= after.at for before, after in zip(problem.runs, problem.runs[1:]))
    for solution in solve_problem(model, problem):
        for clip, run in zip(problem.forced, problem.runs):
            np.testing.assert_array_equal(solution.frames[run.at : run.stop], run.first + np.arange(run.n_frames))
            assert own_frames(model, solution.frames, clip) >= run.n_frames
