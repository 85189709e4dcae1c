"""Steps: what a step of a request asks for, and the stretch that it becomes."""

from collections.abc import Sequence as Several
from dataclasses import dataclass, replace

import numpy as np

from motionloom.assembly.requests.times import frames_of
from motionloom.corpus import TakeFinder
from motionloom.errors import BadInput, Unsatisfiable
from motionloom.graphs import PlacedClip
from motionloom.graphs.view_measures import measure_view_points
from motionloom.methods.buildup.model import Model
from motionloom.methods.buildup.request import Built, PlayedClip, Pose, Step
from motionloom.methods.buildup.sequence.pace import ALWAYS, fewest_and_most
from motionloom.methods.buildup.sequence.sequence import BuiltSequence, Stretch, start_at, start_from, where_ends
from motionloom.methods.buildup.sequence.ways import Browser, Way
from motionloom.methods.buildup.tree.end_index import End, Query, nearest_end
from motionloom.motion import Placement, compose
from motionloom.similarity import align_frames

ABOUT = 0.15  # share by which a duration may differ from what was asked
ABOUT_SECONDS = 0.25  # at least
HEADING_WITHIN = 30.0  # degrees
FAR = 1000.0  # metres: wherever it is
WAYS = 4  # that are looked for
EXACT_HASTE = 0.03  # metres that a second counts as where a way is bent to its place: less than elsewhere


@dataclass(frozen=True, eq=False)
class TakenStep:
    """A step as it was taken."""

    stretch: Stretch | None  # None: it could not be taken
    why_not: str = ""  # a sentence with a way out, where something that was asked could not be had
    n_ways: int = 0  # that were found
    miss: float = 0.0  # metres from where its hit is aimed, before it is bent
    far: str = ""  # a sentence with a way out, where its way does not come near its hit; the body may reach it yet


def begin(model: Model, built: Built) -> BuiltSequence:
    """The sequence that a character starts with: one pose, or a whole take."""
    start = built.start
    place = (*(start.position or (0.0, 0.0)), np.radians(start.heading or 0.0))
    if built.start_from is not None:
        take = TakeFinder(list(model.view.names)).find(built.start_from)
        is_placed = start.position is not None or start.heading is not None
        return start_from(model, take, place if is_placed else None)
    return start_at(model, usual_pose(model) if start.pose is None else frame_of_pose(model, start.pose), place)


def usual_pose(model: Model) -> int:
    """The pose that shows the largest group."""
    return int(model.groups.centres[model.groups.sizes.argmax()])


def frame_of_pose(model: Model, pose: Pose) -> int:
    """The frame of the view that a pose is named by."""
    if pose.take is None:
        return int(model.groups.centres[group_of_pose(model, pose)])
    assert pose.frame is not None
    take = TakeFinder(list(model.view.names)).find(pose.take)
    _, stop = model.view.range_of(take)
    last = float(model.view.source_frames[stop - 1])
    if pose.frame > last + 1:
        raise BadInput(f"frame {pose.frame} is out of range: {take} has {int(last) + 1} frames")
    return model.frame_of(take, pose.frame)


def group_of_pose(model: Model, pose: Pose) -> int:
    """The pose group that a pose belongs to."""
    if pose.label is None:
        return int(model.groups.of_frame[frame_of_pose(model, pose)])
    group = model.group_of_label(pose.label)
    if group is None:
        known = ", ".join(model.labels) or "none"
        raise BadInput(f"no frame of these takes has the label '{pose.label}'; there are {known}")
    return group


