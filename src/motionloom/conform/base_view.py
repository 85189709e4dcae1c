"""What all views of a corpus have in common: takes one after another, and what is made of them."""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import numpy as np

from motionloom.caching import Kind
from motionloom.corpus import Contact, Corpus, Event, Label, TakeInfo
from motionloom.corpus.models import MADE_OF, find_model, keep_model
from motionloom.corpus.packs import Arrays, Packed, Part, read_parts
from motionloom.corpus.pair_packs import PairLists, PairMotion, read_pairs
from motionloom.errors import BadInput

if TYPE_CHECKING:
    from motionloom.conform.statistics import Statistics

KEPT = 8  # views of a corpus that are remembered; models of a view are deleted with it
MIRRORED = "~mirrored"  # suffix of the names of mirrored copies
Range = TypeVar("Range", Label, Contact)
Arguments = ParamSpec("Arguments")


@dataclass(frozen=True)
class Origin:
    """The source of one frame of a view."""

    take: str
    frame: float  # of the take; fractional if the view has another frame rate
    is_mirrored: bool


@dataclass(frozen=True)
class LeftOut:
    """A take that was asked for and is not in a view."""

    take: str
    reason: str  # why it cannot be carried over


def describe_left_out(left_out: Sequence[LeftOut]) -> list[str]:
    """A sentence for each reason: which takes were left out of a view, and why."""
    takes: dict[str, list[str]] = {}
    for left in left_out:
        takes.setdefault(left.reason, []).append(left.take)
    return [f"left out: {some_of(names)}: {reason}" for reason, names in takes.items()]


def some_of(names: Sequence[str]) -> str:
    """The first five of a list of names, and how many more there are."""
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")


@dataclass(frozen=True, eq=False, kw_only=True)
class BaseView:
    """Takes of a corpus at one frame rate, concatenated in arrays over all N frames."""

    corpus: Corpus
    key: str  # digest of its motions and of what they are shown on
    fps: float
    names: tuple[str, ...]  # of the motions: the takes' names; mirrored copies end in "~mirrored"
    digests: tuple[str, ...]  # of the content of the takes
    motion_keys: tuple[str, ...]  # digests of all that decides each motion: its take, what it is shown on, rate, code
    starts: np.ndarray  # (motions + 1,) int: motion i has the frames [starts[i], starts[i + 1])
    source_frames: np.ndarray  # (N,) float64: the frame of its take, fractional
    left_out: tuple[LeftOut, ...] = ()  # takes that were asked for and cannot be shown
    statistics: "dict[str, Statistics]" = field(default_factory=dict)  # that were used with it so far, by their kind

    @property
    def n_frames(self) -> int:
        return len(self.source_frames)

    def range_of(self, name: str) -> tuple[int, int]:
        """The half-open range of a motion in the arrays over all N frames."""
        if name not in self._numbers:
            shown = ", ".join(self.names[:5]) + (", ..." if len(self.names) > 5 else "")
            raise BadInput(f"no motion '{name}' in the view; it has {len(self.names)}: {shown}")
        number = self._numbers[name]
        return int(self.starts[number]), int(self.starts[number + 1])

    def parts(
        self,
        kind: Kind[..., dict[str, np.ndarray]],
        settings: Mapping[str, Any],
        make: Callable[[str], Arrays],
        names: Sequence[str] | None = None,
    ) -> Packed:
        """Arrays computed of each motion by itself: cached ones, the others computed, and cached if the corpus is open
        for writing.

        Adding, removing and renaming takes, and views of other takes, leave them as they are.

        Args:
            kind: of the arrays.
            settings: all that they depend on besides the motion and the code, as JSON can hold it.
            make: computes the arrays of a motion, by its name; for all motions they have the same names and types.
            names: of the motions; None for all, in their order.
        """
        wanted = list(self.names if names is None else names)
        numbers = [self._numbers[name] for name in wanted]
        keys = self._keys_with(settings)
        parts = [Part(keys[i], self.digests[i % len(self.digests)]) for i in numbers]
        return read_parts(self.corpus, kind, parts, lambda number: make(wanted[number]))

    def pairs(
        self,
        kind: Kind[..., dict[str, np.ndarray]],
        settings: Mapping[str, Any],
        make: Callable[[np.ndarray], Mapping[str, np.ndarray]],
    ) -> PairLists:
        """Lists of frames for every frame, computed of each pair of motions by itself: cached as those of `parts`.

        Args:
            kind: of the lists.
            settings: all that they depend on besides the two motions and the code, as JSON can hold it.
            make: computes the arrays of `PairLists`, by name, for the pairs of motions that are True in (M, M) bool.
        """
        lengths, n_takes = np.diff(self.starts).tolist(), len(self.digests)
        keys = self._keys_with(settings)
        motions = [PairMotion(key, self.digests[i % n_takes], lengths[i]) for i, key in enumerate(keys)]
        return read_pairs(self.corpus, kind, motions, lambda cells: PairLists(**make(cells)))

    def _keys_with(self, settings: Mapping[str, Any]) -> list[str]:
        """Digests of all motions together with settings."""
        about = json.dumps(dict(settings), sort_keys=True)
        return [hashlib.sha256(f"{key} {about}".encode()).hexdigest()[:32] for key in self.motion_keys]

    def model(
        self,
        kind: Kind[Arguments, dict[str, np.ndarray]],
        settings: Mapping[str, Any],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> dict[str, np.ndarray]:
        """Arrays computed from this view: the cached ones, else computed and cached if the corpus is open for writing.

        Args:
            kind: of the arrays, with the function that computes them.
            settings: all that the arrays depend on besides the view and the code, as JSON can hold it.
            args: of the function; it returns arrays by name, of which empty ones are left out.
            kwargs: of the function.
        """
        made_with = {**settings, MADE_OF: self.key}
        return read_model(self.corpus, kind, made_with, self.digests, lambda: kind(*args, **kwargs))

    def origin(self, frame: int) -> Origin:
        """The source of a frame of the arrays over all N frames."""
        if not 0 <= frame < self.n_frames:
            raise BadInput(f"frame {frame} is out of range: the view has {self.n_frames} frames")
        name = self.names[int(np.searchsorted(self.starts, frame, side="right")) - 1]
        return Origin(take_of(name), float(self.source_frames[frame]), name.endswith(MIRRORED))

    def labels(self, name: str) -> list[Label]:
        """The labels of one motion, in frames of the view; mirrored copies have left and right swapped."""
        labels = self._in_view_frames(name, self.corpus.labels(take_of(name)))
        if name.endswith(MIRRORED):
            return [replace(label, label=swap_sides(label.label)) for label in labels]
        return labels

    def contacts(self, name: str) -> list[Contact]:
        """The annotated contacts of one motion, in frames of the view."""
        contacts = self._in_view_frames(name, self.corpus.contacts(take_of(name)))
        if name.endswith(MIRRORED):
            return [replace(contact, point=swap_sides(contact.point)) for contact in contacts]
        return contacts

    def events(self, name: str) -> list[Event]:
        """The events of one motion, in frames of the view; those of mirrored copies are not renamed."""
        events = self.corpus.events(take_of(name))
        return [replace(event, take=name, frame=self._view_frame(name, event.frame)) for event in events]

    def curves(self, name: str) -> tuple[tuple[str, ...], np.ndarray] | None:
        """The curves beside the take of one motion, by name, and their values (n, C) in its frames; None without any.

        They are sampled at the seconds of the frames; NaN where there are none. Those of mirrored copies are mirrored.
        """
        kept = self.corpus.curves(take_of(name))
        if kept is None:
            return None
        start, stop = self.range_of(name)
        seconds = self.source_frames[start:stop] / self.corpus.info(take_of(name)).fps
        return kept.names, (kept.mirrored() if name.endswith(MIRRORED) else kept).at(seconds)

    def _in_view_frames(self, name: str, ranges: list[Range]) -> list[Range]:
        """Labels or contacts of a take, in frames of the view; those that become empty are left out."""
        moved = [
            replace(part, take=name, start=self._view_frame(name, part.start), stop=self._view_frame(name, part.stop))
            for part in ranges
        ]
        return [part for part in moved if part.start < part.stop]

    def _view_frame(self, name: str, frame: int) -> int:
        start, stop = self.range_of(name)
        return int(np.searchsorted(self.source_frames[start:stop], frame - 1e-6))

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}


