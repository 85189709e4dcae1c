"""The demo performances: long enough, complete, repeatable."""

import numpy as np
import pytest

from motionloom.errors import BadInput
from motionloom.performer import (
    Score,
    Writer,
    actions,
    demo_face_scores,
    demo_scores,
    make_demo_corpus,
    perform,
    perform_demo,
)

LABELS = """stand walk run turn_left turn_right backwards sideways_left sideways_right sneak lame jump crouch stumble
push wave carry catch reach pick_up place sit sit_down stand_up fight stance_left stance_right punch kick dodge shuffle
switch idle weight_shift foot_shuffle toe_tap""".split()
TOGETHER = [
    *(("walk", "wave"), ("walk", "carry"), ("run", "jump"), ("run", "catch"), ("jump", "catch"), ("run", "backwards")),
    *(
        ("walk", "backwards"),
        ("walk", "sneak"),
        ("walk", "lame"),
        ("walk", "turn_left"),
        ("run", "turn_right"),
        ("walk", "stumble"),
    ),
    *(("walk", "push"), ("stand", "push"), ("stand", "catch"), ("stand", "reach"), ("stand", "wave")),
]


def track(performance, word):
    frames = np.zeros(performance.motion.n_frames, bool)
    for label in performance.labels:
        if label.label == word:
            frames[label.start : label.stop] = True
    return frames


def test_the_demo_lasts_at_least_twelve_minutes_at_60_hz(demo):
    assert all(seen.performance.motion.fps == 60 for seen in demo)
    assert sum(seen.performance.motion.duration for seen in demo) >= 12 * 60


def test_the_takes_looked_at_here_are_those_that_the_demo_performs(demo):
    seen, first = demo[0].performance, next(perform_demo(seed=1))
    assert np.array_equal(seen.motion.local_rotations, first.motion.local_rotations)
    assert np.array_equal(seen.motion.root_positions, first.motion.root_positions)
    assert (seen.name, seen.labels, seen.contacts, seen.events) == (
        first.name, first.labels, first.contacts, first.events,
    )  # fmt: skip


def test_take_names_are_unique(demo):
    assert len({seen.performance.name for seen in demo}) == len(demo)


@pytest.mark.parametrize("word", LABELS)
def test_every_action_is_performed_several_times(demo, word):
    assert sum(label.label == word for seen in demo for label in seen.performance.labels) >= 3


@pytest.mark.parametrize("pair", TOGETHER, ids="+".join)
def test_actions_are_combined(demo, pair):
    together = sum((track(seen.performance, pair[0]) & track(seen.performance, pair[1])).sum() for seen in demo)
    assert together >= 20


def test_takes_go_over_from_one_action_into_another(demo):
    changing = [seen for seen in demo if len({label.label for label in seen.performance.labels}) >= 3]
    assert len(changing) >= 40


def test_the_same_seed_gives_the_same_arrays():
    score = next(score for score in demo_scores() if score.name == "mixed/play")
    first, second = (perform(score, np.random.default_rng(3)) for _ in range(2))
    assert np.array_equal(first.motion.local_rotations, second.motion.local_rotations)
    assert np.array_equal(first.motion.root_positions, second.motion.root_positions)
    assert first.labels == second.labels and first.contacts == second.contacts and first.events == second.events


def test_another_seed_gives_another_repetition():
    score = Writer("walk").then("stand", 1).then("walk", 3).then("stand", 1).done()
    first, second = (perform(score, np.random.default_rng(seed)) for seed in (1, 2))
    difference = np.abs(first.motion.root_positions - second.motion.root_positions).max()
    assert 0.01 < difference < 1.0


def test_the_demo_corpus_holds_the_truth(tmp_path, monkeypatch):
    few = [score for score in demo_scores() if score.name in ("wave/standing", "pick_up/one_hand")]
    monkeypatch.setattr("motionloom.performer.demo.demo_scores", lambda: few)
    faces = [score for score in demo_face_scores() if score.name == "face/happiness"]
    monkeypatch.setattr("motionloom.performer.demo.demo_face_scores", lambda: faces)
    seen = []
    with make_demo_corpus(tmp_path / "demo", seed=2, progress=lambda *at: seen.append(at)) as corpus:
        assert corpus.names() == ["face/happiness", "pick_up/one_hand", "wave/standing"]
        assert seen == [(1, 3), (2, 3), (3, 3)]
        assert corpus.info("face/happiness").kind == "points"
        assert {label.label for label in corpus.labels("face/happiness")} == {"neutral", "happiness", "blink"}
        assert len([event for event in corpus.events("face/happiness") if event.kind == "expression"]) == 3
        assert {label.source for label in corpus.labels("wave/standing")} == {"performer"}
        assert "pick_up" in {event.kind for event in corpus.events("pick_up/one_hand")}
        assert {contact.point for contact in corpus.contacts("pick_up/one_hand")} == {
            "left_heel", "left_ball", "right_heel", "right_ball",
        }  # fmt: skip
        assert corpus.info("wave/standing").floor_height == 0.0


def test_an_unknown_action_lists_the_known_ones():
    with pytest.raises(BadInput, match="no action 'moonwalk'; the actions are approach, carry"):
        perform(Writer("x").then("moonwalk", 2).done(), np.random.default_rng(0))


def test_a_new_action_is_one_function_and_one_line(monkeypatch):
    def bow(stage, cue, depth=0.8):
        stage.add("lean", depth, cue.start, cue.stop)
        stage.label("bow", cue.start, cue.stop)

    monkeypatch.setitem(actions.ACTIONS, "bow", bow)
    score: Score = Writer("bow").then("stand", 4).meanwhile("bow", 1, 2).done()
    performance = perform(score, np.random.default_rng(0))
    assert [(label.start, label.stop) for label in performance.labels if label.label == "bow"] == [(60, 180)]
    neck = look(performance)
    assert neck[120] < neck[30] - 0.08


def look(performance):
    from motionloom.motion import kinematics

    return kinematics.world_positions(performance.motion)[:, performance.motion.skeleton.index("neck"), 1]
