"""What else requests say: knots, orders, mixtures, random starts, weights, subsets of points."""

import numpy as np
import pytest

from motionloom.assembly import follow
from motionloom.methods import dynamics

TAKE = "face/happiness"
KEYS = {
    "poses": [{"at": f"{at}s", "pose": {"take": TAKE, "frame": frame}} for at, frame in ((0, 480), (1, 600), (2, 720))],
    "points": [{"from": "0s", "to": "2s", "joint": "chin", "like": {"take": TAKE, "frame": 480}}],
    "head": {"like": {"take": TAKE, "frame": 480}},
}
OTHERS = {"takes": ["face/disgust", "face/anger", "face/speaking"]}


@pytest.mark.parametrize(
    "more",
    [
        {"knots": 3},
        {"prior": {**OTHERS, "order": 2, "controls": 1, "dimensions": 20}},
        {"prior": {**OTHERS, "order": None, "mixtures": 2}},
        {"prior": {**OTHERS, "pull": "zero"}},
        {"prior": {**OTHERS, "mirrored": True}},
        {"prior": {**OTHERS, "independent_start": True, "order": 1}},
        {"fps": 30},
        {"fps": 120},
    ],
    ids=str,
)
def test_a_request_is_met_however_it_is_learnt_and_written(faces, more):
    done = faces.make({"prior": OTHERS, **KEYS, **more})
    assert not done.missed
    assert done.motion.n_frames == round(2 * done.motion.fps) + 1


def test_random_starts_end_in_the_same_face(faces):
    data = {"prior": OTHERS, **KEYS}
    answers = list(follow(dynamics, faces.model(data), faces.request(data), others=3))
    assert {answer.kind for answer in answers} == {"best"}
    courses = answers[-1].state.starts
    assert len(courses) == 3
    assert all(course[-1] == pytest.approx(answers[-1].cost, rel=1e-4) for course in courses)


def test_a_heavier_prior_yields_less_to_what_is_asked(faces):
    def miss(weight: float) -> float:
        point = {"at": "1s", "joint": "chin", "position": [0.0, 1.15, None], "within": 0.005}
        done = faces.make({"length": "2s", "points": [point], "prior_weight": weight})
        return done.parts["point 1, chin: off by"].value

    misses = [miss(weight) for weight in (0.1, 1, 10, 100)]
    assert misses == sorted(misses) and misses[-1] > misses[0] + 0.002


def test_a_pose_is_nearer_to_what_it_is_usually_within(faces):
    def off(within: float) -> float:
        pose = {"at": "1s", "pose": {"take": TAKE, "frame": 600}, "within": within}
        far = {"at": "1s", "joint": "chin", "position": [0.0, 1.15, None]}
        done = faces.make({"length": "2s", "poses": [pose], "points": [far], "prior": OTHERS})
        return done.parts["pose 1: off by"].value

    assert off(0.0001) < off(0.003)


def test_takes_of_fewer_points_are_made_of_these(tmp_path, make, faces):
    """A marker set in which some are missing for good: the others are learnt, and asked for."""
    from dataclasses import replace

    from motionloom.corpus import Source, Take

    corpus = make.face_corpus(tmp_path / "corpus", ("face/disgust", "face/anger"))
    motion = make.face_take("face/happiness").motion
    kept = [n for n, name in enumerate(motion.names) if "brow" not in name]
    fewer = replace(motion, names=tuple(motion.names[n] for n in kept), positions=motion.positions[:, kept])
    corpus.add(Take("face/fewer", fewer, Source("f", "performer", "f", motion.fps, 1.0)), floor_height=0.0)
    desk = type(faces)(corpus)
    done = desk.make(
        {"start_from": "face/fewer", "points": [{"at": "2s", "joint": "chin", "moved_by": [0, -0.004, 0]}]}
    )
    assert not done.missed and done.motion.names == fewer.names
    assert np.isfinite(done.motion.positions).all()
