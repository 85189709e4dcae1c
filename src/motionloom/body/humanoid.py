"""The shapes of a mannequin, sized by the bones and roles of a skeleton in T-pose, facing +z."""

import numpy as np

from motionloom.body.shapes import Moulding, Shapes
from motionloom.motion import Skeleton

NEEDED_ROLES = ("hips", "head") + tuple(
    f"{side}_{limb}" for side in ("left", "right") for limb in ("hip", "knee", "foot", "shoulder", "elbow", "hand")
)
REFERENCE_LEG = 0.86  # metres from hip to ankle of the person that the sizes below are for
REFERENCE_HEAD = 1.57  # metres from the ankles up to the head's joint of that person
REFERENCE_CROWN = 0.197  # metres from the head's joint to the top of the head
CROWNS = (0.15, 0.28)  # the same of skeletons that mark the top; shorter ones end inside the head, longer in a hat
HEAD_SIZES = (0.8, 1.3)  # of a head, relative to the size of the legs
SAME_SIZE = 0.03  # a head that differs by less has the size of the legs
SIDEWAYS, UP, FORWARD = np.eye(3)


def is_humanoid(skeleton: Skeleton) -> bool:
    """Whether a mannequin can be built: a head, two arms, two legs, and bones with a length."""
    if not skeleton.has(*NEEDED_ROLES) or skeleton.leg_length < 1e-3:
        return False
    rest = skeleton.rest_positions
    pairs = [("hip", "knee"), ("knee", "foot"), ("shoulder", "elbow"), ("elbow", "hand")]
    lengths = [
        np.linalg.norm(rest[skeleton.index(f"{side}_{a}")] - rest[skeleton.index(f"{side}_{b}")])
        for side in ("left", "right")
        for a, b in pairs
    ]
    return bool(min(lengths) > 0.05 * skeleton.leg_length)


def mould_mannequin(skeleton: Skeleton, heels: dict[str, np.ndarray]) -> Shapes:
    """The shapes of a person over a skeleton whose rest pose is a T-pose.

    Args:
        skeleton: with all of `NEEDED_ROLES`.
        heels: where the "left" and "right" heel is, (3,) metres in the rest pose.
    """
    size = skeleton.leg_length / REFERENCE_LEG
    moulding = Moulding()
    _add_torso(moulding, skeleton, size)
    _add_head(moulding, skeleton, size)
    for side in ("left", "right"):
        _add_arm(moulding, skeleton, side, size)
        _add_leg(moulding, skeleton, side, size)
        _add_foot(moulding, skeleton, side, size, heels[side])
    return moulding.finish(blend=0.014 * size)


def trunk_joints(skeleton: Skeleton) -> list[int]:
    """The joints from the root up to the last common ancestor of both arms."""
    left, right = (skeleton.chain(skeleton.index(f"{side}_shoulder")) for side in ("left", "right"))
    return [a for a, b in zip(left, right) if a == b]


