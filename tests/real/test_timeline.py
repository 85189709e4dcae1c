"""The paper's figures on real recordings, as far as these show it: a jump while running, a forced frame, places."""

import csv

import numpy as np
import pytest

from motionloom import formats
from motionloom.assembly import realize, solve
from motionloom.corpus import Corpus, Label, Take
from motionloom.features.facing import find_facing
from motionloom.methods import timeline
from motionloom.methods.timeline import Request, prepare
from motionloom.methods.timeline.objective.problem import wrong_cells
from motionloom.motion import kinematics

TAKES = tuple(f"143_{n}" for n in "01 02 03 04 05 29 32 39 42".split()) + ("127_21", "127_25", "127_27")


@pytest.fixture(scope="module")
def model(data, tmp_path_factory):
    corpus = Corpus.create(tmp_path_factory.mktemp("timeline") / "corpus")
    for stem in TAKES:
        take = formats.read(data / "cmu" / "football_like" / f"{stem}.bvh")
        corpus.add(Take(stem, take.motion, take.source))
    with (data / "cmu" / "labels.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["take"].split("/")[-1] in TAKES]
    corpus.add_labels(
        Label(row["take"].split("/")[-1], row["label"], int(row["start"]), int(row["stop"])) for row in rows
    )
    return prepare(corpus)


def make(model, **data):
    request = Request.from_data(data)
    answer = solve(timeline, model, request)[0]
    return answer.state.problem, answer.state.solution.frames, realize(timeline, answer, model)


def satisfied(problem, frames):
    return 1 - wrong_cells(problem, frames).sum() / (problem.paint != 0).sum()


def test_figure_1_runs_and_jumps_while_running(model):
    problem, frames, result = make(
        model,
        length="5s",
        labels=[{"label": "run", "from": "0.5s", "to": "4.5s"}, {"label": "jump", "from": "2s", "to": "2.6s"}],
    )
    assert result.motion.n_frames == 300
    assert satisfied(problem, frames) > 0.95


def test_figure_6_passes_a_frame_of_another_motion_while_walking(model):
    problem, frames, result = make(
        model,
        length="6s",
        labels=[{"label": "walk", "to": "2.2s"}, {"label": "walk", "from": "4.2s"}],
        frames=[{"at": "3.2s", "take": "143_05", "frame": 125}],
    )
    assert satisfied(problem, frames) > 0.95
    entries = {source.name: (at, weight) for source, at, weight in result.provenance.of_frame(192) if weight}
    assert entries == {"143_05": (125.0, 1.0)}


def test_figure_7_goes_forward_then_backward_to_places(model):
    problem, frames, result = make(
        model,
        length="8s",
        labels=[
            {"label": "walk"},
            {"label": "backwards", "from": "4.5s"},
            {"label": "backwards", "to": "3.5s", "value": "must_not"},
        ],
        places=[{"at": "4s", "position": [0.3, 3.5]}, {"position": [0.0, 1.0], "heading": 0}],
    )
    assert satisfied(problem, frames) > 0.9
    headings, ground = find_facing(result.motion.skeleton, kinematics.world_positions(result.motion))
    for place in problem.places:
        assert np.linalg.norm(ground[place.frame] - place.position) < 0.02
    assert abs((headings[-1] + np.pi) % (2 * np.pi) - np.pi) < np.radians(2)
