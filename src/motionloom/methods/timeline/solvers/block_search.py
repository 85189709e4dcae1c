"""The paper's search: long blocks first, then shorter ones near what was found, again and again from other blocks.

At the top one random block of every cluster may fill a slot; below, all blocks of the cluster of the block that the
level above has there, itself among them, so that no level makes a motion cost more. Forced frames are the only block of
their slots on every level. Where there are places, every level has a pool (block_pool.py); then the whole cost counts,
and a level hands on whichever is cheapest: what its own pass found, one cut between that and a motion of the pool,
or what it was given. At the end of every restart the cuts are moved to where they cost least (cut_refinement.py).
"""

from collections.abc import Iterator, Sequence

import numpy as np

from motionloom.errors import BadInput
from motionloom.methods.timeline.model import Model
from motionloom.methods.timeline.objective.problem import Problem
from motionloom.methods.timeline.objective.slots import make_slots
from motionloom.methods.timeline.objective.solution import Solution, make_solution
from motionloom.methods.timeline.passes.cut_refinement import refine
from motionloom.methods.timeline.solvers.block_clusters import Clusters, fitting_blocks
from motionloom.methods.timeline.solvers.block_levels import (
    Labelling,
    Level,
    best_chain,
    make_labelling,
    make_levels,
    paint_runs,
)
from motionloom.methods.timeline.solvers.block_pool import Pool, best_combination, describe
from motionloom.tasks import Progress, Stop, Stopped

USUAL_RESTARTS = 50
N_HASTY = 8  # random blocks of each slot that a search chooses from which was stopped at once
LEAST_GAIN = 1e-9  # wrong frames that a better answer is cheaper by


def search(
    model: Model,
    problem: Problem,
    rng: np.random.Generator,
    *,
    iterations: int | None = USUAL_RESTARTS,
    stop: Stop | None = None,
    progress: Progress | None = None,
) -> Iterator[Solution]:
    """Answers as they are found, each cheaper than the one before; there is one however soon the search is stopped.

    Args:
        model: of the corpus.
        problem: what is asked.
        rng: of the random restarts.
        iterations: restarts; None until stopped, which needs a `stop`.
        stop: asked at every slot of every level.
        progress: called as progress(done, total) while clusters are made for the first time.
    """
    if iterations is None and stop is None:
        raise BadInput("restarts without a limit never end; give their number, or something that stops the search")
    best = np.inf
    restart = 0
    for restart, frames in enumerate(_restarts(model, problem, rng, iterations, stop, progress), start=1):
        if stop is None or not stop() or restart == 1:
            frames = refine(model, problem, frames)
        answer = make_solution(model, problem, frames, f"restart {restart}")
        if answer.cost < best - LEAST_GAIN:
            best = answer.cost
            yield answer


def _restarts(
    model: Model,
    problem: Problem,
    rng: np.random.Generator,
    iterations: int | None,
    stop: Stop | None,
    progress: Progress | None,
) -> Iterator[np.ndarray]:
    """(F,) frames of each restart; of one that was stopped as far as it came; there is at least one."""
    labelling = make_labelling(problem)
    try:
        levels = make_levels(model, problem, progress, stop)
    except Stopped:
        yield _hasty(model, problem, labelling, rng)
        return
    pools = [Pool(model.settings.by_blocks.pool, []) for _ in levels]
    n_done = 0
    while iterations is None or n_done < max(iterations, 1):
        frames, is_complete = _descend(model, problem, levels, pools, labelling, rng, stop)
        if frames is not None:
            yield frames
        elif n_done == 0:
            yield _hasty(model, problem, labelling, rng)
        if not is_complete:
            return
        n_done += 1


def _descend(
    model: Model,
    problem: Problem,
    levels: Sequence[Level],
    pools: Sequence[Pool],
    labelling: Labelling,
    rng: np.random.Generator,
    stop: Stop | None,
) -> tuple[np.ndarray | None, bool]:
    """(F,) frames of one restart through all levels, and whether it came to the end of them; None: not even one."""
    frames = None
    for level, pool in zip(levels, pools):
        active = level.draw(rng) if frames is None else level.around(frames)
        chain = best_chain(model, problem, level, active, labelling, stop)
        if chain is None:
            return frames, False
        if problem.places:
            chain = _place(model, problem, level, pool, chain, frames)
        frames = level.frames(chain)
    return frames, True


def _place(
    model: Model,
    problem: Problem,
    level: Level,
    pool: Pool,
    chain: np.ndarray,
    parent: np.ndarray | None,
) -> np.ndarray:
    """(S,) the cheapest blocks by the whole cost: a new motion, one cut between it and the pool, or its parent."""
    new = describe(model, problem, level.slots, chain)
    candidates = [new]
    found = best_combination(model, problem, level.slots, new, pool)
    if found is not None and found[0] < new.cost:
        candidates.append(describe(model, problem, level.slots, found[1]))
    if parent is not None:
        candidates.append(describe(model, problem, level.slots, parent[level.slots.borders[:-1]]))
    pool.add(new)  # what is made of it would crowd out the variety that combinations live on
    return min(candidates, key=lambda candidate: candidate.cost).chain


def _hasty(model: Model, problem: Problem, labelling: Labelling, rng: np.random.Generator) -> np.ndarray:
    """(F,) frames of a motion for which there was no time: the best chain of a few random blocks."""
    size = min(model.settings.by_blocks.sizes[0], int(np.diff(model.starts).max()))
    blocks = fitting_blocks(model, size)
    no_cluster = np.full(model.n_frames, -1, np.int32)
    slots = make_slots(problem, size)
    strata = np.linspace(0, len(blocks), min(N_HASTY, len(blocks)) + 1).astype(int)
    level = Level(slots, Clusters(size, no_cluster, blocks, strata), paint_runs(problem, slots))
    chain = best_chain(model, problem, level, level.draw(rng), labelling)
    assert chain is not None
    return level.frames(chain)
