"""What is learnt from a corpus: a transition graph, pose groups, and where the body is in every frame."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from motionloom.assembly import ChosenJoins, Yardsticks, learn_yardsticks
from motionloom.caching import Recent
from motionloom.conform import View
from motionloom.conform.label_tracks import label_tracks, used_labels
from motionloom.errors import BadInput
from motionloom.features.body_size import body_height
from motionloom.features.facing import knows_heading
from motionloom.formats.atomic_write import replacing
from motionloom.graphs import TransitionGraph
from motionloom.graphs.pruning import PruneReport
from motionloom.graphs.view_measures import measure_view_angles, world_positions_of
from motionloom.methods.buildup.poses.palette import Palette, group_of_label, lay_out
from motionloom.methods.buildup.poses.pose_groups import PoseGroups
from motionloom.methods.buildup.request import Material, Settings
from motionloom.methods.buildup.tree.graph_tables import GraphTables

PERFORMANCES_KEPT = 12  # finished motions of characters
BRIDGES_KEPT = 180  # and lists of them: about three for each gap
TRACKS_KEPT = 4  # choices of points of the body


@dataclass(frozen=True, eq=False)
class Model:
    """A view made ready for building up."""

    view: View
    settings: Settings
    material: Material
    graph: TransitionGraph  # of the frames of the view
    pruned: PruneReport
    groups: PoseGroups
    chosen_joins: ChosenJoins = field(default_factory=ChosenJoins)

    @property
    def fps(self) -> float:
        return self.view.fps

    @cached_property
    def facings(self) -> np.ndarray:
        """(N, 3) metres along x and z under the hips, and radians."""
        return np.ascontiguousarray(self.view.whole_layer("facing"), float)

    @cached_property
    def knows_heading(self) -> np.ndarray:
        """(N,) bool: whether the torso is far enough from upside down for its heading to be well defined."""
        return knows_heading(self.view.skeleton, world_positions_of(self.view))

    @cached_property
    def tables(self) -> GraphTables:
        """What search trees are grown from."""
        return GraphTables(self.graph, self.facings, self.groups.of_frame, self.groups.n_groups)

    @cached_property
    def yardsticks(self) -> Yardsticks:
        """Of the recordings; learnt when they are first wanted."""
        return learn_yardsticks(self.view)

    @cached_property
    def radius(self) -> float:
        """Metres that count as near: half the height of the body (section 4.2)."""
        return 0.5 * body_height(self.view.skeleton)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        return tuple(used_labels(self.view))

    @cached_property
    def tracks(self) -> np.ndarray:
        """(N, L) int8: +1 where a label holds."""
        return label_tracks(self.view, self.labels)

    @cached_property
    def palette(self) -> Palette:
        """The poses to choose from."""
        measure = measure_view_angles(self.view)
        return lay_out(measure, self.groups, self.labels, self.tracks)

    @cached_property
    def performances(self) -> Recent[tuple, Any]:
        """What was performed last, which a quick performance of what goes on from it begins with."""
        return Recent(PERFORMANCES_KEPT)

    @cached_property
    def bridges(self) -> Recent[tuple, Any]:
        """Bridges over gaps that were looked for last, by their gaps; looking for one takes long."""
        return Recent(BRIDGES_KEPT)

    @cached_property
    def point_tracks(self) -> Recent[tuple, Any]:
        """Where points of the body are in all frames, of those that hits were aimed with last."""
        return Recent(TRACKS_KEPT)

    def frame_of(self, take: str, frame: float) -> int:
        """The frame of the view that shows a frame of a take, as recorded."""
        start, stop = self.view.range_of(take)
        return start + int(np.abs(self.view.source_frames[start:stop] - frame).argmin())

    def clip_frame(self, frame: int) -> tuple[str, int]:
        """A frame of the view as the name of its motion and the frame there."""
        number = int(np.searchsorted(self.view.starts, frame, side="right")) - 1
        return self.view.names[number], frame - int(self.view.starts[number])

    def group_of_label(self, label: str) -> int | None:
        """The pose group in which a label is mostly seen; None where it is nowhere."""
        return group_of_label(self.groups, label_tracks(self.view, [label])[:, 0])

    def describe(self) -> str:
        """What a person wants to know about it."""
        groups = f"{self.groups.n_groups} pose groups of {self.groups.sizes.min()} to {self.groups.sizes.max()} frames"
        return "\n".join([self.graph.describe(), groups, self.pruned.describe()])

    def is_same(self, other: "Model") -> bool:
        """Whether a search finds the same with both."""
        mine, theirs = self._arrays(), other._arrays()
        same = (self.view.key, self.view.names, self.settings) == (other.view.key, other.view.names, other.settings)
        return same and all(np.array_equal(mine[name], theirs[name]) for name in mine)

    def save(self, path: str | Path) -> None:
        """Write the arrays to a file."""
        about = {"view": self.view.key, "names": self.view.names, "material": vars(self.material)}
        text = json.dumps({**about, "pruned": self.pruned.to_data()}).encode()
        with replacing(path) as temporary, temporary.open("wb") as file:
            np.savez(file, model=np.frombuffer(text, np.uint8), **self._arrays())  # type: ignore[arg-type]

    @staticmethod
    def load(path: str | Path, view: View, settings: Settings | None = None) -> "Model":
        """Read what `save` wrote, for the same view."""
        with np.load(path, allow_pickle=False) as archive:
            about = json.loads(bytes(archive["model"]))
            if about["view"] != view.key or tuple(about["names"]) != view.names:
                raise BadInput(f"{path} was made from another view; prepare the build-up again")
            arrays = {name: archive[name] for name in archive.files if name != "model"}
        material = Material(**{key: _tuple(value) for key, value in about["material"].items()})
        report = PruneReport.from_data(about["pruned"])
        graph = TransitionGraph.from_arrays(arrays)
        return Model(view, settings or Settings(), material, graph, report, groups_of(arrays))

    def _arrays(self) -> dict[str, np.ndarray]:
        return {**self.graph.to_arrays(), **arrays_of(self.groups)}


def arrays_of(groups: PoseGroups) -> dict[str, np.ndarray]:
    """Pose groups as arrays; `groups_of` is the inverse."""
    return {
        "centres": groups.centres,
        "of_frame": groups.of_frame,
        "errors": groups.errors,
        "is_settled": np.array([groups.is_settled]),
    }


def groups_of(arrays: Mapping[str, np.ndarray]) -> PoseGroups:
    """Pose groups back from arrays."""
    return PoseGroups(
        np.asarray(arrays["centres"], int),
        np.asarray(arrays["of_frame"], np.int32),
        np.asarray(arrays["errors"], float),
        bool(arrays["is_settled"][0]),
    )


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
