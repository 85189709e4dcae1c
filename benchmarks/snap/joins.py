"""What happens at hubs: the stored pose, velocities, roughness and feet, over all pairs of clips that can meet."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.measure import figure
from benchmarks.snap.graphs import PAPERS, Made, made, whole_sets
from motionloom.features.feet import foot_points
from motionloom.graphs.view_measures import whole_motion
from motionloom.methods.snap.builder.hub_poses import learn_feet
from motionloom.methods.snap.builder.roughness import join_roughness, learn_bar
from motionloom.methods.snap.graph.hub_graph import HubGraph
from motionloom.motion import Motion, kinematics, place
from motionloom.motion.motion import concatenate, cut

SIDE = 12  # frames of each clip that are played around a join


def figures(data: Path) -> list[dict]:
    """The numbers of every graph; the worst of all of them are what is promised."""
    found = [_of_graph(made(data, graph.name)) for graph in (*PAPERS, *whole_sets(data))]
    return [figure for part in found for figure in part]


def _of_graph(one: Made) -> list[dict]:
    graph, name = one.model.graph, one.graph.name
    takes = [one.model.view.motion(motion) for motion in one.model.view.names]
    bar = learn_bar(takes)
    heels = learn_feet(whole_motion(one.model.view), one.model.view.source_contacts).heels
    roughest = [0.0, 0.0]
    slid, pairs = 0.0, 0
    for joined, contacts, at in _joins(graph):
        own = join_roughness(joined, at)
        roughest = [max(roughest[0], own.acceleration), max(roughest[1], own.jerk)]
        slid = max(slid, _planted_step(joined, contacts, heels))
        pairs += 1
    inside = max(
        _planted_step(graph.clip_motion(c), graph.contacts[slice(*graph.clip_starts[c : c + 2])], heels)
        for c in range(len(graph.clips))
    )
    return [
        figure(f"{name}; clips whose first frame is not the hub's, bit for bit", _strangers(graph), "clips", "lower"),
        figure(f"{name}; velocity at match frames beside the hub's", _velocity_gap(graph), "x mean speed", "lower"),
        figure(f"{name}; pairs of clips", pairs, "pairs", "higher"),
        figure(
            f"{name}; joins; worst acceleration beside the takes' calmest 90 %",
            roughest[0] / bar.acceleration,
            "x",
            "lower",
        ),
        figure(f"{name}; joins; worst jerk beside the takes' calmest 90 %", roughest[1] / bar.jerk, "x", "lower"),
        figure(f"{name}; planted feet inside clips, farthest in a frame", inside, "mm", "lower"),
        figure(f"{name}; planted feet across joins, farthest in a frame", slid, "mm", "lower"),
    ]


def _joins(graph: HubGraph) -> Iterator[tuple[Motion, np.ndarray, int]]:
    """Every clip that enters a hub with every one that leaves it: the frames around, their contacts, and the cut."""
    for hub in range(graph.n_hubs):
        for i in graph.entering[hub]:
            start, stop = graph.clip_starts[i : i + 2]
            n_before = min(stop - start, SIDE)
            before = cut(graph.clip_motion(i), int(stop - start - n_before), int(stop - start))
            for o in graph.leaving[hub]:
                first, last = graph.clip_starts[o : o + 2]
                n_after = min(last - first, SIDE)
                after = place(cut(graph.clip_motion(o), 0, int(n_after)), graph.placement(i))
                contacts = np.concatenate(
                    [graph.contacts[stop - n_before : stop], graph.contacts[first : first + n_after]]
                )
                yield concatenate([before, after]), contacts, int(n_before)


def _planted_step(motion: Motion, contacts: np.ndarray, heels: np.ndarray) -> float:
    """Millimetres that a point moves between two frames in which it is planted, at most."""
    steps = np.linalg.norm(np.diff(foot_points(motion, 0.0, heels=heels), axis=0), axis=-1)
    return 1000 * float(steps[contacts[1:] & contacts[:-1]].max(initial=0.0))


def _strangers(graph: HubGraph) -> int:
    return sum(
        graph.frames[graph.clip_starts[c]].tobytes() != graph.hub_frames[clip.source, 1].tobytes()
        for c, clip in enumerate(graph.clips)
        if clip.source < graph.n_hubs
    )


def _velocity_gap(graph: HubGraph) -> float:
    """How far the central difference of any take at its match frame is from its hub's, beside the mean joint speed."""
    worst = 0.0
    for hub in range(graph.n_hubs):
        three = kinematics.world_positions(graph.hub_motion(hub))
        own = (three[2] - three[0]) * graph.fps / 2
        speed = float(np.linalg.norm(own, axis=-1).mean())
        for i in graph.entering[hub]:
            clip = graph.clips[i]
            after = next(
                (
                    o
                    for o in graph.leaving[hub]
                    if (graph.clips[o].motion, graph.clips[o].start) == (clip.motion, clip.stop)
                ),
                None,
            )
            if after is None:
                continue
            last = cut(graph.clip_motion(i), int(clip.n_frames) - 1, int(clip.n_frames))
            first = place(cut(graph.clip_motion(after), 0, 2), graph.placement(i))
            placed = place(graph.hub_motion(hub), graph.placement(i))
            wanted = np.diff(kinematics.world_positions(placed)[[0, 2]], axis=0)[0] * graph.fps / 2
            there = (kinematics.world_positions(first)[1] - kinematics.world_positions(last)[0]) * graph.fps / 2
            worst = max(worst, float(np.linalg.norm(there - wanted, axis=-1).max()) / max(speed, 1e-9))
    return worst
