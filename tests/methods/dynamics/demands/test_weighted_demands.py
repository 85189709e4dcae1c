"""Weighted demands: a smaller deviation is stricter, and what is asked strictly enough is met."""

import numpy as np
import pytest

from motionloom.motion import rotations

FREE = {"length": "61f", "feet": "free"}


@pytest.fixture(scope="module")
def ends():
    """The same key poses a second apart, in frames of the model."""
    pose = {"take": "walk/normal_1"}
    return [{"at": f"{at}f", "pose": {**pose, "frame": 200 + at}, "as_recorded": True} for at in (0, 60)]


def misses(desk, ends, kind, deviations, **asked):
    """How far a demand of some kind is missed, by deviations."""
    found = []
    for within in deviations:
        demand = {**asked, "name": "asked", "within": within}
        extra = {"poses": [*ends, demand]} if kind == "poses" else {"poses": ends, kind: [demand]}
        done = desk.make({**FREE, **extra, "cameras": {"a": {"position": (3, 1.2, 2), "look_at": (0, 1.2, 2)}}})
        found.append(next(part.value for name, part in done.parts.items() if name.startswith("asked: ")))
    return found


TIME = {"at": "0.5s"}


@pytest.mark.parametrize(
    ("kind", "asked", "loose", "strict", "met"),
    [
        ("points", {"joint": "right_hand", "position": (None, 1.25, None), **TIME}, 0.1, 5e-4, 3e-3),
        ("points", {"joint": "head", "position": (0.1, None, None), "from": "0.4s", "to": "0.6s"}, 0.1, 5e-4, 3e-3),
        ("orientations", {"joint": "head", "turns": (0, 15, 0), **TIME}, 20.0, 0.05, 0.5),
        ("distances", {"joint": "left_hand", "other": "head", "metres": 0.5, **TIME}, 0.2, 5e-4, 3e-3),
        ("angles", {"joint": "left_elbow", "bend": 60, **TIME}, 60.0, 0.05, 0.6),
        ("projections", {"joint": "right_hand", "camera": "a", "pixel": (960, 500), **TIME}, 200.0, 0.1, 1.0),
        ("root", {"position": (0.15, 2.4), **TIME}, 1.0, 2e-4, 3e-3),
        ("root", {"heading": 15, **TIME}, 1.0, 2e-4, 0.5),
        ("root", {"height": 0.85, **TIME}, 1.0, 2e-4, 3e-3),
        ("poses", {"pose": {"take": "stand/weight_shifts_1", "frame": 100}, **TIME}, 30.0, 0.02, 0.6),
    ],
)
def test_the_stricter_a_demand_is_the_nearer_it_is_met(desk, ends, kind, asked, loose, strict, met):
    found = misses(desk, ends, kind, (loose, (loose * strict) ** 0.5, strict), **asked)
    assert found[0] > found[1] > found[2] - 1e-6
    assert found[2] < met < found[0]


def test_the_weight_of_the_prior_counts_against_what_is_asked(desk, ends):
    point = {"joint": "right_hand", "position": (None, 1.3, None), "within": 0.01, **TIME}
    asked = {**FREE, "poses": ends, "points": [point]}
    found = [abs(desk.make({**asked, "prior_weight": w}).at("right_hand")[30, 1] - 1.3) for w in (0.01, 1.0, 100.0)]
    assert found[0] < found[1] < found[2]


def test_axes_that_are_free_stay_likely(desk, ends):
    """Only the height is asked for: the hand is beside the body as in the walk."""
    point = {"joint": "right_hand", "position": (None, 1.15, None), "within": 0.002, **TIME}
    plain, asked = (desk.make({**FREE, "poses": ends, **extra}) for extra in ({}, {"points": [point]}))
    moved = asked.at("right_hand")[30] - plain.at("right_hand")[30]
    assert abs(asked.at("right_hand")[30, 1] - 1.15) < 0.01
    assert np.linalg.norm(moved[[0, 2]]) < 0.35


def test_a_heading_past_half_a_turn_is_the_same_as_the_other_way_round(desk, ends):
    one, other = (
        desk.make({**FREE, "root": [{"at": "0s", "position": (0, 0)}, {"at": "0.5s", "heading": heading}]})
        for heading in (170, 170 - 360)
    )
    apart = rotations.angle_between(one.motion.local_rotations[30, 0], other.motion.local_rotations[30, 0])
    assert np.degrees(apart) < 0.5
