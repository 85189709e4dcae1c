"""`motionloom snap`: suggest, build, walk and export; what they print, write and refuse."""

import json

import numpy as np
import pytest

from motionloom import formats
from motionloom.assembly import load_result
from motionloom.corpus import Corpus
from motionloom.methods.snap import GraphRequest
from motionloom.methods.snap.graph.hubs_file import read_hubs

TAKES = ("walk/figure_eight", "walk/stop_and_go")
STEPS = "steps:\n  - {action: turn_left, times: 2}\n  - {action: walk}\n"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory, make):
    folder = tmp_path_factory.mktemp("snap") / "corpus"
    make.demo_corpus(folder, TAKES).close()
    return folder


@pytest.fixture
def written(tmp_path):
    def write(text, name="given.yaml"):
        (tmp_path / name).write_text(text)
        return tmp_path / name

    return write


def test_suggestions_are_ranked_and_the_best_becomes_a_graph(motionloom, corpus, tmp_path):
    ran = motionloom("snap", "suggest", corpus, "--count", 3, "-o", tmp_path / "graph.yaml")
    assert ran.code == 0, ran.err
    rows = [line.split() for line in ran.out.splitlines()[4:7]]
    assert [row[0] for row in rows] == ["1", "2", "3"]
    assert [int(row[1]) for row in rows] == sorted((int(row[1]) for row in rows), reverse=True)
    printed = json.loads(motionloom("snap", "suggest", corpus, "--count", 1, "--json").out)
    (best,) = printed["suggestions"]
    assert best["match_frames"] == int(rows[0][1]) == len(best["frames"])
    like = GraphRequest.read(tmp_path / "graph.yaml").hubs[0].like
    assert (like.take, like.frame) == (best["seed"]["take"], best["seed"]["frame"])


def test_the_next_suggestion_comes_after_an_accepted_hub(motionloom, corpus, tmp_path):
    first, second = tmp_path / "one.yaml", tmp_path / "two.yaml"
    motionloom("snap", "suggest", corpus, "-o", first)
    printed = json.loads(motionloom("snap", "suggest", corpus, "--graph", first, "-o", second, "--json").out)
    graph = GraphRequest.read(second)
    assert len(graph.hubs) == 2
    assert graph.hubs[0] == GraphRequest.read(first).hubs[0]
    built = json.loads(motionloom("snap", "build", corpus, second, "--json").out)
    assert [hub["name"] for hub in built["report"]["build"]["hubs"]] == ["hub 1", "hub 2"]
    assert graph.hubs[1].like.frame == printed["suggestions"][0]["seed"]["frame"]


def test_a_graph_is_built_with_its_pictures_report_and_file(motionloom, corpus, tmp_path):
    files = [tmp_path / name for name in ("walk.hubs", "poses.png", "turns.png", "report.json")]
    options = [part for pair in zip(("-o", "--sheet", "--turns", "--report"), files) for part in pair]
    ran = motionloom("snap", "build", corpus, *options)
    assert ran.code == 0, ran.err
    report = json.loads(files[3].read_text())
    graph = read_hubs(files[0])
    assert [clip.name for clip in graph.clips] == [clip["name"] for clip in report["clips"]]
    assert all(clip["name"] in ran.out for clip in report["clips"])
    assert report["statistics"]["hubs"] == graph.n_hubs == 1
    for picture in files[1:3]:
        assert picture.read_bytes().startswith(b"\x89PNG")
    assert "turn_left" in ran.out and "left out:" in ran.out


def test_a_graph_file_says_what_options_would(motionloom, corpus, written, tmp_path):
    graph = written("takes: [walk/*]\nhubs: [{largest: true}, {largest: true}]\n")
    first = json.loads(motionloom("snap", "build", corpus, graph, "--json").out)
    second = json.loads(motionloom("snap", "build", corpus, "--takes", "walk/*", "--hubs", 2, "--json").out)
    assert first["clips"] == second["clips"]
    again = motionloom("snap", "build", corpus, "--hubs", 2, "-o", tmp_path / "two.yaml")
    assert again.code == 0
    assert len(GraphRequest.read(tmp_path / "two.yaml").hubs) == 2


def test_a_hub_that_nothing_leads_back_to_is_left_out_and_the_command_ends_with_1(motionloom, corpus, written):
    first = "frames: [{take: figure_eight, frame: 40}, {take: stop_and_go, frame: 40}]"
    graph = written(f"hubs:\n  - {{largest: true}}\n  - {{name: begin, {first}}}\n")
    ran = motionloom("snap", "build", corpus, graph)
    assert ran.code == 1
    assert "outside the largest strongly connected component: begin" in ran.out
    kept = written(graph.read_text() + "mend: keep\n")
    assert motionloom("snap", "build", corpus, kept).code == 0


