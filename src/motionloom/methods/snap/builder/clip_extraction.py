"""Clip extraction: cuts bent takes at their match frames into the clips of a hub graph."""

from collections.abc import Sequence

import numpy as np

from motionloom.conform import View
from motionloom.methods.snap.builder.hub_poses import HubPose, Passage, ground_of
from motionloom.methods.snap.graph.hub_graph import NO_SUPPORTS, Clip, HubGraph, Node
from motionloom.motion import Footing, Motion, compose, invert, place
from motionloom.motion.motion import cut
from motionloom.motion.packed import pack_frames, packed_width


def cut_graph(
    view: View,
    *,
    hubs: Sequence[str],
    poses: Sequence[HubPose],
    passages: Sequence[Sequence[Passage]],
    bent: Sequence[Motion],
    contacts: Sequence[np.ndarray],
    footings: Sequence[Footing],
) -> HubGraph:
    """The hub graph of bent takes: match frames split them into clips (figure 3 of the paper).

    Args:
        view: of the takes.
        hubs: names of the hubs.
        poses: of the hubs.
        passages: of each take, in order of their frames.
        bent: the bent takes.
        contacts: (F, 4) bool of each take.
        footings: of the bent takes.
    """
    nodes = [Node(name, "hub", tuple(bool(flag) for flag in pose.planted)) for name, pose in zip(hubs, poses)]
    width = packed_width(view.skeleton.n_joints)
    hub_frames = np.array([pack_frames(pose.frames) for pose in poses], np.float32).reshape(-1, 3, width)
    clips: list[Clip] = []
    frames: list[np.ndarray] = []
    flags: list[np.ndarray] = []
    placements: list[tuple[float, float, float]] = []
    supports: list[np.ndarray] = [NO_SUPPORTS]
    for name, take, own_passages, planted, footing in zip(view.names, bent, passages, contacts, footings):
        last = take.n_frames - 1
        borders = [(len(nodes), 0, ground_of(take, 0))]
        nodes.append(Node(f"start of {name}", "start"))
        borders += [(passage.hub, passage.frame, passage.placement) for passage in own_passages]
        borders.append((len(nodes), last + 1, ground_of(take, last)))
        nodes.append(Node(f"end of {name}", "end"))
        for (source, start, placement), (target, stop, goal) in zip(borders, borders[1:]):
            own = pack_frames(place(cut(take, start, stop), invert(placement)))
            between = compose(invert(placement), goal)
            if source < len(hubs):
                own[:2] = hub_frames[source, 1:]  # bit-identical in all clips that leave the hub
            if target < len(hubs):
                own[-1:] = pack_frames(place(cut(poses[target].frames, 0, 1), between))
            below = footing.cut(start, stop).moved(invert(placement)).to_rows()
            supports.append(np.insert(below, 0, len(clips), axis=1))
            clips.append(Clip(f"{name} [{start}, {stop})", source, target, name, start, stop))
            frames.append(own)
            flags.append(planted[start:stop])
            placements.append((float(between.slide[0]), float(between.slide[1]), float(between.heading)))
    return HubGraph(
        view.skeleton,
        view.fps,
        tuple(nodes),
        tuple(clips),
        np.concatenate(frames),
        np.concatenate([[0], np.cumsum([len(own) for own in frames])]),
        np.concatenate(flags),
        hub_frames,
        np.array(placements),
        supports=np.concatenate(supports),
    )
