"""The index of nearest frames: what it finds of what the exact search finds, and how its time and memory grow.

Settings were chosen on all sets of recordings together and on the demo corpus, so their recall is of what was looked
at; the odd takes were not. Growth is measured on parts of all takes with their mirrored copies, 94 minutes, and where
half of the frames stand still: ten copies of the calmest takes, with noise of 0.1 mm on every joint in every frame. The
extreme is one pose, held with that noise for as long as all takes are: frames are then as near as noise lets them, and
which of them are listed is left to it, so for those distances are compared and not frames.

Costs of requests say less than recall does, because the search makes up for continuations that lists lack. Lists cut to
half their length are measured beside, to see what it takes to make a difference.
"""

import time
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.measure import figure
from benchmarks.timeline import corpora
from benchmarks.timeline.requests import football_requests
from motionloom import formats
from motionloom.assembly import choose_material, solve
from motionloom.conform import View, ViewSettings, make_view
from motionloom.corpus import Corpus, Take
from motionloom.graphs.view_measures import measure_view_features, world_positions_of
from motionloom.methods import timeline
from motionloom.methods.timeline import Model, Request, Settings
from motionloom.methods.timeline.prepare import prepare_view
from motionloom.similarity import (
    NeighbourSettings,
    find_neighbours,
    in_nearest_distances,
    learn_features,
    measure_features,
    project,
    raw_features,
)
from motionloom.similarity.feature_space import FeatureDistances
from motionloom.similarity.index import NeighbourIndex, build_index, update_index
from motionloom.similarity.slices import lowest_in_time

SETS = "walking everyday football_like martial_arts breakdance boxing sneak styles locomotion_optim".split()
SHARES = (0.125, 0.25, 0.5, 1.0)  # of 94 minutes: about 12, 24, 47 and 94
N_COPIES = 10  # of calm takes
NOISE = 1e-4  # metres
N_REQUESTS = 20
BLOCKS, BLOCK = 400, 16  # runs of frames whose lists are compared with the exact ones, where there are many
WHOLE = 80_000  # frames of which all lists are compared
PARTS = {"7.5 of 47 minutes": 0.16, "half of 47 minutes": 0.5}


@dataclass(frozen=True)
class Growth:
    """Sizes, and what an index of that size takes and finds."""

    frames: tuple[int, ...]
    seconds: tuple[float, ...]  # on all cores
    processor: tuple[float, ...]  # seconds, of all cores together: what else the machine does makes less difference
    bytes: tuple[int, ...]
    recalls: tuple[float, ...]


def figures(data: Path) -> list[dict]:
    """Everything that is claimed about the index."""
    build_index(measure_features(np.random.default_rng(0).normal(size=(600, 21)).cumsum(axis=0), [0, 300, 600]))
    return [*_found_figures(data), *_growth_figures(data), *_change_figures(data), *_cost_figures(data)]


def _found_figures(data: Path) -> list[dict]:
    recalls = {name: _recall_of(_measure(corpora.set_of(data, name))) for name in SETS}
    recalls["the demo corpus"] = _recall_of(_measure(corpora.demo()))
    recalls["odd takes"] = _recall_of(_measure(_odd(data)))
    return [figure(f"index; recall on {name}", value, "share", "higher") for name, value in recalls.items()]


def _growth_figures(data: Path) -> list[dict]:
    found = []
    for name, growth in (("", grow(mirrored_takes(data))), (", half of it standing still", grow(standing_takes(data)))):
        exponents = [_exponent(growth.frames, part) for part in (growth.processor, growth.bytes)]
        found += [
            figure(f"index; lists of 47 minutes{name}; time", growth.seconds[2], "s", "lower"),
            figure(f"index; lists of 94 minutes{name}; time", growth.seconds[3], "s", "lower"),
            figure(f"index; lists of 94 minutes{name}; processor time", growth.processor[3], "s", "lower"),
            figure(f"index; time from 12 to 94 minutes{name}; exponent", exponents[0], "", "lower"),
            figure(f"index; memory from 12 to 94 minutes{name}; exponent", exponents[1], "", "lower"),
            figure(f"index; memory of 94 minutes{name}", growth.bytes[3] / 2**20, "MB", "lower"),
            figure(f"index; recall on 47 minutes{name}", growth.recalls[2], "share", "higher"),
            figure(f"index; recall on 94 minutes{name}", growth.recalls[3], "share", "higher"),
        ]
    held, n_moving = _held(data), _view(corpora.everything(data)).n_frames
    index, seconds = _clock(lambda: build_index(held))
    return [
        *found,
        figure("index; lists of 94 minutes, half of it one pose; time", seconds, "s", "lower"),
        figure("index; recall of moving frames, same", _recall(held, index, stop=n_moving), "share", "higher"),
        figure("index; lists of the pose, farther than exact ones", _farther(held, index, n_moving), "%", "lower"),
    ]


