"""What motions cost, where their pieces stand, and how slots count it all the same."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.methods.timeline import Model, Request, Settings
from motionloom.methods.timeline.objective.costs import cost_of, find_cuts, path_of, place_misses
from motionloom.methods.timeline.objective.problem import pose_problem
from motionloom.methods.timeline.objective.slots import chain_frames, make_slots, slot_costs
from motionloom.methods.timeline.objective.solution import make_plan
from motionloom.motion import kinematics, place
from motionloom.similarity.slices import lowest_in_time

REQUEST = Request.from_data(
    {
        "length": "201f",
        "labels": [
            {"label": "walk", "to": "70f"},
            {"label": "run", "from": "75f"},
            {"label": "stand", "from": "50f", "to": "160f", "value": "must_not"},
        ],
        "frames": [{"at": "90f", "take": "walk_run_walk_1", "start": 300, "stop": 311}],
        "places": [{"position": [1.0, 2.0], "heading": 30}],
    }
)


def random_frames(model, rng, n_frames, n_pieces=4):
    """Frames of a few clips one after another."""
    borders = [0, *np.sort(rng.choice(np.arange(1, n_frames), n_pieces - 1, replace=False)), n_frames]
    parts = []
    for start, stop in zip(borders, borders[1:]):
        motion = rng.integers(len(model.starts) - 1)
        low, high = model.starts[motion], model.starts[motion + 1] - (stop - start)
        parts.append(rng.integers(low, high + 1) + np.arange(stop - start))
    return np.concatenate(parts)


def plain_cost(model, problem, frames):
    """Labels and cuts counted frame by frame."""
    total = 0.0
    for frame, played in enumerate(frames):
        for paint, track in zip(problem.paint[frame], problem.tracks[played]):
            total += (1 - int(paint) * int(track)) / 2 if paint else 0
        if (frame and played != frames[frame - 1] + 1) or (frame and played in model.starts):
            before = frames[frame - 1]
            last = before + 1 in model.starts
            coordinates = model.coordinates
            would = 2 * coordinates[before] - coordinates[before - 1] if last else coordinates[before + 1]
            distance = np.linalg.norm(would - coordinates[played])
            total += problem.cut_weight * (problem.fee + distance)
    return total


@given(seed=st.integers(0, 2**20))
def test_costs_are_those_counted_frame_by_frame(model, seed):
    problem = pose_problem(model, REQUEST)
    frames = random_frames(model, np.random.default_rng(seed), problem.n_frames)
    costs = cost_of(model, problem, frames)
    assert costs.labels + costs.cuts == pytest.approx(plain_cost(model, problem, frames))


def test_going_on_in_a_recording_costs_nothing_but_labels(model):
    problem = pose_problem(model, Request(length="120f"))
    assert cost_of(model, problem, 100 + np.arange(120)).total == 0


def test_going_over_the_border_of_two_recordings_is_a_cut(model):
    border = model.starts[1]
    np.testing.assert_array_equal(find_cuts(model, np.arange(border - 5, border + 5)), [5])


@given(seed=st.integers(0, 2**20))
def test_slots_count_labels_as_the_objective_does(model, seed):
    problem = pose_problem(model, REQUEST)
    slots = make_slots(problem, 8)
    rng = np.random.default_rng(seed)
    costs = [slot_costs(model, problem, slots, slot) for slot in range(slots.n_slots)]
    chain = np.array([rng.choice(np.flatnonzero(np.isfinite(cost))) for cost in costs])
    total = sum(cost[block] for cost, block in zip(costs, chain))
    found = cost_of(model, problem, chain_frames(slots, chain))
    assert total == pytest.approx(found.labels + found.besides)


def test_slots_begin_and_end_with_what_forced_clips_bring_which_has_one_block(model):
    problem = pose_problem(model, REQUEST)
    slots = make_slots(problem, 8)
    (run,) = problem.runs
    assert run.at <= 90 and run.stop >= 101 and run.n_frames == 32
    assert {run.at, run.stop} <= set(slots.borders.tolist())
    assert slots.lengths.max() == 8
    assert slots.lengths.min() >= 1
    assert slots.borders[-1] == 201
    forced = np.flatnonzero(slots.forced >= 0)
    first = model.view.range_of("run/walk_run_walk_1")[0]
    np.testing.assert_array_equal(slots.forced[forced], first + 300 + slots.borders[forced] - 90)


def test_a_block_never_reaches_over_the_end_of_its_take(model):
    problem = pose_problem(model, Request(length="20f"))
    slots = make_slots(problem, 8)
    for slot in range(slots.n_slots):
        costs = slot_costs(model, problem, slots, slot)
        for stop in model.starts[1:]:
            length = slots.lengths[slot]
            assert np.isinf(costs[stop - length + 1 : stop]).all()
            assert np.isfinite(costs[stop - length])


def test_the_path_is_the_facing_of_the_plans_pieces(model):
    problem = pose_problem(model, REQUEST)
    frames = random_frames(model, np.random.default_rng(5), problem.n_frames)
    plan = make_plan(model, problem, frames, REQUEST)
    starts = [model.view.range_of(piece.name)[0] for piece in plan.pieces]
    played = [start + np.arange(piece.start, piece.stop) for start, piece in zip(starts, plan.pieces)]
    np.testing.assert_array_equal(np.concatenate(played), frames)
    path = path_of(model, problem, frames)
    hips = model.view.skeleton.index("hips")
    for begin, piece in zip(plan.begins, plan.pieces):
        moved = kinematics.world_positions(place(model.view.motion(piece.name), piece.placement))
        ground = moved[piece.start : piece.stop, hips][:, [0, 2]]
        np.testing.assert_allclose(path[begin : begin + piece.n_frames, :2], ground, atol=1e-5)


def test_a_path_begins_where_the_request_says_and_goes_on_without_a_jump(model):
    request = Request.from_data(
        {"length": "201f", "places": [{"at": "start", "position": [3, -2], "heading": 120}, {"position": [0, 0]}]}
    )
    problem = pose_problem(model, request)
    path = path_of(model, problem, random_frames(model, np.random.default_rng(3), 201))
    np.testing.assert_allclose(path[0], [3, -2, np.radians(120)], atol=1e-9)
    steps = np.linalg.norm(np.diff(path[:, :2], axis=0), axis=1)
    assert steps.max() < 0.12  # a runner's


def test_misses_are_metres_and_the_shorter_way_round(model):
    request = Request.from_data({"length": "2f", "places": [{"position": [1, 1], "heading": 170}]})
    problem = pose_problem(model, request)
    path = np.array([[0, 0, 0], [1, 3, np.radians(-170)]])
    np.testing.assert_allclose(place_misses(problem, path), [[2.0, np.radians(20)]])


def test_a_saved_model_is_the_same_when_loaded(model, tmp_path):
    model.save(tmp_path / "model.npz")
    again = Model.load(tmp_path / "model.npz", model.view, Settings())
    for name in ("coordinates", "facings", "neighbours", "distances", "tracks"):
        np.testing.assert_array_equal(getattr(again, name), getattr(model, name))
    assert again.labels == model.labels


def test_neighbours_are_the_nearest_frames_of_what_would_come_next(model):
    beyond = model.n_frames  # what would come after the first motion's end
    row = model.coordinates[beyond]
    away = np.linalg.norm(model.coordinates[: model.n_frames] - row, axis=1)
    allowed = lowest_in_time(away, model.starts, 3)  # as neighbours are, local minima along time
    allowed[model.starts[1] - 20 : model.starts[1]] = False
    assert model.distances[beyond, 0] == pytest.approx(away[allowed].min(), rel=1e-5)
    assert away[model.neighbours[beyond, 0]] == pytest.approx(model.distances[beyond, 0], rel=1e-5)
