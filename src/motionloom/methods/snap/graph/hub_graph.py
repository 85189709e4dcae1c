"""HubGraph: clips that join by a plain cut, and the nodes where one chooses how to go on.

Everything that a player needs, and nothing that has to be solved: frames stand relative to the node that their clip
leaves, so that all clips of a hub begin with the same stored pose, and a clip knows where its end lies.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from motionloom.errors import BadInput
from motionloom.motion import Motion, Placement, Skeleton

NodeKind = Literal["hub", "start", "end"]
ARRAYS = ("frames", "clip_starts", "contacts", "hub_frames", "placements")


@dataclass(frozen=True)
class Node:
    """Where clips meet: a hub, or the start or end of a take."""

    name: str
    kind: NodeKind
    planted: tuple[bool, ...] = (False, False, False, False)  # of a hub, in the order of features.feet.POINTS


@dataclass(frozen=True)
class Clip:
    """An edge: frames [start, stop) of a motion of the view, bent so that it can be played after any other.

    The pose in frame `stop` is the first frame of whatever clip follows; only a clip that goes to the end of its take
    has its last frame itself.
    """

    name: str  # of its own, such as "punch 2" or "144_20 [113, 180)"
    source: int  # node that it leaves
    target: int  # node that it enters
    motion: str  # of the view
    start: int
    stop: int
    labels: Mapping[str, float] = field(default_factory=dict)  # label -> share of its frames in which it holds

    @property
    def n_frames(self) -> int:
        return self.stop - self.start


@dataclass(frozen=True)
class Action:
    """A word, or a button, and the clips that do it."""

    name: str
    clips: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class HubGraph:
    """Nodes, clips and their frames: what is built once and played for ever."""

    skeleton: Skeleton
    fps: float
    nodes: tuple[Node, ...]  # hubs first
    clips: tuple[Clip, ...]
    frames: (
        np.ndarray
    )  # (N, 3 + 4 J) float32: root position, joint rotations; clip after clip, seen from its source node
    clip_starts: np.ndarray  # (C + 1,) int: clip c has the frames [clip_starts[c], clip_starts[c + 1])
    contacts: np.ndarray  # (N, 4) bool: planted heels and balls
    hub_frames: np.ndarray  # (H, 3, 3 + 4 J) float32: before, at and after the common pose of each hub, seen from it
    placements: np.ndarray  # (C, 3) float64: x, z, heading of the target node, seen from the source node
    actions: tuple[Action, ...] = ()

    @property
    def n_hubs(self) -> int:
        return len(self.hub_frames)

    @property
    def n_frames(self) -> int:
        return len(self.frames)

    @property
    def edges(self) -> np.ndarray:
        """(C, 2) int: the nodes that each clip leaves and enters."""
        return np.array([(clip.source, clip.target) for clip in self.clips], int).reshape(-1, 2)

    @property
    def seconds(self) -> np.ndarray:
        """(C,) how long each clip lasts."""
        return np.diff(self.clip_starts) / self.fps

    @cached_property
    def leaving(self) -> tuple[tuple[int, ...], ...]:
        """The clips that leave each node."""
        return tuple(
            tuple(c for c, clip in enumerate(self.clips) if clip.source == node) for node in range(len(self.nodes))
        )

    @cached_property
    def entering(self) -> tuple[tuple[int, ...], ...]:
        """The clips that enter each node."""
        return tuple(
            tuple(c for c, clip in enumerate(self.clips) if clip.target == node) for node in range(len(self.nodes))
        )

    def placement(self, clip: int) -> Placement:
        """Where the target node of a clip lies, seen from its source node."""
        x, z, heading = self.placements[clip]
        return Placement(float(heading), np.array([x, z]))

    def clip_motion(self, clip: int) -> Motion:
        """The frames of one clip, seen from its source node."""
        start, stop = self.clip_starts[clip : clip + 2]
        return self.motion_of(self.frames[start:stop])

    def hub_motion(self, hub: int) -> Motion:
        """The three frames of a hub: before, at and after its common pose."""
        return self.motion_of(self.hub_frames[hub])

    def motion_of(self, frames: np.ndarray) -> Motion:
        """(F, 3 + 4 J) frames as a motion, in double precision."""
        values = np.asarray(frames, float)
        turns = values[:, 3:].reshape(len(values), self.skeleton.n_joints, 4)
        return Motion(self.skeleton, values[:, :3], turns / np.linalg.norm(turns, axis=-1, keepdims=True), self.fps)

    def find_clip(self, name: str) -> int:
        """The number of the clip that has a name."""
        return _find(name, [clip.name for clip in self.clips], "clip")

    def find_node(self, name: str) -> int:
        """The number of the node that has a name."""
        return _find(name, [node.name for node in self.nodes], "node")

    def clips_for(self, word: str) -> tuple[int, ...]:
        """The clips that a word means: an action, a label that holds in most of their frames, or one clip's name."""
        for action in self.actions:
            if action.name == word:
                return action.clips
        labelled = tuple(c for c, clip in enumerate(self.clips) if clip.labels.get(word, 0.0) > 0.5)
        return labelled or (self.find_clip(word),)

    def keep_clips(self, kept: Iterable[int]) -> "HubGraph":
        """The graph of some of its clips, in their order; nodes that no clip touches go, hubs excepted."""
        chosen = sorted(set(kept))
        if not chosen:
            raise BadInput("a graph without clips plays nothing; keep at least one")
        touched = {node for c in chosen for node in (self.clips[c].source, self.clips[c].target)}
        nodes = [n for n, node in enumerate(self.nodes) if n in touched or node.kind == "hub"]
        number = {old: new for new, old in enumerate(nodes)}
        renumbered = {old: new for new, old in enumerate(chosen)}
        rows = np.concatenate([np.arange(*self.clip_starts[c : c + 2]) for c in chosen])
        lengths = np.diff(self.clip_starts)[chosen]
        actions = [Action(a.name, tuple(renumbered[c] for c in a.clips if c in renumbered)) for a in self.actions]
        return replace(
            self,
            nodes=tuple(self.nodes[n] for n in nodes),
            clips=tuple(
                replace(self.clips[c], source=number[self.clips[c].source], target=number[self.clips[c].target])
                for c in chosen
            ),
            frames=self.frames[rows],
            clip_starts=np.concatenate([[0], np.cumsum(lengths)]),
            contacts=self.contacts[rows],
            placements=self.placements[chosen],
            actions=tuple(action for action in actions if action.clips),
        )

    def to_arrays(self) -> dict[str, np.ndarray]:
        """As arrays that a file or the corpus can keep."""
        words = {
            "fps": self.fps,
            "nodes": [asdict(node) for node in self.nodes],
            "clips": [asdict(clip) for clip in self.clips],
            "actions": [asdict(action) for action in self.actions],
        }
        text = np.frombuffer(json.dumps(words).encode(), np.uint8)
        return {"words": text, **{name: getattr(self, name) for name in ARRAYS}}

    @staticmethod
    def from_arrays(arrays: Mapping[str, Any], skeleton: Skeleton) -> "HubGraph":
        """Back from arrays."""
        words = json.loads(bytes(np.asarray(arrays["words"], np.uint8)))
        none = np.zeros((0, 3, 3 + 4 * skeleton.n_joints), np.float32)  # empty arrays are not kept
        return HubGraph(
            skeleton,
            words["fps"],
            tuple(Node(one["name"], one["kind"], tuple(one["planted"])) for one in words["nodes"]),
            tuple(Clip(**one) for one in words["clips"]),
            actions=tuple(Action(one["name"], tuple(one["clips"])) for one in words["actions"]),
            **{name: np.asarray(arrays.get(name, none)) for name in ARRAYS},
        )


def _find(name: str, names: list[str], what: str) -> int:
    if name in names:
        return names.index(name)
    shown = ", ".join(names[:5]) + (", ..." if len(names) > 5 else "")
    raise BadInput(f"no {what} '{name}' in the graph; it has {len(names)}: {shown}")
