"""Graph tables: a transition graph and the pose groups of its frames, as arrays that search trees are grown from."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from motionloom.graphs import TransitionGraph
from motionloom.motion.placement import turn_ground

TINY = 1e-12  # a threshold of nothing


@dataclass(frozen=True, eq=False)
class GraphTables:
    """A graph of N frames of a view, with where the body is in each of them and which group its pose belongs to."""

    graph: TransitionGraph
    facings: np.ndarray  # (N, 3) metres along x and z under the hips, and radians
    groups: np.ndarray  # (N,) int32: the pose group of each frame
    n_groups: int

    @cached_property
    def edges(self) -> tuple[np.ndarray, ...]:
        """What leaves each node: (nodes + 1,) where its edges begin; targets, turns, slides, whether it goes on."""
        graph = self.graph
        firsts = np.searchsorted(graph.sources, np.arange(graph.n_nodes + 1))
        return (
            firsts.astype(np.int64),
            graph.targets.astype(np.int32),
            np.ascontiguousarray(graph.headings, float),
            np.ascontiguousarray(graph.slides, float),
            np.ascontiguousarray(graph.goes_on, bool),
        )

    @cached_property
    def spans(self) -> tuple[np.ndarray, np.ndarray]:
        """(nodes,) first frames and stops."""
        return self.graph.starts.astype(np.int32), self.graph.stops.astype(np.int32)

    @cached_property
    def arrivals(self) -> tuple[np.ndarray, np.ndarray]:
        """(E, 2) metres and (E,) radians: the first frame of each edge's target, as seen from its source."""
        graph = self.graph
        there = self.facings[graph.starts[graph.targets]]
        return turn_ground(there[:, :2], graph.headings) + graph.slides, graph.headings + there[:, 2]

    @cached_property
    def prices(self) -> np.ndarray:
        """(E,) what each edge costs beside time: going on nothing, a cut one to two, as it is hard."""
        graph = self.graph
        return np.where(graph.goes_on, 0.0, 1.0 + graph.distances / max(graph.threshold, TINY))

    @cached_property
    def runs(self) -> tuple[np.ndarray, ...]:
        """Runs of frames of one group in nodes: (nodes + 1,) where they begin; their groups, first frames, stops."""
        graph, changes = self.graph, np.flatnonzero(np.diff(self.groups)) + 1
        bounds = np.unique(np.concatenate([graph.starts, graph.stops, changes]))
        is_played = np.zeros(len(self.groups), bool)
        for start, stop in zip(graph.starts, graph.stops):
            is_played[start:stop] = True
        starts, stops = bounds[:-1], bounds[1:]
        inside = (starts < len(self.groups)) & is_played[np.minimum(starts, len(self.groups) - 1)]
        starts, stops = starts[inside], stops[inside]
        firsts = np.append(np.searchsorted(starts, graph.starts), len(starts))
        return (
            firsts.astype(np.int64),
            self.groups[starts].astype(np.int32),
            starts.astype(np.int32),
            stops.astype(np.int32),
        )

    def node_at(self, frame: int) -> int:
        """The node that plays a frame of the view; -1 if none does."""
        node = int(np.searchsorted(self.graph.starts, frame, side="right")) - 1
        return node if node >= 0 and frame < self.graph.stops[node] else -1

    def groups_of(self, node: int) -> np.ndarray:
        """The pose groups that a node passes through, in order of their numbers (section 3.2)."""
        return np.unique(self.groups[self.graph.starts[node] : self.graph.stops[node]])

    @property
    def played_frames(self) -> np.ndarray:
        """The frames of the view that are in the graph."""
        return np.concatenate([np.arange(a, b) for a, b in zip(self.graph.starts, self.graph.stops)])
