"""Hand places: hands that touch each other, the head or the hips still do; or keep their place above the floor.

A hand is a line from the wrist to the fingertips. Head and hips are spheres whose size follows from the skeleton. Where
a hand of the source is within a few centimetres of one of them, or of the other hand, the target's hand is as near, in
its own size. Before and after, hands go there and back slowly.
"""

from dataclasses import dataclass, replace

import numpy as np

from motionloom.motion import Motion, Skeleton, find_runs, hinges, kinematics, rotations, two_bone_ik
from motionloom.motion.roles import SIDES
from motionloom.retarget.joint_map import RetargetMap
from motionloom.retarget.settings import RetargetSettings

HAND = 0.19  # of the leg's length: from the wrist to the fingertips
MIDDLE = 0.05  # how much more the middles of hands count than their ends, as the part of two hands that touches
HEAD, CROWN = 0.24, 0.5  # of the trunk's length, and of the distance from head joint to its top: radius of the head
FLESH = 0.09  # of the leg's length: what is around the hip joints
CLOSER = 0.9  # of the source's distance in the target's size: hands that touch come a little nearer than they were
LOOSE = 0.05  # how free a hand is that touches head or hips, to go to the other one; 1 for a hand that does not
SMALLEST = 1e-7  # metres: smaller moves are left out


@dataclass(frozen=True, eq=False)
class PlacedHands:
    """A motion with placed hands, and how that went."""

    motion: Motion
    touches: int  # times that a hand touched something
    out_of_reach_mm: float  # farthest from where a touching hand should be
    touching: np.ndarray  # (F, 2) bool: when hands touch something


def has_hands(plan: RetargetMap) -> bool:
    """Whether both skeletons have two arms of shoulder, elbow and hand."""
    arms = {f"{side}_arm" for side in SIDES}
    return all(arms <= set(hinges.hinged_limbs(skeleton)) for skeleton in (plan.source, plan.target))


def place_hands(
    source: Motion, carried: Motion, plan: RetargetMap, floor_height: float, scale: float, settings: RetargetSettings
) -> PlacedHands:
    """Move the hands of a carried motion to where the settings want them, by two-bone IK of the arms.

    Args:
        source: of the plan's source skeleton.
        carried: the same frames on the target's, with planted feet.
        plan: of both skeletons.
        floor_height: metres, world.
        scale: of places over the ground.
        settings: which places hands keep, and what touches.
    """
    before, after = _find_spots(source, plan.source_neutral), _find_spots(carried, plan.neutral)
    moves = _keep_places(before, after, plan, floor_height, scale, settings)  # (F, 2, 3)
    touches = 0
    touching: np.ndarray = np.zeros((source.n_frames, 2), bool)
    if settings.keep_touches:
        shares = _find_shares(before)
        points = before.at(shares), after.at(shares) + moves[:, :, None]
        near = _find_touches(before, points[0], settings.touch)  # (F, 2, 3)
        if near.any():
            weights = _fade(near, settings.fade * source.fps)
            moves = moves + _touch_again(before, after, points, weights, plan.ratio)
        touching = np.asarray(near.any(axis=2))
        touches = sum(len(find_runs(near[:, hand, kind])) for hand, kind in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2)))
    moved, missed = _reach(carried, moves)
    farthest = 1000 * float(missed[touching].max(initial=0.0))
    return PlacedHands(moved, touches, farthest, touching)


def touching_hands(motion: Motion, neutral: np.ndarray, touch: float) -> np.ndarray:
    """(F, 2, 3) bool: whether each hand of a body touches the other one, the head and the hips.

    Args:
        motion: of a skeleton with both arms and a head.
        neutral: (J, 4) joint to world: its neutral pose, as in the plan of retargeting.
        touch: metres; hands nearer than this touch.
    """
    spots = _find_spots(motion, neutral)
    return _find_touches(spots, spots.at(_find_shares(spots)), touch)


@dataclass(frozen=True, eq=False)
class _Spots:
    """What of a body may touch: hands as lines, head and hips as spheres."""

    wrists: np.ndarray  # (F, 2, 3) metres, world: left, right
    fingers: np.ndarray  # (F, 2, 3) metres: from the wrists to the fingertips
    centres: np.ndarray  # (F, 2, 3) metres, world: of the head and the hips
    radii: np.ndarray  # (2,) metres

    def at(self, shares: np.ndarray) -> np.ndarray:
        """(F, 2, N, 3) metres, world: points of the hands, at (F, 2, N) shares of the way to the fingertips."""
        return np.asarray(self.wrists[:, :, None] + shares[..., None] * self.fingers[:, :, None])


