"""Overstretch: knees and elbows recorded beyond straight are brought back to the side on which they bend.

Ankle and wrist keep their places, so the knee goes to the other side of the line from hip to ankle. Mirrored alone it
would bounce where the recording passes through straight: there the limb stays slightly bent instead, which shortens it
by millimetres.

A thigh that is turned about itself by half a turn, with its knee bent the other way, is the same pose: near straight
limbs recordings change between the two from one frame to the next. So in the frames that are brought back the twist of
the limb is that of the frames around them, and where they say nothing that of the well-bent limb.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.motion import Motion, check_motion, find_runs, hinges, kinematics, two_bone_ik

ROUNDING = 1e-9  # radians
PLAY = np.radians(0.1)  # radians beyond straight that are rounding
CERTAIN = np.radians(2.0)  # radians beyond straight from which a limb is brought back in full
SOFT = np.radians(10.0)  # radians: less bent limbs, beside frames beyond straight, approach straight softly
AROUND = 0.2  # seconds beside frames beyond straight over which the change fades out
BRIDGED = 0.1  # seconds: shorter passages through straight are bridged
TWIST_SPREAD = 0.12  # seconds over which twists of limbs are smoothed
USUAL_TWIST = 0.3  # weight of the usual twist beside that of a frame
UNCHANGED = 1e5  # weight of the twist of frames that are not brought back


@dataclass(frozen=True)
class Overstretch:
    """Frames in which a knee or an elbow was beyond straight."""

    limb: str  # left_leg, right_leg, left_arm or right_arm
    joint: str  # name of the knee or elbow
    frames: tuple[int, ...]
    degrees: float  # the farthest beyond straight
    moved_mm: float  # millimetres that ankle or wrist moved at most when it was brought back


@dataclass(frozen=True, eq=False)
class Straightened:
    """A motion without overstretched limbs, and those that it had."""

    motion: Motion
    found: tuple[Overstretch, ...]

    def sentences(self) -> tuple[str, ...]:
        """One sentence for each limb that was brought back."""
        return tuple(
            f"{limb.joint} was overstretched by up to {limb.degrees:.0f} degrees in {describe_frames(limb.frames)} and "
            f"was brought back; the end of its limb moved by up to {limb.moved_mm:.1f} mm"
            for limb in self.found
        )


def correct_overstretch(motion: Motion, limbs: Sequence[str] | None = None) -> Straightened:
    """Bring knees and elbows beyond straight back to the side on which they bend; all else stays as it is.

    Feet and hands keep their orientation, and their place up to millimetres. Frames farther than 0.2 s from any
    beyond straight do not change, and a motion without them is returned as it is.

    Args:
        motion: any; limbs without a knee or an elbow, or without a side, are left out.
        limbs: of `motion.hinges.LIMBS`; None for all that the skeleton has.
    """
    found: list[Overstretch] = []
    for limb in hinges.hinged_limbs(motion.skeleton):
        if limbs is None or limb in limbs:
            motion, overstretch = _correct_limb(motion, limb)
            found += [] if overstretch is None else [overstretch]
    return Straightened(motion, tuple(found))


def keep_sides(changed: Motion, source: Motion, frames: np.ndarray, limbs: Sequence[str]) -> Motion:
    """Mirror limbs that a solver bent beyond straight, farther than its source has them; their ends stay exactly.

    Args:
        changed: N frames, by a solver.
        source: the whole motion that it was given.
        frames: (N,) int: which frames of it were solved.
        limbs: of `motion.hinges.LIMBS`, that the solver may have changed.
    """
    skeleton = changed.skeleton
    for limb in hinges.hinged_limbs(skeleton):
        axis = hinges.hinge_axis(skeleton, source.local_rotations, limb) if limb in limbs else None
        if axis is None:
            continue
        own = hinges.flexion(skeleton, source.local_rotations[frames], limb, axis)
        bends = hinges.flexion(skeleton, changed.local_rotations, limb, axis)
        beyond = np.flatnonzero(bends < np.minimum(own, 0.0) - ROUNDING)
        if len(beyond):
            _, local = _bend(changed, limb, axis, beyond, bends[beyond], -bends[beyond], np.zeros(len(beyond)))
            changed = replace(changed, local_rotations=local)
    return changed


def describe_frames(frames: Sequence[int], at_most: int = 4) -> str:
    """Frames as ranges: "frames 3-7, 12 and 40-41", "frames 3-7 and 211 more"."""
    flags = np.zeros(max(frames) + 1, bool)
    flags[list(frames)] = True
    runs = find_runs(flags)
    words = [f"{start}" if stop == start + 1 else f"{start}-{stop - 1}" for start, stop in runs[:at_most]]
    left = len(frames) - sum(stop - start for start, stop in runs[:at_most])
    words += [f"{left} more"] if left else []
    listed = words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
    return f"{'frame' if len(frames) == 1 else 'frames'} {listed}"


def _correct_limb(motion: Motion, limb: str) -> tuple[Motion, Overstretch | None]:
    axis = hinges.hinge_axis(motion.skeleton, motion.local_rotations, limb)
    if axis is None:
        return motion, None
    bends = hinges.flexion(motion.skeleton, motion.local_rotations, limb, axis)
    beyond = np.flatnonzero(bends < -PLAY)
    if not len(beyond):
        return motion, None
    motion, wanted = check_motion(motion), bring_back(bends, motion.fps)
    touched = np.flatnonzero(wanted != bends)
    twists = _twist_changes(motion, limb, bends)
    moved, local = _bend(motion, limb, axis, touched, bends[touched], wanted[touched], twists[touched])
    middle = motion.skeleton.names[hinges.limb_joints(motion.skeleton, limb)[1]]
    worst = float(np.degrees(-bends.min()))
    return replace(motion, local_rotations=local), Overstretch(limb, middle, tuple(beyond.tolist()), worst, moved)


def bring_back(bends: np.ndarray, fps: float) -> np.ndarray:
    """How far a limb shall be bent: (F,) radians from (F,) radians, none of them negative beyond rounding.

    A continuous function of its input: frames near one beyond straight are mirrored at straight, softly.
    """
    share = _share(bends, fps)
    mirrored = np.where(np.abs(bends) < SOFT, (bends**2 + SOFT**2) / (2 * SOFT), np.abs(bends))
    bridged = np.maximum(mirrored, _smoothed(_closed(np.minimum(mirrored, 2 * SOFT), fps), fps))
    return np.where(share > 0, bends + share * (bridged - bends), bends)


def _twist_changes(motion: Motion, limb: str, bends: np.ndarray) -> np.ndarray:
    """(F,) radians by which a limb is turned about itself in the frames that are brought back."""
    from scipy.linalg import solveh_banded

    twists = _twists(motion, limb)
    share = _share(bends, motion.fps) * np.clip(1 - bends / SOFT, 0.0, 1.0)  # well-bent limbs show their twist
    usual = twists[bends > hinges.WELL_BENT].sum() + hinges.REST_FRAMES
    usual = usual / max(abs(usual), 1e-12)
    likely = ((1 + (twists * np.conj(usual)).real) / 2) ** 2  # none for half a turn from it
    weights, of_usual = UNCHANGED * np.maximum(1 - 2 * share, 0.0) ** 2 + share * likely, USUAL_TWIST * share
    bands = _second_differences(len(twists)) * (TWIST_SPREAD * motion.fps) ** 4
    bands[-1] += weights + of_usual
    smooth = solveh_banded(bands, weights * twists + of_usual * usual, check_finite=False)
    return np.angle(smooth * np.conj(twists))


def _twists(motion: Motion, limb: str) -> np.ndarray:
    """(F,) complex units: the twist of a limb's upper bone about itself, beside the rest pose."""
    bone = motion.skeleton.bone(hinges.LIMBS[limb][1], hinges.LIMBS[limb][0])
    bone = bone / np.linalg.norm(bone)
    turns = hinges.upper_turns(motion.skeleton, motion.local_rotations, limb)
    halves = turns[:, 0] + 1j * (turns[:, 1:] @ bone)
    return (halves / np.maximum(np.abs(halves), 1e-9)) ** 2


