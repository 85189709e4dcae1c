"""The same recordings as ASF/AMC and as BVH: how far apart the joints are."""

from pathlib import Path

import numpy as np

from benchmarks.measure import figure
from motionloom import formats
from motionloom.motion import Motion, kinematics, rotations

PAIRS = ("01_01", "11_01")
LEGS = tuple(f"{side}_{joint}" for side in ("left", "right") for joint in ("hip", "knee", "foot", "ball"))
ARMS = tuple(f"{side}_{joint}" for side in ("left", "right") for joint in ("clavicle", "shoulder", "elbow", "hand"))


def agreement_figures(data: Path) -> list[dict]:
    """The largest distance of a joint: as read, and above the chest with the thorax bone that the conversion lost."""
    lower, upper, lost = 0.0, 0.0, []
    for name in PAIRS:
        amc = formats.read(data / "cmu" / "asf_amc" / f"{name}.amc").motion
        bvh = formats.read(data / "cmu" / "original" / f"{name}.bvh").motion
        assert isinstance(amc, Motion) and isinstance(bvh, Motion)
        (ours, turned), (theirs, _) = kinematics.world(amc), kinematics.world(bvh)
        vector = amc.skeleton.offsets[amc.skeleton.index("neck")]  # in the frame of the chest
        missing = rotations.rotate(turned[:, amc.skeleton.index("chest")], np.broadcast_to(vector, ours[:, 0].shape))
        for role in ("hips", "chest", *LEGS):
            lower = max(lower, _apart(amc, ours, bvh, theirs, role, 0.0))
        for role in ("neck", "head", *ARMS):
            upper = max(upper, _apart(amc, ours, bvh, theirs, role, missing))
        lost.append(np.linalg.norm(vector) * 1000)
    return [
        figure("ASF/AMC beside BVH; hips, legs and spine up to Spine1", lower * 1000, "mm", "lower"),
        figure("ASF/AMC beside BVH; above it, with the lost thorax vector", upper * 1000, "mm", "lower"),
        *[figure(f"lost thorax vector of {name}", length, "mm", "lower") for name, length in zip(PAIRS, lost)],
    ]


def _apart(
    amc: Motion, ours: np.ndarray, bvh: Motion, theirs: np.ndarray, role: str, missing: np.ndarray | float
) -> float:
    difference = ours[:, amc.skeleton.index(role)] - theirs[:, bvh.skeleton.index(role)] - missing
    return float(np.linalg.norm(difference, axis=-1).max())