def _change_figures(data: Path) -> list[dict]:
    """Takes come and go: the one of 10 s with its mirrored copy, and parts of the corpus."""
    measure = _measure(corpora.everything(data))
    lengths = np.diff(measure.starts)
    n_motions = len(lengths)
    added = np.argsort(abs(lengths - 600), kind="stable")[:2]  # two of 10 s, as a take and its mirrored copy are
    rest = np.setdiff1d(np.arange(n_motions), added)
    before, after = choose(measure, rest), choose(measure, np.concatenate([rest, added]))
    index = build_index(before)
    numbers = np.concatenate([np.arange(len(rest)), [-1, -1]])
    longer, seconds = _clock(lambda: update_index(index, numbers, after))
    shorter, back = _clock(lambda: update_index(longer, np.arange(len(rest)), before))
    found = [
        figure("index; adding a take of 10 s and its mirrored copy to 47 minutes", seconds, "s", "lower"),
        figure("index; recall after adding", _recall(after, longer), "share", "higher"),
        figure("index; removing them again", back, "s", "lower"),
        figure("index; recall after removing", _recall(before, shorter), "share", "higher"),
    ]
    whole = build_index(measure)
    for name, share in PARTS.items():
        chosen = _pick(lengths, share)
        part = choose(measure, chosen)
        index, seconds = _clock(lambda chosen=chosen, part=part: update_index(whole, chosen, part))  # type: ignore[misc]
        found.append(figure(f"index; lists of {name}; time", seconds, "s", "lower"))
        found.append(figure(f"index; lists of {name}; recall", _recall(part, index), "share", "higher"))
    return found


def _cost_figures(data: Path) -> list[dict]:
    found = []
    for name, corpus in (("F", corpora.football(data)), ("47 minutes", corpora.everything(data))):
        model = prepare_view(_view(corpus), Settings())
        more = compare_costs(model, with_exact_lists(model))
        found.append(figure(f"index; cost of 20 requests on {name} beside exact lists", more[0], "%", "lower"))
        found.append(figure(f"index; cost of the worst of 20 requests on {name}", more[1], "%", "lower"))
    half = compare_costs(replace(model, neighbours=_half(model.neighbours), distances=_half(model.distances)), model)
    found.append(figure("index; cost of 20 requests on 47 minutes with lists half as long", half[0], "%", "lower"))
    return found


def compare_costs(model: Model, exact: Model) -> tuple[float, float]:
    """How much more 20 requests cost with one model than with another, together and at worst; percent."""
    requests = [*football_requests(2).values()][:N_REQUESTS]
    costs = np.array([[_cost(part, request) for part in (model, exact)] for request in requests])
    together = costs[:, 0].sum() / costs[:, 1].sum() - 1
    return 100 * float(together), 100 * float((costs[:, 0] / np.maximum(costs[:, 1], 1e-6) - 1).max())


def with_exact_lists(model: Model) -> Model:
    """A model with the lists of the exact search."""
    n = model.n_frames
    measure, settings = measure_features(model.coordinates[:n], model.starts), NeighbourSettings()
    found = find_neighbours(measure, settings)
    neighbours, distances = model.neighbours.copy(), model.distances.copy()
    neighbours[:n], distances[:n] = found.frames, found.distances
    for number, point in enumerate(model.coordinates[n:]):
        away = np.linalg.norm(measure.coordinates - point, axis=1)
        lowest = lowest_in_time(away, measure.starts, settings.apart)
        stop = measure.starts[number + 1]
        lowest[max(measure.starts[number], stop - settings.own_frames) : stop] = False
        nearest = np.flatnonzero(lowest)
        nearest = nearest[np.argsort(away[nearest], kind="stable")][: settings.count]
        neighbours[n + number], distances[n + number] = -1, np.inf
        neighbours[n + number, : len(nearest)], distances[n + number, : len(nearest)] = nearest, away[nearest]
    return replace(model, neighbours=neighbours, distances=distances)


def grow(measure: FeatureDistances) -> Growth:
    """Index parts of a corpus, from an eighth of it to all."""
    rows = []
    for share in SHARES:
        part = choose(measure, _pick(np.diff(measure.starts), share))
        processor = time.process_time()
        index, seconds = _clock(lambda part=part: build_index(part))  # type: ignore[misc]
        processor = time.process_time() - processor
        tracemalloc.start()
        build_index(part)
        rows.append((part.n_frames, seconds, processor, tracemalloc.get_traced_memory()[1], _recall(part, index)))
        tracemalloc.stop()
    return Growth(*zip(*rows))


def all_pairs(measure: FeatureDistances) -> tuple[list[int], list[float]]:
    """Frames of the same parts, and processor seconds that the exact search takes on them."""
    sizes, seconds = [], []
    for share in SHARES:
        part = choose(measure, _pick(np.diff(measure.starts), share))
        began = time.process_time()
        find_neighbours(part)
        sizes.append(part.n_frames)
        seconds.append(time.process_time() - began)
    return sizes, seconds


def choose(measure: FeatureDistances, motions: np.ndarray) -> FeatureDistances:
    """Some motions of a measure, in this order."""
    parts = [measure.coordinates[measure.starts[m] : measure.starts[m + 1]] for m in motions]
    return measure_features(np.concatenate(parts), np.concatenate([[0], np.cumsum([len(part) for part in parts])]))


