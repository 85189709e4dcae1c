"""Hands: arms reach points by inverse kinematics, and the body follows when a point is out of reach."""

import numpy as np

from motionloom.motion import kinematics, rotations, two_bone_ik
from motionloom.performer import curves
from motionloom.performer.body.skeleton import FOREARM, GRIP, UPPER_ARM, build_skeleton
from motionloom.performer.gait.footsteps import SIDES, Path
from motionloom.performer.stage import HandTask, Stage

COMFORTABLE = 0.97 * (UPPER_ARM + FOREARM)  # metres: the elbow never locks
MIRROR = np.array([-1.0, 1.0, 1.0])


def palm_positions(side: str, positions: np.ndarray, world_rotations: np.ndarray) -> np.ndarray:
    """The middle of the palm, (F, 3) metres, world, from the joints' (F, J, 3) positions and (F, J, 4) rotations."""
    hand = np.array([build_skeleton().index(f"{side}_hand")])
    return kinematics.attached_positions(positions, world_rotations, hand, _grip(side)[None])[:, 0]


def weight_of(task: HandTask, times: np.ndarray) -> np.ndarray:
    """(F,) weight of a task for the hand, 0 to 1."""
    return curves.pulse(
        times, task.times[0] - task.ease_in, task.times[-1] + task.ease_out, task.ease_in, task.ease_out
    )


def help_hands(stage: Stage, path: Path, roots: np.ndarray, local: np.ndarray) -> np.ndarray:
    """Move the hips, (F, 3) metres, so far that points in the world come within reach of the arms."""
    skeleton, result = build_skeleton(), roots.copy()
    for _ in range(3):
        positions, turned = kinematics.forward(skeleton, result, local)
        push = np.zeros_like(result)
        for task in stage.hands:
            if task.frame != "world":
                continue
            shoulder = positions[:, skeleton.index(f"{task.side}_shoulder")]
            wrist, _ = _aim(task, path, positions, turned)
            line = wrist - shoulder
            distance = np.linalg.norm(line, axis=-1)
            needed = np.where(weight_of(task, path.times) > 0.999, np.maximum(distance - COMFORTABLE, 0.0), 0.0)
            push = _larger(push, line / np.maximum(distance, 1e-6)[:, None] * needed[:, None])
        if np.abs(push).max() < 1e-4:
            break
        result += _soften(push, path.fps)
    return result


def pose_hands(stage: Stage, path: Path, roots: np.ndarray, local: np.ndarray) -> np.ndarray:
    """Bend the arms in (F, J, 4) local rotations so that the palms are where the tasks want them."""
    for side in SIDES:
        tasks = [task for task in sorted(stage.hands, key=lambda t: t.times[0]) if task.side == side]
        if tasks:
            local = _pose_hand(side, tasks, path, roots, local)
    return local


def _pose_hand(side: str, tasks: list[HandTask], path: Path, roots: np.ndarray, local: np.ndarray) -> np.ndarray:
    skeleton = build_skeleton()
    hand, forearm = skeleton.index(f"{side}_hand"), skeleton.index(f"{side}_elbow")
    positions, turned = kinematics.forward(skeleton, roots, local)
    wrist, facing = positions[:, hand], turned[:, hand]
    towards = _elbow_direction(side, positions, turned)
    busy = np.zeros(len(wrist))
    for task in tasks:
        weight = weight_of(task, path.times)
        busy = np.maximum(busy, weight)
        target, orientation = _aim(task, path, positions, turned)
        shoulder = positions[:, skeleton.index(f"{side}_shoulder")]
        wrist = shoulder + _swing_round(wrist - shoulder, target - shoulder, weight, path.headings)
        facing = _turn_steadily(facing, orientation, weight)
        elbow = np.array(task.elbow) * (1.0 if side == "left" else MIRROR)
        elbow = rotations.rotate(
            rotations.about_y(path.headings), np.broadcast_to(elbow / np.linalg.norm(elbow), wrist.shape)
        )
        towards = towards + (elbow - towards) * weight[:, None]
    some = np.flatnonzero(busy > 0)
    shoulder = positions[some, skeleton.index(f"{side}_shoulder")]
    wrist = shoulder + _soft_reach(wrist[some] - shoulder)
    bent, _ = two_bone_ik.reach(
        skeleton, roots[some], local[some], f"{side}_arm", wrist, bend_towards=towards[some], end_rotations=facing[some]
    )
    result = local.copy()
    result[some] = _share_twist(bent, hand, forearm, busy[some])
    return result


