"""Pose limits: joints rotated beyond their range in the recordings."""

from dataclasses import dataclass

import numpy as np

from motionloom.features.joint_limits import JointLimits
from motionloom.motion import Motion, check_motion
from motionloom.quality.acceleration_bars import check_same_joints

ROUNDING = np.radians(1e-4)  # radians; tolerance for rounding to float32


@dataclass(frozen=True)
class BeyondLimits:
    """How often and how far joints leave the limits learnt from a corpus."""

    share_of_frames: float  # 0 to 1: frames with at least one joint beyond its limits
    share_of_joints: float  # 0 to 1: of all joints in all frames
    worst_degrees: float  # how far the worst joint is beyond its limits; 0 if none is
    worst_joint: str | None  # None if none is beyond
    worst_frame: int | None

    def describe(self) -> str:
        """One sentence for users."""
        if self.worst_joint is None:
            return "every joint stays within its limits"
        return (
            f"{100 * self.share_of_frames:.1f} % of the frames have a joint beyond its limits; "
            f"worst {self.worst_joint} by {self.worst_degrees:.1f} degrees at frame {self.worst_frame}"
        )


def measure_limits(motion: Motion, limits: JointLimits) -> BeyondLimits:
    """Measure how often and how far joints of a motion leave their limits; the root has none."""
    check_same_joints(limits.names, motion.skeleton)
    excess = limits.excess(check_motion(motion).local_rotations)  # (F, J) radians
    beyond = excess > ROUNDING
    frame, joint = (int(i) for i in np.unravel_index(excess.argmax(), excess.shape))
    some = bool(beyond.any())
    return BeyondLimits(
        share_of_frames=float(beyond.any(axis=1).mean()),
        share_of_joints=float(beyond.mean()),
        worst_degrees=float(np.degrees(excess[frame, joint])) if some else 0.0,
        worst_joint=limits.names[joint] if some else None,
        worst_frame=frame if some else None,
    )
