"""Neutral poses: how head, feet and hands are turned in a body that stands or walks, learnt from frames.

A rest pose says where bones begin and end, not where a face looks, where a sole lies or where a palm points: many
skeletons rest with a head that is bowed or feet that hang. People who stand and walk look ahead, put their soles flat
on the ground and let their hands hang, and that is what tells.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from motionloom.features.body_size import size_factor
from motionloom.features.facing import find_facing, torso_rotations
from motionloom.features.velocities import speeds, velocities
from motionloom.motion import Motion, Skeleton, kinematics, rest_pose, rotations

SIDES = (("left", 1.0), ("right", -1.0))
ENDS = ("head", *(f"{side}_{limb}" for limb in ("foot", "ball", "hand") for side, _ in SIDES))
NEEDED = ("hips", "head", *(f"{side}_{limb}" for side, _ in SIDES for limb in ("hip", "knee", "foot", "shoulder")))
SIDEWAYS, UP, FORWARD = np.eye(3)


@dataclass(frozen=True)
class NeutralSettings:
    """Which frames count as standing or walking, and which corrections of a rest pose count."""

    rate: float = 30.0  # frames per second that are looked at
    most_seconds: float = 120.0  # that are looked at of one motion, from its start
    most_of_one: float = 5.0  # seconds of standing and walking that one motion counts for, however long it is
    enough_seconds: float = 60.0  # of that after which no further motion is looked at
    least_seconds: float = 0.5  # of frames that tell about an end; with fewer it keeps its rest pose
    upright: float = 0.40  # radians between the trunk and up, at most
    straight: float = 0.88  # of a leg's length from hip down to ankle, at least, on one side
    fast: float = 2.0  # metres per second of the hips over the ground, at most
    slow: float = 0.3  # metres per second above which a body walks, and has to walk ahead
    ahead: float = 0.6  # radians between where it walks and where it faces, at most
    turning: float = 0.7  # radians per second of the facing, at most
    flat: float = 0.15  # metres per second of ankle and ball while a foot rests flat, at most
    busy: float = 0.05  # weight of a frame for the face while a hand is up: people look at what they do
    hanging: float = 0.6  # radians between upper arm and forearm and down while a hand hangs, at most
    small_nod: float = 0.15  # radians: smaller corrections of a face are none
    small_tilt: float = 0.10  # radians: smaller corrections of a sole are none
    small_bend: float = 0.3  # radians: smaller corrections of a hand are none
    lifted: tuple[float, float] = (0.6, 0.9)  # quantiles of how far a face is lifted between which it looks ahead
    still: float = 0.2  # radians from the lower to the upper tenth of that: a face that moves more looks at something
    sure_seconds: float = 3.0  # so may one that is seen for less
    bowed: float = 0.4  # radians that such a face is lifted or lowered at most, unless it needs more than `odd_nod`
    odd_nod: float = 1.0  # radians: no face is bowed by more all the time
    aside: float = 0.8  # radians: a face turned or tilted aside by less looks aside; its rest pose knows better
    toes: float = 0.8  # radians: toes turned in or out by less are a habit of standing, not of the rest pose
    palms: float = 0.8  # radians: so are palms turned backwards or ahead by less
    odd: float = 0.9  # radians: a rest pose of a foot or hand that is tilted or bent by more is believed in nothing


DEFAULT = NeutralSettings()


@dataclass(frozen=True, eq=False)
class NeutralPose:
    """Rotations of ends (`ENDS`) in T-pose, by role: joint to world, (4,), where the rest pose misleads.

    The face looks to +z and is upright, soles are level, hands lie along the sideways forearms, palms down. Ends that
    are not named are as in the rest pose.
    """

    rotations: Mapping[str, np.ndarray] = field(default_factory=dict)

    @property
    def key(self) -> tuple[tuple[str, bytes], ...]:
        """What decides equality: roles and exact rotations."""
        return tuple((role, np.asarray(q, float).tobytes()) for role, q in sorted(self.rotations.items()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NeutralPose) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


REST = NeutralPose()  # all ends as in the rest pose


@dataclass(frozen=True, eq=False)
class Samples:
    """Rotations of one end in the frames of a motion that tell about it."""

    turns: np.ndarray  # (N, 4) joint to world in the facing's frame; of hands in T-pose
    weights: np.ndarray  # (N,) above 0


def learn_neutral_pose(motions: Iterable[Motion], settings: NeutralSettings = DEFAULT) -> NeutralPose:
    """Learn the neutral pose of a skeleton from motions of it that stand and walk; with too few, its rest pose.

    Motions are looked at in turn until `enough_seconds` of standing and walking are known, so that further ones do not
    change what is learnt.

    Args:
        motions: all of one skeleton.
        settings: thresholds.
    """
    found: list[dict[str, Samples]] = []
    skeleton, seen = None, 0.0
    for motion in motions:
        skeleton = motion.skeleton
        if not can_learn(skeleton):
            break
        found.append(sample_ends(motion, settings))
        seen += min(len(found[-1]["head"].turns) / settings.rate, settings.most_of_one)
        if seen >= settings.enough_seconds:
            break
    if skeleton is None or not found:
        return REST
    rest, learnt = rest_pose.t_pose(skeleton), {}
    for role in [role for role in ENDS if role in skeleton.roles]:
        turns = np.concatenate([ends[role].turns for ends in found])
        weights = np.concatenate([_weigh(ends[role], settings) for ends in found])
        if len(turns) >= settings.least_seconds * settings.rate:
            own = rest[skeleton.index(role)]
            learn = _correct_face if role == "head" else _correct_limb
            turn = learn(role, own, turns, weights, settings)
            learnt.update({} if turn is None else {role: turn})
    return NeutralPose(_with_balls(skeleton, rest, learnt))


def _weigh(samples: "Samples", settings: NeutralSettings) -> np.ndarray:
    """Weights (N,) of the frames of one motion: a long one counts no more than `most_of_one` seconds."""
    most = settings.most_of_one * settings.rate
    return samples.weights * min(1.0, most / max(float(samples.weights.sum()), 1e-9))


def can_learn(skeleton: Skeleton) -> bool:
    """Whether a skeleton has the trunk and legs that standing and walking are seen by."""
    return skeleton.has(*NEEDED) and skeleton.leg_length > 1e-3


def sample_ends(motion: Motion, settings: NeutralSettings = DEFAULT) -> dict[str, Samples]:
    """Rotations of each end, by role, in the frames that tell about it.

    They are joint to world after the body has been turned to face +z; of hands, after the forearm has been swung up to
    its side as well, as in T-pose.
    """
    skeleton = motion.skeleton
    local, root, fps = _thin(motion, settings)
    roles = [role for role in ENDS if role in skeleton.roles]
    if len(root) < 2:
        return {role: Samples(np.zeros((0, 4)), np.zeros(0)) for role in roles}
    positions, turned = kinematics.forward(skeleton, root, local)
    headings = find_facing(skeleton, positions)[0]
    back = rotations.about_y(-headings)
    stands = _stands(skeleton, positions, headings, fps, settings)
    ends = {}
    for role in roles:
        joint, (side, _, limb) = skeleton.index(role), role.partition("_")
        tells, turns, weights = stands, rotations.multiply(back, turned[:, joint]), np.ones(len(root))
        if role == "head":
            weights = np.where(_has_hands_up(skeleton, positions), settings.busy, 1.0)
        elif limb in ("foot", "ball"):
            tells = stands & _rests_flat(skeleton, positions, turned, side, fps, settings)
        elif limb == "hand":
            hangs, swing = _hangs(skeleton, positions, back, side, settings)
            tells, turns = stands & hangs, rotations.multiply(swing, turns)
        ends[role] = Samples(turns[tells], weights[tells])
    return ends


def _thin(motion: Motion, settings: NeutralSettings) -> tuple[np.ndarray, np.ndarray, float]:
    """Local rotations, root positions and rate of some of the frames, in float64; those that are not finite are out."""
    step = max(1, round(motion.fps / settings.rate))
    most = int(settings.most_seconds * motion.fps)
    local = np.asarray(motion.local_rotations[:most:step], float)
    root = np.asarray(motion.root_positions[:most:step], float)
    finite = np.isfinite(root).all(axis=1) & np.isfinite(local).all(axis=(1, 2))
    return local[finite], root[finite], motion.fps / step


def _stands(
    skeleton: Skeleton, positions: np.ndarray, headings: np.ndarray, fps: float, settings: NeutralSettings
) -> np.ndarray:
    """(F,) bool: the body stands or walks ahead: trunk upright, a leg straight below it, not fast, not turning."""
    size = size_factor(skeleton)
    trunk = rotations.rotate(torso_rotations(skeleton, positions), UP)[:, 1]
    drops = [
        positions[:, skeleton.index(f"{side}_hip"), 1] - positions[:, skeleton.index(f"{side}_foot"), 1]
        for side, _ in SIDES
    ]
    ground = positions[:, skeleton.index("hips")] * np.array([1.0, 0.0, 1.0])
    is_upright = trunk > np.cos(settings.upright)
    is_straight = np.maximum(*drops) > settings.straight * skeleton.leg_length
    half = max(1, round(fps / 4))
    ahead = np.concatenate([np.repeat(headings[:1], half), headings, np.repeat(headings[-1:], half)])
    rate = np.abs(ahead[2 * half :] - ahead[: -2 * half]) * fps / (2 * half)
    speed, way = speeds(ground, fps), velocities(ground, fps)
    along = way[:, 0] * np.sin(headings) + way[:, 2] * np.cos(headings)
    walks_ahead = along > np.cos(settings.ahead) * np.linalg.norm(way, axis=-1)
    is_calm = (speed < settings.fast * size) & (rate < settings.turning)
    return np.asarray(is_upright & is_straight & is_calm & ((speed < settings.slow * size) | walks_ahead))


def _has_hands_up(skeleton: Skeleton, positions: np.ndarray) -> np.ndarray:
    """(F,) bool: a hand is nearer to the height of the shoulders than to that of the hips."""
    up = np.zeros(len(positions), bool)
    for side, _ in SIDES:
        if skeleton.has(f"{side}_hand"):
            hip, shoulder, hand = (
                positions[:, skeleton.index(f"{side}_{limb}"), 1] for limb in ("hip", "shoulder", "hand")
            )
            up |= hand > (hip + shoulder) / 2
    return up


def _rests_flat(
    skeleton: Skeleton, positions: np.ndarray, turned: np.ndarray, side: str, fps: float, settings: NeutralSettings
) -> np.ndarray:
    """(F,) bool: ankle and toes are still, so the foot neither swings nor rolls."""
    slow = settings.flat * size_factor(skeleton)
    joints = [skeleton.index(f"{side}_{limb}") for limb in ("foot", "ball") if skeleton.has(f"{side}_{limb}")]
    still = (speeds(positions[:, joints], fps) < slow).all(axis=1)
    ends = np.flatnonzero(np.isin(skeleton.end_parents, joints))
    if len(ends):
        parents, offsets = skeleton.end_parents[ends], skeleton.end_offsets[ends]
        toes = kinematics.attached_positions(positions, turned, parents, offsets)
        still &= (speeds(toes, fps) < slow).all(axis=1)
    return np.asarray(still)


def _hangs(
    skeleton: Skeleton, positions: np.ndarray, back: np.ndarray, side: str, settings: NeutralSettings
) -> tuple[np.ndarray, np.ndarray]:
    """(F,) bool whether an arm hangs, and (F, 4) the swing of its forearm, in the facing's frame, to T-pose."""
    nothing = np.zeros(len(positions), bool), rotations.identity((len(positions),))
    if not skeleton.has(f"{side}_shoulder", f"{side}_elbow"):
        return nothing
    shoulder, elbow, hand = (positions[:, skeleton.index(f"{side}_{limb}")] for limb in ("shoulder", "elbow", "hand"))
    bones = [rotations.rotate(back, bone) for bone in (elbow - shoulder, hand - elbow)]
    lengths = [np.linalg.norm(bone, axis=-1) for bone in bones]
    if min(float(length.min()) for length in lengths) < 1e-6:
        return nothing
    downs = [-bone[:, 1] / length for bone, length in zip(bones, lengths)]
    outwards = dict(SIDES)[side] * SIDEWAYS
    # straight down first, then sideways: an arm that hangs a little ahead must not turn the palm
    to_down = rotations.between_vectors(bones[1], np.broadcast_to(-UP, bones[1].shape))
    swing = rotations.multiply(rotations.between_vectors(-UP, outwards), to_down)
    return np.minimum(*downs) > np.cos(settings.hanging), swing


