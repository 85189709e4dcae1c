"""`motionloom annotate`: from a few verified takes to proposals for all, and what goes wrong."""

import csv
import json

import numpy as np
import pytest

from motionloom.corpus import Corpus, Label, Source, Take, Verified
from motionloom.motion import cut
from motionloom.performer import Writer, perform

SCORES = {
    "walk/one": [("stand", 1.0), ("walk", 2.0)],
    "walk/two": [("walk", 2.0), ("stand", 1.0)],
    "run/one": [("stand", 1.0), ("run", 2.0)],
    "run/two": [("run", 2.0), ("stand", 1.0), ("walk", 1.5)],
}
WORDS = {"stand", "walk", "run"}


@pytest.fixture(scope="module")
def performances():
    """Four short takes with their truth."""
    made = {}
    for seed, (name, actions) in enumerate(SCORES.items()):
        writer = Writer(name)
        for action, seconds in actions:
            writer = writer.then(action, seconds)
        made[name] = perform(writer.done(), np.random.default_rng(seed))
    return made


@pytest.fixture
def bare(tmp_path, performances):
    """A corpus of the takes without any labels, and the file of their labels."""
    truth = tmp_path / "truth.csv"
    with Corpus.create(tmp_path / "corpus") as corpus, truth.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["take", "label", "start", "stop"])
        for name, performance in performances.items():
            source = Source("demo", "performer", "0", performance.motion.fps, 1.0)
            corpus.add(Take(name, performance.motion, source), floor_height=0.0)
            writer.writerows([name, x.label, x.start, x.stop] for x in performance.labels if x.label in WORDS)
    return tmp_path / "corpus", truth


def verified_and_labels(path):
    with Corpus.open(path) as corpus:
        return corpus.verified(), corpus.labels()


def test_from_a_few_verified_takes_to_a_labelled_corpus(motionloom, bare, tmp_path):
    corpus, truth = bare
    ran = motionloom("annotate", "next", corpus)
    assert ran.code == 0, ran.err
    assert "nothing is verified yet, and this take is the most like all others" in ran.out
    ran = motionloom("annotate", "accept", corpus, "walk/one", "run/one", "--corrected", truth)
    assert ran.code == 0, ran.err
    assert f"now: motionloom annotate learn {corpus}" in ran.out

    ran = motionloom("annotate", "learn", corpus)
    assert ran.code == 0, ran.err
    assert "learnt 3 labels from 2 takes in" in ran.out
    kept = verified_and_labels(corpus)

    ran = motionloom("annotate", "propose", corpus, "-o", tmp_path / "proposals.csv")
    assert ran.code == 0, ran.err
    assert "2 takes with proposals, of 2 not wholly verified" in ran.out
    assert verified_and_labels(corpus) == kept
    rows = list(csv.DictReader((tmp_path / "proposals.csv").open()))
    proposed = [row for row in rows if row["confidence"]]
    assert {row["take"] for row in proposed} == {"run/two", "walk/two"}
    assert all(0.5 <= float(row["confidence"]) <= 1.0 for row in proposed)
    assert {row["take"] for row in rows} == set(SCORES)  # what was verified is in the file too

    printed = json.loads(motionloom("annotate", "next", corpus, "--json").out)
    assert printed["take"] in {"run/two", "walk/two"}
    assert printed["why"]
    assert any(f"annotate accept {corpus} {printed['take']}" in command for command in printed["commands"])

    printed = json.loads(motionloom("annotate", "accept", corpus, "walk/two", "--corrected", truth, "--json").out)
    assert printed["answers"]["proposals"] >= printed["answers"]["right_proposals"]
    assert printed["answers"] == printed["so_far"]
    assert printed["answers"]["seconds"] == pytest.approx(9.0, abs=2.0)  # three labels over a take of three seconds
    assert printed["learnt_in"] > 0
    with Corpus.open(corpus) as store:
        assert {range_.label for range_ in store.verified("walk/two")} == WORDS

    ran = motionloom("annotate", "accept", corpus, "run/two")
    assert ran.code == 0, ran.err
    assert "agreement so far: " in ran.out
    assert "0 corrections" in ran.out.splitlines()[1]  # accepted as proposed
    assert "everything is verified for run, stand, walk" in motionloom("annotate", "next", corpus).out
    printed = json.loads(motionloom("annotate", "status", corpus, "--json").out)
    assert [row["label"] for row in printed["labels"]] == ["run", "stand", "walk"]
    assert all(row["takes"] == 4 and row["decided"] == 0 for row in printed["labels"])
    assert motionloom("check", corpus).code == 0


