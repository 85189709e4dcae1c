"""The shapes of a mannequin, sized by the bones and roles of a skeleton that stands in a T, facing +z."""

import numpy as np

from motionloom.body.shapes import Moulding, Shapes
from motionloom.motion import Skeleton

NEEDED_ROLES = ("hips", "head") + tuple(
    f"{side}_{limb}" for side in ("left", "right") for limb in ("hip", "knee", "foot", "shoulder", "elbow", "hand")
)
REFERENCE_LEG = 0.86  # metres from hip to ankle of the person whose sizes stand below
UP, DOWN, FORWARD = np.array([0.0, 1.0, 0.0]), np.array([0.0, -1.0, 0.0]), np.array([0.0, 0.0, 1.0])


def is_humanoid(skeleton: Skeleton) -> bool:
    """Tell whether a mannequin can be built: a head, two arms, two legs, and bones that have a length."""
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
    """Mould a person over a skeleton whose rest pose is a T.

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
    """The joints from the root up to the one that carries both arms."""
    left, right = (skeleton.chain(skeleton.index(f"{side}_shoulder")) for side in ("left", "right"))
    return [a for a, b in zip(left, right) if a == b]


def _add_torso(moulding: Moulding, skeleton: Skeleton, size: float) -> None:
    at = skeleton.rest_positions
    left_hip, right_hip = at[skeleton.index("left_hip")], at[skeleton.index("right_hip")]
    left_shoulder, right_shoulder = at[skeleton.index("left_shoulder")], at[skeleton.index("right_shoulder")]
    pelvis, collar = (left_hip + right_hip) / 2, (left_shoulder + right_shoulder) / 2
    hip_width, shoulder_width = abs(left_hip - right_hip)[0] / 2, abs(left_shoulder - right_shoulder)[0] / 2
    trunk = trunk_joints(skeleton)
    moulding.begin_group(0.02 * size)
    _add_pelvis(moulding, skeleton.index("hips"), pelvis, hip_width, size)
    _add_trunk(moulding, at, trunk, pelvis, collar, shoulder_width, size)
    chest = trunk[-1]
    for side, shoulder in (("left", left_shoulder), ("right", right_shoulder)):
        joint = skeleton.index(f"{side}_clavicle") if skeleton.has(f"{side}_clavicle") else chest
        inner = collar + 0.35 * (shoulder - collar)
        moulding.add(joint, inner, shoulder, 0.05 * size, 0.047 * size)
        breast = collar + 0.42 * (shoulder - collar) - UP * 0.095 * size + FORWARD * 0.055 * size
        moulding.add(chest, breast, breast, 0.058 * size, flatness=0.75)
        slope = collar + 0.62 * (shoulder - collar) + UP * 0.012 * size
        moulding.add(chest, collar + UP * 0.05 * size, slope, 0.036 * size, 0.03 * size)


def _add_pelvis(moulding: Moulding, hips: int, pelvis: np.ndarray, hip_width: float, size: float) -> None:
    out = np.array([0.55 * hip_width, 0.0, 0.0])
    middle = pelvis + UP * 0.035 * size
    moulding.add(hips, middle - out, middle + out, 0.088 * size, flatness=0.9)
    for side in (-1.0, 1.0):
        buttock = pelvis + np.array([side * 0.6 * hip_width, -0.015 * size, -0.042 * size])
        moulding.add(hips, buttock, buttock, 0.072 * size)


def _add_trunk(
    moulding: Moulding,
    at: np.ndarray,
    trunk: list[int],
    pelvis: np.ndarray,
    collar: np.ndarray,
    width: float,
    size: float,
) -> None:
    """Waist and ribs: pieces between heights, each on the spine joint at its height."""
    heights = [0.12, 0.3, 0.45, 0.58, 0.7]  # of the way from pelvis to collar
    half_widths = np.array([0.6, 0.54, 0.56, 0.64, 0.66]) * width
    depths = np.array([0.088, 0.08, 0.082, 0.09, 0.088]) * size
    centres = [pelvis + h * (collar - pelvis) for h in heights]
    for low, high, start, stop, depth in zip(centres, centres[1:], half_widths, half_widths[1:], depths):
        below = [joint for joint in trunk if at[joint][1] <= (low[1] + high[1]) / 2 + 1e-6]
        joint = below[-1] if below else trunk[0]
        moulding.add(joint, low, high, start, stop, FORWARD, min(1.0, depth / start))


def _add_head(moulding: Moulding, skeleton: Skeleton, size: float) -> None:
    at, head = skeleton.rest_positions, skeleton.index("head")
    chest = trunk_joints(skeleton)[-1]
    collar = (at[skeleton.index("left_shoulder")] + at[skeleton.index("right_shoulder")]) / 2
    moulding.begin_group(0.01 * size)
    neck = [joint for joint in skeleton.chain(head) if joint > chest]
    base = np.array([at[head][0], collar[1], (at[chest][2] + at[head][2]) / 2])
    points = [base] + [at[joint] for joint in neck if at[joint][1] > base[1] + 0.02 * size]
    carriers = [chest] + [joint for joint in neck if at[joint][1] > base[1] + 0.02 * size]
    for joint, low, high in zip(carriers, points, points[1:]):
        moulding.add(joint, low, high, 0.047 * size)
    centre = at[head] + UP * 0.1 * size + FORWARD * 0.012 * size
    moulding.add(head, at[head], centre, 0.047 * size)
    back, front = centre - FORWARD * 0.018 * size, centre + FORWARD * 0.014 * size
    moulding.add(head, back, front, 0.09 * size, 0.082 * size, (1.0, 0.0, 0.0), 0.85)
    brow, chin = centre + (FORWARD * 0.03 - UP * 0.03) * size, centre + (FORWARD * 0.055 - UP * 0.092) * size
    moulding.add(head, brow, chin, 0.06 * size, 0.03 * size, (1.0, 0.0, 0.0), 0.9)
    bridge, tip = centre + (FORWARD * 0.088 - UP * 0.012) * size, centre + (FORWARD * 0.102 - UP * 0.04) * size
    moulding.add(head, bridge, tip, 0.008 * size, 0.014 * size)


def _add_arm(moulding: Moulding, skeleton: Skeleton, side: str, size: float) -> None:
    at = skeleton.rest_positions
    shoulder, elbow, hand = (skeleton.index(f"{side}_{role}") for role in ("shoulder", "elbow", "hand"))
    moulding.begin_group(0.006 * size)
    along = at[elbow] - at[shoulder]
    moulding.add(shoulder, at[shoulder], at[shoulder] + 0.12 * along, 0.053 * size, 0.05 * size)
    _add_limb(moulding, shoulder, at[shoulder], at[elbow], [(0.05, 0.046), (0.4, 0.045), (1.0, 0.035)], size)
    _add_limb(moulding, elbow, at[elbow], at[hand], [(0.0, 0.035), (0.28, 0.039), (1.0, 0.0245)], size)
    out = (at[hand] - at[elbow]) / np.linalg.norm(at[hand] - at[elbow])
    wrist, knuckles, tips = (at[hand] + out * d * size for d in (0.01, 0.085, 0.165))
    moulding.add(hand, wrist, knuckles, 0.03 * size, 0.042 * size, UP, 0.42)
    moulding.add(hand, knuckles, tips - out * 0.02 * size, 0.04 * size, 0.028 * size, UP, 0.38)
    root = at[hand] + (out * 0.035 + FORWARD * 0.02) * size
    thumb = at[hand] + (out * 0.085 + FORWARD * 0.06 - UP * 0.008) * size
    moulding.add(hand, root, thumb, 0.015 * size, 0.011 * size)


def _add_leg(moulding: Moulding, skeleton: Skeleton, side: str, size: float) -> None:
    at = skeleton.rest_positions
    hip, knee, foot = (skeleton.index(f"{side}_{role}") for role in ("hip", "knee", "foot"))
    moulding.begin_group(0.008 * size)
    _add_limb(moulding, hip, at[hip], at[knee], [(0.0, 0.08), (0.2, 0.08), (0.6, 0.064), (1.0, 0.05)], size)
    _add_limb(moulding, knee, at[knee], at[foot], [(0.0, 0.049), (0.3, 0.049), (0.7, 0.038), (1.0, 0.033)], size)
    shank = at[foot] - at[knee]
    calf = at[knee] - FORWARD * 0.014 * size
    moulding.add(knee, calf + 0.15 * shank, calf + 0.38 * shank, 0.04 * size, 0.046 * size)


def _add_limb(
    moulding: Moulding, joint: int, start: np.ndarray, stop: np.ndarray, profile: list[tuple[float, float]], size: float
) -> None:
    """Tapered pieces along one bone; profile: (part of the way, radius in metres of the reference person)."""
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
    moulding.begin_group(0.008 * size)
    moulding.add(ankle, back, back, 0.035 * size)
    moulding.add(ankle, back, ball_on, 0.035 * size, 0.042 * size, UP, 0.62)
    moulding.add(ankle, at[ankle], ball_on + UP * 0.006 * size, 0.034 * size, 0.024 * size)
    moulding.add(ball, ball_on, toe_on, 0.042 * size, 0.032 * size, UP, 0.52)


def _ball_and_toe(skeleton: Skeleton, ankle: int, ball: int, size: float) -> tuple[np.ndarray, np.ndarray]:
    """Where the ball of the foot and the tip of the toes are, guessed where the skeleton has no joint for them."""
    at = skeleton.rest_positions
    ball_at = at[ball] if ball != ankle else at[ankle] + FORWARD * 0.13 * size + DOWN * 0.06 * size
    ends = [at[j] for j in range(skeleton.n_joints) if skeleton.parents[j] == ball and ball != ankle]
    ends += [at[ball] + skeleton.end_offsets[e] for e in np.flatnonzero(skeleton.end_parents == ball)]
    if ball == ankle and ends:
        return at[ankle] + 0.7 * (ends[0] - at[ankle]), ends[0]
    ahead = ball_at - at[ankle]
    ahead[1] = 0.0
    ahead = ahead / max(float(np.linalg.norm(ahead)), 1e-9)
    reach = max([float((end - ball_at) @ ahead) for end in ends], default=0.0)
    return ball_at, ball_at + ahead * max(reach, 0.06 * size)
