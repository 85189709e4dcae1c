"""Graph walks: steps become clips that follow each other, and the motion is these clips and nothing else."""

import json

import numpy as np
import pytest

from motionloom.assembly import Join, assemble, read_plan, realize, solve, write_plan
from motionloom.errors import BadInput, FormatError
from motionloom.methods import snap
from motionloom.methods.snap.judge import played_clips
from motionloom.motion import Placement, compose, kinematics, place


def ask(**data):
    return snap.Request.from_data(data)


def walk(model, request, **options):
    """The answer to a request, and the clips that it plays."""
    answer = solve(snap, model, request, **options)[0]
    return answer.plan, played_clips(model, answer.plan, answer.state.taken)


def made(model, request):
    return realize(snap, solve(snap, model, request)[0], model)


def names(model, clips):
    return [model.graph.clips[taken.clip].name for taken in clips]


@pytest.fixture(scope="module")
def errand(walking):
    """A graph walk with something of everything."""
    request = ask(
        start={"position": [1.0, 2.0], "heading": 90},
        steps=[
            {"action": "turn_left", "times": 2},
            {"clip": walking.graph.clips[4].name},
            {"control": {"speed": 1.2, "curvature": 0.3}, "for": "4s"},
            {"label": "walk"},
        ],
    )
    plan, clips = walk(walking, request)
    return clips, plan, made(walking, request)


def test_each_clip_begins_at_the_node_and_placement_where_the_one_before_ends(walking, errand):
    played, plan, _ = errand
    clips = [walking.graph.clips[taken.clip] for taken in played]
    assert all(one.target == other.source for one, other in zip(clips, clips[1:]))
    placement = Placement(np.pi / 2, np.array([1.0, 2.0]))
    for piece, taken in zip(plan.pieces, played):
        np.testing.assert_allclose(piece.placement.slide, placement.slide, atol=1e-9)
        assert piece.placement.heading == pytest.approx(placement.heading)
        placement = compose(placement, walking.graph.placement(taken.clip))
    assert set(plan.joins) == {Join("cut", 0.0)}


def test_the_motion_is_the_stored_clips_bit_for_bit(walking, errand):
    clips, plan, result = errand
    for piece, taken in zip(plan.pieces, clips):
        stored = place(walking.graph.clip_motion(taken.clip), piece.placement)
        np.testing.assert_array_equal(result.motion.root_positions[taken.start : taken.stop], stored.root_positions)
        np.testing.assert_array_equal(result.motion.local_rotations[taken.start : taken.stop], stored.local_rotations)


def test_joins_are_no_larger_steps_than_the_clips_themselves(walking, errand):
    _, plan, result = errand
    positions = kinematics.world_positions(result.motion)
    steps = np.linalg.norm(np.diff(positions, axis=0), axis=-1).max(axis=1)
    at_joins = steps[np.array(plan.begins[1:]) - 1]
    assert at_joins.max() <= steps.max()
    accelerations = np.linalg.norm(np.diff(positions, 2, axis=0), axis=-1).max(axis=1)
    assert np.median(accelerations[np.array(plan.begins[1:]) - 1]) <= np.percentile(accelerations, 95)


def test_every_frame_names_the_recorded_frame_that_it_shows(walking, errand):
    clips, _, result = errand
    for taken in clips:
        clip = walking.graph.clips[taken.clip]
        start, _ = walking.view.range_of(clip.motion)
        shown = walking.view.source_frames[start + clip.start : start + clip.stop]
        for frame in (taken.start, taken.stop - 1):
            ((source, at, weight),) = result.provenance.of_frame(frame)
            assert (source.name, source.kind, weight) == (clip.motion, "recorded", 1.0)
            assert at == pytest.approx(shown[frame - taken.start])


def test_steps_are_done_in_their_order(walking, errand):
    clips, _, result = errand
    steps = [taken.step for taken in clips]
    assert steps == sorted(steps) and set(steps) == {0, 1, 2, 3}
    turns = next(action.clips for action in walking.graph.actions if action.name == "turn_left")
    assert [taken.clip in turns for taken in clips if taken.step == 0] == [True, True]
    assert [taken.clip for taken in clips if taken.step == 1] == [4]
    last = walking.graph.clips[clips[-1].clip]
    assert last.labels["walk"] > 0.5
    assert result.report.is_met, result.report.describe()
    assert [part.name.split(",")[0].split(" at ")[0] for part in result.report.parts] == [
        "step 1",
        "step 2",
        "step 3",
        "step 3",
        "step 4",
    ]


def test_an_action_that_is_done_again_takes_another_of_its_clips(walking):
    _, clips = walk(walking, ask(steps=[{"action": "turn_left", "times": 5}]))
    turns = next(action.clips for action in walking.graph.actions if action.name == "turn_left")
    assert len({taken.clip for taken in clips}) == min(5, len(turns))


def test_a_place_is_reached_within_what_is_allowed_and_the_report_says_how_near(walking):
    request = ask(steps=[{"place": [0.5, 3.0], "within": 0.4}])
    _, clips = walk(walking, request)
    end = clips[-1].ends_at
    miss = float(np.hypot(end.slide[0] - 0.5, end.slide[1] - 3.0))
    (part,) = made(walking, request).report.parts
    assert part.value == pytest.approx(miss)
    assert part.met == (miss <= 0.4)
    assert part.met