def _pick(lengths: np.ndarray, share: float) -> np.ndarray:
    """Motions that have a share of all frames, at random; more have those of less."""
    order = np.random.default_rng(0).permutation(len(lengths))
    until = np.searchsorted(np.cumsum(lengths[order]), share * lengths.sum() - 1)
    return np.sort(order[: until + 1])


def _recall_of(measure: FeatureDistances) -> float:
    return _recall(measure, build_index(measure))


def _recall(measure: FeatureDistances, index: NeighbourIndex, stop: int | None = None) -> float:
    """The share of the frames in exact lists that the index lists too, over runs of frames all over the corpus."""
    hits = total = 0
    for rows in _runs(0, stop or measure.n_frames):
        for exact, listed in zip(find_neighbours(measure, rows=rows).frames, index.frames[rows]):
            hits += int(np.isin(exact[exact >= 0], listed).sum())
            total += int((exact >= 0).sum())
    return hits / total


def _runs(first: int, stop: int) -> list[slice]:
    """All frames at once if they are few, else runs of them, evenly spread: neighbours in time say nearly the same."""
    if stop - first <= WHOLE:
        return [slice(first, stop)]
    return [slice(int(start), int(start) + BLOCK) for start in np.linspace(first, stop - BLOCK, BLOCKS)]


def _farther(measure: FeatureDistances, index: NeighbourIndex, first: int) -> float:
    """How much farther the last frame of a list is than that of the exact list, from a frame on; percent."""
    more = []
    for rows in _runs(first, measure.n_frames):
        more.append(index.distances[rows, -1] / find_neighbours(measure, rows=rows).distances[:, -1] - 1)
    return 100 * float(np.mean(more))


def _half(lists: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(lists[:, : lists.shape[1] // 2])


def _measure(corpus: Corpus) -> FeatureDistances:
    return measure_view_features(_view(corpus))


def _view(corpus: Corpus, mirrored: bool = False) -> View:
    return make_view(corpus, choose_material(corpus, None), ViewSettings(fps=60.0, mirrored=mirrored))


@cache
def _odd(data: Path) -> Corpus:
    """The takes that were kept for their oddities."""
    corpus = Corpus.create(corpora.folder_for("odd"))
    for path in sorted((data / "odd").glob("*.bvh")):
        take = formats.read(path)
        corpus.add(Take(path.stem, take.motion, take.source, take.findings))
    return corpus


@cache
def mirrored_takes(data: Path) -> FeatureDistances:
    """All takes and their mirrored copies."""
    return measure_view_features(_view(corpora.everything(data), mirrored=True))


@cache
def standing_takes(data: Path) -> FeatureDistances:
    """All takes, and as many frames of copies of the calmest ones, with noise."""
    view, rng = _view(corpora.everything(data)), np.random.default_rng(0)
    positions = world_positions_of(view)
    takes = [positions[start:stop] for start, stop in zip(view.starts[:-1], view.starts[1:])]
    order = np.argsort([np.linalg.norm(np.diff(take, axis=0), axis=-1).mean() for take in takes], kind="stable")
    until = np.searchsorted(np.cumsum(np.diff(view.starts)[order]), view.n_frames / N_COPIES)
    calm = [takes[number] for number in order[:until]]
    return _place(
        view, [*takes, *(take + rng.normal(0.0, NOISE, take.shape) for _ in range(N_COPIES) for take in calm)]
    )


@cache
def _held(data: Path) -> FeatureDistances:
    """All takes, and as many frames of one pose with noise, in takes of 10 s."""
    view, rng = _view(corpora.everything(data)), np.random.default_rng(0)
    positions = world_positions_of(view)
    takes = [positions[start:stop] for start, stop in zip(view.starts[:-1], view.starts[1:])]
    pose = takes[0][:1]
    held = [pose + rng.normal(0.0, NOISE, (600, *pose.shape[1:])) for _ in range(view.n_frames // 600)]
    return _place(view, [*takes, *held])


def _place(view: View, takes: list[np.ndarray]) -> FeatureDistances:
    """Takes of world positions in the feature space that is learnt from them."""
    starts = np.concatenate([[0], np.cumsum([len(take) for take in takes])])
    every = np.concatenate(takes)
    space = learn_features(view.skeleton, every, starts, view.fps)
    places = project(space, raw_features(view.skeleton, every, starts, view.fps, space.joints))
    scaled = in_nearest_distances(space, places, starts)
    return measure_features(places * float(space.unit_distance / scaled.unit_distance), starts)


def _cost(model: Model, request: Request) -> float:
    return solve(timeline, model, request)[0].cost


def _clock(work: Callable[[], NeighbourIndex]) -> tuple[NeighbourIndex, float]:
    began = time.perf_counter()
    made = work()
    return made, time.perf_counter() - began


def _exponent(sizes: tuple[int, ...], values: tuple[float, ...] | tuple[int, ...]) -> float:
    return float(np.polyfit(np.log(sizes), np.log(values), 1)[0])
