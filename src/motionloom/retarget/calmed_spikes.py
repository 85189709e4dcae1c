"""Calmed spikes: longer bones make more of a jolt, so where a limb jolts more than the source ever does it is smoothed.

A foot that twitches by some degrees in one frame moves its ball by millimetres, or by centimetres if it is long.
Only limbs and frames around such a jolt change.
"""

from dataclasses import replace

import numpy as np

from motionloom.motion import Motion, Skeleton, find_runs, kinematics, rotations
from motionloom.motion.roles import SIDES
from motionloom.retarget.body_chains import find_chains

ENOUGH = 1.12  # times the source's highest acceleration, in leg lengths, that is left
ROUNDS = 8  # of smoothing at most
AROUND = 0.1  # seconds before and after a jolt over which smoothing fades out
WATCHED = ("head",) + tuple(
    f"{side}_{role}" for side in SIDES for role in ("hip", "knee", "foot", "ball", "shoulder", "elbow", "hand")
)


def calm_spikes(source: Motion, carried: Motion, free: np.ndarray | None = None) -> Motion:
    """Smooth a carried motion where a joint accelerates more than any of the source does, in lengths of their legs.

    Args:
        source: F frames.
        carried: the same frames on another skeleton.
        free: (F, J) bool: joints that may change, by frame; None for all.
    """
    roles = [role for role in WATCHED if source.skeleton.has(role) and carried.skeleton.has(role)]
    limit = ENOUGH * float(_accelerations(source, roles).max(initial=0.0))
    if source.n_frames < 3 or limit <= 0:
        return carried
    chains = [_moving_chain(carried.skeleton, role) for role in roles]
    peaks = _accelerations(carried, roles).max(axis=0)  # (N,)
    useful = np.ones(len(roles), bool)
    for _ in range(ROUNDS):
        above = (_accelerations(carried, roles) > limit) & useful  # (F - 2, N)
        weights = _spread(above, chains, carried)
        weights = weights if free is None else weights * free
        if not weights.any():
            break
        calmed = _smooth(carried, weights)
        new_peaks = _accelerations(calmed, roles).max(axis=0)
        is_worse = np.maximum(new_peaks, limit) > np.maximum(peaks, limit)
        if is_worse.any():  # smoothing only moves the jolt elsewhere
            useful &= ~_share_joints(is_worse, chains)
        else:
            carried, peaks = calmed, new_peaks
    return carried


def _share_joints(chosen: np.ndarray, chains: list[list[int]]) -> np.ndarray:
    """(N,) bool: chains that have a joint in common with one of the chosen."""
    joints = {joint for column in np.flatnonzero(chosen) for joint in chains[column]}
    return np.array([bool(joints & set(chain)) for chain in chains])


def free_limbs(skeleton: Skeleton, contacts: np.ndarray | None, touching: np.ndarray) -> np.ndarray:
    """(F, J) bool: joints of legs whose foot does not rest, nor in the frames beside, and of arms that touch nothing.

    Args:
        skeleton: J joints.
        contacts: (F, 4) bool: heels and balls that rest; None for none.
        touching: (F, 2) bool: hands that touch.
    """
    free = np.zeros((len(touching), skeleton.n_joints), bool)
    for number, side in enumerate(SIDES):
        feet = None if contacts is None else contacts[:, 2 * number : 2 * number + 2].any(axis=1)
        for role, held in ((f"{side}_foot", feet), (f"{side}_hand", touching[:, number])):
            if not skeleton.has(role):
                continue
            limb = _moving_chain(skeleton, role) + [skeleton.index(role)]
            beside = np.zeros(len(touching) + 2, bool) if held is None else np.pad(held, 1)
            free[:, limb] = ~(beside[:-2] | beside[1:-1] | beside[2:])[:, None]
    return free


def _accelerations(motion: Motion, roles: list[str]) -> np.ndarray:
    """(F - 2, N) leg lengths per frame squared."""
    joints = [motion.skeleton.index(role) for role in roles]
    positions = kinematics.world_positions(motion)[:, joints]
    return np.asarray(np.linalg.norm(np.diff(positions, 2, axis=0), axis=-1) / motion.skeleton.leg_length)


def _moving_chain(skeleton: Skeleton, role: str) -> list[int]:
    """The joints of a limb, or of the trunk, that move a joint; the root where nothing else does."""
    chain = skeleton.chain(skeleton.index(role))[:-1]
    side, limb = role.split("_") if "_" in role else ("", role)
    if limb in ("knee", "foot", "ball"):
        return chain[chain.index(skeleton.index(f"{side}_hip")) :]
    if limb in ("elbow", "hand"):
        return chain[chain.index(find_chains(skeleton).chest) + 1 :]
    return chain


def _spread(above: np.ndarray, chains: list[list[int]], motion: Motion) -> np.ndarray:
    """(F, J) weights of smoothing: 1 in the three frames of a jolt, for the joints that move what jolts."""
    half = max(round(AROUND * motion.fps), 1)
    weights = np.zeros((motion.n_frames, motion.skeleton.n_joints))
    fade = np.cos(np.pi / 2 * np.arange(1, half + 1) / (half + 1)) ** 2
    for column, chain in enumerate(chains):
        for start, stop in find_runs(above[:, column]):
            window = np.zeros(motion.n_frames)
            window[start : stop + 2] = 1.0
            for away, weight in enumerate(fade, start=1):
                for frame in (start - away, stop + 1 + away):
                    if 0 <= frame < motion.n_frames:
                        window[frame] = weight
            weights[:, chain] = np.maximum(weights[:, chain], window[:, None])
    return weights


def _smooth(motion: Motion, weights: np.ndarray) -> Motion:
    """Draw frames halfway to the mean of their neighbours, by (F, J) weights; at the ends, to the only one."""
    touched = np.flatnonzero(weights.any(axis=1))
    before, after = np.maximum(touched - 1, 0), np.minimum(touched + 1, motion.n_frames - 1)
    local = motion.local_rotations
    own = local[touched]
    sides = [rotations.log(rotations.multiply(rotations.inverse(own), local[frames])) for frames in (before, after)]
    turns = 0.25 * weights[touched, :, None] * (sides[0] + sides[1])
    result = np.array(local)
    result[touched] = rotations.normalize(rotations.multiply(own, rotations.exp(turns)))
    root, share = np.array(motion.root_positions), 0.25 * weights[touched, :1]
    root[touched] += share * (root[before] + root[after] - 2 * root[touched])
    return replace(motion, root_positions=root, local_rotations=result)
