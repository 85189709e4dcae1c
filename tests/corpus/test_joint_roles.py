"""Correcting which joint plays which role, in a corpus."""

import numpy as np
import pytest

from motionloom.corpus import Corpus, compute_layers
from motionloom.errors import BadInput
from motionloom.formats.take import Take
from motionloom.motion import Motion


def test_roles_are_corrected_in_all_takes_of_the_skeleton_or_in_one(corpus, takes, make):
    corpus.add(takes.body("a", seed=1))
    corpus.add(takes.body("b", seed=2))
    corpus.add(takes.points("face"))
    other = make.motion(n_frames=5, seed=3)
    other = Motion(make.skeleton(seed=3), other.root_positions, other.local_rotations, 60.0)
    corpus.add(Take("other", other, takes.body("x").source))
    before = np.array(corpus.layer("a", "contacts"))
    assert corpus.set_roles("a", {"left_ball": "LeftFoot", "head": "Neck"}) == ["a", "b"]
    for name in ("a", "b"):
        assert corpus.take(name).motion.skeleton.roles["head"] == "Neck"
        assert corpus.info(name).hierarchy == corpus.info("other").hierarchy
    assert corpus.take("other").motion.skeleton.roles["head"] == "Head"
    assert corpus.set_roles("b", {"head": "Head"}, this_take_only=True) == ["b"]
    assert [corpus.take(name).motion.skeleton.roles["head"] for name in ("a", "b")] == ["Neck", "Head"]
    assert corpus.layer("a", "contacts").shape == before.shape
    row = corpus.connection.execute("SELECT count(*) FROM layers").fetchone()
    assert row == (1,)  # made again for the corrected skeleton, in place of the old one
    with pytest.raises(BadInput, match=r"no role '?nose"):
        corpus.set_roles("a", {"nose": "Head"})
    with pytest.raises(BadInput, match="no such joint"):
        corpus.set_roles("a", {"head": "Skull"})
    with pytest.raises(BadInput, match="face: has points and no skeleton"):
        corpus.set_roles("face", {"head": "Head"})


def test_layers_follow_corrected_roles(corpus, takes):
    corpus.add(takes.body("a"), floor_height=0.0)
    before = np.array(corpus.layer("a", "facing"))
    corpus.set_roles("a", {"left_hip": "RightUpLeg", "right_hip": "LeftUpLeg"})
    corpus.set_roles("a", {"left_shoulder": "RightArm", "right_shoulder": "LeftArm"})
    turned = np.array(corpus.layer("a", "facing"))
    assert not np.allclose(turned[:, 2], before[:, 2], atol=0.1)
    np.testing.assert_array_equal(
        turned[:, 2], compute_layers(corpus.take("a").motion, 0.0, ["facing"])["facing"][:, 2]
    )


def test_the_same_content_with_other_roles_is_a_duplicate_and_changes_nothing(corpus, takes):
    take = takes.body("a")
    corpus.add(take)
    motion = take.motion
    corrected = Motion(
        motion.skeleton.with_roles({"head": "Neck"}), motion.root_positions, motion.local_rotations, motion.fps
    )
    again = corpus.add(Take("b", corrected, take.source))
    assert (again.status, again.duplicate_of, again.has_other_roles) == ("duplicate", "a", True)
    assert not corpus.add(take).has_other_roles
    assert corpus.take("a").motion.skeleton.roles["head"] == "Head"


def test_roles_can_be_taken_away_and_stay_away(corpus, takes):
    corpus.add(takes.body("a"))
    corpus.set_roles("a", {"head": None, "left_ball": None})
    with Corpus.open(corpus.folder) as reader:
        skeleton = reader.take("a").motion.skeleton
        assert not skeleton.has("head")
        assert not skeleton.has("left_ball")
        assert skeleton.has("right_ball")
        assert skeleton.digest == reader.info("a").skeleton
    with pytest.raises(BadInput, match="no role would be left"):
        corpus.set_roles("a", dict.fromkeys(corpus.take("a").motion.skeleton.roles))
