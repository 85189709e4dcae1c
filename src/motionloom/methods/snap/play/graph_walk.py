"""Graph walks: the steps of a request become clips that follow each other."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.assembly.requests.times import frames_of
from motionloom.errors import BadInput, Unsatisfiable
from motionloom.methods.snap.graph.clip_controls import Control
from motionloom.methods.snap.graph.hub_graph import HubGraph
from motionloom.methods.snap.model import Model
from motionloom.methods.snap.request import USUAL_HEADING_WITHIN, Request, Start, Step, Wish
from motionloom.motion import Placement, compose

LONGEST = 3600.0  # seconds of one graph walk


@dataclass(frozen=True)
class TakenClip:
    """A clip of a graph walk, and the step of the request that it is taken for."""

    clip: int
    step: int | None  # None where the request begins with it, or where it only fills the time


def walk_graph(model: Model, request: Request, rng: np.random.Generator) -> tuple[TakenClip, ...]:
    """The clips to play, one after another; a step that cannot be done is left out."""
    for step in request.steps:
        wished_clips(model.graph, step)  # unknown names are refused before anything is made
    walker = _Walker(model, request)
    for number, step in enumerate(request.steps):
        if walker.is_over:
            break
        walker.do(number, step)
    walker.fill(rng)
    if not walker.taken:
        raise Unsatisfiable("no clip can be played for this request: the graph has no way to any of its steps")
    return tuple(walker.taken)


def wished_clips(graph: HubGraph, step: Step) -> tuple[int, ...]:
    """The clips that a step names; none where it names no clips."""
    if step.clip is not None:
        return (graph.find_clip(step.clip),)
    if step.action is not None:
        known = {action.name: action.clips for action in graph.actions}
        if step.action not in known:
            raise BadInput(f"no action '{step.action}' in the graph; it has {', '.join(known) or 'none'}")
        return known[step.action]
    if step.label is not None:
        clips = graph.labelled_clips(step.label)
        if not clips:
            words = sorted({word for clip in graph.clips for word in clip.labels if clip.is_mostly(word)})
            raise BadInput(f"'{step.label}' holds in most of no clip; labels that do are {', '.join(words) or 'none'}")
        return clips
    return ()


def start_of(graph: HubGraph, start: Start) -> tuple[int, Placement]:
    """The node with which a request begins, and where it lies."""
    placement = Placement(float(np.radians(start.heading)), np.array(start.position, float))
    if start.clip is not None:
        return graph.clips[graph.find_clip(start.clip)].source, placement
    return 0 if start.hub is None else graph.find_node(start.hub), placement


def control_of(wish: Wish) -> Control:
    """A wish in radians, as the planner wants it."""
    direction = None if wish.direction is None else float(np.radians(wish.direction))
    return Control(speed=wish.speed, curvature=wish.curvature, direction=direction)


def asked_frames(model: Model, request: Request) -> int | None:
    """Frames of the length that was asked; None where it may be as long as it takes."""
    if request.length is None:
        return None
    n_frames = frames_of(request.length, model.fps)
    if not 0 < n_frames <= LONGEST * model.fps:
        raise BadInput(f"length is {request.length}: {n_frames} frames; ask for 1 frame or more, and at most an hour")
    return n_frames


class _Walker:
    """A graph walk as it grows: the node it is at, where that lies, and what was taken."""

    def __init__(self, model: Model, request: Request) -> None:
        self.model, self.graph, self.planner = model, model.graph, model.planner
        self.node, self.placement = start_of(self.graph, request.start)
        self.taken: list[TakenClip] = []
        self.frames = 0
        self.most = asked_frames(model, request)
        if request.start.clip is not None:
            self.take([self.graph.find_clip(request.start.clip)], None)

    @property
    def is_over(self) -> bool:
        """Whether it is as long as was asked."""
        return self.most is not None and self.frames >= self.most

    def take(self, clips: Sequence[int], step: int | None) -> None:
        """Play clips, each from where the one before ends."""
        for clip in clips:
            if self.is_over:
                return
            self.taken.append(TakenClip(clip, step))
            self.node = self.graph.clips[clip].target
            self.placement = compose(self.placement, self.graph.placement(clip))
            self.frames += self.planner.lengths[clip]
            if self.frames > LONGEST * self.graph.fps:
                raise BadInput("the graph walk would be longer than an hour; ask for fewer steps, or give a length")

    def do(self, number: int, step: Step) -> None:
        """Do one step, as well as the graph allows."""
        if step.place is not None:
            self._go_to(number, step)
        elif step.control is not None:
            self._move_so(number, step)
        else:
            clips = wished_clips(self.graph, step)
            for _ in range(step.times):
                self._play_one_of(clips, number)

    def fill(self, rng: np.random.Generator) -> None:
        """Go on by chance until it is as long as was asked."""
        while self.most is not None and not self.is_over and len(self.planner.offers[self.node]):
            self.take([int(rng.choice(self.planner.offers[self.node]))], None)

    def _play_one_of(self, clips: Sequence[int], number: int) -> None:
        """Take the clip that can begin soonest; of equals one that was played least."""
        alive = [clip for clip in clips if self.planner.is_alive[clip]] or list(clips)
        played = [taken.clip for taken in self.taken]
        ranked = sorted((self._wait(clip), played.count(clip), clip) for clip in alive)
        if not ranked or not np.isfinite(ranked[0][0]):
            return
        clip = ranked[0][2]
        self.take([*self.planner.walk_to_node(self.node, self.graph.clips[clip].source), clip], number)

    def _wait(self, clip: int) -> float:
        """Frames until a clip can begin."""
        source = self.graph.clips[clip].source
        if source == self.node:
            return 0.0
        return float(self.planner.frames_to[self.node, source]) if source < self.graph.n_hubs else np.inf

    def _go_to(self, number: int, step: Step) -> None:
        assert step.place is not None
        here = (*self.placement.slide.tolist(), self.placement.heading)
        heading = None if step.heading is None else float(np.radians(step.heading))
        found = self.planner.walk_to_place(
            self.node,
            here,
            step.place,
            heading=heading,
            tolerance=step.within,
            heading_tolerance=float(np.radians(USUAL_HEADING_WITHIN)),
            seconds=self.model.settings.longest_way,
            effort=self.model.settings.effort,
        )
        self.take(found.clips, number)

    def _move_so(self, number: int, step: Step) -> None:
        """Take the clips that come nearest to a wish, until its time is over to the nearest clip."""
        assert step.control is not None and step.lasting is not None
        control, until = control_of(step.control), self.frames + frames_of(step.lasting, self.graph.fps)
        while not self.is_over and len(self.planner.offers[self.node]):
            clip = self.planner.nearest_clip(self.node, control, self.placement.heading)
            if self.frames + self.planner.lengths[clip] / 2 > until:
                return
            self.take([clip], number)
