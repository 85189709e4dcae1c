"""Pair packs: what is computed of pairs of motions, as lists of frames for every frame, in few cached models.

A cell is a pair of motions: for every frame of the first a list of frames of the second, with a distance each. A pack
has cells of some motions. Whoever wants all cells of some motions gets them from any packs that have them, and only
those that no pack has are made: adding a take compares it with the others, and leaving takes out compares nothing.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from motionloom.caching import Kind
from motionloom.corpus.models import delete_models, find_arrays, find_model, keep_model
from motionloom.corpus.packs import AT_MOST, MOST_USED, Arrays
from motionloom.errors import CorpusError

if TYPE_CHECKING:
    from motionloom.corpus.corpus import Corpus

_ABOUT = "about_pairs"  # the array of a pack that lists its motions and cells, as JSON


@dataclass(frozen=True)
class PairMotion:
    """What identifies a motion that is compared with others."""

    key: str  # digest of all that decides its frames and how they are compared, besides the code
    take: str  # digest of the content of its take
    n_frames: int


@dataclass(frozen=True, eq=False)
class PairLists:
    """For each of F frames a list of frames, nearest first, of equal ones the first."""

    starts: np.ndarray  # (F + 1,) int64: frame f has the entries [starts[f], starts[f + 1])
    frames: np.ndarray  # (N,) int32
    distances: np.ndarray  # (N,) float32, not negative


@dataclass(frozen=True, eq=False)
class _Piece:
    """Lists of some motions, of which the entries in some cells are wanted."""

    lists: PairLists
    lengths: np.ndarray  # (K,) frames of its motions
    numbers: np.ndarray  # (M,) of the motions that are asked for, among its own; -1 where it has none
    wanted: np.ndarray  # (M, M) bool


@dataclass(frozen=True, eq=False)
class _Pack:
    """A pack that is kept: what it has, without its arrays."""

    key: str
    motions: tuple[PairMotion, ...]
    cells: np.ndarray  # (K, K) bool
    code_version: str

    @cached_property
    def numbers(self) -> dict[str, int]:
        return {motion.key: number for number, motion in enumerate(self.motions)}

    def lists(self, arrays: Arrays) -> PairLists:
        """All that it has; empty arrays are not written."""
        nothing = np.empty(0, np.int32), np.empty(0, np.float32)
        frames, distances = (arrays.get(name, none) for name, none in zip(("frames", "distances"), nothing))
        return PairLists(_starts(arrays["counts"]), frames, distances)

    def piece(self, arrays: Arrays, numbers: np.ndarray, wanted: np.ndarray) -> _Piece:
        """The cells that are wanted of it."""
        lengths = np.array([motion.n_frames for motion in self.motions])
        return _Piece(self.lists(arrays), lengths, numbers, wanted)


def read_pairs(
    corpus: "Corpus", kind: Kind[..., Any], motions: Sequence[PairMotion], make: Callable[[np.ndarray], PairLists]
) -> PairLists:
    """The lists of all pairs of motions: from packs, the others made now, and kept if the corpus is open for writing.

    Args:
        corpus: to read from.
        kind: of the lists.
        motions: that are compared; their frames are numbered one motion after another.
        make: makes the lists of the cells that are True in (M, M) bool, empty for all others.
    """
    missing = np.ones((len(motions), len(motions)), bool)
    if len({motion.key for motion in motions}) < len(motions):
        return make(missing)  # a motion that is there twice has no number of its own
    used: list[_Pack] = []
    pieces: list[_Piece] = []
    for pack in _packs(corpus, kind):
        numbers = np.array([pack.numbers.get(motion.key, -1) for motion in motions])
        wanted = missing & (numbers >= 0)[:, None] & (numbers >= 0) & pack.cells[np.ix_(numbers, numbers)]
        arrays = find_model(corpus, kind.name, pack.key, at_most=AT_MOST) if wanted.any() else None
        if arrays is None:  # nothing is wanted of it, or it is damaged
            continue
        if wanted.all() and len(pack.motions) == len(motions) and (numbers == np.arange(len(motions))).all():
            return pack.lists(arrays)
        used.append(pack)
        pieces.append(pack.piece(arrays, numbers, wanted))
        missing &= ~wanted
        if not missing.any():
            break
    lengths = np.array([motion.n_frames for motion in motions])
    if not missing.any():
        return _merge(lengths, pieces)
    made = make(missing)
    whole = _merge(lengths, [*pieces, _Piece(made, lengths, np.arange(len(motions)), missing)]) if pieces else made
    if corpus.can_write:
        _keep(corpus, kind, motions, missing, made, whole, used)
    return whole


def drop_takes(corpus: "Corpus", gone: set[str]) -> None:
    """Write packs that have motions of takes with this content again without them; without space for it, they go."""
    rows = corpus.connection.execute("SELECT kind, key, takes FROM models").fetchall()
    for kind, key, takes in rows:
        arrays = find_model(corpus, kind, key) if gone & set(json.loads(takes)) else None
        pack = None if arrays is None else _describe(key, arrays)
        if arrays is None or pack is None:
            continue
        stay = np.array([i for i, motion in enumerate(pack.motions) if motion.take not in gone], int)
        motions, cells = [pack.motions[i] for i in stay], pack.cells[np.ix_(stay, stay)]
        if cells.any():
            lengths = np.array([motion.n_frames for motion in motions])
            lists = _merge(lengths, [pack.piece(arrays, stay, cells)])
            with suppress(CorpusError):
                _write(corpus, kind, pack.code_version, motions, cells, lists)
        delete_models(corpus, kind, [key])


def _packs(corpus: "Corpus", kind: Kind[..., Any]) -> Iterator[_Pack]:
    """The packs of a kind that this version of the code made, the newest first."""
    for key, about in find_arrays(corpus, kind.name, kind.code_version, _ABOUT):
        pack = _describe(key, {_ABOUT: about})
        if pack is not None and pack.code_version == kind.code_version:
            yield pack


def _describe(key: str, arrays: Arrays) -> _Pack | None:
    """What a model has, if it is a pack."""
    if _ABOUT not in arrays:
        return None
    about = json.loads(bytes(arrays[_ABOUT]))
    motions = tuple(PairMotion(*motion) for motion in about["motions"])
    cells = np.array([[int(digit) for digit in row] for row in about["cells"]], bool).reshape(len(motions), -1)
    return _Pack(key, motions, cells, about["code_version"])


def _merge(lengths: np.ndarray, pieces: Sequence[_Piece]) -> PairLists:
    """The lists of all frames of M motions of these (M,) lengths, from all pieces."""
    from motionloom.corpus._kernels import count_entries, merge_entries

    starts = _starts(lengths)
    cells = [_cells(piece, starts) for piece in pieces]
    counts = np.zeros(starts[-1], np.int64)
    for piece, own in zip(pieces, cells):
        count_entries(piece.lists.starts, piece.lists.frames, *own, counts)
    ends = _starts(counts)
    merged = PairLists(ends.copy(), np.empty(ends[-1], np.int32), np.empty(ends[-1], np.float32))
    ends = ends[:-1]
    for piece, own in zip(pieces, cells):
        lists = piece.lists
        out = merged.starts, merged.frames, merged.distances
        merge_entries(lists.starts, lists.frames, lists.distances, *own, ends, *out)
    return merged


def _cells(piece: _Piece, starts: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of the frames of a piece: (G,) their motions, (K, K) bool wanted cells, and (K,) how far motions are shifted.

    Args:
        piece: of K motions.
        starts: (M + 1,) of the motions that are asked for.
    """
    n_motions, known = len(piece.lengths), np.flatnonzero(piece.numbers >= 0)
    own = piece.numbers[known]
    keep = np.zeros((n_motions, n_motions), bool)
    keep[np.ix_(own, own)] = piece.wanted[np.ix_(known, known)]
    shifts = np.zeros(n_motions, np.int64)
    shifts[own] = starts[known] - _starts(piece.lengths)[own]
    return np.repeat(np.arange(n_motions), piece.lengths), keep, shifts


