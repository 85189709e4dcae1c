"""Joints below the root that carry a person's travel: a `Reference` above the hips, a `root` above the pelvis."""

from collections.abc import Mapping, Sequence

import numpy as np

from motionloom.formats.take import Finding
from motionloom.motion import rotations
from motionloom.motion.roles import find_roles

BODY_PARTS = 1.5  # hips are at most this many times as far from the ground as the farthest joint is from the hips


def trunk_above_body(names: Sequence[str], parents: np.ndarray) -> list[int]:
    """The joints from the root down to where the body branches or its hips are; only the root where there are none.

    Branches without a joint that has a role, such as handles for the feet, are no part of the body.
    """
    children: list[list[int]] = [[] for _ in names]
    for joint, parent in enumerate(parents):
        if parent >= 0:
            children[parent].append(joint)
    roles = find_roles(names, parents)
    hips = names.index(roles["hips"])
    known = _carry_roles(names, parents, set(roles.values()) - {names[0]})
    trunk = [0]
    while trunk[-1] != hips or hips == 0:
        below = children[trunk[-1]]
        if len(below) > 1:
            below = [joint for joint in below if known[joint]]
        if len(below) != 1:
            break
        trunk.append(below[0])
    is_rope = not children[trunk[-1]] and trunk[-1] != hips  # bone after bone: none of them is above a body
    return [0] if is_rope else trunk


def _carry_roles(names: Sequence[str], parents: np.ndarray, with_role: set[str]) -> list[bool]:
    """For each joint, whether it or one below it has a role."""
    known = [name in with_role for name in names]
    for joint in range(len(names) - 1, 0, -1):
        known[parents[joint]] = known[parents[joint]] or known[joint]
    return known


def steady_offset(offsets: np.ndarray, parents: np.ndarray, trunk: Sequence[int], joint: int) -> np.ndarray:
    """The offset (3,) for a joint that moves: the file's where it is like a body part, else none.

    All takes of a skeleton shall get the same one, and a file that writes a place in the studio as the offset must not
    put the body metres away from its root.
    """
    rest = np.zeros_like(offsets)
    for other in range(1, len(offsets)):
        rest[other] = rest[parents[other]] + (0.0 if other in trunk else offsets[other])
    body = float(np.linalg.norm(rest, axis=1).max())
    return offsets[joint] if np.linalg.norm(offsets[joint]) <= BODY_PARTS * body else np.zeros(3)


def carried_by_root(
    trunk: Sequence[int], local_rotations: np.ndarray, moved: Mapping[int, np.ndarray], offsets: np.ndarray
) -> np.ndarray:
    """What to add to the root's positions, (F, 3), so that the last joint of a trunk is where the file puts it.

    Args:
        trunk: joints from the root down, each the parent of the next.
        local_rotations: (F, J, 4) joint to parent.
        moved: joint -> (F, 3) where the file has it in its parent's frame, for the joints that move.
        offsets: (J, 3) where it is instead.
    """
    added = np.zeros((len(local_rotations), 3))
    turned = local_rotations[:, 0]
    for joint in trunk[1:]:
        if joint in moved:
            added += rotations.rotate(turned, moved[joint] - offsets[joint])
        turned = rotations.multiply(turned, local_rotations[:, joint])
    return added


def tell(names: Sequence[str], trunk: Sequence[int], carrying: int) -> Finding:
    """The finding that says which joint carries the travel and what was moved for it."""
    above = ", ".join(f"'{names[joint]}'" for joint in trunk[: trunk.index(carrying)])
    message = (
        f"'{names[carrying]}' moves against the root, so its travel was given to the root: "
        f"from '{names[carrying]}' down all is as in the file, above it {above} moves along"
    )
    return Finding("bones", message)
