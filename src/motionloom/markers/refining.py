"""Refining a marked body: where its markers really are on their bones, and how large it is, found with its poses.

Over some frames of the clip, offsets, size and all poses are one problem of least squares. Its Gauss-Newton steps are
taken with the poses eliminated (variable projection): a step of offsets and size knows how the poses will follow, so a
few are enough where improving both in turn creeps.
"""

from dataclasses import replace

import numpy as np

from motionloom.markers.marked_body import MarkedBody, mark_body
from motionloom.markers.poses import Poses, follow_markers, marker_places, resettle, to_motion
from motionloom.markers.settings import FitSettings
from motionloom.motion import Motion, kinematics, rotations
from motionloom.tasks import Progress

FRAMES = 240  # of the clip that are looked at
LONGEST_STEP = 0.1  # seconds between two of them, so that poses can be followed
ROUNDS = 12  # at most
SETTLED = 1e-4  # metres of the last step of any offset, and of the size relative to itself
GIVEN = 1.0  # samples that the given offset of a marker counts for
HELD = 1.0  # 1 / radians^2, and 1 / metres^2: how much poses are held in a step, where markers do not tell
SIZES = (0.3, 3.0)  # of the given skeleton


def refine_body(
    body: MarkedBody,
    targets: np.ndarray,
    weights: np.ndarray,
    settings: FitSettings,
    fps: float,
    *,
    progress: Progress | None = None,
) -> tuple[MarkedBody, float]:
    """A body whose size and marker offsets fit a clip better, and its size relative to the given one.

    Args:
        body: to begin with.
        targets: (F, K, 3) metres; anything finite where a marker is missing.
        weights: (F, K) 1 / metres^2, 0 where a marker is missing.
        settings: what is refined.
        fps: frames per second.
        progress: called as progress(rounds_done, most_rounds).
    """
    step = int(np.clip(len(targets) // FRAMES, 1, max(1, round(LONGEST_STEP * fps))))
    targets, weights = targets[::step].copy(), weights[::step].copy()
    size = first_size(body, targets, weights) if settings.learns_size else 1.0
    given, skeleton = body, body.skeleton
    body = mark_body(skeleton.scaled(size), given.markers.scaled(size))
    loose = replace(settings, wide=4 * settings.wide, calm=1.0)
    poses = follow_markers(body, targets, weights, loose)
    for done in range(ROUNDS):
        if progress is not None:
            progress(done, ROUNDS)
        size_step, steps = _find_steps(body, poses, targets, weights, loose, size, given.markers.offsets)
        new = float(np.clip(size + size_step, *SIZES))
        offsets = body.markers.offsets * (1.0 if settings.learns_offsets else new / size) + steps
        size = new
        body = mark_body(skeleton.scaled(size), replace(given.markers, offsets=offsets))
        poses = resettle(body, targets, weights, loose, poses)
        if max(float(np.abs(steps).max()), abs(size_step)) < SETTLED:
            break
    return body, size


def first_size(body: MarkedBody, targets: np.ndarray, weights: np.ndarray) -> float:
    """The size that distances between markers on one bone tell: their median ratio; 1 where no two share a bone."""
    carriers, offsets, seen = body.nodes.carriers, body.nodes.offsets, weights > 0
    ratios = []
    for a in range(len(carriers)):
        for b in range(a):
            own, both = float(np.linalg.norm(offsets[a] - offsets[b])), seen[:, a] & seen[:, b]
            if carriers[a] == carriers[b] and own > 0.03 and both.any():
                apart = np.linalg.norm(targets[both, a] - targets[both, b], axis=-1)
                ratios.append(float(np.median(apart)) / own)
    return float(np.clip(np.median(ratios), *SIZES)) if ratios else 1.0


def _find_steps(
    body: MarkedBody,
    poses: Poses,
    targets: np.ndarray,
    weights: np.ndarray,
    settings: FitSettings,
    size: float,
    given: np.ndarray,
) -> tuple[float, np.ndarray]:
    """The Gauss-Newton step of size and offsets (K, 3), with the poses eliminated; 0 for what is not learnt.

    Args:
        body: K markers, N joints.
        poses: F frames.
        targets: (F, K, 3) metres.
        weights: (F, K) 1 / metres^2.
        settings: what is learnt.
        size: of the body, relative to the skeleton that was given.
        given: (K, 3) metres: offsets to begin with, of size 1.
    """
    motion = to_motion(body, poses, 1.0)
    left = targets - marker_places(body, motion)  # (F, K, 3)
    wide = settings.wide**2
    trust = weights * (wide / (wide + (left**2).sum(axis=-1))) ** 2
    scale = np.repeat(np.sqrt(trust), 3, axis=1)  # (F, 3 K)
    by_pose, by_body = (part * scale[..., None] for part in _jacobians(body, motion, settings, size))
    left = (left.reshape(len(left), -1) * scale)[..., None]
    held = np.concatenate([np.full(3, HELD), np.repeat(np.maximum(body.nodes.rest_weights, HELD), 3)])
    system = by_pose.transpose(0, 2, 1) @ by_pose + np.diag(held)
    wanted = by_pose.transpose(0, 2, 1) @ np.concatenate([by_body, left], axis=2)  # (F, D, P + 1)
    follow = np.linalg.solve(system, wanted)
    matrix = (by_body.transpose(0, 2, 1) @ by_body - wanted[..., :-1].transpose(0, 2, 1) @ follow[..., :-1]).sum(0)
    right = (by_body.transpose(0, 2, 1) @ left - wanted[..., :-1].transpose(0, 2, 1) @ follow[..., -1:]).sum(0)[:, 0]
    if settings.learns_offsets:
        _hold_given(matrix, right, body.markers.offsets - size * given, given, GIVEN * settings.noise**-2)
    step = np.linalg.solve(matrix + 1e-9 * np.trace(matrix) * np.eye(len(matrix)), right)
    size_step = float(step[-1]) if settings.learns_size else 0.0
    offsets = step[: given.size].reshape(-1, 3) if settings.learns_offsets else np.zeros(given.shape)
    return size_step, offsets


def _hold_given(matrix: np.ndarray, right: np.ndarray, apart: np.ndarray, given: np.ndarray, weight: float) -> None:
    """Add the given offsets, times the size, as samples: apart (K, 3) is offsets minus those."""
    n = given.size
    matrix[:n, :n] += weight * np.eye(n)
    right[:n] -= weight * apart.ravel()
    if len(matrix) > n:
        matrix[:n, n] -= weight * given.ravel()
        matrix[n, :n] -= weight * given.ravel()
        matrix[n, n] += weight * float((given**2).sum())
        right[n] += weight * float((apart * given).sum())


def _jacobians(body: MarkedBody, motion: Motion, settings: FitSettings, size: float) -> tuple[np.ndarray, np.ndarray]:
    """How markers move with poses (F, 3 K, 3 + 3 N), and with offsets and size (F, 3 K, P).

    Joints turn about the axes of the world. With offsets learnt, the size moves joints only; else offsets too.
    """
    positions, turned = kinematics.world(motion)
    carriers, n_frames = body.markers.carriers(body.skeleton), motion.n_frames
    places = kinematics.attached_positions(positions, turned, carriers, body.markers.offsets)
    n_markers, n_joints = len(carriers), len(body.joints)
    above = np.array([np.isin(body.joints, body.skeleton.chain(int(joint))) for joint in carriers])  # (K, N)
    arms = (places[:, :, None] - positions[:, None, body.joints]) * above[..., None]  # (F, K, N, 3)
    by_pose = np.zeros((n_frames, n_markers, 3, 3 + 3 * n_joints))
    by_pose[..., :3] = np.eye(3)
    for a in range(3):
        b, c = (a + 1) % 3, (a + 2) % 3
        by_pose[:, :, a, 3 + b :: 3] = arms[..., c]
        by_pose[:, :, a, 3 + c :: 3] = -arms[..., b]
    columns = []
    if settings.learns_offsets:
        by_offset = np.zeros((n_frames, n_markers, 3, n_markers, 3))
        rows = np.arange(n_markers)
        by_offset[:, rows, :, rows] = rotations.to_matrix(turned[:, carriers]).transpose(1, 0, 2, 3)
        columns.append(by_offset.reshape(n_frames, n_markers * 3, -1))
    if settings.learns_size:
        grown = positions[:, carriers] if settings.learns_offsets else places
        columns.append(((grown - positions[:, :1]) / size).reshape(n_frames, -1, 1))
    return by_pose.reshape(n_frames, 3 * n_markers, -1), np.concatenate(columns, axis=2)