def _correct_face(
    role: str, rest: np.ndarray, turns: np.ndarray, weights: np.ndarray, settings: NeutralSettings
) -> np.ndarray | None:
    """The rotation (4,) of the head in T-pose where the rest pose misleads; None to keep that.

    People look down at the ground and at what they do, and hardly ever up: the frames in which the face is lifted tell
    where ahead is. A face is lowered only as far as all frames say. The rest pose is believed about the plane of
    symmetry, unless it is far from it.

    Args:
        role: of the head.
        rest: (4,) joint to world in the T-pose by the rest pose.
        turns: (N, 4) joint to world, facing +z.
        weights: (N,) of them.
        settings: thresholds.
    """
    middle = rotations.median(turns, weights)
    noses = rotations.rotate(rotations.multiply(turns, rotations.inverse(middle)), FORWARD)
    lifts = np.arcsin(np.clip(noses[:, 1], -1.0, 1.0))  # (N,) radians, relative to the median
    low, high, lower, upper = _quantiles(lifts, weights, (*settings.lifted, 0.1, 0.9))
    is_lifted = (lifts >= low) & (lifts <= high)
    learnt = rotations.median(turns[is_lifted], weights[is_lifted])
    turn = rotations.multiply(learnt, rotations.inverse(rest))
    aside = float(np.arccos(np.clip(rotations.rotate(turn, SIDEWAYS) @ SIDEWAYS, -1.0, 1.0)))
    if aside < settings.aside:
        nod, usual = _nod(turn), _nod(rotations.multiply(middle, rotations.inverse(rest)))
        nod = max(nod, min(usual, 0.0))
        is_sure = upper - lower < settings.still and len(turns) >= settings.sure_seconds * settings.rate
        if not is_sure and abs(nod) < settings.odd_nod:
            nod = float(np.clip(nod, -settings.bowed, settings.bowed))
        turn = rotations.about_axis(SIDEWAYS, nod)
    return _unless_small(turn, rest, settings.small_nod)


