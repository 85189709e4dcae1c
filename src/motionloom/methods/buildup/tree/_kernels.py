"""Compiled loops over the nodes of search trees; their plain twins are in the tests.

A tree is arrays over its nodes, parents before children. Numbers of a graph come as its arrays: nodes (n_nodes + 1,)
where the edges of each begin; edges targets, turns, slides (x, z), goes_on.
"""

import math

import numba
import numpy as np

NONE = -1


@numba.njit(cache=True, nogil=True)
def count_to_depth(first_edges: np.ndarray, targets: np.ndarray, roots: np.ndarray, depth: int) -> int:
    """How many nodes a tree has that is unrolled from some graph nodes to a depth: sums of powers of the adjacency."""
    n_nodes = len(first_edges) - 1
    now = np.zeros(n_nodes, np.int64)
    for root in roots:
        now[root] += 1
    total = len(roots)
    for _ in range(depth):
        following = np.zeros(n_nodes, np.int64)
        for node in range(n_nodes):
            if now[node]:
                for edge in range(first_edges[node], first_edges[node + 1]):
                    following[targets[edge]] += now[node]
        now = following
        total += now.sum()
    return total


@numba.njit(cache=True, nogil=True)
def unroll(
    graph: tuple,
    spans: tuple,
    n_roots: int,
    depth: int,
    nodes: np.ndarray,
    parents: np.ndarray,
    edges: np.ndarray,
    begins: np.ndarray,
    arrivals: np.ndarray,
    since: np.ndarray,
    headings: np.ndarray,
    slides: np.ndarray,
) -> int:
    """Fill the arrays of a tree whose first n_roots nodes are given, to a depth; returns how many nodes it has."""
    first_edges, targets, turns, edge_slides, goes_on = graph
    starts, stops = spans
    count, level_start, level_stop = n_roots, 0, n_roots
    for _ in range(depth):
        for parent in range(level_start, level_stop):
            node = nodes[parent]
            length = stops[node] - begins[parent]
            cosine, sine = math.cos(headings[parent]), math.sin(headings[parent])
            for edge in range(first_edges[node], first_edges[node + 1]):
                nodes[count], parents[count], edges[count] = targets[edge], parent, edge
                begins[count] = starts[targets[edge]]
                arrivals[count] = arrivals[parent] + length
                since[count] = since[parent] + length if goes_on[edge] else 0
                headings[count] = headings[parent] + turns[edge]
                x, z = edge_slides[edge, 0], edge_slides[edge, 1]
                slides[count, 0] = slides[parent, 0] + cosine * x + sine * z
                slides[count, 1] = slides[parent, 1] - sine * x + cosine * z
                count += 1
        level_start, level_stop = level_stop, count
    return count