def _find_spots(motion: Motion, neutral: np.ndarray) -> _Spots:
    """What of a body may touch, whose neutral pose is (J, 4) joint to world."""
    skeleton = motion.skeleton
    positions, turned = kinematics.world(motion)
    hands = [skeleton.index(f"{side}_hand") for side in SIDES]
    along = np.array([[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]]) * HAND * skeleton.leg_length
    fingers = rotations.rotate(turned[:, hands], rotations.rotate(rotations.inverse(neutral[hands]), along))
    radii = _radii(skeleton)
    head, hips = skeleton.index("head"), [skeleton.index(f"{side}_hip") for side in SIDES]
    up = rotations.rotate(rotations.inverse(neutral[head]), np.array([0.0, radii[0], 0.2 * radii[0]]))
    centres = [positions[:, head] + rotations.rotate(turned[:, head], up), positions[:, hips].mean(axis=1)]
    return _Spots(positions[:, hands], fingers, np.stack(centres, axis=1), radii)


def _radii(skeleton: Skeleton) -> np.ndarray:
    """(2,) metres: radii of the head and of the hips."""
    rest, head = skeleton.rest_positions, skeleton.index("head")
    hips, shoulders = (rest[[skeleton.index(f"{side}_{role}") for side in SIDES]] for role in ("hip", "shoulder"))
    trunk = float(np.linalg.norm(shoulders.mean(axis=0) - hips.mean(axis=0)))
    tips = [*(rest[skeleton.parents == head] - rest[head]), *skeleton.end_offsets[skeleton.end_parents == head]]
    crown = max((float(np.linalg.norm(tip)) for tip in tips), default=0.0)
    half_width = float(np.linalg.norm(hips[0] - hips[1])) / 2
    return np.array([max(HEAD * trunk, CROWN * crown), half_width + FLESH * skeleton.leg_length])


def _keep_places(
    before: _Spots, after: _Spots, plan: RetargetMap, floor_height: float, scale: float, settings: RetargetSettings
) -> np.ndarray:
    """(F, 2, 3) metres that the hands are moved so that they keep their place above the floor, or in the world."""
    moves = np.zeros_like(after.wrists)
    if settings.hands == "body":
        return moves
    floor = np.array([0.0, floor_height, 0.0])
    wanted = (before.wrists - floor) * np.array([scale, plan.ratio, scale]) + floor
    axes = [0, 1, 2] if settings.hands == "world" else [1]
    moves[..., axes] = (wanted - after.wrists)[..., axes]
    return moves


def _find_shares(spots: _Spots) -> np.ndarray:
    """(F, 2, 3) shares of the way to the fingertips: where hands are nearest to each other, to head and to hips."""
    length = np.maximum((spots.fingers**2).sum(axis=-1), 1e-12)[..., None]  # (F, 2, 1) squared
    to_centres = spots.centres[:, None] - spots.wrists[:, :, None]  # (F, 2, 2, 3)
    shares = np.empty((*spots.wrists.shape[:2], 3))
    shares[..., 1:] = (to_centres * spots.fingers[:, :, None]).sum(axis=-1) / length
    shares[..., 0] = 0.5
    for _ in range(4):  # each hand's nearest point to that of the other, in turn
        for hand in (0, 1):
            other = spots.wrists[:, 1 - hand] + shares[:, 1 - hand, :1] * spots.fingers[:, 1 - hand]
            share = ((other - spots.wrists[:, hand]) * spots.fingers[:, hand]).sum(axis=-1) / length[:, hand, 0]
            shares[:, hand, 0] = np.clip((share + 0.5 * MIDDLE) / (1 + MIDDLE), 0.0, 1.0)
    return np.clip(shares, 0.0, 1.0)


def _find_touches(spots: _Spots, points: np.ndarray, touch: float) -> np.ndarray:
    """(F, 2, 3) bool: whether each hand touches the other one, the head and the hips.

    Args:
        spots: of a body.
        points: (F, 2, 3, 3) metres, world: of the hands, nearest to each of them.
        touch: metres.
    """
    apart = np.linalg.norm(points[:, 0, 0] - points[:, 1, 0], axis=-1) < touch
    away = np.linalg.norm(points[:, :, 1:] - spots.centres[:, None], axis=-1) - spots.radii  # (F, 2, 2)
    return np.concatenate([np.repeat(apart[:, None, None], 2, axis=1), away < touch], axis=2)


