"""Entries: how the graph is entered from the last pose of a sequence, wherever that pose is from."""

from dataclasses import dataclass

import numpy as np

from motionloom.errors import Unsatisfiable
from motionloom.graphs.view_measures import measure_view_points
from motionloom.methods.buildup.model import Model
from motionloom.methods.buildup.tree.search_tree import NEVER, Entry
from motionloom.motion import Placement, compose
from motionloom.similarity import PointClouds, align_frames
from motionloom.similarity.slices import lowest_in_time

MOST_ENTRIES = 16  # from a pose that no recording in the graph goes on from
LONGEST_LEAD = 2.0  # seconds that a recording may go on until it is in the graph
APART = 0.1  # seconds between entries
USUAL, FARTHEST = 1.5, 6.0  # thresholds that a pose may be away from where the graph is entered; one entry, at worst


@dataclass(frozen=True, eq=False)
class LastPose:
    """The last pose of a sequence: a frame of the view, and where its recording is placed."""

    frame: int
    placement: Placement
    since: int = NEVER  # frames played since the last transition


def find_entries(model: Model, last: LastPose) -> list[Entry]:
    """How the graph can be entered after the last pose: by going on, where its recording does, else where poses match.

    Args:
        model: of the takes.
        last: pose.
    """
    return _going_on(model, last) or _matching(model, last)


def _going_on(model: Model, last: LastPose) -> list[Entry]:
    """The entry by going on, after a while at most; none where the recording ends before it is in the graph."""
    node = model.tables.node_at(last.frame)
    if node >= 0:
        since = last.since if _has_room(model, node, last) else NEVER
        return [Entry(node, last.frame + 1, last.placement, since)]
    stop = int(model.view.starts[np.searchsorted(model.view.starts, last.frame, side="right")])
    begins = np.asarray(model.graph.starts)
    following = int(np.searchsorted(begins, last.frame + 1))
    lead = int(begins[following]) - last.frame - 1 if following < len(begins) else stop
    if following == len(begins) or begins[following] >= stop or lead > LONGEST_LEAD * model.fps:
        return []
    since = min(last.since + lead, NEVER)
    return [Entry(following, int(begins[following]), last.placement, since, lead=lead)]


def _has_room(model: Model, node: int, last: LastPose) -> bool:
    """Whether a transition comes long enough after the last one if the recording goes on; else it may come sooner."""
    graph, gap = model.graph, round(model.settings.growth.apart * model.fps)
    since = last.since - last.frame - 1  # before the frame 0 of the view, if it were played up to here
    while since + graph.stops[node] < gap:
        onward = [int(graph.targets[edge]) for edge in graph.leaving(node) if graph.goes_on[edge]]
        if not onward:
            return False
        node = onward[0]
    return True


def _matching(model: Model, last: LastPose) -> list[Entry]:
    """Entries where the poses of the graph are like the last one, the nearest first."""
    alike = find_alike(model, last)
    nearest = min((each.distance for each in alike), default=np.inf)
    threshold = metres_of_threshold(model)
    if nearest > FARTHEST * threshold:
        name, frame = model.clip_frame(last.frame)
        away = f"the nearest pose is {100 * nearest:.0f} cm away" if alike else "no pose can be compared with it"
        raise Unsatisfiable(
            f"nothing goes on from frame {frame} of {name}: {away} in the graph; start from another pose, or allow a "
            "larger threshold"
        )
    return [
        Entry(model.tables.node_at(each.frame + 1), each.frame + 1, each.placement, 0, each.distance)
        for each in alike
        if each.distance <= max(USUAL * threshold, nearest)
    ]


@dataclass(frozen=True, eq=False)
class Alike:
    """A frame of the graph in which the pose is like another one."""

    frame: int  # of the view
    placement: Placement  # of its recording, so that both poses are at the same place
    distance: float  # metres


def find_alike(model: Model, pose: LastPose, *, beside: int = 1, count: int = MOST_ENTRIES) -> list[Alike]:
    """Frames in which poses are like another one, and that have a neighbour in the graph; the nearest first.

    Args:
        model: of the takes.
        pose: another one.
        beside: 1 where the graph is entered with the frame after them, -1 where it is left with the frame before.
        count: frames at most.
    """
    clouds = measure_view_points(model.view)
    start, stop = model.view.range_of(model.clip_frame(pose.frame)[0])
    half = len(clouds.window_weights) // 2
    middle = int(np.clip(pose.frame, start + half, stop - 1 - half))
    shift = pose.frame - middle  # from the middle of a window
    distances = _distances(clouds, middle)
    is_low = lowest_in_time(distances, model.view.starts, max(round(APART * model.fps), 1))
    nodes = np.array([model.tables.node_at(int(frame) + shift + beside) for frame in np.flatnonzero(is_low)])
    frames = np.flatnonzero(is_low)[nodes >= 0]
    frames = frames[np.argsort(distances[frames], kind="stable")][:count]
    placed = (compose(pose.placement, align_frames(clouds, int(frame), middle)) for frame in frames)
    return [Alike(int(frame) + shift, where, float(distances[frame])) for frame, where in zip(frames, placed)]


def _distances(clouds: PointClouds, frame: int) -> np.ndarray:
    """(N,) metres from a frame to all; infinite where they cannot be compared."""
    found = clouds.distances(slice(frame, frame + 1), slice(0, clouds.n_frames))[0].astype(float)
    return np.where(clouds.comparable, found, np.inf)


def metres_of_threshold(model: Model) -> float:
    """The threshold of the graph where it is in metres, else what is usual."""
    if model.graph.unit == "m":
        return model.graph.threshold
    from motionloom.graphs.transition_graph_builder import find_threshold

    return find_threshold(model.view)
