"""A request made definite, and what is refused on the way."""

import numpy as np
import pytest

from motionloom.assembly import Material, Report, Result, keep_result, prepare_for
from motionloom.corpus import Corpus, Source, Take
from motionloom.errors import BadInput
from motionloom.methods import timeline
from motionloom.methods.timeline import Request, prepare
from motionloom.methods.timeline.objective.problem import pose_problem
from motionloom.motion import provenance


def pose(model, **data):
    return pose_problem(model, Request.from_data(data))


def test_paint_is_laid_over_frames_and_the_rest_is_left_open(model):
    problem = pose(
        model,
        length="2s",
        labels=[{"label": "walk", "from": "0s", "to": "1s"}, {"label": "run", "from": "30f", "value": "must_not"}],
    )
    assert problem.n_frames == 120
    np.testing.assert_array_equal(problem.paint[:, 0], np.where(np.arange(120) < 60, 1, 0))
    np.testing.assert_array_equal(problem.paint[:, 1], np.where(np.arange(120) < 30, 0, -1))


def test_layers_can_be_painted_too(model):
    problem = pose(model, length="1s", labels=[{"label": "contacts.left"}])
    contacts = model.view.whole_layer("contacts")
    np.testing.assert_array_equal(problem.tracks[:, 0] == 1, contacts[:, :2].any(axis=1))


def test_forced_frames_are_found_by_their_take_and_number(model):
    problem = pose(
        model,
        length="3s",
        frames=[
            {"at": "2s", "take": "walk/stop_and_go", "start": 100, "stop": 120},
            {"at": "1s", "take": "stop_and_go", "frame": 50},
        ],
    )
    first, second = problem.forced
    start = model.view.range_of("walk/stop_and_go")[0]
    assert (first.at, first.first, first.n_frames) == (60, start + 50, 1)
    assert (second.at, second.first, second.n_frames) == (120, start + 100, 20)


def test_the_last_recorded_frame_can_be_forced_at_any_rate(make, tmp_path):
    corpus = Corpus.create(tmp_path / "corpus")
    for fps, name in ((120.0, "fast"), (60.0, "as usual"), (25.0, "slow")):
        motion = make.motion(n_frames=100, fps=fps, seed=int(fps))
        corpus.add(Take(name, motion, Source(name, "test", name, fps, 1.0)), floor_height=0.0)
    model = prepare(corpus)
    for name in ("fast", "as usual", "slow"):
        _, stop = model.view.range_of(name)
        (clip,) = pose(model, length="1s", frames=[{"at": "59f", "take": name, "frame": 99}]).forced
        assert (clip.at, clip.first, clip.n_frames) == (59, stop - 1, 1)
        with pytest.raises(
            BadInput, match=f"frame 100 of {name} is forced, but it is out of range: the take has 100 frames"
        ):
            pose(model, length="1s", frames=[{"at": "0s", "take": name, "frame": 100}])


def test_a_clip_forced_at_the_end_ends_there(model):
    (clip,) = pose(model, length="3s", frames=[{"at": "end", "take": "stop_and_go", "start": 10, "stop": 40}]).forced
    assert (clip.at, clip.stop) == (150, 180)
    with pytest.raises(BadInput, match="longer than the whole motion"):
        pose(model, length="10f", frames=[{"at": "end", "take": "stop_and_go", "start": 10, "stop": 40}])


def test_a_label_of_other_takes_can_be_painted_though_none_of_the_chosen_has_it(small_corpus):
    chosen = prepare(small_corpus, Material(("walk/*",)))
    problem = pose(chosen, length="1s", labels=[{"label": "wave"}])
    assert (problem.tracks[:, 0] == -1).all()


def test_forced_clips_that_say_the_same_become_one(model):
    frames = [
        {"at": "0s", "take": "walk/stop_and_go", "start": 100, "stop": 120},
        {"at": "10f", "take": "walk/stop_and_go", "start": 110, "stop": 150},
    ]
    (clip,) = pose(model, length="3s", frames=frames).forced
    assert (clip.at, clip.n_frames) == (0, 50)


def test_a_motion_that_goes_on_from_a_take_begins_with_all_of_it(model):
    (clip,) = pose(model, length="20s", start_from="stop_and_go").forced
    start, stop = model.view.range_of("walk/stop_and_go")
    assert (clip.at, clip.first, clip.n_frames) == (0, start, stop - start)
    with pytest.raises(BadInput, match=r"start_from walk/stop_and_go lasts 13\.9 s, the whole motion 3 s"):
        pose(model, length="3s", start_from="stop_and_go")


