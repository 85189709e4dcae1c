"""Building up: sequences grow step by step, say what they could not do, and shrink to what they were."""

import re
from dataclasses import replace

import numpy as np
import pytest

from motionloom.assembly import BEST, realize, solve
from motionloom.errors import BadInput
from motionloom.graphs.view_measures import measure_view_angles
from motionloom.methods import buildup
from motionloom.methods.buildup import Material, Pose, Request, Settings, Step
from motionloom.methods.buildup.sequence.entries import LastPose, find_entries
from motionloom.methods.buildup.sequence.sequence import BuiltSequence, start_at, start_from, where_ends, where_is
from motionloom.methods.buildup.sequence.steps import (
    ABOUT_SECONDS,
    HEADING_WITHIN,
    find_ways,
    frame_of_pose,
    group_of_pose,
)
from motionloom.methods.buildup.sequence.ways import Browser
from motionloom.methods.buildup.tree.end_index import Grid
from motionloom.methods.buildup.tree.search_tree import GrowthSettings
from motionloom.motion.angles import wrap_angle

SMALL = Settings(growth=GrowthSettings(seconds=8.0, nodes=60_000))
STEPS = [
    {"pose": {"label": "wave"}, "place": [0.5, 2.0], "within": 3.0},
    {"place": [1.0, 3.0], "within": 2.0},
    {"for": "1.5s"},
]


@pytest.fixture(scope="module")
def small(model):
    return replace(model, settings=SMALL)


def ask(*steps, **more):
    return Request.from_data({"start": {"position": [0.5, -1.0], "heading": 30}, "steps": list(steps), **more})


def only(model, request, **more):
    return next(iter(buildup.search(model, request, **more)))


def same_answer(one, other):
    assert [plan.to_data() if hasattr(plan, "to_data") else plan.describe() for plan in one.plans] == [
        plan.to_data() if hasattr(plan, "to_data") else plan.describe() for plan in other.plans
    ]
    for a, b in zip(one.plans[0].pieces, other.plans[0].pieces):
        assert (a.name, a.start, a.stop) == (b.name, b.start, b.stop)
        np.testing.assert_array_equal(a.placement.slide, b.placement.slide)


def test_extending_and_backing_up_gives_the_old_motion(small):
    before = only(small, ask(*STEPS[:2]))
    longer = only(small, ask(*STEPS), previous=before)
    back = only(small, ask(*STEPS[:2]), previous=longer)
    assert longer.state.characters[0].sequence.n_frames > before.state.characters[0].sequence.n_frames
    assert len(longer.state.characters[0].sequence.stretches) == 4
    same_answer(back, before)


def test_extending_leaves_what_was_there_as_it_was(small):
    before, longer = only(small, ask(*STEPS[:2])), only(small, ask(*STEPS))
    old, new = (answer.state.characters[0].sequence.stretches for answer in (before, longer))
    for a, b in zip(old, new):
        assert [(clip.name, clip.start, clip.stop) for clip in a.clips] == [
            (clip.name, clip.start, clip.stop) for clip in b.clips
        ]


def test_the_same_request_gives_the_same_motion(small):
    same_answer(*(only(small, ask(*STEPS)) for _ in range(2)))


def test_the_clips_of_a_way_play_it_again(small):
    """A way that was accepted is kept as its clips: they give what the search gave."""
    first = only(small, ask(*STEPS))
    stretches = first.state.characters[0].sequence.stretches[1:]
    kept = [
        {**step, "clips": [{"take": clip.name, "start": clip.start, "stop": clip.stop} for clip in stretch.clips]}
        for step, stretch in zip(STEPS, stretches)
    ]
    again = only(small, ask(*kept)).state.characters[0].sequence
    for one, other in zip(stretches, again.stretches[1:]):
        np.testing.assert_allclose(where_ends(small, one), where_ends(small, other), atol=1e-9)
        np.testing.assert_allclose(one.distances, other.distances)


def test_steps_end_as_they_are_asked_to(small):
    taken = only(small, ask({"pose": {"label": "wave"}, "heading": 90}, {"for": "2s"})).state.characters[0].taken
    turned, lasting = (step.stretch for step in taken)
    assert all(step.why_not == "" for step in taken)
    assert abs(np.degrees(wrap_angle(where_ends(small, turned)[2] - np.pi / 2))) <= HEADING_WITHIN + 1e-6
    assert abs(lasting.n_played / 60 - 2.0) <= max(0.15 * 2.0, ABOUT_SECONDS) + 1e-9


def test_a_step_without_a_place_takes_the_soonest_end_wherever_on_the_floor_it_is(small):
    """Not the nearest to the origin."""
    request = Request.from_data(
        {"start": {"position": [30.0, -12.0]}, "steps": [{"pose": {"label": "wave"}, "for": "6s"}]}
    )
    character = only(small, request).state.characters[0]
    index = Browser.of(small, BuiltSequence(character.sequence.stretches[:1])).index
    least = (6.0 - 0.15 * 6.0) * small.fps
    times = index.times[(index.groups == small.group_of_label("wave")) & (index.times >= least)]
    assert character.sequence.stretches[1].n_recorded == times.min()


