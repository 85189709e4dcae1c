"""Graphs for the tests of this room."""

from dataclasses import dataclass

import numpy as np
import pytest

from motionloom.graphs import Matches, TransitionGraph, connect


@dataclass(frozen=True)
class GraphMaker:
    """Makes graphs; the same arguments give the same graph."""

    def matches(self, pairs, seed: int = 0) -> Matches:
        """Matches of given frames, with any distances and placements."""
        rng = np.random.default_rng(seed)
        pairs = np.array(pairs, int).reshape(-1, 2)
        n = len(pairs)
        return Matches(pairs[:, 0], pairs[:, 1], rng.random(n), rng.uniform(-np.pi, np.pi, n), rng.normal(size=(n, 2)))

    def of_pairs(self, pairs, lengths=(20, 15, 10), seed: int = 0) -> TransitionGraph:
        """The graph of motions 'a', 'b', 'c', ... of some lengths in frames, with given matches."""
        starts = np.concatenate([[0], np.cumsum(lengths)])
        names = tuple("abcdefgh"[: len(lengths)])
        return connect(self.matches(pairs, seed), starts, names, 10.0, "m", 1.0)

    def random(self, seed: int, n_pairs: int = 8, lengths=(20, 15, 10)) -> TransitionGraph:
        """A graph with matches anywhere."""
        pairs = np.random.default_rng(seed).integers(0, sum(lengths), (n_pairs, 2))
        return self.of_pairs(pairs, lengths, seed)

    def steps(self, graph: TransitionGraph) -> set[tuple[int, int]]:
        """Which frame of the view may be played after which: all that a graph says about playing."""
        inside = [(f, f + 1) for a, b in zip(graph.starts, graph.stops) for f in range(a, b - 1)]
        across = [(graph.stops[a] - 1, graph.starts[b]) for a, b in graph.edges]
        return {(int(a), int(b)) for a, b in inside + across}


@pytest.fixture(scope="session")
def graphs() -> GraphMaker:
    return GraphMaker()