def test_places_are_in_order_of_time_and_the_start_is_apart(model):
    problem = pose(
        model,
        length="3s",
        places=[{"position": [1, 2]}, {"at": "1s", "heading": 90}, {"at": "start", "position": [5, 5], "heading": 180}],
    )
    assert [place.frame for place in problem.places] == [60, 179]
    assert problem.places[0].heading == pytest.approx(np.pi / 2)
    assert problem.places[0].position is None
    np.testing.assert_allclose(problem.start.slide, [5, 5])
    assert problem.start.heading == pytest.approx(np.pi)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"length": "0s"}, "length is 0s: 0 frames; ask for 1 frame or more"),
        ({"length": "2h"}, "'2h' is not a valid time"),
        ({"length": "99999s"}, "at most an hour"),
        ({"length": "2s", "labels": [{"label": "fly"}]}, "nothing is labelled 'fly'; the labels are jump, run, stand"),
        (
            {"length": "2s", "labels": [{"label": "run"}, {"label": "run", "from": "1s", "value": "must_not"}]},
            "'run' is painted both must and must_not at 1.00 s",
        ),
        ({"length": "2s", "labels": [{"label": "run", "from": "1s", "to": "3s"}]}, "reaches past the end at 2 s"),
        ({"length": "2s", "labels": [{"label": "run", "from": "1s", "to": "1s"}]}, "paints no frame"),
        ({"length": "2s", "places": [{"at": "3s", "position": [0, 0]}]}, "a place at 3s is past the end"),
        ({"length": "2s", "places": [{"position": [0, 0]}, {"heading": 3}]}, "two places at end"),
        (
            {"length": "2s", "frames": [{"at": "1.9s", "take": "stop_and_go", "start": 0, "stop": 30}]},
            "past the end at 2 s",
        ),
        ({"length": "2s", "frames": [{"at": "5s", "take": "stop_and_go", "frame": 0}]}, "past the end"),
        (
            {"length": "2s", "frames": [{"at": "0s", "take": "stop_and_go", "frame": 99999}]},
            "out of range: the take has 834 frames",
        ),
        ({"length": "2s", "frames": [{"at": "0s", "take": "nobody", "frame": 0}]}, "no take 'nobody'"),
        (
            {
                "length": "2s",
                "frames": [
                    {"at": "1s", "take": "stop_and_go", "frame": 5},
                    {"at": "1s", "take": "walk_and_wave_1", "frame": 5},
                ],
            },
            "at 1.00 s both .* are forced, with different frames",
        ),
        ({"length": "2s", "fps": 30}, "at 30 frames per second, the model at 60"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(model, data, message):
    with pytest.raises(BadInput, match=message):
        pose(model, **data)


def test_an_empty_corpus_says_what_to_do(tmp_path):
    with Corpus.create(tmp_path / "empty") as corpus, pytest.raises(BadInput, match="no takes to choose from; import"):
        prepare(corpus)


def test_takes_are_chosen_by_patterns_and_unknown_ones_named(small_corpus):
    model = prepare(small_corpus, Material(("walk/*",)))
    assert model.view.names == ("walk/stop_and_go",)
    with pytest.raises(BadInput, match=r"no take is called 'dance/\*'"):
        prepare(small_corpus, Material(("dance/*",)))


def test_takes_with_brackets_in_their_name_can_be_chosen_and_gone_on_from(make, tmp_path):
    corpus = Corpus.create(tmp_path / "corpus")
    for seed, name in enumerate(("walk [1]", "run")):
        motion = make.motion(n_frames=60, seed=seed)
        corpus.add(Take(name, motion, Source(name, "test", name, 60.0, 1.0)), floor_height=0.0)
    assert prepare(corpus, Material(("walk [1]",))).view.names == ("walk [1]",)
    model = prepare_for(timeline, corpus, Request(length="2s", takes=("run",), start_from="walk [1]"))
    assert set(model.view.names) == {"walk [1]", "run"}


def test_a_motion_that_was_put_together_is_material_only_where_it_is_named(make, tmp_path):
    corpus = Corpus.create(tmp_path / "corpus")
    for seed, name in enumerate(("walk", "run")):
        motion = make.motion(n_frames=60, seed=seed)
        corpus.add(Take(name, motion, Source(name, "test", name, 60.0, 1.0)), floor_height=0.0)
    recorded = ("run", "walk")
    motion = make.motion(n_frames=60, seed=9)
    keep_result(
        corpus, "new/mixed", Result.of_body(motion, np.zeros((60, 4), bool), provenance.generated("it", 60), Report())
    )
    assert prepare(corpus).view.names == prepare_for(timeline, corpus, Request(length="1s")).view.names == recorded
    for data in (
        {"start_from": "new/mixed"},
        {"frames": [{"at": "0s", "take": "new/mixed", "frame": 3}]},
        {"takes": ["*", "new/mixed"]},
    ):
        request = Request.from_data({"length": "1s", **data})
        assert set(prepare_for(timeline, corpus, request).view.names) == {*recorded, "new/mixed"}
    for patterns in (["*"], ["[nrw]*"]):
        assert prepare_for(timeline, corpus, Request(length="1s", takes=tuple(patterns))).view.names == recorded
    with pytest.raises(BadInput, match="new/mixed"):
        prepare_for(timeline, corpus, Request(length="1s", takes=("*/*",)))
    with pytest.raises(BadInput, match="new/mixed"):
        prepare_for(timeline, corpus, Request(length="1s", start_from="mixed"))


def test_a_corpus_of_kept_results_alone_says_how_to_choose_them(make, tmp_path):
    corpus = Corpus.create(tmp_path / "corpus")
    motion = make.motion(n_frames=60, seed=9)
    result = Result.of_body(motion, np.zeros((60, 4), bool), provenance.generated("it", 60), Report())
    keep_result(corpus, "new/mixed", result)
    with pytest.raises(BadInput, match=r"kept results alone.*name them in full"):
        prepare(corpus)
    assert prepare(corpus, Material(("new/mixed",))).view.names == ("new/mixed",)


def test_two_places_in_one_frame_are_refused_even_if_it_is_the_only_one(model):
    for places in ([{"heading": 0.0}] * 2, [{"heading": 0.0}, {"at": "1f", "heading": 3.0}]):
        with pytest.raises(BadInput, match="two places at"):
            pose(model, length="1f", places=places)
