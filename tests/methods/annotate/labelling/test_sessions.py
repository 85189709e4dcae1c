"""Sessions: what is accepted becomes a point of the learning curve, and uncertain stretches are found."""

import json
import shutil
from dataclasses import asdict, replace

import numpy as np
import pytest

from motionloom.corpus import Corpus, Label
from motionloom.corpus.labels.acceptance import Acceptance
from motionloom.errors import BadInput
from motionloom.methods.annotate import Request, propose_tracks
from motionloom.methods.annotate.labelling import learning_curve, sessions
from motionloom.methods.annotate.labelling.uncertainty import SHORTEST, UNSURE, find_unsure, mean_confidences

WORDS = ["stand", "walk", "run"]


@pytest.fixture
def bare(view, tmp_path):
    """A corpus without labels, and those that would be right."""
    shutil.copytree(view.corpus.folder, tmp_path / "corpus")
    with Corpus.open(tmp_path / "corpus", write=True) as corpus:
        truth = [label for label in corpus.labels() if label.label in WORDS]
        corpus.remove_labels(corpus.labels())
        yield corpus, truth


def accept(bare, take, stop=None):
    corpus, truth = bare
    end = stop or corpus.info(take).n_frames
    held = [label for label in truth if label.take == take and label.start < end]
    ranges = {word: [(x.start, min(x.stop, end)) for x in held if x.label == word] for word in WORDS}
    return learning_curve.accept_and_note(corpus, take, WORDS, 0, end, ranges)


def learn(bare, before=None, labels=WORDS):
    return sessions.learn(bare[0], sessions.Choice(labels), maybe_nothing=True, before=before)


def test_words_that_nobody_verified_yet_can_be_learnt_along_with_others(bare):
    accept(bare, "walk/one")
    session = learn(bare, labels=[*WORDS, "juggle"])
    assert session.model.labels == (*WORDS, "juggle")
    assert propose_tracks(session.model).labels == tuple(WORDS)
    with pytest.raises(BadInput, match="'juggle' is not verified"):
        sessions.learn(bare[0], sessions.Choice([*WORDS, "juggle"]))


def test_a_lesson_after_takes_were_renamed_knows_them_by_their_names(bare):
    accept(bare, "walk/one")
    first = learn(bare)
    bare[0].rename("run/two", "run/zwei")
    second = learn(bare, first)
    assert second.view.key == first.view.key and second.model.windows.names == second.view.names
    ours, theirs = (
        propose_tracks(session.model, Request(takes=[take])).tracks[take]
        for session, take in ((second, "run/zwei"), (first, "run/two"))
    )
    np.testing.assert_array_equal(ours, theirs)


def test_a_lesson_goes_on_from_the_one_before_where_only_more_was_verified(bare):
    accept(bare, "walk/one")
    first = learn(bare)
    accept(bare, "run/one")
    second = learn(bare, first)
    assert second.model.windows is first.model.windows
    assert second.verified_takes == ["run/one", "walk/one"]
    anew = learn(bare)
    for take in ("run/two", "walk/two"):
        ours, theirs = (propose_tracks(session.model, Request(takes=[take])).tracks[take] for session in (second, anew))
        assert (ours == theirs).mean() > 0.97


def test_the_curve_has_a_point_for_every_look_at_something_proposed(bare):
    corpus, _ = bare
    accept(bare, "walk/one")
    assert learning_curve.read_reviews(corpus) == []  # nothing was proposed there
    sessions.keep_proposals(corpus, learn(bare), propose_tracks(learn(bare).model))
    accepted, answers = accept(bare, "walk/two")
    (review,) = learning_curve.read_reviews(corpus)
    assert review.verified == pytest.approx(corpus.info("walk/one").duration)
    assert (review.take, review.seconds, review.corrections) == ("walk/two", answers.seconds, answers.corrections)
    assert answers.seconds == pytest.approx(3 * corpus.info("walk/two").duration)
    learning_curve.take_back(corpus, accepted)
    assert learning_curve.read_reviews(corpus) == []
    assert {range_.take for range_ in corpus.verified()} == {"walk/one"}


def test_what_is_verified_of_some_labels_counts_for_them_alone(bare):
    corpus, _ = bare
    corpus.accept("walk/one", ["walk"], 0, 60, {})
    state = learning_curve.read_label_state(corpus)
    assert learning_curve.verified_seconds(corpus, state, ["walk"]) == pytest.approx(1.0)
    assert learning_curve.verified_seconds(corpus, state, ["walk", "run"]) == pytest.approx(0.5)
    assert learning_curve.verified_seconds(corpus, state, []) == 0


