"""Hub graphs over the wire: takes are compared, match sets resolved, a graph built and fetched as the file it is."""

import json

import numpy as np
import pytest
import yaml
from starlette.testclient import TestClient

from motionloom.assembly import load_result
from motionloom.corpus import Corpus
from motionloom.methods.snap import read_hubs
from motionloom.motion import Placement, compose, place
from motionloom.studio.server.app import create_app
from motionloom.studio.server.packing import unpack
from motionloom.studio.server.settings import Settings

TAKES = ["walk/normal_1", "walk/stop_and_go"]
REQUEST = {"takes": TAKES, "w_min": 0.25, "hubs": []}


@pytest.fixture(scope="module")
def corpus_folder(make, tmp_path_factory):
    folder = tmp_path_factory.mktemp("snap") / "corpus"
    make.demo_corpus(folder, (*TAKES, "run/run_1")).close()
    return folder


@pytest.fixture(scope="module")
def client(corpus_folder):
    """One server for all tests here: its desks take long to get ready."""
    settings = Settings(home=corpus_folder.parent, corpus=corpus_folder, is_warmed=False)
    with TestClient(create_app(settings), base_url="http://127.0.0.1") as client:
        yield client


def hear(socket, kind, job=None):
    """The next message of a kind; a job that fails is an error unless it is what is waited for."""
    while True:
        message = socket.receive_json()
        is_meant = message["type"] == kind and (job is None or message["job"]["id"] == job)
        if is_meant and (kind != "job" or message["job"]["state"] in ("failed", "cancelled", "done")):
            return message
        assert kind == "job" or message["type"] != "job" or message["job"]["state"] != "failed", message


@pytest.fixture(scope="module")
def material(client):
    with client.websocket_connect("/api/socket") as socket:
        assert client.post("/api/snap/material", json={"tag": "one", "takes": TAKES}).status_code == 200
        reply = hear(socket, "material")
    assert reply["tag"] == "one"
    return reply["material"]


@pytest.fixture(scope="module")
def accepted(client, material):
    """A graph of the first suggestion."""
    found = client.post("/api/snap/resolve", json={"request": REQUEST, "count": 2}).json()
    one = found["suggestions"][0]
    hub = {"name": "step", "like": {"take": one["take"], "frame": one["frame"]}, "threshold": one["threshold"]}
    return {**REQUEST, "hubs": [hub]}


@pytest.mark.parametrize("takes", [TAKES[::-1], ["walk/*"]])
def test_frames_are_counted_alike_however_takes_are_named(client, material, takes):
    """A take that gets another name, or a file written by hand, may name them in any order, or with a pattern."""
    with client.websocket_connect("/api/socket") as socket:
        client.post("/api/snap/material", json={"tag": "two", "takes": takes})
        assert hear(socket, "material")["material"] == material


def test_no_takes_at_all_are_all_that_were_recorded(client, material):
    with client.websocket_connect("/api/socket") as socket:
        client.post("/api/snap/material", json={"tag": "three", "takes": None})
        reply = hear(socket, "material")["material"]
    assert [take["name"] for take in reply["takes"]] == ["run/run_1", *TAKES]


def test_an_image_comes_as_bytes_of_the_size_asked_for(client, material):
    wanted = {"takes": TAKES, "columns": [0, material["frames"]], "rows": [100, 200], "width": 80, "height": 50}
    answer = client.post("/api/snap/image", json=wanted)
    header, arrays = unpack(answer.content)
    assert arrays["pixels"].shape == (50, 80) and arrays["pixels"].dtype == np.uint8
    assert header["rows"] == [100, 200]
    too_many = client.post("/api/snap/image", json={**wanted, "width": 5000})
    assert too_many.status_code == 400 and "width" in too_many.json()["error"]


def test_a_slice_and_a_pair_come_as_bytes(client, material):
    _, cut = unpack(client.post("/api/snap/slice", json={"takes": TAKES, "frame": 120}).content)
    assert cut["distances"].shape == (material["frames"],) and cut["distances"][120] == 0
    pair = [120, int(cut["minima"][1])]
    _, laid = unpack(client.post("/api/snap/poses", json={"takes": TAKES, "frames": pair}).content)
    assert laid["roots"].shape == (2, 3) and laid["rotations"].shape[0] == 2


