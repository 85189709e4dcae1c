"""Hits: joints at points in space, in the frame in which they shall be, and what is said where they cannot."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.assembly import realize, solve
from motionloom.errors import BadInput
from motionloom.methods import buildup
from motionloom.methods.buildup import Request, Settings
from motionloom.methods.buildup.hits.body_points import points_named
from motionloom.methods.buildup.hits.holds import WITHIN, find_held
from motionloom.methods.buildup.request import Edit
from motionloom.methods.buildup.sequence.sequence import BuiltSequence
from motionloom.methods.buildup.tree.search_tree import GrowthSettings
from motionloom.motion import hinges, kinematics

pytestmark = pytest.mark.long
SMALL = Settings(growth=GrowthSettings(seconds=8.0, nodes=60_000))


@pytest.fixture(scope="module")
def small(model):
    return replace(model, settings=SMALL)


def build(model, **asked):
    request = Request.from_data(asked)
    (answer,) = solve(buildup, model, request)
    return answer, realize(buildup, answer, model)


def where(result, name, frame, number=0):
    motion = result.characters[number].motion
    return points_named(motion.skeleton, name)[0].of(motion)[frame]


@pytest.fixture(scope="module")
def point(small):
    """Where a hand is some seconds after the beginning, as a motion comes there, a little aside."""
    _, result = build(small, steps=[{"place": [0.3, 2.0], "within": 3.0}])
    return (where(result, "right_hand", result.motion.n_frames - 20) + [0.04, -0.03, 0.05]).tolist()


@pytest.fixture(scope="module")
def hit(small, point):
    return build(small, steps=[{}], hits=[{"joint": "right_hand", "point": point, "step": 1}])


def test_an_exact_hit_is_met_in_the_finished_motion(hit, point):
    answer, result = hit
    frame = answer.state.characters[0].sequence.end_of_step(0)
    assert np.linalg.norm(where(result, "right_hand", frame) - point) <= WITHIN
    (detail,) = result.report.details["hits"]
    assert (detail["frame"], detail["joint"]) == (frame, "right_hand") and detail["distance"] <= WITHIN
    parts = {part.name: part for part in result.report.parts}
    assert parts["steps changed"].met and parts["planted feet stay"].met
    assert next(part for name, part in parts.items() if name.startswith("hit 1, right_hand at")).met


def test_knees_and_elbows_bend_as_they_did(hit):
    _, result = hit
    motion = result.motion
    world = kinematics.world_positions(motion)
    for limb in hinges.hinged_limbs(motion.skeleton):
        upper, middle, lower = (world[:, joint] for joint in hinges.limb_joints(motion.skeleton, limb))
        bones = np.linalg.norm(upper - middle, axis=1) + np.linalg.norm(middle - lower, axis=1)
        assert (np.linalg.norm(upper - lower, axis=1) <= bones + 1e-9).all()
    (turned,) = (line for line in result.report.quality if line.name.startswith("knees and elbows that turn over"))
    assert turned.value == 0


def test_without_exact_the_distance_is_told_and_nothing_is_bent(small, point):
    asked = {"joint": "hand", "point": point, "step": 1, "exact": False}
    answer, result = build(small, steps=[{}], hits=[asked])
    character = answer.state.characters[0]
    assert not character.sequence.targets(small)
    (detail,) = result.report.details["hits"]
    assert detail["distance"] == pytest.approx(character.taken[0].miss, abs=0.05)  # joins and planting move a little
    assert detail["distance"] < 0.2


def test_a_hit_at_a_time_is_met_in_its_frame(small, point):
    _, result = build(small, steps=[{}], hits=[{"joint": "hand", "point": point, "step": 1, "at": "4s"}])
    (detail,) = result.report.details["hits"]
    assert abs(detail["frame"] - 240) <= 1 and detail["distance"] <= WITHIN


def test_a_hit_in_the_middle_of_a_step_is_met_where_an_arm_can(small):
    _, plain = build(small, steps=[{"for": "3s"}])
    near = (where(plain, "left_hand", 100) + [0.02, 0.03, -0.02]).tolist()
    _, result = build(small, steps=[{"for": "3s"}], hits=[{"joint": "left_hand", "point": near, "at": "100f"}])
    (detail,) = result.report.details["hits"]
    assert detail["frame"] == 100 and detail["distance"] <= WITHIN


def test_a_hit_aside_of_the_way_names_the_limb_and_a_way_out(small):
    asked = {"joint": "left_hand", "point": [0.0, 1.2, 9.0], "at": "100f"}
    _, result = build(small, steps=[{"for": "3s"}], hits=[asked])
    (missed,) = (part for part in result.report.parts if part.name.startswith("hit 1"))
    assert missed.why_not.startswith("the left hand cannot come so far from where the body is; let a step end with")


def test_a_hit_beyond_the_arm_says_how_far_and_keeps_the_sequence(small):
    asked = {"joint": "right_hand", "point": [0.0, 1.2, 40.0], "step": 2}
    answer, result = build(small, steps=[{"for": "2s"}, {}], hits=[asked])
    (missed,) = (part for part in result.report.parts if part.name.startswith("hit 1"))
    assert not missed.met and "a step to (" in missed.why_not and "m away" in missed.why_not
    assert len(answer.state.characters[0].sequence.stretches) == 3
    high = {"joint": "right_hand", "point": [0.0, 4.0, 1.0], "step": 1}
    _, result = build(small, steps=[{}], hits=[high])
    (missed,) = (part for part in result.report.parts if part.name.startswith("hit 1"))
    assert not missed.met and "4.00 m high" in missed.why_not


def test_a_hit_that_the_arm_alone_reaches_is_not_missed_by_its_step(small, point):
    """No way comes near it, but inverse kinematics brings the hand there: the hit says so, and its step is taken."""
    asked = {"joint": "hand", "point": [point[0], point[1] + 0.34, point[2]], "step": 1}
    answer, result = build(small, steps=[{}], hits=[asked])
    (part,) = (part for part in result.report.parts if part.name.startswith("hit 1"))
    (taken,) = answer.state.characters[0].taken
    assert taken.far and part.met
    assert not [part for part in result.report.parts if part.name.startswith("step 1") and not part.met]


def test_a_hit_whose_end_an_edit_takes_out_is_said_to_be_gone(hit):
    answer, result = hit
    (character,) = answer.state.characters
    gone = BuiltSequence(tuple(replace(stretch, step=None) for stretch in character.sequence.stretches))
    edited = replace(character.built, edits=(Edit("delete", "1s", "2s"),))
    held, why_not = find_held(edited, gone, result.motion, {})
    assert not held and "an edit took out its end; change the edit" in why_not[0]


def test_one_character_hits_another_that_begins_to_move_then(small):
    red = {
        "name": "red",
        "steps": [{}],
        "hits": [{"joint": "hand", "target": {"character": "blue", "joint": "chin"}, "step": 1, "at": "5s"}],
    }
    blue = {
        "name": "blue",
        "start": {"position": [0.0, 1.8], "heading": 180},
        "steps": [{"place": [0.0, 3.0], "within": 3.0, "begins": "5s"}],
    }
    answer, result = build(small, characters=[red, blue])
    sequence = answer.state.characters[1].sequence
    begins = next(b for b, stretch in zip(sequence.borders, sequence.stretches) if stretch.step == 0)
    assert begins == 300
    (detail,) = result.report.details["hits"]
    chin = where(result, "chin", detail["frame"], 1)
    np.testing.assert_allclose(detail["point"], chin, atol=1e-9)
    assert abs(detail["frame"] - 300) <= 2
    assert np.linalg.norm(where(result, detail["joint"], detail["frame"]) - chin) == pytest.approx(detail["distance"])
    assert any(line.name == "least distance between red and blue" for line in result.report.quality)
    assert [character.name for character in result.characters] == ["red", "blue"]


def test_characters_that_aim_at_each_other_are_refused():
    def aims(name, other):
        hit = {"joint": "hand", "target": {"character": other, "joint": "chin"}, "step": 1}
        return {"name": name, "steps": [{}], "hits": [hit]}

    with pytest.raises(BadInput, match="red and blue aim at each other"):
        Request.from_data({"characters": [aims("red", "blue"), aims("blue", "red")]})
    with pytest.raises(BadInput, match="a hit at the end of the step"):
        Request.from_data({"steps": [{}]})
