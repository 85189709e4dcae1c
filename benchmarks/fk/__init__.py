"""Forward kinematics of a 31-joint skeleton beside upc-pymotion."""

from pathlib import Path

import numpy as np

from benchmarks.measure import best_of, calibration, figure
from motionloom.motion import Skeleton, kinematics, rotations

N_FRAMES = 100_000
TAKE_FRAMES = 1000  # what a usual take has
# the hierarchy of the CMU recordings: 31 joints
PARENTS = [
    -1,
    0,
    1,
    2,
    3,
    4,
    0,
    6,
    7,
    8,
    9,
    0,
    11,
    12,
    13,
    14,
    15,
    13,
    17,
    18,
    19,
    20,
    21,
    20,
    13,
    24,
    25,
    26,
    27,
    28,
    27,
]


def figures(data: Path | None) -> list[dict]:
    """Frames per second of whole motions, positions and rotations, double precision; the peer on the same arrays."""
    from pymotion.ops.skeleton import fk as peer_fk

    rng = np.random.default_rng(0)
    skeleton = Skeleton(tuple(f"j{i}" for i in range(31)), np.array(PARENTS), rng.normal(scale=0.2, size=(31, 3)))
    local = rotations.normalize(rng.normal(size=(N_FRAMES, 31, 4)))
    root = rng.normal(size=(N_FRAMES, 3))

    kinematics.forward(skeleton, root[:2], local[:2])  # compile
    ours = best_of(lambda: kinematics.forward(skeleton, root, local), times=40)  # as long as the peer gets
    peer = best_of(lambda: peer_fk(local, root, skeleton.offsets, skeleton.parents))
    take, take_root = local[:TAKE_FRAMES], root[:TAKE_FRAMES]
    our_take = best_of(lambda: [kinematics.forward(skeleton, take_root, take) for _ in range(20)]) / 20
    peer_take = best_of(lambda: peer_fk(take, take_root, skeleton.offsets, skeleton.parents), times=20)
    difference = np.abs(
        kinematics.forward(skeleton, root[:100], local[:100])[0]
        - peer_fk(local[:100], root[:100], skeleton.offsets, skeleton.parents)[0]
    )
    return [
        figure("FK of 31 joints; speed", N_FRAMES / ours, "frames/s", "higher", peer=N_FRAMES / peer),
        figure("FK of 31 joints; ratio to upc-pymotion", peer / ours, "x", "higher"),
        figure(
            f"FK of 31 joints, a take of {TAKE_FRAMES} frames; speed",
            TAKE_FRAMES / our_take,
            "frames/s",
            "higher",
            peer=TAKE_FRAMES / peer_take,
        ),
        figure(
            f"FK of 31 joints, a take of {TAKE_FRAMES} frames; ratio to upc-pymotion",
            peer_take / our_take,
            "x",
            "higher",
        ),
        figure("FK, largest difference from upc-pymotion", difference.max() * 1000, "mm", "lower"),
        calibration(),
    ]
