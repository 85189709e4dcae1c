"""Point views of real recordings: heads of one actor held still, put back exactly, and sets without a rigid part."""

import numpy as np
import pytest

from motionloom import formats
from motionloom.conform import PointViewSettings, make_point_view
from motionloom.corpus import Corpus, Take
from motionloom.motion import rotations
from motionloom.motion.drawn_points import describe_drawn

FACES = ("cheeks", "eyebrows", "jaw", "nose")

pytestmark = pytest.mark.real


@pytest.fixture(scope="module")
def corpus(data, tmp_path_factory):
    with Corpus.create(tmp_path_factory.mktemp("faces") / "corpus") as corpus:
        for name in FACES:
            take = formats.read(data / "face" / f"{name}.csv")
            corpus.add(Take(name, take.motion, take.source))
        box = formats.read(data / "c3d" / "upper_body_box.c3d")
        corpus.add(Take("box", box.motion, box.source))
        yield corpus


def spread(positions: np.ndarray) -> float:
    """Millimetres, root mean square, of points (F, S, 3) around their means."""
    return 1000 * float(np.sqrt(((positions - positions.mean(axis=0)) ** 2).sum(axis=-1).mean()))


@pytest.mark.parametrize("name", FACES)
def test_the_steady_markers_of_a_take_stay_within_a_millimetre(corpus, name):
    view = make_point_view(corpus, [name])
    recorded = np.asarray(corpus.take(name).motion.positions, float)
    steady = [corpus.take(name).motion.names.index(view.markers[marker]) for marker in view.steady]
    before, after = spread(recorded[:, steady]), spread(view.motion(name).positions[:, view.steady])
    assert after < 1.0 and after < 0.4 * before
    moved = {"cheeks": "Mouth", "jaw": "Mouth", "eyebrows": "eyebrow", "nose": "Mouth"}[name]
    assert not [marker for marker in view.steady if moved in view.markers[marker]]
    np.testing.assert_allclose(view.with_head(name).positions, recorded, atol=1e-6)


def test_all_takes_together_share_a_head_that_looks_ahead(corpus):
    view = make_point_view(corpus, FACES, PointViewSettings(fps=30.0))
    assert len(view.markers) == 41 and view.has_front and not view.left_out
    assert max(spread(view.motion(name).positions[:, view.steady]) for name in FACES) < 2.0
    for name in FACES:
        turns = np.degrees(rotations.angle(view.head(name).rotations.astype(float)))
        assert turns.max() < 12, "people sat in front of the cameras, which look along -z"


def test_a_shoulder_and_a_box_have_no_head_and_keep_their_motion(corpus):
    view = make_point_view(corpus, ["box"])
    assert not view.has_head and not view.has_front and "no part" in view.describe_head()
    assert [left.take for left in make_point_view(corpus).left_out] == ["box"]
    drawn = describe_drawn(corpus.take("box").motion)
    assert not drawn.is_face and len(drawn.mesh.edges) > 20 and not len(drawn.mesh.triangles)
