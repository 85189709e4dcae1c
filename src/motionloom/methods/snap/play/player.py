"""Plays a hub graph: one placement and one index are all that changes, and the next frame takes the same time always.

`step(planner, state, control)` has no hidden state; `Player` keeps a state for those who drive one character, and tells
what happens: a choice is due, a clip begins, there is nowhere to go on.
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
from motionloom.methods.snap.play.place_search import PlaceWalk, wrap_angle
from motionloom.methods.snap.play.planner import Planner
from motionloom.motion import Placement

MOST_EVENTS = 256  # that wait to be taken; older ones are dropped


class State(NamedTuple):
    """Where a character is in its graph and in the world."""

    node: int  # that the clip leaves, and seen from which its frames are
    clip: int  # being played; -1 while none has begun
    frame: int  # of the clip
    x: float  # metres, world: where the node lies
    z: float
    heading: float  # radians, world
    route: tuple[int, ...] = ()  # clips that were decided on and come next


class Pose(NamedTuple):
    """One frame in the world."""

    x: float  # metres: the root
    y: float
    z: float
    rotation: tuple[float, float, float, float]  # of the root, wxyz, root to world
    joints: np.ndarray  # (J - 1, 4) float32, joint to parent, without the root; a view of the graph, not to be changed


class Event(NamedTuple):
    """Something happened at a node."""

    kind: Literal["choice", "clip", "end"]  # a clip can be chosen; one has begun; no clip leaves the node
    node: int
    clips: tuple[int, ...]  # that can be chosen; or the one that has begun


def step(planner: Planner, state: State, control: Control) -> tuple[State, Pose]:
    """The next frame: where it is and how it looks. At a dead end, the last one again."""
    after = next_state(planner, state, control)
    return after, pose_of(planner, after)


def begin(planner: Planner, node: int = 0, placement: Placement | None = None, route: Sequence[int] = ()) -> State:
    """Stand at a node, somewhere in the world; the first step begins the first clip."""
    nodes = planner.graph.nodes
    if not 0 <= node < len(nodes):
        raise BadInput(f"node {node} of a graph whose nodes are 0 to {len(nodes) - 1}")
    if not planner.leaving[node]:
        raise BadInput(f"no clip leaves node '{nodes[node].name}'; begin at another one")
    placement = placement or Placement.none()
    x, z = (float(value) for value in placement.slide)
    return State(node, -1, 0, x, z, wrap_angle(float(placement.heading)), tuple(route))


def next_state(planner: Planner, state: State, control: Control) -> State:
    """Go on by one frame."""
    frame = state.frame + 1
    if state.clip >= 0 and frame < planner.lengths[state.clip]:
        return State(state.node, state.clip, frame, state.x, state.z, state.heading, state.route)
    node, x, z, heading = arrive(planner, state)
    if not planner.leaving[node]:
        return state
    clip, route = decide(planner, state, control, node, heading)
    return State(node, clip, 0, x, z, heading, route)


def arrive(planner: Planner, state: State) -> tuple[int, float, float, float]:
    """The node to which the clip leads, and where that lies in the world: x, z, heading."""
    if state.clip < 0:
        return state.node, state.x, state.z, state.heading
    dx, dz, turn = planner.placements[state.clip]
    c, s = math.cos(state.heading), math.sin(state.heading)
    x, z = c * dx + s * dz + state.x, -s * dx + c * dz + state.z
    return planner.targets[state.clip], x, z, wrap_angle(state.heading + turn)


def decide(planner: Planner, state: State, control: Control, node: int, heading: float) -> tuple[int, tuple[int, ...]]:
    """The clip to play from a node on, and what is decided on after it.

    What was decided on comes first, then the word that is wished for, then the clip nearest to the wish, and where
    nothing is wished for it goes on as recorded.
    """
    if state.route and planner.graph.clips[state.route[0]].source == node:
        return state.route[0], state.route[1:]
    if control.word is not None:
        walk = planner.find_walk(node, control.word, control, heading)
        if walk:
            return walk[0], ()  # the rest is found again at the next node, unless something else is wished for by then
    if control.steers:
        return planner.nearest_clip(node, control, heading), ()
    return planner.carry_on(node, state.clip), ()


def row_of(planner: Planner, state: State) -> int:
    """The number of the frame that is shown, over all frames of the graph."""
    if state.clip < 0:
        return planner.starts[planner.leaving[state.node][0]]  # all clips of a hub begin with the same pose
    return planner.starts[state.clip] + state.frame


def pose_of(planner: Planner, state: State) -> Pose:
    """How it looks: the frame, placed in the world."""
    row = row_of(planner, state)
    x, y, z, rotation = _place_root(planner.roots[row], state)
    return Pose(x, y, z, rotation, planner.joints[row])


def _place_root(root: np.ndarray, state: State) -> tuple[float, float, float, tuple[float, float, float, float]]:
    """The (7,) root of a frame in the world: scalars, because arrays of this size cost more to make than to fill."""
    px, y, pz, qw, qx, qy, qz = root.tolist()
    heading = state.heading
    c, s = math.cos(heading), math.sin(heading)
    w, v = math.cos(heading / 2), math.sin(heading / 2)
    turned = (w * qw - v * qy, w * qx + v * qz, w * qy + v * qw, w * qz - v * qx)
    return c * px + s * pz + state.x, y, -s * px + c * pz + state.z, turned


class Player:
    """One character that goes through a hub graph frame by frame.

    Steer it with `steer`, which holds until it is called again; ask for single things with `choose` and `go_to`, which
    are done once, as soon as the clip being played is over. Events wait in `take_events`, and `on_event` is called for
    each at once: what it chooses when a choice is due is done without a frame's delay.
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
            graph: what is played; a planner where several characters share one.
            start: number or name of the node to stand at, or name of the clip to begin with; else the first hub.
            placement: of that node in the world.
            on_event: is called with every event.
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
        """The node at which the next choice is due."""
        return self.state.node if self.state.clip < 0 else self.planner.targets[self.state.clip]

    @property
    def choices(self) -> tuple[int, ...]:
        """The clips that can be chosen there."""
        return self.planner.leaving[self.next_node]

    @property
    def frames_to_choice(self) -> int:
        """Frames that the clip being played still has, this one included; at 1 or 0 the next step begins another."""
        return 0 if self.state.clip < 0 else self.planner.lengths[self.state.clip] - self.state.frame

    @property
    def seconds_to_choice(self) -> float:
        """How long the clip being played still lasts."""
        return self.frames_to_choice / self.graph.fps

    @property
    def contacts(self) -> np.ndarray:
        """(4,) bool: planted heels and balls, in the order of `features.feet`."""
        return self.graph.contacts[row_of(self.planner, self.state)]

    def step(self) -> None:
        """Go on by one frame."""
        state, planner = self.state, self.planner
        if state.clip >= 0 and state.frame + 1 < planner.lengths[state.clip]:
            self.state = next_state(planner, state, self.control)
            return
        node = self.next_node
        choices = planner.leaving[node]
        if not choices:
            if not self.is_ended:
                self.is_ended = True
                self._tell(Event("end", node, ()))
            return
        self._tell(Event("choice", node, choices))
        self.state = next_state(planner, self.state, self.control)  # what was chosen just now has changed it
        self._tell(Event("clip", node, (self.state.clip,)))

    def pose(self) -> Pose:
        """How it looks now."""
        return pose_of(self.planner, self.state)

    def write_into(self, buffer: np.ndarray) -> None:
        """Write how it looks now: (3 + 4 J,) root position in metres, rotations of all joints, the root's to world."""
        row = row_of(self.planner, self.state)
        buffer[:] = self.planner.graph.frames[row]
        x, _, z, (qw, qx, qy, qz) = _place_root(self.planner.roots[row], self.state)
        buffer[0], buffer[2] = x, z
        buffer[3], buffer[4], buffer[5], buffer[6] = qw, qx, qy, qz

    def steer(self, control: Control | None = None, **wishes: Any) -> None:
        """Wish for something until something else is wished for: `steer(speed=1.4, curvature=0.3)`; nothing: go on."""
        control = replace(control or Control(), **wishes)
        if control.word is not None:
            self.planner.clips_for(control.word)  # says which words there are
        self.control = control

    def choose(self, word: str) -> tuple[int, ...]:
        """Do something once: an action, a label or a clip's name, by the shortest graph walk; the clips to come."""
        node, _, _, heading = arrive(self.planner, self.state)
        return self.follow(self.planner.walk_to(node, word, self.control, heading))

    def go_to(self, place: Sequence[float], heading: float | None = None, **wishes: Any) -> PlaceWalk:
        """Go to a place, x and z in metres, by the shortest graph walk; see `Planner.walk_to_place`."""
        node, x, z, facing = arrive(self.planner, self.state)
        walk = self.planner.walk_to_place(node, (x, z, facing), place, heading=heading, **wishes)
        self.follow(walk.clips)
        return walk

    def follow(self, clips: Sequence[int]) -> tuple[int, ...]:
        """Play these clips when the one being played is over."""
        node = self.next_node
        for clip in clips:
            if not 0 <= clip < len(self.graph.clips) or self.graph.clips[clip].source != node:
                raise BadInput(f"clip {clip} does not leave node '{self.graph.nodes[node].name}'; it cannot come next")
            node = self.graph.clips[clip].target
        self.state = self.state._replace(route=tuple(clips))
        return self.state.route

    def take_events(self) -> list[Event]:
        """What has happened since this was called last."""
        events = list(self._events)
        self._events.clear()
        return events

    def _tell(self, event: Event) -> None:
        self._events.append(event)
        if self.on_event is not None:
            self.on_event(event)


def _find_start(planner: Planner, start: int | str | None) -> tuple[int, tuple[int, ...]]:
    """The node to stand at, and the clip to begin with where one was named."""
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