def test_imported_labels_are_verified_by_accepting_them_as_they_stand(motionloom, bare):
    corpus, truth = bare
    assert motionloom("label", "import", corpus, truth).code == 0
    assert verified_and_labels(corpus)[0] == []
    ran = motionloom("annotate", "accept", corpus, "walk/*", "--label", "walk")
    assert ran.code == 0, ran.err
    verified, labels = verified_and_labels(corpus)
    with Corpus.open(corpus) as store:
        expected = [Verified(name, "walk", 0, store.info(name).n_frames) for name in ("walk/one", "walk/two")]
    assert verified == expected
    assert len(labels) == len(list(csv.DictReader(truth.open())))


def test_a_range_can_be_accepted_alone(motionloom, bare):
    corpus, truth = bare
    ran = motionloom("annotate", "accept", corpus, "walk/one", "--from", 10, "--to", 50, "--corrected", truth)
    assert ran.code == 0, ran.err
    verified, labels = verified_and_labels(corpus)
    assert {(range_.start, range_.stop) for range_ in verified} == {(10, 50)}
    assert all(10 <= label.start < label.stop <= 50 for label in labels)


def test_what_a_corrected_file_leaves_out_does_not_hold(motionloom, bare, tmp_path):
    corpus, truth = bare
    motionloom("annotate", "accept", corpus, "walk/one", "run/one", "--corrected", truth)
    motionloom("annotate", "learn", corpus)
    motionloom("annotate", "propose", corpus)
    (tmp_path / "mine.csv").write_text("take,label,start,stop\nwalk/two,hop,0,5\n")
    assert motionloom("annotate", "accept", corpus, "walk/two", "--corrected", tmp_path / "mine.csv").code == 0
    with Corpus.open(corpus) as store:
        assert store.labels("walk/two") == [Label("walk/two", "hop", 0, 5)]
        assert {range_.label for range_ in store.verified("walk/two")} == WORDS | {"hop"}
        assert "walk/two" not in {proposal.take for proposal in store.proposals() if proposal.label in WORDS}


def test_labels_and_takes_can_be_chosen_and_are_remembered(motionloom, bare):
    corpus, truth = bare
    motionloom("annotate", "accept", corpus, "walk/one", "run/one", "--corrected", truth)
    chosen = [
        "--labels",
        "walk, stand",
        "--takes",
        "walk/*",
        "--classifier",
        "paper",
        "--kernel",
        "gauss",
        "--gamma",
        0.8,
    ]
    ran = motionloom("annotate", "learn", corpus, *chosen, "--json")
    assert [row["label"] for row in json.loads(ran.out)["labels"]] == ["walk", "stand"]
    printed = json.loads(motionloom("annotate", "propose", corpus, "--json").out)
    assert printed["takes"] == ["walk/one", "walk/two"]
    with Corpus.open(corpus) as store:
        (model,) = {range_.model for range_ in store.classified()}
        assert json.loads(model)["kernel"] == "gauss"
        assert json.loads(model)["gamma"] == 0.8


def test_choices_that_are_not_there_any_more_are_passed_over(motionloom, bare):
    corpus, truth = bare
    motionloom("annotate", "accept", corpus, "walk/one", "run/one", "--corrected", truth)
    with Corpus.open(corpus, write=True) as store:
        store.accept("walk/one", ["hop"], 0, 9, {})
    motionloom("annotate", "learn", corpus, "--labels", "walk,hop", "--takes", "walk/one", "--takes", "*/two")
    motionloom("remove", corpus, "walk/one")
    with Corpus.open(corpus, write=True) as store:
        store.accept("walk/two", ["walk"], 0, store.info("walk/two").n_frames, {"walk": [(0, 100)]})
    ran = motionloom("annotate", "next", corpus, "--json")
    assert json.loads(ran.out)["take"] == "run/two"
    assert motionloom("annotate", "propose", corpus).code == 0
    motionloom("annotate", "learn", corpus, "--takes", "walk/two")
    motionloom("rename", corpus, "walk/two", "else")
    ran = motionloom("annotate", "next", corpus)
    assert (ran.code, len(ran.err.splitlines())) == (2, 1)
    assert (
        "none of the takes that were chosen for learning (walk/two) is in the corpus any more; choose others" in ran.err
    )


