"""The centre of mass of a body, from its joints and Dempster's parameters of body segments."""

import numpy as np

from motionloom.motion import Skeleton

# (upper end, lower end, centre of mass along the segment, share of body mass): Dempster's parameters
_LIMBS = (
    ("shoulder", "elbow", 0.44, 0.027),
    ("elbow", "hand", 0.43, 0.022),
    ("hip", "knee", 0.43, 0.142),
    ("knee", "foot", 0.43, 0.057),
)
_TRUNK, _HEAD = 0.435, 0.069
_TRUNK_ENDS = ("hip", "shoulder")


def has_mass(skeleton: Skeleton) -> bool:
    """Whether the skeleton has the joints of trunk and head, which are half of the mass."""
    return skeleton.has("hips", "head", *(f"{side}_{joint}" for side in ("left", "right") for joint in _TRUNK_ENDS))


def centre_of_mass(skeleton: Skeleton, positions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(F, 3) centre of mass of the whole body, and of the trunk alone.

    Args:
        skeleton: one that `has_mass`; limbs without their joints are left out.
        positions: (F, J, 3), in any unit.
    """
    trunk = np.zeros(skeleton.n_joints)  # weights of the joints' positions
    for role, part in (("left_hip", 0.275), ("right_hip", 0.275), ("left_shoulder", 0.225), ("right_shoulder", 0.225)):
        trunk[skeleton.index(role)] += part
    body = _TRUNK * trunk
    body[skeleton.index("head")] += _HEAD
    for side in ("left", "right"):
        for upper, lower, share, part in _LIMBS:
            if skeleton.has(f"{side}_{upper}", f"{side}_{lower}"):
                body[skeleton.index(f"{side}_{upper}")] += part * (1 - share)
                body[skeleton.index(f"{side}_{lower}")] += part * share
    weights = np.einsum("wj,ck->jcwk", [body / body.sum(), trunk], np.eye(3))  # one product for both
    both = positions.reshape(len(positions), -1) @ weights.reshape(-1, 6)
    return both[:, :3], both[:, 3:]


def fit_parabola(points: np.ndarray) -> tuple[np.ndarray, float]:
    """The acceleration (3,) per frame² of the parabola fitted to (N, 3) points, and its largest RMS residual."""
    t = np.arange(len(points)) - (len(points) - 1) / 2
    square = t * t - (t @ t) / len(t)  # with 1 and t an orthogonal basis
    bend, slope = square @ points / (square @ square), t @ points / (t @ t)
    left_over = points - points.mean(axis=0) - t[:, None] * slope - square[:, None] * bend
    return 2 * bend, float(np.sqrt((left_over**2).mean(axis=0)).max())
