"""Running a method: the best answer of a stream, other answers, deadlines, and results of several characters."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from motionloom.assembly import (
    BEST,
    OTHER,
    Answer,
    Generated,
    Performed,
    Piece,
    Plan,
    Ranking,
    follow,
    learn_yardsticks,
    measure_performed,
    play,
    prepare_for,
    realize,
    solve,
)
from motionloom.conform.statistics import describe_used
from motionloom.motion import PointMotion


def answer(cost, **more):
    """An answer that plays two points for four frames."""
    motion = PointMotion(("a", "b"), np.full((4, 2, 3), float(cost)), 30.0)
    plan = Plan((Piece(Generated(motion, "still"), 0, 4),), (), 30.0, "", request={"asked": "stillness"})
    return Answer((plan,), float(cost), state=cost, costs={"all": float(cost)}, **more)


def method(*stream, seen=None):
    """A method whose search yields these answers until it is stopped, the first in any case."""

    def search(model, request, *, seed, stop, previous, others, progress):
        if seen is not None:
            seen.update(model=model, request=request, seed=seed, previous=previous, others=others)
        for number, found in enumerate(stream):
            if number and stop is not None and stop():
                return
            yield found

    return SimpleNamespace(search=search)


def test_the_cheapest_answer_comes_first_and_every_better_one_is_heard_of():
    heard = []
    found = solve(
        method(answer(5), answer(5), answer(3), answer(3, is_settled=True)), None, None, on_better=heard.append
    )
    assert [answer.cost for answer in found] == [3.0] and found[0].is_settled
    assert [answer.cost for answer in heard] == [5.0, 3.0]


def test_what_a_search_settles_on_counts_whatever_it_started_from():
    found = solve(method(answer(2), answer(3), answer(3, is_settled=True)), None, None, previous=answer(2))
    assert found[0].cost == 3.0


def test_other_answers_follow_by_their_cost_and_not_more_than_were_asked_for():
    stream = [answer(3, is_settled=True), *(answer(cost, kind=OTHER) for cost in (9, 4, 2, 1))]
    assert [answer.cost for answer in solve(method(*stream), None, None, others=3)] == [2.0, 3.0, 4.0, 9.0]
    assert [answer.cost for answer in solve(method(*stream), None, None)] == [3.0]


def test_another_answer_that_is_cheaper_becomes_the_best_and_the_former_best_one_of_the_others():
    best, other, dearer = answer(3, is_settled=True), answer(2, kind=OTHER, differs=0.4), answer(4, kind=OTHER)
    followed = list(follow(method(best, other, dearer), None, None, others=2))
    assert [(found.cost, found.kind, found.is_settled) for found in followed] == [
        (3.0, BEST, True),
        (2.0, OTHER, False),
        (4.0, OTHER, False),
        (2.0, BEST, True),
        (3.0, OTHER, False),
    ]
    assert followed[3].plans is other.plans and followed[4].differs == 0.4
    ranking = Ranking()
    assert [ranking.add(found) for found in followed] == [True, False, False, True, False]
    assert (ranking.best, ranking.others) == (followed[3], [followed[4], dearer])


def test_what_is_followed_is_better_than_all_before_and_settles_however_the_search_ends():
    stream = [answer(cost) for cost in (5, 6, 4, 4, 3)]
    assert [found.cost for found in follow(method(*stream), None, None)] == [5.0, 4.0, 3.0, 3.0]
    calls = iter([False, True])
    stopped = list(follow(method(*stream), None, None, stop=lambda: next(calls)))
    assert [(found.cost, found.is_settled) for found in stopped] == [(5.0, False), (5.0, True)]


def test_a_search_ends_when_its_time_is_over_or_somebody_stops_it_but_has_an_answer():
    stream = [answer(cost) for cost in (5, 4, 3)]
    assert solve(method(*stream), None, None, seconds=0.0)[0].cost == 5.0
    assert solve(method(*stream), None, None, stop=lambda: True)[0].cost == 5.0
    assert solve(method(*stream), None, None, seconds=1000.0, stop=lambda: True)[0].cost == 5.0
    assert solve(method(*stream), None, None, seconds=1000.0, stop=lambda: False)[0].cost == 3.0


def test_everything_that_a_search_wants_to_know_is_handed_on():
    seen, before = {}, answer(7)
    solve(method(answer(1), seen=seen), "model", "request", seed=4, others=2, previous=before)
    assert seen == {"model": "model", "request": "request", "seed": 4, "previous": before, "others": 2}


def test_a_model_is_prepared_from_the_material_of_the_request():
    calls = []
    prepared = SimpleNamespace(
        material_of=lambda corpus, request: (corpus, request, "material"),
        prepare=lambda *given, progress: calls.append((*given, progress)) or "model",
    )
    assert prepare_for(prepared, "corpus", "request", "settings", progress=print) == "model"
    assert calls == [("corpus", ("corpus", "request", "material"), "settings", print)]


def test_realizing_performs_and_judges_with_the_other_answers():
    best, other, stop = answer(1), answer(2), bool
    judged = SimpleNamespace(
        perform=lambda given, model, *, stop: Performed(given, (play(given.plan),)),
        judge=lambda performed, model, *, others, stop: (performed.answer, model, others, stop),
    )
    assert realize(judged, best, "model", others=[other], stop=stop) == (best, "model", [other], stop)


def test_several_characters_are_measured_together_and_their_lines_name_them(view, plans):
    name = view.names[0]
    plan = plans.recorded((name, 5, 45), (name, 50, 80), request={"asked": "two"})
    body = replace(play(plan, view), name="leader", notes=("slips",))
    face = replace(play(answer(1).plan), name="face")
    answered = Answer((plan, answer(1).plan), 1.0, None)
    yardsticks = learn_yardsticks(view)
    result = measure_performed(Performed(answered, (body, face)), yardsticks)
    assert [character.name for character in result.characters] == ["leader", "face"]
    of_body = [line for line in result.report.quality if line.name.startswith("leader: ")]
    of_face = [line for line in result.report.quality if line.name.startswith("face: ")]
    assert of_body and of_face and [*of_body, *of_face] == list(result.report.quality)
    assert all(line.value is None and line.note for line in of_face)  # there are no recordings of such points
    assert result.report.notes == ("leader: slips", *describe_used(view))
    assert dict(result.report.asked) == {"asked": "two"}
    alone = measure_performed(Performed(replace(answered, plans=answered.plans[:1]), (body,)), yardsticks)
    assert [line.value for line in alone.report.quality] == [line.value for line in of_body]
    quick = measure_performed(Performed(answered, (body, face)), yardsticks, quick=True)
    assert not quick.report.quality and len(quick.characters) == 2


@pytest.mark.parametrize("costs", [{}, {"labels": 3.0, "cuts": 0.0, "places": 2.5}])
def test_an_answer_describes_its_cost_by_what_it_is_made_of(costs):
    described = Answer((), 5.5, None, costs=costs).describe()
    assert described == ("cost 5.5: labels 3.0, places 2.5" if costs else "cost 5.5")
