"""Poses of a clip: found frame after frame from a rigid start, then each again beside a smooth course through gaps."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from motionloom.constraints.banded_least_squares import smallest_change
from motionloom.markers.marked_body import MarkedBody, to_quaternions
from motionloom.markers.nodes import Pull
from motionloom.markers.settings import FitSettings
from motionloom.motion import Motion, find_runs, kinematics, rotations
from motionloom.motion.rigid_alignment import align_rigidly, find_spreads
from motionloom.tasks import Progress, count_cores, run_threads

CHUNK = 400  # frames that follow one start
PART = 100  # frames at least for a thread
SETTLED = 3e-3  # radians or metres of a step after which the next, of its square, would be nothing
FIRST_STEPS = 40  # of a start
FIRST_WIDE = 0.5  # metres, of a start: far misses pull too
FOLLOWING = 10.0  # 1 / radians^2: pull towards the frame before
FOLLOWING_ROOT = 10.0  # 1 / metres^2
COURSE = 0.08  # seconds over which the course of a joint bends that is known to a radian
COURSE_CERTAINTY = (1e4, 1.0)  # 1 / metres^2 and 1 / radians^2 that it bends so with
LEAST_CERTAINTY = 1e-6  # 1 / radians^2, of a joint without markers
SURE = (1e4, 300.0)  # 1 / metres^2 and 1 / radians^2 from which the first pose needs no course beside it
COURSE_ROOT = 400.0  # 1 / metres^2: pull of the root towards the course
LOST = 0.10  # metres: median miss of a frame whose pose is sought anew


@dataclass(eq=False)
class Poses:
    """Poses of F frames: N joints, K markers."""

    roots: np.ndarray  # (F, 3) metres
    locals: np.ndarray  # (F, N, 3, 3) joint to parent
    certainty: np.ndarray  # (F, N + 1) 1 / metres^2 of the root position, 1 / radians^2 of joints
    misses: np.ndarray  # (F, K) metres; nan where a marker is missing
    costs: np.ndarray  # (F,)

    @staticmethod
    def empty(n_frames: int, body: MarkedBody) -> "Poses":
        n, k = len(body.joints), len(body.markers.names)
        locals_ = np.tile(np.eye(3), (n_frames, n, 1, 1))
        return Poses(
            np.zeros((n_frames, 3)),
            locals_,
            np.zeros((n_frames, n + 1)),
            np.full((n_frames, k), np.nan),
            np.zeros(n_frames),
        )

    def at(self, frames: np.ndarray) -> "Poses":
        """Copies of the poses of some frames."""
        return Poses(*(array[frames] for array in vars(self).values()))


def to_motion(body: MarkedBody, poses: Poses, fps: float) -> Motion:
    return Motion(body.skeleton, poses.roots, body.full_locals(poses.locals), fps)


def marker_places(body: MarkedBody, motion: Motion) -> np.ndarray:
    """(F, K, 3) metres: where the body has its markers."""
    carriers = body.markers.carriers(body.skeleton)
    return kinematics.attached_positions(*kinematics.world(motion), carriers, body.markers.offsets)


def follow_markers(
    body: MarkedBody,
    targets: np.ndarray,
    weights: np.ndarray,
    settings: FitSettings,
    *,
    progress: Progress | None = None,
) -> Poses:
    """The first pass: poses from a start in each stretch of frames, forwards and backwards from it.

    Args:
        body: N joints.
        targets: (F, K, 3) metres; anything finite where a marker is missing.
        weights: (F, K) 1 / metres^2, 0 where a marker is missing.
        settings: of the fit.
        progress: called as progress(stretches_done, stretches_total).
    """
    poses = Poses.empty(len(targets), body)

    def follow_chunk(start: int) -> None:
        _follow(body, targets, weights, settings, poses, start, min(start + CHUNK, len(targets)))

    starts = list(range(0, len(targets), CHUNK))
    run_threads(follow_chunk, starts, threads=min(count_cores(), len(starts)), progress=progress)
    for start, stop in _lost_ranges(poses):
        again = poses.at(np.arange(len(targets)))
        _follow(body, targets, weights, settings, again, start, stop)
        better = np.flatnonzero(again.costs < poses.costs)
        for own, other in zip(vars(poses).values(), vars(again).values()):
            own[better] = other[better]
    return poses


def refit_poses(
    body: MarkedBody,
    targets: np.ndarray,
    weights: np.ndarray,
    settings: FitSettings,
    poses: Poses,
    fps: float,
    *,
    progress: Progress | None = None,
) -> Poses:
    """The second pass: each frame on its own, beside the smooth course of the poses through gaps."""
    roots, locals_ = smooth_course(poses, fps)
    result = Poses.empty(len(targets), body)
    result.roots[:], result.locals[:] = roots, locals_
    _run_apart(body, targets, weights, settings, result, (roots, locals_), progress)
    return result


def resettle(body: MarkedBody, targets: np.ndarray, weights: np.ndarray, settings: FitSettings, poses: Poses) -> Poses:
    """The poses of separate frames again, for a body that has changed a little."""
    result = poses.at(np.arange(len(targets)))
    near = poses.roots.copy(), poses.locals.copy()
    _run_apart(body, targets, weights, settings, result, near)
    return result


def smooth_course(poses: Poses, fps: float) -> tuple[np.ndarray, np.ndarray]:
    """The poses (F, 3), (F, N, 3, 3), with the smoothest course near them where markers tell little.

    It is the nearer to a pose the more certain a joint is in that frame.
    """
    roots, locals_ = poses.roots, poses.locals.copy()
    bands = smallest_change(np.zeros((len(roots), 1)), COURSE, fps).bands()
    unsure = poses.certainty < np.array([SURE[0], *[SURE[1]] * locals_.shape[1]])
    if unsure[:, 0].any():
        course = _smoothest(bands, poses.certainty[:, 0] / COURSE_CERTAINTY[0], roots)
        roots = np.where(unsure[:, :1], course, roots)
    nodes = np.flatnonzero(unsure[:, 1:].any(axis=0))
    turns = to_quaternions(poses.locals[:, nodes])
    certainty = poses.certainty[:, nodes + 1] / COURSE_CERTAINTY[1]
    for column in range(len(nodes)):
        turns[:, column] = _smoothest(bands, certainty[:, column], turns[:, column])
    frames, columns = np.nonzero(unsure[:, nodes + 1])
    locals_[frames, nodes[columns]] = rotations.to_matrix(rotations.normalize(turns[frames, columns]))
    return roots, locals_


def _smoothest(bands: np.ndarray, certainty: np.ndarray, values: np.ndarray) -> np.ndarray:
    """The smoothest (F, n) course near values, the nearer the larger the certainty (F,) is beside 1."""
    from scipy.linalg import solveh_banded

    share = np.maximum(certainty, LEAST_CERTAINTY)
    system = bands.copy()
    system[0] += share - 1.0
    return np.asarray(solveh_banded(system, share[:, None] * values, lower=True, check_finite=False))


def _lost_ranges(poses: Poses) -> list[tuple[int, int]]:
    ordered = np.sort(poses.misses, axis=1)  # nan last
    n_seen = np.isfinite(ordered).sum(axis=1)
    typical = np.where(n_seen > 0, ordered[np.arange(len(ordered)), np.maximum(n_seen - 1, 0) // 2], 0.0)
    return find_runs(typical > LOST)


def _follow(
    body: MarkedBody,
    targets: np.ndarray,
    weights: np.ndarray,
    settings: FitSettings,
    poses: Poses,
    start: int,
    stop: int,
) -> None:
    n_seen = (weights[start:stop] > 0).sum(axis=1)
    if not n_seen.any():
        poses.locals[start:stop] = body.nodes.rest
        return
    anchor = start + int(np.argmax(n_seen))
    root, local = find_start(body, targets[anchor], weights[anchor], settings)
    poses.roots[anchor], poses.locals[anchor] = root, local
    _run(body, targets, weights, settings, poses, np.arange(anchor, stop), None)
    if anchor > start:
        _run(body, targets, weights, settings, poses, np.arange(anchor, start - 1, -1), None)


def _run_apart(
    body: MarkedBody,
    targets: np.ndarray,
    weights: np.ndarray,
    settings: FitSettings,
    poses: Poses,
    near: tuple[np.ndarray, np.ndarray],
    progress: Progress | None = None,
) -> None:
    """Run the compiled loop over all frames, each on its own, on all cores; with the same result on any number."""
    n_threads = max(1, min(count_cores(), len(targets) // PART))
    parts = np.array_split(np.arange(len(targets)), max(n_threads, len(targets) // CHUNK))

    def run_part(part: np.ndarray) -> None:
        _run(body, targets, weights, settings, poses, part, near)

    run_threads(run_part, parts, threads=n_threads, progress=progress)


def _run(
    body: MarkedBody,
    targets: np.ndarray,
    weights: np.ndarray,
    settings: FitSettings,
    poses: Poses,
    order: np.ndarray,
    near: tuple[np.ndarray, np.ndarray] | None,
) -> None:
    """Run the compiled loop over frames, near to a course or, without, each near to the one before."""
    from motionloom.markers._kernels import fit_frames

    is_chain = near is None
    pull = _make_pull(body, FOLLOWING_ROOT, FOLLOWING) if is_chain else _make_pull(body, COURSE_ROOT, settings.calm**-2)
    roots, locals_ = (poses.roots, poses.locals) if near is None else near
    fit_frames(
        body.nodes,
        pull,
        order,
        is_chain,
        roots,
        locals_,
        targets,
        weights,
        settings.wide,
        settings.most_steps,
        SETTLED,
        poses.roots,
        poses.locals,
        poses.certainty,
        poses.misses,
        poses.costs,
    )


def _make_pull(body: MarkedBody, root_weight: float, weight: float) -> Pull:
    n = len(body.joints)
    return Pull(np.zeros(3), np.tile(np.eye(3), (n, 1, 1)), root_weight, np.full(n, weight))


def find_start(
    body: MarkedBody, targets: np.ndarray, weights: np.ndarray, settings: FitSettings
) -> tuple[np.ndarray, np.ndarray]:
    """The pose of one frame without any before it: root (3,) and local rotations (N, 3, 3).

    The neutral pose, with arms hanging or out, is aligned as a rigid body, in several ways where the trunk has few
    markers; the best of the poses found from these is taken.
    """
    from motionloom.markers._kernels import descend, make_work

    work = make_work(len(body.joints), len(body.markers.names), len(body.nodes.hinges))
    best: tuple[float, np.ndarray, np.ndarray] | None = None
    for turn, place in _alignments(body, targets, weights):
        for local in _first_poses(body):
            root = place.copy()
            local[0] = turn @ local[0]
            pull = _make_pull(body, 1e-3, 1e-3)
            pull.root[:], pull.local[:] = root, local
            cost = 0.0
            for wide in (FIRST_WIDE, settings.wide):
                cost = descend(body.nodes, pull, targets, weights, wide, FIRST_STEPS, SETTLED, root, local, work)
            if best is None or cost < best[0]:
                best = cost, root, local
    assert best is not None
    return best[1], best[2]


def _first_poses(body: MarkedBody) -> Iterator[np.ndarray]:
    """The neutral pose with hanging arms, and the T-pose: (N, 3, 3) joint to parent."""
    yield body.nodes.rest.copy()
    yield np.ascontiguousarray(rotations.to_matrix(body.spread[body.joints]))


def _alignments(body: MarkedBody, targets: np.ndarray, weights: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Rigid motions (3, 3), (3,) of the neutral pose that put its markers near those of a frame."""
    places, seen = body.rest_places, weights > 0
    trunk = set(body.skeleton.chain(body.skeleton.index("chest" if body.skeleton.has("chest") else "hips")))
    is_trunk = np.isin(body.markers.carriers(body.skeleton), sorted(trunk))
    for chosen in (seen & (body.nodes.carriers == 0), seen & is_trunk):
        if _spans_space(places[chosen]):
            yield align_rigidly(places[chosen], targets[chosen])
            return
    turn, place = align_rigidly(places[seen], targets[seen])
    middle = places[seen].mean(axis=0)
    for axis, angle in [(1, quarter * np.pi / 2) for quarter in range(4)] + [(0, np.pi), (2, np.pi)]:
        more = rotations.to_matrix(rotations.about_axis(np.eye(3)[axis], angle))
        yield turn @ more, place + turn @ (middle - more @ middle)


def _spans_space(points: np.ndarray) -> bool:
    """Whether points (n, 3) tell a rotation: three that are not nearly on one line."""
    if len(points) < 3:
        return False
    spread = find_spreads(points)
    return bool(spread[1] > 0.2 * spread[0] and spread[1] > 0.02)
