"""Calmed spikes: where a joint jolts more than the source ever does, what moves it is smoothed.

A foot that twitches by some degrees in one frame moves its ball by millimetres, or by centimetres if it is long; a
nearly straight leg whose foot is planted elsewhere snaps its knee. Only frames around such a jolt change, and planted
points stay where they are.
"""

from dataclasses import dataclass, replace

import numpy as np

from motionloom.motion import Motion, Skeleton, cut, find_runs, kinematics, rotations
from motionloom.motion.roles import SIDES
from motionloom.retarget.body_chains import find_chains
from motionloom.retarget.held_feet import HeldFeet, hold_feet, step_to_neighbours, turn_to_neighbours

ENOUGH = 1.12  # times the source's highest acceleration, in leg lengths, that is left
ROUNDS = 40  # of smoothing at most
FUTILE = 3  # rounds without gain after which it is given up
# What is tried in turn: seconds before and after a jolt over which smoothing fades out, and whether the root moves
# along with a leg on a planted foot, instead of being smoothed too.
WAYS = ((0.1, False), (0.1, True), (0.2, False), (0.2, True))
CONTEXT = 2  # frames on each side of a window that do not change, so that its accelerations are complete
WATCHED = ("hips", "chest", "head") + tuple(
    f"{side}_{role}" for side in SIDES for role in ("hip", "knee", "foot", "ball", "shoulder", "elbow", "hand")
)


def calm_spikes(source: Motion, carried: Motion, feet: HeldFeet | None = None) -> Motion:
    """Smooth a carried motion where a joint accelerates more than any of the source does, in lengths of their legs.

    Args:
        source: F frames.
        carried: the same frames on another skeleton.
        feet: whose planted points stay where they are; None if nothing is planted.
    """
    watched = _Watched.of(source.skeleton, carried.skeleton)
    limit = ENOUGH * float(watched.accelerations(source).max(initial=0.0))
    if source.n_frames < 3 or limit <= 0:
        return carried
    for around, moves_root in WAYS:
        half = max(round(around * carried.fps), 1)
        jolts = np.asarray((watched.accelerations(carried) > limit).any(axis=1))
        for start, stop in _windows(jolts, half, carried.n_frames):
            held = None if feet is None else feet.cut(start, stop)
            way = _Way(watched, limit, half, _may_change(start, stop, carried.n_frames), held, moves_root)
            calmed = _calm_window(cut(carried, start, stop), way)
            carried = _put_back(carried, calmed, start)
    return carried


@dataclass(frozen=True, eq=False)
class _Watched:
    """Roles whose accelerations are looked at, and the joints that move them."""

    roles: tuple[str, ...]
    chains: tuple[list[int], ...]
    hips: list[int]  # the root, and all down to the hips

    @classmethod
    def of(cls, source: Skeleton, target: Skeleton) -> "_Watched":
        roles = tuple(role for role in WATCHED if source.has(role) and target.has(role))
        hips = target.chain(target.index("hips")) if target.has("hips") else [0]
        return cls(roles, tuple(_moving_chain(target, role) for role in roles), hips)

    def accelerations(self, motion: Motion) -> np.ndarray:
        """(F - 2, N) leg lengths per frame squared."""
        joints = [motion.skeleton.index(role) for role in self.roles]
        positions = kinematics.world_positions(motion)[:, joints]
        return np.asarray(np.linalg.norm(np.diff(positions, 2, axis=0), axis=-1) / motion.skeleton.leg_length)


def _windows(jolts: np.ndarray, half: int, n_frames: int) -> list[tuple[int, int]]:
    """Frame ranges around (F - 2,) jolts that do not overlap."""
    near = np.zeros(n_frames, bool)
    for start, stop in find_runs(jolts):
        near[max(start - half - CONTEXT, 0) : stop + 2 + half + CONTEXT] = True
    return find_runs(near)


def _may_change(start: int, stop: int, n_frames: int) -> np.ndarray:
    """(W,) bool: the frames of a window but for those beside it; the ends of the motion may change."""
    frames = np.arange(start, stop)
    is_context = ((frames < start + CONTEXT) & (start > 0)) | ((frames >= stop - CONTEXT) & (stop < n_frames))
    return np.asarray(~is_context)


