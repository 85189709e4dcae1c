"""Planner: chooses the next clip by cost, and finds the shortest graph walks to an action, a node or a place.

Its tables are computed once for a graph. Times are counted in whole frames, so that ties are exact and broken by the
lowest index, here as in the browser's player.
"""

from collections.abc import Sequence

import numpy as np

from motionloom.errors import BadInput, Unsatisfiable
from motionloom.graphs.search import costs_to
from motionloom.methods.snap.graph.clip_controls import Control, costs, measure_controls, share_of_labels
from motionloom.methods.snap.graph.hub_graph import HubGraph
from motionloom.methods.snap.play.place_search import Goal, PlaceWalk, search
from motionloom.motion.packed import packed_root_transforms, packed_rotations

_ANYTHING = Control()


class Planner:
    """A graph with precomputed tables for choosing clips; queries do not change it."""

    def __init__(self, graph: HubGraph) -> None:
        self.graph = graph
        self.controls = measure_controls(graph)
        self.starts: list[int] = graph.clip_starts.tolist()  # first frame of each clip
        self.lengths: list[int] = np.diff(graph.clip_starts).tolist()  # frames of each clip
        self.targets: list[int] = [clip.target for clip in graph.clips]
        self.placements: list[list[float]] = graph.placements.tolist()
        self.roots = packed_root_transforms(graph.frames)  # (N, 7) view: position and rotation of the root
        self.joints = packed_rotations(graph.frames)[:, 1:]  # (N, J - 1, 4) view: rotations of all others
        self.leaving = graph.leaving
        self.is_alive = _find_alive(graph)  # (C,) bool: clips after which there is an endless graph walk
        self.offers = [self._offers_of(node) for node in range(len(graph.nodes))]
        self.following = self._find_following()  # the clip that was recorded after each, if it is alive; else -1
        lengths = np.array(self.lengths, float)
        # (N, H) frames of the shortest graph walk from every node to every hub; infinite if there is none
        self.frames_to = costs_to(len(graph.nodes), graph.edges, lengths, range(graph.n_hubs))
        self._words: dict[str, tuple[int, ...]] = {}
        self._shares: dict[tuple[str, ...], np.ndarray] = {}

    def clips_for(self, word: str) -> tuple[int, ...]:
        """The clips of a word (see `HubGraph.clips_for`), without dead ends if there are others."""
        if word not in self._words:
            clips = self.graph.clips_for(word)
            self._words[word] = tuple(c for c in clips if self.is_alive[c]) or clips
        return self._words[word]

    def nearest_clip(self, node: int, control: Control, facing: float = 0.0, among: Sequence[int] | None = None) -> int:
        """The clip with the lowest cost for a control; see `clip_controls.costs`.

        Args:
            node: that the clip leaves.
            control: what is wanted.
            facing: radians, world: heading of the node.
            among: clips to choose from; None for those that leave the node, without dead ends if there are others.
        """
        clips = self.offers[node] if among is None else np.asarray(among, int)
        if not len(clips):
            raise BadInput(f"no clip leaves node '{self.graph.nodes[node].name}'; there is nothing to choose")
        if len(clips) == 1:
            return int(clips[0])
        return int(clips[costs(self.controls, clips, control, facing, self._shares_of(control.labels)).argmin()])

    def carry_on(self, node: int, after: int = -1) -> int:
        """The next clip without a control: that recorded after the last, else the nearest in speed and curvature."""
        if after < 0:
            return self.nearest_clip(node, _ANYTHING)
        if self.following[after] >= 0:
            return self.following[after]
        alike = Control(speed=float(self.controls.speed[after]), curvature=float(self.controls.curvature[after]))
        return self.nearest_clip(node, alike)

    def walk_to(self, node: int, word: str, control: Control = _ANYTHING, facing: float = 0.0) -> tuple[int, ...]:
        """The shortest graph walk to a clip of a word; that clip is its last.

        Args:
            node: at which it starts.
            word: an action, a label or the name of a clip.
            control: chooses among clips of the word that leave the node itself.
            facing: radians, world: heading of the node.

        Raises:
            Unsatisfiable: there is no such graph walk.
        """
        walk = self.find_walk(node, word, control, facing)
        if not walk:
            raise Unsatisfiable(
                f"no way from node '{self.graph.nodes[node].name}' to '{word}'; "
                "are there clips outside the largest strongly connected component?"
            )
        return walk

    def find_walk(self, node: int, word: str, control: Control = _ANYTHING, facing: float = 0.0) -> tuple[int, ...]:
        """As `walk_to`, but empty if there is no such graph walk."""
        clips = self.clips_for(word)
        here = [c for c in clips if self.graph.clips[c].source == node]
        if here:
            return (self.nearest_clip(node, control, facing, here),)
        reachable = [c for c in clips if self.graph.clips[c].source < self.graph.n_hubs]
        if not reachable:
            return ()
        waits = [self.frames_to[node, self.graph.clips[c].source] for c in reachable]
        soonest = int(np.argmin(waits))
        if not np.isfinite(waits[soonest]):
            return ()
        return (*self._walk_to_hub(node, self.graph.clips[reachable[soonest]].source), reachable[soonest])

    def walk_to_node(self, node: int, goal: int) -> tuple[int, ...]:
        """The shortest graph walk to a node; empty if both nodes are the same."""
        if node == goal:
            return ()
        if goal < self.graph.n_hubs:
            if not np.isfinite(self.frames_to[node, goal]):
                raise Unsatisfiable(f"no way from '{self.graph.nodes[node].name}' to '{self.graph.nodes[goal].name}'")
            return self._walk_to_hub(node, goal)
        walks: list[tuple[int, int, tuple[int, ...]]] = []
        for c in self.graph.entering[goal]:  # the end of a take: through the hub before it
            source = self.graph.clips[c].source
            if source == node:
                walks.append((self.lengths[c], c, (c,)))
            elif source < self.graph.n_hubs and np.isfinite(self.frames_to[node, source]):
                frames = int(self.frames_to[node, source]) + self.lengths[c]
                walks.append((frames, c, (*self._walk_to_hub(node, source), c)))
        if not walks:
            raise Unsatisfiable(f"no way from '{self.graph.nodes[node].name}' to '{self.graph.nodes[goal].name}'")
        return min(walks)[2]

    def walk_to_place(
        self,
        node: int,
        placement: tuple[float, float, float],
        place: Sequence[float],
        *,
        heading: float | None = None,
        tolerance: float = 0.25,
        heading_tolerance: float = 0.5,
        seconds: float = 60.0,
        effort: int = 60_000,
    ) -> PlaceWalk:
        """The shortest graph walk that ends at a place; see `place_search`.

        Args:
            node: at which it starts.
            placement: x, z in metres and heading in radians of that node, world.
            place: x, z in metres, world.
            heading: radians, world, of the character at the place; None for any.
            tolerance: allowed distance from the place, metres.
            heading_tolerance: allowed deviation from the heading, radians.
            seconds: maximum duration.
            effort: maximum number of placements that the search expands.
        """
        goal = Goal(float(place[0]), float(place[1]), heading, tolerance, heading_tolerance)
        return search(self, node, placement, goal, seconds, effort)

    def _walk_to_hub(self, node: int, hub: int) -> tuple[int, ...]:
        walk = []
        while node != hub:
            clips = self.leaving[node]
            left = [self.lengths[c] + self.frames_to[self.targets[c], hub] for c in clips]
            walk.append(clips[int(np.argmin(left))])
            node = self.targets[walk[-1]]
        return tuple(walk)

    def _offers_of(self, node: int) -> np.ndarray:
        alive = [c for c in self.leaving[node] if self.is_alive[c]]
        return np.array(alive or self.leaving[node], int)

    def _find_following(self) -> list[int]:
        clips = self.graph.clips
        beginning = {(clip.source, clip.motion, clip.start): c for c, clip in enumerate(clips) if self.is_alive[c]}
        return [beginning.get((clip.target, clip.motion, clip.stop), -1) for clip in clips]

    def _shares_of(self, labels: tuple[str, ...]) -> np.ndarray | None:
        if not labels:
            return None
        if labels not in self._shares:
            self._shares[labels] = share_of_labels(self.graph, labels)
        return self._shares[labels]


def _find_alive(graph: HubGraph) -> np.ndarray:
    """(C,) bool: the clips from whose target node there is an endless graph walk."""
    edges = graph.edges
    is_alive = np.ones(len(graph.nodes), bool)
    while True:
        goes_on = np.zeros(len(graph.nodes), bool)
        goes_on[edges[is_alive[edges[:, 1]], 0]] = True
        if (goes_on == is_alive).all():
            return is_alive[edges[:, 1]]
        is_alive = goes_on
