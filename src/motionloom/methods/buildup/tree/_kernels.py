"""Compiled loops over the nodes of search trees; their plain twins are in the tests.

A tree is arrays over its nodes, parents before children. Numbers of a graph come as its arrays: nodes (n_nodes + 1,)
where the edges of each begin; edges targets, turns, slides (x, z), goes_on.
"""

import math

import numba
import numpy as np

NONE = -1
ENOUGH = 1 << 40  # nodes that nobody can want; counting more could overflow


@numba.njit(cache=True, nogil=True)
def count_to_depth(first_edges: np.ndarray, targets: np.ndarray, roots: np.ndarray, depth: int) -> int:
    """How many nodes a tree has that is unrolled from some graph nodes to a depth: sums of powers of the adjacency.

    Counting ends beyond `ENOUGH`.
    """
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
        if total > ENOUGH:
            break
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
    prices: np.ndarray,
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
    graph node in a stretch of time there are so many slots, over which they are spread evenly. Whatever comes to a slot
    for less than its holder takes it over, until the holder has been gone on from.

    graph, spans: as above. entries: (E, 2) where the first frame of each edge's target lies as seen from its source,
    and (E,) which way it faces. prices (E,): of edges. buckets: frames of a stretch of time, metres, radians, slots of
    each graph node and stretch. gap: frames between transitions.
    """
    first_edges, targets, turns, edge_slides, goes_on = graph
    starts, stops = spans
    places, facings = entries
    stretch, metres, radians, room = buckets
    n_graph, capacity = len(first_edges) - 1, len(nodes)
    n_slots = (horizon // stretch + 1) * n_graph * room
    least = np.full(n_slots, np.inf)  # paid for each slot; -inf once its holder was gone on from
    holders = np.empty(n_slots, np.int32)  # who waits in each slot that was paid for
    paid = np.zeros(capacity)  # for the way to each node
    before, after = np.empty(capacity, np.int32), np.empty(capacity, np.int32)  # lists of those who wait
    heads = np.full(horizon + 1, NONE, np.int32)  # for each frame
    sources, ways = np.empty(capacity, np.int32), np.empty(capacity, np.int32)  # parent and edge; NONE and a root
    whens, cells = np.empty(capacity, np.int32), np.empty(capacity, np.int64)
    moves = np.empty((capacity, 3))  # heading and slide
    spare, used, count = NONE, 0, n_roots
    for root in range(n_roots):
        if arrivals[root] <= horizon:
            sources[used], ways[used], whens[used] = NONE, root, arrivals[root]
            _link(used, arrivals[root], heads, before, after)
            used += 1
    for now in range(horizon + 1):
        while heads[now] != NONE:
            item = heads[now]
            _unlink(item, now, heads, before, after)
            number = ways[item]
            if sources[item] != NONE:
                if count == capacity:
                    return count
                parent, edge, number = sources[item], ways[item], count
                nodes[number], parents[number], edges[number] = targets[edge], parent, edge
                begins[number], arrivals[number], paid[number] = starts[targets[edge]], now, least[cells[item]]
                since[number] = since[parent] + stops[nodes[parent]] - begins[parent] if goes_on[edge] else 0
                headings[number] = moves[item, 0]
                slides[number, 0], slides[number, 1] = moves[item, 1], moves[item, 2]
                least[cells[item]] = -np.inf
                count += 1
            after[item], spare = spare, item
            node, heading = nodes[number], headings[number]
            length = stops[node] - begins[number]
            arrival = now + length
            if arrival > horizon:
                continue
            may_cut = since[number] + length >= gap
            cosine, sine = math.cos(heading), math.sin(heading)
            when = (arrival // stretch) * n_graph
            for edge in range(first_edges[node], first_edges[node + 1]):
                if not (may_cut or goes_on[edge]):
                    continue
                x, z = places[edge, 0], places[edge, 1]
                column = math.floor((slides[number, 0] + cosine * x + sine * z) / metres)
                row = math.floor((slides[number, 1] - sine * x + cosine * z) / metres)
                facing = heading + facings[edge]
                turn = math.floor((facing - 2 * math.pi * math.floor(facing / (2 * math.pi))) / radians)
                cell = (when + targets[edge]) * room + _scatter(column, row, turn, room)
                cost = paid[number] + prices[edge]
                if cost >= least[cell]:
                    continue
                item = holders[cell]
                if least[cell] == np.inf:
                    if spare != NONE:
                        item, spare = spare, after[spare]
                    elif used < capacity:
                        item, used = used, used + 1
                    else:
                        continue
                    holders[cell], cells[item] = item, cell
                    _link(item, arrival, heads, before, after)
                elif whens[item] != arrival:
                    _unlink(item, whens[item], heads, before, after)
                    _link(item, arrival, heads, before, after)
                sources[item], ways[item], whens[item], least[cell] = number, edge, arrival, cost
                x, z = edge_slides[edge, 0], edge_slides[edge, 1]
                moves[item, 0] = heading + turns[edge]
                moves[item, 1] = slides[number, 0] + cosine * x + sine * z
                moves[item, 2] = slides[number, 1] - sine * x + cosine * z
    return count


@numba.njit(cache=True, nogil=True, inline="always")
def _link(item: int, frame: int, heads: np.ndarray, before: np.ndarray, after: np.ndarray) -> None:
    """Put an item at the head of the list of a frame."""
    before[item], after[item] = NONE, heads[frame]
    if heads[frame] != NONE:
        before[heads[frame]] = item
    heads[frame] = item


@numba.njit(cache=True, nogil=True, inline="always")
def _unlink(item: int, frame: int, heads: np.ndarray, before: np.ndarray, after: np.ndarray) -> None:
    """Take an item out of the list of a frame."""
    if before[item] == NONE:
        heads[frame] = after[item]
    else:
        after[before[item]] = after[item]
    if after[item] != NONE:
        before[after[item]] = before[item]


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
    last, cosine, sine = NONE, 1.0, 0.0
    for end in range(len(end_nodes)):
        number, frame = end_nodes[end], end_frames[end]
        if number != last:
            last, cosine, sine = number, math.cos(headings[number]), math.sin(headings[number])
        x, z = facings[frame, 0], facings[frame, 1]
        places[end, 0] = slides[number, 0] + cosine * x + sine * z
        places[end, 1] = slides[number, 1] - sine * x + cosine * z
        places[end, 2] = headings[number] + facings[frame, 2]
        times[end] = arrivals[number] + frame - begins[number] + 1


@numba.njit(cache=True, nogil=True)
def sort_into_cells(
    places: np.ndarray,
    times: np.ndarray,
    groups: np.ndarray,
    corner: np.ndarray,
    size: float,
    shape: tuple,
    first: np.ndarray,
    order: np.ndarray,
    points: np.ndarray,
) -> None:
    """Sort P points by group and cell of the ground; equal ones keep their order.

    Fills first (groups * columns * rows + 1,) of each cell, order (P,) of the points in them, and points (P, 4): x, z,
    heading, time, in this order. shape: columns along x, rows along z.
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
        at = following[cells[point]]
        following[cells[point]] += 1
        order[at], points[at, 3] = point, times[point]
        points[at, 0], points[at, 1], points[at, 2] = places[point, 0], places[point, 1], places[point, 2]


