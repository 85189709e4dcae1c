"""Takes made from takes: what they hold, what is known about them, where they come from."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.assembly import load_result
from motionloom.assembly.derived.derived_takes import clean_take, free_name, mirror_take, trim_take
from motionloom.corpus import Corpus, Event, Label, Source, Take, Verified
from motionloom.errors import BadInput
from motionloom.motion import PointMotion, kinematics, rotations
from motionloom.quality.badges import LIMITS


@pytest.fixture
def corpus(make, tmp_path):
    with make.demo_corpus(tmp_path / "corpus", ["walk/normal_1"]) as corpus:
        yield corpus


def spoil(corpus, name):
    """A copy of a take with feet that slide, sink and a knee that jumps."""
    take = corpus.take(name)
    local, roots = np.array(take.motion.local_rotations), np.array(take.motion.root_positions)
    knee = take.motion.skeleton.index("left_knee")
    local[100, knee] = rotations.multiply(local[100, knee], rotations.exp(np.array([1.2, 0.0, 0.0])))
    roots[:, 0] += 0.25 * np.arange(len(roots)) / take.motion.fps
    roots[:, 1] -= 0.05
    motion = replace(take.motion, root_positions=roots, local_rotations=local)
    corpus.add(Take("spoilt", motion, take.source), floor_height=0.0)
    return "spoilt"


def test_a_mirrored_take_is_the_mirror_image_with_labels_of_the_other_side(corpus):
    corpus.add_labels([Label("walk/normal_1", "turn_left", 10, 30)])
    made = mirror_take(corpus, "walk/normal_1")
    assert made == "walk/normal_1 mirrored"
    old, new = (corpus.take(name).motion for name in ("walk/normal_1", made))
    assert new.skeleton == old.skeleton
    left, right = old.skeleton.index("left_hand"), old.skeleton.index("right_hand")
    hands = kinematics.world_positions(old)[:, left], kinematics.world_positions(new)[:, right]
    np.testing.assert_allclose(hands[0] * [-1, 1, 1], hands[1], atol=1e-3)
    assert Label(made, "turn_right", 10, 30) in corpus.labels(made)
    assert {label.label for label in corpus.labels(made)} >= {"walk", "turn_right"}


def test_mirroring_twice_gives_the_take_itself_and_is_refused(corpus):
    made = mirror_take(corpus, "walk/normal_1")
    with pytest.raises(BadInput, match="'walk/normal_1' has exactly these frames"):
        mirror_take(corpus, made)


def test_a_trimmed_take_has_these_frames_and_their_annotations(corpus):
    corpus.add_labels([Label("walk/normal_1", "hop", 90, 130)])
    corpus.verify([Verified("walk/normal_1", "hop", 0, 140)])
    corpus.add_events([Event("walk/normal_1", "clap", 105), Event("walk/normal_1", "clap", 300)])
    made = trim_take(corpus, "walk/normal_1", 100, 160)
    np.testing.assert_array_equal(corpus.frames(made), corpus.frames("walk/normal_1")[100:160])
    assert Label(made, "hop", 0, 30) in corpus.labels(made)
    assert corpus.verified(made) == [Verified(made, "hop", 0, 40)]
    assert [(event.kind, event.frame) for event in corpus.events(made)] == [("clap", 5)]
    result = load_result(corpus, made)
    assert result.provenance.of_frame(0)[0][:2] == (result.provenance.sources[0], 100.0)
    assert result.provenance.sources[0].name == "walk/normal_1"


@pytest.mark.parametrize("frames", [(0, 10**6), (-1, 5), (5, 5), (0, None)])
def test_frames_that_cannot_be_cut_out_are_refused(corpus, frames):
    start, stop = frames
    with pytest.raises(BadInput, match="frames"):
        trim_take(corpus, "walk/normal_1", start, corpus.info("walk/normal_1").n_frames if stop is None else stop)


def test_points_can_be_trimmed_and_not_mirrored(corpus):
    positions = np.random.default_rng(1).normal(size=(20, 3, 3))
    corpus.add(Take("face", PointMotion(("a", "b", "c"), positions, 60.0), Source("f.npz", "npz", "", 60.0, 1.0)))
    made = trim_take(corpus, "face", 5, 12)
    np.testing.assert_allclose(corpus.take(made).motion.positions, positions[5:12].astype(np.float32))
    for refused in (mirror_take, clean_take):
        with pytest.raises(BadInput, match="points without a skeleton"):
            refused(corpus, "face")


def test_cleaning_makes_a_better_copy_and_leaves_the_take_alone(corpus):
    spoilt = spoil(corpus, "walk/normal_1")
    before = np.array(corpus.frames(spoilt))
    cleaned = clean_take(corpus, spoilt)
    assert cleaned.take == "spoilt clean"
    assert cleaned.before.skate > LIMITS["skate"].most and cleaned.before.spikes > LIMITS["spikes"].most
    assert cleaned.after.skate <= LIMITS["skate"].most and cleaned.after.spikes == 0
    assert abs(cleaned.after.floor) <= LIMITS["floor"].most
    assert cleaned.after.skate < 0.2 * cleaned.before.skate
    np.testing.assert_array_equal(corpus.frames(spoilt), before)
    quality = {line.name: (line.before, line.value) for line in load_result(corpus, cleaned.take).report.quality}
    assert quality["spikes"] == (cleaned.before.spikes, 0)


def test_mending_alone_leaves_feet_as_they_are(corpus):
    cleaned = clean_take(corpus, spoil(corpus, "walk/normal_1"), feet=False)
    assert (cleaned.before.spikes, cleaned.after.spikes) == (1, 0)
    assert cleaned.after.skate == pytest.approx(cleaned.before.skate, rel=0.2)
    with pytest.raises(BadInput, match="nothing to clean"):
        clean_take(corpus, "walk/normal_1", feet=False, spikes=False)


def test_new_takes_get_names_that_are_free(corpus):
    assert free_name(corpus, "new") == "new"
    first = trim_take(corpus, "walk/normal_1", 0, 50)
    second = trim_take(corpus, "walk/normal_1", 0, 51)
    assert (first, second) == ("walk/normal_1 trimmed", "walk/normal_1 trimmed 2")


def test_a_removed_copy_comes_back_with_everything(corpus):
    made = mirror_take(corpus, "walk/normal_1")
    labels = corpus.labels(made)
    corpus.remove(made)
    corpus.restore(made)
    assert corpus.labels(made) == labels
    assert load_result(corpus, made).motion.n_frames == corpus.info(made).n_frames


def test_files_of_a_copy_have_the_units_of_the_file_it_came_from(make, tmp_path):
    source = Source("a.bvh", "bvh", "1", 60.0, 0.0254, rotation_orders=("XYZ",) * 21, rest_frame_dropped=True)
    with Corpus.create(tmp_path / "units") as corpus:
        corpus.add(Take("a", make.motion(n_frames=80, seed=5, wildness=0.1), source))
        kept = corpus.info(trim_take(corpus, "a", 10, 60)).source
    assert (kept.metres_per_unit, kept.rotation_orders, kept.rest_frame_dropped) == (0.0254, ("XYZ",) * 21, False)
    assert (kept.format, kept.path) == ("motionloom", "a, trimmed")


def test_a_take_that_never_touches_the_ground_has_nothing_to_clean(corpus):
    take = corpus.take("walk/normal_1")
    times = np.arange(take.motion.n_frames) / take.motion.fps
    falls = take.motion.root_positions - np.stack([0 * times, 4.905 * times**2, 0 * times], axis=-1)
    corpus.add(Take("falls", replace(take.motion, root_positions=falls), take.source))
    assert not corpus.layer("falls", "contacts").any() and np.isnan(corpus.layer("falls", "contact_heights")).all()
    with pytest.raises(BadInput, match="nothing would change"):
        clean_take(corpus, "falls")
