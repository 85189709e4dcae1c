"""Every request of examples/optimize/face gives a face that meets it, is alive, and beats what knows no faces."""

import re
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from motionloom.assembly import Result, prepare_for, realize, solve
from motionloom.corpus import Corpus
from motionloom.methods import dynamics
from motionloom.methods.dynamics import Model, Request

pytestmark = pytest.mark.long
EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "optimize" / "face"
REQUESTS = sorted(path for path in EXAMPLES.rglob("*.yaml") if path.parent.name != "recorded")
WORDS = "happiness surprise disgust fear anger sadness speaking eating snoring all_emotions conversation"
TAKES = tuple(f"face/{word}" for word in WORDS.split())
FASTEST = 4.0  # metres per second squared of any point: those of performed faces have 8, in blinks


@pytest.fixture(scope="module")
def corpus(tmp_path_factory, make):
    """The faces of the demo corpus."""
    return make.face_corpus(tmp_path_factory.mktemp("faces") / "corpus", TAKES)


@dataclass(frozen=True, eq=False)
class Made:
    """What a request gives."""

    model: Model
    result: Result

    @property
    def positions(self) -> np.ndarray:
        return self.result.character.motion.positions

    def at(self, name: str) -> np.ndarray:
        """(F, 3) metres."""
        return self.positions[:, self.model.names.index(name)]

    def beside(self, take: str, frame: int) -> float:
        """Millimetres between points of the answer and of a take, on average, from a frame at 60 per second on."""
        was = self.model.points.with_head(take).positions[frame : frame + len(self.positions)]
        return 1000 * float(np.linalg.norm(self.positions - was, axis=-1).mean())

    def moved(self) -> dict[str, float]:
        """Millimetres that each point moves beside the others: root mean square along the axis where it is most."""
        rest = self.positions - self.positions.mean(axis=1, keepdims=True)
        return dict(zip(self.model.names, 1000 * rest.std(axis=0).max(axis=-1)))


def make_of(corpus: Corpus, name: str, **change) -> Made:
    request = replace(Request.read(EXAMPLES / f"{name}.yaml"), **change)
    model = prepare_for(dynamics, corpus, request)
    return Made(model, realize(dynamics, solve(dynamics, model, request)[0], model))


@pytest.mark.parametrize("path", REQUESTS, ids=lambda path: path.stem)
def test_a_request_is_met_and_the_face_is_alive(corpus, path):
    made = make_of(corpus, str(path.relative_to(EXAMPLES).with_suffix("")))
    assert not [f"{part.name}: {part.value}, {part.why_not}" for part in made.result.report.parts if not part.met]
    speeds = np.diff(made.positions, 2, axis=0) * made.model.fps**2
    request = Request.read(path)
    if request.start_from is None:
        assert np.linalg.norm(speeds, axis=-1).max() < FASTEST
    moved = made.moved()
    assert min(moved.values()) > 0.05, "skin is nowhere quite still"
    assert max(moved.values()) > 1.0


@pytest.mark.parametrize(
    ("name", "take", "frame", "most", "rivals"),
    [
        ("keys_and_trajectory", "face/happiness", 240, 0.3, ("linear", "spline", "trajectory", "subspace")),
        ("trajectories", "face/speaking", 60, 0.6, ("linear", "spline", "trajectory", "subspace")),
        ("screen_points", "face/disgust", 250, 1.5, ("linear", "spline", "trajectory", "subspace")),
    ],
)
def test_a_face_that_is_known_is_nearer_than_without_the_prior(corpus, name, take, frame, most, rivals):
    own = make_of(corpus, name).beside(take, frame)
    others = {method: make_of(corpus, name, method=method).beside(take, frame) for method in rivals}
    assert own < most and own < min(others.values())


def test_eyes_and_cheeks_follow_features_of_the_mouth_and_of_lids(corpus):
    made = make_of(corpus, "features")
    brow, cheek = made.at("left_middle_brow")[:, 1], made.at("left_cheek")[:, 1]
    assert brow[36] - brow[0] > 0.0005, "brows rise with the surprise"
    assert cheek[-1] - cheek[36] > 0.0005, "and cheeks with the smile"


def test_expressions_are_held_and_go_smoothly_into_one_another(corpus):
    made = make_of(corpus, "sequence")
    faces = [made.positions[frame] for frame in (60, 150, 234)]
    for start, stop, face in zip((48, 132, 216), (84, 168, 252), faces):
        held = np.linalg.norm(made.positions[start:stop] - face, axis=-1)
        assert held.max() < 0.0006, "held"
    for one, other in zip(faces, faces[1:]):
        assert np.linalg.norm(one - other, axis=-1).max() > 0.004, "and not the same"
    line = make_of(corpus, "sequence", method="linear")
    bends = [np.linalg.norm(np.diff(each.positions, 2, axis=0), axis=-1).max() for each in (made, line)]
    assert bends[0] < 0.5 * bends[1], "no corners at keys"


def test_a_mouth_smiles_with_the_cheeks_of_happiness_and_is_angry_with_the_brows_of_anger(corpus):
    rows = {word: make_of(corpus, f"priors/smile_{word}") for word in ("happiness", "anger", "pooled")}
    lifted = {word: made.at("left_cheek")[60, 1] - made.at("left_cheek")[0, 1] for word, made in rows.items()}
    lowered = {
        word: made.at("left_inner_brow")[0, 1] - made.at("left_inner_brow")[60, 1] for word, made in rows.items()
    }
    assert lifted["happiness"] > lifted["anger"] + 0.001
    assert lowered["anger"] > 2 * lowered["happiness"]
    assert lifted["anger"] < lifted["pooled"] < lifted["happiness"]


def test_an_edit_of_speech_leaves_the_other_side_and_goes_on_speaking(corpus):
    made = make_of(corpus, "wry_smile")
    was = made.model.points.with_head("face/speaking").positions[:300]
    changed = np.linalg.norm(made.positions - was, axis=-1)
    along = dict(zip(made.model.names, changed.max(axis=0)))
    assert along["left_mouth_corner"] > 0.004 and along["left_middle_brow"] > 0.004
    assert along["right_middle_brow"] < 0.0005 and along["right_cheekbone"] < 0.0005
    assert changed[:60].max() < 0.0002 and changed[-60:].max() < 0.0002


def test_the_request_of_the_page_gives_what_it_asks_for(corpus):
    page = (EXAMPLES.parents[2] / "docs" / "dynamics.md").read_text()
    *_, text = re.findall(r"```yaml\n(.*?)```", page, flags=re.DOTALL)
    request = Request.parse(text)
    model = prepare_for(dynamics, corpus, request)
    report = realize(dynamics, solve(dynamics, model, request)[0], model).report
    assert len(report.parts) == 4 and not [part.name for part in report.parts if not part.met]