def test_a_mistyped_label_is_not_verified(motionloom, bare):
    corpus, truth = bare
    ran = motionloom("annotate", "accept", corpus, "walk/one", "--corrected", truth, "--label", "wlak")
    assert (ran.code, ran.out) == (2, "")
    assert "'wlak' is neither in the corrected file nor used in the corpus; known are run, stand, walk" in ran.err
    assert verified_and_labels(corpus) == ([], [])


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["learn"], "nothing is verified in"),
        (["propose"], "nothing is verified in"),
        (["accept"], "name at least one take"),
        (["accept", "walk/one"], "walk/one: has no labels or proposals to accept yet"),
        (["accept", "walk/one", "--label", "hop"], "label 'hop' is unknown in some of the frames"),
        (["accept", "nobody"], "no take 'nobody'"),
        (["accept", "walk/one", "--corrected", "nowhere.csv"], "nowhere.csv: no such file"),
        (["accept", "walk/one", "--from", "5", "--to", "5"], "frames [5, 5) are an empty range"),
        (["accept", "walk/one", "--to", "99999"], "frames [0, 99999) are out of range: the take has "),
    ],
)
def test_what_cannot_be_done_is_one_sentence(motionloom, bare, arguments, sentence):
    corpus, _ = bare
    ran = motionloom("annotate", arguments[0], corpus, *arguments[1:])
    assert (ran.code, ran.out) == (2, "")
    assert sentence in ran.err
    assert len(ran.err.splitlines()) == 1
    assert verified_and_labels(corpus) == ([], [])


def test_wrong_choices_are_one_sentence(motionloom, bare, tmp_path):
    corpus, truth = bare
    motionloom("annotate", "accept", corpus, "walk/one", "--corrected", truth)
    for options, sentence in (
        (["--labels", "hop"], "'hop' is not verified in any take; verified are run, stand, walk"),
        (["--labels", ","], "no label to learn; verified are"),
        (["--takes", "nobody/*"], "no take matches 'nobody/*'"),
        (["--kernel", "cubic"], "kernel 'cubic'"),
        (["--classifier", "oracle"], "classifier 'oracle'"),
        (["--gamma", "-1"], "gamma is -1"),
    ):
        ran = motionloom("annotate", "learn", corpus, *options)
        assert ran.code == 2
        assert sentence in ran.err
    (tmp_path / "bad.csv").write_text("take,label,start,stop\nwalk/two,walk,0,five\nwalk/two,walk,0,9999999\n")
    ran = motionloom("annotate", "accept", corpus, "walk/two", "--corrected", tmp_path / "bad.csv")
    assert ran.code == 2
    assert "line 2: stop is 'five', expected a frame number (1 more rows are invalid); nothing was accepted" in ran.err
    (tmp_path / "no.csv").write_bytes(b"\x00\xff\xfe")
    assert motionloom("annotate", "accept", corpus, "walk/two", "--corrected", tmp_path / "no.csv").code == 2


def test_an_empty_corpus_has_nothing_to_annotate(motionloom, tmp_path):
    motionloom("new", tmp_path / "empty")
    for command in ("learn", "propose", "next"):
        ran = motionloom("annotate", command, tmp_path / "empty")
        assert ran.code == 2
        assert "has no takes of bodies to annotate" in ran.err
    assert motionloom("annotate", "status", tmp_path / "empty").code == 0


def test_label_export_and_import_carry_what_was_verified(motionloom, bare, tmp_path):
    corpus, truth = bare
    motionloom("annotate", "accept", corpus, "walk/one", "--corrected", truth)
    files = [tmp_path / "labels.csv", "--verified", tmp_path / "verified.csv"]
    assert "3 verified ranges" in motionloom("label", "export", corpus, *files).out
    with Corpus.open(corpus) as store, Corpus.create(tmp_path / "other") as other:
        other.add(store.take("walk/one"), floor_height=0.0)
    ran = motionloom("label", "import", tmp_path / "other", *files)
    assert ran.code == 0, ran.err
    assert "3 ranges verified" in ran.out
    assert verified_and_labels(tmp_path / "other") == verified_and_labels(corpus)


