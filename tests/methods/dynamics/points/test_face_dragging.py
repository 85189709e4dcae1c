"""Dragging points of faces: the answer follows every event, and settles where a search does."""

import numpy as np
import pytest

from motionloom.assembly import solve
from motionloom.methods import dynamics
from motionloom.methods.dynamics.dragging import coordinates_at_rest, drag, frames_around
from motionloom.methods.dynamics.optimization import set_up
from motionloom.methods.dynamics.search import _carried

TAKE = "face/happiness"
HEAD = {"like": {"take": TAKE, "frame": 120}}


def edit(share: float, hard: bool = True) -> dict:
    """A corner of the mouth pulled up, beside a pinned brow."""
    pinned = {"at": "2.2s", "joint": "right_outer_brow", "moved_by": [0, 0.002, 0], "hard": True}
    pulled = {"at": "2s", "joint": "left_mouth_corner", "moved_by": [0, 0.006 * share, 0.001 * share], "hard": hard}
    return {"start_from": TAKE, "length": "5s", "points": [pulled, pinned]}


def made_of_keys(share: float, hard: bool = False) -> dict:
    """The chin pulled down, between two keys."""
    poses = [{"at": f"{at}s", "pose": {"take": TAKE, "frame": 120 + 120 * at}} for at in (0, 3)]
    chin = {"at": "1.5s", "joint": "chin", "position": [None, 1.165 - 0.01 * share, None], "hard": hard}
    return {"poses": poses, "points": [chin], "head": HEAD}


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("asked", [edit, made_of_keys])
def test_every_event_is_met_and_the_last_is_near_to_where_a_search_settles(faces, asked, hard):
    model = faces.model(asked(0, hard))
    state, allowed = None, 1.2e-5 if hard else 6e-4
    for share in np.linspace(0, 1, 8):
        dragged = drag(model, faces.request(asked(share, hard)), state)
        state = dragged.state
        assert max(part.value for part in dragged.parts if "point" in part.name) < allowed
        assert dragged.contacts is None
    again = drag(model, faces.request(asked(1, hard)), state)
    settled = faces.make(asked(1, hard)).motion.positions
    for motion in (dragged.motion, again.motion):
        assert np.linalg.norm(motion.positions - settled, axis=-1).max() < 0.0015
    assert np.linalg.norm(again.motion.positions - settled, axis=-1).mean() < 1e-4


def test_a_drag_of_an_edit_is_about_one_point_and_the_frames_around(faces):
    model = faces.model(edit(0))
    state = drag(model, faces.request(edit(0))).state
    optimization = set_up(model, faces.request(edit(1)), state.optimization)
    assert optimization.problem.prior.size == 6, "both points have coordinates of their own, and nothing else has"
    codec = model.prior.point_vectors
    left_out = coordinates_at_rest(state.optimization, optimization)
    columns = {optimization.problem.prior.free[place] // 3 for place in left_out}
    assert columns == {codec.names.index("right_outer_brow")}
    assert frames_around(state, optimization) == (60 - 18, 60 + 18)
    before = drag(model, faces.request(edit(0)), state).motion.positions
    after = drag(model, faces.request(edit(1)), state).motion.positions
    moved = np.linalg.norm(after - before, axis=-1)
    assert moved[120].max() > 0.005 and moved[: 120 - 45].max() < 1e-9 and moved[120 + 45 :].max() < 1e-9
    assert moved[:, codec.names.index("right_outer_brow")].max() < 1e-6


def test_a_search_goes_on_from_a_drag_and_settles_as_one_that_began_anew(faces):
    model = faces.model(made_of_keys(0))
    first = solve(dynamics, model, faces.request(made_of_keys(0)))[0]
    warm = solve(dynamics, model, faces.request(made_of_keys(1)), previous=first)[0]
    cold = solve(dynamics, model, faces.request(made_of_keys(1)))[0]
    assert warm.cost == pytest.approx(cold.cost, rel=1e-6)
    again = solve(dynamics, model, faces.request(made_of_keys(1)), previous=cold)
    assert again[0] is cold


def test_coordinates_of_points_are_carried_where_another_point_is_asked_for(faces):
    """Each point has slow and fast ones; those of points that are asked for again go on from where they were."""
    path = {"from": "0s", "to": "3s", "joint": "upper_lip", "like": HEAD["like"]}
    one, two = made_of_keys(1), made_of_keys(1)
    one["points"], two["points"] = (
        [*one["points"], path],
        [*two["points"], path, {**path, "joint": "left_mouth_corner"}],
    )
    model = faces.model(one)
    before = solve(dynamics, model, faces.request(one))[0].state
    after = set_up(model, faces.request(two), before.optimization)
    carried = _carried(before, after)
    old, new = before.optimization.problem.prior, after.problem.prior
    assert (old.size, new.size) == (old.size, old.size + 6)
    names = model.names
    for number, column in enumerate(new.free):
        knots = carried[:, new.size - len(new.free) + number]
        if names[column // 3] == "left_mouth_corner":
            assert not knots.any()
            continue
        nth = new.free[:number].count(column)
        place = [place for place, other in enumerate(old.free) if other == column][nth]
        np.testing.assert_array_equal(knots, before.knots[:, old.size - len(old.free) + place])
