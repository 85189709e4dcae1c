"""Every request of examples/requests gives the motion it asks for; among them are the figures of the paper."""

from pathlib import Path

import numpy as np
import pytest

from motionloom.assembly import realize, solve
from motionloom.features.facing import find_facing
from motionloom.methods import timeline
from motionloom.methods.timeline import Request, prepare
from motionloom.methods.timeline.objective.problem import wrong_cells
from motionloom.motion import kinematics

REQUESTS = sorted((Path(__file__).resolve().parents[2] / "examples" / "requests").glob("*.yaml"))
TAKES = (
    "walk/normal_1 walk/stop_and_go walk/about_face_1 run/walk_run_walk_1 run/run_1 run/backwards_1 wave/standing "
    "wave/walk_and_wave_1 stand/weight_shifts_1 stumble/run jump/run_and_jump_1 jump/up push/walking sit/walk_sit_walk"
).split()


@pytest.fixture(scope="module")
def model(tmp_path_factory, make):
    """A part of the demo corpus, ready for searching."""
    return prepare(make.demo_corpus(tmp_path_factory.mktemp("requests") / "corpus", TAKES))


@pytest.fixture(scope="module")
def made(model):
    """What a request gives: its problem, the frames of the model that are played, and the result."""
    done = {}

    def make(name):
        if name not in done:
            (path,) = [path for path in REQUESTS if path.stem == name]
            request = Request.read(path)
            answer = solve(timeline, model, request)[0]
            frames = answer.state.solution.frames
            done[name] = answer.state.problem, frames, realize(timeline, answer, model)
        return done[name]

    return make


def satisfied(problem, frames):
    return 1 - wrong_cells(problem, frames).sum() / (problem.paint != 0).sum()


def holds(model, frames, label):
    return model.tracks[frames, model.labels.index(label)] == 1


def facing_at(result, frame):
    headings, ground = find_facing(result.motion.skeleton, kinematics.world_positions(result.motion))
    return ground[frame], headings[frame]


@pytest.mark.parametrize("name", [path.stem for path in REQUESTS])
def test_a_request_gives_exactly_as_many_frames_and_what_was_painted(made, name):
    problem, frames, result = made(name)
    assert result.motion.n_frames == problem.n_frames == len(frames)
    assert satisfied(problem, frames) >= 0.95
    assert result.report.is_met, [part for part in result.report.parts if not part.met]


def test_figure_1_stumbles_then_runs_then_jumps_while_running(model, made):
    _, frames, _ = made("stumble_run_jump")
    jumping = np.flatnonzero(holds(model, frames, "jump"))
    assert holds(model, frames, "stumble")[90:120].all()
    assert holds(model, frames, "run")[180:].all()
    assert {*range(362, 388)} <= set(jumping.tolist())


def test_figure_5_waves_never_in_the_second_half_or_always(model, made):
    never, half, always = (
        holds(model, made(name)[1], "wave") for name in ("walk_not_wave", "walk_wave_second_half", "walk_and_wave")
    )
    assert not never.any()
    assert not half[:198].any()
    assert half[228:].mean() > 0.95
    assert always.mean() > 0.95


def test_figure_6_passes_the_pushing_frame_at_its_exact_time_between_runs(model, made):
    problem, frames, result = made("push_while_running")
    entries = {source.name: (at, weight) for source, at, weight in result.provenance.of_frame(240) if weight}
    assert entries == {"push/walking": (300.0, 1.0)}
    running = holds(model, frames, "run")
    assert running[:168].mean() > 0.95
    assert running[324:].mean() > 0.95
    pose = next(part for part in result.report.parts if "push/walking" in part.name)
    assert pose.met
    assert problem.forced[0].at == 240


def test_figure_7_runs_forward_then_backward_to_its_places(model, made):
    problem, frames, result = made("run_there_and_back")
    backwards = holds(model, frames, "backwards")
    assert not backwards[30:210].any()
    assert backwards[288:450].mean() > 0.95
    for place in problem.places:
        ground, heading = facing_at(result, place.frame)
        assert np.linalg.norm(ground - place.position) < 0.01
        if place.heading is not None:
            assert abs((heading - place.heading + np.pi) % (2 * np.pi) - np.pi) < np.radians(2)
