"""Performing a score: from cues over footsteps and posture to a motion with its truth."""

from dataclasses import dataclass

import numpy as np

from motionloom.motion import Motion, rotations, two_bone_ik
from motionloom.performer import actions
from motionloom.performer.body.balance import keep_balance, spare_leg
from motionloom.performer.body.feet import FootTrack, follow_points, track_foot
from motionloom.performer.body.hands import help_hands, pose_hands
from motionloom.performer.body.pelvis import hip_positions, move_pelvis, within_reach
from motionloom.performer.body.skeleton import build_skeleton
from motionloom.performer.body.upper_body import pose_arms, pose_trunk
from motionloom.performer.gait.footsteps import SIDES, Path, StepPlan, lay_path, plan_footsteps
from motionloom.performer.gait.rhythm import Rhythm, find_rhythm
from motionloom.performer.scores.score import Score
from motionloom.performer.stage import Stage

FPS = 60.0


@dataclass(frozen=True)
class Moved:
    """The result of a stage: the motion, and the plan from which its ground truth is read."""

    motion: Motion
    plan: StepPlan
    path: Path
    rhythm: Rhythm


def set_stage(score: Score, rng: np.random.Generator, fps: float = FPS) -> Stage:
    """Collect the requests of all actions of a score on a stage."""
    stage = Stage(score.seconds, fps, rng)
    for cue in sorted(score.cues, key=lambda c: c.start):
        actions.find(cue.action)(stage, cue, **cue.options)
    return stage


def move(stage: Stage) -> Moved:
    """Turn a stage into motion: footsteps, feet, pelvis, trunk and arms, balance, hands, legs."""
    path = lay_path(stage)
    plan = plan_footsteps(stage, path)
    for request, off, land in plan.done:
        if request.react is not None:
            request.react(stage, off, land)
    path = lay_path(stage)  # with what the reactions added to the posture
    planned = feet = {side: _track_foot(side, stage, plan) for side in SIDES}
    rhythm = find_rhythm(stage, path, plan)
    roots, hips = move_pelvis(stage, path, plan, rhythm, feet)
    feet = _follow_points(planned, stage, path, roots)
    local = rotations.identity((len(path.times), build_skeleton().n_joints))
    local[:, 0] = hips
    pose_trunk(stage, path, rhythm, hips, local)
    pose_arms(stage, path, rhythm, local)
    for _ in range(2):
        standing = _pose_legs(feet, roots, hips, path, pose_hands(stage, path, roots, local))
        roots = keep_balance(stage, path, rhythm, feet, roots, standing)
        roots = help_hands(stage, path, roots, local)
        roots = within_reach(stage, roots, hips, feet)
        feet = _follow_points(planned, stage, path, roots)
    local = _pose_legs(feet, roots, hips, path, pose_hands(stage, path, roots, local))
    return Moved(Motion(build_skeleton(), roots, rotations.align_signs(local), stage.fps), plan, path, rhythm)


def _track_foot(side: str, stage: Stage, plan: StepPlan) -> FootTrack:
    heel_up, toes_up = (np.maximum(stage.additions[f"{side}_{part}_up"], 0.0) for part in ("heel", "toes"))
    pivot = stage.additions[f"{side}_pivot"]
    return track_foot(side, plan.plants[side], plan.flights(), stage.times, heel_up, toes_up, pivot)


def _follow_points(feet: dict[str, FootTrack], stage: Stage, path: Path, roots: np.ndarray) -> dict[str, FootTrack]:
    return {side: follow_points(side, foot, stage, path.headings, roots) for side, foot in feet.items()}


def _pose_legs(
    feet: dict[str, FootTrack], roots: np.ndarray, hips: np.ndarray, path: Path, local: np.ndarray
) -> np.ndarray:
    skeleton = build_skeleton()
    for side, foot in feet.items():
        hip = hip_positions(side, roots, hips)
        ankles = spare_leg(foot, hip)
        knee_heading = 0.5 * (foot.headings + path.headings - path.channels["blade"])
        hinge = np.stack([np.cos(knee_heading), np.zeros(len(hip)), -np.sin(knee_heading)], -1)  # to the left
        towards = np.cross(ankles - hip, hinge)
        if foot.knees is not None:
            towards = _turn_knee(towards, foot.knees)
        local, _ = two_bone_ik.reach(
            skeleton, roots, local, f"{side}_leg", ankles, bend_towards=towards, end_rotations=foot.foot_turns
        )
        local[:, skeleton.index(f"{side}_ball")] = foot.toe_turns
        if foot.bends is not None:
            ankle = skeleton.index(f"{side}_foot")
            stretched = rotations.about_axis(np.array([1.0, 0.0, 0.0]), foot.bends[:, 0])
            local[:, ankle] = rotations.slerp(local[:, ankle], stretched, foot.bends[:, 1])
    return local


def _turn_knee(towards: np.ndarray, knees: np.ndarray) -> np.ndarray:
    """(F, 3) direction of a knee, blended between that of the step and that of a task, (F, 4) with its weight."""
    step = towards / np.linalg.norm(towards, axis=-1, keepdims=True)
    task = knees[:, :3] / np.maximum(np.linalg.norm(knees[:, :3], axis=-1, keepdims=True), 1e-6)
    return step + (task - step) * knees[:, 3:]
