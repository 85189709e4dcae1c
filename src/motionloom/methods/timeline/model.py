"""What is learnt from a corpus: where every frame is in the feature space, and how a motion can go on from it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

from motionloom.assembly import ChosenJoins, Yardsticks, learn_yardsticks
from motionloom.assembly.hovering import find_hovering
from motionloom.conform import View
from motionloom.errors import BadInput
from motionloom.formats.atomic_write import replacing
from motionloom.methods.timeline.request import Settings

INDEX = ("coordinates", "facings", "neighbours", "distances")  # arrays that are kept with a view


@dataclass(frozen=True, eq=False)
class Model:
    """A view made ready for searching.

    N frames of M motions stand one after another. After them there are M extrapolated frames: what would come
    after the last frame of each motion, if it went on as it moved. After frame i comes `following[i]`.
    """

    view: View
    settings: Settings
    coordinates: np.ndarray  # (N + M, P) in the feature space, in usual distances to the nearest frame
    facings: np.ndarray  # (N + M, 3) metres along x and z, heading in radians
    neighbours: np.ndarray  # (N + M, k) int32: the frames nearest to each, nearest first; -1: no more
    distances: np.ndarray  # (N + M, k) float32: how far they are; infinite where there are no more
    labels: tuple[str, ...]  # L known ones
    tracks: np.ndarray  # (N, L) int8: +1 holds, -1 does not, 0 unknown
    hovering: np.ndarray  # (N,) bool: frames in which nothing is known to carry the body
    space: str = ""  # digest of the feature space of the corpus that coordinates are in; "" where there is no corpus
    chosen_joins: ChosenJoins = field(default_factory=ChosenJoins)  # how cuts were joined before
    _blocks: dict[tuple[int, int], np.ndarray] = field(default_factory=dict)  # clusters that were asked for before

    @property
    def n_frames(self) -> int:
        """N."""
        return int(self.starts[-1])

    @property
    def starts(self) -> np.ndarray:
        """(M + 1,) int: motion m has the frames [starts[m], starts[m + 1])."""
        return self.view.starts

    @property
    def fps(self) -> float:
        return self.view.fps

    @cached_property
    def yardsticks(self) -> Yardsticks:
        """Of the recordings; learnt when they are first wanted."""
        return learn_yardsticks(self.view)

    @cached_property
    def motion_of(self) -> np.ndarray:
        """(N,) int32: which motion each frame is of."""
        return np.repeat(np.arange(len(self.starts) - 1, dtype=np.int32), np.diff(self.starts))

    @cached_property
    def stops(self) -> np.ndarray:
        """(N,) int64: one past the last frame of the motion that each frame is of."""
        return self.starts[1:][self.motion_of]

    @cached_property
    def following(self) -> np.ndarray:
        """(N,) int64: the frame that comes after each frame; made up where the motion ends."""
        after = np.arange(1, self.n_frames + 1)
        last = self.starts[1:] - 1
        after[last] = self.n_frames + np.arange(len(last))
        return after

    @cached_property
    def bulk(self) -> np.ndarray:
        """(N + M, P) float32: the coordinates, for loops over all of them."""
        return np.ascontiguousarray(self.coordinates, np.float32)

    def is_same(self, other: "Model") -> bool:
        """Whether a search finds the same with both."""
        mine, theirs = (
            (model.view.key, model.view.names, model.space, model.settings, model.labels) for model in (self, other)
        )
        return mine == theirs and np.array_equal(self.tracks, other.tracks)

    def save(self, path: str | Path) -> None:
        """Write the arrays to a file."""
        arrays = {name: getattr(self, name) for name in INDEX} | {"space": np.array(self.space)}
        with replacing(path) as temporary, temporary.open("wb") as file:
            np.savez(file, view=np.array(self.view.key), labels=np.array(self.labels), tracks=self.tracks, **arrays)

    @staticmethod
    def load(path: str | Path, view: View, settings: Settings | None = None) -> "Model":
        """Read what `save` wrote, for the same view."""
        with np.load(path, allow_pickle=False) as archive:
            if str(archive["view"]) != view.key:
                raise BadInput(f"{path} was made from another view; prepare the timeline again")
            labels = tuple(str(label) for label in archive["labels"])
            arrays, space = {name: archive[name] for name in INDEX}, str(archive["space"]) if "space" in archive else ""
            hovering = find_hovering(view)
            return make_model(view, settings or Settings(), arrays, labels, archive["tracks"], hovering, space)


def make_model(
    view: View,
    settings: Settings,
    arrays: Mapping[str, np.ndarray],
    labels: tuple[str, ...],
    tracks: np.ndarray,
    hovering: np.ndarray | None = None,
    space: str = "",
) -> Model:
    """A model of arrays that were made or kept before; `hovering` is none where nothing is known about it."""
    coordinates, facings, neighbours, distances = (np.asarray(arrays[name]) for name in INDEX)
    in_the_air = np.zeros(len(tracks), bool) if hovering is None else hovering
    return Model(
        view, settings, coordinates, facings, neighbours, distances, labels, np.asarray(tracks), in_the_air, space
    )
