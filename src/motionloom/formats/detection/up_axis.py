"""Detection of the up axis, from the direction of the body."""

import numpy as np

from motionloom.formats.options import ReadOptions
from motionloom.formats.take import Finding
from motionloom.motion import Motion, kinematics, rotations

CLEAR = 0.6  # mean component of the body's direction above which an axis is up
MAX_FRAMES = 200  # frames that are sampled

AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def turn_to_y(up: str) -> np.ndarray:
    """The rotation (4,) that maps a file's up axis, such as "z" or "-y", to y."""
    axis = np.array(AXES[up[-1]]) * (-1.0 if up.startswith("-") else 1.0)
    if up == "-y":
        return rotations.about_axis(np.array(AXES["z"]), np.pi)
    return rotations.between_vectors(axis, np.array(AXES["y"]))


def find(motion: Motion, options: ReadOptions) -> tuple[str, tuple[Finding, ...]]:
    """The up axis: "y", "z", "x" or one of them with a minus, and a finding."""
    if options.up != "auto":
        return options.up, (Finding("up", f"{options.up} is up, as given"),)
    recorded, standing = _body_directions(motion)
    if recorded is None or standing is None:
        return "y", (
            Finding("up", "hips and head are not known by name, so y up is assumed; give --up if it is not", True),
        )
    axis, share = _main_axis(recorded)
    rest_axis, rest_share = _main_axis(standing)
    if share >= CLEAR:
        message = f"{axis} is up: the body points there, {share:.2f} of its length on average"
        doubtful = rest_share >= CLEAR and rest_axis != axis
        if doubtful:
            message += f"; but the rest pose stands along {rest_axis}: give --up if the person lies down"
        return axis, (Finding("up", message, doubtful),)
    if rest_share >= CLEAR:
        message = f"{rest_axis} is up: the rest pose stands along it, although the recorded body points elsewhere"
        return rest_axis, (Finding("up", message, rest_axis != "y"),)
    return "y", (
        Finding("up", "no axis is clearly up; y is assumed; give --up z if the person lies on the floor", True),
    )


def _body_directions(motion: Motion) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Mean direction from the feet (or hips) to the head, (3,) over frames, and in the rest pose."""
    skeleton = motion.skeleton
    if not skeleton.has("hips", "head") or skeleton.index("hips") == skeleton.index("head"):
        return None, None
    step = max(1, motion.n_frames // MAX_FRAMES)
    positions, _ = kinematics.forward(skeleton, motion.root_positions[::step], motion.local_rotations[::step])
    low = [skeleton.index(role) for role in ("left_foot", "right_foot") if skeleton.has(role)] or [
        skeleton.index("hips")
    ]
    head = skeleton.index("head")
    bodies = positions[:, head] - positions[:, low].mean(axis=1)
    rest = skeleton.rest_positions[head] - skeleton.rest_positions[low].mean(axis=0)
    return _unit(bodies).mean(axis=0), _unit(rest)


def _unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-12)


def _main_axis(direction: np.ndarray) -> tuple[str, float]:
    main = int(np.abs(direction).argmax())
    return ("-" if direction[main] < 0 else "") + "xyz"[main], float(abs(direction[main]))
