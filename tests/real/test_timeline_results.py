"""Timelines of real recordings: what comes out is as long, as smooth and as well planted as promised."""

import csv

import numpy as np
import pytest

from motionloom.assembly import realize, solve
from motionloom.corpus import Corpus, Label, import_files
from motionloom.features.facing import find_facing
from motionloom.methods import timeline
from motionloom.methods.timeline import ForcedFrames, Paint, Place, Request, prepare
from motionloom.motion import kinematics

pytestmark = pytest.mark.real
TAKES = ["143_01", "143_02", "143_04", "143_07", "143_08", "143_10", "143_12", "143_38"]
PAINTED = (
    Paint(label="stand", start="0s", stop="1.5s"),
    Paint(label="walk", start="2s", stop="4s"),
    Paint(label="run", start="5s", stop="7s"),
)


@pytest.fixture(scope="module")
def model(data, tmp_path_factory):
    """Eight takes of one person who stands, walks, jogs, picks up and carries."""
    with Corpus.create(tmp_path_factory.mktemp("real") / "corpus") as corpus:
        import_files(corpus, [data / "cmu" / "football_like" / f"{take}.bvh" for take in TAKES], workers=0)
        names = {info.name.split("/")[-1]: info.name for info in corpus.infos()}
        with (data / "cmu" / "labels.csv").open() as file:
            rows = [row for row in csv.DictReader(file) if row["take"].split("/")[-1] in names]
        corpus.add_labels(
            Label(names[row["take"].split("/")[-1]], row["label"], int(row["start"]), int(row["stop"])) for row in rows
        )
        yield prepare(corpus)


def make(model, request):
    return realize(timeline, solve(timeline, model, request)[0], model)


def test_painted_labels_come_out_smoothly_and_the_end_is_where_it_should_be(model):
    place = Place(at="end", position=(1.5, 6.0))
    result = make(model, Request(length="7s", labels=PAINTED, places=(place,)))
    assert result.motion.n_frames == 420
    painted = result.report.details["labels"]
    assert min(stretch["right"] for stretch in painted) >= 0.9
    joins = result.report.details["joins"]
    assert joins and max(join["peak"] for join in joins) <= 1.5
    _, ground = find_facing(result.motion.skeleton, kinematics.world_positions(result.motion))
    np.testing.assert_allclose(ground[-1], [1.5, 6.0], atol=0.01)
    skate = next(line for line in result.report.quality if line.name == "foot skate")
    assert skate.value is not None and skate.usual is not None and skate.value <= skate.usual


def test_a_forced_clip_is_played_at_its_time(model):
    take = next(name for name in model.view.names if name.endswith("143_12"))
    forced = ForcedFrames(at="3s", take=take, start=200, stop=260)
    result = make(model, Request(length="6s", frames=(forced,)))
    (reported,) = result.report.details["forced"]
    assert (reported["start"], reported["stop"], reported["in_time"], reported["weight"]) == (180, 240, True, 1.0)
    assert reported["error"] < 0.001
    for at in (180, 239):
        ((source, frame, weight),) = result.provenance.of_frame(at)
        assert (source.name, frame, weight) == (take, 200 + at - 180, 1.0)