def _add_torso(moulding: Moulding, skeleton: Skeleton, size: float) -> None:
    at = skeleton.rest_positions
    left_hip, right_hip = at[skeleton.index("left_hip")], at[skeleton.index("right_hip")]
    left_shoulder, right_shoulder = at[skeleton.index("left_shoulder")], at[skeleton.index("right_shoulder")]
    pelvis, collar = (left_hip + right_hip) / 2, (left_shoulder + right_shoulder) / 2
    hip_width, shoulder_width = abs(left_hip - right_hip)[0] / 2, abs(left_shoulder - right_shoulder)[0] / 2
    trunk = trunk_joints(skeleton)
    moulding.begin_group(0.018 * size)
    _add_pelvis(moulding, skeleton.index("hips"), pelvis, hip_width, size)
    _add_trunk(moulding, at, trunk, pelvis, collar, shoulder_width, size)
    chest, neck_length = trunk[-1], max(float(at[skeleton.index("head")][1] - collar[1]), 0.0)
    for side, shoulder in (("left", left_shoulder), ("right", right_shoulder)):
        joint = skeleton.index(f"{side}_clavicle") if skeleton.has(f"{side}_clavicle") else chest
        out = shoulder - collar
        moulding.add(
            joint, collar + 0.4 * out - UP * 0.012 * size, shoulder - UP * 0.008 * size, 0.05 * size, 0.044 * size
        )
        throat = collar + 0.12 * out + (FORWARD * 0.022 - UP * 0.03) * size
        moulding.add(
            chest, throat, collar + 0.6 * out + (FORWARD * 0.008 - UP * 0.015) * size, 0.034 * size, 0.036 * size
        )
        breast = collar + 0.45 * out - UP * 0.085 * size + FORWARD * 0.048 * size
        moulding.add(chest, breast, breast, 0.056 * size, flatness=0.7)
        blade = collar + 0.45 * out - UP * 0.07 * size - FORWARD * 0.045 * size
        moulding.add(chest, blade, blade, 0.056 * size, flatness=0.7)
        neck_side = collar + 0.12 * out + UP * 0.4 * neck_length - FORWARD * 0.012 * size
        moulding.add(chest, neck_side, collar + 0.72 * out + UP * 0.01 * size, 0.03 * size, 0.03 * size)
    _add_neck(moulding, skeleton, collar, size)


def _add_pelvis(moulding: Moulding, hips: int, pelvis: np.ndarray, hip_width: float, size: float) -> None:
    out = np.array([0.55 * hip_width, 0.0, 0.0])
    middle = pelvis + UP * 0.035 * size
    moulding.add(hips, middle - out, middle + out, 0.088 * size, flatness=0.9)
    for side in (-1.0, 1.0):
        buttock = pelvis + np.array([side * 0.58 * hip_width, -0.012 * size, -0.042 * size])
        moulding.add(hips, buttock, buttock, 0.07 * size)


def _add_trunk(
    moulding: Moulding,
    at: np.ndarray,
    trunk: list[int],
    pelvis: np.ndarray,
    collar: np.ndarray,
    width: float,
    size: float,
) -> None:
    """Waist and ribs: capsules between heights, each on the spine joint at its height."""
    heights = [0.1, 0.28, 0.44, 0.6, 0.74]  # of the way from pelvis to collar
    half_widths = np.array([0.58, 0.53, 0.57, 0.68, 0.66]) * width
    depths = np.array([0.084, 0.077, 0.08, 0.086, 0.08]) * size
    centres = [pelvis + h * (collar - pelvis) for h in heights]
    for low, high, start, stop, depth in zip(centres, centres[1:], half_widths, half_widths[1:], depths):
        below = [joint for joint in trunk if at[joint][1] <= (low[1] + high[1]) / 2 + 1e-6]
        joint = below[-1] if below else trunk[0]
        moulding.add(joint, low, high, start, stop, FORWARD, min(1.0, depth / start))


def head_size(skeleton: Skeleton, size: float) -> float:
    """The size of the head, relative to the reference person's: by the top of the head, else by the body's height.

    Args:
        skeleton: whose rest pose is a T-pose.
        size: of its legs, relative to the reference person's.
    """
    at, head = skeleton.rest_positions, skeleton.index("head")
    tops = [at[joint] for joint in range(head + 1, skeleton.n_joints) if head in skeleton.chain(joint)[:-1]]
    tops += [
        at[joint] + offset
        for joint, offset in zip(skeleton.end_parents, skeleton.end_offsets)
        if head in skeleton.chain(int(joint))
    ]
    crown = max((float(np.linalg.norm(top - at[head])) for top in tops), default=0.0)
    ankles = [at[skeleton.index(f"{side}_foot")][1] for side in ("left", "right")]
    by_height = float(at[head][1] - np.mean(ankles)) / REFERENCE_HEAD
    own = crown / REFERENCE_CROWN if CROWNS[0] * size <= crown <= CROWNS[1] * size else by_height
    own = float(np.clip(own, HEAD_SIZES[0] * size, HEAD_SIZES[1] * size))
    return size if abs(own - size) < SAME_SIZE * size else own