def test_a_graph_walk_becomes_a_motion_and_a_report(motionloom, corpus, written, tmp_path):
    out, report = tmp_path / "out.bvh", tmp_path / "out.json"
    ran = motionloom("snap", "walk", corpus, written(STEPS), "-o", out, "--report", report, "--save-as", "new/steps")
    assert ran.code == 0, ran.err
    data = json.loads(report.read_text())
    motion = formats.read(out).motion
    assert data["met"] and data["details"]["n_frames"] == motion.n_frames
    assert [clip["step"] for clip in data["details"]["clips"]] == [0, 0, 1]
    assert "step 1 at 0.00 s, action turn_left, 2 times" in ran.out
    with Corpus.open(corpus) as store:
        kept = load_result(store, "new/steps")
        assert {source.kind for source in kept.provenance.sources} == {"recorded"}
        np.testing.assert_allclose(kept.motion.root_positions, motion.root_positions, atol=1e-4)


def test_a_graph_walk_that_misses_something_ends_with_1_and_is_written(motionloom, corpus, written, tmp_path):
    request = written(STEPS + "length: 1s\n")
    ran = motionloom("snap", "walk", corpus, request, "-o", tmp_path / "out.npz")
    assert ran.code == 1
    assert "MISSED" in ran.out
    assert formats.read(tmp_path / "out.npz").motion.n_frames == 60


def test_the_file_to_play_has_what_was_built(motionloom, corpus, written, tmp_path):
    graph = written("takes: [walk/*]\n")
    ran = motionloom("snap", "export", corpus, graph, "-o", tmp_path / "walk.hubs")
    assert ran.code == 0, ran.err
    clips = json.loads(motionloom("snap", "build", corpus, graph, "--json").out)["clips"]
    assert [clip.name for clip in read_hubs(tmp_path / "walk.hubs").clips] == [clip["name"] for clip in clips]
    assert f"{len(clips)} clips" in ran.out


@pytest.mark.parametrize("command", ["build", "walk"])
def test_schemas_are_json(motionloom, command):
    assert json.loads(motionloom("snap", command, "--schema").out)["type"] == "object"


LIKE = "hubs: [{like: {take: figure_eight, frame: 300}, threshold: %s}]\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hubs: [{frames: [{take: figure_eight, frame: 300}]}]\n", "a match set of 1 frame"),
        (LIKE % 1e-6, "matches nothing to walk/figure_eight frame 300"),
        (LIKE % 3, "matches too much: 100 % of all pairs of frames"),
        ("w_min: 10\n", "shorter than its displacement map"),
        ("hubs: [{name: a}]\n", "line 1: hubs[0]: give exactly one of frames, like, or largest: true"),
        ("takes: [swim/*]\n", "no take is called 'swim/*'"),
        ("actions: [{name: fly, clips: [fly 1]}]\n", "action 'fly': no clip 'fly 1' in the graph"),
    ],
)
def test_bad_graphs_are_refused_in_one_sentence_and_nothing_is_written(
    motionloom, corpus, written, tmp_path, text, message
):
    ran = motionloom("snap", "build", corpus, written(text), "-o", tmp_path / "out.hubs", "--sheet", tmp_path / "a.png")
    assert ran.code == 2
    assert message in ran.err
    assert len(ran.err.splitlines()) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["given.yaml"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["build", "CORPUS", "-o", "x.bvh"], "a graph ends in .hubs"),
        (["build", "CORPUS", "--sheet", "x.jpg"], "pictures of a graph end in .png"),
        (["build", "CORPUS", "GRAPH", "--hubs", "2"], "are set in the file"),
        (["build"], "give a corpus"),
        (["walk", "CORPUS"], "give a corpus, a request and -o OUT"),
        (["export", "CORPUS", "GRAPH", "-o", "x.json"], "ends in .hubs"),
        (["suggest", "CORPUS", "--threshold", "9"], "matches too much"),
        (["suggest", "CORPUS", "--w-min", "10"], "shorter than its displacement map"),
        (["suggest", "CORPUS", "-o", "x.hubs"], "ends in .yaml"),
        (["walk", "CORPUS", "GRAPH", "-o", "x.bvh", "--report", "GRAPH"], "--report is the file that is read"),
    ],
)
def test_wrong_use_is_reported_before_anything_is_done(motionloom, corpus, written, arguments, message):
    files = {"CORPUS": corpus, "GRAPH": written("takes: [walk/*]\n")}
    ran = motionloom("snap", *(files.get(argument, argument) for argument in arguments))
    assert ran.code == 2
    assert message in ran.err
