"""Refused: what asks for a body, and is asked of points; what asks for points, and is asked of a body."""

from motionloom.errors import BadInput
from motionloom.methods.dynamics.request import Pose, Request

OF_BODIES = {
    "orientations": "points have no orientation",
    "angles": "points have no joints",
    "contacts": "points have no feet",
    "contacts_like": "points have no feet",
    "root": "points have no root; their head goes as `head` says",
    "skeleton": "points have no skeleton",
}


def check_points_can(request: Request) -> None:
    """Raise if a request to points asks for a body; one sentence says which part of it."""
    for name, why in OF_BODIES.items():
        if getattr(request, name):
            raise BadInput(f"`{name}` asks for a body: {why}; leave it out, or name takes of bodies")
    if request.feet != "found":
        raise BadInput(f"`feet: {request.feet}` asks for a body: points have no feet; leave it out")
    for number, pose in enumerate(request.poses):
        if _is_placed(pose):
            what = pose.name or f"pose {number + 1}"
            raise BadInput(f"{what}: a pose of points has no place or heading of its own; say where the `head` is")


def check_bodies_can(request: Request) -> None:
    """Raise if a request to a body asks for points."""
    if request.head is not None:
        raise BadInput("`head` says where the head of points is; ask for the head of a body with `points`")


def _is_placed(pose: Pose) -> bool:
    return pose.place is not None or pose.heading is not None or pose.as_recorded
