"""HubGraph: clips that join by a plain cut, and the nodes at which the next clip is chosen.

It holds all data that a player needs; nothing is solved at run time. Frames are relative to the source node of their
clip, so all clips that leave a hub begin with the same stored pose; each clip has the placement of its target node.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from motionloom.errors import BadInput
from motionloom.motion import Footing, Motion, Placement, Skeleton
from motionloom.motion.footing import COLUMNS
from motionloom.motion.packed import packed_width, unpack_frames

NodeKind = Literal["hub", "start", "end"]
ARRAYS = ("frames", "clip_starts", "contacts", "hub_frames", "placements")
NO_SUPPORTS = np.zeros((0, 1 + len(COLUMNS)))
MOSTLY = 0.5  # the share of a clip's frames above which a label counts as what the clip does


@dataclass(frozen=True)
class Node:
    """A node: a hub, or the start or end of a take."""

    name: str
    kind: NodeKind
    planted: tuple[bool, ...] = (False, False, False, False)  # contacts of a hub, in the order of features.feet.POINTS


@dataclass(frozen=True)
class Clip:
    """An edge: frames [start, stop) of a motion of the view, bent to the common poses of the nodes at its ends.

    Frame `stop` is the first frame of the clip that follows; only a clip that ends with its take includes its last
    frame.
    """

    name: str  # unique, such as "punch 2" or "144_20 [113, 180)"
    source: int  # node that it leaves
    target: int  # node that it enters
    motion: str  # of the view
    start: int
    stop: int
    labels: Mapping[str, float] = field(default_factory=dict)  # label -> share of its frames in which it holds

    @property
    def n_frames(self) -> int:
        return self.stop - self.start

    def is_mostly(self, label: str) -> bool:
        """Whether a label holds in most of its frames."""
        return self.labels.get(label, 0.0) > MOSTLY


@dataclass(frozen=True)
class Action:
    """An action, such as one button triggers, and its clips."""

    name: str
    clips: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class HubGraph:
    """Nodes, clips and their frames: built once, then played without further computation."""

    skeleton: Skeleton
    fps: float
    nodes: tuple[Node, ...]  # hubs first
    clips: tuple[Clip, ...]
    frames: np.ndarray  # (N, 3 + 4 J) float32: root position, joint rotations; clip by clip, relative to its source
    clip_starts: np.ndarray  # (C + 1,) int: clip c has the frames [clip_starts[c], clip_starts[c + 1])
    contacts: np.ndarray  # (N, 4) bool: planted heels and balls
    hub_frames: np.ndarray  # (H, 3, 3 + 4 J) float32: before, at and after the common pose of each hub, relative to it
    placements: np.ndarray  # (C, 3) float64: x, z, heading of the target node relative to the source node
    actions: tuple[Action, ...] = ()
    supports: np.ndarray = field(default_factory=lambda: NO_SUPPORTS)  # (K, 10): clip, then a row of `Footing`

    @property
    def n_hubs(self) -> int:
        return len(self.hub_frames)

    @property
    def n_frames(self) -> int:
        return len(self.frames)

    @property
    def edges(self) -> np.ndarray:
        """(C, 2) int: source and target node of each clip."""
        return np.array([(clip.source, clip.target) for clip in self.clips], int).reshape(-1, 2)

    @property
    def seconds(self) -> np.ndarray:
        """(C,) duration of each clip."""
        return np.diff(self.clip_starts) / self.fps

    @cached_property
    def leaving(self) -> tuple[tuple[int, ...], ...]:
        """The clips that leave each node."""
        return self._clips_by([clip.source for clip in self.clips])

    @cached_property
    def entering(self) -> tuple[tuple[int, ...], ...]:
        """The clips that enter each node."""
        return self._clips_by([clip.target for clip in self.clips])

    def _clips_by(self, nodes: list[int]) -> tuple[tuple[int, ...], ...]:
        """The clips of each node, of one node for each clip."""
        clips: list[list[int]] = [[] for _ in self.nodes]
        for clip, node in enumerate(nodes):
            clips[node].append(clip)
        return tuple(map(tuple, clips))

    def placement(self, clip: int) -> Placement:
        """The placement of a clip's target node relative to its source node."""
        x, z, heading = self.placements[clip]
        return Placement(float(heading), np.array([x, z]))

    def clip_motion(self, clip: int) -> Motion:
        """The frames of a clip, relative to its source node."""
        start, stop = self.clip_starts[clip : clip + 2]
        return self.motion_of(self.frames[start:stop])

    def footing(self, clip: int) -> Footing:
        """What the feet of a clip stand on besides the floor, in frames of the clip and relative to its source node."""
        return Footing.from_rows(self.supports[self.supports[:, 0] == clip, 1:])

    def hub_motion(self, hub: int) -> Motion:
        """The three frames of a hub: before, at and after its common pose."""
        return self.motion_of(self.hub_frames[hub])

    def motion_of(self, frames: np.ndarray) -> Motion:
        """(F, 3 + 4 J) frames as a motion, in double precision."""
        motion = unpack_frames(frames, self.skeleton, self.fps)
        lengths = np.linalg.norm(motion.local_rotations, axis=-1, keepdims=True)
        return replace(motion, local_rotations=motion.local_rotations / lengths)

    def find_clip(self, name: str) -> int:
        """The index of the clip with a name."""
        return _find(name, [clip.name for clip in self.clips], "clip")

    def find_node(self, name: str) -> int:
        """The index of the node with a name."""
        return _find(name, [node.name for node in self.nodes], "node")

    def clips_for(self, word: str) -> tuple[int, ...]:
        """The clips of a word: an action's, those with a label in most of their frames, or the clip of that name."""
        for action in self.actions:
            if action.name == word:
                return action.clips
        return self.labelled_clips(word) or (self.find_clip(word),)

    def labelled_clips(self, label: str) -> tuple[int, ...]:
        """The clips with a label in most of their frames."""
        return tuple(c for c, clip in enumerate(self.clips) if clip.is_mostly(label))

    def keep_clips(self, kept: Iterable[int]) -> "HubGraph":
        """The subgraph of some clips, in their order; nodes without clips are removed, except hubs."""
        chosen = sorted(set(kept))
        if not chosen:
            raise BadInput("a graph without clips cannot be played; keep at least one clip")
        touched = {node for c in chosen for node in (self.clips[c].source, self.clips[c].target)}
        nodes = [n for n, node in enumerate(self.nodes) if n in touched or node.kind == "hub"]
        number = {old: new for new, old in enumerate(nodes)}
        renumbered = {old: new for new, old in enumerate(chosen)}
        rows = np.concatenate([np.arange(*self.clip_starts[c : c + 2]) for c in chosen])
        lengths = np.diff(self.clip_starts)[chosen]
        supports = self.supports[np.isin(self.supports[:, 0], chosen)].copy()
        supports[:, 0] = np.searchsorted(chosen, supports[:, 0])
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
            supports=supports,
        )

    def to_arrays(self) -> dict[str, np.ndarray]:
        """As arrays, for a file or the cache of a corpus."""
        about = {
            "fps": self.fps,
            "nodes": [asdict(node) for node in self.nodes],
            "clips": [asdict(clip) for clip in self.clips],
            "actions": [asdict(action) for action in self.actions],
        }
        text = np.frombuffer(json.dumps(about).encode(), np.uint8)
        below = {"supports": self.supports} if len(self.supports) else {}
        return {"words": text, **{name: getattr(self, name) for name in ARRAYS}, **below}

    @staticmethod
    def from_arrays(arrays: Mapping[str, Any], skeleton: Skeleton) -> "HubGraph":
        """The graph of arrays that `to_arrays` made."""
        about = json.loads(bytes(np.asarray(arrays["words"], np.uint8)))
        none = np.zeros((0, 3, packed_width(skeleton.n_joints)), np.float32)  # empty arrays are not stored
        return HubGraph(
            skeleton,
            about["fps"],
            tuple(Node(node["name"], node["kind"], tuple(node["planted"])) for node in about["nodes"]),
            tuple(Clip(**clip) for clip in about["clips"]),
            actions=tuple(Action(action["name"], tuple(action["clips"])) for action in about["actions"]),
            supports=np.asarray(arrays.get("supports", NO_SUPPORTS)),
            **{name: np.asarray(arrays.get(name, none)) for name in ARRAYS},
        )


def _find(name: str, names: list[str], what: str) -> int:
    if name in names:
        return names.index(name)
    shown = ", ".join(names[:5]) + (", ..." if len(names) > 5 else "")
    raise BadInput(f"no {what} '{name}' in the graph; it has {len(names)}: {shown}")
