"""The search over the whole corpus: near the best there is, always an answer, forced frames where they must be."""

from dataclasses import replace
from itertools import groupby

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.methods.timeline.objective.costs import cost_of, find_cuts
from motionloom.methods.timeline.objective.problem import pose_problem
from motionloom.methods.timeline.objective.slots import chain_frames
from motionloom.methods.timeline.passes import forward_backward
from motionloom.methods.timeline.passes.cut_refinement import refine
from motionloom.methods.timeline.passes.exact import solve_exactly
from motionloom.methods.timeline.passes.trellis import make_trellis
from motionloom.methods.timeline.request import ForcedFrames, GlobalSettings, Paint, Place, Request, Settings
from motionloom.methods.timeline.solvers import global_search

LENGTHS = (40, 9, 55, 30, 5)
REQUEST = Request("75f", (Paint("walk", "3f", "40f"), Paint("wave", "21f", "end", "must_not")))


def make(tiny, seed=0, lengths=LENGTHS, **settings):
    rng = np.random.default_rng(seed)
    tracks = {
        name: np.repeat(rng.choice([-1, 1], 1 + sum(lengths) // 7), 7)[: sum(lengths)] for name in ("walk", "wave")
    }
    wanted = GlobalSettings(**{"neighbours": 5, "dense": 20, **settings})
    return tiny(lengths, tracks, seed=seed, neighbours=wanted.neighbours, settings=Settings(by_all=wanted))


def answers_of(model, problem, *, others=0, stop=None, recall=None):
    """All that a search finds, then so many others."""
    found = list(global_search.search(model, problem, stop=stop, recall=recall))
    return [*found, *global_search.search_others(model, problem, found[-1], others, stop=stop)]


@given(st.integers(0, 2**32 - 1), st.integers(1, 60))
def test_answers_have_any_length_and_never_cost_less_than_the_exact_program_over_single_frames(tiny, seed, n_frames):
    model = make(tiny, seed, (20, 9, 30, 3))
    problem = pose_problem(model, Request(f"{n_frames}f", (Paint("walk"), Paint("wave", value="must_not"))))
    found = answers_of(model, problem)
    least = cost_of(model, problem, solve_exactly(model, problem, 1)).total
    assert [answer.kind for answer in found] == ["first", "best"]
    for answer in found:
        assert answer.frames.shape == (n_frames,)
        assert ((answer.frames >= 0) & (answer.frames < model.n_frames)).all()
        assert answer.cost == cost_of(model, problem, answer.frames).total
        assert answer.cost >= least - 1e-9
    assert found[1].cost <= found[0].cost + 1e-9


@pytest.mark.parametrize("seed", range(5))
def test_the_best_answer_is_exact_where_everything_is_looked_at(tiny, seed):
    model = make(tiny, seed, neighbours=200, dense=200)
    problem = pose_problem(model, REQUEST)
    exact = solve_exactly(model, problem)
    trellis = make_trellis(model, problem)
    *_, chain = global_search.find_chains(trellis)
    assert cost_of(model, problem, chain_frames(trellis.slots, chain)).total == pytest.approx(
        cost_of(model, problem, exact).total
    )
    assert answers_of(model, problem)[-1].cost <= cost_of(model, problem, refine(model, problem, exact)).total + 1e-6


def test_a_search_has_no_chance_in_it(tiny):
    model = make(tiny)
    problem = pose_problem(model, REQUEST)
    one = answers_of(model, problem, others=2)
    other = answers_of(model, problem, others=2)
    assert len(one) == len(other) == 4
    for a, b in zip(one, other):
        np.testing.assert_array_equal(a.frames, b.frames)


@pytest.mark.parametrize("after", [0, 1, 5, 20])
def test_a_search_that_is_stopped_gives_an_answer_and_ends(tiny, after):
    model = make(tiny)
    problem = pose_problem(model, replace(REQUEST, frames=(ForcedFrames("11f", "take_2", start=7, stop=20),)))
    asked = []

    def stop():
        asked.append(len(asked))
        return len(asked) > after

    found = answers_of(model, problem, stop=stop)
    assert found
    assert found[0].frames[11:24].tolist() == list(range(49 + 7, 49 + 20))
    assert len(asked) <= after + 1
    if len(asked) > after:  # it was stopped
        assert list(global_search.search_others(model, problem, found[-1], 3, stop=stop)) == []
        assert len(asked) <= after + 2


@given(st.integers(0, 2**32 - 1), st.integers(0, 30), st.integers(1, 25), st.integers(0, 20), st.integers(1, 6))
def test_forced_frames_are_where_they_must_be(tiny, seed, at, n_forced, first, gap):
    model = make(tiny, seed)
    again = at + n_forced + gap
    forced = (
        ForcedFrames(f"{at}f", "take_2", start=first, stop=first + n_forced),
        ForcedFrames(f"{again}f", "take_1", frame=8),  # the last frame of its take
    )
    problem = pose_problem(model, replace(REQUEST, frames=forced))
    for answer in answers_of(model, problem, others=1):
        assert answer.frames[at : at + n_forced].tolist() == list(range(49 + first, 49 + first + n_forced))
        assert answer.frames[again] == 48
        assert answer.frames.shape == (75,)


def test_a_corpus_of_one_short_take_is_cut_again_and_again(tiny):
    model = make(tiny, lengths=(6,), neighbours=3)
    problem = pose_problem(model, Request("50f", (Paint("walk"),)))
    answer = answers_of(model, problem)[-1]
    assert answer.frames.shape == (50,)
    assert len(find_cuts(model, answer.frames)) >= 8


def test_other_answers_come_from_elsewhere_and_say_how_much(tiny):
    model = make(tiny, lengths=(60, 60, 60, 60, 60))
    problem = pose_problem(model, Request("64f", (Paint("walk", "0f", "30f"),)))
    found = answers_of(model, problem, others=3)
    best, others = found[1], found[2:]
    assert [answer.kind for answer in others] == ["other"] * 3
    seen = [best]
    for other in others:
        assert other.cost >= best.cost - 1e-9
        assert other.cost == cost_of(model, problem, other.frames).total
        shares = [global_search.differing_share(model, other.frames, before.frames) for before in seen]
        assert other.differs == min(shares) > 0.3
        seen.append(other)


def test_long_requests_are_searched_in_parts_with_the_same_outcome(tiny, monkeypatch):
    model = make(tiny)
    problem = pose_problem(model, replace(REQUEST, length="190f"))
    whole = answers_of(model, problem)
    monkeypatch.setattr(forward_backward, "MOST_KEPT", 100)
    for one, other in zip(whole, answers_of(model, problem), strict=True):
        np.testing.assert_array_equal(one.frames, other.frames)


def test_long_requests_stop_at_once_while_parts_are_made_again(tiny, monkeypatch):
    model = make(tiny)
    problem = pose_problem(model, replace(REQUEST, length="190f"))
    steps, backward_step = [], forward_backward.backward_step
    monkeypatch.setattr(forward_backward, "MOST_KEPT", 100)
    monkeypatch.setattr(forward_backward, "backward_step", lambda *args: steps.append(args) or backward_step(*args))
    n_slots = make_trellis(model, problem).n_slots
    found = answers_of(model, problem, stop=lambda: len(steps) > n_slots + 2)  # it has run back over all, once
    assert len(found) == 1
    assert len(steps) == n_slots + 3


def test_answers_differ_where_they_come_from_elsewhere(tiny):
    model = make(tiny)
    frames = np.arange(20)
    assert global_search.differing_share(model, frames, frames) == 0
    assert global_search.differing_share(model, frames, frames + 5) == 0  # much the same motion, a little later
    assert global_search.differing_share(model, frames, frames + 60) == 1
    assert global_search.differing_share(model, frames, np.concatenate([frames[:5], frames[:15] + 60])) == 0.75


@given(st.integers(0, 2**32 - 1), st.booleans())
def test_refining_never_makes_an_answer_dearer_and_keeps_what_is_forced(tiny, seed, with_place):
    model = make(tiny, seed)
    forced = (ForcedFrames("30f", "take_2", start=2, stop=9),)
    places = (Place("end", (1.0, 0.5), 20.0),) if with_place else ()
    problem = pose_problem(model, replace(REQUEST, frames=forced, places=places))
    rng = np.random.default_rng(seed)
    frames = np.concatenate([start + np.arange(7) for start in rng.integers(0, 30, 11)])[:75]
    frames[30:37] = 49 + np.arange(2, 9)
    refined = refine(model, problem, frames)
    assert refined.shape == frames.shape
    assert refined[30:37].tolist() == frames[30:37].tolist()
    assert cost_of(model, problem, refined).total <= cost_of(model, problem, frames).total + 1e-9
    offsets = frames - np.arange(75)  # a piece is played as it was, for longer or shorter
    kept = iter([offset for offset, _ in groupby(offsets)])
    assert all(offset in kept for offset, _ in groupby(refined - np.arange(75)))


@given(st.integers(0, 2**32 - 1), st.lists(st.integers(1, 14), min_size=2, max_size=8))
def test_refining_leaves_no_piece_shorter_than_a_join_has_room_for(tiny, seed, lengths):
    rng, n_frames = np.random.default_rng(seed), sum(lengths)
    model = make(tiny, seed % 5)
    places = ({"position": [0.3, 0.2]},) if seed % 2 else ()
    problem = pose_problem(model, Request.from_data({"length": f"{n_frames}f", "places": [*places]}))
    frames = np.concatenate([rng.integers(0, 26) + np.arange(n) for n in lengths])
    before, after = (
        np.diff([0, *find_cuts(model, played), n_frames]) for played in (frames, refine(model, problem, frames))
    )
    if len(before) == len(after):  # none was lost by moving a cut to where its recording goes on
        assert (after >= np.minimum(before, 8)).all()


def test_refining_finds_the_best_places_of_two_cuts_together(tiny):
    model = make(tiny, 3)
    problem = pose_problem(model, Request("30f", (Paint("walk", "5f", "20f"),)))
    frames = np.concatenate([np.arange(2, 12), np.arange(60, 70), np.arange(110, 120)])
    best = min(
        cost_of(
            model,
            problem,
            np.concatenate([np.arange(2, 2 + a), np.arange(50 + a, 50 + b), np.arange(90 + b, 120)]),
        ).total
        for a in range(8, 15)
        for b in range(a + 8, 23)  # no piece gets shorter than eight frames
    )
    assert cost_of(model, problem, refine(model, problem, frames)).total == pytest.approx(best)


@pytest.mark.parametrize(
    "changed",
    [
        REQUEST,
        replace(REQUEST, labels=(Paint("walk", "3f", "30f"), *REQUEST.labels[1:])),
        replace(REQUEST, length="90f", labels=(Paint("walk", "3f", "40f"), Paint("wave", "21f", "75f", "must_not"))),
        replace(REQUEST, frames=(ForcedFrames("11f", "take_2", start=7, stop=20),)),
        replace(REQUEST, alpha=0.4),
    ],
)
def test_a_search_that_recalls_the_one_before_finds_the_same(tiny, changed):
    model, recall = make(tiny), forward_backward.Recall()
    answers_of(model, pose_problem(model, REQUEST), recall=recall)
    problem = pose_problem(model, changed)
    for one, other in zip(answers_of(model, problem, recall=recall), answers_of(model, problem), strict=True):
        np.testing.assert_array_equal(one.frames, other.frames)


def test_a_search_that_recalls_the_one_before_steps_over_what_has_changed_only(tiny, monkeypatch):
    model, recall, steps, backward_step = make(tiny), forward_backward.Recall(), [], forward_backward.backward_step
    answers_of(model, pose_problem(model, REQUEST), recall=recall)
    monkeypatch.setattr(forward_backward, "backward_step", lambda *args: steps.append(args) or backward_step(*args))
    changed = replace(REQUEST, labels=(Paint("walk", "5f", "40f"), *REQUEST.labels[1:]))
    answers_of(model, pose_problem(model, changed), recall=recall)
    assert len(steps) == 1
    answers_of(make(tiny), pose_problem(model, changed), recall=recall)  # another model shares nothing
    assert len(steps) == make_trellis(model, pose_problem(model, changed)).n_slots


def test_other_answers_can_be_asked_for_later(tiny):
    model = make(tiny, lengths=(60, 60, 60))
    problem = pose_problem(model, Request("64f", (Paint("walk", "0f", "30f"),)))
    found = answers_of(model, problem, others=2)
    later = list(global_search.search_others(model, problem, found[1], 2))
    for one, other in zip(found[2:], later, strict=True):
        np.testing.assert_array_equal(one.frames, other.frames)
        assert one.differs == other.differs
    assert list(global_search.search_others(model, problem, found[1], 2, stop=lambda: True)) == []
