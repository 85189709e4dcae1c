"""Performed faces: exact truth, laws of lids, lips and head, and expressions that show what they are called."""

import dataclasses

import numpy as np
import pytest

from motionloom.errors import BadInput
from motionloom.motion import PointMotion
from motionloom.performer import Writer, demo_face_scores, expressions, perform_demo_faces, perform_face
from motionloom.performer.face.actors import ACTORS, Actor, shape_face
from motionloom.performer.face.deformation import LIPS, deform
from motionloom.performer.face.head_motion import take_off
from motionloom.performer.face.markers import INDEX, MIRROR, NAMES, STEADY
from motionloom.performer.face.units import SIGNED, UNITS

EMOTIONS = ("happiness", "surprise", "disgust", "fear", "anger", "sadness")
LIDS = [INDEX[name] for name in NAMES if "lid" in name]
SPEED = 0.206  # metres per second: the fastest recorded marker
STEADY_MOVES = 0.0015  # metres


@pytest.fixture(scope="module")
def faces():
    return {face.name: face for face in perform_demo_faces(seed=1)}


def show(action, seconds=4.0, seed=1, actor="", fps=120.0, **options):
    score = Writer(action, actor).then("rest", 1).then(action, seconds, **options).then("rest", 1).done()
    return perform_face(score, np.random.default_rng(seed), fps)


def at(points, name):
    return points[..., INDEX[name], :]


def change(face, time=3.0):
    """(40, 3) metres from the face at rest to the one at a time."""
    return face.still.positions[round(time * face.still.fps)] - shape_face(face.actor) / 1000


def track(face, word):
    frames = np.zeros(face.motion.n_frames, bool)
    for label in face.labels:
        if label.label == word:
            frames[label.start : label.stop] = True
    return frames


def spans(face, word):
    return [(label.start, label.stop) for label in face.labels if label.label == word]


def test_a_face_has_40_markers_and_its_halves_mirror_each_other():
    assert len(NAMES) == len(set(NAMES)) == 40
    np.testing.assert_array_equal(MIRROR[MIRROR], np.arange(40))
    twin = shape_face(Actor("twin", asymmetry=0.0))
    np.testing.assert_array_equal(twin[MIRROR] * [-1, 1, 1], twin)


def test_a_face_at_rest_is_the_shape_of_its_actor():
    for actor in ACTORS.values():
        rest = deform({name: np.zeros(2) for name in UNITS}, actor)
        np.testing.assert_allclose(rest[0] * 1000, shape_face(actor), atol=1.5)  # lids lie on their eyeballs
        others = np.setdiff1d(np.arange(40), LIDS)
        np.testing.assert_allclose(rest[0, others] * 1000, shape_face(actor)[others], atol=0.05)  # lips touch softly


def test_the_truth_takes_the_head_off_again(faces):
    for face in faces.values():
        still = take_off(face.motion.positions, face.head_rotations, face.head_positions)
        np.testing.assert_allclose(still, face.still.positions, rtol=0, atol=1e-9)


def test_heads_move(faces):
    for face in faces.values():
        assert np.ptp(face.motion.positions[:, INDEX["left_ear"]], axis=0).max() > 0.002


def test_the_markers_are_what_the_units_of_the_truth_make_of_the_face(faces):
    for face in faces.values():
        np.testing.assert_array_equal(deform(face.units, face.actor, face.skin), face.still.positions)


@pytest.mark.parametrize("action", [*EMOTIONS, "speak"])
def test_an_actor_who_is_alike_on_both_sides_shows_expressions_that_are(action, monkeypatch):
    monkeypatch.setitem(ACTORS, "twin", Actor("twin", asymmetry=0.0))
    still = show(action, actor="twin").still.positions
    np.testing.assert_allclose(still[:, MIRROR] * [-1, 1, 1], still, atol=1e-12)


def test_other_actors_are_not_quite_alike_on_both_sides():
    still = show("happiness").still.positions
    unlike = np.abs(still[:, MIRROR] * [-1, 1, 1] - still).max()
    assert 1e-4 < unlike < 8e-3


