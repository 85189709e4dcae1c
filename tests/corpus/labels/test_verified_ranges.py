"""What was verified and proposed goes with its take: removed, restored, renamed, damaged, exported."""

import sqlite3

import pytest

from motionloom.corpus import (
    Corpus,
    Label,
    Proposal,
    Verified,
    check,
    export_labels,
    export_proposals,
    export_verified,
    import_labels,
)
from motionloom.corpus.labels.label_state import read_label_state


@pytest.fixture
def known(corpus, takes):
    """Two takes; a has verified labels, b has proposals."""
    corpus.add(takes.body("a", seed=1))
    corpus.add(takes.body("b", seed=2))
    corpus.accept("a", ["walk", "run"], 0, 12, {"walk": [(2, 6)]})
    corpus.set_proposals("b", ["walk"], [Proposal("b", "walk", 0, 7, 0.75)])
    return corpus


def state(corpus):
    return corpus.labels(), corpus.verified(), corpus.proposals(), corpus.classified()


def change(folder, statement, *values):
    database = sqlite3.connect(folder / "catalogue.sqlite")
    with database:
        database.execute(statement, values)
    database.close()


def test_removed_takes_hide_and_bring_back_what_was_verified_and_proposed(known):
    before = state(known)
    known.remove(["a", "b"])
    assert state(known) == ([], [], [], [])
    known.restore(["a", "b"])
    assert state(known) == before


def test_purging_deletes_what_was_verified_and_proposed(known):
    known.remove(["a", "b"])
    known.purge()
    for table in ("verified", "proposals", "classified"):
        assert known.connection.execute(f"SELECT * FROM {table}").fetchall() == []


def test_renaming_takes_along_what_was_verified_and_proposed(known):
    known.rename("a", "walks/a")
    known.rename("b", "walks/b")
    assert known.verified("walks/a") == [Verified("walks/a", "run", 0, 12), Verified("walks/a", "walk", 0, 12)]
    assert known.proposals() == [Proposal("walks/b", "walk", 0, 7, 0.75)]


def test_a_damaged_take_that_is_imported_again_has_what_was_verified(known, takes):
    before = known.verified(), known.labels()
    (file,) = known.connection.execute("SELECT file FROM takes WHERE name = 'a'").fetchone()
    known.close()
    (known.folder / "arrays" / file).unlink()
    assert check(known.folder, repair=True).is_clean
    with Corpus.open(known.folder, write=True) as corpus:
        assert corpus.verified() == []
        corpus.add(takes.body("a", seed=1))
        assert (corpus.verified(), corpus.labels()) == before


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ("verified", "verified range of 'walk'"),
        ("proposals", "proposal 'walk'"),
        ("classified", "decision about 'walk'"),
    ],
)
@pytest.mark.parametrize("stop", [13, -1, "x"])
def test_ranges_that_cannot_be_right_are_found_and_set_aside(known, table, words, stop):
    known.close()
    change(known.folder, f"UPDATE {table} SET stop = ? WHERE label = 'walk'", stop)
    (problem,) = check(known.folder).problems
    assert words in problem.message and "are out of range: the take has 12 frames" in problem.message
    assert check(known.folder, repair=True).is_clean
    assert check(known.folder).problems == ()
    with Corpus.open(known.folder) as corpus:
        assert corpus.connection.execute(f"SELECT * FROM {table} WHERE label = 'walk'").fetchall() == []
        assert corpus.connection.execute("SELECT what FROM set_aside").fetchall() == [(table,)]


def test_a_listed_word_that_is_none_any_more_is_set_aside(known):
    known.add_labels([Label("b", "run", 0, 5)])
    known.close()
    change(known.folder, "UPDATE listed SET label = CAST(x'ff61' AS TEXT)")
    (problem,) = check(known.folder, repair=True).problems
    assert "is not text" in problem.message and problem.is_repaired
    assert check(known.folder).problems == ()


@pytest.mark.parametrize("damage", ["stop = 99", "label = CAST(x'ff61' AS TEXT)"])
def test_where_a_label_is_lost_its_take_is_not_taken_as_verified_to_be_without_it(known, damage):
    known.close()
    change(known.folder, f"UPDATE labels SET {damage} WHERE label = 'walk'")
    assert check(known.folder, repair=True).is_clean
    with Corpus.open(known.folder) as corpus:
        assert corpus.labels() == []
        assert "walk" not in {range_.label for range_ in corpus.verified()}
        assert ("run" in {range_.label for range_ in corpus.verified()}) == damage.startswith("stop")
        assert ("verified",) in corpus.connection.execute("SELECT what FROM set_aside").fetchall()


# as CSV files


