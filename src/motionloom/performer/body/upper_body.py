"""Trunk, head and arms: shoulders turn against the hips, the gaze stays steady, arms swing opposite to the legs."""

import numpy as np

from motionloom.motion import Skeleton, rotations
from motionloom.performer import curves
from motionloom.performer.body.skeleton import build_skeleton
from motionloom.performer.gait.footsteps import Path
from motionloom.performer.gait.rhythm import Rhythm
from motionloom.performer.noise import smooth_noise
from motionloom.performer.stage import Stage

Z = np.array([0.0, 0.0, 1.0])
SPINE = (("Spine", 0.3), ("Chest", 0.35), ("UpperChest", 0.35))  # how the trunk's bend is shared
ARM_LAG, ARM_LEAD = 0.04, 0.03  # seconds that the arms follow the steps in walking, and lead them in running
LURCH = 0.8  # radians that the trunk leans over a lame leg, for a limp of 1
CHEST_LAG = 0.16  # seconds that the shoulders follow the hips


def pose_trunk(stage: Stage, path: Path, rhythm: Rhythm, hips: np.ndarray, local: np.ndarray) -> None:
    """Fill in the local rotations (F, J, 4) of spine, neck and head, given the hips' (F, 4) in the world."""
    skeleton, extra, ch = build_skeleton(), stage.additions, path.channels
    n, fps = len(path.times), path.fps
    stride = np.tanh(_delayed(rhythm.stride, path, CHEST_LAG, -CHEST_LAG) / 0.8)
    running = _running(path)
    support = 2 * curves.blur(rhythm.support, 0.09, fps) - 1
    breath = np.sin(2 * np.pi * np.cumsum(0.27 + 0.02 * smooth_noise(stage.rng, n, fps, 4.0)) / fps)
    yaw = (
        path.headings
        + 0.1 * (1 + running) * ch["twist"] * stride
        + extra["twist"]
        - ch["blade"]
        + 0.02 * smooth_noise(stage.rng, n, fps, 3.0)
    )
    pitch = ch["lean"] + 0.008 * breath + 0.01 * smooth_noise(stage.rng, n, fps, 2.5)
    roll = extra["side_bend"] - 0.02 * support + 0.01 * smooth_noise(stage.rng, n, fps, 3.0)
    roll = roll - LURCH * ch["limp"] * np.where(ch["limp"] > 0, 1 + support, 1 - support) / 2
    chest = rotations.from_euler(np.stack([yaw, pitch, roll], -1), "YXZ")
    bend = rotations.log(rotations.multiply(rotations.inverse(hips), chest))
    for joint, part in SPINE:
        local[:, skeleton.index(joint)] = rotations.exp(bend * part)
    local[:, skeleton.index("UpperChest")] = rotations.multiply(
        local[:, skeleton.index("UpperChest")], rotations.about_axis(np.array([1.0, 0.0, 0.0]), -0.012 * breath)
    )
    _pose_head(stage, path, chest, local)


def _pose_head(stage: Stage, path: Path, chest: np.ndarray, local: np.ndarray) -> None:
    skeleton, extra, n, fps = build_skeleton(), stage.additions, len(path.times), path.fps
    ahead = path.headings[np.minimum(np.arange(n) + int(0.35 * fps), n - 1)]
    glance = 0.06 * smooth_noise(stage.rng, n, fps, 2.5) * (1 + path.channels["idle"])
    yaw = curves.blur(ahead, 0.12, fps) + extra["look_side"] + glance
    pitch = 0.08 + extra["look_down"] + 0.03 * smooth_noise(stage.rng, n, fps, 2.0) + 0.12 * path.channels["lean"]
    roll = 0.25 * extra["side_bend"] + 0.012 * smooth_noise(stage.rng, n, fps, 3.0)
    gaze = rotations.from_euler(np.stack([yaw, pitch, roll], -1), "YXZ")
    bend = rotations.log(rotations.multiply(rotations.inverse(chest), gaze))
    local[:, skeleton.index("Neck")] = rotations.exp(0.45 * bend)
    local[:, skeleton.index("Head")] = rotations.exp(0.55 * bend)


def pose_arms(stage: Stage, path: Path, rhythm: Rhythm, local: np.ndarray) -> None:
    """Fill in the local rotations (F, J, 4) of clavicles, arms, hands and fingers."""
    skeleton, extra, ch = build_skeleton(), stage.additions, path.channels
    n, fps = len(path.times), path.fps
    beat = np.tanh(_delayed(rhythm.stride, path, ARM_LAG, ARM_LEAD) / 0.7)
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        low = side.lower()
        strength = ch["arm_swing"] * (1 + 0.06 * smooth_noise(stage.rng, n, fps, 4.0))
        swing = -sign * beat * strength
        forward = ch["arm_forward"] + swing + extra[f"{low}_arm_forward"] + 0.02 * smooth_noise(stage.rng, n, fps, 2.0)
        out = ch["arm_out"] + extra[f"{low}_arm_out"] + 0.015 * smooth_noise(stage.rng, n, fps, 2.5)
        in_front = 0.5 * (1 - sign * beat)
        elbow = (
            ch["elbow"]
            + ch["elbow_swing"] * (in_front - 0.5)
            + extra[f"{low}_elbow"]
            + 0.03 * smooth_noise(stage.rng, n, fps, 2.0)
        )
        _set_arm(skeleton, local, side, sign, forward, out, elbow)
        local[:, skeleton.index(f"{side}Fingers")] = rotations.about_axis(Z, -sign * (0.45 + ch["fist"]))


def _delayed(stride: np.ndarray, path: Path, lag: float, lead: float) -> np.ndarray:
    """The beat of the steps, (F,), some seconds later in walking and earlier in running."""
    return np.interp(path.times - lag + (lag + lead) * _running(path), path.times, stride)


def _running(path: Path) -> np.ndarray:
    """0 in walking, 1 in running, (F,)."""
    return np.clip(-path.channels["overlap"] / 0.15, 0.0, 1.0)


def _set_arm(
    skeleton: Skeleton,
    local: np.ndarray,
    side: str,
    sign: float,
    forward: np.ndarray,
    out: np.ndarray,
    elbow: np.ndarray,
) -> None:
    x, y, z = np.eye(3)
    elbow = np.where(elbow > 2.0, 2.0 + 0.45 * np.tanh((elbow - 2.0) / 0.45), np.maximum(elbow, 0.03))  # muscles meet
    twist = 0.12 + 0.08 * np.tanh(elbow)
    upper = rotations.about_axis(x, -forward)
    upper = rotations.multiply(upper, rotations.about_axis(z, -sign * (np.pi / 2 - out)))
    upper = rotations.multiply(upper, rotations.about_axis(x, twist))
    shrug = 0.1 * np.clip(forward, -1.0, 1.5)
    local[:, skeleton.index(f"{side}Clavicle")] = rotations.from_euler(
        np.stack([-sign * shrug, sign * (0.03 + 0 * shrug)], -1), "YZ"
    )
    local[:, skeleton.index(f"{side}UpperArm")] = upper
    local[:, skeleton.index(f"{side}Forearm")] = rotations.about_axis(y, -sign * elbow)
    local[:, skeleton.index(f"{side}Hand")] = rotations.about_axis(z, np.full(len(elbow), -sign * 0.08))
