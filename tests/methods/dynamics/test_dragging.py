"""Dragging: one thing of an edit changes at a time, and little else has to be asked again."""

import numpy as np
import pytest

from motionloom.constraints import solve_ik
from motionloom.methods.dynamics.closing import hard_targets
from motionloom.methods.dynamics.closing.hard_targets import around_missed
from motionloom.methods.dynamics.demands.demand import Finished
from motionloom.methods.dynamics.demands.held_rest import columns_of, limb_of
from motionloom.methods.dynamics.dragging import coordinates_at_rest, drag, frames_around, without_pins_of_limbs
from motionloom.methods.dynamics.optimization import set_up
from motionloom.methods.dynamics.perform import perform
from motionloom.methods.dynamics.search import warm_steps
from motionloom.methods.dynamics.terms.point_terms import PointTerm
from motionloom.motion import kinematics

WALK = "walk/normal_1"
FRAME = 300


def pin(desk, joint: str, frame: int, *moved: float) -> dict:
    """A joint where it is in the walk, or moved by (x, y, z) metres."""
    motion = desk.model({"start_from": WALK}).view.motion(WALK)
    place = kinematics.world_positions(motion)[frame, motion.skeleton.index(joint)] + np.array(moved or (0.0, 0.0, 0.0))
    return {"at": f"{frame}f", "joint": joint, "position": place.round(4).tolist(), "hard": True}


@pytest.fixture(scope="module")
def asked(desk):
    """A walk with a hand raised and a foot that is moved aside."""
    return [pin(desk, "right_hand", FRAME, 0, 0.1, 0), pin(desk, "left_foot", FRAME + 90, 0.04, 0.05, 0)]


@pytest.fixture(scope="module")
def dragged(desk, asked):
    """Where a drag with both of them has come to."""
    data = {"start_from": WALK, "points": asked}
    found = drag(desk.model(data), desk.request(data))
    for _ in range(3):
        found = drag(desk.model(data), desk.request(data), found.state)
    return found


def at_rest(desk, dragged, data: dict) -> set[int]:
    """The numbers of vectors whose own coordinates stay."""
    optimization = desk.set_up({"start_from": WALK, **data})
    prior = optimization.problem.prior
    shared = prior.size - len(prior.free)
    return {prior.free[place - shared] for place in coordinates_at_rest(dragged.state.optimization, optimization)}


def test_a_hand_that_is_dragged_leaves_the_leg_as_it_was(desk, asked, dragged):
    further = {"start_from": WALK, "points": [pin(desk, "right_hand", FRAME, 0.02, 0.13, 0), asked[1]]}
    before = dragged.state
    after = drag(desk.model(further), desk.request(further), before)
    problem = after.state.optimization.problem
    left_out = coordinates_at_rest(before.optimization, after.state.optimization)
    assert 0 < len(left_out) < len(problem.prior.free)
    np.testing.assert_array_equal(after.state.knots[:, left_out], before.knots[:, left_out])
    moved = np.setdiff1d(np.arange(problem.n_unknowns), left_out)
    assert np.abs(after.state.knots[:, moved] - before.knots[:, moved]).max() > 0.01
    assert problem.objective(after.state.knots) < problem.objective(before.knots)
    assert all(part.met for part in after.parts), "both pins hold"


def test_a_joint_that_is_new_is_free(desk, asked, dragged):
    other = pin(desk, "left_hand", FRAME, 0, 0.1, 0)
    data = {"points": [*asked, other]}
    leg_and_arm = at_rest(desk, dragged, data)
    assert leg_and_arm and at_rest(desk, dragged, {"points": asked[:1]}) != leg_and_arm


@pytest.mark.parametrize("change", [{"prior_weight": 2.0}, {"hold": {"degrees": 2.0}}, {"feet": "free"}, {}])
def test_nothing_rests_where_anything_else_changed_or_all_is_the_same(desk, asked, dragged, change):
    assert at_rest(desk, dragged, {"points": asked, **change}) == set()


