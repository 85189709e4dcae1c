"""Compiled loops of bridges; their plain twins are in the tests."""

import math

import numba
import numpy as np


@numba.njit(cache=True, nogil=True)
def meet(
    forward: tuple,
    backward: tuple,
    by_node: tuple,
    facings: np.ndarray,
    frames: tuple,
    misses: tuple,
    partners: np.ndarray,
    costs: np.ndarray,
) -> None:
    """Fill the best partner of each forward tree node among the backward ones of its graph node, and its cost.

    forward: nodes, begins, arrivals, since, headings, slides. backward: the frame after the last that each plays, how
    many are played after it, since, headings, slides. by_node: where the backward nodes of each graph node begin in
    their order, and the order. frames: gap between transitions, shortest and longest path. misses: farthest, metres
    for a radian, frames for a metre.
    """
    nodes, begins, arrivals, since, headings, slides = forward
    ends, following, until, other_headings, other_slides = backward
    firsts, order = by_node
    gap, shortest, longest = frames
    farthest, lever, frames_per_metre = misses
    for number in range(len(nodes)):
        for place in range(firsts[nodes[number]], firsts[nodes[number] + 1]):
            other = order[place]
            here = ends[other] - begins[number]
            total = arrivals[number] + here + following[other]
            if here < 1 or total < shortest or total > longest or since[number] + here + until[other] < gap:
                continue
            turn = headings[number] - other_headings[other]
            turn = abs(turn - 2 * math.pi * math.floor(turn / (2 * math.pi) + 0.5))
            x, z = facings[begins[number] + here // 2, 0], facings[begins[number] + here // 2, 1]
            cosine = math.cos(headings[number]) - math.cos(other_headings[other])
            sine = math.sin(headings[number]) - math.sin(other_headings[other])
            dx = slides[number, 0] - other_slides[other, 0] + cosine * x + sine * z
            dz = slides[number, 1] - other_slides[other, 1] - sine * x + cosine * z
            miss = math.sqrt(dx * dx + dz * dz) + lever * turn
            cost = total + frames_per_metre * miss
            if miss <= farthest and cost < costs[number]:
                partners[number], costs[number] = other, cost
