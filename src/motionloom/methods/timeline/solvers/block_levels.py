"""Levels of the search by blocks: slots of one length, the blocks to choose from, and the best chain of them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.errors import BadInput
from motionloom.methods.timeline.model import Model
from motionloom.methods.timeline.objective.problem import Problem
from motionloom.methods.timeline.objective.slots import FREE, Slots, chain_frames, make_slots, running_wrong
from motionloom.methods.timeline.solvers.block_clusters import Clusters, find_clusters
from motionloom.motion.runs import find_equal_runs
from motionloom.tasks import Progress, Stop

FEW = 2  # times fewer clusters than are wanted: then the corpus is clustered more finely
MOST_TIMES = 16  # times as many clusters of a corpus as are wanted of a model, at most
Run = tuple[int, int, int]  # running sum, first frame within the slot, one past the last


@dataclass(frozen=True, eq=False)
class Labelling:
    """What the labels of blocks cost anywhere in an answer."""

    sums: np.ndarray  # (2 L + W, N + 1) running sums over the model: how wrong frames are where a label must hold, must
    # not, and what they cost for what they do besides, for each way of painting

    def price(self, runs: Sequence[Run], blocks: np.ndarray) -> np.ndarray:
        """(C,) wrong labels of blocks in a slot that is painted in runs."""
        wrong = np.zeros(len(blocks))
        for row, first, last in runs:
            sums = self.sums[row]
            wrong += sums[blocks + last] - sums[blocks + first]
        return wrong


@dataclass(frozen=True, eq=False)
class Level:
    """One level of the search: slots of one length, but shorter before forced clips and at the end."""

    slots: Slots
    clusters: Clusters
    runs: tuple[tuple[Run, ...], ...]  # S: how each slot is painted

    def draw(self, rng: np.random.Generator) -> list[np.ndarray]:
        """S active sets: a random block of every cluster, others in each slot."""
        drawn = self.clusters.draw(self.slots.n_slots, rng)
        return [
            blocks if forced == FREE else np.array([forced])
            for blocks, forced in zip(drawn, self.slots.forced.tolist())
        ]

    def around(self, frames: np.ndarray) -> list[np.ndarray]:
        """S active sets: all blocks like those that (F,) frames of a coarser answer have in each slot, and those."""
        parents = frames[self.slots.borders[:-1]].tolist()
        return [
            self.clusters.around(parent) if forced == FREE else np.array([forced])
            for parent, forced in zip(parents, self.slots.forced.tolist())
        ]

    def frames(self, chain: np.ndarray) -> np.ndarray:
        """(F,) frames of the model that a chain of (S,) blocks plays."""
        return chain_frames(self.slots, chain)


def make_levels(
    model: Model, problem: Problem, progress: Progress | None = None, stop: Stop | None = None
) -> tuple[Level, ...]:
    """The levels of the search, the longest blocks first; every border of a level is a border of all below it.

    Where no motion is as long as a block there is no such level; there is always one.
    """
    levels = []
    for clusters in cluster_levels(model, progress, stop):
        slots = make_slots(problem, clusters.size)
        levels.append(Level(slots, clusters, paint_runs(problem, slots)))
    return tuple(levels)


def cluster_levels(model: Model, progress: Progress | None = None, stop: Stop | None = None) -> list[Clusters]:
    """The clusters of every level, the longest blocks first; made if they are not kept in the corpus yet."""
    chosen, sizes = model.settings.by_blocks, _sizes(model)
    usual = 2 ** round(np.log2(max(model.n_frames // chosen.blocks_per_cluster, 1)))  # so that few numbers are learnt
    wanted = [chosen.top_clusters, *[usual] * (len(sizes) - 1)]
    return [
        _find_about(model, size, count, _part(progress, number, len(sizes)), stop)
        for number, (size, count) in enumerate(zip(sizes, wanted))
    ]


def _find_about(model: Model, size: int, wanted: int, progress: Progress | None, stop: Stop | None) -> Clusters:
    """About so many clusters; more of those of the corpus are looked at where the model has blocks of few of them."""
    count = wanted
    while True:
        clusters = find_clusters(model, size, count, progress, stop)
        if FEW * clusters.n_clusters >= min(wanted, len(clusters.blocks)) or count >= MOST_TIMES * wanted:
            return clusters
        count *= 2


def make_labelling(problem: Problem) -> Labelling:
    """Prepare what labels cost: once for a problem."""
    sums = [running_wrong(problem, label)[value] for label in range(len(problem.labels)) for value in (1, -1)]
    return Labelling(np.array([*sums, *problem.company.running()]))


def paint_runs(problem: Problem, slots: Slots) -> tuple[tuple[Run, ...], ...]:
    """For every slot the runs of frames that are painted alike: in each label, and in all of them together."""
    pairs = zip(slots.borders, slots.borders[1:])
    return tuple((*_label_runs(problem, *slot), *_way_runs(problem, *slot)) for slot in pairs)


def _label_runs(problem: Problem, start: int, stop: int) -> Iterable[Run]:
    for label in range(len(problem.labels)):
        for first, last, value in find_equal_runs(problem.paint[start:stop, label]):
            if value:
                yield 2 * label + (value < 0), first, last


def _way_runs(problem: Problem, start: int, stop: int) -> Iterable[Run]:
    company = problem.company
    for first, last, way in find_equal_runs(company.way_of[start:stop]):
        if company.costs_anything(way):
            yield 2 * len(problem.labels) + way, first, last


def best_chain(
    model: Model,
    problem: Problem,
    level: Level,
    active: Sequence[np.ndarray],
    labelling: Labelling,
    stop: Stop | None = None,
) -> np.ndarray | None:
    """(S,) the blocks, one of every active set, that cost least together (eq. 3); None if it was stopped."""
    from motionloom.methods.timeline.passes._kernels import enter_blocks

    lengths = level.slots.lengths
    paid = labelling.price(level.runs[0], active[0])
    origins = [np.zeros(len(active[0]), np.int64)]
    for slot in range(1, len(active)):
        if stop is not None and stop():
            return None
        before, blocks = active[slot - 1], active[slot]
        after = model.following[before + lengths[slot - 1] - 1]
        best, come_from = np.empty(len(blocks)), np.zeros(len(blocks), np.int64)
        entries = np.ascontiguousarray(model.coordinates[blocks].T)
        enter_blocks(
            model.coordinates[after],
            after,
            paid,
            np.argsort(paid, kind="stable"),
            entries,
            blocks,
            float(problem.cut_weight),
            float(problem.fee),
            np.empty(len(blocks)),
            best,
            come_from,
        )
        paid = best + labelling.price(level.runs[slot], blocks)
        origins.append(come_from)
    return _trace_back(active, origins, int(np.argmin(paid)))


def _trace_back(active: Sequence[np.ndarray], origins: list[np.ndarray], last: int) -> np.ndarray:
    chain = np.empty(len(active), np.int64)
    for slot in range(len(active) - 1, -1, -1):
        chain[slot] = active[slot][last]
        last = int(origins[slot][last])
    return chain


def _sizes(model: Model) -> tuple[int, ...]:
    sizes = model.settings.by_blocks.sizes
    if not sizes or min(sizes) < 1 or any(long % short or long == short for long, short in zip(sizes, sizes[1:])):
        raise BadInput(f"blocks of {sizes} frames; each must be a multiple of the next, such as (32, 16, 8)")
    longest = int(np.diff(model.starts).max())
    return tuple(size for size in sizes if size <= longest) or (longest,)


def _part(progress: Progress | None, number: int, n_parts: int) -> Progress | None:
    """Progress within one of several parts."""
    if progress is None:
        return None
    return lambda done, total: progress(number * total + done, n_parts * total)