def _aim(task: HandTask, path: Path, positions: np.ndarray, turned: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where the wrist goes, (F, 3) metres, and how the hand is turned, (F, 4), in the world."""
    skeleton = build_skeleton()
    shape = (len(path.times), 3)
    through = curves.through_points if task.flowing else curves.through_stops
    points = through(path.times, task.times, task.points)
    origin, turn = _frame(task.frame, path, positions, turned)
    palm_at = origin + rotations.rotate(turn, points)
    palm = rotations.rotate(turn, np.broadcast_to(np.array(task.palm, float), shape))
    if task.fingers is None:
        fingers = palm_at - positions[:, skeleton.index(f"{task.side}_shoulder")]
    else:
        fingers = rotations.rotate(turn, np.broadcast_to(np.array(task.fingers, float), shape))
    x = fingers / np.linalg.norm(fingers, axis=-1, keepdims=True) * (1.0 if task.side == "left" else -1.0)
    y = -(palm - x * (palm * x).sum(-1, keepdims=True))
    y = y / np.maximum(np.linalg.norm(y, axis=-1, keepdims=True), 1e-6)
    orientation = rotations.from_matrix(np.stack([x, y, np.cross(x, y)], -1))
    return palm_at - rotations.rotate(orientation, np.broadcast_to(_grip(task.side), shape)), orientation


def _frame(name: str, path: Path, positions: np.ndarray, turned: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    if name == "world":
        return np.zeros((len(positions), 3)), rotations.identity((len(positions),))
    if name == "chest":
        chest = build_skeleton().index("chest")
        return positions[:, chest], turned[:, chest]
    return positions[:, 0], rotations.about_y(path.headings)


def _elbow_direction(side: str, positions: np.ndarray, turned: np.ndarray) -> np.ndarray:
    """(F, 3) direction of the elbow for the two-bone solver, continuous with the arm swing when a task begins."""
    skeleton = build_skeleton()
    upper, middle, end = (skeleton.index(f"{side}_{joint}") for joint in ("shoulder", "elbow", "hand"))
    line = positions[:, end] - positions[:, upper]
    line = line / np.linalg.norm(line, axis=-1, keepdims=True)
    bone = positions[:, middle] - positions[:, upper]
    out = bone - line * (bone * line).sum(-1, keepdims=True)
    natural = rotations.rotate(turned[:, upper], np.broadcast_to(np.array([0.0, 0.0, -1.0]), out.shape))
    out = out + 0.01 * UPPER_ARM * natural
    return out / np.linalg.norm(out, axis=-1, keepdims=True)


def _share_twist(local: np.ndarray, hand: int, forearm: int, weight: np.ndarray) -> np.ndarray:
    """Let the forearm take most of the hand's turn about its length, as radius and ulna do."""
    result = local.copy()
    _, twist = rotations.split_swing_twist(local[:, hand], np.array([1.0, 0.0, 0.0]))
    part = rotations.exp(rotations.log(twist) * (0.6 * weight)[:, None])
    result[:, forearm] = rotations.multiply(local[:, forearm], part)
    result[:, hand] = rotations.multiply(rotations.inverse(part), local[:, hand])
    return result


def _swing_round(line: np.ndarray, target: np.ndarray, weight: np.ndarray, headings: np.ndarray) -> np.ndarray:
    """Go a part (F,) of the way between (F, 3) shoulder-to-wrist vectors, round the front of the shoulder."""
    turn = rotations.about_y(headings)
    (raise_0, out_0, length_0), (raise_1, out_1, length_1) = (
        _arm_angles(rotations.rotate(rotations.inverse(turn), v)) for v in (line, target)
    )
    raised, out = raise_0 + (raise_1 - raise_0) * weight, out_0 + (out_1 - out_0) * weight
    length = length_0 + (length_1 - length_0) * weight
    flat = np.cos(out) * length
    return rotations.rotate(turn, np.stack([np.sin(out) * length, -np.cos(raised) * flat, np.sin(raised) * flat], -1))


def _arm_angles(line: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """How far (F, 3) arms in the body's frame are raised to the front, how far to the left, and how long they are.

    The first runs from hanging, 0, over forwards to up, pi, and on; behind the back it is negative. The jump between
    the two lies where no arm goes, up behind.
    """
    length = np.linalg.norm(line, axis=-1)
    raised = np.arctan2(line[:, 2], -line[:, 1])
    return np.where(raised < -2.2, raised + 2 * np.pi, raised), np.arcsin(np.clip(line[:, 0] / length, -1, 1)), length


def _turn_steadily(start: np.ndarray, end: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Go a part (F,) of the way between rotations, the same way round in all frames."""
    between = rotations.align_signs(rotations.multiply(rotations.inverse(start), end))
    between = between * (1.0 if between[weight.argmax(), 0] >= 0 else -1.0)
    sine = np.linalg.norm(between[:, 1:], axis=-1)
    angle = 2 * np.arctan2(sine, between[:, 0])
    return rotations.multiply(start, rotations.exp(between[:, 1:] * (weight * angle / np.maximum(sine, 1e-9))[:, None]))


def _soft_reach(line: np.ndarray) -> np.ndarray:
    """Shorten (F, 3) shoulder-to-wrist vectors that are longer than the arm, without a corner."""
    distance = np.linalg.norm(line, axis=-1, keepdims=True)
    full, soft = 0.995 * (UPPER_ARM + FOREARM), 0.975 * (UPPER_ARM + FOREARM)
    over = np.maximum(distance - soft, 0.0)
    return (
        line / np.maximum(distance, 1e-9) * np.minimum(distance, soft + (full - soft) * np.tanh(over / (full - soft)))
    )


def _grip(side: str) -> np.ndarray:
    return GRIP * (1.0 if side == "left" else MIRROR)


def _larger(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    longer = np.linalg.norm(b, axis=-1) > np.linalg.norm(a, axis=-1)
    return np.where(longer[:, None], b, a)


def _soften(push: np.ndarray, fps: float) -> np.ndarray:
    """Spread (F, 3) needed moves over the time around them."""
    from scipy.ndimage import maximum_filter1d, minimum_filter1d

    size = 2 * int(0.45 * fps) + 1
    spread = maximum_filter1d(np.maximum(push, 0), size, axis=0) + minimum_filter1d(np.minimum(push, 0), size, axis=0)
    return curves.blur(spread, 0.15, fps)
