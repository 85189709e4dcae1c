"""What holds the browser's player to this one: a graph, and what is played of it; run this file to write both anew."""

import json
import runpy
import struct
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from motionloom.methods.snap.graph.clip_controls import Control
from motionloom.methods.snap.graph.hub_graph import HubGraph
from motionloom.methods.snap.graph.hubs_file import hubs_bytes, read_hubs, write_hubs
from motionloom.methods.snap.play.planner import Planner
from motionloom.methods.snap.play.player import Player
from motionloom.motion import Placement

PLAYER = Path(__file__).parents[4] / "src/motionloom/studio/web/src/player"
GRAPH, EXPECTED = PLAYER / "player.fixture.hubs", PLAYER / "player.fixture.json"
STEPPED, STEPPED_EXPECTED = PLAYER / "steps.fixture.hubs", PLAYER / "steps.fixture.json"
HINT = f"run {Path(__file__).name} to renew"
STEPS = 600
STEPPED_CLIPS = 25

# What is asked of the player in each run: before which step, what, and with which arguments.
RUNS: list[dict[str, Any]] = [
    {"start": None, "placement": [0.0, 0.0, 0.0], "asked": []},
    {"start": "idle 3", "placement": [0.0, 1.0, 0.0], "asked": []},
    {"start": "hub 1", "placement": [1.5, -2.0, 2.5], "asked": [[0, "steer", {"speed": 1.2, "curvature": -0.4}]]},
    {
        "start": 2,
        "placement": [-3.0, 0.5, -1.0],
        "asked": [
            [0, "steer", {"heading": 1.5, "speed": 2.0}],
            [60, "choose", "punch"],
            [150, "choose", "idle 3"],
            [151, "choose", "walk"],
            [260, "steer", {"direction": -2.0, "labels": ["turn", "all"]}],
            [400, "steer", {}],
        ],
    },
    {
        "start": "start of take 0",
        "placement": [0.0, 0.0, 0.5],
        "asked": [
            [0, "steer", {"word": "turn", "turn": 1.0}],
            [120, "goTo", {"place": [3.0, -2.0], "heading": 0.5}],
            [420, "choose", "end 0"],
        ],
    },
]


def compute_expected(graph: HubGraph) -> dict[str, Any]:
    """What is played in each run, and what the planner answers."""
    return {"steps": STEPS, "runs": [_play(graph, run) for run in RUNS], "planner": _plan(Planner(graph))}


def _play(graph: HubGraph, run: dict[str, Any]) -> dict[str, Any]:
    x, z, heading = run["placement"]
    player = Player(graph, run["start"], Placement(heading, np.array([x, z])))
    poses, buffer = [], np.zeros(3 + 4 * graph.skeleton.n_joints, np.float32)
    events: list = []
    for number in range(STEPS):
        for _, what, argument in (entry for entry in run["asked"] if entry[0] == number):
            if what == "steer":
                player.steer(**{**argument, "labels": tuple(argument.get("labels", ()))})
            elif what == "choose":
                player.choose(argument)
            else:
                player.go_to(argument["place"], argument["heading"])
        player.step()
        events += [[number, event.kind, event.node, list(event.clips)] for event in player.take_events()]
        if number % 67 == 0 or number == STEPS - 1:
            player.write_into(buffer)
            poses.append([number, *np.round(buffer.astype(float), 6).tolist()])
    return {**run, "events": events, "poses": poses}


def compute_stepped(graph: HubGraph) -> dict[str, Any]:
    """What a character has below its feet when clips begin: the clip; rows of frames and boxes, in the world."""
    player, placement = Player(graph, 1, Placement(0.7, np.array([2.0, -1.0]))), [2.0, -1.0, 0.7]
    begun = [[-1, np.round(player.footing.to_rows(), 6).tolist()]]
    for number in range(STEPPED_CLIPS):
        player.follow([player.choices[number % len(player.choices)]])
        player.step()
        while player.state.frame > 0:
            player.step()
        begun.append([player.state.clip, np.round(player.footing.to_rows(), 6).tolist()])
    return {"start": 1, "placement": placement, "begun": begun}


