"""Packs: what is computed of each take by itself, many takes in one cached model.

A part is what was computed of one take, under the digest of all that decides it. Parts that are made together are
written together, as one model, so that a corpus of thousands of takes needs few files. Whoever wants parts gets them
from any packs that have them, and only those that no pack has are made: adding, removing or renaming a take, or asking
for other takes, makes nothing again that does not depend on it.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from motionloom.caching import Kind
from motionloom.corpus.models import delete_models, find_arrays, find_model, keep_model
from motionloom.errors import CorpusError

if TYPE_CHECKING:
    from motionloom.corpus.corpus import Corpus

MOST_USED = 8  # packs that one request is put together from; with more, they are written again as one
AT_MOST = 16  # packs of a kind in a corpus
_ABOUT = "about"  # the array of a pack that lists its parts, as JSON
Arrays = Mapping[str, np.ndarray]


@dataclass(frozen=True)
class Part:
    """What identifies something that is computed of one take."""

    key: str  # digest of all that decides it, besides the code
    take: str  # digest of the content of the take


@dataclass(frozen=True, eq=False)
class Packed:
    """The arrays of some parts, one after another."""

    arrays: dict[str, np.ndarray]  # by name: (N, ...) the rows of all parts
    starts: dict[str, np.ndarray]  # by name: (parts + 1,) int64; part i has the rows [starts[i], starts[i + 1])

    def part(self, number: int) -> dict[str, np.ndarray]:
        """The arrays of one part."""
        return {
            name: array[self.starts[name][number] : self.starts[name][number + 1]]
            for name, array in self.arrays.items()
        }


@dataclass(frozen=True, eq=False)
class _Pack:
    """A pack that is kept: what it has, without its arrays."""

    key: str
    parts: tuple[Part, ...]
    code_version: str
    layout: Mapping[str, tuple[str, tuple[int, ...]]]  # by name of an array: its type, and the shape of a row
    starts: Mapping[str, np.ndarray]  # as in `Packed`

    def array(self, arrays: Arrays, name: str) -> np.ndarray:
        """One of the arrays; empty ones are not written."""
        dtype, shape = self.layout[name]
        return arrays[name] if name in arrays else np.empty((0, *shape), dtype)

    def cut(self, arrays: Arrays, number: int) -> dict[str, np.ndarray]:
        """The arrays of one part."""
        ranges = {name: slice(starts[number], starts[number + 1]) for name, starts in self.starts.items()}
        return {name: self.array(arrays, name)[rows] for name, rows in ranges.items()}


def read_parts(corpus: "Corpus", kind: Kind[..., Any], parts: Sequence[Part], make: Callable[[int], Arrays]) -> Packed:
    """The arrays of parts: those that packs have, the others made now, and kept if the corpus is open for writing.

    If making is interrupted, what was made until then is kept.

    Args:
        corpus: to read from.
        kind: of the parts.
        parts: wanted; at least one.
        make: makes the arrays of the part with this number; all parts have arrays of the same names and types.
    """
    packs = list(_packs(corpus, kind))
    numbers = {part.key: (pack, i) for pack in reversed(packs) for i, part in enumerate(pack.parts)}  # the newest wins
    found = {part.key: numbers[part.key] for part in parts if part.key in numbers}
    used = {pack.key: pack for pack, _ in found.values()}
    opened = {key: find_model(corpus, kind.name, key, at_most=AT_MOST) for key in used}
    pieces = {
        key: pack.cut(arrays, number)
        for key, (pack, number) in found.items()
        if (arrays := opened[pack.key]) is not None  # else it is damaged, and made again
    }
    whole = _whole(parts, used, opened)
    if whole is not None:
        return whole
    made: dict[str, Arrays] = {}
    try:
        for number, part in enumerate(parts):
            if part.key not in pieces and part.key not in made:
                made[part.key] = make(number)
    finally:
        if corpus.can_write and made:
            _keep(corpus, kind, parts, made, pieces, used)
    return _join([{**pieces, **made}[part.key] for part in parts])


def drop_takes(corpus: "Corpus", gone: set[str]) -> None:
    """Write packs that have parts of takes with this content again without them; where there is no space, they go."""
    rows = corpus.connection.execute("SELECT kind, key, code_version, takes FROM models").fetchall()
    for kind, key, version, takes in rows:
        arrays = find_model(corpus, kind, key) if gone & set(json.loads(takes)) else None
        pack = None if arrays is None else _describe(key, arrays)
        if arrays is None or pack is None:
            continue
        kept = {part: pack.cut(arrays, i) for i, part in enumerate(pack.parts) if part.take not in gone}
        with suppress(CorpusError):
            _write(corpus, kind, version, kept)
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
    try:
        about = json.loads(bytes(arrays[_ABOUT]))
        parts = tuple(Part(*part) for part in about["parts"])
        layout = {name: (dtype, tuple(shape)) for name, (dtype, shape) in about["layout"].items()}
        starts = {name: _starts(lengths) for name, lengths in about["lengths"].items()}
        return _Pack(key, parts, about["code_version"], layout, starts)
    except (ValueError, TypeError, KeyError):
        return None  # another model with an array of that name


def _whole(parts: Sequence[Part], used: Mapping[str, _Pack], opened: Mapping[str, Arrays | None]) -> Packed | None:
    """The arrays of one pack, memory-mapped, if it has just the parts that are wanted, in their order."""
    if len(used) != 1:
        return None
    (pack,) = used.values()
    arrays = opened[pack.key]
    if arrays is None or [part.key for part in pack.parts] != [part.key for part in parts]:
        return None
    return Packed({name: pack.array(arrays, name) for name in pack.layout}, dict(pack.starts))


def _keep(
    corpus: "Corpus",
    kind: Kind[..., Any],
    parts: Sequence[Part],
    made: Mapping[str, Arrays],
    pieces: Mapping[str, Arrays],
    used: Mapping[str, _Pack],
) -> None:
    """Keep parts that were made: alone, or with all that were asked for if these are in many packs by now."""
    version = kind.code_version
    together = len(used) >= MOST_USED and len(made) + len(pieces) == len({part.key for part in parts})
    chosen = {part: {**pieces, **made}[part.key] for part in parts if together or part.key in made}
    with suppress(CorpusError):  # no space for it; it can be made again
        _write(corpus, kind.name, version, chosen)
    if together:
        known = {part.key for part in chosen}
        old = [pack.key for pack in used.values() if known.issuperset(part.key for part in pack.parts)]
        delete_models(corpus, kind.name, old)


def _write(corpus: "Corpus", kind: str, version: str, parts: Mapping[Part, Arrays]) -> None:
    if not parts:
        return
    packed = _join(list(parts.values()))
    about = {
        "parts": [[part.key, part.take] for part in parts],
        "code_version": version,
        "layout": {name: [array.dtype.str, array.shape[1:]] for name, array in packed.arrays.items()},
        "lengths": {name: np.diff(starts).tolist() for name, starts in packed.starts.items()},
    }
    text = json.dumps(about, sort_keys=True).encode()
    arrays = {name: array for name, array in packed.arrays.items() if array.size}
    arrays[_ABOUT] = np.frombuffer(text, np.uint8)
    key = hashlib.sha256(text).hexdigest()[:32]
    takes = sorted({part.take for part in parts})
    keep_model(corpus, kind, key, arrays, settings={}, takes=takes, code_version=version, at_most=AT_MOST)


def _join(pieces: Sequence[Arrays]) -> Packed:
    names = list(pieces[0])
    arrays = {name: np.concatenate([piece[name] for piece in pieces]) for name in names}
    return Packed(arrays, {name: _starts([len(piece[name]) for piece in pieces]) for name in names})


def _starts(lengths: Sequence[int]) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
