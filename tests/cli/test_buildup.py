"""`motionloom buildup`: prepare, ways and run; what they print, write, refuse, and do in part."""

import json
import math

import pytest

TAKES = ("run/walk_run_walk_1", "wave/walk_and_wave_1", "walk/stop_and_go")
SECONDS = "start: {pose: {label: wave}}\nsteps: [{for: 2s}]\n"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory, make):
    folder = tmp_path_factory.mktemp("buildup") / "corpus"
    make.demo_corpus(folder, TAKES).close()
    return folder


@pytest.fixture
def written(tmp_path):
    def write(text):
        (tmp_path / "given.yaml").write_text(text)
        return tmp_path / "given.yaml"

    return write


def test_prepare_lists_a_pose_for_each_group_and_what_is_left_out(motionloom, corpus):
    printed = json.loads(motionloom("buildup", "prepare", corpus, "--groups", 9, "--json").out)
    assert len(printed["poses"]) == 9
    assert {pose["take"] for pose in printed["poses"]} <= set(TAKES)
    assert printed["graph"]["nodes"] > 0 and "left_out" in printed["pruned"]


def test_ways_lead_to_the_pose_and_place_that_are_asked_for(motionloom, corpus, written):
    asked = written("steps: [{for: 1s}]\ngroups: 9\n")
    ran = motionloom("buildup", "ways", corpus, asked, "--pose", "wave", "--place", "0.5,1", "--json")
    assert ran.code == 0, ran.err
    found = json.loads(ran.out)["ways"]
    assert found and all(math.dist(way["place"], (0.5, 1.0)) < 1 and "wave" in way["pose"]["labels"] for way in found)


def test_what_is_missed_is_done_in_part_with_a_reason(motionloom, corpus, written, tmp_path):
    asked = written("steps: [{for: 2s}, {place: [60, 0]}]\nedits: [{kind: delete, from: 1s, to: 50s}]\n")
    ran = motionloom("buildup", "run", corpus, asked, "-o", tmp_path / "out.bvh", "--report", tmp_path / "out.json")
    assert ran.code == 1
    report = json.loads((tmp_path / "out.json").read_text())
    reasons = [part["why_not"] for part in report["parts"] if not part["met"]]
    assert any("out of reach: the nearest end is " in reason for reason in reasons)
    assert any("nothing can be changed at 1s to 50s" in reason for reason in reasons)
    assert (tmp_path / "out.bvh").stat().st_size > 0


STEP = "steps: [{for: 1s}]\n"
HIT = "steps: [{}]\nhits: [{joint: %s, point: %s, step: %s}]\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is not a build-up; expected at least `steps: "),
        ("[]", "is not a build-up"),
        ("steps:\n", "steps: it should be a list"),
        ("steps: [{}]\n", "give a pose, a place, a duration, or several of them, or a hit"),
        ("steps: [{place: [0, .nan]}]\n", "steps[0].place[1]: .nan cannot be used; it should be a finite number"),
        ("steps: [{for: -3s}]\n", "'-3s' is not a valid time; expected seconds like 2.5s"),
        ("steps: [{for: end}]\n", "'end' is not a valid length; expected seconds like 3s"),
        ("steps: [{clips: []}]\n", "clips are empty; leave them out"),
        ("steps: [{pose: {label: swim}}]\n", "no frame of these takes has the label 'swim'; there are "),
        (
            "steps: [{pose: {take: walk/stop_and_go, frame: 99999}}]\n",
            "frame 99999 is out of range: walk/stop_and_go has",
        ),
        ("steps: [{pose: {take: swim/1, frame: 9}}]\n", "no take 'swim/1' in the corpus"),
        (STEP + STEP, "line 2: 'steps' is given twice; give it once"),
        (STEP + "takes: [swim/*]\n", "no take is called 'swim/*'; the corpus has "),
        (STEP + "groups: 99999\n", "groups: it should be less than or equal to 1000"),
        (STEP + "fps: 1\n", "fps: it should be greater than or equal to 5"),
        (STEP + "threshold: 0.00001\n", "holds them together"),
        (STEP + "start_from: swim/1\n", "no take 'swim/1' in the corpus"),
        (HIT % ("tail", "[0, 1, 1]", 1), "no joint 'tail'; joints: Hips"),
        (HIT % ("hand", "[0, .inf, 1]", 1), ".inf cannot be used; it should be a finite number"),
        (HIT % ("hand", "[0, 1, 1]", 7), "a hit at the end of step 7, but the last is step 1; add a step"),
        (STEP + "edits: [{kind: delete, from: -1s, to: 2s}]\n", "'-1s' is not a valid time"),
        (STEP + "edits: [{kind: insert, from: 1s}]\n", "an insertion and a replacement need a pose"),
        ("characters: [{name: a, steps: [{for: 1s}]}, {name: a}]\n", "characters need names, each its own"),
        (
            "characters: [{name: a, steps: [{}],\n"
            "  hits: [{joint: hand, step: 1, target: {character: a, joint: chin}}]}]\n",
            "a aims at itself; let one of them hit points that stay",
        ),
    ],
)
def test_bad_requests_are_refused_in_one_sentence_and_nothing_is_written(
    motionloom, corpus, written, tmp_path, text, message
):
    ran = motionloom(
        "buildup", "run", corpus, written(text), "-o", tmp_path / "out.bvh", "--report", tmp_path / "r.json"
    )
    assert ran.code == 2
    assert message in ran.err
    assert len(ran.err.splitlines()) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["given.yaml"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "CORPUS"], "give a corpus, a request and -o OUT"),
        (["run", "CORPUS", "nowhere.yaml", "-o", "x.bvh"], "nowhere.yaml: no such file"),
        (["ways", "CORPUS"], "give a corpus and a request"),
        (["ways", "CORPUS", "REQUEST", "--place", "nan,nan"], "--place nan,nan: give metres as X,Z"),
        (["ways", "CORPUS", "REQUEST", "--place", "1"], "--place 1: give metres as X,Z"),
        (["ways", "CORPUS", "REQUEST", "--place", "0,1", "--heading", "nan"], "--heading nan: give degrees"),
        (["ways", "CORPUS", "REQUEST", "--heading", "90"], "--heading is for a pose or a place"),
        (["ways", "CORPUS", "REQUEST", "--pose", ""], "--pose: give a take and a frame"),
        (["ways", "CORPUS", "REQUEST", "--pose", "swim"], "no frame of these takes has the label 'swim'"),
        (["prepare", "CORPUS", "--picture", "x.jpg"], "pictures of a build-up end in .png"),
        (["prepare", "CORPUS", "--measure", "magic"], "measure: it should be 'points' or 'angles'"),
        (["prepare", "CORPUS", "--threshold", "nan"], "--threshold"),
        (["prepare", "CORPUS", "--groups", "1000", "--takes", "walk/stop_and_go"], "ask for at most so many"),
    ],
)
def test_wrong_use_is_reported_in_one_sentence(motionloom, corpus, written, arguments, message):
    files = {"CORPUS": corpus, "REQUEST": written(SECONDS)}
    ran = motionloom("buildup", *(files.get(argument, argument) for argument in arguments))
    assert ran.code == 2
    assert message in ran.err and "this is a bug" not in ran.err
    assert len(ran.err.splitlines()) == 1
