"""Root motion that is stored below the root: in hips below a `Reference`, or in a pelvis below a `root`."""

from collections.abc import Mapping, Sequence, Set

import numpy as np

from motionloom.formats.take import Finding
from motionloom.motion import rotations
from motionloom.motion.roles import find_roles

BODY_PARTS = 1.5  # maximum offset of the hips, relative to the largest distance of a joint from the hips


def trunk_above_body(names: Sequence[str], parents: np.ndarray) -> list[int]:
    """The joints from the root down to the hips, or to where the body branches; only the root if there are none.

    Branches without a joint with a role, such as controls of the feet, are not part of the body.
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
    is_chain = not children[trunk[-1]] and trunk[-1] != hips  # a single chain without a body below
    return [0] if is_chain else trunk


def _carry_roles(names: Sequence[str], parents: np.ndarray, with_role: set[str]) -> list[bool]:
    """For each joint, whether it or a descendant has a role."""
    known = [name in with_role for name in names]
    for joint in range(len(names) - 1, 0, -1):
        known[parents[joint]] = known[parents[joint]] or known[joint]
    return known


def size_of_body(offsets: np.ndarray, parents: np.ndarray, trunk: Set[int]) -> float:
    """The largest distance of a joint from the end of the trunk in the rest pose, in the units of the offsets."""
    rest = np.zeros_like(offsets)
    for joint in range(1, len(offsets)):
        rest[joint] = rest[parents[joint]] + (0.0 if joint in trunk else offsets[joint])
    return float(np.linalg.norm(rest, axis=1).max())


def steady_offset(offset: np.ndarray, body_size: float) -> np.ndarray:
    """The constant offset (3,) of a joint with position channels: the file's if it has the size of a bone, else 0.

    All takes of a skeleton must get the same one, and a file whose offset is a position in the studio must not place
    the body metres away from its root.

    Args:
        offset: (3,) of the file.
        body_size: see `size_of_body`.
    """
    return offset if np.linalg.norm(offset) <= BODY_PARTS * body_size else np.zeros(3)


def carried_by_root(
    trunk: Sequence[int], local_rotations: np.ndarray, moved: Mapping[int, np.ndarray], offsets: np.ndarray
) -> np.ndarray:
    """(F, 3) correction of the root's positions, so that the last joint of a trunk keeps its positions in the file.

    Args:
        trunk: joints from the root down, each the parent of the next.
        local_rotations: (F, J, 4) joint to parent.
        moved: joint -> (F, 3) positions of the file in its parent's frame, for the joints that move.
        offsets: (J, 3) constant offsets that replace them.
    """
    added = np.zeros((len(local_rotations), 3))
    turned = local_rotations[:, 0]
    for joint in trunk[1:]:
        if joint in moved:
            added += rotations.rotate(turned, moved[joint] - offsets[joint])
        turned = rotations.multiply(turned, local_rotations[:, joint])
    return added


def report_travel(names: Sequence[str], trunk: Sequence[int], carrying: int) -> Finding:
    """The finding that root motion of a joint below the root was transferred to the root."""
    above = ", ".join(f"'{names[joint]}'" for joint in trunk[: trunk.index(carrying)])
    message = (
        f"'{names[carrying]}' moves relative to the root, so its root motion was transferred to the root: "
        f"from '{names[carrying]}' down all is as in the file, above it {above} moves along"
    )
    return Finding("bones", message)