def test_limbs_follow_a_root_that_is_dragged_in_the_last_pass(desk, asked, dragged):
    """The steps ask neither their joints nor their pins, which hold all the same; at rest they ask all of it again."""
    data = {"start_from": WALK, "points": [*asked, pin(desk, "hips", FRAME, 0.03, -0.04, 0.02)]}
    optimization, before = desk.set_up(data), dragged.state
    assert at_rest(desk, dragged, data) == set(optimization.problem.prior.free)
    head = optimization.setting.model.skeleton.index("head")
    with_head = at_rest(desk, dragged, {"points": [*data["points"], pin(desk, "head", FRAME + 9)]})
    assert with_head and not with_head & set(
        columns_of(optimization.setting, limb_of(optimization.setting.model.skeleton, head)).tolist()
    )
    asked_now = without_pins_of_limbs(before.optimization, optimization)
    gone = set(optimization.problem.terms) - set(asked_now.problem.terms)
    assert len(gone) == len(asked) and all(isinstance(term, PointTerm) for term in gone)

    model, request = desk.model(data), desk.request(data)
    after = drag(model, request, before)
    assert all(part.met for part in after.parts)
    again = set_up(model, request, after.state.optimization)
    assert without_pins_of_limbs(after.state.optimization, again) is again
    assert coordinates_at_rest(after.state.optimization, again) == []

    # as evenly as the search moves it, not by limbs that snap to their pins
    cold = perform(desk.solve(data), model).played[0].motion
    hasty, settled = (
        np.abs(np.diff(kinematics.world_positions(each), n=2, axis=0)).max() for each in (after.motion, cold)
    )
    assert hasty < 3 * settled


def test_drags_come_to_where_the_search_does(desk, asked, dragged):
    data = {"start_from": WALK, "points": [pin(desk, "right_hand", FRAME, 0.02, 0.12, 0), asked[1]]}
    model, request = desk.model(data), desk.request(data)
    state = dragged.state
    for _ in range(12):
        state = drag(model, request, state).state
    cold = desk.solve(data).state
    places = (kinematics.world_positions(each.optimization.motion(each.knots)) for each in (state, cold))
    one, other = places
    assert np.linalg.norm(one - other, axis=-1).max() < 0.01


def test_matrices_of_the_prior_are_made_once(desk, asked, dragged):
    data = {"start_from": WALK, "points": [pin(desk, "right_hand", FRAME, 0.0, 0.14, 0), asked[1]]}
    model, request = desk.model(data), desk.request(data)
    first = drag(model, request, dragged.state)
    again = drag(model, request, first.state)
    assert again.state.optimization.problem.kept is dragged.state.optimization.problem.kept
    weighed = {**data, "prior_weight": 2.0}
    other = drag(desk.model(weighed), desk.request(weighed), again.state)
    assert other.state.optimization.problem.kept is not again.state.optimization.problem.kept


def test_the_last_pass_asks_no_foot_for_a_hand(desk, asked, dragged):
    """Nor what rests long before or after a foot that is asked for."""
    motion = desk.model({"start_from": WALK}).view.motion(WALK)
    near = [
        pin(desk, "right_hand", FRAME, 0, 0.3, 0),
        pin(desk, "left_foot", FRAME + 6),
        pin(desk, "left_hand", FRAME + 6),
    ]
    demands = desk.set_up({"start_from": WALK, "points": near}).demands.parts
    names = [demand.name for demand in around_missed([demand for demand in demands if demand.is_hard], motion)]
    assert [name.split(", ")[1] for name in names] == ["right_hand", "left_hand"], "both hang on the trunk"


def test_the_last_pass_keeps_resting_feet_where_they_may_change(desk, monkeypatch):
    targets = []

    def solve(motion, asked, **how):
        targets.extend(asked)
        return solve_ik(motion, asked, **how)

    monkeypatch.setattr(hard_targets, "solve_ik", solve)
    optimization = desk.set_up({"start_from": WALK, "points": [pin(desk, "left_foot", FRAME + 90, 0.02, 0.05, 0)]})
    motion, demands = optimization.setting.source, optimization.demands
    hard = [demand for demand in demands.parts if demand.is_hard]
    flags = optimization.setting.source_contacts
    solved, _ = hard_targets.meet_targets(motion, hard, [], [], flags)
    frames = np.concatenate([np.atleast_1d(target.frames) for target in targets])
    assert len(frames) > 1 and np.abs(frames - (FRAME + 90)).max() <= hard_targets.IK.window * motion.fps
    ankle = motion.skeleton.index("left_foot")
    moved = np.linalg.norm((kinematics.world_positions(solved) - kinematics.world_positions(motion))[:, ankle], axis=-1)
    resting = flags[:, hard_targets.columns_of("left")].any(axis=1)
    resting[FRAME + 90] = False
    assert moved[resting].max() < 0.001, "wherever it rests"


