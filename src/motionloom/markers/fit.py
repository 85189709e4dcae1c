"""Bodies from markers: the motion of a skeleton whose markers are where labelled markers were seen."""

from dataclasses import dataclass, replace

import numpy as np

from motionloom.errors import BadInput
from motionloom.features.body_size import body_height
from motionloom.markers.full_body import full_body_markers
from motionloom.markers.marked_body import MarkedBody, bend_about, mark_body
from motionloom.markers.marker_set import MarkerSet, match_markers
from motionloom.markers.poses import Poses, follow_markers, marker_places, refit_poses, to_motion
from motionloom.markers.refining import refine_body
from motionloom.markers.report import FitReport, report_markers
from motionloom.markers.settings import DEFAULT, FitSettings, check_settings
from motionloom.markers.strays import Strays, find_strays
from motionloom.motion import Motion, PointMotion, Skeleton, hinges
from motionloom.tasks import Progress

FEWEST = 3  # markers that tell where a body is
LEARNING = 3  # passes that take as long as learning, about
BENDS = 500  # frames that tell on which side knees and elbows bend
EXTENTS = (0.05, 4.0)  # of a body's height: markers that span less or more are in other units


@dataclass(frozen=True, eq=False)
class FittedBody:
    """A motion fitted to markers, the marker set and skeleton that it was fitted with, and the report."""

    motion: Motion
    markers: MarkerSet  # on the skeleton of the motion, with the offsets that were used
    report: FitReport


def fit_markers(
    skeleton: Skeleton,
    points: PointMotion,
    markers: MarkerSet | None = None,
    *,
    settings: FitSettings = DEFAULT,
    progress: Progress | None = None,
) -> FittedBody:
    """Fit the pose of a skeleton to labelled markers in all frames.

    A pose is found from scratch where a stretch of frames begins, then each from the one before; then each is found
    again beside a smooth course that carries joints through gaps of their markers. Samples far from where the body can
    have them are left out, and named in the report.

    Args:
        skeleton: of the body.
        points: labelled markers; NaN where one is missing.
        markers: which bone each is on; None for the full-body set, placed by the proportions of the skeleton.
        settings: what is found beside the pose, and how much markers are believed.
        progress: called as progress(done, total).
    """
    check_settings(settings)
    learning, following, refitting = _in_stages(progress, points.n_frames, settings)
    wanted = full_body_markers(skeleton) if markers is None else markers
    markers, targets, seen = _choose(skeleton, points, wanted)
    weights = np.where(seen, settings.noise**-2, 0.0)
    body, size = mark_body(skeleton, markers), 1.0
    if settings.learns_offsets or settings.learns_size:
        body, size = refine_body(body, targets, weights, settings, points.fps, progress=learning)
    poses = follow_markers(body, targets, weights, settings, progress=following)
    strays = find_strays(poses.misses, targets, settings.beyond, lambda frames: _places(body, poses, frames))
    body = bend_about(body, _bend_axes(body, poses))
    weights = np.where(strays.left_out, 0.0, weights)
    poses = refit_poses(body, targets, weights, settings, poses, points.fps, progress=refitting)
    motion = to_motion(body, poses, points.fps)
    report = _report(body, points, poses.misses, seen, strays)
    absent = tuple(name for name in wanted.names if name not in markers.names)
    return FittedBody(motion, body.markers, replace(report, absent=absent, size=size))


def _in_stages(progress: Progress | None, n_frames: int, settings: FitSettings) -> list[Progress | None]:
    """What learning, the first and the second pass call with how far they are, of the whole."""
    learns = settings.learns_offsets or settings.learns_size
    sizes = (LEARNING * n_frames if learns else 0, n_frames, n_frames)
    ends = [sum(sizes[:number]) for number in range(4)]

    def in_stage(start: int, stop: int) -> Progress | None:
        if progress is None:
            return None
        return lambda done, total: progress(start + (stop - start) * done // max(total, 1), max(ends[-1], 1))

    return [in_stage(start, stop) for start, stop in zip(ends, ends[1:])]


def _choose(skeleton: Skeleton, points: PointMotion, markers: MarkerSet) -> tuple[MarkerSet, np.ndarray, np.ndarray]:
    """The markers that points are named after, their positions (F, K, 3) in metres and where they are seen (F, K)."""
    columns = match_markers(points, markers)
    if not columns:
        raise BadInput(
            f"no point is named after a marker of the set: the points are {_some(points.names)}; the markers are "
            f"{_some(markers.names)}; give a marker set with your names (--markers FILE)"
        )
    if len(columns) < FEWEST:
        raise BadInput(
            f"only {' and '.join(columns)} of the set are among the points {_some(points.names)}; a body needs "
            f"{FEWEST} of the markers {_some(markers.names)}"
        )
    if points.n_frames == 0:
        raise BadInput("the markers have no frames; give at least one")
    positions = np.ascontiguousarray(points.positions[:, list(columns.values())], float)
    seen = np.isfinite(positions).all(axis=-1)
    if seen.sum(axis=1).max() < FEWEST:
        raise BadInput(
            f"at most {int(seen.sum(axis=1).max())} markers of the set are seen at once; a body needs {FEWEST}"
        )
    _check_units(skeleton, positions, seen)
    return markers.only(list(columns)), np.where(seen[..., None], positions, 0.0), seen


def _check_units(skeleton: Skeleton, positions: np.ndarray, seen: np.ndarray) -> None:
    height = body_height(skeleton)
    full = seen.sum(axis=1) == seen.sum(axis=1).max()
    clouds = np.where(seen[full][..., None], positions[full], np.nan)
    extent = float(np.median(np.linalg.norm(np.nanmax(clouds, axis=1) - np.nanmin(clouds, axis=1), axis=-1)))
    low, high = EXTENTS
    if height > 0 and not low * height <= extent <= high * height:
        raise BadInput(
            f"the markers span {extent:.3g} m and the body is {height:.2f} m tall; give their true unit (--scale "
            "METRES), or a skeleton of their body"
        )


def _some(names: tuple[str, ...]) -> str:
    return ", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")


def _places(body: MarkedBody, poses: Poses, frames: np.ndarray) -> np.ndarray:
    """(S, K, 3) metres: where the body has its markers in some frames."""
    return marker_places(body, to_motion(body, poses.at(frames), 1.0))


def _bend_axes(body: MarkedBody, poses: Poses) -> dict[str, np.ndarray]:
    """The axes that knees and elbows bend about in a first fit, of limbs that do not bend about many."""
    step = max(1, len(poses.roots) // BENDS)
    motion = to_motion(body, poses.at(np.arange(0, len(poses.roots), step)), 1.0)
    limbs = hinges.hinged_limbs(motion.skeleton)
    axes = {limb: hinges.hinge_axis(motion.skeleton, motion.local_rotations, limb) for limb in limbs}
    return {limb: axis for limb, axis in axes.items() if axis is not None}


def _report(
    body: MarkedBody,
    points: PointMotion,
    misses: np.ndarray,
    seen: np.ndarray,
    strays: Strays,
) -> FitReport:
    used = set(match_markers(points, body.markers).values())
    names = tuple(body.skeleton.names[joint] for joint in body.markers.carriers(body.skeleton))
    held = [name for joint, name in enumerate(body.skeleton.names) if joint not in set(body.joints.tolist())]
    return FitReport(
        report_markers(body.markers.names, names, misses, seen, strays),
        tuple(name for column, name in enumerate(points.names) if column not in used),
        (),
        1.0,
        int((~(seen & ~strays.left_out)).all(axis=1).sum()),
        tuple(held),
    )