@pytest.mark.parametrize("word", EMOTIONS)
def test_labels_of_emotions_match_activations(faces, word):
    face = faces[f"face/{word}"]
    shown = track(face, word)
    assert len([label for label in face.labels if label.label == word]) == 3
    np.testing.assert_array_equal(shown, face.levels[word] > 0.1)
    parts = expressions_of(word)
    active = np.mean(
        [face.units[name] for name in UNITS if name.removeprefix("left_").removeprefix("right_") in parts], 0
    )
    assert active[face.levels[word] > 0.95].min() > 3 * active[face.levels[word] == 0].max()


def expressions_of(word):
    from importlib import import_module

    return import_module(f"motionloom.performer.expressions.{word}").PARTS


def test_expressions_say_when_they_come_hold_and_go(faces):
    face = faces["face/sadness"]
    for event in face.events:
        if event.kind == "expression":
            level, fps = face.levels[event.data["word"]], face.motion.fps
            apex = level[event.frame : int(event.data["apex_stop"] * fps)]
            assert apex.min() > 0.999
            assert level[int(event.data["onset"] * fps)] < 0.01 and level[round(event.data["offset"] * fps)] < 0.01


def test_a_smile_widens_the_mouth_and_lifts_its_corners_above_its_middle():
    moved = change(show("happiness"))
    assert at(moved, "left_mouth_corner")[0] > 0.004 and at(moved, "right_mouth_corner")[0] < -0.004
    lips = (at(moved, "upper_lip")[1] + at(moved, "lower_lip")[1]) / 2
    assert min(at(moved, f"{side}_mouth_corner")[1] for side in ("left", "right")) > lips + 0.006
    assert at(moved, "left_cheekbone")[1] > 0.003 and at(moved, "left_lower_lid")[1] > 0.0005


def test_surprise_raises_brows_opens_eyes_and_drops_the_jaw():
    moved = change(show("surprise"))
    assert at(moved, "left_outer_brow")[1] > 0.004 and at(moved, "left_inner_brow")[1] > 0.005
    assert at(moved, "left_upper_lid")[1] > 0.0008 and at(moved, "chin")[1] < -0.008


def test_anger_draws_brows_down_and_together_and_presses_the_lips():
    moved = change(show("anger"))
    assert at(moved, "left_inner_brow")[1] < -0.004 and at(moved, "left_inner_brow")[0] < -0.002
    assert at(moved, "upper_lip")[1] - at(moved, "lower_lip")[1] < -0.003


def test_sadness_raises_the_inner_brows_and_lowers_the_corners_of_the_mouth():
    moved = change(show("sadness"))
    assert at(moved, "left_inner_brow")[1] > at(moved, "left_outer_brow")[1] + 0.002
    assert at(moved, "left_mouth_corner")[1] < -0.003 and at(moved, "left_upper_lid")[1] < 0


def test_fear_raises_and_joins_the_brows_and_stretches_the_mouth():
    moved = change(show("fear"))
    assert at(moved, "left_inner_brow")[1] > 0.002 and at(moved, "left_inner_brow")[0] < -0.001
    assert at(moved, "left_mouth_corner")[0] > 0.004 and at(moved, "left_upper_lid")[1] > 0.0008


def test_disgust_wrinkles_the_nose_and_raises_the_upper_lip():
    moved = change(show("disgust"))
    assert at(moved, "left_nostril")[1] > 0.003 and at(moved, "left_side_upper_lip")[1] > 0.003
    assert at(moved, "left_inner_brow")[1] < -0.002


def test_lids_and_lips_never_pass_through_each_other_whatever_is_active():
    rng = np.random.default_rng(4)
    for actor in ACTORS.values():
        units = {name: rng.uniform(-1.0 if name in SIGNED else 0.0, 1.1, 3000) ** 3 for name in UNITS}
        units |= {name: rng.integers(0, 2, 3000).astype(float) for name in UNITS if rng.random() < 0.3}
        face = deform(units, actor)
        for side in ("left", "right"):
            assert (at(face, f"{side}_upper_lid")[:, 1] - at(face, f"{side}_lower_lid")[:, 1]).min() > 0.0004
        for upper, lower in LIPS:
            assert (at(face, upper)[:, 1] - at(face, lower)[:, 1]).min() > 0.005


def test_halves_stay_on_their_sides(faces):
    pairs = [(INDEX[name], INDEX[name.replace("left", "right", 1)]) for name in NAMES if name.startswith("left_")]
    left, right = np.array(pairs).T
    for face in faces.values():
        across = face.still.positions[:, left, 0] - face.still.positions[:, right, 0]
        assert across.min() > 0.008, face.name


