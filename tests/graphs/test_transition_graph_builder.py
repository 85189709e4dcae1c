"""Transition graphs of a view: what is alike is connected, and laid onto each other; made once, kept in the corpus."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.conform import make_view
from motionloom.corpus import Corpus
from motionloom.errors import BadInput, Unsatisfiable
from motionloom.formats.take import Source, Take
from motionloom.graphs import (
    AngleSettings,
    GraphSettings,
    MeasureSettings,
    find_matches,
    measure_view,
    transition_graph_builder,
    transition_graph_of,
)
from motionloom.graphs.transition_graph_builder import find_threshold
from motionloom.graphs.view_measures import whole_motion, world_positions_of
from motionloom.motion import Motion, Placement, cut, kinematics, place, rotations
from motionloom.similarity.feature_space import FeatureSettings
from motionloom.similarity.joint_angles import measure_angles
from motionloom.similarity.point_cloud import PointSettings, measure_points
from motionloom.similarity.thresholds import default_threshold

ELSEWHERE = Placement(1.1, np.array([3.0, -2.0]))
KINDS: tuple[MeasureSettings, ...] = (PointSettings(), AngleSettings(), FeatureSettings())


def rounds(make, n_frames: int) -> Motion:
    """Somebody who repeats the same moves every 40 frames while walking a circle."""
    still = make.motion(2, wildness=0.2)
    phase = 2 * np.pi * np.arange(n_frames) / 40
    rng = np.random.default_rng(5)
    swings = rng.normal(scale=0.4, size=(2, still.skeleton.n_joints, 3))
    turns = np.cos(phase)[:, None, None] * swings[0] + np.sin(phase)[:, None, None] * swings[1]
    turns[:, 0] = 0.0
    local = rotations.exp(turns)
    headings = phase / 7
    local[:, 0] = rotations.about_y(headings)
    root = np.stack([2 * np.cos(headings), np.full(n_frames, 0.95), -2 * np.sin(headings)], axis=1)
    return Motion(still.skeleton, root, local, 60.0)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory, make):
    """Three rounds, and one and a half of the same elsewhere."""
    motion = rounds(make, 200)
    with Corpus.create(tmp_path_factory.mktemp("building") / "corpus") as corpus:
        source = Source("x", "npz", "", 60.0, 1.0)
        corpus.add(Take("here", cut(motion, 0, 121), source), floor_height=0.0)
        corpus.add(Take("there", place(cut(motion, 130, 191), ELSEWHERE), source), floor_height=0.0)
        yield corpus


@pytest.fixture(scope="module")
def view(corpus):
    return make_view(corpus)


def test_measures_of_a_view_are_those_of_its_arrays(view):
    positions = np.concatenate([kinematics.world_positions(view.motion(name)) for name in view.names])
    local = np.concatenate([view.motion(name).local_rotations for name in view.names])
    np.testing.assert_allclose(world_positions_of(view), positions, atol=1e-12)
    first, second = np.arange(5, 60, 7), np.arange(100, 155, 7)
    plain = measure_points(positions, view.starts), measure_angles(local, view.starts)
    for settings, expected in zip(KINDS, plain):
        found = measure_view(view, settings)
        np.testing.assert_allclose(found.pairs(first, second), expected.pairs(first, second), atol=1e-9)
        assert found.unit == expected.unit
    assert whole_motion(view).n_frames == view.n_frames


def test_a_feature_space_is_learnt_once(view, monkeypatch):
    first = measure_view(view, FeatureSettings(n_components=5))
    monkeypatch.setattr("motionloom.graphs.view_measures.learn_features", lambda *_: pytest.fail("learnt again"))
    again = measure_view(view, FeatureSettings(n_components=5))
    np.testing.assert_array_equal(again.coordinates, first.coordinates)
    assert first.coordinates.shape == (view.n_frames, 5 + 1)  # and how high what carries the body is


@pytest.mark.parametrize("settings", KINDS, ids=lambda settings: type(settings).__name__)
def test_matches_are_whole_rounds_apart(view, settings):
    measure = measure_view(view, settings)
    matches = find_matches(view, measure, default_threshold(measure, 60.0) / 2, GraphSettings(measure=settings))
    phase = np.concatenate([np.arange(121), np.arange(130, 191)]) % 40
    gap = np.abs(phase[matches.first] - phase[matches.second])
    assert len(matches.first) > 3
    assert (np.minimum(gap, 40 - gap) <= 1).all()


@pytest.mark.parametrize("settings", KINDS[:2], ids=lambda settings: type(settings).__name__)
def test_placements_lay_the_second_frame_onto_the_first(view, settings):
    measure = measure_view(view, settings)
    matches = find_matches(view, measure, 0.02, GraphSettings(measure=settings))
    motion = whole_motion(view)
    for first, second, heading, slide in zip(matches.first, matches.second, matches.headings, matches.slides):
        moved = place(cut(motion, second, second + 1), Placement(heading, slide))
        onto = kinematics.world_positions(cut(motion, first, first + 1))
        assert np.abs(kinematics.world_positions(moved) - onto).max() < 0.05
    assert len(matches.first)


def test_the_graph_of_a_view_goes_round_and_keeps_its_law(graphs, view):
    built = transition_graph_of(view)
    graph, report = built.graph, built.report
    steps = graphs.steps(graph)
    assert report.kept_seconds == pytest.approx(graph.seconds.sum())
    assert {a for a, _ in steps} == {b for _, b in steps}  # no frame without a way in and a way out
    assert graph.threshold == pytest.approx(default_threshold(measure_view(view), 60.0))
    assert (graph.distances <= graph.threshold).all()
    assert (graph.names, graph.unit) == (view.names, "m")


def test_a_graph_is_built_once_and_read_afterwards(view, monkeypatch):
    first = transition_graph_of(view)
    monkeypatch.setattr(transition_graph_builder, "build", lambda *_: pytest.fail("built again"))
    again = transition_graph_of(view)
    assert again.report == first.report
    for name, array in first.graph.to_arrays().items():
        np.testing.assert_array_equal(again.graph.to_arrays()[name], array)


def test_building_twice_gives_the_same_graph(view):
    one, other = (transition_graph_builder.build(view) for _ in range(2))
    for name, array in one.graph.to_arrays().items():
        np.testing.assert_array_equal(other.graph.to_arrays()[name], array)


def test_a_graph_without_a_way_round_says_what_was_tried(view):
    with pytest.raises(Unsatisfiable, match=r"^0 matches at 1e-12 m: the graph has no cycle"):
        transition_graph_builder.build(view, GraphSettings(threshold=1e-12))


def test_matches_are_not_nearer_in_time_than_asked_for(view):
    measure = measure_view(view)
    for own in (0.2, 1.0):
        matches = find_matches(view, measure, 0.5, GraphSettings(own=own))
        same = (matches.first < 121) == (matches.second < 121)
        assert (np.abs(matches.second - matches.first)[same] > own * 60).all()


def test_the_usual_threshold_is_that_of_the_corpus_whichever_takes_are_chosen(view, corpus):
    few = make_view(corpus, ["there"])
    assert find_threshold(few) == find_threshold(view) == default_threshold(measure_view(view), 60.0)
    assert find_threshold(few, GraphSettings(threshold=0.3)) == 0.3


def test_a_renamed_take_is_in_the_graph_under_its_new_name(view, corpus):
    transition_graph_of(view)
    corpus.rename("there", "elsewhere")
    try:
        assert "elsewhere" in transition_graph_of(make_view(corpus)).graph.names
    finally:
        corpus.rename("elsewhere", "there")


@pytest.mark.parametrize(
    "measure",
    [
        PointSettings(joints=np.array([0, 3, 12])),
        AngleSettings(joint_weights=np.ones(21)),
        FeatureSettings(joints=np.array([0, 3, 12]), n_components=np.int64(4)),
    ],
    ids=lambda settings: type(settings).__name__,
)
def test_settings_made_of_arrays_are_as_good(view, measure):
    built = transition_graph_of(view, GraphSettings(measure=measure, apart=np.float32(0.1)))
    assert built.graph.n_nodes > 1


def test_a_recording_of_the_same_moves_has_a_unit_that_is_not_nothing(view):
    features = measure_view(view, FeatureSettings())  # every frame comes again exactly, a round later
    steps = features.pairs(np.arange(100), np.arange(1, 101))
    assert 5 < np.median(steps) < 20  # a unit is a tenth of a step


@pytest.mark.parametrize("change", [dict(apart=np.nan), dict(apart=-1.0), dict(own=np.inf), dict(own=-0.1)])
def test_times_that_make_no_sense_are_refused(view, change):
    with pytest.raises(BadInput, match="must be finite and not negative"):
        transition_graph_builder.build(view, GraphSettings(**change))


def test_windows_longer_than_the_takes_and_strange_measures_are_refused(view, corpus):
    with pytest.raises(BadInput, match="a window of 301 frames"):
        transition_graph_of(view, GraphSettings(measure=PointSettings(window=301)))
    other = make_view(corpus, ["there"])
    with pytest.raises(BadInput, match="the measure has 61 frames, expected 182 of the view"):
        find_matches(view, measure_view(other), 0.1)
    with pytest.raises(BadInput, match="threshold must be finite and not negative, got nan"):
        transition_graph_builder.build(view, replace(GraphSettings(), threshold=np.nan))