def test_what_cannot_be_reached_is_said_with_a_way_out(small):
    far = only(small, ask({"place": [90.0, 0.0]})).state.characters[0]
    assert far.taken[0].why_not.startswith("out of reach: the nearest end is ")
    assert far.taken[0].stretch is not None
    missing = only(small, ask({**STEPS[1], "way": 90})).state.characters[0].taken[0]
    assert "the last" in missing.why_not or "one way only" in missing.why_not


@pytest.mark.parametrize("place", [[5000.0, 0.0], [0.0, -1e300]])
def test_a_place_in_the_wrong_unit_is_out_of_reach_too_and_what_was_asked_besides_holds(small, place):
    far = only(small, ask({"place": place, "pose": {"label": "wave"}})).state.characters[0]
    (taken,) = far.taken
    assert taken.why_not.startswith("out of reach: the nearest end is ")
    assert taken.stretch is not None
    index = Browser.of(small, BuiltSequence(far.sequence.stretches[:1])).index
    chosen = index.groups == small.group_of_label("wave")
    least = np.hypot(*(index.places[chosen, :2] - place).T).min()
    ends = np.array(where_ends(small, taken.stretch)[:2])
    assert np.hypot(*(ends - place)) == pytest.approx(least)


def test_a_duration_that_no_way_has_gives_the_nearest(small):
    long = only(small, ask({"for": "100s"})).state.characters[0]
    assert long.taken[0].why_not.startswith("no way has this duration; the nearest takes ")
    browser = Browser.of(small, BuiltSequence(long.sequence.stretches[:1]))
    assert long.sequence.stretches[1].n_played == browser.index.times.max()


def test_a_pose_that_cannot_be_reached_is_said_with_the_nearest_that_can(small):
    browser = Browser.of(small, only(small, ask(*STEPS[:1])).state.characters[0].sequence)
    asked = Step(pose=Pose(label="wave"))
    group = group_of_pose(small, asked.pose)
    others = browser.index.groups != group
    kept = {name: getattr(browser.index, name)[others] for name in ("nodes", "frames", "groups", "places", "times")}
    grid = Grid.of(kept["places"], kept["times"], kept["groups"], small.groups.n_groups)
    index = replace(browser.index, grid=grid, **kept)
    ways, why_not = find_ways(small, replace(browser, index=index), asked)
    assert not ways
    found = re.fullmatch(
        r"this pose cannot be reached within 8 s from here; the nearest that can is frame ([0-9]+) of (.+)", why_not
    )
    assert found is not None
    named = group_of_pose(small, Pose(found[2], int(found[1])))
    centres = small.groups.centres
    apart = [measure_view_angles(small.view).pairs(centres[group], centre) for centre in centres]
    assert named == min((other for other in np.unique(index.groups)), key=lambda other: apart[other])


@pytest.mark.parametrize(
    "missed",
    [
        [{"for": "1.5s"}, {**STEPS[1], "begins": "0.2s"}],  # what comes before lasts longer
        [{**STEPS[1], "way": 90}],
    ],
)
def test_what_a_step_misses_is_reported_though_its_place_is_met(small, missed):
    result = realize(buildup, only(small, ask(*missed)), small)
    distance = next(part for part in result.report.parts if part.name.endswith("distance"))
    assert distance.met
    (told,) = (part for part in result.report.parts if not part.met)
    assert told.name.endswith(": at") and told.why_not.count(";") + told.why_not.count(",") >= 1


def test_an_exact_duration_is_met_to_the_frame_or_missed_by_how_much(small):
    (way,) = only(small, ask({"for": "2s"})).state.characters[0].sequence.stretches[1:]
    near = f"{round(1.05 * way.n_recorded)}f"
    met = realize(buildup, only(small, ask({"for": near, "exact": True})), small)
    (part,) = (part for part in met.report.parts if part.name.endswith("duration off by"))
    assert part.met and part.value == 0
    clips = [{"take": clip.name, "start": clip.start, "stop": clip.stop} for clip in way.clips]
    far = realize(buildup, only(small, ask({"for": f"{2 * way.n_recorded}f", "exact": True, "clips": clips})), small)
    (part,) = (part for part in far.report.parts if part.name.endswith("duration off by"))
    assert not part.met and 0.5 < part.value * small.fps / way.n_recorded < 1


def test_other_answers_go_another_way(small):
    best, *others = solve(buildup, small, ask(*STEPS[:1]), others=2)
    assert best.kind == BEST
    clips = [
        [(clip.name, clip.start, clip.stop) for clip in answer.state.characters[0].sequence.stretches[-1].clips]
        for answer in (best, *others)
    ]
    assert len(others) > 0
    assert all(clips[0] != other for other in clips[1:])


