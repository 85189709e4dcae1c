"""Marker sets: which bone each named marker is fixed to, and where on it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.errors import BadInput
from motionloom.motion import Motion, PointMotion, Skeleton, kinematics, rotations


@dataclass(frozen=True, eq=False)
class MarkerSet:
    """Named markers on the bones of a skeleton."""

    names: tuple[str, ...]  # K marker names, unique
    joints: tuple[str, ...]  # K joints whose frames the markers are fixed in: name or role
    offsets: np.ndarray  # (K, 3) metres in those frames

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(self.names))
        object.__setattr__(self, "joints", tuple(self.joints))
        offsets = np.array(self.offsets, float).reshape(-1, 3)
        offsets.setflags(write=False)
        object.__setattr__(self, "offsets", offsets)
        if not len(self.names) == len(self.joints) == len(offsets):
            raise BadInput(
                f"a marker set has {len(self.names)} names, {len(self.joints)} joints and {len(offsets)} offsets; "
                "give one joint and one offset for each name"
            )
        if len(set(self.names)) != len(self.names):
            raise BadInput("marker names must be unique")
        if not np.isfinite(offsets).all():
            broken = self.names[int((~np.isfinite(offsets)).any(axis=1).argmax())]
            raise BadInput(f"the offset of marker '{broken}' is not finite")

    def carriers(self, skeleton: Skeleton) -> np.ndarray:
        """(K,) int: the joint of each marker in a skeleton."""
        return np.array([skeleton.index(joint) for joint in self.joints], int)

    def only(self, names: Sequence[str]) -> "MarkerSet":
        """The markers of these names, in their order."""
        unknown = [name for name in names if name not in self.names]
        if unknown:
            raise BadInput(f"no marker {', '.join(unknown)} in the set; it has {', '.join(self.names)}")
        rows = [self.names.index(name) for name in names]
        return MarkerSet(tuple(names), tuple(self.joints[row] for row in rows), self.offsets[rows])

    def scaled(self, factor: float) -> "MarkerSet":
        """The set for a body that is larger by a factor."""
        return replace(self, offsets=self.offsets * factor)


def put_on(motion: Motion, markers: MarkerSet) -> PointMotion:
    """The positions that markers have on a moving body."""
    carriers = markers.carriers(motion.skeleton)
    positions = kinematics.attached_positions(*kinematics.world(motion), carriers, markers.offsets)
    return PointMotion(markers.names, positions, motion.fps)


def learn_offsets(motion: Motion, points: PointMotion, joints: Mapping[str, str] | None = None) -> MarkerSet:
    """Learn where markers are on a body from frames in which its pose is known.

    Args:
        motion: the known poses, F frames.
        points: markers in the same frames.
        joints: marker -> joint; others are put on the joint in whose frame they move least. Markers that are never
            seen are left out.
    """
    if motion.n_frames != points.n_frames:
        raise BadInput(
            f"the motion has {motion.n_frames} frames and the markers {points.n_frames}; give the same frames of both"
        )
    given = dict(joints or {})
    unknown = sorted(set(given) - set(points.names))
    if unknown:
        raise BadInput(f"no marker {', '.join(unknown)}; the markers are {', '.join(points.names)}")
    skeleton, (positions, turned) = motion.skeleton, kinematics.world(motion)
    names, carriers, offsets = [], [], []
    for column, name in enumerate(points.names):
        seen = np.isfinite(points.positions[:, column]).all(axis=1)
        if not seen.any():
            continue
        candidates = [skeleton.index(given[name])] if name in given else list(range(skeleton.n_joints))
        arms = points.positions[seen, column][:, None] - positions[seen][:, candidates]  # (S, C, 3)
        own = rotations.rotate(rotations.inverse(turned[seen][:, candidates]), arms)
        middle = np.median(own, axis=0)
        spread = np.median(np.linalg.norm(own - middle, axis=-1), axis=0)  # (C,) metres
        best = int(np.argmin(np.round(spread, 6)))
        names.append(name)
        carriers.append(skeleton.names[candidates[best]])
        offsets.append(middle[best])
    if not names:
        raise BadInput("no marker is seen in any frame; give frames in which some are")
    return MarkerSet(tuple(names), tuple(carriers), np.array(offsets))


def match_markers(points: PointMotion, markers: MarkerSet) -> dict[str, int]:
    """The column of each marker of a set in points, by name: a subject's prefix ('Anna:LFHD') and case do not matter.

    An exact name wins. Markers without a column are left out.
    """
    plain: dict[str, int] = {}
    for column, name in enumerate(points.names):
        plain.setdefault(_plain(name), column)
    exact = {name: column for column, name in enumerate(points.names)}
    found = {name: exact.get(name, plain.get(_plain(name))) for name in markers.names}
    return {name: column for name, column in found.items() if column is not None}


def _plain(name: str) -> str:
    return name.split(":")[-1].strip().lower()
