"""Results and reports: what they say, and that they come back from corpora and files."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom import formats
from motionloom.assembly import (
    Character,
    Generated,
    HeldLabel,
    Measured,
    Part,
    Piece,
    Plan,
    Report,
    Result,
    Timing,
    assemble,
    check_new_take,
    keep_characters,
    keep_result,
    load_result,
    read_result,
    write_result,
)
from motionloom.assembly.results import kept_results
from motionloom.conform import make_view
from motionloom.corpus import Corpus, check
from motionloom.corpus.models import find_model, keep_model
from motionloom.errors import BadInput, CorpusError, FormatError
from motionloom.formats.take import Source, Take
from motionloom.motion import PointMotion, provenance

REPORT = Report(
    asked={"length": "10s", "places": [[3.0, 4.0]]},
    parts=(
        Part("end position", 0.0004, "m", 0.001, True),
        Part("label run", 71.0, "%", 90.0, False, "the corpus has 2 s of it"),
    ),
    quality=(
        Measured("foot skate", 0.42, "cm per contact second", before=3.1, usual=1.2, note="worst: left_ball"),
        Measured("nearest real frame", None, "m", note="no view was given"),
    ),
    timings=(Timing("searching", 1.25), Timing("assembling", 0.5)),
    notes=("mirrored takes were used",),
    details={"joins": [{"frame": 25, "peak": 0.5}], "runs": [[0, 25, "a"], [25, 75, "b"]]},
)


@pytest.fixture
def result(plans, view) -> Result:
    plan = plans.recorded(("a", 20, 45), ("b", 10, 60))
    found = assemble(plan, view, footplants=None)
    character = replace(found.character, name="leader", plan=plan, labels=(HeldLabel("walk", 3, 20),))
    return Result((character,), REPORT)


def assert_same(one: Result, other: Result) -> None:
    np.testing.assert_array_equal(one.contacts, other.contacts)
    np.testing.assert_array_equal(one.provenance.indices, other.provenance.indices)
    np.testing.assert_array_equal(one.provenance.frames, other.provenance.frames)
    np.testing.assert_array_equal(one.provenance.weights, other.provenance.weights)
    assert one.provenance.sources == other.provenance.sources
    assert one.report == other.report


def untimed(result: Result) -> Result:
    """A result without how long its steps took, as files have it."""
    return replace(result, report=replace(result.report, timings=()))


def assert_same_character(one: Character, other: Character) -> None:
    assert (one.name, one.labels) == (other.name, other.labels)
    assert (one.plan.content_key, one.plan.request) == (other.plan.content_key, other.plan.request)


def test_a_report_is_readable(tmp_path):
    lines = REPORT.describe().splitlines()
    assert lines[0].split(maxsplit=1) == ["met", "end position  0.0004 m  (allowed 0.001 m)"]
    assert lines[1].split(maxsplit=1) == [
        "MISSED",
        "label run     71 %      (allowed 90 %)     the corpus has 2 s of it",
    ]
    assert "foot skate          0.42 cm per contact second  (before 3.1, usual 1.2)  worst: left_ball" in lines[3]
    assert lines[4].split("  ")[0] == "nearest real frame" and lines[4].endswith("no view was given")
    assert lines[6:] == ["mirrored takes were used", "", "searching 1.25 s, assembling 0.50 s"]
    assert Report().describe() == ""


@pytest.mark.parametrize(("value", "allowed"), [(3.994, 3.991), (5.0001, 5.0), (0.0100004, 0.01), (1234.6, 1234.4)])
def test_what_is_missed_is_written_with_as_many_digits_as_tell_it_from_what_is_allowed(value, allowed):
    line = Report(parts=(Part("feet", value, "mm", allowed, False, "they glide"),)).describe()
    found, bound = re.fullmatch(r"MISSED  feet  (\S+) mm  \(allowed (\S+) mm\)  they glide", line).groups()
    assert float(found) > float(bound)
    short = Report(parts=(Part("feet", 0.5, "mm", 1.0, True),)).describe()
    assert short == "met  feet  0.5 mm  (allowed 1 mm)"


def test_a_report_is_met_when_all_its_parts_are():
    assert not REPORT.is_met
    assert replace(REPORT, parts=REPORT.parts[:1]).is_met
    assert Report().is_met


def test_a_report_comes_back_from_json(tmp_path):
    REPORT.write(tmp_path / "report.json")
    content = json.loads((tmp_path / "report.json").read_text())
    assert (content["met"], content["seconds"]) == (False, 1.75)
    assert Report.read(tmp_path / "report.json") == REPORT
    assert Report.from_data(Report().to_data()) == Report()


def test_a_report_that_was_written_before_there_were_details_has_none():
    data = REPORT.to_data()
    del data["details"]
    assert Report.from_data(data) == replace(REPORT, details={})


def test_details_that_no_file_can_hold_are_refused():
    with pytest.raises(BadInput, match="details: peak"):
        Report(details={"peak": np.inf})


def test_numbers_of_numpy_in_a_request_become_plain(tmp_path):
    report = Report(asked={"at": np.float32(1.5), "where": (np.arange(2), [np.int64(3)])})
    report.write(tmp_path / "report.json")
    assert Report.read(tmp_path / "report.json").asked == {"at": 1.5, "where": [[0, 1], [3]]}


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_numbers_that_are_none_are_no_part_of_a_report(value):
    with pytest.raises(BadInput, match=f"'end' is {value}; a report holds finite numbers"):
        Part("end", value, "m", None, False)
    for field in ("value", "before", "usual"):
        with pytest.raises(BadInput, match="'skate' is"):
            replace(Measured("skate", 1.0, "cm"), **{field: value})
    with pytest.raises(BadInput, match=r"what was asked: places: .* cannot be kept"):
        Report(asked={"places": [1.0, value]})


def test_files_that_are_no_reports_are_refused(tmp_path):
    (tmp_path / "other.json").write_text("[1]")
    (tmp_path / "deep.json").write_text("[" * 100_000)
    REPORT.write(tmp_path / "new.json")
    (tmp_path / "new.json").write_text((tmp_path / "new.json").read_text().replace('"version": 1', '"version": 2'))
    for name, message in (
        ("other.json", "not a report"),
        ("deep.json", "not a report"),
        ("new.json", "version 2, but this motionloom reads up to 1"),
        ("nowhere.json", "cannot be read"),
    ):
        with pytest.raises(FormatError, match=message):
            Report.read(tmp_path / name)


def moved(result):
    """The same result somewhere else."""
    motion = replace(result.motion, root_positions=result.motion.root_positions + 1.0)
    return replace(result, characters=(replace(result.character, motion=motion),))


def test_a_result_must_fit_together(result):
    with pytest.raises(BadInput, match=r"75 frames with contacts \(74, 4\)"):
        replace(result.character, contacts=result.contacts[1:])
    with pytest.raises(BadInput, match="provenance of 9"):
        replace(result.character, provenance=provenance.recorded("a", np.arange(9)))


def test_a_result_kept_as_a_take_comes_back_with_everything(result, tmp_path):
    with Corpus.create(tmp_path / "corpus") as corpus:
        assert keep_result(corpus, "made/one", result).status == "imported"
        again = load_result(corpus, "made/one")
        assert corpus.info("made/one").source.format == "motionloom"
        assert make_view(corpus).names == ("made/one",)  # it is used like any other take
    assert not check(tmp_path / "corpus").problems
    assert_same(again, result)
    assert_same_character(again.character, result.character)
    np.testing.assert_allclose(again.motion.local_rotations, result.motion.local_rotations, atol=1e-6)
    with Corpus.open(tmp_path / "corpus") as corpus:
        assert_same(load_result(corpus, "made/one"), result)


def test_keeping_one_result_leaves_the_others(result, tmp_path, make):
    other = moved(result)
    with Corpus.create(tmp_path / "corpus") as corpus:
        keep_result(corpus, "one", result)
        keep_result(corpus, "other", replace(other, report=Report(notes=("other",))))
        assert keep_result(corpus, "again", result).duplicate_of == "one"
        assert_same(load_result(corpus, "one"), result)
        assert load_result(corpus, "other").report.notes == ("other",)
        corpus.rename("one", "first")
        assert_same(load_result(corpus, "first"), result)
        corpus.remove("first")
        corpus.purge()
        assert load_result(corpus, "other").report.notes == ("other",)


@pytest.mark.parametrize("layout", ["0", "1"])
def test_results_of_older_layouts_stay_and_are_read(result, tmp_path, layout):
    with Corpus.create(tmp_path / "corpus") as corpus:
        keep_result(corpus, "old", result)
        content = corpus.info("old").digest
        arrays = {key: np.array(array) for key, array in find_model(corpus, "result", content).items()}
        about = json.loads(arrays["about"].tobytes())
        first = {key: about[key] for key in ("sources", "report")}  # as the first layout has it
        arrays = {key: arrays[key] for key in ("contacts", "indices", "frames", "weights")}
        arrays["about"] = np.frombuffer(json.dumps(first).encode(), np.uint8)
        keep_model(corpus, "result", content, arrays, settings={"name": "old"}, takes=[content], code_version=layout)
        keep_result(corpus, "new", moved(result))
        assert_same(load_result(corpus, "old"), result)
        again = load_result(corpus, "old").character
        assert (again.name, again.plan, again.labels) == ("", None, ())
        keep_result(corpus, "old", result)  # kept again, it has what it lacked
        assert load_result(corpus, "old").character.plan is not None


def test_a_result_that_a_newer_version_kept_says_so(result, tmp_path, monkeypatch):
    monkeypatch.setattr(kept_results, "LAYOUT", 99)
    write_result(tmp_path / "made.npz", result)
    monkeypatch.undo()
    with pytest.raises(FormatError, match="layout 99, but this motionloom reads up to 2; update it"):
        read_result(tmp_path / "made.npz")


def test_frames_that_are_there_already_keep_their_annotations(result, tmp_path):
    with Corpus.create(tmp_path / "corpus") as corpus:
        keep_result(corpus, "one", result)
        later = replace(result, report=Report(notes=("later",)))
        assert keep_result(corpus, "two", later).duplicate_of == "one"
        assert_same(load_result(corpus, "one"), result)
        keep_result(corpus, "one", later)  # but the same result may be reported on again
        assert load_result(corpus, "one").report.notes == ("later",)
        other = moved(result)
        with pytest.raises(CorpusError, match="a take 'one' with other content exists already"):
            keep_result(corpus, "one", other)
        assert load_result(corpus, "one").report.notes == ("later",)


def test_a_recording_does_not_become_a_result_when_one_has_its_frames(plans, view, make, tmp_path):
    with Corpus.create(tmp_path / "corpus") as corpus:
        motion = make.motion(n_frames=20, seed=3)
        corpus.add(Take("recorded", motion, Source("x", "npz", "", 60.0, 1.0)), floor_height=0.0)
        same = corpus.take("recorded").motion
        untouched = Result.of_body(same, np.zeros((20, 4)), provenance.recorded("recorded", np.arange(20)), Report())
        assert keep_result(corpus, "made", untouched).duplicate_of == "recorded"
        with pytest.raises(BadInput, match="'recorded' is not a kept result"):
            load_result(corpus, "recorded")


def test_a_corpus_open_for_reading_keeps_nothing(result, tmp_path):
    Corpus.create(tmp_path / "corpus").close()
    with Corpus.open(tmp_path / "corpus") as corpus, pytest.raises(CorpusError, match="open it with write=True"):
        keep_result(corpus, "one", result)


def test_a_recording_is_no_result(corpus):
    with pytest.raises(BadInput, match="'a' is not a kept result"):
        load_result(corpus, "a")


def test_a_result_file_is_a_motion_and_more(result, tmp_path):
    write_result(tmp_path / "made.npz", result)
    again = read_result(tmp_path / "made.npz")
    assert_same(again, untimed(result))
    assert_same_character(again.character, result.character)
    np.testing.assert_array_equal(again.motion.local_rotations, result.motion.local_rotations)
    plain = formats.read(tmp_path / "made.npz").motion
    np.testing.assert_array_equal(plain.root_positions, result.motion.root_positions)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 10_000_000), st.integers(0, 255))
def test_a_damaged_result_file_is_refused_or_still_a_result(result_file, damage, place, byte):
    damaged = damage(result_file, place, byte)
    try:
        assert isinstance(read_result(damaged), Result)
    except FormatError as error:
        assert str(damaged) in str(error)


def test_equal_results_give_equal_files_however_long_they_took_and_whatever_they_are_called(result, tmp_path):
    slower = replace(result, report=replace(REPORT, timings=(Timing("searching", 99.0),)))
    write_result(tmp_path / "a.npz", result)
    write_result(tmp_path / "b.npz", slower)
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
    assert formats.read(tmp_path / "b.npz").name == "b"


@pytest.fixture(scope="module")
def result_file(make, tmp_path_factory):
    path = tmp_path_factory.mktemp("result") / "made.npz"
    motion = make.motion(n_frames=2)
    plan = Plan((Piece(Generated(motion, "wiggle", {"seed": 1}), 0, 2),), (), motion.fps, motion.skeleton.digest)
    origin = provenance.generated("wiggle", 2, {"seed": 1})
    write_result(path, Result((Character(motion, origin, np.zeros((2, 4)), plan=plan),), REPORT))
    return path


def test_a_motion_without_a_report_is_no_result_file(result, tmp_path):
    formats.write(tmp_path / "motion.npz", result.motion)
    with pytest.raises(FormatError, match="not written as a result"):
        read_result(tmp_path / "motion.npz")
    (tmp_path / "cut.npz").write_bytes((tmp_path / "motion.npz").read_bytes()[:500])
    with pytest.raises(FormatError, match="cut off or damaged"):
        read_result(tmp_path / "cut.npz")


@pytest.fixture
def points():
    """Two points that move for six frames."""
    positions = np.linspace(0.0, 1.0, 36).reshape(6, 2, 3)
    return Character(PointMotion(("brow", "chin"), positions, 30.0), provenance.generated("face", 6))


def test_a_result_of_points_is_kept_written_and_read(points, tmp_path):
    result = Result((points,), REPORT)
    with pytest.raises(BadInput, match="moves points, not a body"):
        _ = result.motion
    write_result(tmp_path / "face.npz", result)
    with Corpus.create(tmp_path / "corpus") as corpus:
        assert keep_result(corpus, "made/face", result).status == "imported"
        for again in (load_result(corpus, "made/face"), read_result(tmp_path / "face.npz")):
            assert again.character.contacts is None
            assert replace(again.report, timings=()) == replace(REPORT, details=again.report.details, timings=())
            np.testing.assert_allclose(again.character.motion.positions, points.motion.positions, atol=1e-6)
            assert again.provenance.of_frame(3)[0][0].name == "face"


def test_points_have_no_contacts_and_bodies_have(points, result):
    with pytest.raises(BadInput, match="points have no feet"):
        replace(points, contacts=np.zeros((6, 4), bool))
    with pytest.raises(BadInput, match="contacts"):
        replace(result.character, contacts=None)


def test_several_characters_are_kept_as_takes_of_their_names(result, points, tmp_path):
    leader = replace(result.character, name="leader", labels=(HeldLabel("walk", 0, 20),))
    both = Result((leader, replace(points, name="face")), REPORT)
    with pytest.raises(BadInput, match="2 characters"):
        _ = both.motion
    assert [part.character.name for part in both.split()] == ["leader", "face"]
    with Corpus.create(tmp_path / "corpus") as corpus:
        kept = keep_characters(corpus, "duet", both, method="test")
        assert corpus.names() == ["duet/face", "duet/leader"] and kept.n_labels == 1
        assert [(label.label, label.start, label.stop) for label in corpus.labels("duet/leader")] == [("walk", 0, 20)]
        assert len(keep_characters(corpus, "again", both).duplicates) == 2
    with pytest.raises(BadInput, match="called 'leader'"):
        Result((leader, leader), REPORT)


def test_no_character_is_kept_where_the_name_of_another_is_taken(tmp_path, result):
    both = Result(tuple(replace(result.character, name=name) for name in ("leader", "follower")), result.report)
    with Corpus.create(tmp_path / "corpus") as corpus:
        keep_result(corpus, "duet/follower", result)
        with pytest.raises(BadInput, match="there is a take 'duet/follower' already"):
            keep_characters(corpus, "duet", both)
        assert corpus.names() == ["duet/follower"]


def test_the_name_of_a_new_take_is_checked_before_anything_is_made(result, tmp_path):
    with Corpus.create(tmp_path / "corpus") as corpus:
        check_new_take(corpus, "made/one")
        keep_result(corpus, "made/one", result)
        with pytest.raises(BadInput, match="there is a take 'made/one' already"):
            check_new_take(corpus, "made/one")
        with pytest.raises(BadInput):
            check_new_take(corpus, "../one")