def test_exact_steps_end_where_they_are_asked_to(small):
    asked = ask({"place": [0.8, 0.9], "within": 2.0, "exact": True})
    (answer, *_) = solve(buildup, small, asked)
    result = realize(buildup, answer, small)
    (part,) = [part for part in result.report.parts if part.name.endswith("distance")]
    assert part.met and part.value < 0.01


def test_a_pose_is_named_by_a_frame_of_a_take_or_by_a_label(small):
    take = small.view.names[0]
    pose = buildup.Pose(take=take, frame=40)
    start, _ = small.view.range_of(take)
    assert abs(small.view.source_frames[frame_of_pose(small, pose)] - 40) <= 0.5
    assert group_of_pose(small, pose) == small.groups.of_frame[start + 40 * round(small.fps) // 60]
    assert group_of_pose(small, buildup.Pose(label="wave")) == small.group_of_label("wave")
    with pytest.raises(BadInput, match="has the label 'fly'; there are"):
        group_of_pose(small, buildup.Pose(label="fly"))
    with pytest.raises(BadInput, match="is out of range"):
        frame_of_pose(small, buildup.Pose(take=take, frame=100_000))


def test_a_sequence_starts_where_it_is_asked_to(small):
    frame = int(small.tables.played_frames[100])
    sequence = start_at(small, frame, (1.0, -2.0, 0.3))
    np.testing.assert_allclose(where_ends(small, sequence.stretches[0]), (1.0, -2.0, 0.3), atol=1e-12)
    assert sequence.n_frames == 1
    whole = start_from(small, small.view.names[1], (0.0, 1.0, -2.0))
    start, stop = small.view.range_of(small.view.names[1])
    assert whole.n_frames == stop - start
    clip = whole.stretches[0].clips[0]
    np.testing.assert_allclose(where_is(small, start, clip.placement), (0.0, 1.0, -2.0), atol=1e-12)


def test_a_plan_plays_what_goes_on_in_one_piece(small):
    answer = only(small, ask(*STEPS))
    plan, sequence = answer.plans[0], answer.state.characters[0].sequence
    n_clips = sum(len(stretch.clips) for stretch in sequence.stretches)
    assert plan.n_frames == sequence.n_frames
    assert len(plan.pieces) <= n_clips
    assert all((a.name, a.stop) != (b.name, b.start) for a, b in zip(plan.pieces, plan.pieces[1:]))


def test_the_graph_is_entered_by_going_on_wherever_the_recording_does(small):
    for frame in small.tables.played_frames[::97]:
        (entry,) = find_entries(
            small, LastPose(int(frame), start_at(small, 0, (0, 0, 0)).stretches[0].clips[0].placement)
        )
        assert entry.begin == frame + 1
        assert entry.distance == entry.lead == 0


def test_the_graph_is_entered_where_poses_match_when_a_recording_ends(small):
    """At the end of a take nothing goes on: nearest poses do, placed so that they lie on the last."""
    stop = small.view.range_of(small.view.names[0])[1]
    if small.tables.node_at(stop - 1) >= 0:
        pytest.fail("the take of this test should end outside of the graph")
    placement = start_at(small, stop - 1, (2.0, 1.0, 0.5)).stretches[0].clips[0].placement
    entries = find_entries(small, LastPose(stop - 1, placement))
    here = np.array(where_is(small, stop - 1, placement))
    assert entries
    assert [entry.distance for entry in entries] == sorted(entry.distance for entry in entries)
    for entry in entries:
        assert small.tables.node_at(entry.begin) == entry.node
        there = np.array(where_is(small, entry.begin, entry.placement))
        assert np.linalg.norm(there[:2] - here[:2]) < 0.3


def test_a_model_for_takes_that_motions_begin_with_plays_them_once(small_corpus):
    """A take that is not searched is the beginning; what goes on from it are others."""
    searched, begun = ("wave/walk_and_wave_1", "walk/stop_and_go"), "run/walk_run_walk_1"
    request = Request.from_data({"takes": list(searched), "start_from": begun, "steps": [{"for": "2s"}], "groups": 10})
    model = buildup.prepare(small_corpus, buildup.material_of(small_corpus, request), SMALL)
    assert set(model.view.names) == {*searched, begun}
    sequence = only(model, request).state.characters[0].sequence
    assert sequence.stretches[0].clips[0].name == begun
    own = model.view.range_of(begun)
    assert not any(own[0] <= start < own[1] for start in model.graph.starts)
    alone = buildup.prepare(small_corpus, Material(searched, groups=10), SMALL)
    for name in searched:
        a, b = (each.groups.of_frame[slice(*each.view.range_of(name))] for each in (model, alone))
        np.testing.assert_array_equal(
            [model.clip_frame(int(c)) for c in model.groups.centres[a][:50]],
            [alone.clip_frame(int(c)) for c in alone.groups.centres[b][:50]],
        )