def _add_head(moulding: Moulding, skeleton: Skeleton, size: float) -> None:
    at, head = skeleton.rest_positions, skeleton.index("head")
    size = head_size(skeleton, size)
    centre = at[head] + (UP * 0.088 + FORWARD * 0.02) * size

    def place(up: float, ahead: float) -> np.ndarray:
        return centre + (UP * up + FORWARD * ahead) * size

    moulding.begin_group(0.009 * size)
    moulding.add(head, at[head] - UP * 0.02 * size, place(0.0, -0.03), 0.041 * size)
    moulding.add(head, place(0.022, -0.022), place(0.02, 0.008), 0.085 * size, 0.078 * size, SIDEWAYS, 0.86)
    moulding.add(head, place(-0.012, 0.026), place(-0.07, 0.045), 0.056 * size, 0.036 * size, SIDEWAYS, 0.98)
    moulding.add(head, place(0.006, 0.08), place(-0.024, 0.093), 0.008 * size, 0.012 * size)


def _add_neck(moulding: Moulding, skeleton: Skeleton, collar: np.ndarray, size: float) -> None:
    """The neck, from between the shoulders to the head, on every joint above the collar."""
    at, head, chest = skeleton.rest_positions, skeleton.index("head"), trunk_joints(skeleton)[-1]
    base = collar - UP * 0.03 * size
    base[2] = min(at[chest][2], at[head][2]) - 0.016 * size
    neck = [joint for joint in skeleton.chain(head) if joint > chest and at[joint][1] > base[1] + 0.03 * size]
    points = [base] + [at[joint] for joint in neck]
    for joint, low, high in zip([chest, *neck], points, points[1:]):
        moulding.add(joint, low, high, 0.049 * size, 0.043 * size)


def _add_arm(moulding: Moulding, skeleton: Skeleton, side: str, size: float) -> None:
    at = skeleton.rest_positions
    shoulder, elbow, hand = (skeleton.index(f"{side}_{role}") for role in ("shoulder", "elbow", "hand"))
    moulding.begin_group(0.003 * size)
    upper = [(0.0, 0.048), (0.15, 0.05), (0.45, 0.044), (1.0, 0.036)]
    _add_limb(moulding, shoulder, at[shoulder] - UP * 0.004 * size, at[elbow], upper, size)
    _add_limb(moulding, elbow, at[elbow], at[hand], [(0.0, 0.036), (0.25, 0.038), (0.6, 0.032), (1.0, 0.026)], size)
    _add_hand(moulding, hand, at[hand], at[hand] - at[elbow], size)


def _add_hand(moulding: Moulding, hand: int, wrist: np.ndarray, forearm: np.ndarray, size: float) -> None:
    """A mitten with a thumb: palm down, fingers slightly bent, a relaxed hand."""
    out = forearm / np.linalg.norm(forearm)
    bent, flat = out * 0.96 - UP * 0.28, UP * 0.96 + out * 0.28
    knuckles = wrist + out * 0.088 * size
    moulding.begin_group(0.004 * size)
    moulding.add(hand, wrist, wrist + out * 0.03 * size, 0.026 * size, 0.03 * size, UP, 0.75)
    moulding.add(hand, wrist + out * 0.03 * size, knuckles, 0.034 * size, 0.042 * size, UP, 0.46)
    moulding.add(hand, knuckles, knuckles + bent * 0.072 * size, 0.042 * size, 0.031 * size, flat, 0.44)
    root = wrist + (out * 0.03 + FORWARD * 0.018 - UP * 0.004) * size
    thumb = wrist + (out * 0.082 + FORWARD * 0.052 - UP * 0.022) * size
    moulding.add(hand, root, thumb, 0.018 * size, 0.015 * size)


