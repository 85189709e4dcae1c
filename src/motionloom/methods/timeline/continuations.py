"""Nearest continuations: which frames are nearest to each frame of a view, from one index of the corpus.

The index is kept for the corpus and not for a view. A view of takes that it has all of is a part of it; where some are
new, they are added, and takes that have left the corpus go. So only what differs is searched.
"""

import hashlib
import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from motionloom.caching import Recent, cached
from motionloom.conform import View, ViewSettings, make_view
from motionloom.conform.base_view import take_of
from motionloom.conform.view_builder import motion_key
from motionloom.corpus.material import recorded_bodies
from motionloom.corpus.models import find_model, keep_model
from motionloom.errors import BadInput
from motionloom.graphs.view_measures import feature_statistics, measure_view_features
from motionloom.similarity import NeighbourSettings
from motionloom.similarity.feature_space import FeatureDistances
from motionloom.similarity.index import CellSettings, NeighbourIndex, build_index, search_points, update_index
from motionloom.tasks import Progress

PART = CellSettings(shortlist=192, probes=48, compared=384)  # to refill lists of a large part of the corpus
LARGE = 20_000  # frames
KEPT = 4  # indices of a corpus: of feature spaces, rates and numbers of neighbours
_ABOUT = "about"  # the array that names the motions of an index, as JSON

_parts: Recent[tuple[Path, str, tuple[str, ...]], NeighbourIndex] = Recent(2)  # by corpus, space and motions


@dataclass(frozen=True, eq=False)
class Continuations:
    """The frames nearest to all N frames of a view and to the M made-up ones after the ends of its motions."""

    coordinates: np.ndarray  # (N + M, P) in the feature space
    frames: np.ndarray  # (N + M, k) int32, nearest first; -1: no more
    distances: np.ndarray  # (N + M, k) float32; infinite where there are no more


def find_continuations(view: View, count: int, progress: Progress | None = None) -> Continuations:
    """The nearest continuations of a view; the index of the corpus is kept if it is open for writing.

    Args:
        view: N frames of M motions.
        count: frames that are listed, k.
        progress: called as progress(done, total) while frames are searched.
    """
    settings, measure = NeighbourSettings(count=count), measure_view_features(view)
    kept = _read(view, count)
    if kept is None or not kept.has(view.motion_keys):
        kept = _add(view, kept or _Kept((), None), settings, progress)
        _keep(view, count, kept)
    lists = kept.index
    assert lists is not None
    if kept.keys != view.motion_keys:
        lists = _part(view, kept, measure, settings, progress)
    return _with_ends(measure, lists, settings)


def _part(
    view: View, kept: "_Kept", measure: FeatureDistances, settings: NeighbourSettings, progress: Progress | None
) -> NeighbourIndex:
    """The lists of a view of some takes; they stay known while other takes of the corpus come and go."""
    key = (view.corpus.folder, _key(view, settings.count), view.motion_keys)
    part = _parts.get(key)
    if part is None:
        how = PART if view.n_frames > LARGE else None
        part = _update(kept.index, kept.numbers(view.motion_keys), measure, settings, progress, how)
    _parts.put(key, part)
    return part


@dataclass(frozen=True, eq=False)
class _Kept:
    """An index, and the keys of its motions."""

    keys: tuple[str, ...]
    index: NeighbourIndex | None  # None where there is none yet

    def has(self, keys: Sequence[str]) -> bool:
        return set(keys) <= set(self.keys)

    def numbers(self, keys: Sequence[str]) -> np.ndarray:
        """(M,) int: the number of each motion in the index, -1 if it is not there."""
        known = {key: number for number, key in enumerate(self.keys)}
        return np.array([known.get(key, -1) for key in keys])


def _add(view: View, kept: _Kept, settings: NeighbourSettings, progress: Progress | None) -> _Kept:
    """The index with the motions of a view that it has not got, and without those that the corpus has no longer."""
    names = {take_of(name) for name in view.names}
    others = [
        info.name
        for info in recorded_bodies(view.corpus.infos())
        if info.name not in names and motion_key(info, view.fps, view.skeleton) in kept.keys
    ]
    whole = view
    if others:
        asked = ViewSettings(fps=view.fps, mirrored=len(view.names) > len(names))
        whole = make_view(view.corpus, sorted([*names, *others]), asked, skeleton=view.skeleton)
    measure, numbers = measure_view_features(whole), kept.numbers(whole.motion_keys)
    return _Kept(whole.motion_keys, _update(kept.index, numbers, measure, settings, progress))


def _update(
    index: NeighbourIndex | None,
    numbers: np.ndarray,
    measure: FeatureDistances,
    settings: NeighbourSettings,
    progress: Progress | None,
    how: CellSettings | None = None,
) -> NeighbourIndex:
    return NeighbourIndex.from_arrays(_search(index, numbers, measure, settings, progress, how))


@cached("nearest frames", at_most=KEPT)
def _search(
    index: NeighbourIndex | None,
    numbers: np.ndarray,
    measure: FeatureDistances,
    settings: NeighbourSettings,
    progress: Progress | None,
    how: CellSettings | None,
) -> dict[str, np.ndarray]:
    """An index of the motions of a measure, from one that has some of them; arguments as in `update_index`."""
    if index is not None and (numbers >= 0).any():
        with suppress(BadInput):  # it does not fit, however that came
            return update_index(index, numbers, measure, settings, how, progress=progress).to_arrays()
    return build_index(measure, settings, progress=progress).to_arrays()


def _read(view: View, count: int) -> _Kept | None:
    """The index that is kept for the feature space of a view."""
    arrays = find_model(view.corpus, _search.name, _key(view, count), at_most=KEPT)
    if arrays is None:
        return None
    keys = tuple(json.loads(bytes(arrays[_ABOUT])))
    return _Kept(keys, NeighbourIndex.from_arrays(arrays))


def _keep(view: View, count: int, kept: _Kept) -> None:
    """Keep an index; takes that are purged leave numbers of frames and distances in it until it is next changed."""
    if kept.index is None or not view.corpus.can_write:
        return
    about = np.frombuffer(json.dumps(kept.keys).encode(), np.uint8)
    keep_model(
        view.corpus,
        _search.name,
        _key(view, count),
        {**kept.index.to_arrays(), _ABOUT: about},
        settings={"neighbours": count},
        takes=[],
        code_version=_search.code_version,
        at_most=KEPT,
    )


def _key(view: View, count: int) -> str:
    parts = [feature_statistics(view).digest, count, _search.code_version]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


def _with_ends(measure: FeatureDistances, lists: NeighbourIndex, settings: NeighbourSettings) -> Continuations:
    """The lists of all frames, and of what would come after the ends of motions."""
    starts = measure.starts
    ends = go_on(measure.coordinates, starts)
    own = np.maximum(starts[:-1], starts[1:] - settings.own_frames)
    frames, distances = search_points(measure, ends, np.stack([own, starts[1:]], axis=1), settings)
    return Continuations(
        np.concatenate([measure.coordinates, ends]),
        np.concatenate([lists.frames, frames]),
        np.concatenate([lists.distances, distances]),
    )


def go_on(values: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """(M, ...) what would come after the last frame of each motion, if it went on as it moved."""
    last = starts[1:] - 1
    before = np.maximum(last - 1, starts[:-1])
    return 2 * values[last] - values[before]
