"""What clips do, in the numbers by which people steer: how long, how far, how fast, how much of a turn, which way.

`ClipControls` are measured, `Control` is wished for; `costs` tells how far each clip is from a wish.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from motionloom.errors import BadInput
from motionloom.methods.snap.graph.hub_graph import HubGraph
from motionloom.motion import rotations
from motionloom.motion.placement import heading_of

LEAST_PATH = 0.1  # metres: who goes less turns on the spot, and curvature is counted as if it were so much
SPEED_SCALE = 0.5  # metres per second that are as wrong as ...
CURVATURE_SCALE = 0.5  # ... so many radians per metre
ANGLE_SCALE = np.pi / 4  # ... and as so many radians of turn, direction or heading
LABEL_COST = 4.0  # of a wished label that holds nowhere in the clip: as wrong as 1 m/s or a right angle
ASTRAY = np.pi / 2  # radians: as if it went so far from a wished direction, whoever goes nowhere


@dataclass(frozen=True)
class ClipControls:
    """Every clip in numbers, (C,) each."""

    seconds: np.ndarray  # that it lasts
    distance: np.ndarray  # metres over the ground, straight from its source node to its target node
    path: np.ndarray  # metres over the ground, along the way of the root
    speed: np.ndarray  # metres per second along that way, mean
    turn: np.ndarray  # radians from the source node's heading to the target node's, counted round; positive turns left
    curvature: np.ndarray  # radians per metre: turn over path
    direction: np.ndarray  # radians: where the target node lies, seen from the source node; 0 ahead, positive left

    def of(self, clip: int) -> dict[str, float]:
        """The numbers of one clip, by name."""
        return {one.name: float(getattr(self, one.name)[clip]) for one in fields(self)}


@dataclass(frozen=True)
class Control:
    """What is wished for until something else is; what is None does not matter."""

    word: str | None = None  # an action, a label or a clip's name: only such clips, and by the shortest way to them
    speed: float | None = None  # metres per second
    curvature: float | None = None  # radians per metre, positive turns left
    turn: float | None = None  # radians, positive turns left
    direction: float | None = None  # radians: where to go, seen from the character; 0 ahead, positive left
    heading: float | None = None  # radians, world: how it should stand at the end of the clip
    labels: tuple[str, ...] = ()  # that should hold; a clip without them may still be the nearest

    def __post_init__(self) -> None:
        for name in ("speed", "curvature", "turn", "direction", "heading"):
            value = getattr(self, name)
            if value is not None and not np.isfinite(value):
                raise BadInput(f"a {name} of {value} cannot be steered by; give a finite number")

    @property
    def steers(self) -> bool:
        """Whether one clip is nearer to it than another."""
        wishes = (self.speed, self.curvature, self.turn, self.direction, self.heading)
        return bool(self.labels) or any(one is not None for one in wishes)


def measure_controls(graph: HubGraph) -> ClipControls:
    """Measure every clip of a graph."""
    seconds = graph.seconds
    slides, headings = graph.placements[:, :2], graph.placements[:, 2]
    distance = np.hypot(slides[:, 0], slides[:, 1])
    path = np.array([_path_length(graph, c) for c in range(len(graph.clips))])
    turn = np.array([_count_round(graph, c, heading) for c, heading in enumerate(headings)])
    return ClipControls(
        seconds=seconds,
        distance=distance,
        path=path,
        speed=path / seconds,
        turn=turn,
        curvature=turn / np.maximum(path, LEAST_PATH),
        direction=np.where(distance < LEAST_PATH, 0.0, heading_of(slides)),
    )


def share_of_labels(graph: HubGraph, labels: Sequence[str]) -> np.ndarray:
    """(C, L) the share of each clip's frames in which each label holds."""
    return np.array([[clip.labels.get(label, 0.0) for label in labels] for clip in graph.clips]).reshape(
        len(graph.clips), len(labels)
    )


def costs(
    controls: ClipControls, clips: np.ndarray, control: Control, facing: float = 0.0, shares: np.ndarray | None = None
) -> np.ndarray:
    """How far clips are from what is wished for: (K,), 0 for exactly that.

    The sum of the squares of what differs, each in its own scale, and of what each missing label costs.

    Args:
        controls: of all clips.
        clips: (K,) the clips in question.
        control: the wish.
        facing: radians, world: heading of the node at which the clips begin.
        shares: (C, L) share of each of the control's labels in each clip.
    """
    total = np.zeros(len(clips))
    if control.speed is not None:
        total = total + ((controls.speed[clips] - control.speed) / SPEED_SCALE) ** 2
    if control.curvature is not None:
        total = total + ((controls.curvature[clips] - control.curvature) / CURVATURE_SCALE) ** 2
    if control.turn is not None:
        total = total + ((controls.turn[clips] - control.turn) / ANGLE_SCALE) ** 2
    if control.direction is not None:
        off = wrap(controls.direction[clips] - control.direction)
        off = np.where(controls.distance[clips] < LEAST_PATH, ASTRAY, off)
        total = total + (off / ANGLE_SCALE) ** 2
    if control.heading is not None:
        off = wrap(facing + controls.turn[clips] - control.heading)
        total = total + (off / ANGLE_SCALE) ** 2
    if shares is not None:
        for k in range(shares.shape[1]):
            total = total + LABEL_COST * (1.0 - shares[clips, k])
    return total


def wrap(angles: np.ndarray) -> np.ndarray:
    """Angles in radians, brought into [-pi, pi)."""
    return angles - 2 * np.pi * np.floor((angles + np.pi) / (2 * np.pi))


def _path_length(graph: HubGraph, clip: int) -> float:
    """Metres over the ground along the way of the root, up to the target node."""
    start, stop = graph.clip_starts[clip : clip + 2]
    way = graph.frames[start:stop, [0, 2]].astype(float)
    if graph.nodes[graph.clips[clip].target].kind != "end":  # else its last frame is the end
        way = np.concatenate([way, graph.placements[clip : clip + 1, :2]])
    return float(np.hypot(*np.diff(way, axis=0).T).sum())


def _count_round(graph: HubGraph, clip: int, heading: float) -> float:
    """A heading at the end of a clip as what the body really turned: left by 190 degrees is not right by 170."""
    start, stop = graph.clip_starts[clip : clip + 2]
    roots = rotations.normalize(graph.frames[start:stop, 3:7].astype(float))
    twists = np.unwrap(2 * np.arctan2(roots[:, 2], roots[:, 0]))
    rounds = np.round((twists[-1] - twists[0] - heading) / (2 * np.pi))
    return float(heading + 2 * np.pi * rounds)