def query_of(model: Model, step: Step, count: int | None = None) -> Query | None:
    """What a step asks of the index of ends; None where it may end anywhere, at any time, looking anywhere."""
    if step.place is None and step.heading is None and step.lasting is None:
        return None
    seconds = None
    if step.lasting is not None:
        wanted = frames_of(step.lasting, model.fps) / model.fps
        about = ALWAYS * wanted if step.exact else max(ABOUT * wanted, ABOUT_SECONDS)
        seconds = (wanted - about, wanted + about)
    return Query(
        step.place,
        None if step.pose is None else group_of_pose(model, step.pose),
        None if step.heading is None else float(np.radians(step.heading)),
        float(np.radians(HEADING_WITHIN)),
        seconds,
        FAR if step.place is None else step.within or model.radius,
        model.settings.count if count is None else count,
    )


def take_step(
    model: Model, sequence: BuiltSequence, step: Step, number: int, browser: Browser | None = None
) -> TakenStep:
    """Find the stretch that a step is, or say why there is none.

    Args:
        model: of the takes.
        sequence: to extend.
        step: of the request.
        number: of the step, from 0.
        browser: of the last pose of the sequence, where there is one already.
    """
    if step.clips is not None:
        return TakenStep(exactly(model, sequence, step, along_clips(model, sequence, step.clips, number)))
    browser = browser or Browser.of(model, sequence)
    ways, why_not = find_ways(model, browser, step)
    if not ways:
        return TakenStep(None, why_not)
    way, late = choose_way(ways, step)
    return TakenStep(exactly(model, sequence, step, way.stretch(number)), late or why_not, len(ways))


def choose_way(ways: Several[Way], step: Step) -> tuple[Way, str]:
    """The way that a step asks for, or the last, and a sentence where there are not so many."""
    if step.way < len(ways):
        return ways[step.way], ""
    why_not = f"there are {len(ways)} ways, {len(ways) - 1} is the last" if len(ways) > 1 else "there is one way only"
    return ways[-1], why_not


def find_ways(model: Model, browser: Browser, step: Step, count: int = WAYS) -> tuple[list[Way], str]:
    """The ways that a step can take, the best first; where there is none, the way to the best end, and why.

    Args:
        model: of the takes.
        browser: of the last pose.
        step: to take.
        count: ways that are looked for, or as many as the step needs.
    """
    query, group = query_of(model, step), None if step.pose is None else group_of_pose(model, step.pose)
    if step.exact and query is not None and step.place is not None:
        ends = browser.ends(replace(query, count=1, haste=EXACT_HASTE))
        if ends:
            return [browser.way(ends[0]), *browser.ways(query)], ""
    ways = browser.ways(query, group, count=max(step.way + 1, count))
    if ways:
        return ways, ""
    return _nearest_ways(model, browser, step, query, group)


def exactly(model: Model, sequence: BuiltSequence, step: Step, stretch: Stretch) -> Stretch:
    """The stretch as it has to end: at its place, heading and time exactly, where that is asked."""
    if not step.exact:
        return stretch
    x, z, heading = where_ends(model, stretch)
    end = (*(step.place or (x, z)), heading if step.heading is None else _near(np.radians(step.heading), heading))
    n_frames = stretch.n_recorded
    if step.lasting is not None:
        fewest, most = fewest_and_most(n_frames)
        n_frames = int(np.clip(frames_of(step.lasting, model.fps), fewest, most))
    return replace(stretch, end=end, n_frames=n_frames)


def along_clips(model: Model, sequence: BuiltSequence, clips: Several[PlayedClip], number: int) -> Stretch:
    """The stretch that plays given clips after a sequence."""
    last = sequence.last_pose(model)
    frame, placement = last.frame, last.placement
    placed: list[PlacedClip] = []
    distances: list[float] = []
    for clip in clips:
        start, stop = model.view.range_of(clip.take)
        if clip.stop > stop - start:
            raise BadInput(
                f"frames [{clip.start}, {clip.stop}) are out of range: {clip.take} has {stop - start} frames"
            )
        distance = 0.0
        if start + clip.start != frame + 1:
            placement, distance = _across(model, frame, start + clip.start, placement)
        placed.append(PlacedClip(clip.take, clip.start, clip.stop, placement))
        distances.append(distance)
        frame = start + clip.stop - 1
    return Stretch(tuple(placed), tuple(distances), step=number)


