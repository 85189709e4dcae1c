"""Composing the text of a BVH file from a motion in file units and axes."""

import re

import numpy as np

from motionloom.motion import Motion, Skeleton, rotations

DEFAULT_ORDER = "ZYX"
ANGLE_DECIMALS = 6  # degrees; an error below a micrometre over two metres
STILL = np.radians(1e-5)  # an angle that never exceeds this needs no channel

_CHANNEL = {"X": "Xrotation", "Y": "Yrotation", "Z": "Zrotation"}


def compose(motion: Motion, orders: tuple[str, ...], decimals: int) -> str:
    """The content of a BVH file.

    Args:
        motion: in file units and axes.
        orders: rotation order per joint, such as "ZYX"; shorter for joints with fewer axes; or empty.
        decimals: of positions and offsets.
    """
    skeleton = motion.skeleton
    joints = depth_first(skeleton)
    angles, joint_orders = _all_angles(motion, orders)
    lines = ["HIERARCHY", *_hierarchy(skeleton, joints, joint_orders, decimals), "MOTION", f"Frames: {motion.n_frames}"]
    lines.append(f"Frame Time: {1.0 / motion.fps:.12g}")
    columns = [motion.root_positions] + [np.degrees(angles[j]) for j in joints]
    row = " ".join([f"%.{decimals}f"] * 3 + [f"%.{ANGLE_DECIMALS}f"] * sum(len(joint_orders[j]) for j in joints))
    numbers = np.concatenate(columns, axis=1)
    numbers = np.where(np.abs(numbers) < 0.5 * 10.0**-ANGLE_DECIMALS, 0.0, numbers)  # no "-0.000000"
    lines.extend(row % tuple(values) for values in numbers.tolist())
    return "\n".join(lines) + "\n"


def depth_first(skeleton: Skeleton) -> list[int]:
    """Joints in depth-first order, as in a BVH file."""
    children: list[list[int]] = [[] for _ in skeleton.names]
    for joint, parent in enumerate(skeleton.parents):
        if parent >= 0:
            children[parent].append(joint)
    order, waiting = [], [0]
    while waiting:
        joint = waiting.pop()
        order.append(joint)
        waiting.extend(reversed(children[joint]))
    return order


def _all_angles(motion: Motion, orders: tuple[str, ...]) -> tuple[list[np.ndarray], list[str]]:
    """Euler angles (F, n) in radians per joint and their order; a joint that needs more axes gets all three."""
    from motionloom.formats import _kernels

    angles, settled = [], []
    for joint in range(motion.skeleton.n_joints):
        wanted = orders[joint] if len(orders) == motion.skeleton.n_joints else DEFAULT_ORDER
        full = _complete_order(wanted)
        found = rotations.to_euler(motion.local_rotations[:, joint], full)
        if len(wanted) < 3 and (np.abs(found[:, len(wanted) :]) < STILL).all() and full.startswith(wanted):
            found, full = found[:, : len(wanted)], wanted
        if len(full) == 3:
            found = np.ascontiguousarray(found)
            _kernels.smooth_angles(found, full[0] == full[2])
        angles.append(found)
        settled.append(full)
    return angles, settled


def _complete_order(order: str) -> str:
    """One of the twelve orders of three axes that begins with the given letters."""
    for known in rotations.TAIT_BRYAN_ORDERS + rotations.PROPER_ORDERS:
        if order and known.startswith(order):
            return known
    return DEFAULT_ORDER


def _hierarchy(skeleton: Skeleton, joints: list[int], orders: list[str], decimals: int) -> list[str]:
    lines: list[str] = []
    depths: list[int] = []
    is_parent = set(skeleton.parents.tolist())
    for joint in joints:
        depth = len(skeleton.chain(joint)) - 1
        while depths and depths[-1] >= depth:
            lines.append("\t" * depths.pop() + "}")
        tabs = "\t" * depth
        lines.append(f"{tabs}{'JOINT' if depth else 'ROOT'} {_clean_name(skeleton.names[joint])}")
        lines.append(tabs + "{")
        depths.append(depth)
        offset = skeleton.offsets[joint] if depth else np.zeros(3)
        lines.append(f"{tabs}\tOFFSET {_vector(offset, decimals)}")
        channels = ([] if depth else ["Xposition", "Yposition", "Zposition"]) + [
            _CHANNEL[axis] for axis in orders[joint]
        ]
        lines.append(f"{tabs}\tCHANNELS {len(channels)} {' '.join(channels)}".rstrip())
        ends = skeleton.end_offsets[skeleton.end_parents == joint]
        if not len(ends) and joint not in is_parent:
            ends = np.zeros((1, 3))  # readers expect an end site on every leaf joint
        for end in ends:
            lines.extend(
                [f"{tabs}\tEnd Site", tabs + "\t{", f"{tabs}\t\tOFFSET {_vector(end, decimals)}", tabs + "\t}"]
            )
    while depths:
        lines.append("\t" * depths.pop() + "}")
    return lines


def _vector(vector: np.ndarray, decimals: int) -> str:
    return " ".join(f"{x:.{decimals + 1}f}" for x in vector + 0.0)


def _clean_name(name: str) -> str:
    return " ".join(re.sub(r"[{}\x00-\x1f\x7f]", " ", name).split()) or "joint"