def _add_leg(moulding: Moulding, skeleton: Skeleton, side: str, size: float) -> None:
    at = skeleton.rest_positions
    hip, knee, foot = (skeleton.index(f"{side}_{role}") for role in ("hip", "knee", "foot"))
    moulding.begin_group(0.003 * size)
    _add_limb(moulding, hip, at[hip], at[knee], [(0.0, 0.082), (0.2, 0.081), (0.6, 0.066), (1.0, 0.052)], size)
    _add_limb(moulding, knee, at[knee], at[foot], [(0.0, 0.051), (0.32, 0.05), (0.7, 0.038), (1.0, 0.033)], size)
    shank = at[foot] - at[knee]
    calf = at[knee] - FORWARD * 0.016 * size
    _add_limb(moulding, knee, calf, calf + shank, [(0.08, 0.036), (0.27, 0.047), (0.5, 0.036)], size)


def _add_limb(
    moulding: Moulding, joint: int, start: np.ndarray, stop: np.ndarray, profile: list[tuple[float, float]], size: float
) -> None:
    """Tapered capsules along one bone; profile: (fraction of its length, radius in metres of the reference person)."""
    for (t0, r0), (t1, r1) in zip(profile, profile[1:]):
        moulding.add(joint, start + t0 * (stop - start), start + t1 * (stop - start), r0 * size, r1 * size)


def _add_foot(moulding: Moulding, skeleton: Skeleton, side: str, size: float, heel: np.ndarray) -> None:
    at, ankle = skeleton.rest_positions, skeleton.index(f"{side}_foot")
    ball = skeleton.index(f"{side}_ball") if skeleton.has(f"{side}_ball") else ankle
    ball_at, toe_at = _ball_and_toe(skeleton, ankle, ball, size)
    sole = min(heel[1], ball_at[1] - 0.01 * size, at[ankle][1] - 0.045 * size)
    forward = (toe_at - at[ankle]) * np.array([1.0, 0.0, 1.0])
    forward = forward / max(float(np.linalg.norm(forward)), 1e-9)

    def on_sole(point: np.ndarray, height: float, ahead: float = 0.0) -> np.ndarray:
        return np.array([point[0], sole + height * size, point[2]]) + forward * ahead * size

    back = on_sole(at[ankle], 0.034, -0.026)
    ball_on, toe_on = on_sole(ball_at, 0.024), on_sole(toe_at, 0.017, -0.018)
    moulding.begin_group(0.006 * size)
    moulding.add(ankle, back, back + UP * 0.01 * size, 0.033 * size)
    moulding.add(ankle, at[ankle], back, 0.033 * size, 0.032 * size)
    moulding.add(ankle, back, ball_on, 0.033 * size, 0.042 * size, UP, 0.6)
    moulding.add(ankle, at[ankle], ball_on + UP * 0.004 * size, 0.034 * size, 0.022 * size)
    moulding.add(ball, ball_on, toe_on, 0.042 * size, 0.033 * size, UP, 0.52)


def _ball_and_toe(skeleton: Skeleton, ankle: int, ball: int, size: float) -> tuple[np.ndarray, np.ndarray]:
    """Positions of the ball of the foot and the toe tip, estimated if the skeleton has no joints for them."""
    at = skeleton.rest_positions
    ball_at = at[ball] if ball != ankle else at[ankle] + FORWARD * 0.13 * size - UP * 0.06 * size
    ends = [at[j] for j in range(skeleton.n_joints) if skeleton.parents[j] == ball and ball != ankle]
    ends += [at[ball] + skeleton.end_offsets[e] for e in np.flatnonzero(skeleton.end_parents == ball)]
    if ball == ankle and ends:
        return at[ankle] + 0.7 * (ends[0] - at[ankle]), ends[0]
    ahead = ball_at - at[ankle]
    ahead[1] = 0.0
    ahead = ahead / max(float(np.linalg.norm(ahead)), 1e-9)
    reach = max([float((end - ball_at) @ ahead) for end in ends], default=0.0)
    return ball_at, ball_at + ahead * max(reach, 0.06 * size)