def test_what_is_asked_of_frames_that_there_are_not_is_refused_in_a_sentence(client, material):
    answer = client.post("/api/snap/slice", json={"takes": TAKES, "frame": 10**6})
    assert answer.status_code == 400 and str(material["frames"]) in answer.json()["error"]
    answer = client.post("/api/snap/resolve", json={"request": {**REQUEST, "takes": ["nobody"]}, "count": 1})
    assert answer.status_code == 400 and "nobody" in answer.json()["error"]


def test_match_sets_and_what_can_join_them_are_sent(client, material, accepted):
    found = client.post("/api/snap/resolve", json={"request": accepted, "count": 2}).json()
    hub = found["hubs"][0]
    assert hub["name"] == "step" and len(hub["frames"]) >= 2 and not hub["problem"]
    wanted = {"takes": TAKES, "seed": hub["seed"], "w_min": 0.25, "taken": []}
    grown = client.post("/api/snap/grow", json=wanted).json()
    assert set(hub["frames"]) <= set(grown["frames"])
    taken = {**wanted, "taken": hub["frames"][-1:]}
    assert hub["frames"][-1] not in client.post("/api/snap/grow", json=taken).json()["frames"]


def test_a_graph_is_built_and_its_file_fetched(client, accepted):
    with client.websocket_connect("/api/socket") as socket:
        assert client.post("/api/snap/build", json={"tag": "b", "request": accepted}).status_code == 200
        reply = hear(socket, "built")
    assert reply["tag"] == "b" and reply["built"]["statistics"]["hubs"] == 1
    answer = client.get(f"/api/snap/graph/{reply['built']['digest']}")
    assert answer.content.startswith(b"HUBS")
    unknown = client.get("/api/snap/graph/feedfacefeedface")
    assert unknown.status_code == 400 and "no longer kept" in unknown.json()["error"]


@pytest.fixture(scope="module")
def built(client, accepted):
    """The digest of the graph of the first suggestion with its dead ends, and its file."""
    with client.websocket_connect("/api/socket") as socket:
        client.post("/api/snap/build", json={"tag": "w", "request": {**accepted, "mend": "keep"}})
        digest = hear(socket, "built")["built"]["digest"]
    return digest, client.get(f"/api/snap/graph/{digest}").content


def read_graph(content, tmp_path):
    path = tmp_path / "built.hubs"
    path.write_bytes(content)
    return read_hubs(path)


def consecutive(graph, count):
    """Clips from hub to hub that follow each other."""
    inner = [k for k, clip in enumerate(graph.clips) if graph.nodes[clip.source].kind == graph.nodes[clip.target].kind]
    clips = inner[:1]
    while len(clips) < count:
        clips.append([k for k in inner if graph.clips[k].source == graph.clips[clips[-1]].target][-1])
    return clips


def test_clips_that_were_played_become_a_take_as_the_player_showed_them(client, corpus_folder, built, tmp_path):
    digest, content = built
    graph = read_graph(content, tmp_path)
    clips = consecutive(graph, 3)
    frames = sum(graph.clips[k].n_frames for k in clips) - 5  # somebody stopped before the last one was over
    walked = client.post("/api/snap/walk", json={"graph": digest, "clips": clips, "frames": frames}).json()
    saved = client.post("/api/answers/save", json={"answer": walked["answer"], "name": "kept/walk"})
    assert saved.json()["takes"] == ["kept/walk"]
    with Corpus.open(corpus_folder) as corpus:
        motion, result = corpus.take("kept/walk").motion, load_result(corpus, "kept/walk")
    roots, placement = [], Placement(0.0, np.zeros(2))
    for number in clips:
        roots.append(place(graph.clip_motion(number), placement).root_positions)
        placement = compose(placement, graph.placement(number))
    np.testing.assert_allclose(motion.root_positions, np.concatenate(roots)[:frames], atol=1e-4)
    assert [step["clip"] for step in result.character.plan.request["steps"]] == [graph.clips[k].name for k in clips[1:]]


