"""The index of ends: where the paths of a search tree can end, by pose group and place, for queries in microseconds."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from motionloom.methods.buildup.tree.search_tree import SearchTree

CELL = 0.2  # metres
MOST_CELLS = 4_000_000
ANY = -1  # group


@dataclass(frozen=True)
class Query:
    """Where a path should end, and how."""

    position: tuple[float, float] | None  # metres along x and z; None for anywhere
    group: int | None = None  # of poses; None for any pose
    heading: float | None = None  # radians
    heading_within: float = np.radians(30.0)  # radians
    seconds: tuple[float, float] | None = None  # least and longest duration
    within: float = 0.9  # metres
    count: int = 5
    haste: float = 0.05  # metres that an end counts as farther for each second until it; 0 as printed


@dataclass(frozen=True)
class End:
    """An end of a path: a frame of the view in a node of the tree."""

    number: int  # in the index
    node: int  # of the tree
    frame: int  # of the view, the last that is played
    group: int
    place: tuple[float, float, float]  # metres along x and z, radians
    n_frames: int  # that the path plays after the last pose
    distance: float  # metres from where it was asked for


@dataclass(frozen=True, eq=False)
class EndIndex:
    """E ends of paths of a tree."""

    tree: SearchTree
    nodes: np.ndarray  # (E,) int32, of the tree
    frames: np.ndarray  # (E,) int32, of the view
    groups: np.ndarray  # (E,) int32
    places: np.ndarray  # (E, 3) metres along x and z, radians
    times: np.ndarray  # (E,) frames from the last pose
    grid: "Grid"

    @property
    def n_ends(self) -> int:
        return len(self.nodes)

    def end(self, number: int, distance: float = 0.0) -> End:
        """One of them."""
        x, z, heading = (float(value) for value in self.places[number])
        return End(
            number,
            int(self.nodes[number]),
            int(self.frames[number]),
            int(self.groups[number]),
            (x, z, heading),
            int(self.times[number]),
            distance,
        )


@dataclass(frozen=True, eq=False)
class Grid:
    """P points of the ground, sorted by group and cell."""

    points: np.ndarray  # (P, 4) in the order of cells: x, z, heading, time
    cells: tuple  # corner, size, shape, first of each cell, order: as the kernels want them

    @staticmethod
    def of(places: np.ndarray, times: np.ndarray, groups: np.ndarray, n_groups: int) -> "Grid":
        """Sort points with (P, 3) places, (P,) times and (P,) groups."""
        from motionloom.methods.buildup.tree import _kernels

        corner = places[:, :2].min(axis=0) if len(places) else np.zeros(2)
        extent = places[:, :2].max(axis=0) - corner if len(places) else np.zeros(2)
        size = max(CELL, float(np.sqrt(n_groups * extent.prod() / MOST_CELLS)))
        columns, rows = (int(each / size) + 1 for each in extent)
        first = np.zeros(n_groups * columns * rows + 1, np.int64)
        order, points = np.empty(len(places), np.int64), np.empty((len(places), 4))
        _kernels.sort_into_cells(places, times, groups, corner, size, (columns, rows), first, order, points)
        return Grid(points, (corner, size, (columns, rows, n_groups), first, order))

    def nearest(self, query: Query, fps: float, group: int) -> tuple[np.ndarray, np.ndarray]:
        """Numbers and distances of the nearest points that a query allows, nearest first; `group` ANY for all."""
        from motionloom.methods.buildup.tree import _kernels

        found, distances = np.empty(query.count, np.int64), np.empty(query.count)
        wanted, limits = np.empty(4), np.empty(3)
        assert query.position is not None
        wanted[0], wanted[1] = query.position
        wanted[2], wanted[3] = query.heading or 0.0, query.within
        limits[0] = -2.0 if query.heading is None else np.cos(min(query.heading_within, np.pi))
        limits[1], limits[2] = (0.0, np.inf) if query.seconds is None else (each * fps for each in query.seconds)
        count = _kernels.find_nearest(
            self.cells, self.points, wanted, limits, group, query.haste / fps, found, distances
        )
        return found[:count], distances[:count]


def index_ends(tree: SearchTree, own_group: int | None = None, settled: float = 0.15) -> EndIndex:
    """Find all ends of the paths of a tree, and sort them.

    Args:
        tree: that is searched.
        own_group: of the last pose, which a path has to leave before it can end; None for none.
        settled: seconds that the last join of a path has had at least when it ends.
    """
    from motionloom.methods.buildup.tree import _kernels

    tables = tree.tables
    given = (
        tables.runs,
        tables.n_groups,
        ANY if own_group is None else own_group,
        round(settled * tables.graph.fps),
        (tree.nodes, tree.parents, tree.begins, tree.since),
    )
    none = np.empty(0, np.int32)
    count = _kernels.list_ends(*given, none, none, none)
    nodes, frames, groups = (np.empty(count, np.int32) for _ in range(3))
    _kernels.list_ends(*given, nodes, frames, groups)
    places, times = tree.place(nodes, frames)
    grid = Grid.of(places, times, groups, tables.n_groups)
    return EndIndex(tree, nodes, frames, groups, places, times, grid)


def find_ends(index: EndIndex, query: Query) -> list[End]:
    """The nearest ends that a query allows, the soonest first; of equally soon ones the nearer first.

    Where groups are asked for, only ends in them are looked at, so that there is an answer wherever there is an end.
    Where no place is, the soonest are found instead of the nearest.
    """
    if query.position is None:
        return _soonest(index, np.flatnonzero(allowed_ends(index, query)), query.count)
    group = ANY if query.group is None else query.group
    numbers, distances = index.grid.nearest(query, index.tree.tables.graph.fps, group)
    ends = [index.end(int(number), float(distance)) for number, distance in zip(numbers, distances)]
    return sorted(ends, key=lambda end: (end.n_frames, end.distance, end.number))


def soonest_ends(index: EndIndex, group: int | None, count: int) -> list[End]:
    """The soonest ends in a group, or of all, wherever they are."""
    return _soonest(index, np.arange(index.n_ends) if group is None else np.flatnonzero(index.groups == group), count)


def nearest_end(index: EndIndex, query: Query) -> End | None:
    """The nearest end that a query allows, however far it is; None where it allows none."""
    numbers = np.flatnonzero(allowed_ends(index, query))
    if query.position is None or not len(numbers):
        return None
    (x, z), places = query.position, index.places[numbers]
    away = np.hypot(places[:, 0] - x, places[:, 1] - z)
    best = int(away.argmin())
    return index.end(int(numbers[best]), float(away[best]))


def allowed_ends(index: EndIndex, query: Query) -> np.ndarray:
    """(E,) bool: ends with the pose group, heading and duration of a query, wherever they are."""
    found = np.ones(index.n_ends, bool) if query.group is None else index.groups == query.group
    if query.heading is not None:
        found &= np.cos(index.places[:, 2] - query.heading) >= np.cos(min(query.heading_within, np.pi))
    if query.seconds is not None:
        least, longest = (each * index.tree.tables.graph.fps for each in query.seconds)
        found &= (index.times >= least) & (index.times <= longest)
    return found


def _soonest(index: EndIndex, numbers: np.ndarray, count: int) -> list[End]:
    if len(numbers) > count:
        latest = np.partition(index.times[numbers], count - 1)[count - 1]
        numbers = numbers[index.times[numbers] <= latest]
    ordered = numbers[np.lexsort((numbers, index.times[numbers]))]
    return [index.end(int(number)) for number in ordered[:count]]


@dataclass(frozen=True, eq=False)
class NodeIndex:
    """The paper's index: nodes of a tree by their place, whatever poses they pass through."""

    ends: EndIndex
    grid: Grid

    @staticmethod
    def of(ends: EndIndex) -> "NodeIndex":
        tree = ends.tree
        groups = np.zeros(tree.n_nodes, np.int32)
        return NodeIndex(ends, Grid.of(tree.places, tree.arrivals.astype(float), groups, 1))

    @cached_property
    def _firsts(self) -> np.ndarray:
        return np.searchsorted(self.ends.nodes, np.arange(self.ends.tree.n_nodes + 1))

    def end_in(self, node: int, group: int | None) -> int | None:
        """The end in a tree node that belongs to a group."""
        own = range(self._firsts[node], self._firsts[node + 1])
        return next((number for number in own if group is None or self.ends.groups[number] == group), None)


def find_ends_as_printed(index: NodeIndex, query: Query) -> list[End]:
    """The paper's order (section 4.2): the nearest nodes first, then those of them that pass through the group."""
    if query.position is None:
        return find_ends(index.ends, query)
    fps = index.ends.tree.tables.graph.fps
    nodes, distances = index.grid.nearest(replace(query, haste=0.0), fps, ANY)
    pairs: Sequence[tuple[int | None, float]] = [
        (index.end_in(int(node), query.group), float(distance)) for node, distance in zip(nodes, distances)
    ]
    ends = [index.ends.end(number, distance) for number, distance in pairs if number is not None]
    return sorted(ends, key=lambda end: (end.n_frames, end.distance, end.number))
