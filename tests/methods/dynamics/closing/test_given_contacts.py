"""Contacts that are given in an edit: what is asked to rest does, and other feet rest as they did."""

import numpy as np
import pytest

from motionloom.features.feet import POINTS, columns_of, foot_points

EDIT = {"start_from": "walk/normal_1", "length": "4s"}
STILL = 1e-3  # metres per frame


@pytest.fixture(scope="module")
def source(desk):
    """The edited motion, and when its heels and balls rest."""
    view = desk.model(EDIT).view
    return view.motion("walk/normal_1"), np.asarray(view.layer("walk/normal_1", "contacts"), bool)[:240]


def steps_beside(done, source, contacts):
    """(F - 1, 4) metres that points of feet move per frame beside the source, turned or not; 0 where none rests."""
    motion, _ = source
    own, was = (np.diff(foot_points(each, 0.0)[:240], axis=0) for each in (done.motion, motion))
    rests = contacts[1:] & contacts[:-1]
    return np.where(rests, np.abs(np.linalg.norm(own, axis=-1) - np.linalg.norm(was, axis=-1)), 0.0)


def runs(flags):
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(int)))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist()))


def step_of_left_foot(contacts):
    """The frames of a step of the left foot in the middle of the motion."""
    return next(run for run in runs(contacts[:, columns_of("left")].any(axis=1)) if run[0] > 60)


@pytest.mark.parametrize(
    "contact",
    [
        {"joint": "right_hand", "from": "2s", "to": "2.3s"},
        {"joint": "head", "from": "1s", "to": "1.1s"},
    ],
)
def test_feet_rest_as_they_did_where_something_else_is_asked_to_rest(desk, source, contact):
    moved = {"at": "1.5s", "position": [0.25, 0.4]}
    done = desk.make({**EDIT, "contacts": [contact], "root": [moved]})
    assert steps_beside(done, source, source[1]).max() < STILL
    assert sum("heel rests" in name or "ball rests" in name for name in done.parts) >= 10


def test_the_other_foot_and_other_steps_stay_where_a_step_is_placed(desk, source):
    motion, contacts = source
    start, stop = step_of_left_foot(contacts)
    was = foot_points(motion, 0.0)
    ankle = desk.make(EDIT).at("left_foot")[(start + stop) // 2]
    contact = {"joint": "left_foot", "from": f"{start}f", "to": f"{stop}f", "height": 0.0, "hard": True}
    done = desk.make({**EDIT, "contacts": [{**contact, "place": [float(ankle[0]) + 0.06, float(ankle[2])]}]})
    assert np.abs(done.at("left_foot")[start:stop, [0, 2]] - ankle[[0, 2]] - [0.06, 0.0]).max() < STILL
    others = contacts.copy()
    around = slice(max(start - 15, 0), stop + 15)
    others[around, columns_of("left")] = False
    away = np.linalg.norm(foot_points(done.motion, 0.0)[:240] - was[:240], axis=-1)
    assert away[others].max() < STILL
    assert not done.missed


@pytest.mark.parametrize("earlier", [0, 6])
def test_a_foot_that_is_asked_to_rest_longer_than_it_did_stays_there(desk, source, earlier):
    _, contacts = source
    _, stop = step_of_left_foot(contacts)
    contact = {"joint": "left_foot", "from": f"{stop - 8}f", "to": f"{stop + 6}f"}
    hand = {"joint": "right_hand", "at": f"{stop + earlier}f", "moved_by": [0, 0.3, 0.3], "hard": True}
    done = desk.make({**EDIT, "contacts": [contact], "points": [hand]})
    heel = foot_points(done.motion, 0.0)[:, POINTS.index("left_ball")]
    resting = np.linalg.norm(np.diff(heel[stop - 12 : stop + 6], axis=0), axis=1)
    assert resting.max() < STILL
    assert not done.missed


def test_hips_that_are_asked_to_rest_do_although_feet_would_pull_them_along(desk):
    done = desk.make({**EDIT, "contacts": [{"joint": "hips", "from": "2s", "to": "2.4s"}]})
    assert np.linalg.norm(np.diff(done.at("hips")[120:144], axis=0), axis=1).max() < STILL


def test_the_contacts_of_the_result_are_those_that_are_kept_and_those_that_are_given(desk, source):
    _, contacts = source
    start, stop = step_of_left_foot(contacts)
    asked = {**EDIT, "contacts": [{"joint": "left_foot", "from": f"{start}f", "to": f"{stop + 4}f"}]}
    found = desk.set_up(asked).demands.contacts
    assert found.flags[start : stop + 4, columns_of("left")].all()
    np.testing.assert_array_equal(found.flags[:, columns_of("right")], contacts[:, columns_of("right")])
    np.testing.assert_array_equal(found.kept.flags[: start - 1], contacts[: start - 1])


@pytest.mark.parametrize(
    "asked",
    [
        {"feet": "given", "contacts": [{"joint": "left_foot", "from": "1s", "to": "1.2s"}]},
        {"contacts_like": {"take": "walk/stop_and_go", "frame": 0}},
        {"contacts_like": {"take": "walk/stop_and_go"}, "contacts": [{"joint": "head", "from": "1s", "to": "1.2s"}]},
    ],
)
def test_feet_that_are_all_given_are_not_kept_besides(desk, asked):
    assert not desk.set_up({**EDIT, **asked}).demands.contacts.kept.points
