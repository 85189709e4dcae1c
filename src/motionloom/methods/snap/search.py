"""Searching: a request becomes one graph walk, and that a plan of clips with plain cuts between them."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.assembly import Answer, Bent, Join, Piece, Plan
from motionloom.methods.snap.model import Model
from motionloom.methods.snap.play.graph_walk import TakenClip, asked_frames, start_of, walk_graph
from motionloom.methods.snap.request import Request
from motionloom.motion import compose
from motionloom.tasks import Progress, Stop

CUT = Join("cut", 0.0)


@dataclass(frozen=True)
class State:
    """What performing and judging need of an answer."""

    request: Request
    taken: tuple[TakenClip, ...]  # one for each piece of the plan


def search(
    model: Model,
    request: Request,
    *,
    seed: int = 0,
    stop: Stop | None = None,
    previous: Answer[State] | None = None,
    others: int = 0,
    progress: Progress | None = None,
) -> Iterator[Answer[State]]:
    """The graph walk that a request asks for: one answer, whose cost is the seconds that it takes.

    Args:
        model: with the graph.
        request: what is asked.
        seed: random seed of the clips that fill the time, where a length is asked and the steps do not last so long.
        stop: not used: the first answer always comes, and there is no other.
        previous: not used: a graph walk takes no time to find.
        others: not used: there is one graph walk.
        progress: not used.
    """
    began = time.perf_counter()
    taken = walk_graph(model, request, np.random.default_rng(seed))
    plan = make_plan(model, request, taken)
    seconds = plan.n_frames / plan.fps
    found = time.perf_counter() - began
    yield Answer((plan,), seconds, State(request, taken), seconds=found, costs={"seconds": seconds}, is_settled=True)


def make_plan(model: Model, request: Request, taken: Sequence[TakenClip]) -> Plan:
    """The plan of a graph walk: clips as they are stored, each where the one before ends."""
    graph, n_frames = model.graph, asked_frames(model, request)
    _, placement = start_of(graph, request.start)
    pieces: list[Piece] = []
    left = n_frames if n_frames is not None else int(np.diff(graph.clip_starts)[[clip.clip for clip in taken]].sum())
    for clip in taken:
        source = bent_clip(model, clip.clip)
        pieces.append(Piece(source, 0, min(source.motion.n_frames, left), placement))
        left -= pieces[-1].n_frames
        placement = compose(placement, graph.placement(clip.clip))
    joins = (CUT,) * (len(pieces) - 1)
    return Plan(tuple(pieces), joins, graph.fps, graph.skeleton.digest, model.view.key, request.to_data())


def bent_clip(model: Model, number: int) -> Bent:
    """The frames of a clip, with the recorded frames that they show."""
    graph, view, clip = model.graph, model.view, model.graph.clips[number]
    first, _ = view.range_of(clip.motion)
    recorded = view.source_frames[first + clip.start : first + clip.stop]
    start, stop = graph.clip_starts[number : number + 2]
    motion, contacts = graph.clip_motion(number), graph.contacts[start:stop]
    return Bent(clip.motion, motion, recorded, contacts, graph.footing(number))