@numba.njit(cache=True, nogil=True)
def find_nearest(
    grid: tuple,
    points: np.ndarray,
    wanted: np.ndarray,
    limits: np.ndarray,
    group: int,
    haste: float,
    found: np.ndarray,
    distances: np.ndarray,
) -> int:
    """Fill the nearest points of a group (NONE: of any) within a radius, nearest first; returns how many.

    A point counts as farther by `haste` metres for each unit of its time. Of equally near ones the lower number comes
    first.

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
    ranks = np.empty(len(found))
    count, worst = 0, np.inf  # rank of the last that is found, once there are as many as wanted
    nearest_ring = max(-middle_column, middle_column - columns + 1, -middle_row, middle_row - rows + 1, 0)
    farthest_ring = max(middle_column, columns - 1 - middle_column, middle_row, rows - 1 - middle_row)
    for ring in range(nearest_ring, farthest_ring + 1):
        reach = (ring - 1) * size + aside  # nothing in this ring is nearer
        if ring > 0 and reach > min(radius, worst):
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
                        distance, time = math.sqrt(dx * dx + dz * dz), points[place, 3]
                        rank = distance + haste * time
                        if distance > radius or time < limits[1] or time > limits[2]:
                            continue
                        if rank > worst:
                            continue
                        if limits[0] > -1.0 and math.cos(points[place, 2] - heading) < limits[0]:
                            continue
                        count = _insert(rank, order[place], distance, count, found, ranks, distances)
                        if count == len(found):
                            worst = ranks[count - 1]
    return count


@numba.njit(cache=True, nogil=True, inline="always")
def _insert(
    rank: float,
    number: int,
    distance: float,
    count: int,
    found: np.ndarray,
    ranks: np.ndarray,
    distances: np.ndarray,
) -> int:
    """Put a point in its place among those of lower rank; returns how many there are."""
    at = count
    while at > 0 and (ranks[at - 1] > rank or (ranks[at - 1] == rank and found[at - 1] > number)):
        at -= 1
    if at >= len(found):
        return count
    last = min(count, len(found) - 1)
    for other in range(last, at, -1):
        found[other], ranks[other], distances[other] = found[other - 1], ranks[other - 1], distances[other - 1]
    found[at], ranks[at], distances[at] = number, rank, distance
    return min(count + 1, len(found))