def _across(model: Model, frame: int, following: int, placement: Placement) -> tuple[Placement, float]:
    """The placement of what follows a frame elsewhere: that of the transition in the graph, else by matching poses."""
    tables, graph = model.tables, model.graph
    source, target = tables.node_at(frame), tables.node_at(following)
    if source >= 0 and target >= 0 and graph.stops[source] == frame + 1 and graph.starts[target] == following:
        for edge in graph.leaving(source):
            if graph.targets[edge] == target:
                return compose(placement, graph.placement(int(edge))), float(graph.distances[edge])
    clouds = measure_view_points(model.view)
    half = len(clouds.window_weights) // 2
    (a, b), (c, d) = (model.view.range_of(model.clip_frame(each)[0]) for each in (frame, following))
    shift = int(np.clip(0, a + half - frame, b - 1 - half - frame))
    onto, moved = frame + shift, int(np.clip(following - 1 + shift, c + half, d - 1 - half))
    return compose(placement, align_frames(clouds, moved, onto)), float(clouds.pairs(moved, onto))


def _nearest_ways(
    model: Model, browser: Browser, step: Step, query: Query | None, group: int | None
) -> tuple[list[Way], str]:
    """What comes nearest to a step that cannot be met, and a sentence that says so."""
    if not browser.index.n_ends:
        raise Unsatisfiable("nothing can be reached from the last pose; back up, or go on from another pose")
    if group is not None and not (browser.index.groups == group).any():
        return [], _unreachable(model, browser, group)
    assert query is not None
    wide = replace(query, within=FAR, count=1)
    end = next(iter(browser.ends(wide)), None) or nearest_end(browser.index, wide)
    if end is not None and step.place is not None:
        return [browser.way(end)], (
            f"out of reach: the nearest end is {end.distance:.2f} m away, after {end.n_frames / model.fps:.1f} s; go "
            "there in several steps, or choose another pose"
        )
    ends = browser.ends(replace(wide, heading=None))
    if ends:
        return [browser.way(ends[0])], (
            f"no way has this heading; the best without it takes {ends[0].n_frames / model.fps:.1f} s"
        )
    lasting = _nearest_in_time(model, browser, wide)
    if lasting is None:
        return [], "nothing ends there; ask for another time, place or pose"
    return [browser.way(lasting)], (
        f"no way has this duration; the nearest takes {lasting.n_frames / model.fps:.1f} s; ask for that, or for "
        "several steps"
    )


def _nearest_in_time(model: Model, browser: Browser, query: Query) -> End | None:
    """The end whose duration is nearest to that of a query, in its group; None where there is none."""
    index = browser.index
    numbers = np.arange(index.n_ends) if query.group is None else np.flatnonzero(index.groups == query.group)
    if query.seconds is None or not len(numbers):
        return None
    wanted = model.fps * sum(query.seconds) / 2
    return index.end(int(numbers[np.abs(index.times[numbers] - wanted).argmin()]))


def _unreachable(model: Model, browser: Browser, group: int) -> str:
    """Why a pose cannot be had, and the nearest that can."""
    from motionloom.graphs.view_measures import measure_view_angles

    reached = np.unique(browser.index.groups)
    centres = model.groups.centres
    distances = measure_view_angles(model.view).pairs(centres[group], centres[reached])
    nearest = int(reached[distances.argmin()])
    name, frame = model.clip_frame(int(centres[nearest]))
    return (
        f"this pose cannot be reached within {model.settings.growth.seconds:g} s from here; the nearest that can is "
        f"frame {frame} of {name}"
    )


def _near(heading: float, other: float) -> float:
    """A heading, turned by whole turns to be near another."""
    return float(heading + 2 * np.pi * np.round((other - heading) / (2 * np.pi)))