def _second_differences(n: int) -> np.ndarray:
    """(3, n) upper bands of the matrix of summed squares of second differences of n values."""
    bands = np.zeros((3, n))
    if n > 2:
        for k, entry in ((0, 1.0), (1, 4.0), (2, 1.0)):
            bands[2, k : k + n - 2] += entry
        bands[1, 1 : n - 1] -= 2.0
        bands[1, 2:] -= 2.0
        bands[0, 2:] += 1.0
    return bands


def _share(bends: np.ndarray, fps: float) -> np.ndarray:
    """(F,) 0 to 1: how much each frame is brought back."""
    return _fade(np.clip((-bends - PLAY) / CERTAIN, 0.0, 1.0), fps)


def _fade(share: np.ndarray, fps: float) -> np.ndarray:
    """The largest share of the frames around each, faded out with their distance."""
    width = max(1, round(AROUND * fps))
    padded = np.pad(share, width)
    away = np.arange(-width, width + 1)
    weights = np.cos(np.pi / 2 * away / (width + 1)) ** 2
    return np.max([weight * padded[width + k : width + k + len(share)] for k, weight in zip(away, weights)], axis=0)


def _closed(values: np.ndarray, fps: float) -> np.ndarray:
    """Closing: valleys shorter than `BRIDGED` are filled to their lower edge."""
    half = round(BRIDGED * fps / 2)
    windows = np.lib.stride_tricks.sliding_window_view
    highest = windows(np.pad(values, half, mode="edge"), 2 * half + 1).max(axis=1)
    return windows(np.pad(highest, half, mode="edge"), 2 * half + 1).min(axis=1)


def _smoothed(values: np.ndarray, fps: float) -> np.ndarray:
    half = round(BRIDGED * fps / 2)
    weights = np.cos(np.pi / 2 * np.arange(-half, half + 1) / (half + 1)) ** 2
    return np.convolve(np.pad(values, half, mode="edge"), weights / weights.sum(), mode="valid")


def _bend(
    motion: Motion,
    limb: str,
    axis: np.ndarray,
    frames: np.ndarray,
    bends: np.ndarray,
    wanted: np.ndarray,
    twists: np.ndarray,
) -> tuple[float, np.ndarray]:
    """Bend a limb as wanted in some frames: millimetres that its end moves, and (F, J, 4) rotations."""
    skeleton = motion.skeleton
    upper, _, end = hinges.limb_joints(skeleton, limb)
    root, local = motion.root_positions[frames], motion.local_rotations[frames]
    positions, _ = kinematics.forward(skeleton, root, local)
    start, tip = positions[:, upper], positions[:, end]
    a, b = (hinges.bone_length(bone) for bone in hinges.limb_bones(skeleton, local, limb))
    before, after = (np.sqrt(a * a + b * b + 2 * a * b * np.cos(angles)) for angles in (bends, wanted))
    targets = start + (after / np.maximum(before, 1e-9))[:, None] * (tip - start)
    solved, _ = two_bone_ik.reach(skeleton, root, local, limb, targets, axis=axis, twists=twists)
    result = np.array(motion.local_rotations, float)
    result[frames] = solved
    return 1000 * float(np.linalg.norm(targets - tip, axis=-1).max()), result
