"""Judging: the report about labels, poses and frames agrees with looking at them one by one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.methods.timeline import Paint, Request
from motionloom.methods.timeline.objective.problem import pose_problem
from motionloom.methods.timeline.report.measures import judge_labels, played_frames, pose_errors
from motionloom.motion import Placement, kinematics, place, provenance


@given(seed=st.integers(0, 10_000))
def test_stretches_say_of_each_painted_frame_whether_it_is_right(tiny, seed):
    rng = np.random.default_rng(seed)
    tracks = {label: rng.integers(-1, 2, 60) for label in ("walk", "run")}
    model = tiny([40, 20], tracks, seed=seed)
    a, b, c = sorted(rng.choice(np.arange(1, 120), 3, replace=False).tolist())
    paints = (
        Paint(label="walk", start="0f", stop=f"{a}f"),
        Paint(label="walk", start=f"{a}f", stop=f"{b}f", value="must_not"),
        Paint(label="run", start=f"{c}f"),
    )
    problem = pose_problem(model, Request(length="120f", labels=paints))
    played = rng.integers(0, 60, 120)
    found = {
        (stretch.label, stretch.start, stretch.stop, stretch.value): stretch
        for stretch in judge_labels(problem, played, model.fps)
    }
    assert set(found) == {("walk", 0, a, 1), ("walk", a, b, -1), ("run", c, 120, 1)}
    for (label, start, stop, value), stretch in found.items():
        words = {1: "right", 0: "unknown", -1: "wrong"}
        plain = [words[int(value * tracks[label][frame])] for frame in played[start:stop]]
        reported = [word for first, last, word in stretch.runs for _ in range(first, last)]
        assert reported == plain
        assert stretch.right == pytest.approx(plain.count("right") / len(plain))
        assert len(stretch.missed) == sum(word != "right" for *_, word in stretch.runs)


def test_ends_of_a_stretch_may_be_forgiven(tiny):
    model = tiny([100], {"walk": np.where(np.arange(100) < 85, 1, -1)})
    problem = pose_problem(model, Request(length="100f", labels=(Paint(label="walk"),)))
    (stretch,) = judge_labels(problem, np.arange(100), model.fps)
    assert stretch.right == pytest.approx(0.85) and stretch.right_inside == 1.0


@given(frames=st.lists(st.integers(0, 299), min_size=1, max_size=30))
def test_the_heaviest_frame_is_found_in_the_model(model, frames):
    name = model.view.names[1]
    start, _ = model.view.range_of(name)
    heavy = provenance.recorded(name, model.view.source_frames[start + np.array(frames)])
    light = provenance.recorded(model.view.names[0], np.zeros(len(frames)))
    mixed = provenance.mix(heavy, light, np.full(len(frames), 0.4))
    planned = np.zeros(len(frames), np.int64)
    np.testing.assert_array_equal(played_frames(model, mixed, planned), start + np.array(frames))


@pytest.mark.parametrize("side", [0, 1])
def test_of_two_frames_with_as_much_weight_the_planned_one_is_played(model, side):
    starts = [model.view.range_of(name)[0] for name in model.view.names[:2]]
    frames = np.arange(20)
    both = [provenance.recorded(name, frames.astype(float)) for name in model.view.names[:2]]
    planned = starts[side] + frames
    mixed = provenance.mix(*both, np.full(20, 0.5))
    np.testing.assert_array_equal(played_frames(model, mixed, planned), planned)


@given(heading=st.floats(-3, 3), x=st.floats(-5, 5), z=st.floats(-5, 5))
def test_where_a_pose_stands_and_faces_is_no_error(make, heading, x, z):
    motion = make.motion(n_frames=6, wildness=0.2)
    moved = place(motion, Placement(heading, np.array([x, z])))
    wanted, found = kinematics.world_positions(motion), kinematics.world_positions(moved)
    assert pose_errors(motion.skeleton, wanted, found).max() < 1e-9


def test_a_moved_hand_is_an_error_of_as_much(make):
    motion = make.motion(n_frames=3, wildness=0.2)
    wanted = kinematics.world_positions(motion)
    found = wanted.copy()
    found[1, motion.skeleton.names.index("LeftHand")] += [0.0, 0.05, 0.0]
    errors = pose_errors(motion.skeleton, wanted, found)
    assert errors.max() == pytest.approx(0.05) and errors.argmax() == 21 + motion.skeleton.names.index("LeftHand")