def choose_takes(corpus: Corpus, names: Iterable[str] | None, kind: str) -> list[TakeInfo]:
    """The takes that a view is asked for; without names all of a kind, "body" or "points"."""
    if names is None:
        infos = [info for info in corpus.infos() if info.kind == kind]
    else:
        known = {info.name: info for info in corpus.infos()}
        infos = [known.get(name) or corpus.info(name) for name in dict.fromkeys(names)]
    if not infos:
        raise BadInput(f"no takes chosen for the view; {corpus.folder} has {len(corpus.names())}, choose at least one")
    return infos


def read_model(
    corpus: Corpus,
    kind: Kind[..., dict[str, np.ndarray]],
    settings: Mapping[str, Any],
    takes: Sequence[str],
    make: Callable[[], dict[str, np.ndarray]],
) -> dict[str, np.ndarray]:
    """Arrays made of some takes together: the cached ones, else made now and cached if the corpus is open for writing.

    Args:
        corpus: that it is of.
        kind: of the arrays.
        settings: all that they depend on besides the code, as JSON can hold it; a view among them, or the takes.
        takes: digests of their content.
        make: the arrays by name, by calling the kind; empty ones are left out.
    """
    version, made_with = kind.code_version, dict(settings)
    key = hashlib.sha256(json.dumps([made_with, version], sort_keys=True).encode()).hexdigest()[:32]
    found = find_model(corpus, kind.name, key, at_most=kind.at_most)
    if found is not None:
        return found
    made = {name: array for name, array in make().items() if array.size}
    if corpus.can_write:
        about: dict[str, Any] = {"settings": made_with, "takes": takes, "code_version": version}
        keep_model(corpus, kind.name, key, made, at_most=kind.at_most, **about)
    return made


def remember_view(
    corpus: Corpus, key: str, starts: np.ndarray, *, settings: Mapping[str, Any], takes: Sequence[str], version: str
) -> None:
    """Keep a row for a view, so that what is made of it is kept as long as it is among those used last.

    Args:
        corpus: that it is of.
        key: of the view.
        starts: of its motions.
        settings: that it was made with, as JSON can hold them.
        takes: digests of their content.
        version: of the code that made its motions.
    """
    if not corpus.can_write or find_model(corpus, MADE_OF, key, at_most=KEPT) is not None:
        return
    arrays = {"starts": starts}
    keep_model(corpus, MADE_OF, key, arrays, settings=settings, takes=takes, code_version=version, at_most=KEPT)


def take_of(name: str) -> str:
    """The name of the take of a motion in a view."""
    return name.removesuffix(MIRRORED)


def swap_sides(word: str) -> str:
    """'turn_left' -> 'turn_right', and vice versa."""
    return re.sub("left|right", lambda found: "right" if found[0] == "left" else "left", word)


def starts_of(lengths: Sequence[int]) -> np.ndarray:
    """Offsets of arrays of these lengths when they are concatenated, and the total length."""
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
