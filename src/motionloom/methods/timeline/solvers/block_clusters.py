"""Clusters of blocks: all blocks of one length, starting at every frame, grouped by how alike they are.

A block is embedded by the feature coordinates of its frames, one after another, and k-means groups the blocks. Blocks
that start at neighbouring frames say nearly the same, so nearly all of the embedding lies in few directions: k-means
works in the principal components that hold 99 % of it. On 7.5 minutes that takes a fifth of the time (0.6 s instead of
1.3 to 3.6 s for each length), and clusters are as tight (sum of squares within 1 % of k-means in the whole embedding).
It begins with random blocks rather than spread ones (k-means++): clusters are 10 % less tight, but more even, and even
clusters are what keeps the search quick, whose time grows with the square of a cluster.

Directions and centres are learnt once for a corpus, from some of the blocks of its recordings; the blocks of each take
then are in the cluster whose centre is nearest. So a choice of takes is clustered by looking at what is kept of each.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from motionloom.caching import cached
from motionloom.conform import View
from motionloom.conform.statistics import learn_statistics
from motionloom.features.principal_components import count_components, principal_components
from motionloom.graphs.view_measures import feature_statistics, measure_view_features
from motionloom.methods.timeline.model import Model
from motionloom.tasks import Progress, Stop, Stopped, one_thread_per_product

KEPT_VARIANCE = 0.99  # of the embedding
N_ROUNDS = 30  # of k-means at most
LEAST_GAIN = 1e-3  # share of the sum of squares that a round must still take away
BATCH = 8192  # blocks looked at at once
LEARNT_FROM = 16  # blocks for each cluster, at most, that directions and centres are learnt from
AT_LEAST = 20_000  # blocks that they are learnt from, where there are as many


@dataclass(frozen=True, eq=False)
class Clusters:
    """B blocks of one length in K clusters, none of them empty. A block is named by its first frame in the model."""

    size: int  # frames of a block
    cluster_of: np.ndarray  # (N,) int32: the cluster of the block that begins at each frame; -1 where none fits
    blocks: np.ndarray  # (B,) int64: all blocks, cluster by cluster
    starts: np.ndarray  # (K + 1,) int64: cluster c has blocks[starts[c] : starts[c + 1]]

    @property
    def n_clusters(self) -> int:
        """K."""
        return len(self.starts) - 1

    def around(self, block: int) -> np.ndarray:
        """All blocks of the cluster of a block, itself among them; only itself where it has none."""
        cluster = self.cluster_of[block]
        if cluster < 0:
            return np.array([block])
        return self.blocks[self.starts[cluster] : self.starts[cluster + 1]]

    def draw(self, n_draws: int, rng: np.random.Generator) -> np.ndarray:
        """(n_draws, K) one random block of every cluster, n_draws times."""
        sizes = np.diff(self.starts)
        return self.blocks[self.starts[:-1] + rng.integers(0, sizes, (n_draws, len(sizes)))]


def find_clusters(
    model: Model,
    size: int,
    n_clusters: int,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Clusters:
    """The clusters of all blocks of `size` frames: those of the corpus, of which some may have no block of the model.

    Args:
        model: of the corpus.
        size: frames of a block; some motion must be as long.
        n_clusters: how many; fewer where there are fewer blocks, or where those of the model are all in some.
        progress: called as progress(done, total) with rounds of k-means, at most.
        stop: asked often; `Stopped` is raised as soon as it answers True.
    """
    key = (size, n_clusters)
    if key not in model._blocks:
        cluster_of = _kept_clusters if _is_current(model) else cluster_blocks
        model._blocks[key] = cluster_of(model, size, n_clusters, progress, stop)
    return _gather(size, model._blocks[key])


def _is_current(model: Model) -> bool:
    """Whether the coordinates of a model are in the feature space that its corpus has now; else it is by itself."""
    return bool(model.space) and model.space == feature_statistics(model.view).digest


def _kept_clusters(
    model: Model, size: int, n_clusters: int, progress: Progress | None, stop: Stop | None
) -> np.ndarray:
    """(N,) int32 as `cluster_blocks`, by the clusters of the corpus; what is learnt and found is cached in it."""
    settings = {"space": model.space, "size": size, "clusters": n_clusters}
    learnt = learn_statistics(
        model.view, _learn, settings, lambda sample: _learn(sample, size, n_clusters, progress, stop)
    )

    def assign(name: str) -> dict[str, np.ndarray]:
        start, stop_frame = model.view.range_of(name)
        return _assign(model.coordinates[start:stop_frame], size, learnt.arrays, stop)

    found = model.view.parts(_assign, {"size": size, "clusters": learnt.digest}, assign).arrays["cluster_of"]
    used, numbers = np.unique(found, return_inverse=True)
    return (numbers - int(used[0] < 0)).astype(np.int32)


@cached("block clusters")
def _learn(
    view: View, size: int, n_clusters: int, progress: Progress | None, stop: Stop | None
) -> dict[str, np.ndarray]:
    """The mean of coordinates, directions of blocks and centres of their clusters, from some blocks of a view."""
    coordinates = np.ascontiguousarray(measure_view_features(view).coordinates, np.float32)
    fitting = np.flatnonzero(np.arange(len(coordinates)) + size <= np.repeat(view.starts[1:], np.diff(view.starts)))
    mean = coordinates.mean(axis=0)
    if not len(fitting):  # all recordings are shorter; what is longer is in one cluster
        return {"mean": mean, "directions": np.zeros((size * len(mean), 1), np.float32), "centres": np.zeros((1, 1))}
    rng = np.random.default_rng(0)
    n_blocks = min(len(fitting), max(AT_LEAST, LEARNT_FROM * n_clusters))
    blocks = np.sort(rng.choice(fitting, n_blocks, replace=False))
    with one_thread_per_product():
        directions = _find_directions(coordinates - mean, blocks, size, stop)
        points = _project(coordinates - mean, blocks, size, directions, stop)
        n_clusters = min(n_clusters, n_blocks)
        centres = _means(points, group(points, n_clusters, rng, progress, stop), n_clusters)
    return {"mean": mean, "directions": directions, "centres": centres}


@cached("timeline clusters", inputs=(measure_view_features,))
def _assign(
    coordinates: np.ndarray, size: int, learnt: Mapping[str, np.ndarray], stop: Stop | None
) -> dict[str, np.ndarray]:
    """(F,) the cluster of the block that begins at each frame of a motion, by its (F, P) coordinates; -1 at its end."""
    blocks = np.arange(max(len(coordinates) - size + 1, 0))
    cluster_of = np.full(len(coordinates), -1, np.int32)
    with one_thread_per_product():
        centred = coordinates.astype(np.float32) - learnt["mean"]
        points = _project(centred, blocks, size, learnt["directions"], stop)
        halves = np.einsum("bd,bd->b", points, points) / 2
        cluster_of[blocks], _ = _nearest(points, halves, learnt["centres"].astype(np.float32), stop)
    return {"cluster_of": cluster_of}


def fitting_blocks(model: Model, size: int) -> np.ndarray:
    """(B,) first frames of all blocks of `size` frames."""
    return np.flatnonzero(np.arange(model.n_frames) + size <= model.stops)


def cluster_blocks(
    model: Model,
    size: int,
    n_clusters: int,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> np.ndarray:
    """(N,) int32 the cluster of the block that begins at each frame, made now; -1 where no block of this size fits.

    Products are made on one thread: on several they are rounded otherwise, and some blocks change their cluster.
    """
    blocks = fitting_blocks(model, size)
    cluster_of = np.full(model.n_frames, -1, np.int32)
    with one_thread_per_product():
        points = _embed(model, blocks, size, stop)
        cluster_of[blocks] = group(points, min(n_clusters, len(blocks)), np.random.default_rng(0), progress, stop)
    return cluster_of


def group(
    points: np.ndarray,
    n_clusters: int,
    rng: np.random.Generator,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> np.ndarray:
    """(B,) which of the clusters each of (B, D) float32 points is in, by k-means; no cluster is empty."""
    centres = points[rng.choice(len(points), n_clusters, replace=False)]
    halves = np.einsum("bd,bd->b", points, points) / 2
    before = np.inf
    for done in range(N_ROUNDS):
        nearest, away = _nearest(points, halves, centres, stop)
        _fill_empty(nearest, away, n_clusters)
        centres = _means(points, nearest, n_clusters)
        if progress:
            progress(done + 1, N_ROUNDS)
        now = float(away.sum(dtype=float))
        if now >= (1 - LEAST_GAIN) * before:
            break
        before = now
    return nearest


def _gather(size: int, cluster_of: np.ndarray) -> Clusters:
    blocks = np.argsort(cluster_of, kind="stable")[np.count_nonzero(cluster_of < 0) :]
    starts = np.searchsorted(cluster_of[blocks], np.arange(cluster_of.max() + 2))
    return Clusters(size, cluster_of, blocks, starts)


def _embed(model: Model, blocks: np.ndarray, size: int, stop: Stop | None) -> np.ndarray:
    """(B, D) float32 principal components of the feature coordinates of blocks, frame after frame."""
    coordinates = np.ascontiguousarray(model.coordinates[: model.n_frames], np.float32)
    coordinates = coordinates - coordinates.mean(axis=0)
    return _project(coordinates, blocks, size, _find_directions(coordinates, blocks, size, stop), stop)


def _find_directions(coordinates: np.ndarray, blocks: np.ndarray, size: int, stop: Stop | None) -> np.ndarray:
    """(size * P, D) float32 the directions that hold nearly all of blocks, by (N, P) centred coordinates."""
    width = size * coordinates.shape[1]
    products = np.zeros((width, width))
    for batch in _batches(len(blocks), stop):
        embedded = _concatenate(coordinates, blocks[batch], size)
        products += embedded.T @ embedded
    variances, directions = principal_components(products)
    return np.ascontiguousarray(directions[:, : count_components(variances, KEPT_VARIANCE)], np.float32)


def _project(
    coordinates: np.ndarray, blocks: np.ndarray, size: int, directions: np.ndarray, stop: Stop | None
) -> np.ndarray:
    """(B, D) float32 blocks along directions."""
    points = np.empty((len(blocks), directions.shape[1]), np.float32)
    for batch in _batches(len(blocks), stop):
        points[batch] = _concatenate(coordinates, blocks[batch], size) @ directions
    return points


def _concatenate(coordinates: np.ndarray, blocks: np.ndarray, size: int) -> np.ndarray:
    """(B, size * P): the frames of a block stand one after another in memory already."""
    return coordinates[blocks[:, None] + np.arange(size)].reshape(len(blocks), -1)


def _nearest(
    points: np.ndarray, halves: np.ndarray, centres: np.ndarray, stop: Stop | None
) -> tuple[np.ndarray, np.ndarray]:
    """The nearest centre of each point, and half its squared distance."""
    nearest = np.empty(len(points), np.int32)
    away = np.empty(len(points), np.float32)
    centre_halves = np.einsum("kd,kd->k", centres, centres) / 2
    for batch in _batches(len(points), stop):
        closeness = points[batch] @ centres.T - centre_halves
        nearest[batch] = closeness.argmax(axis=1)
        away[batch] = np.maximum(halves[batch] - closeness.max(axis=1), 0.0)
    return nearest, away


def _fill_empty(nearest: np.ndarray, away: np.ndarray, n_clusters: int) -> None:
    """Give every empty cluster the point that is farthest from its centre and not alone there."""
    counts = np.bincount(nearest, minlength=n_clusters)
    empty = np.flatnonzero(counts == 0)
    if not len(empty):
        return
    for point in np.argsort(-away, kind="stable"):
        if counts[nearest[point]] > 1:
            counts[nearest[point]] -= 1
            nearest[point], empty = empty[0], empty[1:]
            if not len(empty):
                return


def _means(points: np.ndarray, nearest: np.ndarray, n_clusters: int) -> np.ndarray:
    order = np.argsort(nearest, kind="stable")
    starts = np.searchsorted(nearest[order], np.arange(n_clusters + 1))
    sums = np.add.reduceat(points[order], starts[:-1], axis=0)
    return sums / np.diff(starts)[:, None].astype(np.float32)


def _batches(n_rows: int, stop: Stop | None) -> Iterator[slice]:
    for start in range(0, n_rows, BATCH):
        if stop is not None and stop():
            raise Stopped
        yield slice(start, start + BATCH)
