"""What clips do, in numbers: known for clips made by hand, and laws for all."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.errors import BadInput
from motionloom.methods.snap.graph.clip_controls import Control, costs, measure_controls, share_of_labels
from motionloom.methods.snap.graph.hub_graph import Clip, HubGraph, Node
from motionloom.motion import rotations
from motionloom.motion.angles import wrap_outside


def arc_graph(skeleton, radius: float, turn: float, n: int = 120, fps: float = 60.0) -> HubGraph:
    """One hub, one clip that goes forward along an arc: to the left where the turn is positive."""
    angles = np.linspace(0, turn, n + 1)
    signed = radius * np.sign(turn)
    xz = np.column_stack([signed * (1 - np.cos(angles)), signed * np.sin(angles)])  # heading a looks along (sin, cos)
    frames = np.zeros((n + 1, 3 + 4 * skeleton.n_joints), np.float32)
    frames[:, [0, 2]] = xz
    frames[:, 1] = 0.9
    frames[:, 3::4] = 1.0
    frames[:, 3:7] = rotations.about_y(angles)
    heading = float(wrap_outside(np.array(turn)))
    return HubGraph(
        skeleton,
        fps,
        (Node("hub", "hub"),),
        (Clip("arc", 0, 0, "take", 0, n, {"walk": 0.8}),),
        frames[:-1],
        np.array([0, n]),
        np.zeros((n, 4), bool),
        frames[None, [0, 0, 1]],
        np.array([[*xz[-1], heading]]),
    )


@pytest.mark.parametrize("turn", [0.4, -0.4, np.pi / 2, 3.0, 3.6, -3.6, 5.5, -7.0])
def test_an_arc_is_measured_as_what_it_is(make, turn):
    graph = arc_graph(make.skeleton(), 2.0, turn)
    found = measure_controls(graph).of(0)
    assert found["seconds"] == pytest.approx(2.0)
    assert found["path"] == pytest.approx(2.0 * abs(turn), rel=1e-3)
    assert found["speed"] == pytest.approx(abs(turn), rel=1e-3)
    assert found["turn"] == pytest.approx(turn)  # counted round, although a placement does not know it
    assert found["curvature"] == pytest.approx(np.sign(turn) / 2.0, rel=1e-3)
    assert found["distance"] == pytest.approx(4.0 * abs(np.sin(turn / 2)), rel=1e-6)
    ahead = 1.0 if abs(turn) < 2 * np.pi else -1.0  # the chord of an arc lies half its turn away from its beginning
    assert np.cos(found["direction"] - turn / 2) == pytest.approx(ahead)


def test_who_stands_goes_nowhere(make):
    graph = arc_graph(make.skeleton(), 1e-6, 1.0)
    found = measure_controls(graph).of(0)
    assert found["direction"] == 0.0
    assert found["speed"] == pytest.approx(0, abs=1e-4)
    assert found["curvature"] == pytest.approx(1.0 / 0.1)  # on the spot, as if it went a decimetre


def test_laws_of_measures(hub_graphs):
    graph = hub_graphs(3, takes=2)
    found = measure_controls(graph)
    np.testing.assert_allclose(found.seconds, np.diff(graph.clip_starts) / graph.fps)
    hub_clips = [c for c, clip in enumerate(graph.clips) if max(clip.source, clip.target) < graph.n_hubs]
    assert (found.path[hub_clips] >= found.distance[hub_clips] - 1e-6).all()
    np.testing.assert_allclose(wrap_outside(found.turn - graph.placements[:, 2]), 0, atol=1e-9)
    moved = np.column_stack([np.sin(found.direction), np.cos(found.direction)]) * found.distance[:, None]
    far = found.distance >= 0.1
    np.testing.assert_allclose(moved[far], graph.placements[far, :2], atol=1e-9)


def test_a_clip_costs_nothing_where_it_is_what_is_wished_for(hub_graphs):
    graph = hub_graphs(5)
    found = measure_controls(graph)
    every = np.arange(len(graph.clips))
    for c in every:
        own = found.of(c)
        exact = Control(speed=own["speed"], curvature=own["curvature"], turn=own["turn"])
        assert costs(found, every, exact)[c] == 0
        assert costs(found, every, exact).argmin() == c
        heading = Control(heading=1.0 + own["turn"] - 2 * np.pi)
        assert costs(found, every, heading, facing=1.0)[c] == pytest.approx(0, abs=1e-12)


def test_what_is_as_wrong_as_what(hub_graphs):
    graph = hub_graphs(5)
    found = measure_controls(graph)
    own, one = found.of(0), np.array([0])
    wishes = (
        Control(speed=own["speed"] + 0.5),
        Control(curvature=own["curvature"] - 0.5),
        Control(turn=own["turn"] + np.pi / 4),
        Control(direction=own["direction"] + np.pi / 4 + 2 * np.pi),
        Control(heading=own["turn"] - np.pi / 4),
    )
    assert [float(costs(found, one, wish)[0]) for wish in wishes] == pytest.approx([1.0] * 5)


def test_labels_draw_as_far_as_they_hold(hub_graphs):
    graph = hub_graphs(5)
    shares = share_of_labels(graph, ("walk", "all"))
    wish = Control(labels=("walk", "all"))
    found = costs(measure_controls(graph), np.arange(len(graph.clips)), wish, shares=shares)
    walks = np.array(["walk" in clip.labels for clip in graph.clips])
    np.testing.assert_allclose(found, np.where(walks, 1.0, 5.0))


def test_controls_are_finite(hub_graphs):
    with pytest.raises(BadInput, match="speed must be finite, got nan"):
        Control(speed=float("nan"))
    assert not Control(word="walk").steers
    assert replace(Control(), turn=0.0).steers
