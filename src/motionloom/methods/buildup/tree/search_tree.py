"""Search trees: what can follow the last pose, as a tree of graph nodes with places, headings and times.

The paper's tree (section 4.1) has all graph walks to a depth. The default one grows in the order of arrival: it has
all of one time before any of a later one, transitions lie some time apart, and of nodes that are alike one counts: the
one with the fewest and easiest transitions before it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from motionloom.errors import BadInput
from motionloom.methods.buildup.tree.graph_tables import GraphTables
from motionloom.motion import Placement

NEVER = 1_000_000  # frames since a transition where there was none
AT_MOST = 20_000_000  # nodes
LESS_ROOM = (0.5, 0.0)  # of the time between transitions that is tried where all branches end with it


@dataclass(frozen=True)
class Entry:
    """An entry into the graph from the last pose: what can be played next."""

    node: int  # of the graph
    begin: int  # the first frame of it that is played, of the view; one past its last for the node of the last pose
    placement: Placement  # of the recording
    since: int = NEVER  # frames that were played after the last transition, up to here
    distance: float = 0.0  # of the transition to it; 0 where the recording goes on
    lead: int = 0  # frames of the recording that are played before, and that the graph has not got


@dataclass(frozen=True)
class GrowthSettings:
    """How far and how finely a tree grows."""

    seconds: float = 15.0  # horizon
    nodes: int = 700_000  # at most
    apart: float = 0.4  # seconds between transitions, because joins need room
    stretch: float = 0.5  # seconds in which nodes that are alike count once
    metres: float = 0.1  # size of places that count as one
    degrees: float = 20.0  # size of headings that count as one


@dataclass(frozen=True, eq=False)
class SearchTree:
    """T nodes, parents before children; each plays the frames [begins, stop of its graph node) after its parent's."""

    tables: GraphTables
    nodes: np.ndarray  # (T,) int32, of the graph
    parents: np.ndarray  # (T,) int32; -1 of roots
    edges: np.ndarray  # (T,) int32, of the graph, that lead to them; -1 of roots
    begins: np.ndarray  # (T,) int32: first frame played, of the view
    arrivals: np.ndarray  # (T,) int32: frames from the last pose to before the first frame played
    since: np.ndarray  # (T,) int32: frames played since the last transition, before the first frame
    headings: np.ndarray  # (T,) radians: placement of the recording, its turn
    slides: np.ndarray  # (T, 2) metres: and its slide
    entries: tuple[Entry, ...]  # that its roots are
    gap: int  # frames that lie between transitions at least

    @property
    def n_nodes(self) -> int:
        return len(self.nodes)

    @cached_property
    def places(self) -> np.ndarray:
        """(T, 3) metres and radians: where the body is, and how it faces, in the first frame of each node."""
        places, _ = self.place(np.arange(self.n_nodes, dtype=np.int32), self.begins)
        return places

    def place(self, numbers: np.ndarray, frames: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Where the body is in frames of the view played in tree nodes: (E, 3) metres and radians, and (E,) times."""
        from motionloom.methods.buildup.tree import _kernels

        places, times = np.empty((len(numbers), 3)), np.empty(len(numbers))
        inside = np.minimum(frames, len(self.tables.facings) - 1).astype(np.int32)
        tree = (self.begins, self.arrivals, self.headings, self.slides)
        _kernels.place_ends(tree, self.tables.facings, np.asarray(numbers, np.int32), inside, places, times)
        return places, times

    def placement(self, number: int) -> Placement:
        """The placement of the recording that a tree node plays."""
        return Placement(float(self.headings[number]), self.slides[number].copy())

    @cached_property
    def roots(self) -> np.ndarray:
        """(T,) the number of the root that each node is reached from."""
        found = np.where(self.parents < 0, np.arange(self.n_nodes), self.parents)
        while not np.array_equal(found, following := found[found]):
            found = following
        return found

    def path_to(self, number: int) -> list[int]:
        """The tree nodes from a root to one."""
        path = [number]
        while self.parents[path[-1]] >= 0:
            path.append(int(self.parents[path[-1]]))
        return path[::-1]


def unroll_to_depth(tables: GraphTables, entries: Sequence[Entry], depth: int) -> SearchTree:
    """The paper's tree: every graph walk of so many edges from the last pose.

    Args:
        tables: of the graph.
        entries: into it.
        depth: edges from the root to the farthest nodes.
    """
    from motionloom.methods.buildup.tree import _kernels

    roots = np.array([entry.node for entry in entries], np.int64)
    count = _kernels.count_to_depth(tables.edges[0], tables.edges[1], roots, depth)
    if count > AT_MOST:
        raise BadInput(
            f"a tree of depth {depth} has {count:,} nodes or more from here, over {AT_MOST:,}; choose less depth"
        )
    arrays = _arrays(entries, count)
    n_nodes = _kernels.unroll(tables.edges, tables.spans, len(entries), depth, *arrays)
    return _tree(tables, entries, arrays, n_nodes, 0)


def grow_tree(tables: GraphTables, entries: Sequence[Entry], settings: GrowthSettings) -> SearchTree:
    """The default tree: by time, with room between transitions, and like nodes counted once.

    Args:
        tables: of the graph.
        entries: into it.
        settings: how far and how finely.
    """
    from motionloom.methods.buildup.tree import _kernels

    fps = tables.graph.fps
    horizon, gap, stretch = (round(each * fps) for each in (settings.seconds, settings.apart, settings.stretch))
    stretch = max(stretch, 1)
    room = max(settings.nodes // (tables.graph.n_nodes * (horizon // stretch + 1)), 1)
    buckets = stretch, settings.metres, np.radians(settings.degrees), room
    arrays = _arrays(entries, max(settings.nodes, len(entries)))
    graph = tables.edges, tables.spans, tables.arrivals, tables.prices
    n_nodes = _kernels.grow(*graph, buckets, gap, horizon, len(entries), *arrays)
    return _tree(tables, entries, arrays, n_nodes, gap)


def grow_onward(tables: GraphTables, entries: Sequence[Entry], settings: GrowthSettings) -> SearchTree:
    """The default tree; with less room between transitions where no branch of it would live up to the horizon.

    Clips may end before a transition is due, and nothing else follow them. A join with little room is better than none.

    Args:
        tables: of the graph.
        entries: into it.
        settings: how far and how finely.
    """
    tree = grow_tree(tables, entries, settings)
    for share in LESS_ROOM:
        if lives_on(tree, settings):
            break
        tree = grow_tree(tables, entries, replace(settings, apart=share * settings.apart))
    return tree


def lives_on(tree: SearchTree, settings: GrowthSettings) -> bool:
    """Whether a branch of a tree reaches its horizon, or would if the tree had more nodes."""
    lasts = tree.arrivals + tree.tables.graph.stops[tree.nodes] - tree.begins
    return tree.n_nodes >= settings.nodes or bool((lasts > round(settings.seconds * tree.tables.graph.fps)).any())


def subtree(tree: SearchTree, number: int, frame: int) -> SearchTree:
    """What is left of a tree when a path to a frame of one of its nodes was accepted.

    Args:
        tree: that has the path.
        number: of the tree node that the path ends in.
        frame: of the view, the last that is played.
    """
    from motionloom.methods.buildup.tree import _kernels

    is_kept = np.zeros(tree.n_nodes, bool)
    is_kept[number] = True
    _kernels.mark_below(tree.parents, number, is_kept)
    numbers = np.cumsum(is_kept) - 1
    played = frame + 1 - tree.begins[number]
    cut = {name: getattr(tree, name)[is_kept].copy() for name in ARRAYS}
    cut["parents"] = np.where(np.arange(len(cut["parents"])) == 0, -1, numbers[cut["parents"]]).astype(np.int32)
    cut["arrivals"] -= tree.arrivals[number] + played
    cut["edges"][0], cut["arrivals"][0] = -1, 0
    cut["begins"][0] += played
    cut["since"][0] += played
    entry = Entry(int(cut["nodes"][0]), frame + 1, tree.placement(number), int(cut["since"][0]))
    return replace(tree, **cut, entries=(entry,))


ARRAYS = ("nodes", "parents", "edges", "begins", "arrivals", "since", "headings", "slides")


def _arrays(entries: Sequence[Entry], count: int) -> tuple[np.ndarray, ...]:
    """Arrays of a tree, with its roots filled in."""
    nodes, parents, edges, begins, arrivals, since = (np.empty(count, np.int32) for _ in range(6))
    headings, slides = np.empty(count), np.empty((count, 2))
    for root, entry in enumerate(entries):
        nodes[root], parents[root], edges[root], begins[root] = entry.node, -1, -1, entry.begin
        arrivals[root], since[root] = entry.lead, entry.since
        headings[root], slides[root] = entry.placement.heading, entry.placement.slide
    return nodes, parents, edges, begins, arrivals, since, headings, slides


def _tree(
    tables: GraphTables, entries: Sequence[Entry], arrays: tuple[np.ndarray, ...], n_nodes: int, gap: int
) -> SearchTree:
    kept = dict(zip(ARRAYS, (array[:n_nodes] for array in arrays)))
    return SearchTree(tables, **kept, entries=tuple(entries), gap=gap)
