"""Detection of the up axis: that of the rest pose, unless gravity and feet at rest agree on another."""

from collections.abc import Mapping

import numpy as np

from motionloom.formats.detection import plumb
from motionloom.formats.options import ReadOptions
from motionloom.formats.take import Finding
from motionloom.motion import Motion, kinematics, rotations

CLEAR = 0.6  # minimum component of a direction along an axis that speaks for it
MAX_FRAMES = 200  # frames that are sampled

AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def turn_to_y(up: str) -> np.ndarray:
    """The rotation (4,) that maps a file's up axis, such as "z" or "-y", to y."""
    axis = np.array(AXES[up[-1]]) * (-1.0 if up.startswith("-") else 1.0)
    if up == "-y":
        return rotations.about_axis(np.array(AXES["z"]), np.pi)
    return rotations.between_vectors(axis, np.array(AXES["y"]))


def find(motion: Motion, options: ReadOptions) -> tuple[str, tuple[Finding, ...]]:
    """The up axis: "y", "z", "x" or one of them with a minus, and a finding.

    The axis along which the rest pose stands is the convention of the file. It is left only if free fall and balance
    over resting feet, as far as they say anything, agree on another axis, and at least one of them clearly.

    Args:
        motion: in metres, in the axes of the file.
        options: a given axis takes precedence.
    """
    if options.up != "auto":
        return options.up, (Finding("up", f"{options.up} is up, as given"),)
    recorded, standing = _body_directions(motion)
    if recorded is None or standing is None:
        return "y", (
            Finding("up", "hips and head are not known by name, so y up is assumed; give --up if it is not", True),
        )
    rest_axis, rest_share = plumb.main_axis(standing)
    if rest_share < CLEAR:
        return _without_rest_pose(motion, recorded)
    balance = plumb.find_balance(motion)
    if balance is not None and balance.is_clear and balance.axis == rest_axis:
        message = f"{rest_axis} is up: the rest pose stands along it, and the body over its resting feet"
        return rest_axis, (Finding("up", message),)
    return _weigh(rest_axis, balance, plumb.find_free_fall(motion), recorded)


def _weigh(
    rest_axis: str, balance: plumb.Plumb | None, free_fall: plumb.Plumb | None, recorded: np.ndarray
) -> tuple[str, tuple[Finding, ...]]:
    """The axis of the rest pose unless the witnesses agree on another."""
    witnesses = _speaking(balance, free_fall)
    named = {witness.axis for witness in witnesses.values()}
    if _agree(witnesses) and rest_axis not in named:
        axis = named.pop()
        message = f"{axis} is up: {' and '.join(witnesses)} names it, although the rest pose stands along {rest_axis}"
        return axis, (Finding("up", message, True),)
    message = f"{rest_axis} is up: the rest pose stands along it"
    against = [f"{words} speaks for {other.axis}" for words, other in witnesses.items() if other.axis != rest_axis]
    body_axis, share = plumb.main_axis(recorded)
    if not witnesses and share >= CLEAR and body_axis != rest_axis:
        against = [f"the recorded body speaks for {body_axis}"]
    if not against:
        return rest_axis, (Finding("up", message),)
    doubt = f"{message}, but {' and '.join(against)}; give --up unless somebody lies, swims or tumbles here"
    return rest_axis, (Finding("up", doubt, True),)


def _without_rest_pose(motion: Motion, recorded: np.ndarray) -> tuple[str, tuple[Finding, ...]]:
    """The axis on which the witnesses agree, else the one along which the recorded body stands."""
    witnesses = _speaking(plumb.find_balance(motion), plumb.find_free_fall(motion))
    named = {witness.axis for witness in witnesses.values()}
    if _agree(witnesses):
        axis = named.pop()
        return axis, (Finding("up", f"{axis} is up: {' and '.join(witnesses)} names it; the rest pose does not"),)
    axis, share = plumb.main_axis(recorded)
    if share >= CLEAR:
        message = f"{axis} is up: the body points there, {share:.2f} of its length on average"
        return axis, (Finding("up", f"{message}; the rest pose says nothing; give --up if the person lies", True),)
    return "y", (
        Finding("up", "no axis is clearly up; y is assumed; give --up z if the person lies on the floor", True),
    )


def _agree(witnesses: Mapping[str, plumb.Plumb]) -> bool:
    """Whether all witnesses name the same axis, and one does so clearly, or two independently of each other."""
    found = list(witnesses.values())
    both = len(found) == 2 and min(witness.share for witness in found) >= plumb.CLEAR
    return len({witness.axis for witness in found}) == 1 and (both or any(witness.is_clear for witness in found))


def _speaking(balance: plumb.Plumb | None, free_fall: plumb.Plumb | None) -> dict[str, plumb.Plumb]:
    """The witnesses that say anything, by the words for them."""
    named = {"balance over feet at rest": balance, "gravity": free_fall}
    return {words: witness for words, witness in named.items() if witness is not None and witness.share >= CLEAR}


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
