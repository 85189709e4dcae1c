"""Point lessons: what is learnt from takes of points: stretches in which all are seen, and their mirror images."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.conform.point_view import PointView
from motionloom.errors import BadInput
from motionloom.methods.dynamics.label_ranges import held_ranges
from motionloom.methods.dynamics.prior.mirrored_points import find_mirror
from motionloom.motion import PointMotion, find_runs
from motionloom.motion.point_gaps import fill_gaps

SHORT = 0.1  # seconds: gaps up to these are filled to be learnt from


@dataclass(frozen=True, eq=False)
class PointLessons:
    """Stretches to learn from, with the names of their takes."""

    names: tuple[str, ...]
    stretches: tuple[PointMotion, ...]  # at the rate of the model, on the head, of one shape, without gaps
    is_mirrored: bool  # whether mirror images are among them
    filled: int  # gaps that were filled
    left_out: int  # frames of the model in which points are missing


def point_lessons(
    view: PointView, names: Sequence[str], labels: Sequence[str] | None, step: int, mirrored: bool
) -> PointLessons:
    """Stretches of takes of points.

    Args:
        view: with the takes.
        names: of the takes to learn from.
        labels: learn only where one of these holds; None for everywhere.
        step: frames of a take for each frame of the model.
        mirrored: learn from mirror images too, if the points are symmetrical enough.
    """
    found: list[tuple[str, PointMotion]] = []
    n_filled = n_left_out = 0
    for name in names:
        motion, gaps = fill_gaps(view.motion(name), SHORT)
        n_filled += len(gaps)
        for start, stop in held_ranges(view, name, labels):
            thinned = motion.positions[start:stop:step] - view.shape(name)
            is_seen = np.isfinite(thinned).all(axis=(1, 2))
            n_left_out += int((~is_seen).sum())
            runs = find_runs(is_seen)
            found += [(name, PointMotion(view.markers, thinned[a:b], view.fps / step)) for a, b in runs if b - a > 1]
    if not found:
        raise BadInput(_nothing(view, names, labels, n_left_out))
    rest = np.concatenate([motion.positions for _, motion in found]).mean(axis=0)
    mirror = find_mirror(rest) if mirrored else None
    if mirror is not None:
        found = [pair for name, motion in found for pair in ((name, motion), (name, mirror.mirrored(motion)))]
    stretches = tuple(motion for _, motion in found)
    return PointLessons(tuple(name for name, _ in found), stretches, mirror is not None, n_filled, n_left_out)


def _nothing(view: PointView, names: Sequence[str], labels: Sequence[str] | None, n_left_out: int) -> str:
    if labels is not None and not n_left_out:
        return f"no frame of the chosen takes has one of the labels {', '.join(labels)}; choose others"
    worst = max(view.markers, key=lambda marker: _missing(view, names, marker))
    return (
        f"some point is missing in every frame of the chosen takes, most often '{worst}'; fill gaps when takes are "
        "imported, or leave the point out"
    )


def _missing(view: PointView, names: Sequence[str], marker: str) -> int:
    """Frames in which a marker is missing."""
    return sum(int(np.isnan(view.motion(name).positions[:, view.markers.index(marker), 0]).sum()) for name in names)