@dataclass(frozen=True, eq=False)
class _Way:
    """How the W frames of a window are smoothed."""

    watched: _Watched
    limit: float  # leg lengths per frame squared
    half: int  # frames before and after a jolt over which smoothing fades out
    may_change: np.ndarray  # (W,) bool
    feet: HeldFeet | None
    moves_root: bool  # with a leg on a planted foot; else the root is smoothed too

    def excess(self, motion: Motion) -> np.ndarray:
        """(W - 2, N) accelerations beyond the limit, relative to it."""
        return np.asarray(self.watched.accelerations(motion) / self.limit - 1.0)

    def smooth(self, motion: Motion, weights: np.ndarray, jolting: frozenset[str]) -> Motion:
        """The motion after one round of smoothing by (W, J) weights."""
        if self.feet is None:
            return _smooth(motion, weights)
        return hold_feet(_smooth(motion, weights), motion, self.feet, weights, jolting if self.moves_root else ())

    def weights(self, above: np.ndarray, n_joints: int) -> np.ndarray:
        """(W, J) weights of smoothing for (W - 2, N) jolts: of the joints that move what jolts."""
        weights = np.zeros((len(self.may_change), n_joints))
        for column in np.flatnonzero(above.any(axis=0)):
            window = self._fade(above[:, column])
            joints = self.watched.chains[column] + self._hips_of(self.watched.roles[column])
            weights[:, joints] = np.maximum(weights[:, joints], window[:, None])
        return weights

    def _fade(self, jolts: np.ndarray) -> np.ndarray:
        """(W,) weights: 1 in the three frames of each of (W - 2,) jolts, and less away from them."""
        middles, frames = np.flatnonzero(jolts) + 1, np.arange(len(self.may_change))
        after = np.searchsorted(middles, frames)
        beside = middles[np.maximum(after - 1, 0)], middles[np.minimum(after, len(middles) - 1)]
        away = np.minimum(*(np.abs(frames - each) for each in beside))
        weights = np.cos(np.pi / 2 * np.clip((away - 1) / (self.half + 1), 0.0, 1.0)) ** 2
        return np.where(self.may_change, weights, 0.0)

    def _hips_of(self, role: str) -> list[int]:
        is_held = self.feet is not None and role in {f"{side}_knee" for side in self.feet.standing()}
        return self.watched.hips if is_held and not self.moves_root else []


def _calm_window(motion: Motion, way: _Way) -> Motion:
    """The frames of a window, smoothed as long as that lowers what is above the limit."""
    excess = way.excess(motion)  # (W - 2, N)
    best, lowest, futile = motion, _cost(excess), 0
    weights = np.zeros((motion.n_frames, motion.skeleton.n_joints))
    for _ in range(ROUNDS):
        above = excess > 0
        if not above.any() or futile == FUTILE:
            break
        weights = np.maximum(weights, way.weights(above, motion.skeleton.n_joints))
        jolting = frozenset(way.watched.roles[column] for column in np.flatnonzero(above.any(axis=0)))
        motion = way.smooth(motion, weights, jolting)
        excess = way.excess(motion)
        if _cost(excess) < lowest:
            best, lowest, futile = motion, _cost(excess), 0
        else:
            futile += 1
    return best


def _cost(excess: np.ndarray) -> float:
    """How much accelerations are above the limit: the highest, and all of them."""
    over = np.maximum(excess, 0.0)
    return float(over.max(initial=0.0) + 1e-3 * over.sum())


def _put_back(motion: Motion, window: Motion, start: int) -> Motion:
    root, local = np.array(motion.root_positions), np.array(motion.local_rotations)
    root[start : start + window.n_frames] = window.root_positions
    local[start : start + window.n_frames] = window.local_rotations
    return replace(motion, root_positions=root, local_rotations=local)


def _moving_chain(skeleton: Skeleton, role: str) -> list[int]:
    """The joints that are smoothed for a role: all of its limb, or of the trunk and the root down to it."""
    side, limb = role.split("_") if "_" in role else ("", role)
    if limb in ("knee", "foot", "ball"):
        chain = skeleton.chain(skeleton.index(f"{side}_foot"))
        return chain[chain.index(skeleton.index(f"{side}_hip")) :]
    if limb in ("elbow", "hand"):
        end = f"{side}_hand" if skeleton.has(f"{side}_hand") else f"{side}_elbow"  # some bodies have no hands
        chain = skeleton.chain(skeleton.index(end))
        return chain[chain.index(find_chains(skeleton).chest) + 1 :]
    chain = skeleton.chain(skeleton.index(role))
    return chain[:-1] or chain


def _smooth(motion: Motion, weights: np.ndarray) -> Motion:
    """Draw the root and the directions of bones halfway to the mean of the frames beside, by (F, J) weights.

    Directions are those in the world: a leg that holds against its twitching pelvis must not be smoothed alone.
    """
    skeleton, local = motion.skeleton, motion.local_rotations
    root = motion.root_positions + weights[:, :1] * step_to_neighbours(motion.root_positions)
    own = kinematics.world(motion)[1]
    turned = rotations.multiply(own, rotations.exp(weights[..., None] * turn_to_neighbours(own)))
    is_smoothed = np.asarray(weights.any(axis=0))
    for joint, parent in enumerate(skeleton.parents):
        if parent >= 0 and not is_smoothed[joint]:
            turned[:, joint] = rotations.multiply(turned[:, parent], local[:, joint])
    local = kinematics.to_local(skeleton, rotations.normalize(turned))
    return replace(motion, root_positions=root, local_rotations=local)