def test_verified_ranges_survive_export_and_import(known, takes, tmp_path):
    export_labels(known, tmp_path / "labels.csv")
    assert export_verified(known, tmp_path / "verified.csv") == 2
    with Corpus.create(tmp_path / "other") as other:
        other.add(takes.body("a", seed=1))
        report = import_labels(other, tmp_path / "labels.csv", tmp_path / "verified.csv")
        assert (report.added, report.verified, report.refused) == (1, 2, ())
        assert (other.labels(), other.verified()) == (known.labels(), known.verified())
        again = import_labels(other, tmp_path / "labels.csv", tmp_path / "verified.csv")
        assert (again.added, again.verified, again.refused) == (0, 2, ())


def test_what_was_accepted_of_a_part_says_nothing_of_the_rest_after_export_and_import(corpus, takes, tmp_path):
    corpus.add(takes.body("a", seed=1))
    corpus.add(takes.body("b", seed=2))
    corpus.accept("a", ["walk", "run"], 0, 6, {"walk": [(2, 6)]})
    corpus.add_labels([Label("b", "walk", 1, 5), Label("b", "walk", 8, 9)])
    corpus.verify([Verified("b", "walk", 0, 6)])
    export_labels(corpus, tmp_path / "labels.csv")
    export_verified(corpus, tmp_path / "verified.csv")
    with Corpus.create(tmp_path / "other") as other:
        other.add(takes.body("a", seed=1))
        other.add(takes.body("b", seed=2))
        assert import_labels(other, tmp_path / "labels.csv", tmp_path / "verified.csv").added == 3
        for take in ("a", "b"):
            for label in ("walk", "run"):
                expected = read_label_state(corpus).track(take, label, 12)
                assert read_label_state(other).track(take, label, 12).tolist() == expected.tolist()
        assert 0 in read_label_state(other).track("a", "walk", 12) and 0 not in read_label_state(other).track(
            "b", "walk", 12
        )


def test_imported_labels_are_not_verified(known, tmp_path):
    (tmp_path / "labels.csv").write_text("take,label,start,stop\nb,walk,0,5\n")
    import_labels(known, tmp_path / "labels.csv")
    assert known.verified("b") == []


def test_importing_never_changes_what_was_verified(known, tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text("take,label,start,stop,source\na,walk,0,5,computed\na,walk,3,4,computed\na,jump,0,5,anna\n")
    report = import_labels(known, path)
    assert report.added == 2
    (message,) = report.refused
    assert message.startswith(f"{path} line 2: a: label 'walk' is verified by a person")


def test_verified_ranges_are_imported_only_where_the_corpus_says_what_the_file_says(known, tmp_path):
    labels, verified = tmp_path / "labels.csv", tmp_path / "verified.csv"
    known.add_labels([Label("b", "walk", 8, 9)])
    labels.write_text("take,label,start,stop\nb,walk,0,5\n")
    verified.write_text("take,label,start,stop\nb,walk,0,12\nb,walk,0,7\nb,run,0,99\n")
    report = import_labels(known, labels, verified)
    assert report.verified == 1
    assert known.verified("b") == [Verified("b", "walk", 0, 7)]
    assert [message.split(": ", 2)[1:] for message in report.refused] == [
        ["b", "not verified, because label 'walk' has other ranges there in the corpus than in the file"],
        ["b", "frames [0, 99) of label 'run' are out of range: the take has 12 frames"],
    ]


def test_nothing_is_verified_by_a_file_of_which_labels_were_refused(known, tmp_path):
    labels, verified = tmp_path / "labels.csv", tmp_path / "verified.csv"
    labels.write_text("take,label,start,stop\nb,walk,0,five\n")
    verified.write_text("take,label,start,stop\nb,walk,0,12\n")
    report = import_labels(known, labels, verified)
    assert (report.verified, known.verified("b")) == (0, [])
    assert "rows of the labels were refused" in report.refused[1]


def test_proposals_are_exported_with_their_confidence_and_not_imported_as_labels(known, tmp_path):
    path = tmp_path / "proposals.csv"
    assert export_proposals(known, path) == 1
    assert path.read_text() == "take,label,start,stop,source,confidence\nb,walk,0,7,proposal,0.750\n"
    assert export_proposals(known, tmp_path / "none.csv", ["a"]) == 0
    report = import_labels(known, path)
    assert report.added == 0
    assert "is an unverified proposal" in report.refused[0]


def test_what_is_written_to_be_corrected_has_what_was_verified_too(known, tmp_path):
    known.accept("b", ["walk"], 0, 4, {"walk": [(1, 3)]})
    path = tmp_path / "stands.csv"
    assert export_proposals(known, path, ["b"], to_correct=True) == 2
    assert path.read_text().splitlines()[1:] == ["b,walk,1,3,user,", "b,walk,4,7,proposal,0.750"]
    known.add_labels([Label("b", "walk", 9, 10, "computed")])  # now there is a list
    export_proposals(known, path, ["b"], to_correct=True)
    assert path.read_text().splitlines()[1:] == ["b,walk,1,3,user,", "b,walk,9,10,computed,"]
