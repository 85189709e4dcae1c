"""Labels, and their CSV files."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom.corpus import Corpus, Label, export_labels, import_labels, read_label_file
from motionloom.corpus.take_names import TakeFinder
from motionloom.errors import BadInput, CorpusError, FormatError


@pytest.fixture
def labelled(corpus, takes):
    """A corpus of three takes of twelve frames."""
    for seed, name in enumerate(["football/143_04", "everyday/143_05", "cmu/everyday/143_05"]):
        corpus.add(takes.body(name, seed=seed))
    return corpus


def write(tmp_path, text):
    path = tmp_path / "labels.csv"
    path.write_text(text)
    return path


HEAD = "take,label,start,stop\n"
ODD_FILES = {
    "a field without end": (HEAD + "a" * 200_000, r"line 2: is not a valid CSV file \(field larger than field limit"),
    "a number without end": (HEAD + "a,walk,0," + "9" * 5000 + "\n", r"line 2: stop is '9+…', expected a frame number"),
    "a number beyond all takes": (
        HEAD + "a,walk,0," + "9" * 30 + "\n",
        r"line 2: stop is '9+…', expected a frame number",
    ),
    "a zero byte in a number": (HEAD + "a,walk,0\0,9\n", r"line 2: start is '0\?', expected a frame number"),
    "a line end in a label": (HEAD + 'a,"wa\nlk",0,9\n', r"line 3: 'wa lk' is not a valid label"),
    "a label that was not text": (HEAD + "a,wa\ufffdlk,0,9\n", r"line 2: 'wa.lk' is not a valid label"),
    "a zero byte in a source": (HEAD[:-1] + ",source\na,walk,0,9,us\0er\n", r"line 2: 'us er' is not a valid source"),
    "a label without end": (HEAD + f"a,{'x' * 5000},0,9\n", r"line 2: 'x+\.\.\.' is not a valid label"),
    "a quote that stays open": (HEAD + 'a,"walk,0,9\n', r"is not a valid CSV file"),
    "too many rows": (HEAD + "a,walk,0,9\n" * 200_001, r"line 200002: more than 200000 rows; split the file"),
    "another encoding": (b"\xff\xfe" + HEAD.encode("utf-16-le"), r"cannot be read as text"),
}


@pytest.mark.parametrize(("content", "sentence"), ODD_FILES.values(), ids=ODD_FILES.keys())
def test_odd_files_are_refused_in_one_short_sentence(content, sentence, tmp_path):
    path = tmp_path / "labels.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(FormatError, match=sentence) as refusal:
        read_label_file(path)
    assert str(refusal.value).isprintable() and len(str(refusal.value)) < 600


def test_labels_are_imported_and_exported_unchanged(labelled, tmp_path):
    text = (
        "take,label,start,stop,source\n"
        "everyday/143_05,walk,0,12,computed\n"
        'football/143_04,"hand, left busy",3,4,user\n'
        "football/143_04,turn_left,0,5,description\n"
    )
    report = import_labels(labelled, write(tmp_path, text))
    assert (report.added, report.known, report.refused) == (3, 0, ())
    assert export_labels(labelled, tmp_path / "out.csv") == 3
    assert (tmp_path / "out.csv").read_text() == text


def test_importing_the_same_labels_again_changes_nothing(labelled, tmp_path):
    path = write(tmp_path, "take,label,start,stop\nfootball/143_04,walk,0,5\nfootball/143_04,walk,0,5\n")
    assert import_labels(labelled, path).added == 1
    again = import_labels(labelled, path)
    assert (again.added, again.known) == (0, 2)
    assert labelled.labels() == [Label("football/143_04", "walk", 0, 5, "user")]


def test_imported_labels_never_replace_what_is_there(labelled, tmp_path):
    mine = Label("football/143_04", "walk", 2, 6, "user")
    labelled.add_labels([mine])
    import_labels(
        labelled, write(tmp_path, "take,label,start,stop,source\n143_04,walk,2,6,computed\n143_04,walk,0,9,computed\n")
    )
    assert mine in labelled.labels("football/143_04")
    assert len(labelled.labels("football/143_04")) == 3


@pytest.mark.parametrize("written", ["143_04", "143_04.bvh", "football/143_04", "football/143_04.bvh"])
def test_takes_are_found_by_unique_ends_of_their_paths(labelled, tmp_path, written):
    report = import_labels(labelled, write(tmp_path, f"take,label,start,stop\n{written},walk,0,5\n"))
    assert (report.added, report.refused) == (1, ())
    assert labelled.labels("football/143_04")


def test_a_name_in_full_wins_and_an_unclear_one_lists_the_candidates(labelled, tmp_path):
    path = write(tmp_path, "take,label,start,stop\neveryday/143_05,walk,0,5\n143_05,walk,0,5\n")
    report = import_labels(labelled, path)
    assert report.added == 1
    assert labelled.labels("everyday/143_05")
    (message,) = report.refused
    assert message.startswith(
        f"{path} line 3: '143_05' is ambiguous, 2 takes match: cmu/everyday/143_05, everyday/143_05"
    )


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("143_99,walk,0,5", "no take '143_99'"),
        ("143_04,walk,5,5", r"frames \[5, 5\) of label 'walk' are an empty range"),
        ("143_04,walk,0,13", r"\[0, 13\) of label 'walk' are out of range: the take has 12 frames"),
        ("143_04,walk,-1,5", r"\[-1, 5\)"),
        ("143_04,walk,0,five", "stop is 'five', expected a frame number"),
        ("143_04,walk,0.5,5", "start is '0.5'"),
        ("143_04,,0,5", "value for label is missing"),
        ("143_04,walk", "value for start, stop is missing"),
    ],
)
def test_bad_rows_are_reported_with_line_and_reason_and_the_rest_goes_on(labelled, tmp_path, row, reason):
    path = write(tmp_path, f"take,label,start,stop\n{row}\n\n143_04,run,0,5\n")
    report = import_labels(labelled, path)
    assert report.added == 1
    (message,) = report.refused
    assert message.startswith(f"{path} line 2: ")
    with pytest.raises(FormatError, match=reason):
        raise FormatError(path, message)


def test_a_file_without_the_columns_is_refused(labelled, tmp_path):
    with pytest.raises(
        FormatError, match=r"line 1: column start, stop is missing; the first line must be take,label,start,stop"
    ):
        import_labels(labelled, write(tmp_path, "take,label,begin,end\n"))
    with pytest.raises(FormatError, match="no such file"):
        import_labels(labelled, tmp_path / "nowhere.csv")
    with pytest.raises(FormatError, match="line 1"):
        import_labels(labelled, write(tmp_path, ""))
    with pytest.raises(FormatError, match="line 2: is not a valid CSV file"):
        import_labels(labelled, write(tmp_path, 'take,label,start,stop\na,"walk"x,0,5\n'))


def test_columns_may_come_in_any_order_with_spaces_windows_ends_and_a_byte_order_mark(labelled, tmp_path):
    path = tmp_path / "labels.csv"
    path.write_bytes("\ufeffLabel, Start ,stop,note,take\r\nwalk, 0 ,5,x,143_04\r\n".encode())
    assert import_labels(labelled, path).added == 1
    assert labelled.labels() == [Label("football/143_04", "walk", 0, 5, "user")]


def test_label_tracks_say_yes_no_or_unknown(labelled):
    labelled.add_labels([Label("football/143_04", "walk", 2, 5), Label("football/143_04", "turn", 4, 12)])
    np.testing.assert_array_equal(labelled.label_track("football/143_04", "walk"), [-1, -1, 1, 1, 1] + [-1] * 7)
    np.testing.assert_array_equal(labelled.label_track("football/143_04", "run"), [-1] * 12)
    np.testing.assert_array_equal(labelled.label_track("everyday/143_05", "walk"), [0] * 12)
    assert labelled.label_names() == ["turn", "walk"]


def test_labels_can_be_taken_away_one_by_one(labelled):
    keep, drop = Label("football/143_04", "walk", 2, 5), Label("football/143_04", "walk", 2, 5, "computed")
    labelled.add_labels([keep, drop])
    assert labelled.remove_labels([drop, Label("football/143_04", "walk", 0, 1)]) == 1
    assert labelled.labels() == [keep]


def test_labels_are_added_all_or_none(labelled):
    with pytest.raises(BadInput, match="label 'run'"):
        labelled.add_labels([Label("football/143_04", "walk", 0, 5), Label("football/143_04", "run", 0, 99)])
    with pytest.raises(CorpusError, match="no take"):
        labelled.add_labels([Label("football/143_04", "walk", 0, 5), Label("nobody", "run", 0, 9)])
    with pytest.raises(BadInput, match="is not a valid label"):
        labelled.add_labels([Label("football/143_04", " ", 0, 5)])
    assert labelled.labels() == []


words = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=8)


@settings(max_examples=15, deadline=None)
@given(rows=st.lists(st.tuples(words, st.integers(0, 11), st.integers(1, 12), words), max_size=6))
def test_any_labels_survive_export_and_import(tmp_path_factory, make, rows):
    from motionloom.formats.take import Source, Take

    folder = tmp_path_factory.mktemp("labels")
    take = Take("a/b", make.motion(n_frames=12), Source("x", "npz", "", 60.0, 1.0))
    labels = {Label("a/b", word, start, stop, source) for word, start, stop, source in rows if start < stop}
    with Corpus.create(folder / "one") as one, Corpus.create(folder / "two") as two:
        one.add(take, floor_height=0.0)
        two.add(take, floor_height=0.0)
        one.add_labels(labels)
        export_labels(one, folder / "labels.csv")
        assert import_labels(two, folder / "labels.csv").refused == ()
        assert set(two.labels()) == labels


@given(st.lists(st.from_regex(r"[ab]{1,2}(/[ab]{1,2}){0,2}", fullmatch=True), unique=True, min_size=1))
def test_a_full_name_always_finds_itself(names):
    finder = TakeFinder(names)
    assert [finder.find(name) for name in names] == names


@pytest.mark.parametrize("written", ["walk.v3", "walk.txt", "walk.3"])
def test_only_extensions_of_recordings_may_be_written_or_left_out(written):
    with pytest.raises(BadInput, match="no take"):
        TakeFinder(["walk"]).find(written)
    assert TakeFinder(["walk"]).find("walk.BVH") == "walk"
    assert TakeFinder(["walk.v3"]).find("walk.v3.bvh") == "walk.v3"


def test_labels_are_exported_whole_or_not_at_all(corpus, takes, tmp_path, monkeypatch):
    corpus.add(takes.body("a"))
    corpus.add_labels([Label("a", "walk", 0, 5)])
    (tmp_path / "labels.csv").write_text("precious")

    def refuse(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", refuse)
    with pytest.raises(BadInput, match=r"labels\.csv cannot be written \(No space left"):
        export_labels(corpus, tmp_path / "labels.csv")
    monkeypatch.undo()
    assert (tmp_path / "labels.csv").read_text() == "precious"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["corpus", "labels.csv"]


def test_a_label_file_is_read_without_a_corpus_or_refused_with_its_line(tmp_path):
    path = write(tmp_path, "take,label,start,stop,source\na/b.bvh,walk,0,5,anna\n")
    assert read_label_file(path) == [Label("a/b.bvh", "walk", 0, 5, "anna")]
    for row, reason in (
        ("a,walk,5,5", "expected 0 <= start < stop"),
        ("a,walk,x,5", "start is 'x'"),
        ("a,,0,5", "label"),
    ):
        with pytest.raises(FormatError, match=f"line 3: .*{reason}"):
            read_label_file(write(tmp_path, f"take,label,start,stop\na,walk,0,5\n{row}\n"))