def test_a_place_too_far_away_is_missed_and_says_so(walking):
    request = ask(steps=[{"place": [4000.0, 0.0]}, {"action": "walk"}])
    result = made(walking, request)
    assert not result.report.parts[0].met
    assert result.report.parts[0].why_not
    assert result.report.parts[1].met


def test_controls_choose_the_nearest_clips(walking):
    _, left = walk(walking, ask(steps=[{"control": {"curvature": 0.8}, "for": "5s"}]))
    _, right = walk(walking, ask(steps=[{"control": {"curvature": -0.8}, "for": "5s"}]))
    turns = walking.planner.controls.turn
    assert sum(turns[taken.clip] for taken in left) > 0.5
    assert sum(turns[taken.clip] for taken in right) < -0.5
    assert abs(left[-1].stop / 60 - 5) < max(walking.graph.seconds)


@pytest.mark.parametrize("length", ["1s", "7s", "333f"])
def test_a_length_is_met_exactly(walking, length):
    request = ask(steps=[{"action": "turn_right", "times": 2}], length=length)
    result = made(walking, request)
    wanted = int(length[:-1]) * (60 if length.endswith("s") else 1)
    assert result.motion.n_frames == wanted
    assert result.report.parts[-1].met
    if length == "1s":
        assert not result.report.parts[0].met
        assert "the length that was asked" in result.report.parts[0].why_not


def test_what_fills_the_time_depends_on_the_seed_alone(walking):
    request = ask(length="20s")
    first, again, other = (walk(walking, request, seed=seed)[0].describe() for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_a_graph_walk_may_begin_with_a_clip(walking):
    name = walking.graph.clips[7].name
    _, clips = walk(walking, ask(start={"clip": name}, steps=[{"action": "walk"}]))
    assert names(walking, clips)[0] == name
    assert clips[0].step is None


def test_the_plan_of_a_result_comes_back_from_a_file_and_gives_the_same_motion(walking, errand, tmp_path):
    _, plan, result = errand
    assert result.character.plan.describe() == plan.describe()
    write_plan(tmp_path / "plan.npz", result.character.plan)
    again = assemble(read_plan(tmp_path / "plan.npz"), walking.view, footplants=None)
    np.testing.assert_array_equal(again.motion.local_rotations, result.motion.local_rotations)
    np.testing.assert_array_equal(again.motion.root_positions, result.motion.root_positions)


def test_details_tell_programs_what_is_played_when(walking, errand):
    _, plan, result = errand
    reported = json.loads(json.dumps(dict(result.report.details)))["clips"]
    assert [clip["start"] for clip in reported] == list(plan.begins)
    assert reported[-1]["stop"] == result.motion.n_frames
    assert {clip["from"] for clip in reported} == {"hub 1"}
    lengths = [(clip["stop"] - clip["start"], clip["take_stop"] - clip["take_start"]) for clip in reported]
    assert all(taken == pytest.approx(played) for played, taken in lengths)


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ([{"action": "fly"}], "no action 'fly' in the graph; it has .*turn_left"),
        ([{"clip": "fly"}], "no clip 'fly' in the graph"),
        ([{"label": "fly"}], "'fly' holds in most of no clip; labels that do are .*walk"),
    ],
)
def test_what_the_graph_does_not_have_is_refused_with_what_it_has(walking, steps, message):
    with pytest.raises(BadInput, match=message):
        solve(snap, walking, ask(steps=steps))


def test_a_start_that_is_nowhere_is_refused(walking):
    with pytest.raises(BadInput, match="no node 'nowhere' in the graph"):
        solve(snap, walking, ask(start={"hub": "nowhere"}, length="1s"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("steps: [{action: a, clip: b}]\n", "give one thing to do: clip, action, label, place or control"),
        ("steps: [{times: 3}]\n", "give one thing to do"),
        ("steps: [{control: {speed: 1}}]\n", "a control holds `for` some time"),
        ("steps: [{control: {}, for: 2s}]\n", "give a speed, a curvature, a direction"),
        ("steps: [{action: a, for: 2s}]\n", "a control holds `for` some time"),
        ("steps: [{action: a, heading: 3}]\n", "a heading is for a place"),
        ("steps: [{place: [1, 2], times: 2}]\n", "only a clip, an action or a label can be done several times"),
        ("start: {hub: a, clip: b}\nlength: 2s\n", "give a hub or a clip to begin with, not both"),
        ("start: {hub: a}\n", "a graph walk needs steps, a length, or both"),
        ("length: end\n", "'end' is not a valid length"),
        ("steps: [{walk: 2}]\n", "unknown 'steps\\[0\\].walk'; there can be clip, action, label"),
        ("3\n", "is not a graph walk; expected at least"),
    ],
)
def test_one_sentence_says_what_is_wrong_with_a_request(text, message, tmp_path):
    (tmp_path / "bad.yaml").write_text(text)
    with pytest.raises(FormatError, match=message) as caught:
        snap.Request.read(tmp_path / "bad.yaml")
    assert "\n" not in str(caught.value)


def test_longer_than_an_hour_is_refused(walking):
    with pytest.raises(BadInput, match="at most an hour"):
        solve(snap, walking, ask(length="3601s"))
