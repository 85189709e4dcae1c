"""The usual full-body set of 41 markers, named as in Plug-in Gait, put on any skeleton with roles by its proportions.

Each is placed in T-pose, palms down, relative to joints of the skeleton: along a bone by a share of it, and from there
by shares of the body's height to the side, up and ahead. The shares are about those of an adult; where markers really
were is found with the pose (`fit_markers`).
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from motionloom.errors import BadInput
from motionloom.features.body_size import body_height
from motionloom.markers.marker_set import MarkerSet
from motionloom.motion import Skeleton, kinematics, rest_pose, rotations


@dataclass(frozen=True)
class Place:
    """Where a marker is on a body in T-pose. In the table of sided ones "*" is the side."""

    bones: tuple[str, ...]  # roles or names of joints, the first that the skeleton has carries the marker
    start: str  # the joint from which it is placed
    end: str  # and towards which, by a share
    share: float
    beyond: tuple[float, float, float]  # to the left (outwards if sided), up, ahead: shares of the body's height


TRUNK, HEAD = ("chest", "spine", "hips"), ("head",)
MIDDLE = {
    "C7": Place(TRUNK, "chest", "neck", 1.0, (0.0, 0.0, -0.045)),
    "T10": Place(TRUNK, "spine", "neck", 0.45, (0.0, 0.0, -0.065)),
    "CLAV": Place(TRUNK, "chest", "neck", 0.9, (0.0, -0.01, 0.06)),
    "STRN": Place(TRUNK, "spine", "neck", 0.5, (0.0, 0.0, 0.08)),
    "RBAK": Place(TRUNK, "spine", "neck", 0.7, (-0.05, 0.0, -0.06)),
}
SIDED = {
    "FHD": Place(HEAD, "head", "head", 0.0, (0.04, 0.06, 0.06)),
    "BHD": Place(HEAD, "head", "head", 0.0, (0.04, 0.055, -0.05)),
    "SHO": Place(("*_clavicle", *TRUNK), "*_shoulder", "*_shoulder", 0.0, (-0.01, 0.03, 0.0)),
    "UPA": Place(("*_shoulder",), "*_shoulder", "*_elbow", 0.5, (0.0, 0.02, -0.02)),
    "ELB": Place(("*_shoulder",), "*_shoulder", "*_elbow", 1.0, (-0.005, 0.008, -0.024)),
    "FRM": Place(("*_elbow",), "*_elbow", "*_hand", 0.5, (0.0, 0.015, -0.015)),
    "WRA": Place(("*_elbow",), "*_elbow", "*_hand", 1.0, (-0.005, 0.0, 0.022)),
    "WRB": Place(("*_elbow",), "*_elbow", "*_hand", 1.0, (-0.005, 0.0, -0.022)),
    "FIN": Place(("*_hand", "*_elbow"), "*_hand", "*_hand", 0.0, (0.05, 0.012, 0.008)),
    "ASI": Place(("hips",), "*_hip", "*_hip", 0.0, (0.02, 0.045, 0.055)),
    "PSI": Place(("hips",), "*_hip", "*_hip", 0.0, (-0.03, 0.05, -0.075)),
    "THI": Place(("*_hip",), "*_hip", "*_knee", 0.55, (0.05, 0.0, 0.0)),
    "KNE": Place(("*_hip",), "*_hip", "*_knee", 1.0, (0.033, 0.0, 0.0)),
    "TIB": Place(("*_knee",), "*_knee", "*_foot", 0.5, (0.035, 0.0, 0.0)),
    "ANK": Place(("*_knee",), "*_knee", "*_foot", 1.0, (0.024, 0.0, 0.0)),
    "HEE": Place(("*_foot",), "*_foot", "*_foot", 0.0, (0.0, -0.025, -0.035)),
    "TOE": Place(("*_foot",), "*_foot", "*_ball", 1.0, (0.0, 0.015, 0.0)),
    "MT5": Place(("*_foot",), "*_foot", "*_ball", 0.9, (0.035, 0.0, -0.01)),
}
SIDES = (("L", "left", 1.0), ("R", "right", -1.0))


def full_body_markers(skeleton: Skeleton) -> MarkerSet:
    """The markers of the full-body set that a skeleton has bones for: 41 if it has all roles."""
    return place_markers(skeleton, full_body_places())


def full_body_places() -> dict[str, Place]:
    """Where each marker of the full-body set is, by its name."""
    places = dict(MIDDLE)
    for name, place in SIDED.items():
        places |= {f"{letter}{name}": on_side(place, side) for letter, side, _ in SIDES}
    return places


def on_side(place: Place, side: str) -> Place:
    """The place of a sided marker on the left or the right of the body."""
    out = {name: sign for _, name, sign in SIDES}[side]
    bones = tuple(bone.replace("*", side) for bone in place.bones)
    start, end = (role.replace("*", side) for role in (place.start, place.end))
    return Place(bones, start, end, place.share, (out * place.beyond[0], *place.beyond[1:]))


def place_markers(skeleton: Skeleton, places: Mapping[str, Place]) -> MarkerSet:
    """Markers of any set, put on a skeleton by its proportions; those without a bone for them are left out.

    Args:
        skeleton: with legs, which tell its height.
        places: by name of the marker; to the left of the body where the first of `beyond` is positive.
    """
    if body_height(skeleton) <= 0:
        raise BadInput(
            f"skeleton '{skeleton.name}' has no legs that tell its size; correct its roles or give a marker "
            "set of its own"
        )
    local = rest_pose_locals(skeleton)
    positions, turned = kinematics.forward(skeleton, np.zeros((1, 3)), local[None])
    spots = {name: _put(skeleton, positions[0], turned[0], place) for name, place in places.items()}
    kept = {name: spot for name, spot in spots.items() if spot is not None}
    if not kept:
        raise BadInput(f"skeleton '{skeleton.name}' has no bone for any marker of the set; correct its roles")
    joints, offsets = zip(*kept.values())
    return MarkerSet(tuple(kept), joints, np.array(offsets))


def rest_pose_locals(skeleton: Skeleton) -> np.ndarray:
    """(J, 4) joint to parent: the T-pose, upright and facing +z."""
    return kinematics.to_local(skeleton, rest_pose.t_pose(skeleton))


def _put(skeleton: Skeleton, positions: np.ndarray, turned: np.ndarray, place: Place) -> tuple[str, np.ndarray] | None:
    """The joint of a marker, and its offset (3,) in that joint's frame; None without joints to place it by."""
    bone, start, end = (_first(skeleton, joints) for joints in (place.bones, (place.start,), (place.end,)))
    if bone is None or start is None or end is None:
        return None
    first, last = positions[start], positions[end]
    arm = first + place.share * (last - first) + np.array(place.beyond) * body_height(skeleton) - positions[bone]
    return skeleton.names[bone], rotations.rotate(rotations.inverse(turned[bone]), arm)


def _first(skeleton: Skeleton, joints: tuple[str, ...]) -> int | None:
    """The first of some joints, by role or name, that a skeleton has."""
    return next((skeleton.index(joint) for joint in joints if skeleton.has(joint) or joint in skeleton.names), None)