def test_skin_is_restless_by_tenths_of_a_millimetre_and_by_more_where_it_is_moved():
    quiet, open_mouthed = show("rest", 20).skin, show("move", 20, unit="jaw_open").skin
    chin, ear = INDEX["chin"], INDEX["left_ear"]
    assert 0.05 < quiet.std(axis=0).mean() < 0.3
    assert open_mouthed[:, chin].std() > 3 * quiet[:, chin].std()
    assert open_mouthed[:, ear].std() < 2 * quiet[:, ear].std()


def test_ears_and_hairline_hardly_move_in_the_head(faces):
    for face in faces.values():
        for name in STEADY:
            assert np.ptp(at(face.still.positions, name), axis=0).max() < STEADY_MOVES


def test_no_marker_is_faster_than_a_recorded_one(faces):
    for face in faces.values():
        speeds = np.linalg.norm(np.gradient(face.still.positions, 1 / face.still.fps, axis=0), axis=-1)
        assert speeds.max() < SPEED, face.name


def test_blinks_last_as_long_as_blinks_and_shut_the_eyes(faces):
    n_blinks = 0
    for face in faces.values():
        blinks = [event for event in face.events if event.kind == "blink"]
        labels = [label for label in face.labels if label.label == "blink"]
        assert len(blinks) == len(labels)
        for blink, label in zip(blinks, labels):
            assert 0.1 <= blink.data["stop"] - blink.data["start"] <= 0.4
            assert label.start <= blink.frame < label.stop
            assert abs(label.start - blink.data["start"] * face.motion.fps) <= 0.51
            gap = at(face.still.positions, "left_upper_lid") - at(face.still.positions, "left_lower_lid")
            assert gap[blink.frame, 1] < 0.0015
            assert face.units["left_blink"][blink.frame] > 0.99
        n_blinks += len(blinks)
    assert n_blinks > 20


def test_people_blink_more_often_when_they_speak():
    def count(action):
        return sum(
            sum(event.kind == "blink" for event in show(action, 120.0, seed, fps=60).events) for seed in range(3)
        )

    quiet, speaking = count("rest"), count("speak")
    assert 60 < quiet < 150 and speaking > 1.2 * quiet


def test_a_blink_can_be_asked_for():
    score = Writer("blink").then("rest", 2).meanwhile("blink", 0.5, 0.3).done()
    face = perform_face(score, np.random.default_rng(0))
    assert (60, 96) in spans(face, "blink")


def test_lips_close_for_an_m_between_open_vowels():
    face = show("speak", 2.5, sounds=("a", "m", "a", "m", "a"))
    gap = (at(face.still.positions, "upper_lip") - at(face.still.positions, "lower_lip"))[:, 1]
    sounds = {sound: [gap[e.frame] for e in face.events if e.data.get("sound") == sound] for sound in ("a", "m")}
    assert max(sounds["m"]) + 0.008 < min(sounds["a"])


