"""Reach: ends of a search tree at which a hand, a foot or a joint is near a point in space (section 5)."""

from dataclasses import dataclass

import numpy as np

from motionloom.graphs.view_measures import whole_motion
from motionloom.methods.buildup.hits.body_points import BodyPoint, arm_length
from motionloom.methods.buildup.model import Model
from motionloom.methods.buildup.tree.end_index import ANY, End, EndIndex, Query
from motionloom.motion import kinematics, rotations
from motionloom.motion.angles import wrap_angles

LEAST_SECONDS = 0.25  # that a way to a hit lasts
PER_SECOND = 0.02  # metres nearer for which a way may last a second longer
PER_FOLD = 0.3  # metres nearer for which an arm may be folded altogether: people hit with their arms stretched
STRETCHED = 0.85  # of its length, from which on an arm is
FAR = 1000.0  # metres: however far


@dataclass(frozen=True, eq=False)
class Aim:
    """What a hit at the end of a step asks for, on the clock of the sequence."""

    points: tuple[BodyPoint, ...]  # of which the nearer one counts
    goals: np.ndarray  # (M, 3) metres, world: where in each frame; the last holds on
    begun: int  # the frame of the last pose
    frame: int | None = None  # in which it shall hit; None for any
    exact: bool = True

    def goal_at(self, frame: int) -> np.ndarray:
        """(3,) metres, world."""
        return np.asarray(self.goals[min(frame, len(self.goals) - 1)])


def find_reaches(model: Model, index: EndIndex, aim: Aim, query: Query | None = None, count: int = 400) -> list[End]:
    """The frames of a tree at which a point of the body is near where it is aimed, the best first.

    One for each tree node, whether an end of its paths or not. `distance` is that of the point, in space. Best is what
    is near and soon, with an arm that is stretched.

    Args:
        model: of the takes.
        index: of the tree.
        aim: of a hit.
        query: of where the body shall be, in which pose and when; None for anything.
        count: at most.
    """
    costs, distances, frames = _score(model, index, aim, query)
    numbers = np.flatnonzero(frames >= 0)
    places, times = index.tree.place(numbers.astype(np.int32), frames[numbers])
    costs = costs[numbers] + PER_SECOND * times / model.fps
    allowed = np.ones(len(numbers), bool)
    if query is not None:
        allowed &= np.linalg.norm(places[:, :2] - np.array(query.position), axis=1) <= query.within
        if query.heading is not None:
            allowed &= np.abs(wrap_angles(places[:, 2] - query.heading)) <= query.heading_within
    best = np.flatnonzero(allowed)
    best = best[np.argsort(costs[best], kind="stable")][:count]
    return [
        End(
            -1,
            int(numbers[row]),
            int(frames[numbers[row]]),
            int(model.groups.of_frame[frames[numbers[row]]]),
            (float(places[row, 0]), float(places[row, 1]), float(places[row, 2])),
            int(times[row]),
            float(distances[numbers[row]]),
        )
        for row in best
    ]


def _score(model: Model, index: EndIndex, aim: Aim, query: Query | None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(T,) least cost and distance in metres and the frame of the view, for each node of the tree; -1 for none."""
    from motionloom.methods.buildup.hits import _kernels

    tree, settings = index.tree, model.settings
    costs, distances = np.empty(tree.n_nodes), np.empty(tree.n_nodes)
    frames = np.empty(tree.n_nodes, np.int32)
    track = track_of(model, aim.points)
    seconds = (0.0, np.inf) if query is None or query.seconds is None else query.seconds
    least, longest = max(seconds[0], LEAST_SECONDS) * model.fps, seconds[1] * model.fps
    middle = aim.goals.mean(axis=0)
    around = np.append(middle, np.linalg.norm(aim.goals - middle, axis=1).max())
    _kernels.reach_points(
        (tree.nodes, tree.begins, tree.arrivals, tree.since, tree.headings, tree.slides),
        model.tables.spans[1],
        track.positions,
        track.prices,
        track.balls,
        np.ascontiguousarray(aim.goals, float),
        around,
        aim.begun,
        (round(settings.settled * model.fps), float(least), float(longest), FAR),
        model.groups.of_frame,
        ANY if query is None or query.group is None else query.group,
        costs,
        distances,
        frames,
    )
    return costs, distances, frames


@dataclass(frozen=True, eq=False)
class Track:
    """P points of the body in all N frames of a view."""

    positions: np.ndarray  # (N, P, 3) metres, world, where the recordings are
    prices: np.ndarray  # (N, P) metres that having each there costs
    balls: np.ndarray  # (nodes, 4) centre and radius around all of them, for each node of the graph


def track_of(model: Model, points: tuple[BodyPoint, ...]) -> Track:
    """Where points of the body are in the frames of a model, which keeps the last few."""
    track = model.point_tracks.get(points)
    if track is None:
        model.point_tracks.put(points, track := _track(model, points))
    return track


def _track(model: Model, points: tuple[BodyPoint, ...]) -> Track:
    motion = whole_motion(model.view)
    world, turned = kinematics.world(motion)
    shape = (motion.n_frames, 3)
    places = [
        world[:, each.joint] + rotations.rotate(turned[:, each.joint], np.broadcast_to(np.array(each.offset), shape))
        for each in points
    ]
    positions = np.ascontiguousarray(np.stack(places, axis=1))
    prices = np.column_stack([PER_FOLD * _folded(model, world, each) for each in points])
    return Track(positions, prices, _balls(model, positions))


def _folded(model: Model, world: np.ndarray, point: BodyPoint) -> np.ndarray:
    """(N,) how far an arm is from stretched, 0 to 1; 0 for a point that is no hand's."""
    skeleton, side = model.view.skeleton, point.name.split("_")[0]
    if not skeleton.has(f"{side}_hand", f"{side}_shoulder") or skeleton.index(f"{side}_hand") != point.joint:
        return np.zeros(len(world))
    spans = np.linalg.norm(world[:, point.joint] - world[:, skeleton.index(f"{side}_shoulder")], axis=1)
    return np.clip(1 - spans / max(STRETCHED * arm_length(skeleton), 1e-9), 0.0, 1.0)


def _balls(model: Model, positions: np.ndarray) -> np.ndarray:
    """(nodes, 4) centre and radius around (N, P, 3) points in each node of the graph."""
    starts, stops = model.tables.spans
    found = np.empty((len(starts), 4))
    for node, (start, stop) in enumerate(zip(starts, stops)):
        own = positions[start:stop].reshape(-1, 3)
        found[node, :3] = own.mean(axis=0)
        found[node, 3] = np.linalg.norm(own - found[node, :3], axis=1).max()
    return found