def test_a_trial_replaces_those_of_more_that_was_undone_since(bare):
    corpus, _ = bare
    accepted = [accept(bare, take)[0] for take in ("walk/one", "run/one", "walk/two")]
    more = learning_curve.try_session(corpus, learn(bare))
    learning_curve.take_back(corpus, accepted[-1])
    fewer = learning_curve.try_session(corpus, learn(bare))
    assert fewer.verified < more.verified
    assert learning_curve.read_trials(corpus) == [fewer]


def test_points_that_cannot_be_read_are_left_out(bare):
    corpus, _ = bare
    for broken in ("nonsense", [{"verified": 1.0}, 3], {"a": 1}):
        corpus.remember(learning_curve.REVIEWED, broken)
        assert learning_curve.read_reviews(corpus) == []


def test_an_acceptance_survives_json(bare):
    corpus, _ = bare
    corpus.add_labels([Label("walk/one", "walk", 3, 9, "someone")])
    before = corpus.labels(), corpus.verified()
    accepted, _ = accept(bare, "walk/one")
    back = Acceptance.from_plain(json.loads(json.dumps(asdict(accepted))))
    assert back == accepted
    back.undo(corpus)
    assert (corpus.labels(), corpus.verified()) == before


def test_stretches_are_unclear_where_a_confidence_is_low(bare):
    accept(bare, "walk/one")
    session = learn(bare)
    found = propose_tracks(session.model)
    stretches = find_unsure(session, found)
    assert stretches, "one take cannot teach everything"
    for stretch in stretches:
        part = found.confidences[stretch.take][stretch.start : stretch.stop, found.labels.index(stretch.label)]
        assert len(part) >= SHORTEST * session.view.fps
        assert part.min() < UNSURE
        assert stretch.confidence == pytest.approx(part.mean(), abs=0.02)
    assert set(mean_confidences(found)) == {"run/one", "run/two", "walk/three", "walk/two"}


def test_nothing_is_unclear_where_all_is_verified(bare):
    for take in bare[0].names():
        accept(bare, take)
    session = learn(bare)
    found = propose_tracks(session.model)
    assert find_unsure(session, found) == []
    assert mean_confidences(found) == {}
    assert np.all([confidences == 1 for take in found.confidences.values() for confidences in take])
    assert sessions.find_next(session, None) is None


def test_takes_of_every_hierarchy_are_learnt_together_and_what_cannot_be_is_left_out(bare):
    from benchmarks.retarget.rigs import a_pose_rig

    from motionloom.corpus import Take
    from motionloom.motion import Skeleton
    from motionloom.retarget import retarget_motion

    corpus, _ = bare
    names = corpus.names()
    source, motion = corpus.info(names[0]).source, corpus.take(names[0]).motion
    corpus.add(Take("zz/rig", retarget_motion(motion, a_pose_rig()).motion, source), floor_height=0.0)
    own = motion.skeleton
    nameless = Skeleton(tuple(f"bone {i}" for i in range(own.n_joints)), own.parents, own.offsets)
    corpus.add(Take("zz/nameless", replace(motion, skeleton=nameless), source), floor_height=0.0)
    session = sessions.learn(corpus, sessions.Choice(), maybe_nothing=True)
    assert list(session.view.names) == [*names, "zz/rig"]
    assert [left.take for left in session.view.left_out] == ["zz/nameless"]


def test_what_was_put_together_is_not_annotated_unless_it_is_named(bare, make):
    from motionloom.corpus import Source, Take
    from motionloom.corpus.material import COMPOSED, MADE_BY

    corpus, _ = bare
    names = corpus.names()
    motion = corpus.take(names[0]).motion
    longer = replace(motion, root_positions=motion.root_positions + 0.5)
    corpus.add(Take("new/mixed", longer, Source(COMPOSED, MADE_BY, "x", motion.fps, 1.0)), floor_height=0.0)
    for wanted in (None, ["*"], ["*/*"]):
        assert list(sessions.learn(corpus, sessions.Choice(takes=wanted), maybe_nothing=True).view.names) == names
    named = sessions.Choice(takes=["*", "new/mixed"])
    assert "new/mixed" in sessions.learn(corpus, named, maybe_nothing=True).view.names