def test_two_people_agree_label_by_label(motionloom, tmp_path):
    first, second = tmp_path / "anna.csv", tmp_path / "ben.csv"
    first.write_text("take,label,start,stop\na,walk,0,10\na,run,10,20\nmine,walk,0,5\n")
    second.write_text("take,label,start,stop\na,walk,0,12\na,run,12,20\n")
    printed = json.loads(motionloom("annotate", "agree", first, second, "--json").out)
    assert printed["takes"] == ["a"]
    assert printed["left_out"] == ["mine"]
    assert [(row["label"], row["both"], row["share"]) for row in printed["labels"]] == [
        ("run", 8, 0.9),
        ("walk", 10, 0.9),
    ]
    ran = motionloom("annotate", "agree", first, second)
    assert (ran.code, "90.0 %" in ran.out, "mine" in ran.err) == (0, True, True)
    assert (
        json.loads(motionloom("annotate", "agree", first, second, "--border", 2, "--json").out)["all"]["share"] == 1.0
    )


def test_files_that_cannot_be_compared_are_one_sentence(motionloom, tmp_path):
    good, other, bad = (tmp_path / f"{name}.csv" for name in ("good", "other", "bad"))
    good.write_text("take,label,start,stop\na,walk,0,10\n")
    other.write_text("take,label,start,stop\nb,walk,0,10\n")
    bad.write_text("hello\n")
    for second, sentence in (
        (other, "no take in common"),
        (bad, "line 1: column take"),
        (tmp_path / "no", "no such"),
    ):
        ran = motionloom("annotate", "agree", good, second)
        assert (ran.code, len(ran.err.splitlines())) == (2, 1)
        assert sentence in ran.err


def test_correcting_a_part_keeps_what_was_verified_before(motionloom, bare, tmp_path):
    corpus, truth = bare
    motionloom("annotate", "accept", corpus, "run/one", "--corrected", truth)
    motionloom("annotate", "accept", corpus, "walk/one", "--to", 60, "--corrected", truth)
    motionloom("annotate", "learn", corpus)
    before = verified_and_labels(corpus)[1]
    motionloom("annotate", "propose", corpus, "walk/one", "-o", tmp_path / "next.csv")
    assert motionloom("annotate", "accept", corpus, "walk/one", "--corrected", tmp_path / "next.csv").code == 0
    after = verified_and_labels(corpus)[1]
    for old in before:
        assert any(
            (x.take, x.label) == (old.take, old.label) and x.start <= old.start < old.stop <= x.stop for x in after
        )


def test_how_windows_are_compared_is_learnt_again_after_the_corpus_has_changed(motionloom, bare, performances):
    corpus, truth = bare
    motionloom("annotate", "accept", corpus, "walk/one", "run/one", "--corrected", truth)
    assert "statistics" not in motionloom("annotate", "learn", corpus).err
    with Corpus.open(corpus, write=True) as store:
        motion = cut(performances["run/two"].motion, 0, 150)
        store.add(Take("more", motion, Source("more", "npz", "", motion.fps, 1.0)), floor_height=0.0)
    ran = motionloom("annotate", "learn", corpus)
    assert ran.code == 0 and "learnt 3 labels" in ran.out
    assert "learning its statistics again" in ran.err
    assert "statistics" not in motionloom("annotate", "learn", corpus).err


def test_what_was_accepted_stays_accepted_where_learning_fails(motionloom, bare):
    corpus, truth = bare
    motionloom("annotate", "accept", corpus, "walk/one", "--corrected", truth)
    motionloom("annotate", "learn", corpus, "--takes", "walk/*")
    motionloom("rename", corpus, "walk/one", "one")
    motionloom("rename", corpus, "walk/two", "two")
    truth.write_text("take,label,start,stop\nrun/one,run,60,90\n")
    ran = motionloom("annotate", "accept", corpus, "run/one", "--corrected", truth)
    assert ran.code == 1
    assert "accepted, but not learnt again: none of the takes that were chosen for learning (walk/*) is" in ran.err
    with Corpus.open(corpus) as store:
        assert store.verified("run/one")
