"""Provenance: the sources of each frame of a motion, recorded or generated, with weights."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from motionloom.errors import BadInput

RECORDED, GENERATED = "recorded", "generated"
TOLERANCE = 1e-6  # by which the weights of a frame may differ from 1
FARTHEST_STEP = 16.0  # frames of a source from one frame to the next; a larger step is a jump, not a speed-up


@dataclass(frozen=True)
class SourceOfFrames:
    """A source of frames: a recorded take, or a model that generated them."""

    name: str  # of the take, or of the model
    kind: str = RECORDED  # or "generated"
    details: Mapping[str, Any] = field(default_factory=dict)  # parameters of a model, as JSON can hold them


@dataclass(frozen=True, eq=False)
class Provenance:
    """For each of F frames up to S entries: source, frame of the source, and weight.

    The weights of a frame sum to 1. An entry of weight 0 is a note: the recorded frame nearest to a generated one.
    """

    sources: tuple[SourceOfFrames, ...]
    indices: np.ndarray  # (F, S) int into sources; -1 for no entry
    frames: np.ndarray  # (F, S) float: frame of the source, may be fractional
    weights: np.ndarray  # (F, S) float, 0 if there is no entry

    def __post_init__(self) -> None:
        for attribute, dtype in (("indices", np.int64), ("frames", float), ("weights", float)):
            array = np.asarray(getattr(self, attribute), dtype=dtype).view()
            array.setflags(write=False)
            object.__setattr__(self, attribute, array)
        _check(self)

    @property
    def n_frames(self) -> int:
        return len(self.indices)

    def of_frame(self, frame: int) -> list[tuple[SourceOfFrames, float, float]]:
        """Source, frame and weight of every entry of one frame, by decreasing weight."""
        entries = [
            (self.sources[i], float(f), float(w))
            for i, f, w in zip(self.indices[frame], self.frames[frame], self.weights[frame])
            if i >= 0
        ]
        return sorted(entries, key=lambda entry: -entry[2])


def recorded(name: str, frames: Sequence[float] | np.ndarray) -> Provenance:
    """The provenance of frames of one take."""
    return _of_one(SourceOfFrames(name), np.asarray(frames, float))


def generated(name: str, n_frames: int, details: Mapping[str, Any] | None = None) -> Provenance:
    """The provenance of frames that a model generated."""
    return _of_one(SourceOfFrames(name, GENERATED, dict(details or {})), np.arange(n_frames, dtype=float))


def cut(provenance: Provenance, start: int, stop: int) -> Provenance:
    """Keep the frames [start, stop)."""
    if not 0 <= start < stop <= provenance.n_frames:
        why = "are out of range" if start < stop else "are an empty range"
        raise BadInput(f"frames [{start}, {stop}) {why}: the provenance has {provenance.n_frames} frames")
    return _simplify(provenance.sources, *(array[start:stop] for array in _arrays(provenance)))


def concatenate(parts: Sequence[Provenance]) -> Provenance:
    """The provenance of concatenated motions."""
    if not parts:
        raise BadInput("no provenances to concatenate; give at least one")
    sources, indices = _share_sources(parts)
    width = max(part.indices.shape[1] for part in parts)
    padded = [
        (_pad(index, width, -1), _pad(part.frames, width, 0.0), _pad(part.weights, width, 0.0))
        for part, index in zip(parts, indices)
    ]
    return _simplify(sources, *(np.concatenate(arrays) for arrays in zip(*padded)))


def mix(first: Provenance, second: Provenance, weight: np.ndarray) -> Provenance:
    """The provenance of a blend of two motions; weight (F,) is the share of the second."""
    weight = np.asarray(weight, float)
    if not first.n_frames == second.n_frames == len(weight):
        raise BadInput(
            f"{first.n_frames} and {second.n_frames} frames blended by {len(weight)} weights; give as many of each"
        )
    if not ((weight >= 0) & (weight <= 1)).all():
        raise BadInput("weights of a blend must be between 0 and 1")
    sources, (one, two) = _share_sources([first, second])
    weights = np.concatenate([first.weights * (1 - weight)[:, None], second.weights * weight[:, None]], axis=1)
    indices = np.concatenate([np.where(first.weights > 0, one, -1), np.where(second.weights > 0, two, -1)], axis=1)
    indices = np.where(weights > 0, indices, -1)
    return _simplify(sources, indices, np.concatenate([first.frames, second.frames], axis=1), weights)


def take_frames(provenance: Provenance, frames: np.ndarray) -> Provenance:
    """The provenance of a motion sampled at (N,) fractional frames: entries are those of the nearest frame.

    The frame of the source advances by the fraction if the adjacent frame continues the source; not at a join, where
    it may jump.
    """
    frames = np.clip(np.asarray(frames, float), 0, provenance.n_frames - 1)
    near = np.round(frames).astype(int)
    beside = np.clip(near + np.where(frames >= near, 1, -1), 0, provenance.n_frames - 1)
    moved = provenance.frames[near] + _steps(provenance, near, beside) * np.abs(frames - near)[:, None]
    return _simplify(provenance.sources, provenance.indices[near], moved, provenance.weights[near])


def trace(outer: Provenance, inner: Mapping[str, Provenance]) -> Provenance:
    """Resolve nested provenance: sources that are motions with a provenance of their own are replaced by it."""
    parts = []
    for column in range(outer.indices.shape[1]):
        parts.append(_trace_column(outer, column, inner))
    sources, indices = _share_sources(parts)
    return _simplify(
        sources,
        np.concatenate(indices, axis=1),
        np.concatenate([part.frames for part in parts], axis=1),
        np.concatenate([part.weights for part in parts], axis=1),
    )


def note_nearest(provenance: Provenance, nearest: Provenance) -> Provenance:
    """Note the nearest recorded frame of each frame that is generated, fully or in part, as an entry of weight 0."""
    if nearest.n_frames != provenance.n_frames:
        raise BadInput(f"nearest has {nearest.n_frames} frames, expected {provenance.n_frames} as the provenance")
    is_generated = np.array([*(source.kind == GENERATED for source in provenance.sources), False])
    has_any = (is_generated[provenance.indices] & (provenance.weights > 0)).any(axis=1)  # (F,)
    sources, (own, noted) = _share_sources([provenance, nearest])
    noted = np.where(has_any[:, None], noted[:, :1], -1)
    return _simplify(
        sources,
        np.concatenate([own, noted], axis=1),
        np.concatenate([provenance.frames, nearest.frames[:, :1]], axis=1),
        np.concatenate([provenance.weights, np.zeros((len(noted), 1))], axis=1),
    )


def _of_one(source: SourceOfFrames, frames: np.ndarray) -> Provenance:
    if frames.ndim != 1 or not np.isfinite(frames).all():
        raise BadInput(f"frames of '{source.name}' must be (F,) finite numbers, got shape {frames.shape}")
    shape = (len(frames), 1)
    return Provenance((source,), np.zeros(shape, int), frames[:, None], np.ones(shape))


def _check(provenance: Provenance) -> None:
    shapes = [array.shape for array in _arrays(provenance)]
    if len(set(shapes)) > 1 or provenance.indices.ndim != 2:
        raise BadInput(f"indices, frames and weights of a provenance have shapes {shapes}, expected (F, S) for all")
    if provenance.indices.size and not -1 <= provenance.indices.min() <= provenance.indices.max() < len(
        provenance.sources
    ):
        raise BadInput(f"an index of a provenance is out of range: there are {len(provenance.sources)} sources")
    if not np.isfinite(provenance.frames).all() or not (provenance.weights >= 0).all():
        raise BadInput("frames of a provenance must be finite, and weights 0 or more")
    if provenance.weights[provenance.indices < 0].any():
        raise BadInput("a weight of a provenance has no source; set it to 0, or give a source")
    total = provenance.weights.sum(axis=1)
    wrong = np.flatnonzero(~(np.abs(total - 1.0) <= TOLERANCE))
    if len(wrong):
        raise BadInput(f"the weights of frame {wrong[0]} sum to {total[wrong[0]]:g}, expected 1")


def _arrays(provenance: Provenance) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return provenance.indices, provenance.frames, provenance.weights


def _steps(provenance: Provenance, near: np.ndarray, beside: np.ndarray) -> np.ndarray:
    """(N, S) steps of the source frame of each entry from (N,) frames to adjacent ones; 0 if it ends or jumps.

    Entries are sorted by weight, so the same source may be in another column of the adjacent frame.
    """
    steps = provenance.frames[beside][:, None, :] - provenance.frames[near][:, :, None]  # (N, S, S)
    same = provenance.indices[beside][:, None, :] == provenance.indices[near][:, :, None]
    steps = np.where(same & (np.abs(steps) <= FARTHEST_STEP), steps, np.inf)
    nearest = np.take_along_axis(steps, np.abs(steps).argmin(axis=2)[..., None], axis=2)[..., 0]
    return np.where(np.isinf(nearest), 0.0, nearest)


def _share_sources(parts: Sequence[Provenance]) -> tuple[tuple[SourceOfFrames, ...], list[np.ndarray]]:
    """One list of sources for several provenances, and their indices into it."""
    shared: list[SourceOfFrames] = []
    indices = []
    for part in parts:
        numbers = []
        for source in part.sources:
            if source not in shared:
                shared.append(source)
            numbers.append(shared.index(source))
        indices.append(np.array([*numbers, -1], int)[part.indices])  # -1 picks the last
    return tuple(shared), indices


def _pad(array: np.ndarray, width: int, value: float) -> np.ndarray:
    return np.pad(array, ((0, 0), (0, width - array.shape[1])), constant_values=value)


def _trace_column(outer: Provenance, column: int, inner: Mapping[str, Provenance]) -> Provenance:
    """One entry per frame, resolved if its source has a provenance; weights do not sum to 1 yet."""
    index, frame, weight = (array[:, column] for array in _arrays(outer))
    rows = []
    for number, source in enumerate(outer.sources):
        here = np.flatnonzero(index == number)
        if len(here):
            deeper = inner.get(source.name)
            known = _of_one(source, frame[here]) if deeper is None else take_frames(deeper, frame[here])
            rows.append((here, known))
    sources, indices = _share_sources([known for _, known in rows])
    width = max((known.indices.shape[1] for _, known in rows), default=1)
    out = np.full((len(index), width), -1), np.zeros((len(index), width)), np.zeros((len(index), width))
    for (here, known), numbers in zip(rows, indices):
        n = numbers.shape[1]
        out[0][here, :n] = numbers
        out[1][here, :n] = known.frames
        out[2][here, :n] = known.weights * weight[here, None]
    return _unchecked(sources, *out)


def _unchecked(
    sources: tuple[SourceOfFrames, ...], indices: np.ndarray, frames: np.ndarray, weights: np.ndarray
) -> Provenance:
    provenance = object.__new__(Provenance)
    for name, value in (("sources", sources), ("indices", indices), ("frames", frames), ("weights", weights)):
        object.__setattr__(provenance, name, value)
    return provenance


def _simplify(
    sources: tuple[SourceOfFrames, ...], indices: np.ndarray, frames: np.ndarray, weights: np.ndarray
) -> Provenance:
    """Merge entries of the same source and frame, sort by weight, drop unused sources."""
    indices, frames, weights = _merge_duplicates(indices.copy(), frames.copy(), weights.copy())
    order = np.lexsort((frames, indices, -weights, indices < 0), axis=-1)
    indices, frames, weights = (np.take_along_axis(array, order, axis=1) for array in (indices, frames, weights))
    width = max(1, int((indices >= 0).sum(axis=1).max(initial=0)))
    used = np.unique(indices[indices >= 0])
    renumber = np.full(len(sources) + 1, -1)
    renumber[used] = np.arange(len(used))
    frames = np.where(indices >= 0, frames, 0.0)
    kept = tuple(sources[i] for i in used)
    return Provenance(kept, renumber[indices][:, :width], frames[:, :width], weights[:, :width])


def _merge_duplicates(
    indices: np.ndarray, frames: np.ndarray, weights: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    n_entries = indices.shape[1]
    for i in range(n_entries):
        for j in range(i + 1, n_entries):
            twins = (indices[:, i] >= 0) & (indices[:, i] == indices[:, j]) & (frames[:, i] == frames[:, j])
            weights[twins, i] += weights[twins, j]
            weights[twins, j] = 0.0
            indices[twins, j] = -1
    return indices, frames, weights