def _fade(near: np.ndarray, frames: float) -> np.ndarray:
    """(F, 2, 3) weights: 1 where something touches, fading out over some frames before and after."""
    half = max(round(frames / 2), 1)
    window = np.hanning(2 * half + 3)[1:-1]
    window = window / window.sum()
    weights = np.zeros(near.shape)
    for column in np.ndindex(near.shape[1:]):
        track = near[(slice(None), *column)]
        if track.any():
            wide = np.convolve(track, np.ones(2 * half + 1), mode="same") > 0.5
            wide = wide[: len(track)] if len(wide) > len(track) else wide
            weights[(slice(None), *column)] = np.convolve(np.pad(wide.astype(float), half, "edge"), window, "valid")
    return weights


def _touch_again(
    before: _Spots, after: _Spots, points: tuple[np.ndarray, np.ndarray], weights: np.ndarray, ratio: float
) -> np.ndarray:
    """(F, 2, 3) metres that hands are moved so that they touch what those of the source do.

    First each hand goes to head and hips, then both to each other: the freer one goes farther. A weight below 1 leaves
    as much of a move undone.

    Args:
        before: of the source.
        after: of the target.
        points: (F, 2, 3, 3) metres, world, of both: where hands touch each other, the head and the hips.
        weights: (F, 2, 3) of these.
        ratio: size of the target, relative to the source.
    """
    old, new = points
    missing = _wanted_places(before, after, points, ratio) - new[:, :, 1:]  # (F, 2, 2, 3) to head, to hips
    own, both = weights[..., 1:], weights[:, 0, 0]  # (F, 2, 2), (F,)
    held = own.max(axis=2)  # (F, 2)
    moves = (own[..., None] * missing).sum(axis=2) / (own.sum(axis=2) + 1.0 - held)[..., None]  # (F, 2, 3)
    apart = CLOSER * ratio * (old[:, 1, 0] - old[:, 0, 0]) - (
        new[:, 1, 0] + moves[:, 1] - new[:, 0, 0] - moves[:, 0]
    )  # (F, 3)
    free = 1.0 - held + LOOSE
    shares = (both / free.sum(axis=1))[:, None] * free * np.array([-1.0, 1.0])  # (F, 2)
    return np.asarray(moves + shares[..., None] * apart[:, None])


def _wanted_places(before: _Spots, after: _Spots, points: tuple[np.ndarray, np.ndarray], ratio: float) -> np.ndarray:
    """(F, 2, 2, 3) metres, world: where hands are as near to head and hips as in the source.

    At the head they come from the same side as there; at the hips they are only as near, by the shortest way.
    """
    old, new = (place[:, :, 1:] - spots.centres[:, None] for place, spots in zip(points, (before, after)))
    distance, own = (np.maximum(np.linalg.norm(away, axis=-1, keepdims=True), 1e-9) for away in (old, new))
    near = after.radii[:, None] + CLOSER * ratio * (distance - before.radii[:, None])
    sides = np.stack([(old / distance)[:, :, 0], (new / own)[:, :, 1]], axis=2)
    return np.asarray(after.centres[:, None] + sides * np.maximum(near, 0.0))


def _reach(motion: Motion, moves: np.ndarray) -> tuple[Motion, np.ndarray]:
    """The motion with its hands moved by (F, 2, 3) metres, and (F, 2) metres by which they are out of reach."""
    missed = np.zeros(moves.shape[:2])
    local = np.array(motion.local_rotations)
    for hand, side in enumerate(SIDES):
        frames = np.flatnonzero(np.linalg.norm(moves[:, hand], axis=-1) > SMALLEST)
        if not len(frames):
            continue
        axis = hinges.hinge_axis(motion.skeleton, motion.local_rotations, f"{side}_arm")
        root, own = motion.root_positions[frames], local[frames]
        wrists = kinematics.forward(motion.skeleton, root, own)[0][:, motion.skeleton.index(f"{side}_hand")]
        targets = wrists + moves[frames, hand]
        local[frames], missed[frames, hand] = two_bone_ik.reach(
            motion.skeleton, root, own, f"{side}_arm", targets, axis=axis
        )
    return replace(motion, local_rotations=local), missed
