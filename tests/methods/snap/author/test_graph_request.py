"""Graphs as they are authored: what they contain, how they are read and written, and what is wrong with wrong ones."""

import json

import pytest

from motionloom.errors import FormatError
from motionloom.methods.snap import GraphRequest, Hub, TakeFrame

WHOLE = """
takes: [fight/*, walk/square]
fps: 30
w_min: 0.4
threshold: 0.05
hubs:
  - {name: ready, like: {take: fight/sparring, frame: 310}, threshold: 0.06, drop: [{take: sparring, frame: 12}]}
  - name: by hand
    frames: [{take: walk/square, frame: 40}, {take: walk/square, frame: 102.5}]
  - {largest: true, add: [{take: walk/square, frame: 7}]}
actions:
  - {name: hit, clips: [punch 1, punch 2]}
mend: keep
"""


def test_every_part_of_a_graph_is_read(tmp_path):
    (tmp_path / "graph.yaml").write_text(WHOLE)
    graph = GraphRequest.read(tmp_path / "graph.yaml")
    assert graph.takes == ("fight/*", "walk/square")
    assert (graph.fps, graph.w_min, graph.threshold, graph.mend) == (30.0, 0.4, 0.05, "keep")
    assert graph.hubs[0].like == TakeFrame("fight/sparring", 310)
    assert graph.hubs[1].frames[1].frame == 102.5
    assert graph.hubs[2] == Hub(largest=True, add=(TakeFrame("walk/square", 7),))
    assert [hub.is_grown for hub in graph.hubs] == [True, False, True]
    assert graph.actions[0].clips == ("punch 1", "punch 2")


def test_a_graph_that_is_written_and_read_is_the_same(tmp_path):
    graph = GraphRequest.parse(WHOLE)
    graph.write(tmp_path / "again.yaml")
    assert GraphRequest.read(tmp_path / "again.yaml") == graph
    assert GraphRequest.from_data(json.loads(json.dumps(graph.to_data()))) == graph
    assert "frame: 310" in (tmp_path / "again.yaml").read_text()  # whole frames are written whole


def test_a_graph_that_says_nothing_is_the_largest_hub_of_all_recordings():
    graph = GraphRequest.from_data({})
    assert graph.hubs == (Hub(largest=True),)
    assert graph.takes is None
    assert graph.to_data() == {}


def test_hubs_without_a_name_are_numbered_and_keep_out_of_the_way_of_others():
    data = {"hubs": [{"largest": True, "name": "hub 2"}, {"largest": True}, {"largest": True}]}
    names = GraphRequest.from_data(data).hub_names
    assert names[0] == "hub 2"
    assert len(set(names)) == 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hubs: [{name: a}]\n", r"hubs\[0\]: give exactly one of frames, like, or largest: true"),
        ("hubs: [{largest: true, like: {take: a, frame: 1}}]\n", "one of frames, like, or largest"),
        ("hubs: [{frames: [{take: a, frame: 1}], threshold: 0.1}]\n", "match frames listed by hand have no threshold"),
        ("hubs:\n  - {largest: true, name: a}\n  - {largest: true, name: a}\n", "two hubs are called 'a'"),
        ("actions: [{name: a, clips: [x]}, {name: a, clips: [y]}]\n", "two actions are called 'a'"),
        ("threshold: -1\n", "line 1: threshold: it should be greater than 0"),
        ("w_min: 0\n", "w_min: it should be greater than 0"),
        ("hubs: [{like: {take: a, frme: 1}}]\n", r"unknown 'hubs\[0\].like.frme'; there can be take, frame"),
        ("hubs: [{like: {take: a, frame: -3}}]\n", "greater than or equal to 0"),
        ("hub: []\n", "unknown 'hub'; there can be takes, fps, w_min, threshold, hubs, actions, mend"),
        ("hubs: [{like: {take: 14420, frame: 3}}]\n", "text, in quotation marks if need be"),
        ("mend: perhaps\n", "'remove' or 'keep'"),
        ("- a\n", r"is not a hub graph; expected at least `hubs: \[\{largest: true\}\]`"),
    ],
)
def test_one_sentence_says_what_is_wrong_with_a_file(text, message, tmp_path):
    (tmp_path / "bad.yaml").write_text(text)
    with pytest.raises(FormatError, match=message) as caught:
        GraphRequest.read(tmp_path / "bad.yaml")
    assert "\n" not in str(caught.value)


def test_the_schema_describes_hubs():
    schema = GraphRequest.schema()
    assert {"takes", "hubs", "w_min", "threshold"} <= set(schema["properties"])
    assert "like" in schema["$defs"]["Hub"]["properties"]