def test_a_hand_that_is_dragged_asks_the_frames_around_alone(desk, asked, dragged):
    """Those far away are exactly what they were, and near it is where a drag that asks all of them comes to."""
    data = {"start_from": WALK, "points": [pin(desk, "right_hand", FRAME, 0.01, 0.13, 0), asked[1]]}
    model, request, before = desk.model(data), desk.request(data), dragged.state
    optimization = desk.set_up(data)
    first, last = frames_around(before, optimization)
    assert 0 < first < FRAME / optimization.setting.step < last < optimization.problem.n_frames - 1
    after = drag(model, request, before).state
    changed = np.flatnonzero((after.knots != before.knots).any(axis=1))
    assert first <= changed.min() and changed.max() <= last

    *_, whole = warm_steps(after.optimization, before, 1)
    one, other = (after.optimization.motion(knots) for knots in (after.knots, whole.knots))
    apart = np.linalg.norm(kinematics.world_positions(one) - kinematics.world_positions(other), axis=-1)
    assert apart.max() < 0.003
    steps = np.diff(kinematics.world_positions(one), n=2, axis=0) - np.diff(
        kinematics.world_positions(other), n=2, axis=0
    )
    assert np.abs(steps).max() < 0.001, "it fades into the frames that stay"


def test_what_is_asked_again_asks_the_frames_of_the_last_drag_first(desk, asked, dragged):
    data = {"start_from": WALK, "points": [pin(desk, "right_hand", FRAME, 0.01, 0.13, 0), asked[1]]}
    model, request = desk.model(data), desk.request(data)
    first = drag(model, request, dragged.state).state
    again = drag(model, request, first).state
    assert first.span is not None
    changed = np.flatnonzero((again.knots != first.knots).any(axis=1))
    assert len(changed) and first.span[0] <= changed.min() and changed.max() <= first.span[1]
    assert frames_around(again, set_up(model, request, again.optimization)) is None, "then all of them"


@pytest.mark.parametrize("change", [{"prior_weight": 2.0}, {"hold": {"degrees": 2.0}}, {"feet": "free"}, {}])
def test_all_frames_are_asked_where_anything_else_changed_or_all_is_the_same(desk, asked, dragged, change):
    optimization = desk.set_up({"start_from": WALK, "points": asked, **change})
    assert frames_around(dragged.state, optimization) is None


def test_the_last_pass_of_a_drag_comes_as_near_to_what_is_out_of_reach(desk):
    """In one round: what can be met is met, and what cannot is missed by hardly more."""
    points = [pin(desk, "right_hand", FRAME, 0, 0.15, 0), pin(desk, "left_hand", FRAME + 60, 0, 2.0, 0)]
    optimization = desk.set_up({"start_from": WALK, "points": points})
    motion, hard = optimization.setting.source, [each for each in optimization.demands.parts if each.is_hard]
    flags = optimization.setting.source_contacts
    quick, slow = (hard_targets.meet_targets(motion, hard, [], [], flags, quick)[0] for quick in (True, False))
    misses = np.array([[each.measure(Finished.of(found)).max() for each in hard] for found in (quick, slow)])
    assert misses[0, 0] < 0.001
    assert misses[1, 1] > 0.5 and misses[0, 1] < misses[1, 1] + 0.03


def test_a_hand_that_is_dragged_beyond_reach_is_said_to_be(desk, asked, dragged):
    """Not that it contradicts the foot that is asked for soon after."""
    data = {"start_from": WALK, "points": [pin(desk, "right_hand", FRAME + 80, 1.5, 0.5, 0), asked[1]]}
    parts = drag(desk.model(data), desk.request(data), dragged.state).parts
    missed = [part for part in parts if not part.met]
    assert missed and missed[0].name.startswith("point 1, right_hand") and "out of reach" in missed[0].why_not
