"""From recordings to a result: view, measure, graph, graph walk, plan, frames with planted feet, report."""

import numpy as np
import pytest

from motionloom.assembly import (
    Generated,
    Join,
    Piece,
    Plan,
    Recorded,
    assemble,
    keep_result,
    learn_yardsticks,
    load_result,
    plan_clips,
)
from motionloom.conform import ViewSettings, make_view
from motionloom.corpus import Corpus, Source, Take
from motionloom.graphs import clips_along, random_walk, transition_graph_of
from motionloom.motion import Placement, cut, place, provenance
from motionloom.performer import Writer, perform
from motionloom.quality import measure_skate

SECONDS = 6.0


@pytest.fixture(scope="module")
def people(tmp_path_factory):
    """Somebody who stands, walks, turns and walks on, twice."""
    with Corpus.create(tmp_path_factory.mktemp("people") / "corpus") as corpus:
        for seed in (1, 2):
            score = Writer(f"walk_{seed}").then("stand", 1).then("walk", 4 + seed).then("stand", 1).done()
            performance = perform(score, np.random.default_rng(seed))
            source = Source("demo", "performer", str(seed), performance.motion.fps, 1.0)
            corpus.add(Take(score.name, performance.motion, source), floor_height=0.0)
        yield corpus


@pytest.fixture(scope="module")
def view(people):
    return make_view(people)


def plan_of_walk(view, seed: int, kind: str) -> Plan:
    graph = transition_graph_of(view).graph
    walk = random_walk(graph, SECONDS, np.random.default_rng(seed))
    clips = clips_along(graph, walk, n_frames=round(SECONDS * view.fps))
    return plan_clips(view, clips, kind=kind, request={"random walk": seed})


@pytest.mark.parametrize("kind", ["crossfade", "displacement"])
def test_a_random_walk_becomes_a_motion_with_planted_feet(view, kind):
    plan = plan_of_walk(view, 3, kind)
    result = assemble(plan, view, yardsticks=learn_yardsticks(view))
    assert len(plan.pieces) > 2
    assert result.motion.n_frames == 360
    assert result.report.is_met, result.report.describe()
    quality = {line.name: line for line in result.report.quality}
    assert quality["foot skate"].value < 0.1 * quality["foot skate"].before
    assert quality["farthest step of a planted point"].value < 1.0
    assert quality["distance from the nearest real frame, median"].value < 3.0
    assert quality["joins with more acceleration than the bar"].usual is not None
    speeds = np.linalg.norm(np.diff(result.motion.root_positions, axis=0), axis=-1) * 60
    assert speeds.max() < 2.5  # nobody jumps from place to place


def test_pieces_go_on_where_the_one_before_ended(view):
    plan = plan_of_walk(view, 4, "cut")
    root = assemble(plan, view, footplants=None).motion.root_positions
    steps = np.linalg.norm(np.diff(root, axis=0), axis=-1)
    assert steps[np.array(plan.begins[1:]) - 1].max() < 0.08  # metres: the threshold and a step


def test_the_same_seed_gives_the_same_frames(view):
    one, other = (assemble(plan_of_walk(view, 5, "inertialize"), view) for _ in range(2))
    np.testing.assert_array_equal(one.motion.local_rotations, other.motion.local_rotations)
    np.testing.assert_array_equal(one.provenance.frames, other.provenance.frames)


def test_a_result_kept_in_its_corpus_is_a_take_for_the_next_plan(people, view):
    made = assemble(plan_of_walk(view, 6, "crossfade"), view)
    keep_result(people, "made/six", made)
    bigger = make_view(people)
    plan = Plan((Piece(Recorded("made/six"), 50, 150),), (), bigger.fps, bigger.skeleton.digest)
    result = assemble(plan, bigger, footplants=None)
    assert {source.name for source in result.provenance.sources} == {"made/six"}
    deeper = provenance.trace(result.provenance, {"made/six": load_result(people, "made/six").provenance})
    assert {source.name for source in deeper.sources} <= {"walk_1", "walk_2"}
    people.remove("made/six")


def test_yardsticks_are_learnt_once(view, monkeypatch):
    first = learn_yardsticks(view)
    monkeypatch.setattr("motionloom.assembly.results.yardsticks.learn_bars", lambda *_: pytest.fail("learnt again"))
    again = learn_yardsticks(view)
    assert again.usual == first.usual
    np.testing.assert_array_equal(again.bars.accelerations, first.bars.accelerations)
    np.testing.assert_array_equal(again.limits.low, first.limits.low)
    assert 0 <= first.usual["joins with more acceleration than the bar"] <= 100


def test_yardsticks_are_those_of_the_corpus_whichever_takes_are_chosen(people, view, monkeypatch):
    whole = learn_yardsticks(view)
    monkeypatch.setattr("motionloom.assembly.results.yardsticks.learn_bars", lambda *_: pytest.fail("learnt again"))
    few = learn_yardsticks(make_view(people, ["walk_1"]))
    np.testing.assert_array_equal(few.peaks, whole.peaks)
    assert few.usual == whole.usual
    assert set(few.real.motions) == {"walk_1"} < set(whole.real.motions)


def test_generated_frames_name_the_recorded_frames_nearest_to_them(people):
    """A model that turns a recording a little, and the same frames are found again, as frames of the take."""
    view = make_view(people, settings=ViewSettings(fps=24.0))
    name = view.names[1]
    start, _ = view.range_of(name)
    made = place(cut(view.motion(name), 40, 70), Placement(1.0, np.array([3.0, -2.0])))
    pieces = (Piece(Generated(made, "turner", {"angle": 1.0}), 0, 30), Piece(Recorded(view.names[0]), 5, 25))
    plan = Plan(pieces, (Join("cut", 0.0),), view.fps, view.skeleton.digest)
    result = assemble(plan, view, footplants=None, yardsticks=learn_yardsticks(view))
    for frame in (0, 17, 29):
        model, note = result.provenance.of_frame(frame)
        assert (model[0].name, model[1:]) == ("turner", (frame, 1.0))
        assert (note[0].name, note[0].kind, note[2]) == (name, "recorded", 0.0)
        assert note[1] == view.source_frames[start + 40 + frame]
    assert [source.name for source, *_ in result.provenance.of_frame(35)] == [view.names[0]]
    assert assemble(plan, view, footplants=None).provenance.of_frame(3)[1:] == []  # nothing was given to look in


def test_what_is_usual_counts_recordings_by_how_long_they_are(people):
    view = make_view(people, settings=ViewSettings(mirrored=True))  # mirrored recordings count too
    yardsticks = learn_yardsticks(view)
    motions = [view.motion(name) for name in view.names]
    lengths = np.array([motion.n_frames for motion in motions])
    assert len(set(lengths)) > 1
    skates = [measure_skate(motion, view.layer(name, "contacts")) for name, motion in zip(view.names, motions)]
    expected = np.average([skate.cm_per_second for skate in skates], weights=lengths)
    assert yardsticks.usual["foot skate"] == pytest.approx(expected, rel=1e-9)