def _keep(
    corpus: "Corpus",
    kind: Kind[..., Any],
    motions: Sequence[PairMotion],
    missing: np.ndarray,
    made: PairLists,
    whole: PairLists,
    used: Sequence[_Pack],
) -> None:
    """Keep cells that were made: alone, or with all that were asked for if these are in many packs by now."""
    together = len(used) >= MOST_USED
    version = kind.code_version
    with suppress(CorpusError):  # no space for it; it can be made again
        if together:
            _write(corpus, kind.name, version, motions, np.ones_like(missing), whole)
        else:
            _write(corpus, kind.name, version, motions, missing, made)
    if together:
        known = {motion.key for motion in motions}
        old = [pack.key for pack in used if known.issuperset(pack.numbers)]
        delete_models(corpus, kind.name, old)


def _write(
    corpus: "Corpus",
    kind: str,
    version: str,
    motions: Sequence[PairMotion],
    cells: np.ndarray,
    lists: PairLists,
) -> None:
    about = {
        "motions": [[motion.key, motion.take, motion.n_frames] for motion in motions],
        "cells": ["".join("01"[cell] for cell in row) for row in cells.astype(int)],
        "code_version": version,
    }
    text = json.dumps(about, sort_keys=True).encode()
    arrays: dict[str, np.ndarray] = {
        _ABOUT: np.frombuffer(text, np.uint8),
        "counts": np.diff(lists.starts).astype(np.int32),
        "frames": lists.frames,
        "distances": lists.distances,
    }
    arrays = {name: array for name, array in arrays.items() if array.size}
    takes = sorted({motion.take for motion in motions})
    key = hashlib.sha256(text).hexdigest()[:32]
    keep_model(corpus, kind, key, arrays, settings={}, takes=takes, code_version=version, at_most=AT_MOST)


def _starts(lengths: np.ndarray) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
