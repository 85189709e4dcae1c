"""One-step errors: what more controls, and all of them, do."""

import numpy as np
import pytest

from motionloom.errors import BadInput
from motionloom.methods import dynamics
from motionloom.methods.dynamics.evaluation import Tried, evaluate
from motionloom.methods.dynamics.prepare import training_motions
from motionloom.methods.dynamics.prior.linear_system import learn_linear_system
from motionloom.methods.dynamics.prior.pose_vectors import learn_pose_vectors
from motionloom.methods.dynamics.prior.subspace import learn_subspace
from motionloom.motion import rotations
from motionloom.tasks import Stopped

TAKES = ("walk/normal_1", "walk/stop_and_go")


@pytest.fixture(scope="module")
def model(tmp_path_factory, make):
    corpus = make.demo_corpus(tmp_path_factory.mktemp("evaluation") / "corpus", TAKES)
    return dynamics.prepare(corpus, dynamics.Material(TAKES))


@pytest.fixture(scope="module")
def found(model):
    return evaluate(model, Tried(dimensions=(5, 15), orders=(1, 3), controls=(0, 2, 4)))


def test_as_many_controls_as_dimensions_leave_no_error(found):
    for dimensions in (5, 15):
        for order in (1, 3):
            curve = found.curve(dimensions, order)
            assert curve[-1].controls == dimensions
            assert curve[-1].error < 1e-5
            assert curve[0].error > 0.1


def test_errors_fall_with_controls_and_the_raw_ones_with_dimensions(found):
    for dimensions in (5, 15):
        degrees = [error.error for error in found.curve(dimensions, 3)]
        assert degrees == sorted(degrees, reverse=True)
    assert found.curve(15, 3)[-1].raw < found.curve(5, 3)[-1].raw


def test_without_controls_it_is_the_plain_linear_system_of_the_other_takes(model, found):
    sums, frames = 0.0, 0
    for tested in TAKES:
        rest = [name for name in model.learnt_from if not name.startswith(tested)]
        motions = training_motions(model.view, rest, None, model.settings)
        vectors = learn_pose_vectors(motions)
        written = [vectors.encode(motion)[0][:-1] for motion in motions]
        subspace = learn_subspace(np.concatenate(written), 15)
        system = learn_linear_system([subspace.to_coordinates(each) for each in written], 3, controls=0)
        (test,) = training_motions(model.view, [tested], None, model.settings)
        x = subspace.to_coordinates(vectors.encode(test)[0][:-1])
        pairs = [rotations.exp(vectors.turns(subspace.to_vectors(each))[:, 1:]) for each in (x[3:], system.predict(x))]
        angles = np.degrees(rotations.angle_between(*pairs))
        sums, frames = sums + angles.mean(axis=1).sum(), frames + len(angles)
    error = found.curve(15, 3)[0]
    assert error.controls == 0
    assert error.error == pytest.approx(sums / frames, rel=1e-9)


def test_an_evaluation_can_be_stopped(model):
    with pytest.raises(Stopped):
        evaluate(model, stop=lambda: True)


def test_takes_that_are_too_short_are_refused(model):
    with pytest.raises(BadInput, match="give at most"):
        evaluate(model, Tried(dimensions=(900,)))