def _nod(turn: np.ndarray) -> float:
    """The part of a rotation about the sideways axis, radians; positive downwards."""
    return float(rotations.log(rotations.split_swing_twist(turn, SIDEWAYS)[1])[0])


def _quantiles(values: np.ndarray, weights: np.ndarray, shares: tuple[float, ...]) -> list[float]:
    """Weighted quantiles of (N,) values."""
    order = np.argsort(values, kind="stable")
    below = np.cumsum(weights[order])
    places = np.searchsorted(below, np.array(shares) * below[-1])
    return [float(values[order][min(int(place), len(values) - 1)]) for place in places]


def _correct_limb(
    role: str, rest: np.ndarray, turns: np.ndarray, weights: np.ndarray, settings: NeutralSettings
) -> np.ndarray | None:
    """The rotation (4,) of a foot, ball or hand in T-pose where the rest pose misleads; None to keep that.

    The rest pose is believed about where toes and palms point if habits could explain the difference. Arguments as in
    `_correct_face`.
    """
    turn = rotations.multiply(rotations.median(turns, weights), rotations.inverse(rest))
    axis, habit, least = UP, settings.toes, settings.small_tilt
    if role.endswith("hand"):
        axis, habit, least = SIDEWAYS, settings.palms, settings.small_bend
    swing, twist = rotations.split_swing_twist(turn, axis)
    believed = float(rotations.angle(twist)) < habit and float(rotations.angle(swing)) < settings.odd
    return _unless_small(swing if believed else turn, rest, least)


def _unless_small(turn: np.ndarray, rest: np.ndarray, least: float) -> np.ndarray | None:
    return None if float(rotations.angle(turn)) < least else rotations.multiply(turn, rest)


def _with_balls(skeleton: Skeleton, rest: np.ndarray, learnt: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The learnt rotations; where a foot is corrected and its ball is not, the ball stays as in the rest pose."""
    result = dict(learnt)
    for side, _ in SIDES:
        foot, ball = f"{side}_foot", f"{side}_ball"
        if foot in learnt and ball in skeleton.roles and ball not in learnt:
            result[ball] = rest[skeleton.index(ball)]
    return result
