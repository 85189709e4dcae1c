"""Searching with places: motions that are where they are asked to be, at the end and at any time before.

The answers of the search over the whole corpus know nothing of places; here they are the first to beat. Beginnings are
joined with endings (place_joins.py), three times, looking ahead more and more. What is found is refined and improved by
local search, and yielded whenever it is better. Bending the path makes good what is left (perform.py).
"""

from collections.abc import Iterator

import numpy as np

from motionloom.methods.timeline.objective.slots import chain_frames
from motionloom.methods.timeline.objective.solution import Solution, make_solution
from motionloom.methods.timeline.passes.cut_refinement import refine
from motionloom.methods.timeline.passes.forward_backward import Endings, backward_pass
from motionloom.methods.timeline.passes.trellis import Trellis
from motionloom.methods.timeline.places.ground import find_block_moves, find_legs
from motionloom.methods.timeline.places.local_search import tune
from motionloom.methods.timeline.places.place_joins import join

SHARES = (0.0, 0.3, 0.6)  # of a miss that is foreseen, by which beginnings are chosen


PER_BLOCK = 3  # numbers that are kept for every block of every slot, and every place
MOST_KEPT = 300_000_000  # numbers: 1.2 GB; a request that needs more has local search alone


def search_places(trellis: Trellis, known: Solution) -> Iterator[Solution]:
    """Solutions that cost less and less, with their places; none if nothing better than what is known is found.

    Args:
        trellis: of a problem with places.
        known: the solution to beat.
    """
    model, problem, stop = trellis.model, trellis.problem, trellis.stop
    if PER_BLOCK * len(problem.places) * trellis.n_blocks > MOST_KEPT:
        frames = tune(model, problem, known.frames, stop)
        if (frames != known.frames).any():
            yield make_solution(model, problem, frames, "best")
        return
    endings = Endings(trellis, backward_pass(trellis))
    moves = find_block_moves(model, trellis.slots)
    legs = find_legs(endings, moves)
    best, limit = known.cost, np.inf
    for share in SHARES:
        found = join(endings, legs, moves, share, limit)
        if found is None:
            continue
        limit = min(limit, found[0])
        frames = refine(model, problem, chain_frames(trellis.slots, found[1]))
        solution = make_solution(model, problem, tune(model, problem, frames, stop), "best")
        if solution.cost < best:
            best = solution.cost
            yield solution
