"""Hinge range: knees and elbows beyond straight, and knees and elbows that turn over from one frame to the next."""

from dataclasses import dataclass

import numpy as np

from motionloom.motion import Motion, Skeleton, check_motion, hinges

NOTICED = np.radians(1.0)  # radians beyond straight; less is measurement noise
FARTHEST_STEP = 0.1  # of a limb's length: its knee comes no faster out of line in one frame at 60 Hz, 8 cm of 0.8 m
CALM_STEP = 0.375  # of that step: below it the source is calm, 3 cm of 0.8 m


@dataclass(frozen=True)
class HingeRange:
    """How often and how far knees and elbows leave the side on which they bend."""

    share_of_frames: float  # 0 to 1: frames with a knee or an elbow beyond straight
    worst_degrees: float  # the farthest beyond straight; 0 if none is
    worst_joint: str | None  # None if none is beyond
    worst_frame: int | None
    flips: int  # times that a knee or an elbow turns over within a frame
    flip_joint: str | None  # the first one
    flip_frame: int | None

    def describe(self) -> str:
        """One sentence for users."""
        beyond, flips = "no knee or elbow is beyond straight", "none turns over"
        if self.worst_joint is not None:
            beyond = (
                f"{100 * self.share_of_frames:.1f} % of the frames have a knee or elbow beyond straight; worst "
                f"{self.worst_joint} by {self.worst_degrees:.1f} degrees at frame {self.worst_frame}"
            )
        if self.flip_joint is not None:
            flips = f"{self.flips} turn over, first {self.flip_joint} at frame {self.flip_frame}"
        return f"{beyond}; {flips}"


def measure_hinges(motion: Motion, source: Motion | None = None) -> HingeRange | None:
    """Measure knees and elbows; None for a skeleton without them, or whose limbs have no side.

    Args:
        motion: any body.
        source: the motion of the same skeleton and frames that this one was made from: the side on which limbs bend is
            taken from it, and steps that it has too are no flips.
    """
    motion = check_motion(motion)
    like = motion if source is None or source.skeleton != motion.skeleton else check_motion(source)
    limbs = [(limb, axis) for limb in hinges.hinged_limbs(motion.skeleton) if (axis := _axis(like, limb)) is not None]
    if not limbs:
        return None
    skeleton = motion.skeleton
    names = [skeleton.names[hinges.limb_joints(skeleton, limb)[1]] for limb, _ in limbs]
    bends = np.stack([hinges.flexion(skeleton, motion.local_rotations, limb, axis) for limb, axis in limbs], axis=1)
    flips = np.stack([_flips(motion, like, limb, axis) for limb, axis in limbs], axis=1)  # (F, limbs)
    frame, worst = (int(i) for i in np.unravel_index(bends.argmin(), bends.shape))
    is_beyond = bool(bends.min() < -NOTICED)
    first, flipped = (int(i) for i in np.unravel_index(flips.argmax(), flips.shape))
    return HingeRange(
        share_of_frames=float((bends < -NOTICED).any(axis=1).mean()),
        worst_degrees=float(np.degrees(-bends.min())) if is_beyond else 0.0,
        worst_joint=names[worst] if is_beyond else None,
        worst_frame=frame if is_beyond else None,
        flips=int(flips.sum()),
        flip_joint=names[flipped] if flips.any() else None,
        flip_frame=first if flips.any() else None,
    )


def _axis(motion: Motion, limb: str) -> np.ndarray | None:
    return hinges.hinge_axis(motion.skeleton, motion.local_rotations, limb)


def _flips(motion: Motion, source: Motion, limb: str, axis: np.ndarray) -> np.ndarray:
    """(F,) bool: frames in which a knee or an elbow has jumped to the other side, or where its source is calm."""
    farthest = FARTHEST_STEP * _length(motion.skeleton, limb) * max(1.0, 60.0 / motion.fps)
    offsets = hinges.bend_offsets(motion.skeleton, motion.local_rotations, limb, axis)
    turns_over = (np.abs(np.diff(offsets)) > farthest) & (np.sign(offsets[1:]) != np.sign(offsets[:-1]))
    jumps = np.abs(np.diff(np.abs(offsets))) > farthest
    if source is motion or source.n_frames != motion.n_frames:
        jumps[:] = False
    else:
        own = np.abs(hinges.bend_offsets(source.skeleton, source.local_rotations, limb, axis))
        jumps &= np.abs(np.diff(own)) < CALM_STEP * farthest
    return np.concatenate([[False], turns_over | jumps])


def _length(skeleton: Skeleton, limb: str) -> float:
    return sum(hinges.rest_lengths(skeleton, limb))
