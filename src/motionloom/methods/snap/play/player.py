"""Player of hub graphs: its state is a placement and an index, and each frame takes constant time.

`step(planner, state, control)` is a pure function; a `Player` keeps the state of one character and emits events: a
choice is due, a clip begins, a dead end is reached.
"""

import math
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple

import numpy as np

from motionloom.errors import BadInput
from motionloom.methods.snap.graph.clip_controls import Control
from motionloom.methods.snap.graph.hub_graph import HubGraph
from motionloom.methods.snap.play.place_search import PlaceWalk
from motionloom.methods.snap.play.planner import Planner
from motionloom.motion import Footing, Placement
from motionloom.motion.angles import wrap_angle_outside

MOST_EVENTS = 256  # in the queue; the oldest are dropped


class State(NamedTuple):
    """The state of a character in its graph and in the world."""

    node: int  # source node of the clip, to which its frames are relative
    clip: int  # being played; -1 before the first
    frame: int  # of the clip
    x: float  # metres, world: of the node
    z: float
    heading: float  # radians, world
    route: tuple[int, ...] = ()  # clips that are queued to come next


class Pose(NamedTuple):
    """One frame in the world."""

    x: float  # metres: the root
    y: float
    z: float
    rotation: tuple[float, float, float, float]  # of the root, wxyz, root to world
    joints: np.ndarray  # (J - 1, 4) float32, joint to parent, without the root; a view of the graph, not to be changed


class Event(NamedTuple):
    """An event at a node."""

    kind: Literal["choice", "clip", "end"]  # a clip can be chosen; a clip has begun; no clip leaves the node
    node: int
    clips: tuple[int, ...]  # that can be chosen, or the clip that has begun


def step(planner: Planner, state: State, control: Control) -> tuple[State, Pose]:
    """Advance by one frame: the next state and its pose. At a dead end, the last frame is repeated."""
    after = next_state(planner, state, control)
    return after, pose_of(planner, after)


def begin(planner: Planner, node: int = 0, placement: Placement | None = None, route: Sequence[int] = ()) -> State:
    """The state at a node with a placement in the world; the first step begins the first clip."""
    nodes = planner.graph.nodes
    if not 0 <= node < len(nodes):
        raise BadInput(f"node {node} is out of range: the graph has {len(nodes)} nodes")
    if not planner.leaving[node]:
        raise BadInput(f"no clip leaves node '{nodes[node].name}'; begin at another node")
    placement = placement or Placement.none()
    x, z = (float(value) for value in placement.slide)
    return State(node, -1, 0, x, z, wrap_angle_outside(float(placement.heading)), tuple(route))


def next_state(planner: Planner, state: State, control: Control) -> State:
    """The state one frame later."""
    frame = state.frame + 1
    if state.clip >= 0 and frame < planner.lengths[state.clip]:
        return State(state.node, state.clip, frame, state.x, state.z, state.heading, state.route)
    node, x, z, heading = arrive(planner, state)
    if not planner.leaving[node]:
        return state
    clip, route = decide(planner, state, control, node, heading)
    return State(node, clip, 0, x, z, heading, route)


def arrive(planner: Planner, state: State) -> tuple[int, float, float, float]:
    """The target node of the clip, and its placement in the world: x, z, heading."""
    if state.clip < 0:
        return state.node, state.x, state.z, state.heading
    dx, dz, turn = planner.placements[state.clip]
    c, s = math.cos(state.heading), math.sin(state.heading)
    x, z = c * dx + s * dz + state.x, -s * dx + c * dz + state.z
    return planner.targets[state.clip], x, z, wrap_angle_outside(state.heading + turn)


def decide(planner: Planner, state: State, control: Control, node: int, heading: float) -> tuple[int, tuple[int, ...]]:
    """The clip to play next from a node, and the route that is queued after it.

    In order of priority: the queued route, the word of the control, the clip with the lowest cost for the control, and
    without any control the clip that was recorded next.
    """
    if state.route and planner.graph.clips[state.route[0]].source == node:
        return state.route[0], state.route[1:]
    if control.word is not None:
        walk = planner.find_walk(node, control.word, control, heading)
        if walk:
            return walk[0], ()  # the rest is planned again at the next node, when the control may have changed
    if control.steers:
        return planner.nearest_clip(node, control, heading), ()
    return planner.carry_on(node, state.clip), ()


def row_of(planner: Planner, state: State) -> int:
    """The index of the current frame over all frames of the graph."""
    if state.clip < 0:
        return planner.starts[planner.leaving[state.node][0]]  # all clips of a hub begin with the same pose
    return planner.starts[state.clip] + state.frame


def pose_of(planner: Planner, state: State) -> Pose:
    """The pose of a state: its frame, placed in the world."""
    row = row_of(planner, state)
    x, y, z, rotation = _place_root(planner.roots[row], state)
    return Pose(x, y, z, rotation, planner.joints[row])


def _place_root(root: np.ndarray, state: State) -> tuple[float, float, float, tuple[float, float, float, float]]:
    """The (7,) root of a frame in the world; scalars, because small arrays cost more to allocate than to compute."""
    px, y, pz, qw, qx, qy, qz = root.tolist()
    heading = state.heading
    c, s = math.cos(heading), math.sin(heading)
    w, v = math.cos(heading / 2), math.sin(heading / 2)
    turned = (w * qw - v * qy, w * qx + v * qz, w * qy + v * qw, w * qz - v * qx)
    return c * px + s * pz + state.x, y, -s * px + c * pz + state.z, turned


