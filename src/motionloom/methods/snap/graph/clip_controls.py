"""Controls of clips, the numbers by which a character is steered: duration, distance, speed, turn, direction.

`ClipControls` are measured, a `Control` is what a person wants right now; `costs` rates each clip against it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from motionloom.errors import BadInput
from motionloom.methods.snap.graph.hub_graph import HubGraph
from motionloom.motion import rotations
from motionloom.motion.angles import wrap_outside
from motionloom.motion.packed import packed_roots, packed_rotations
from motionloom.motion.placement import heading_of

LEAST_PATH = 0.1  # metres: lower bound of the path length that a turn is divided by; below it a clip turns on the spot
SPEED_SCALE = 0.5  # metres per second of deviation that cost 1
CURVATURE_SCALE = 0.5  # radians per metre of deviation that cost 1
ANGLE_SCALE = np.pi / 4  # radians of deviation in turn, direction or heading that cost 1
LABEL_COST = 4.0  # of a wanted label that holds nowhere in the clip: as much as 1 m/s or a right angle
ASTRAY = np.pi / 2  # radians: deviation from the wanted direction that is charged to a clip that goes nowhere


@dataclass(frozen=True)
class ClipControls:
    """The controls of all clips, arrays of shape (C,)."""

    seconds: np.ndarray  # duration
    distance: np.ndarray  # metres over the ground, from source node to target node in a straight line
    path: np.ndarray  # metres over the ground, along the path of the root
    speed: np.ndarray  # metres per second, mean along that path
    turn: np.ndarray  # radians from the source node's heading to the target node's, unwrapped; positive turns left
    curvature: np.ndarray  # radians per metre: turn over path
    direction: np.ndarray  # radians: direction to the target node relative to the source node; 0 ahead, positive left

    def of(self, clip: int) -> dict[str, float]:
        """The controls of a clip, by name."""
        return {control.name: float(getattr(self, control.name)[clip]) for control in fields(self)}


@dataclass(frozen=True)
class Control:
    """What a person wants, until the next control; what is None does not matter."""

    word: str | None = None  # an action, a label or a clip's name: only its clips, by the shortest graph walk to them
    speed: float | None = None  # metres per second
    curvature: float | None = None  # radians per metre, positive turns left
    turn: float | None = None  # radians, positive turns left
    direction: float | None = None  # radians: direction to go, relative to the character; 0 ahead, positive left
    heading: float | None = None  # radians, world: heading at the end of the clip
    labels: tuple[str, ...] = ()  # labels that should hold; a clip without them costs more

    def __post_init__(self) -> None:
        for name in ("speed", "curvature", "turn", "direction", "heading"):
            value = getattr(self, name)
            if value is not None and not np.isfinite(value):
                raise BadInput(f"{name} must be finite, got {value}")

    @property
    def steers(self) -> bool:
        """Whether clips have different costs."""
        wanted = (self.speed, self.curvature, self.turn, self.direction, self.heading)
        return bool(self.labels) or any(value is not None for value in wanted)


def measure_controls(graph: HubGraph) -> ClipControls:
    """Measure the controls of all clips of a graph."""
    seconds = graph.seconds
    slides, headings = graph.placements[:, :2], graph.placements[:, 2]
    distance = np.hypot(slides[:, 0], slides[:, 1])
    path = np.array([_path_length(graph, c) for c in range(len(graph.clips))])
    turn = np.array([_unwrap_turn(graph, c, heading) for c, heading in enumerate(headings)])
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
    """The cost of clips for a control: (K,), 0 for a clip that does exactly what is wanted.

    The sum of squared deviations, each divided by its scale, plus the cost of missing labels.

    Args:
        controls: of all clips.
        clips: (K,) indices of the clips to rate.
        control: what is wanted.
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
        off = wrap_outside(controls.direction[clips] - control.direction)
        off = np.where(controls.distance[clips] < LEAST_PATH, ASTRAY, off)
        total = total + (off / ANGLE_SCALE) ** 2
    if control.heading is not None:
        off = wrap_outside(facing + controls.turn[clips] - control.heading)
        total = total + (off / ANGLE_SCALE) ** 2
    if shares is not None:
        for k in range(shares.shape[1]):
            total = total + LABEL_COST * (1.0 - shares[clips, k])
    return total


def _path_length(graph: HubGraph, clip: int) -> float:
    """Length of the root's path over the ground up to the target node, metres."""
    start, stop = graph.clip_starts[clip : clip + 2]
    path = packed_roots(graph.frames[start:stop])[:, [0, 2]].astype(float)
    if graph.nodes[graph.clips[clip].target].kind != "end":  # else its last frame is the end
        path = np.concatenate([path, graph.placements[clip : clip + 1, :2]])
    return float(np.hypot(*np.diff(path, axis=0).T).sum())


def _unwrap_turn(graph: HubGraph, clip: int, heading: float) -> float:
    """The turn of a clip with a final heading, unwrapped: 190 degrees to the left are not 170 to the right."""
    start, stop = graph.clip_starts[clip : clip + 2]
    roots = rotations.normalize(packed_rotations(graph.frames[start:stop])[:, 0].astype(float))
    twists = np.unwrap(2 * np.arctan2(roots[:, 2], roots[:, 0]))
    rounds = np.round((twists[-1] - twists[0] - heading) / (2 * np.pi))
    return float(heading + 2 * np.pi * rounds)