@numba.njit(cache=True, nogil=True)
def grow(
    graph: tuple,
    spans: tuple,
    entries: tuple,
    buckets: tuple,
    gap: int,
    horizon: int,
    n_roots: int,
    nodes: np.ndarray,
    parents: np.ndarray,
    edges: np.ndarray,
    begins: np.ndarray,
    arrivals: np.ndarray,
    since: np.ndarray,
    headings: np.ndarray,
    slides: np.ndarray,
) -> int:
    """Fill the arrays of a tree in the order of arrival, up to a horizon in frames or as many nodes as there is room.

    A node counts once among those of the same graph node, place, heading and time; of the places and headings of a
    graph node in a stretch of time there is room for so many, and which of them have it is spread evenly.

    graph, spans: as above. entries: (E, 2) where the first frame of each edge's target lies as seen from its source,
    and (E,) which way it faces. buckets: frames of a stretch of time, metres, radians, places for each graph node and
    stretch. gap: frames between transitions.
    """
    first_edges, targets, turns, edge_slides, goes_on = graph
    starts, stops = spans
    places, facings = entries
    stretch, metres, radians, room = buckets
    n_graph, capacity = len(first_edges) - 1, len(nodes)
    n_stretches = horizon // stretch + 1
    is_taken = np.zeros(n_stretches * n_graph * room, np.bool_)
    heads = np.full(horizon + 1, NONE, np.int32)  # the last node that arrives in each frame
    others = np.full(capacity, NONE, np.int32)  # the one before it
    for root in range(n_roots):
        if arrivals[root] <= horizon:
            others[root], heads[arrivals[root]] = heads[arrivals[root]], root
    count = n_roots
    for now in range(horizon + 1):
        while heads[now] != NONE:
            parent = heads[now]
            heads[now] = others[parent]
            node = nodes[parent]
            length = stops[node] - begins[parent]
            arrival = now + length
            if arrival <= horizon:
                may_cut = since[parent] + length >= gap
                cosine, sine = math.cos(headings[parent]), math.sin(headings[parent])
                when = (arrival // stretch) * n_graph
                for edge in range(first_edges[node], first_edges[node + 1]):
                    if not (may_cut or goes_on[edge]):
                        continue
                    target = targets[edge]
                    x, z = places[edge, 0], places[edge, 1]
                    heading = headings[parent] + facings[edge]
                    column = math.floor((slides[parent, 0] + cosine * x + sine * z) / metres)
                    row = math.floor((slides[parent, 1] - sine * x + cosine * z) / metres)
                    turn = math.floor((heading - 2 * math.pi * math.floor(heading / (2 * math.pi))) / radians)
                    cell = (when + target) * room + _scatter(column, row, turn, room)
                    if is_taken[cell]:
                        continue
                    if count == capacity:
                        return count
                    is_taken[cell] = True
                    nodes[count], parents[count], edges[count] = target, parent, edge
                    begins[count], arrivals[count] = starts[target], arrival
                    since[count] = since[parent] + length if goes_on[edge] else 0
                    headings[count] = headings[parent] + turns[edge]
                    x, z = edge_slides[edge, 0], edge_slides[edge, 1]
                    slides[count, 0] = slides[parent, 0] + cosine * x + sine * z
                    slides[count, 1] = slides[parent, 1] - sine * x + cosine * z
                    others[count], heads[arrival] = heads[arrival], count
                    count += 1
    return count


@numba.njit(cache=True, nogil=True, inline="always")
def _scatter(column: int, row: int, turn: int, room: int) -> int:
    """A number below `room` that is the same for the same place and heading, and else hardly ever follows a pattern."""
    mixed = np.uint64(column * 73856093 + row * 19349663 + turn * 83492791)
    mixed ^= mixed >> np.uint64(15)
    mixed *= np.uint64(0x2C1B3C6D)
    mixed ^= mixed >> np.uint64(12)
    mixed *= np.uint64(0x297A2D39)
    mixed ^= mixed >> np.uint64(15)
    return int(mixed % np.uint64(room))


@numba.njit(cache=True, nogil=True)
def mark_below(parents: np.ndarray, number: int, is_marked: np.ndarray) -> None:
    """Mark all nodes of a tree below a marked one."""
    for child in range(number + 1, len(parents)):
        is_marked[child] = parents[child] != NONE and is_marked[parents[child]]


@numba.njit(cache=True, nogil=True)
def list_ends(
    runs: tuple,
    n_groups: int,
    own: int,
    settled: int,
    tree: tuple,
    end_nodes: np.ndarray,
    end_frames: np.ndarray,
    end_groups: np.ndarray,
) -> int:
    """Fill where paths can end: in each tree node the first frame of every group; returns how many there are.

    Ends count once the path has left the group `own` of the last pose, and when a join has had `settled` frames. Into
    arrays of no length nothing is filled: ends are counted.

    runs: (n_nodes + 1,) where the runs of each graph node begin; (R,) their groups, first frames and stops.
    tree: nodes, parents, begins, since.
    """
    first_runs, run_groups, run_starts, run_stops = runs
    nodes, parents, begins, since = tree
    has_left = np.zeros(len(nodes), np.bool_)  # the group of the last pose, by the end of each node
    listed_in = np.full(n_groups, NONE, np.int64)  # the last tree node in which each group was listed
    count = 0
    for number in range(len(nodes)):
        node, begin = nodes[number], begins[number]
        left = parents[number] != NONE and has_left[parents[number]]
        ready = begin + max(settled - since[number], 0)
        for run in range(first_runs[node], first_runs[node + 1]):
            group = run_groups[run]
            if run_stops[run] <= begin:
                continue
            left = left or group != own
            frame = max(run_starts[run], ready)
            if left and frame < run_stops[run] and listed_in[group] != number:
                listed_in[group] = number
                if len(end_nodes):
                    end_nodes[count], end_frames[count], end_groups[count] = number, frame, group
                count += 1
        has_left[number] = left
    return count


@numba.njit(cache=True, nogil=True)
def place_ends(
    tree: tuple,
    facings: np.ndarray,
    end_nodes: np.ndarray,
    end_frames: np.ndarray,
    places: np.ndarray,
    times: np.ndarray,
) -> None:
    """Fill places (E, 3), metres along x and z and radians, and times (E,) in frames after the last pose.

    tree: begins, arrivals, headings, slides. facings (N, 3): the same of every frame of the view.
    """
    begins, arrivals, headings, slides = tree
    for end in range(len(end_nodes)):
        number, frame = end_nodes[end], end_frames[end]
        cosine, sine = math.cos(headings[number]), math.sin(headings[number])
        x, z = facings[frame, 0], facings[frame, 1]
        places[end, 0] = slides[number, 0] + cosine * x + sine * z
        places[end, 1] = slides[number, 1] - sine * x + cosine * z
        places[end, 2] = headings[number] + facings[frame, 2]
        times[end] = arrivals[number] + frame - begins[number] + 1


@numba.njit(cache=True, nogil=True)
def sort_into_cells(
    places: np.ndarray,
    groups: np.ndarray,
    corner: np.ndarray,
    size: float,
    shape: tuple,
    first: np.ndarray,
    order: np.ndarray,
) -> None:
    """Sort points by group and cell of the ground: order (P,), and first (groups * columns * rows + 1,) of each cell.

    Equal ones keep their order. shape: columns along x, rows along z.
    """
    columns, rows = shape
    cells = np.empty(len(places), np.int64)
    for point in range(len(places)):
        column = min(max(int((places[point, 0] - corner[0]) / size), 0), columns - 1)
        row = min(max(int((places[point, 1] - corner[1]) / size), 0), rows - 1)
        cells[point] = (groups[point] * columns + column) * rows + row
        first[cells[point] + 1] += 1
    for cell in range(len(first) - 1):
        first[cell + 1] += first[cell]
    following = first.copy()
    for point in range(len(places)):
        order[following[cells[point]]] = point
        following[cells[point]] += 1


@numba.njit(cache=True, nogil=True)
def find_nearest(
    grid: tuple,
    points: np.ndarray,
    wanted: np.ndarray,
    limits: np.ndarray,
    group: int,
    found: np.ndarray,
    distances: np.ndarray,
) -> int:
    """Fill the nearest points of a group (NONE: of any) within a radius, nearest first; returns how many.

    Of equally near ones the lower number comes first.

    grid: corner (x, z), size of a cell, columns, rows, groups; first of each cell; order.
    points: (P, 4) in the order of the cells: x, z, heading, time.
    wanted: x, z, heading, radius. limits: cosine of how far the heading may be off, least and longest time.
    """
    corner, size, shape, first, order = grid
    columns, rows, n_groups = shape
    x, z, heading, radius = wanted[0], wanted[1], wanted[2], wanted[3]
    middle_column = math.floor((x - corner[0]) / size)
    middle_row = math.floor((z - corner[1]) / size)
    aside = min(x - corner[0] - middle_column * size, z - corner[1] - middle_row * size)
    aside = min(aside, size - max(x - corner[0] - middle_column * size, z - corner[1] - middle_row * size))
    from_group, to_group = (0, n_groups) if group == NONE else (group, group + 1)
    count, farthest = 0, radius * radius
    for ring in range(math.ceil(radius / size) + 2):
        reach = (ring - 1) * size + aside  # nothing in this ring is nearer
        if ring > 0 and reach > 0 and reach * reach > farthest:
            break
        for column in range(middle_column - ring, middle_column + ring + 1):
            if column < 0 or column >= columns:
                continue
            on_side = abs(column - middle_column) == ring
            step = 1 if on_side else max(2 * ring, 1)
            for row in range(middle_row - ring, middle_row + ring + 1, step):
                if row < 0 or row >= rows:
                    continue
                for kind in range(from_group, to_group):
                    cell = (kind * columns + column) * rows + row
                    for place in range(first[cell], first[cell + 1]):
                        dx, dz = points[place, 0] - x, points[place, 1] - z
                        square = dx * dx + dz * dz
                        if square > farthest or points[place, 3] < limits[1] or points[place, 3] > limits[2]:
                            continue
                        if limits[0] > -1.0 and math.cos(points[place, 2] - heading) < limits[0]:
                            continue
                        count = _insert(square, order[place], count, found, distances)
                        if count == len(found):
                            farthest = distances[count - 1]
    for number in range(count):
        distances[number] = math.sqrt(distances[number])
    return count


@numba.njit(cache=True, nogil=True, inline="always")
def _insert(square: float, number: int, count: int, found: np.ndarray, distances: np.ndarray) -> int:
    """Put a point in its place among those that are nearer; returns how many there are."""
    at = count
    while at > 0 and (distances[at - 1] > square or (distances[at - 1] == square and found[at - 1] > number)):
        at -= 1
    if at >= len(found):
        return count
    last = min(count, len(found) - 1)
    for other in range(last, at, -1):
        found[other], distances[other] = found[other - 1], distances[other - 1]
    found[at], distances[at] = number, square
    return min(count + 1, len(found))
