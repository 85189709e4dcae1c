"""Other bodies, rates and lengths: proportions, missing feet, lying down, few frames, one take."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.corpus import Corpus, Source, Take
from motionloom.errors import BadInput
from motionloom.methods import dynamics
from motionloom.methods.dynamics import Material, Request
from motionloom.motion import Motion, Skeleton, cut, kinematics, resample, rotations

HAND = {"joint": "right_hand", "at": "0.5s", "hard": True}
FOOT = {"joint": "right_foot", "from": "0.2s", "to": "0.5s"}


def scaled(motion: Motion, factor: float, arms: float = 1.0) -> Motion:
    """A body so many times as large, with arms so many times longer still."""
    old = motion.skeleton
    longer = np.array(
        [arms if any(part in name for part in ("Forearm", "Hand", "Fingers")) else 1.0 for name in old.names]
    )
    skeleton = replace(old, offsets=factor * old.offsets * longer[:, None], end_offsets=factor * old.end_offsets)
    return replace(motion, skeleton=skeleton, root_positions=factor * np.asarray(motion.root_positions))


def without(motion: Motion, *parts: str) -> Motion:
    """A body without the joints whose names hold one of some parts, which must be ends."""
    old = motion.skeleton
    kept = [joint for joint, name in enumerate(old.names) if not any(part in name for part in parts)]
    new = {joint: number for number, joint in enumerate(kept)}
    parents = np.array([-1 if old.parents[joint] < 0 else new[int(old.parents[joint])] for joint in kept])
    names = tuple(old.names[joint] for joint in kept)
    ends = [row for row, joint in enumerate(old.end_parents) if int(joint) in new]
    end_parents = np.array([new[int(old.end_parents[row])] for row in ends], int)
    skeleton = Skeleton(names, parents, old.offsets[kept], end_parents, old.end_offsets[ends])
    return replace(motion, skeleton=skeleton, local_rotations=np.asarray(motion.local_rotations)[:, kept])


@pytest.fixture
def corpus_of(tmp_path):
    """A corpus of some motions, by their names."""

    def fill(**motions: Motion) -> Corpus:
        corpus = Corpus.create(tmp_path / "corpus")
        for name, motion in motions.items():
            corpus.add(Take(name, motion, Source(name, "test", name, motion.fps, 1.0)), floor_height=0.0)
        return corpus

    return fill


@pytest.fixture(scope="module")
def walk(make) -> Motion:
    return cut(make.demo_take("walk/normal_1").motion, 150, 450)


def solve(corpus, **asked):
    """The finished motion of a request between two poses of the only take, and what is missed."""
    length, take, fps = asked.pop("seconds", 1.0), asked.pop("take", "walk"), asked.get("fps", 60.0)
    frames = asked.pop("frames", (50, 110))
    ends = [
        {"at": at, "pose": {"take": take, "frame": frame}, "as_recorded": True}
        for at, frame in zip(("start", "end"), frames)
    ]
    request = Request.from_data({"length": f"{length}s", "poses": ends, "fps": fps, **asked})
    model = dynamics.prepare(corpus, dynamics.material_of(corpus, request))
    *_, answer = dynamics.search(model, request)
    (played,) = dynamics.perform(answer, model).played
    missed = [part for part in played.parts if not part.met and part.tolerance in (1e-3, 0.1)]  # what is exact
    return played.motion, missed, model


@pytest.mark.parametrize(("factor", "arms"), [(0.6, 1.0), (1.6, 1.0), (1.0, 1.5), (0.8, 1.4)])
def test_bodies_of_other_proportions_meet_what_must_hold(corpus_of, walk, factor, arms):
    body = scaled(walk, factor, arms)
    motion, missed, _ = solve(
        corpus_of(walk=body),
        points=[{**HAND, "position": (None, 1.2 * factor, None)}],
        contacts=[FOOT],
    )
    assert not missed
    hand = kinematics.world_positions(motion)[30, motion.skeleton.index("right_hand")]
    assert abs(hand[1] - 1.2 * factor) < 1e-3
    assert abs(motion.root_positions[:, 1].mean() / factor - 0.94) < 0.1


def test_a_body_without_feet_and_fingers_can_be_directed(corpus_of, walk):
    body = without(walk, "Fingers", "Foot", "Toes")
    assert not body.skeleton.has("left_foot")
    motion, missed, model = solve(corpus_of(walk=body), points=[{**HAND, "position": (None, 1.2, None)}])
    assert not missed and motion.skeleton.n_joints == 18
    with pytest.raises(BadInput, match="no joint 'right_heel' on the skeleton"):
        solve_again(model, contacts=[FOOT])


def solve_again(model, **asked):
    request = Request.from_data({"length": "1s", **asked})
    return list(dynamics.search(model, request))


def test_a_body_without_fingers_and_toes_rests_on_its_feet(corpus_of, walk):
    motion, missed, _ = solve(corpus_of(walk=without(walk, "Fingers", "Toes")), contacts=[FOOT])
    assert not missed and motion.n_frames == 60


def test_limbs_that_are_overstretched_are_brought_back(corpus_of, walk):
    local = np.array(walk.local_rotations)
    knee = walk.skeleton.index("left_knee")
    local[:, knee] = rotations.exp(np.tile([-0.15, 0, 0], (walk.n_frames, 1)))  # a knee bent to the far side
    motion, missed, _ = solve(
        corpus_of(walk=replace(walk, local_rotations=local)), points=[{**HAND, "position": (None, 1.2, None)}]
    )
    assert not missed and np.isfinite(motion.local_rotations).all()


@pytest.mark.parametrize("axis", [(1, 0, 0), (0, 0, 1)])
def test_lying_bodies_can_be_directed(corpus_of, walk, axis):
    """A quarter of a turn down: facing and heading are still found."""
    down = rotations.exp(np.pi / 2 * np.array(axis, float))
    local, root = np.array(walk.local_rotations), np.array(walk.root_positions)
    local[:, 0] = rotations.multiply(down, local[:, 0])
    root[:, 1] = 0.25
    motion, missed, _ = solve(
        corpus_of(walk=replace(walk, local_rotations=local, root_positions=root)),
        feet="free",
        points=[{**HAND, "position": (None, 0.3, None)}],
    )
    assert not missed
    assert abs(kinematics.world_positions(motion)[30, motion.skeleton.index("right_hand"), 1] - 0.3) < 1e-3


@pytest.mark.parametrize("recorded", [24.0, 30.0, 59.94, 120.0, 240.0])
def test_takes_of_any_rate_are_learnt_from_and_shown(corpus_of, walk, recorded):
    take = resample(walk, recorded)
    last = take.n_frames - 1
    motion, missed, model = solve(
        corpus_of(walk=take),
        seconds=2.0,
        frames=(last - round(2 * recorded), last),  # the very last frame can be named
        points=[{**HAND, "position": (None, 1.2, None)}],
    )
    assert not missed and motion.fps == 60.0 and motion.n_frames == 120
    assert model.prior.fps == pytest.approx(30)
    # poses as they were recorded, within a frame of the end
    wanted = kinematics.world_positions(take)[last]
    assert np.linalg.norm(kinematics.world_positions(motion)[-1] - wanted, axis=-1).mean() < 0.08


@pytest.mark.parametrize("fps", [24.0, 25.0, 30.0, 59.94, 120.0, 240.0])
def test_motions_of_any_rate_can_be_made(corpus_of, walk, fps):
    motion, missed, model = solve(
        corpus_of(walk=walk), fps=fps, points=[{**HAND, "position": (None, 1.25, None)}], contacts=[FOOT]
    )
    assert not missed and motion.fps == fps and motion.n_frames == int(np.floor(fps + 0.5))
    assert 20 <= model.prior.fps <= 40
    frame = int(np.floor(0.5 * fps + 0.5))
    assert abs(kinematics.world_positions(motion)[frame, motion.skeleton.index("right_hand"), 1] - 1.25) < 1e-3


@pytest.mark.parametrize("n_frames", range(2, 11))
def test_takes_of_a_few_frames_are_edited_or_refused_in_a_sentence(corpus_of, walk, n_frames):
    corpus = corpus_of(walk=walk, short=cut(walk, 100, 100 + n_frames))
    asked = {
        "start_from": "short",
        "prior": {"takes": ["walk"]},
        "points": [{**HAND, "at": "end", "moved_by": (0, 0.05, 0)}],
    }
    request = Request.from_data(asked)
    model = dynamics.prepare(corpus, dynamics.material_of(corpus, request))
    if n_frames <= 4:
        with pytest.raises(BadInput, match=r"too short to edit: .*; start from a take of at least 5 frames"):
            list(dynamics.search(model, request))
        return
    *_, answer = dynamics.search(model, request)
    (played,) = dynamics.perform(answer, model).played
    assert played.motion.n_frames == n_frames
    assert all(part.met for part in played.parts if part.name.startswith("point"))


@pytest.mark.parametrize("n_frames", [3, 8, 12, 20, 40])
def test_a_prior_of_a_few_frames_works_or_says_how_many_it_needs(corpus_of, walk, n_frames):
    corpus = corpus_of(walk=cut(walk, 100, 100 + n_frames))
    try:
        motion, _, model = solve(corpus, frames=(0, n_frames - 1))
    except BadInput as error:
        assert "needs" in str(error) and "\n" not in str(error)
        assert n_frames < 20
    else:
        assert model.has_little_data and np.isfinite(motion.local_rotations).all() and motion.n_frames == 60
        assert np.abs(motion.root_positions[:, 1] - 0.94).max() < 0.3


def test_a_take_in_which_nobody_moves_teaches_nothing(corpus_of, walk):
    still = replace(
        walk,
        root_positions=np.tile(walk.root_positions[:1], (300, 1)),
        local_rotations=np.tile(walk.local_rotations[:1], (300, 1, 1)),
    )
    corpus = corpus_of(walk=still)
    with pytest.raises(BadInput, match="no joint moves in the chosen takes"):
        dynamics.prepare(corpus, Material())


def test_a_take_in_which_nobody_moves_can_be_edited_with_a_prior_of_another(corpus_of, walk):
    still = replace(
        walk,
        root_positions=np.tile(walk.root_positions[:1], (300, 1)),
        local_rotations=np.tile(walk.local_rotations[:1], (300, 1, 1)),
    )
    corpus = corpus_of(walk=walk, still=cut(still, 0, 120))
    asked = {"start_from": "still", "prior": {"takes": ["walk"]}, "points": [{**HAND, "moved_by": (0, 0.1, 0)}]}
    request = Request.from_data(asked)
    model = dynamics.prepare(corpus, dynamics.material_of(corpus, request))
    *_, answer = dynamics.search(model, request)
    (played,) = dynamics.perform(answer, model).played
    assert all(part.met for part in played.parts)


def test_one_take_is_a_corpus(corpus_of, walk):
    motion, missed, model = solve(corpus_of(walk=walk), points=[{**HAND, "position": (None, 1.2, None)}])
    assert not missed and model.learnt_from == ("walk", "walk~mirrored")
    assert motion.n_frames == 60


LACKING = {"toes": ("Toes",), "toes and fingers": ("Fingers", "Toes"), "hands": ("Hand", "Fingers")}


@pytest.mark.parametrize("lacks", LACKING)
@pytest.mark.parametrize("take", ["own", "whole"])
def test_a_motion_is_edited_on_a_body_that_lacks_ends_of_limbs(corpus_of, walk, take, lacks):
    body = without(walk, *LACKING[lacks])
    elbow = {"joint": "right_elbow", "at": "1s", "moved_by": [0.1, 0.1, 0], "hard": True}
    corpus = corpus_of(own=body, whole=walk)
    request = Request.from_data({"start_from": take, "skeleton": "own", "points": [elbow]})
    model = dynamics.prepare(corpus, dynamics.material_of(corpus, request))
    *_, answer = dynamics.search(model, request)
    (played,) = dynamics.perform(answer, model).played
    assert played.motion.skeleton == body.skeleton
    assert np.isfinite(played.motion.local_rotations).all()
    parts = {part.name: part for part in played.parts}
    assert all(part.met for part in parts.values())
    assert any("left_heel rests" in name for name in parts)
    assert any("left_ball rests" in name for name in parts) == ("toes" not in lacks)


def test_a_foot_without_toes_rests_on_its_heel_alone(corpus_of, walk):
    body = without(walk, "Fingers", "Toes")
    corpus = corpus_of(walk=body)
    asked = {"length": "1s", "poses": [{"at": "0s", "pose": {"take": "walk", "frame": 60}}], "contacts": [FOOT]}
    request = Request.from_data(asked)
    model = dynamics.prepare(corpus, dynamics.material_of(corpus, request))
    *_, answer = dynamics.search(model, request)
    (played,) = dynamics.perform(answer, model).played
    assert [part.name.split(" rests")[0] for part in played.parts if "rests" in part.name] == ["contact 1, right_heel"]
    with pytest.raises(BadInput, match="no joint 'left_ball' on the skeleton"):
        solve_again(model, contacts=[{**FOOT, "joint": "left_ball"}])
