"""Sketches: one frame of a take as a few strokes, small enough for a line of a list; bodies and faces alike."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from motionloom.corpus import Corpus
from motionloom.errors import BadInput, MotionloomError
from motionloom.features.facing import find_facing
from motionloom.motion import Motion, PointMotion
from motionloom.motion.kinematics import forward
from motionloom.motion.rigid_alignment import align_rigidly
from motionloom.motion.rotations import rotate
from motionloom.studio.desks.point_looks import describe_looks, mean_points, sampled_frames

SAMPLED = 48  # frames that telling ones are chosen from
SIDE, ABOVE = 0.65, 0.14  # radians from which bodies are seen, as their portraits are
MARGIN = 0.06  # of the picture, on each side


@dataclass(frozen=True, eq=False)
class _Shapes:
    """Frames of a take as places without their way: from where they are drawn, before all else."""

    places: np.ndarray  # (K, P, 3) metres
    frames: np.ndarray  # (K,) of the take
    lines: list[tuple[int, int]]  # pairs of places that are joined
    outlines: list[list[int]]  # places that are drawn stronger, one after another
    kind: str  # "body", "face", "points"

    @cached_property
    def middle(self) -> np.ndarray:
        """(P, 3) metres: the usual frame; NaN where a place was never seen."""
        ordered = np.sort(self.places, axis=0)  # what was not seen at the end
        counts = np.isfinite(ordered).sum(axis=0, keepdims=True)
        return np.take_along_axis(ordered, np.maximum(counts - 1, 0) // 2, axis=0)[0]

    def telling(self, count: int) -> list[int]:
        """The frames that are least alike, in the order of time: first the farthest from the usual one."""
        apart = np.nan_to_num(self.places - self.middle)
        nearest = np.full(len(apart), np.inf)
        chosen = [int(np.square(apart).sum((1, 2)).argmax())]
        while len(chosen) < min(count, len(apart)):
            nearest = np.minimum(nearest, np.square(apart - apart[chosen[-1]]).sum((1, 2)))
            chosen.append(int(nearest.argmax()))
        return sorted(set(self.frames[chosen].tolist()))


def find_telling_frames(corpus: Corpus, take: str, count: int) -> list[int]:
    """The frames of a take that tell most of it, in the order of time."""
    return _shapes_of(corpus, take).telling(count)


def sketch_take(corpus: Corpus, take: str, frame: int | None = None) -> dict[str, Any]:
    """A frame of a take, or the most telling one, as plain values; see `messages.library.Sketch`."""
    if frame is None:
        shapes = _shapes_of(corpus, take)
        frame = shapes.telling(1)[0]
        at = int(np.flatnonzero(shapes.frames == frame)[0])
    else:
        if frame >= corpus.info(take).n_frames:
            raise BadInput(f"{take} has {corpus.info(take).n_frames} frames; there is no frame {frame}")
        shapes, at = _shapes_of(corpus, take, frame), -1
    return {"take": take, "frame": frame, "kind": shapes.kind, **_draw(shapes, at)}


def _shapes_of(corpus: Corpus, take: str, also: int | None = None) -> _Shapes:
    """Some frames of a take, with one more at the end where it is given."""
    motion = corpus.take(take).motion
    frames = sampled_frames(motion.n_frames, SAMPLED)
    if also is not None:
        frames = np.append(frames, also)
    return _body_shapes(motion, frames) if isinstance(motion, Motion) else _point_shapes(motion, frames)


def _body_shapes(motion: Motion, frames: np.ndarray) -> _Shapes:
    """Joints and tips of bones, hips at the origin, looking along +z."""
    skeleton = motion.skeleton
    positions, turned = forward(skeleton, motion.root_positions[frames], motion.local_rotations[frames])
    tips = positions[:, skeleton.end_parents] + rotate(turned[:, skeleton.end_parents], skeleton.end_offsets)
    try:
        headings = find_facing(skeleton, positions)[0]
    except MotionloomError:  # no hips and no shoulders: as it was recorded
        headings = np.zeros(len(frames))
    places = np.concatenate([positions, tips], axis=1) - positions[:, :1]
    n_joints = skeleton.n_joints
    lines = [(int(parent), joint) for joint, parent in enumerate(skeleton.parents) if parent >= 0]
    lines += [(int(parent), n_joints + tip) for tip, parent in enumerate(skeleton.end_parents)]
    return _Shapes(_turn_about_up(places, -headings - SIDE), frames, lines, [], "body")


def _point_shapes(motion: PointMotion, frames: np.ndarray) -> _Shapes:
    """Markers of a face seen from the front, its head still; others as they are, about their middle."""
    places = np.asarray(motion.positions[frames], float)
    rest = mean_points(places)
    looks = describe_looks(motion.names, places)
    seen = np.isfinite(places).all(-1) & np.isfinite(rest).all(-1)
    turns, shifts = align_rigidly(places, np.nan_to_num(rest), seen.astype(float))
    still = np.einsum("fij,fmj->fmi", turns, places) + shifts[:, None]
    front = looks["front"]
    kind = "points" if front is None else "face"
    turned = _turn_about_up(still, np.full(len(frames), -(front or 0.0)))
    return _Shapes(turned, frames, looks["links"], looks["outlines"], kind)


def _turn_about_up(places: np.ndarray, angles: np.ndarray) -> np.ndarray:
    """Turn places (K, P, 3) about y, each frame by its own angle."""
    c, s = np.cos(angles)[:, None], np.sin(angles)[:, None]
    x, y, z = np.moveaxis(places, -1, 0)
    return np.stack([c * x + s * z, y, c * z - s * x], axis=-1)


def _draw(shapes: _Shapes, at: int) -> dict[str, Any]:
    """Strokes in a square picture, 0 to 1 from its upper left corner; places that were not seen have none.

    Frames of a face have one scale, so that a mouth that opens is seen to; a body fills the picture in each.
    """
    above = ABOVE if shapes.kind == "body" else 0.0
    x, y, z = np.moveaxis(shapes.places, -1, 0)
    flat = np.stack([x, np.sin(above) * z - np.cos(above) * y], axis=-1)  # (K, P, 2)
    seen = np.isfinite(flat[at]).all(-1)
    low, high = _bounds(flat if shapes.kind == "face" else flat[at])
    scale = (1 - 2 * MARGIN) / max(float((high - low).max()), 1e-6)
    drawn = np.round(0.5 + (flat[at] - (low + high) / 2) * scale, 3)
    places = [(float(across), float(down)) for across, down in drawn]
    return {
        "lines": [(*places[one], *places[other]) for one, other in shapes.lines if seen[one] and seen[other]],
        "outlines": [[places[n] for n in outline if seen[n]] for outline in shapes.outlines],
        "dots": [place for place, is_seen in zip(places, seen) if is_seen] if shapes.kind == "points" else [],
    }


def _bounds(flat: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The corners (2,) around all places that were seen."""
    seen = flat[np.isfinite(flat).all(-1)]
    return (seen.min(axis=0), seen.max(axis=0)) if len(seen) else (np.zeros(2), np.ones(2))
