"""The requests of examples/optimize on real recordings: they are met, and priors rank as they should."""

from pathlib import Path

import numpy as np
import pytest

from motionloom.assembly import prepare_for, realize, solve
from motionloom.corpus import Corpus, import_files
from motionloom.methods import dynamics
from motionloom.methods.dynamics import Request
from motionloom.motion import cut, rotations

pytestmark = pytest.mark.real
EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "optimize"
SETS = ("locomotion_optim", "football_like", "everyday")
TAKES = ("16_*", "49_*", "13_*", "69_68", "69_69", "69_7*", "143_1[0123]", "86_09")


@pytest.fixture(scope="module")
def corpus(data, tmp_path_factory):
    """The takes that requests name, and those that they learn from."""
    with Corpus.create(tmp_path_factory.mktemp("real") / "corpus") as corpus:
        files = [file for name in SETS for take in TAKES for file in (data / "cmu" / name).glob(f"{take}.bvh")]
        import_files(corpus, sorted(files), workers=0)
        yield corpus


def made(corpus, name):
    """The result of a request, and its model."""
    request = Request.read(EXAMPLES / f"{name}.yaml")
    model = prepare_for(dynamics, corpus, request)
    return realize(dynamics, solve(dynamics, model, request)[0], model), model


def error(corpus, name):
    """Degrees by which the joints of what a request gives differ from those of the recording that it is from."""
    request = Request.read(EXAMPLES / f"{name}.yaml")
    result, model = made(corpus, name)
    like = request.poses[0].pose if request.poses else request.points[0].like
    name = next(name for name in model.view.names if name.endswith(like.take))
    recorded = cut(model.view.motion(name), like.frame, like.frame + result.motion.n_frames)
    joints = model.prior.vectors.joints
    angles = rotations.angle_between(result.motion.local_rotations[:, joints], recorded.local_rotations[:, joints])
    return float(np.degrees(angles).mean())


@pytest.mark.parametrize("name", sorted(path.stem for path in EXAMPLES.glob("*.yaml")))
def test_a_request_is_met(corpus, name):
    result, _ = made(corpus, name)
    missed = [f"{part.name}: {part.value}, {part.why_not}" for part in result.report.parts if not part.met]
    assert not missed


def test_a_walk_is_nearest_to_its_recording_with_a_prior_of_walking(corpus):
    errors = {
        name: error(corpus, f"priors/walk_from_keys_{name}") for name in ("general", "running", "hopping", "jumping")
    }
    walking = error(corpus, "walk_from_keys")
    linear = error(corpus, "alternatives/walk_from_keys_linear")
    assert walking < 3.0
    assert walking < errors["general"] < linear < min(errors["running"], errors["hopping"], errors["jumping"])


def test_a_jump_cannot_be_made_with_a_prior_of_walking(corpus):
    jumping, general, walking = (
        error(corpus, name)
        for name in (
            "jump_from_trajectories",
            "priors/jump_from_trajectories_general",
            "priors/jump_from_trajectories_walking",
        )
    )
    assert walking > 2 * max(jumping, general)


def test_fewer_keys_and_fewer_trajectories_are_farther_from_the_recording(corpus):
    keys = [error(corpus, f"fewer/keys_{count}") for count in (6, 4, 2)]
    most, least = (error(corpus, f"fewer/trajectories_{count}") for count in (6, 2))
    assert keys == sorted(keys)
    assert most < least
