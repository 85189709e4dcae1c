"""Detection of a rest pose in the first frame, which converters insert."""

import numpy as np

from motionloom.formats.options import ReadOptions
from motionloom.formats.take import Finding
from motionloom.motion import Motion, Skeleton, kinematics, rotations

STILL = np.radians(0.5)  # tolerance within which joints are in the rest pose
JUMP = np.radians(8.0)  # minimum rotation of a joint to the second frame that is a jump
TIMES_USUAL = 4.0  # and minimum ratio to the 99th percentile of its later rotations
USUAL_FRAMES = 500  # frames for that percentile
ARM_LEVEL = np.radians(20.0)  # tolerance of horizontal arms in a T-pose
LEG_PLUMB = np.radians(10.0)  # tolerance of vertical legs


def find(motion: Motion, options: ReadOptions) -> tuple[bool, tuple[Finding, ...]]:
    """Whether to drop the first frame, and a finding if it is a rest pose."""
    if options.rest_frame == "drop" and motion.n_frames > 1:
        return True, (Finding("rest_frame", "the first frame was dropped, as given"),)
    kind = _rest_kind(motion) if motion.n_frames > 1 and _jumps_away(motion) else None
    if kind is None:
        return False, ()
    if options.rest_frame == "keep":
        return False, (Finding("rest_frame", f"the first frame is {kind} and jumps to the next; kept, as given"),)
    return True, (Finding("rest_frame", f"the first frame is {kind} and jumps to the next, so it was dropped"),)


def _jumps_away(motion: Motion) -> bool:
    first = _turns(motion.local_rotations[:2])[0]  # (J,)
    if not (first > JUMP).any():
        return False
    later = _turns(motion.local_rotations[1:USUAL_FRAMES])
    usual = np.percentile(later, 99, axis=0) if len(later) else np.zeros_like(first)
    return bool(((first > JUMP) & (first > TIMES_USUAL * usual)).any())


def _turns(local_rotations: np.ndarray) -> np.ndarray:
    """Rotation of each joint from frame to frame, (F - 1, J) radians."""
    cosines = np.abs(np.einsum("fjc,fjc->fj", local_rotations[:-1], local_rotations[1:]))
    return 2.0 * np.arccos(np.minimum(cosines, 1.0))


def _rest_kind(motion: Motion) -> str | None:
    pose = np.delete(motion.local_rotations[0], _turning_whole_body(motion.skeleton), axis=0)
    if (rotations.angle(pose) < STILL).all():
        return "the zero pose"
    if _is_t_pose(motion):
        return "a T-pose"
    if _is_symmetric(motion):
        return "an exactly symmetric rest pose"
    return None


def _is_t_pose(motion: Motion) -> bool:
    skeleton = motion.skeleton
    limbs = [(f"{s}_{a}", f"{s}_{b}") for s in ("left", "right") for a, b in (("hip", "foot"), ("shoulder", "hand"))]
    if not all(skeleton.has(*limb) for limb in limbs):
        return False
    positions, _ = kinematics.forward(skeleton, motion.root_positions[:1], motion.local_rotations[:1])
    for upper, lower in limbs:
        bone = positions[0, skeleton.index(lower)] - positions[0, skeleton.index(upper)]
        straight = bone / max(float(np.linalg.norm(bone)), 1e-9)
        if "hip" in upper and straight[1] > -np.cos(LEG_PLUMB):
            return False
        if "shoulder" in upper and abs(straight[1]) > np.sin(ARM_LEVEL):
            return False
    return True


def _is_symmetric(motion: Motion) -> bool:
    """Whether the first pose is exactly symmetric, which recorded poses never are."""
    pairs = motion.skeleton.mirror_indices
    if (pairs == np.arange(len(pairs))).all():
        return False
    pose = motion.local_rotations[0]
    mirrored = pose[pairs] * np.array([1.0, 1.0, -1.0, -1.0])
    turned = np.delete(rotations.angle_between(pose, mirrored), _turning_whole_body(motion.skeleton))
    return bool((turned < STILL).all())


def _turning_whole_body(skeleton: Skeleton) -> list[int]:
    """The joints that only orient the body: the hips and their ancestors."""
    return skeleton.chain(skeleton.index("hips")) if skeleton.has("hips") else [0]
