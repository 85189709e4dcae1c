"""Learning labels from verified takes, proposing the rest, and what goes wrong."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.classify.windows import Embedding, learn_embedding, place_motion
from motionloom.conform import make_view
from motionloom.conform.view_builder import ViewSettings
from motionloom.corpus import Corpus, Source, Take
from motionloom.errors import BadInput
from motionloom.methods.annotate import (
    PAPER,
    USUAL,
    Request,
    Settings,
    choose_settings,
    find_windows,
    proposal_ranges,
    propose_tracks,
    retrain,
    teaches_most,
    train_view,
    train_windows,
)
from motionloom.motion import mirror

LABELS = ("stand", "walk", "run")
SETTINGS = {
    "usual": USUAL,
    "paper": PAPER,
    "paper, gauss": choose_settings("paper", kernel="gauss"),
    "both kernels": replace(USUAL, kernel="both"),
}


@pytest.mark.parametrize("name", SETTINGS)
def test_takes_that_nobody_verified_are_proposed_mostly_right(view, truth, verified, name):
    model = train_view(view, LABELS, verified("walk/one", "run/one"), SETTINGS[name])
    proposals = propose_tracks(model)
    takes = ("walk/two", "walk/three", "run/two")
    right = [proposals.tracks[take] == truth[slice(*view.range_of(take))] for take in takes]
    assert np.concatenate(right).mean() > 0.8
    assert proposals.labels == LABELS


def test_nothing_is_proposed_where_something_is_verified(view, verified):
    tracks = verified("walk/one", "run/one")
    start, _ = view.range_of("run/two")
    tracks[start : start + 40, 2] = -1  # a person verified it, whatever the classifier predicts
    proposals = propose_tracks(train_view(view, LABELS, tracks))
    assert not proposals.tracks["walk/one"].any()
    assert not proposals.tracks["run/two"][:40, 2].any() and proposals.tracks["run/two"][40:].all()
    ranges = proposal_ranges(proposals, view)
    assert {proposal.take for proposal in ranges} == {"walk/two", "walk/three", "run/two"}
    assert all(proposal.start >= 40 for proposal in ranges if proposal.take == "run/two" and proposal.label == "run")


def test_ranges_are_the_tracks_in_frames_of_the_takes(view, verified):
    proposals = propose_tracks(train_view(view, LABELS, verified("walk/one", "run/one")))
    tracks = {take: np.full(track.shape, -1) for take, track in proposals.tracks.items()}
    for proposal in proposal_ranges(proposals, view):
        tracks[proposal.take][proposal.start : proposal.stop, LABELS.index(proposal.label)] = 1
        assert 0.0 <= proposal.confidence <= 1.0
    for take in ("walk/two", "walk/three", "run/two"):
        np.testing.assert_array_equal(tracks[take], proposals.tracks[take])


def test_learning_on_take_by_take_says_what_learning_at_once_says(view, verified):
    takes = ("walk/one", "run/one", "run/two")
    model = train_view(view, LABELS, verified())
    for n in range(1, len(takes) + 1):
        model = retrain(model, verified(*takes[:n]))
    at_once = train_view(view, LABELS, verified(*takes))
    np.testing.assert_allclose(model.decisions, at_once.decisions, atol=0.08)


def test_what_is_taken_back_is_forgotten(view, verified):
    model = train_view(view, LABELS, verified("walk/one", "run/one", "run/two"))
    less = retrain(model, verified("walk/one", "run/one"))
    fresh = train_view(view, LABELS, verified("walk/one", "run/one"))
    np.testing.assert_allclose(less.decisions, fresh.decisions, atol=0.08)


def test_the_same_is_learnt_from_the_same(view, verified):
    one, other = (train_view(view, LABELS, verified("walk/one", "run/two")) for _ in range(2))
    np.testing.assert_array_equal(one.decisions, other.decisions)


def test_what_was_learnt_on_the_left_is_known_on_the_right(tmp_path, view):
    motion = view.motion("run/two")
    with Corpus.create(tmp_path / "corpus") as corpus:
        for name, shown in (("a", motion), ("b", mirror(motion, keep_skeleton=True))):
            corpus.add(Take(name, shown, Source(name, "test", name, motion.fps, 1.0)), floor_height=0.0)
        both = make_view(corpus)
        tracks = np.zeros((both.n_frames, 2), np.int8)
        tracks[: motion.n_frames] = -1
        tracks[60:120, 0] = 1  # only ever seen on the left
        proposals = propose_tracks(train_view(both, ("lean_left", "lean_right"), tracks))
    says = proposals.tracks["b"]
    assert (says[70:110, 1] == 1).all() and (says[150:, 1] == -1).all()
    assert (says[:, 0] == -1).all()


def test_mirrored_copies_in_a_view_are_left_alone(view):
    doubled = make_view(view.corpus, settings=ViewSettings(mirrored=True))
    tracks = np.zeros((doubled.n_frames, 1), np.int8)
    model = train_view(doubled, ("stand",), tracks)
    assert model.windows.names == view.names


def test_more_verified_windows_than_there_is_room_for_are_thinned(view, truth, verified):
    few = replace(USUAL, most_windows=60)
    model = train_view(view, LABELS, verified(), few)
    for n in range(1, 5):
        model = retrain(model, verified(*view.names[:n]))
        assert len(model.gram.rows) <= 60
    last = view.names[4]
    right = propose_tracks(model).tracks[last] == truth[slice(*view.range_of(last))]
    assert right.mean() > 0.8


def test_the_first_offer_comes_from_nothing_and_later_ones_are_what_is_not_verified(view, verified):
    model = train_view(view, LABELS, verified())
    offers = teaches_most(model, count=9)
    assert sorted(offer.take for offer in offers) == sorted(view.names)
    assert [offer.worth for offer in offers] == sorted((offer.worth for offer in offers), reverse=True)
    for n in range(1, 6):
        model = retrain(model, verified(*view.names[:n]))
        offered = {offer.take for offer in teaches_most(model, count=9)}
        assert offered == set(view.names[n:])


def test_something_new_is_offered_before_more_of_the_same(view, verified):
    model = train_view(view, LABELS, verified("walk/one", "walk/two"))
    assert teaches_most(model)[0].take.startswith("run/")


def test_of_long_takes_a_part_is_offered(view, verified):
    model = train_view(view, LABELS, verified("walk/one", "walk/two"))
    for offer in teaches_most(model, count=3, longest=1.0):
        start, stop = view.range_of(offer.take)
        assert 0 <= offer.start < offer.stop <= stop - start
        assert offer.stop - offer.start == pytest.approx(view.fps, abs=7)


def test_of_a_long_take_the_most_typical_part_is_offered_first_and_open_parts_later(view, verified):
    model = train_view(view, LABELS, verified())
    first = teaches_most(model, takes=["run/two"], longest=1.0)[0]
    alone = [teaches_most(model, takes=["run/two"], longest=3.0)[0], teaches_most(model, takes=["run/two"])[0]]
    assert first.new < min(offer.new for offer in alone)
    tracks, (start, _) = verified(), view.range_of("run/two")
    for _ in range(20):
        offers = teaches_most(model, takes=["run/two"], longest=1.0)
        if not offers:
            break
        tracks[start + offers[0].start : start + offers[0].stop] = 1
        model = retrain(model, tracks)
    assert (model.known[slice(*model.windows.range_of("run/two"))] != 0).all()


def test_what_is_new_is_judged_label_by_label(view, truth, verified):
    tracks = np.zeros_like(truth)
    tracks[:, 0] = truth[:, 0]  # stand everywhere; walk and run only in one take
    part = slice(*view.range_of("walk/one"))
    tracks[part] = truth[part]
    offers = teaches_most(train_view(view, LABELS, tracks), count=9)
    joint = teaches_most(train_view(view, LABELS, verified("walk/one")), count=9)
    assert {offer.take: offer.new for offer in offers} == pytest.approx(
        {offer.take: offer.new for offer in joint}, rel=1e-5
    )


def test_an_open_part_is_offered_though_it_looks_just_like_what_was_verified(tmp_path, view):
    start = view.motion("walk/one")
    still = np.zeros(240, int)
    motion = replace(start, root_positions=start.root_positions[still], local_rotations=start.local_rotations[still])
    with Corpus.create(tmp_path / "corpus") as corpus:
        corpus.add(Take("still", motion, Source("still", "test", "still", 60, 1.0)), floor_height=0.0)
        small = make_view(corpus)
        tracks = np.zeros((small.n_frames, 1), np.int8)
        tracks[:120] = 1
        offer = teaches_most(train_view(small, ["stand"], tracks), longest=1.0)[0]
        assert offer.start >= 115 and np.isfinite(offer.worth)


def test_with_nothing_verified_nothing_is_proposed(view, verified):
    proposals = propose_tracks(train_view(view, LABELS, verified()))
    assert proposals.labels == () and proposal_ranges(proposals, view) == []


def test_without_labels_there_is_nothing_to_learn_but_takes_are_offered(view):
    model = train_view(view, (), np.zeros((view.n_frames, 0), np.int8))
    assert propose_tracks(model).labels == () and teaches_most(model)[0].take in view.names


def test_a_label_that_never_held_so_far_is_proposed_nowhere(view, verified):
    model = train_view(view, LABELS, verified("walk/one", "walk/two"))
    proposals = propose_tracks(model, Request(labels=["run"]))
    assert all((proposals.tracks[take] <= 0).all() for take in view.names)


def test_a_label_that_always_held_so_far_is_proposed_only_for_what_looks_alike(view, verified):
    tracks = np.where(verified("run/one") > 0, 1, 0).astype(np.int8)  # nothing is verified not to hold
    says = propose_tracks(train_view(view, LABELS, tracks), Request(labels=["run"])).tracks
    assert (says["run/two"][20:100] == 1).mean() > 0.5
    assert (says["walk/three"] == 1).mean() < 0.3


def test_takes_of_one_frame_and_takes_shorter_than_a_window_are_annotated(tmp_path, view):
    from motionloom.motion import cut

    with Corpus.create(tmp_path / "corpus") as corpus:
        for name, (start, stop) in {"one": (0, 1), "few": (60, 80), "long": (0, 150)}.items():
            motion = cut(view.motion("walk/one"), start, stop)
            corpus.add(Take(name, motion, Source(name, "test", name, motion.fps, 1.0)), floor_height=0.0)
        small = make_view(corpus)
        tracks = np.zeros((small.n_frames, 1), np.int8)
        part = slice(*small.range_of("long"))
        tracks[part] = np.where(np.arange(150) < 60, 1, -1)[:, None]
        proposals = propose_tracks(train_view(small, ("still",), tracks))
    assert proposals.tracks["one"].shape == (1, 1) and (proposals.tracks["one"] == 1).all()
    assert proposals.tracks["few"].shape == (20, 1)


def test_bad_input_gets_one_clear_sentence(view, verified):
    good = verified("walk/one", "run/one")
    windows = find_windows(view, USUAL)
    with pytest.raises(BadInput, match=r"label tracks \(3, 3\) for \d+ frames and 3 labels"):
        train_windows(windows, LABELS, good[:3])
    with pytest.raises(BadInput, match="other values than"):
        train_windows(windows, LABELS, good * 2)
    with pytest.raises(BadInput, match="give each word once"):
        train_windows(windows, ("walk", "walk", "run"), good)
    model = train_windows(windows, LABELS, good)
    with pytest.raises(BadInput, match="no label 'fly' was learnt; the labels are stand, walk, run"):
        propose_tracks(model, Request(labels=["fly"]))
    with pytest.raises(BadInput, match="no take 'nowhere' to annotate; there are 5: "):
        propose_tracks(model, Request(takes=["nowhere"]))
    with pytest.raises(BadInput, match="longest must be positive"):
        teaches_most(model, longest=0.0)


def test_frames_that_are_no_numbers_are_refused_by_the_name_of_their_take(view, verified):
    frames = np.array(view.frames)
    frames[view.range_of("run/one")[0] + 3, 0] = np.nan
    with pytest.raises(BadInput, match="run/one: some frames are not finite"):
        keys = tuple(f"spoilt {key}" for key in view.motion_keys)
        train_view(replace(view, frames=frames, motion_keys=keys), LABELS, verified())


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"kernel": "cubic"}, "kernel 'cubic'; choose one of laplace, gauss, both"),
        ({"features": "all"}, "features 'all'; choose one of usual, positions"),
        ({"gamma": 0.0}, "gamma is 0.0; give 0.001 to 1000 mean distances"),
        ({"gamma": 1e-30}, "gamma is 1e-30; give 0.001 to 1000 mean distances"),
        ({"gamma": float("nan")}, "gamma is nan"),
        ({"smoothing": -1.0}, "smoothing is -1.0"),
        ({"out_of_margin_cost": float("nan")}, "out_of_margin_cost is nan"),
    ],
)
def test_settings_that_make_no_sense_are_refused(changes, sentence):
    with pytest.raises(BadInput, match=sentence):
        Settings(**changes)


def test_classifiers_are_chosen_by_name():
    assert choose_settings() == USUAL and choose_settings("paper") == PAPER
    assert choose_settings("paper", gamma=0.5).gamma == 0.5
    with pytest.raises(BadInput, match="classifier 'forest'; choose one of usual, paper"):
        choose_settings("forest")
    with pytest.raises(BadInput, match="no setting 'gama'; the settings are features, kernel, gamma"):
        choose_settings(gama=1.0)


def test_the_same_is_learnt_on_any_number_of_cores(view, verified):
    from threadpoolctl import threadpool_limits

    learnt = []
    for count in (1, 2):
        with threadpool_limits(count, user_api="blas"):
            arrays = learn_embedding(view, USUAL)
            placed = place_motion("walk/one", view.motion("walk/one"), Embedding(**arrays), USUAL)
            model = train_windows(find_windows(view, USUAL), LABELS, verified("walk/one", "run/two"))
            learnt.append((arrays, placed, {"decisions": model.decisions}, teaches_most(model, 3)))
    for one, other in zip(learnt[0][:3], learnt[1][:3]):
        for name in one:
            np.testing.assert_array_equal(one[name], other[name])
    assert learnt[0][3] == learnt[1][3]