class Player:
    """Plays a hub graph with one character, frame by frame.

    `steer` sets a control that holds until the next call; `choose` and `go_to` queue clips once, to be played when the
    current clip ends. Events are queued for `take_events`, and `on_event` is called for each immediately: a clip that
    it chooses when a choice is due is played without a frame's delay.
    """

    def __init__(
        self,
        graph: HubGraph | Planner,
        start: int | str | None = None,
        placement: Placement | None = None,
        on_event: Callable[[Event], Any] | None = None,
    ) -> None:
        """
        Args:
            graph: to play; or its planner, which several characters can share.
            start: index or name of the first node, or name of the first clip; None for the first hub.
            placement: of that node in the world.
            on_event: called with every event.
        """
        self.planner = graph if isinstance(graph, Planner) else Planner(graph)
        self.control = Control()
        self.on_event = on_event
        node, route = _find_start(self.planner, start)
        self.state = begin(self.planner, node, placement, route)
        self.is_ended = False
        self._events: deque[Event] = deque(maxlen=MOST_EVENTS)

    @property
    def graph(self) -> HubGraph:
        return self.planner.graph

    @property
    def next_node(self) -> int:
        """The node of the next choice."""
        return self.state.node if self.state.clip < 0 else self.planner.targets[self.state.clip]

    @property
    def choices(self) -> tuple[int, ...]:
        """The clips that can be chosen there."""
        return self.planner.leaving[self.next_node]

    @property
    def frames_to_choice(self) -> int:
        """Frames left in the current clip, this one included; at 1 or 0 the next step begins another clip."""
        return 0 if self.state.clip < 0 else self.planner.lengths[self.state.clip] - self.state.frame

    @property
    def contacts(self) -> np.ndarray:
        """(4,) bool: planted heels and balls, in the order of `features.feet`."""
        return self.graph.contacts[row_of(self.planner, self.state)]

    @property
    def footing(self) -> Footing:
        """What the feet of the current clip stand on besides the floor, in frames of the clip, placed in the world."""
        state = self.state
        clip = state.clip if state.clip >= 0 else self.planner.leaving[state.node][0]
        return self.graph.footing(clip).moved(Placement(state.heading, np.array([state.x, state.z])))

    def step(self) -> None:
        """Advance by one frame."""
        state, planner = self.state, self.planner
        if state.clip >= 0 and state.frame + 1 < planner.lengths[state.clip]:
            self.state = next_state(planner, state, self.control)
            return
        node = self.next_node
        choices = planner.leaving[node]
        if not choices:
            if not self.is_ended:
                self.is_ended = True
                self._emit(Event("end", node, ()))
            return
        self._emit(Event("choice", node, choices))
        self.state = next_state(planner, self.state, self.control)  # not `state`: the event may have queued clips
        self._emit(Event("clip", node, (self.state.clip,)))

    def pose(self) -> Pose:
        """The current pose."""
        return pose_of(self.planner, self.state)

    def write_into(self, buffer: np.ndarray) -> None:
        """Write the current pose: (3 + 4 J,) root position in metres, rotations of all joints, the root's to world."""
        row = row_of(self.planner, self.state)
        buffer[:] = self.planner.graph.frames[row]
        x, _, z, (qw, qx, qy, qz) = _place_root(self.planner.roots[row], self.state)
        buffer[0], buffer[2] = x, z
        buffer[3], buffer[4], buffer[5], buffer[6] = qw, qx, qy, qz

    def steer(self, control: Control | None = None, **changes: Any) -> None:
        """Set the control until the next call: `steer(speed=1.4, curvature=0.3)`; without arguments, none."""
        control = replace(control or Control(), **changes)
        if control.word is not None:
            self.planner.clips_for(control.word)  # raises for an unknown word
        self.control = control

    def choose(self, word: str) -> tuple[int, ...]:
        """Queue an action, a label or a clip once, by the shortest graph walk; returns the queued clips."""
        node, _, _, heading = arrive(self.planner, self.state)
        return self.follow(self.planner.walk_to(node, word, self.control, heading))

    def go_to(self, place: Sequence[float], heading: float | None = None, **options: Any) -> PlaceWalk:
        """Queue the shortest graph walk to a place, x and z in metres; see `Planner.walk_to_place`."""
        node, x, z, facing = arrive(self.planner, self.state)
        walk = self.planner.walk_to_place(node, (x, z, facing), place, heading=heading, **options)
        self.follow(walk.clips)
        return walk

    def follow(self, clips: Sequence[int]) -> tuple[int, ...]:
        """Queue clips to be played when the current clip ends."""
        node = self.next_node
        for clip in clips:
            if not 0 <= clip < len(self.graph.clips) or self.graph.clips[clip].source != node:
                raise BadInput(f"clip {clip} does not leave node '{self.graph.nodes[node].name}'; it cannot follow")
            node = self.graph.clips[clip].target
        self.state = self.state._replace(route=tuple(clips))
        return self.state.route

    def take_events(self) -> list[Event]:
        """The events since the last call."""
        events = list(self._events)
        self._events.clear()
        return events

    def _emit(self, event: Event) -> None:
        self._events.append(event)
        if self.on_event is not None:
            self.on_event(event)


def _find_start(planner: Planner, start: int | str | None) -> tuple[int, tuple[int, ...]]:
    """The first node, and the first clip if one was named."""
    graph = planner.graph
    if start is None:
        alive = [node for node in range(len(graph.nodes)) if planner.is_alive[list(planner.leaving[node])].any()]
        return next(iter(alive), graph.clips[0].source), ()
    if isinstance(start, str):
        if any(node.name == start for node in graph.nodes):
            return graph.find_node(start), ()
        clip = graph.find_clip(start)
        return graph.clips[clip].source, (clip,)
    return start, ()