def test_a_vowel_opens_less_beside_an_m_than_alone():
    def widest(sounds):
        return show("speak", 0.9, sounds=sounds, actor="twin").units["jaw_open"].max()

    twin = dataclasses.replace(ACTORS["ada"], name="twin", asymmetry=0.0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(ACTORS, "twin", twin)
        assert widest(("m", "a", "m", "a", "m", "a", "m")) < 0.8 * widest(("a",) * 7)


def test_chewing_opens_the_jaw_once_a_cycle_behind_closed_lips():
    face = show("eat", 6)
    chews = [event.frame for event in face.events if event.kind == "chew"]
    jaw = face.units["jaw_open"]
    between = [(a + b) // 2 for a, b in zip(chews, chews[1:])]
    assert len(chews) >= 4
    assert min(jaw[chews]) > max(jaw[between]) + 0.03
    gap = (at(face.still.positions, "upper_lip") - at(face.still.positions, "lower_lip"))[:, 1]
    assert gap[chews].max() < gap[:60].mean() + 0.003
    aside = at(face.still.positions, "chin")[:, 0] - at(face.still.positions, "chin")[0, 0]
    assert len({event.data["side"] for event in face.events if event.kind == "chew"}) == 1
    assert np.ptp(aside[chews[0] : chews[-1]]) > 0.001


def vibration(face, frames):
    """Metres, root mean square, that the lower lip moves to and fro between 10 and 26 times per second."""
    lips = at(face.still.positions, "lower_lip")[frames, 2]
    window = np.hanning(len(lips))
    spectrum = np.abs(np.fft.rfft((lips - lips.mean()) * window)) ** 2
    rates = np.fft.rfftfreq(len(lips), 1 / face.still.fps)
    return np.sqrt(2 * spectrum[(rates > 10) & (rates < 26)].sum() / (len(lips) * (window**2).sum()))


def test_sleepers_keep_their_eyes_shut_and_lips_vibrate_while_they_breathe():
    face = show("snore", 14)
    asleep = slice(round(4.5 * 120), 12 * 120)
    gap = (at(face.still.positions, "left_upper_lid") - at(face.still.positions, "left_lower_lid"))[asleep, 1]
    assert gap.max() < 0.0015
    assert not any(3 < event.frame / 120 < 13.5 for event in face.events if event.kind == "blink")
    assert vibration(face, asleep) > 1e-4 > 10 * vibration(show("rest", 14), asleep)
    assert {"inhale", "exhale"} <= {event.kind for event in face.events}


def test_vibrations_that_frames_cannot_show_are_left_out():
    assert np.abs(show("snore", 14, fps=30.0).units["lip_flutter"]).max() == 0
    assert np.abs(show("snore", 14).units["lip_flutter"]).max() > 0.3


def test_the_same_request_gives_the_same_bits():
    first, second = (show("speak", seed=5) for _ in range(2))
    np.testing.assert_array_equal(first.motion.positions, second.motion.positions)
    assert first.labels == second.labels and first.events == second.events
    assert np.abs(first.motion.positions - show("speak", seed=6).motion.positions).max() > 1e-3


def test_a_demo_face_does_not_depend_on_the_others(faces, monkeypatch):
    last = demo_face_scores()[-1]
    monkeypatch.setattr("motionloom.performer.demo.demo_face_scores", lambda: [last])
    np.testing.assert_array_equal(next(perform_demo_faces(seed=1)).motion.positions, faces[last.name].motion.positions)


def test_the_rate_can_be_given(faces):
    slow = show("happiness", fps=30.0)
    assert isinstance(slow.motion, PointMotion) and slow.motion.fps == 30 and slow.motion.n_frames == 180
    assert {face.motion.fps for face in faces.values()} == {120.0}


def test_actors_have_faces_of_their_own():
    faces = [shape_face(actor) for actor in ACTORS.values()]
    assert len(faces) == 4
    for number, face in enumerate(faces):
        for other in faces[number + 1 :]:
            assert np.abs(face - other).max() > 3  # millimetres


def test_a_new_expression_is_one_function_and_one_line(monkeypatch):
    def wink(stage, cue):
        stage.hold("left_lid_close", 1.0, cue.start, cue.stop, 0.1, 0.1)
        stage.label("wink", cue.start, cue.stop)

    monkeypatch.setitem(expressions.EXPRESSIONS, "wink", wink)
    face = show("wink", 1.0)
    gaps = [
        (at(face.still.positions, f"{side}_upper_lid") - at(face.still.positions, f"{side}_lower_lid"))[180, 1]
        for side in ("left", "right")
    ]
    assert gaps[0] < 0.0015 < 0.006 < gaps[1]
    assert spans(face, "wink") == [(120, 240)]


@pytest.mark.parametrize(
    ("score", "message"),
    [
        (Writer("x").then("moonwalk", 2).done(), "no expression 'moonwalk'; the expressions are anger, blink"),
        (Writer("x", "zoe").then("rest", 2).done(), "no actor 'zoe'; the actors are ada, ben, cleo, dara"),
        (Writer("x").then("move", 2, unit="ear_wiggle").done(), "no unit 'ear_wiggle'; the units are inner_brow_raise"),
        (Writer("x").then("speak", 2, sounds=["q"]).done(), "no sound 'q'; the sounds are a, e"),
        (Writer("x").done(), "the score x is empty"),
    ],
)
def test_what_a_face_cannot_do_is_refused_in_words(score, message):
    with pytest.raises(BadInput, match=message):
        perform_face(score, np.random.default_rng(0))
