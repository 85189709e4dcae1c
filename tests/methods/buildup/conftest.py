"""Small random graphs with places and pose groups, and a few performed takes, made ready for building up."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from motionloom.graphs import Matches, connect
from motionloom.methods.buildup import Material, Model, prepare
from motionloom.methods.buildup.tree.graph_tables import GraphTables
from motionloom.methods.buildup.tree.search_tree import Entry
from motionloom.motion import Placement

TAKES = ("run/walk_run_walk_1", "wave/walk_and_wave_1", "walk/stop_and_go")


@pytest.fixture(scope="session")
def small_corpus(tmp_path_factory, make):
    """Three performed takes with their labels."""
    return make.demo_corpus(tmp_path_factory.mktemp("buildup") / "corpus", TAKES)


@pytest.fixture(scope="session")
def model(small_corpus) -> Model:
    """The three takes, ready for building up."""
    return prepare(small_corpus, Material(groups=12))


@dataclass(frozen=True)
class TableMaker:
    """Makes graphs with places and pose groups; the same seed gives the same."""

    def random(
        self, seed: int = 0, *, n_pairs: int = 25, lengths: Sequence[int] = (60, 50, 40), n_groups: int = 5
    ) -> GraphTables:
        """Motions that wander about, with matches anywhere, and poses that change every few frames."""
        rng = np.random.default_rng(seed)
        starts = np.concatenate([[0], np.cumsum(lengths)])
        pairs = rng.integers(0, starts[-1], (n_pairs, 2))
        placements = rng.uniform(-np.pi, np.pi, n_pairs), rng.normal(scale=0.3, size=(n_pairs, 2))
        matches = Matches(pairs[:, 0], pairs[:, 1], rng.random(n_pairs), *placements)
        names = tuple("abcdefgh"[: len(lengths)])
        graph = connect(matches, starts, names, 10.0, "m", 1.0)
        turns = np.cumsum(rng.normal(scale=0.1, size=starts[-1]))
        ways = np.cumsum(0.1 * np.column_stack([np.sin(turns), np.cos(turns)]), axis=0)
        groups = np.repeat(rng.integers(0, n_groups, starts[-1]), rng.integers(1, 8, starts[-1]))[: starts[-1]]
        return GraphTables(graph, np.column_stack([ways, turns]), groups.astype(np.int32), n_groups)

    def entries(self, tables: GraphTables, seed: int = 0, count: int = 2) -> list[Entry]:
        """Ways into a graph from anywhere, the first just after the first frame of a node."""
        rng = np.random.default_rng([seed, 7])
        found = []
        for node in rng.choice(tables.graph.n_nodes, count, replace=False):
            placement = Placement(float(rng.uniform(-3, 3)), rng.normal(size=2))
            begin = int(tables.graph.starts[node]) + (1 if not found else 0)
            found.append(Entry(int(node), begin, placement, since=int(rng.integers(5)), lead=2 * len(found)))
        return found


@pytest.fixture(scope="session")
def tables() -> TableMaker:
    return TableMaker()
