"""The requests of examples/optimize/face/recorded on recorded faces: met, and nearer to the recording than a line."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from motionloom.assembly import prepare_for, realize, solve
from motionloom.corpus import Corpus, import_files
from motionloom.methods import dynamics
from motionloom.methods.dynamics import Request
from motionloom.methods.dynamics.evaluation import Tried, evaluate

pytestmark = pytest.mark.real
EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "optimize" / "face" / "recorded"
TAKES = ("cheeks", "eyebrows", "jaw", "nose")


@pytest.fixture(scope="module")
def corpus(data, tmp_path_factory):
    with Corpus.create(tmp_path_factory.mktemp("faces") / "corpus") as corpus:
        import_files(corpus, [data / "face" / f"{take}.csv" for take in TAKES], workers=0)
        yield corpus


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.yaml")), ids=lambda path: path.stem)
def test_a_request_is_met_and_nearer_to_the_recording_than_without_the_prior(corpus, path):
    request, off = Request.read(path), {}
    for method in ("dynamics", "linear", "subspace"):
        asked = replace(request, method=method)
        model = prepare_for(dynamics, corpus, asked)
        result = realize(dynamics, solve(dynamics, model, asked)[0], model)
        made, like = result.character.motion.positions, request.poses[0].pose
        was = model.points.with_head(like.take).positions[like.frame : like.frame + len(made)]
        off[method] = 1000 * np.linalg.norm(made - was, axis=-1).mean()
        if method == "dynamics":
            assert not [f"{part.name}: {part.value}, {part.why_not}" for part in result.report.parts if not part.met]
    assert off["dynamics"] < 0.9 * min(off["linear"], off["subspace"])


def test_one_step_is_told_within_a_tenth_of_a_millimetre(corpus):
    """As the paper has it: m = 2, d_u = 1."""
    model = dynamics.prepare(corpus)
    found = evaluate(model, Tried((20,), (2,), (1,), last=0.2))
    assert found.curve(20, 2)[0].error < 0.1 < found.curve(20, 2)[0].raw
