"""View: chosen takes of a corpus on one skeleton, rate and floor: what a method reads."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ParamSpec, TypeVar

import numpy as np

from motionloom.caching import Kind, cached
from motionloom.corpus import Contact, Corpus, Event, Label, compute_layers
from motionloom.corpus.models import MADE_OF, find_model, keep_model
from motionloom.errors import BadInput
from motionloom.motion import Motion, Skeleton
from motionloom.motion.packed import unpack_frames

MIRRORED = "~mirrored"  # ends the names of mirrored copies
Range = TypeVar("Range", Label, Contact)
Arguments = ParamSpec("Arguments")


@dataclass(frozen=True)
class Origin:
    """Where one frame of a view comes from."""

    take: str
    frame: float  # of the take; fractional where the view has another rate
    is_mirrored: bool


@dataclass(frozen=True, eq=False)
class View:
    """Takes on one skeleton, at one rate, on the floor y = 0, one after the other in arrays over all N frames."""

    corpus: Corpus
    key: str  # digest of the takes, the settings and the code
    skeleton: Skeleton
    fps: float
    names: tuple[str, ...]  # of the motions: the takes' names; mirrored copies end in "~mirrored"
    digests: tuple[str, ...]  # of the takes' content
    frames: np.ndarray  # (N, 3 + 4 J) float32: root position, then joint rotations
    starts: np.ndarray  # (motions + 1,) int: motion i has the frames [starts[i], starts[i + 1])
    source_frames: np.ndarray  # (N,) float64: the frame of the take that each frame shows
    source_contacts: np.ndarray  # (N, 4) bool: heels and balls rest, as in the recording
    _layers: dict[str, np.ndarray] = field(default_factory=dict)  # computed before, over all N frames

    @property
    def n_frames(self) -> int:
        return len(self.frames)

    def range_of(self, name: str) -> tuple[int, int]:
        """The half-open range that a motion has in the arrays over all frames."""
        if name not in self._numbers:
            shown = ", ".join(self.names[:5]) + (", ..." if len(self.names) > 5 else "")
            raise BadInput(f"no '{name}' in the view; it has {len(self.names)} motions: {shown}")
        number = self._numbers[name]
        return int(self.starts[number]), int(self.starts[number + 1])

    def motion(self, name: str) -> Motion:
        """One take as this view shows it."""
        start, stop = self.range_of(name)
        return unpack_frames(self.frames[start:stop], self.skeleton, self.fps)

    def pose(self, frame: int) -> Motion:
        """One of all N frames as a motion."""
        return unpack_frames(self.frames[frame : frame + 1], self.skeleton, self.fps)

    def layer(self, name: str, layer: str) -> np.ndarray:
        """A layer of one motion; as in `Corpus.layer`, except that contacts are those of the recording."""
        start, stop = self.range_of(name)
        return self.whole_layer(layer)[start:stop]

    def whole_layer(self, layer: str) -> np.ndarray:
        """A layer over all N frames: computed once, and cached if the corpus is open for writing."""
        if layer == "contacts":
            return self.source_contacts
        if layer not in self._layers:
            self._layers[layer] = self.model(_compute_layer, {"layer": layer}, self, layer)["frames"]
        return self._layers[layer]

    def model(
        self,
        kind: Kind[Arguments, dict[str, np.ndarray]],
        settings: Mapping[str, Any],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> dict[str, np.ndarray]:
        """Arrays made from this view: those cached in the corpus, else made now; cached if it is open for writing.

        Args:
            kind: of the arrays, with the function that makes them.
            settings: all that decides the arrays besides the view and the code, as JSON can hold it.
            args: of the function; it returns arrays by name, of which empty ones are left out.
            kwargs: of the function.
        """
        version = kind.code_version
        made_with = {**settings, MADE_OF: self.key}
        key = hashlib.sha256(json.dumps([made_with, version], sort_keys=True).encode()).hexdigest()[:32]
        found = find_model(self.corpus, kind.name, key, at_most=kind.at_most)
        if found is not None:
            return found
        made = {name: array for name, array in kind(*args, **kwargs).items() if array.size}
        if self.corpus.can_write:
            about: dict[str, Any] = {"settings": made_with, "takes": self.digests, "code_version": version}
            keep_model(self.corpus, kind.name, key, made, at_most=kind.at_most, **about)
        return made

    def origin(self, frame: int) -> Origin:
        """Where a frame of the arrays over all frames comes from."""
        if not 0 <= frame < self.n_frames:
            raise BadInput(f"frame {frame} of a view that has [0, {self.n_frames})")
        name = self.names[int(np.searchsorted(self.starts, frame, side="right")) - 1]
        return Origin(take_of(name), float(self.source_frames[frame]), name.endswith(MIRRORED))

    def labels(self, name: str) -> list[Label]:
        """The labels of one motion, in its frames here; left and right are swapped for mirrored copies."""
        labels = self._moved(name, self.corpus.labels(take_of(name)))
        if name.endswith(MIRRORED):
            return [replace(one, label=swap_sides(one.label)) for one in labels]
        return labels

    def contacts(self, name: str) -> list[Contact]:
        """The contacts that were given for one motion, in its frames here."""
        contacts = self._moved(name, self.corpus.contacts(take_of(name)))
        if name.endswith(MIRRORED):
            return [replace(one, point=swap_sides(one.point)) for one in contacts]
        return contacts

    def events(self, name: str) -> list[Event]:
        """The events of one motion, in its frames here; those of mirrored copies keep their words."""
        return [replace(one, take=name, frame=self._here(name, one.frame)) for one in self.corpus.events(take_of(name))]

    def _moved(self, name: str, ranges: list[Range]) -> list[Range]:
        """Labels or contacts of a take, in the frames of one motion; those that it does not show are left out."""
        moved = [
            replace(one, take=name, start=self._here(name, one.start), stop=self._here(name, one.stop))
            for one in ranges
        ]
        return [one for one in moved if one.start < one.stop]

    def _here(self, name: str, frame: int) -> int:
        start, stop = self.range_of(name)
        return int(np.searchsorted(self.source_frames[start:stop], frame - 1e-6))

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}


@cached("view layer")
def _compute_layer(view: View, layer: str) -> dict[str, np.ndarray]:
    parts = [compute_layers(view.motion(name), 0.0, [layer])[layer] for name in view.names]
    return {"frames": np.concatenate(parts)}


def take_of(name: str) -> str:
    """The take behind the name of a motion in a view."""
    return name.removesuffix(MIRRORED)


def swap_sides(word: str) -> str:
    """'turn_left' -> 'turn_right', and the other way round."""
    return re.sub("left|right", lambda found: "right" if found[0] == "left" else "left", word)


def starts_of(lengths: Sequence[int]) -> np.ndarray:
    """Where each of some arrays begins when they are put one after the other, and where the last ends."""
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