def test_clips_that_cannot_be_a_walk_are_refused_in_a_sentence(client, built, tmp_path):
    digest, content = built
    graph = read_graph(content, tmp_path)
    first = next(k for k, clip in enumerate(graph.clips) if graph.nodes[clip.target].kind == "end")
    for wanted, word in (
        ({"graph": "feedfacefeedface", "clips": [0]}, "no longer kept"),
        ({"graph": digest, "clips": [len(graph.clips)]}, f"it has {len(graph.clips)}"),
        ({"graph": digest, "clips": [first, 0]}, "cannot follow"),
    ):
        refused = client.post("/api/snap/walk", json=wanted)
        assert refused.status_code == 400 and word in refused.json()["error"]


def test_a_newer_build_takes_the_place_of_one_that_runs(client, accepted):
    with client.websocket_connect("/api/socket") as socket:
        slow = client.post("/api/snap/build", json={"tag": "old", "request": {**accepted, "w_min": 0.3}}).json()
        client.post("/api/snap/build", json={"tag": "new", "request": accepted})
        assert hear(socket, "job", slow["id"])["job"]["state"] == "cancelled"
        assert hear(socket, "built")["tag"] == "new"


def test_a_graph_that_cannot_be_built_fails_in_a_sentence_and_leaves_nothing_half_done(client, accepted):
    impossible = {**accepted, "hubs": [{**accepted["hubs"][0], "threshold": 1e-7}]}
    with client.websocket_connect("/api/socket") as socket:
        job = client.post("/api/snap/build", json={"tag": "x", "request": impossible}).json()
        ended = hear(socket, "job", job["id"])["job"]
    assert ended["state"] == "failed" and ended["error"].startswith("step: ")
    wrong = client.post("/api/snap/build", json={"tag": "x", "request": {**accepted, "hubs": [{"name": "nothing"}]}})
    assert wrong.status_code == 400


def test_the_authored_graph_is_saved_as_a_file_that_the_command_line_reads(client, corpus_folder, accepted):
    state = client.get("/api/document").json()
    state["content"]["graph"] = {"request": accepted, "colours": {"step": 3}}
    body = {key: state[key] for key in ("name", "revision", "content", "past", "future")}
    saved = client.put("/api/document", json=body)
    assert saved.status_code == 200, saved.text
    text = (corpus_folder / "studio" / f"{state['name']}.graph.yaml").read_text()
    assert yaml.safe_load(text)["hubs"][0]["name"] == "step"
    from motionloom.methods.snap.author.graph_request import GraphRequest
    from motionloom.studio import document

    loaded = document.load(corpus_folder, state["name"])
    read = loaded.content
    assert not loaded.problems and read.graph.request == GraphRequest.from_data(accepted)
    assert read.graph.colours == {"step": 3}
    assert "request" not in yaml.safe_load((corpus_folder / "studio" / f"{state['name']}.yaml").read_text())["graph"]


def test_a_graph_file_that_cannot_be_read_is_reported_and_the_rest_is_kept(corpus_folder, client):
    from motionloom.studio import document

    folder = corpus_folder / "studio"
    folder.mkdir(exist_ok=True)
    (folder / "broken.graph.yaml").write_text("hubs: [{nonsense: 1}]")
    (folder / "broken.yaml").write_text("workspace: graph\n")
    loaded = document.load(corpus_folder, "broken")
    read, problem = loaded.content, loaded.problems[".graph.yaml"]
    assert read.workspace == "graph" and read.graph.request.hubs == ()
    assert "broken.graph.yaml" in problem and "nonsense" in problem
    json.dumps(read.model_dump(mode="json"))
    document.rename(corpus_folder, "broken", "renamed")
    assert (folder / "renamed.graph.yaml").exists() and not (folder / "broken.graph.yaml").exists()
