"""Compiled loops over the frames of search trees; their plain twins are in the tests."""

import math

import numba
import numpy as np

NONE = -1


@numba.njit(cache=True, nogil=True)
def reach_points(
    tree: tuple,
    stops: np.ndarray,
    points: np.ndarray,
    prices: np.ndarray,
    balls: np.ndarray,
    goals: np.ndarray,
    goal_ball: np.ndarray,
    begun: int,
    limits: tuple,
    groups: np.ndarray,
    group: int,
    costs: np.ndarray,
    distances: np.ndarray,
    frames: np.ndarray,
) -> None:
    """Fill, for each node of a tree, the frame in which one of some points costs least to have at a goal.

    What it costs is the distance and the price of the point in that frame. Nodes without a frame that counts keep NONE.

    tree: nodes, begins, arrivals, since, headings, slides. stops: (n_nodes,) of the graph.
    points: (N, P, 3) metres, of every frame of the view. prices: (N, P) metres.
    balls: (n_nodes, 4) centre and radius around the points in each node of the graph.
    goals: (M, 3) where to be in each frame of a clock that is `begun` at the last pose; the last holds on.
    goal_ball: (4,) around the goals. limits: settled frames, least and longest time in frames, metres that count.
    groups: (N,) of each frame, and the one to end in; NONE for any.
    """
    nodes, begins, arrivals, since, headings, slides = tree
    settled, least, longest, within = limits
    for number in range(len(nodes)):
        frames[number] = NONE
        costs[number] = np.inf
        distances[number] = np.inf
        if arrivals[number] + 1 > longest:
            continue
        node, begin = nodes[number], begins[number]
        cosine, sine = math.cos(headings[number]), math.sin(headings[number])
        x = slides[number, 0] + cosine * balls[node, 0] + sine * balls[node, 2] - goal_ball[0]
        y = balls[node, 1] - goal_ball[1]
        z = slides[number, 1] - sine * balls[node, 0] + cosine * balls[node, 2] - goal_ball[2]
        room = within + balls[node, 3] + goal_ball[3]
        if x * x + y * y + z * z > room * room:
            continue
        for frame in range(begin + max(settled - since[number], 0), stops[node]):
            time = arrivals[number] + frame - begin + 1
            if time < least or time > longest or (group != NONE and groups[frame] != group):
                continue
            goal = min(begun + time, len(goals) - 1)
            for point in range(points.shape[1]):
                own_x, own_z = points[frame, point, 0], points[frame, point, 2]
                x = slides[number, 0] + cosine * own_x + sine * own_z - goals[goal, 0]
                y = points[frame, point, 1] - goals[goal, 1]
                z = slides[number, 1] - sine * own_x + cosine * own_z - goals[goal, 2]
                distance = math.sqrt(x * x + y * y + z * z)
                cost = distance + prices[frame, point]
                if distance <= within and cost < costs[number]:
                    costs[number], distances[number], frames[number] = cost, distance, frame