def _plan(planner: Planner) -> dict[str, Any]:
    rng = np.random.default_rng(7)
    graph = planner.graph
    nodes = [node for node in range(len(graph.nodes)) if graph.leaving[node]]
    words = ["walk", "turn", "punch", "idle", "all", "end 0", graph.clips[5].name]
    near, places = [], []
    for _ in range(40):
        speed, curvature, turn, direction, heading, facing = np.round(rng.uniform(-3, 3, 6), 3).tolist()
        wish: dict[str, Any] = {"speed": abs(speed), "curvature": curvature, "turn": turn}
        wish |= {"direction": direction, "heading": heading, "labels": ["walk", "constructor"]}
        kept = {name: value for name, value in wish.items() if rng.random() < 0.5}
        control = Control(**{**kept, "labels": tuple(kept.get("labels", ()))})
        node = int(rng.choice(nodes))
        near.append([node, kept, facing, planner.nearest_clip(node, control, facing)])
    for k in range(6):
        place = np.round(rng.normal(scale=2.5, size=2), 3).tolist()
        wishes = {"heading": [None, 1.0][k % 2], "seconds": [60.0, 1.0][k // 4], "effort": 4000}
        walk = planner.walk_to_place(0, (0.3, -0.2, 0.7), place, **wishes)
        found = [
            list(walk.clips),
            round(walk.distance, 6),
            round(walk.heading_off, 6),
            walk.is_reached,
            walk.is_shortest,
        ]
        places.append([place, wishes, found])
    return {
        "alive": planner.is_alive.tolist(),
        "walks": [[node, word, list(planner.find_walk(node, word))] for node in nodes for word in words],
        "to_nodes": [[node, hub, list(planner.walk_to_node(node, hub))] for node in nodes for hub in range(3)],
        "nearest": near,
        "places": places,
        "unknown": _refusal(planner, "somersault"),
    }


def _refusal(planner: Planner, word: str) -> str:
    try:
        planner.clips_for(word)
    except Exception as error:
        return str(error)
    return ""


def make_graph(make_hub_graph) -> HubGraph:
    """Three hubs, the start and end of two takes, and a clip that is named for where it leads."""
    graph = make_hub_graph(12, hubs=3, clips=14, takes=2, lengths=(8, 24))
    ends = [c for c, clip in enumerate(graph.clips) if graph.nodes[clip.target].kind == "end"]
    names = {c: f"end {k}" for k, c in enumerate(ends)}
    clips = tuple(replace(clip, name=names.get(c, clip.name)) for c, clip in enumerate(graph.clips))
    after = next(c for c, clip in enumerate(clips) if c != 3 and clip.source == clips[3].target)
    start, stop = clips[3].stop, clips[3].stop + clips[after].n_frames
    joined = replace(clips[after], motion=clips[3].motion, start=start, stop=stop)  # recorded one after the other
    return replace(graph, clips=(*clips[:after], joined, *clips[after + 1 :]))


def make_stepped(make_hub_graph) -> HubGraph:
    """Two hubs, and clips with steps, stones and rungs."""
    return make_hub_graph(5, hubs=2, clips=9, lengths=(8, 24), steps=3)


def test_a_file_from_before_there_were_steps_is_written_as_it_was():
    before, after = GRAPH.read_bytes(), hubs_bytes(read_hubs(GRAPH))
    (version, size), (version_now, size_now) = (struct.unpack_from("<8x2I", content) for content in (before, after))
    assert version == version_now == 1
    header, now = (json.loads(content[24 : 24 + n]) for content, n in ((before, size), (after, size_now)))
    assert header["arrays"] == now["arrays"] and list(header) == list(now)
    assert [list(clip) for clip in header["clips"]] == [list(clip) for clip in now["clips"]]
    assert len(before) - size == len(after) - size_now


def test_the_browsers_player_is_tried_on_steps_of_ours(hub_graphs):
    stored, made = read_hubs(STEPPED), make_stepped(hub_graphs)
    assert (stored.nodes, stored.clips) == (made.nodes, made.clips), HINT
    np.testing.assert_allclose(stored.supports, made.supports, atol=1e-6, err_msg=HINT)
    expected, computed = json.loads(STEPPED_EXPECTED.read_text()), compute_stepped(stored)
    assert len(expected["begun"]) == len(computed["begun"]) > 20, HINT
    for (clip, rows), (twin, wanted) in zip(expected["begun"], computed["begun"]):
        assert clip == twin, HINT
        np.testing.assert_allclose(rows, wanted, atol=2e-6, err_msg=HINT)
    assert {len(rows) for _, rows in expected["begun"]} >= {0, 1, 2}


def test_the_browsers_player_is_tried_on_a_graph_of_ours(hub_graphs):
    stored, made = read_hubs(GRAPH), make_graph(hub_graphs)
    assert GRAPH.stat().st_size < 100_000
    assert (stored.nodes, stored.clips, stored.actions) == (made.nodes, made.clips, made.actions), HINT
    np.testing.assert_allclose(stored.placements, made.placements, atol=1e-12, err_msg=HINT)
    np.testing.assert_allclose(stored.frames, made.frames, atol=1e-4, err_msg=HINT)


def test_the_browsers_player_is_tried_against_what_is_played_here():
    stored, computed = json.loads(EXPECTED.read_text()), compute_expected(read_hubs(GRAPH))
    assert stored["planner"] == computed["planner"], HINT
    assert len(stored["runs"]) == len(computed["runs"])
    for run, twin in zip(stored["runs"], computed["runs"]):
        np.testing.assert_allclose(run.pop("poses"), twin.pop("poses"), atol=2e-6, err_msg=HINT)
        assert run == twin, HINT


def test_what_is_tried_is_worth_trying():
    """Every kind of event, route and answer is in it."""
    stored = json.loads(EXPECTED.read_text())
    kinds = {event[1] for run in stored["runs"] for event in run["events"]}
    assert kinds == {"choice", "clip", "end"}
    assert any(len(walk) > 2 for _, _, walk in stored["planner"]["walks"])
    answers = [found for _, _, found in stored["planner"]["places"]]
    assert {(reached, shortest) for *_, reached, shortest in answers} == {(True, True), (True, False), (False, False)}
    assert "no clip 'somersault'" in stored["planner"]["unknown"]


if __name__ == "__main__":
    make = runpy.run_path(str(Path(__file__).parents[1] / "conftest.py"))["make_hub_graph"]
    write_hubs(GRAPH, make_graph(make))
    EXPECTED.write_text(json.dumps(compute_expected(read_hubs(GRAPH))) + "\n")
    write_hubs(STEPPED, make_stepped(make))
    STEPPED_EXPECTED.write_text(json.dumps(compute_stepped(read_hubs(STEPPED))) + "\n")
