"""Performing a score: from cues over footsteps and posture to a motion with its truth."""

import numpy as np

from motionloom.motion import Motion, kinematics, limbs, rotations
from motionloom.performer import actions
from motionloom.performer.feet import FootTrack, track_foot
from motionloom.performer.footsteps import SIDES, Path, Plan, lay_path, plan_footsteps
from motionloom.performer.pelvis import Rhythm, find_rhythm, move_pelvis
from motionloom.performer.score import Score
from motionloom.performer.skeleton import build_skeleton
from motionloom.performer.stage import Stage
from motionloom.performer.upper_body import pose_arms, pose_trunk

FPS = 60.0


def set_stage(score: Score, rng: np.random.Generator, fps: float = FPS) -> Stage:
    """Let every action of a score write down what it wants."""
    stage = Stage(score.seconds, fps, rng)
    for cue in sorted(score.cues, key=lambda c: c.start):
        actions.find(cue.action)(stage, cue, **cue.options)
    return stage


def move(stage: Stage) -> tuple[Motion, Plan, Path, Rhythm]:
    """Turn a stage into motion: footsteps, feet, pelvis, trunk, arms, legs, hands."""
    path = lay_path(stage)
    plan = plan_footsteps(stage, path)
    feet = {side: track_foot(side, plan.plants[side], path.times) for side in SIDES}
    rhythm = find_rhythm(stage, path, plan)
    roots, hips = move_pelvis(stage, path, plan, rhythm, feet)
    skeleton = build_skeleton()
    local = rotations.identity((len(path.times), skeleton.n_joints))
    local[:, 0] = hips
    pose_trunk(stage, path, rhythm, hips, local)
    pose_arms(stage, path, rhythm, local)
    for side in SIDES:
        local = _pose_leg(side, feet[side], roots, path, local)
    motion = Motion(skeleton, roots, rotations.align_signs(local), stage.fps)
    return motion, plan, path, rhythm


def _pose_leg(side: str, foot: FootTrack, roots: np.ndarray, path: Path, local: np.ndarray) -> np.ndarray:
    skeleton = build_skeleton()
    knee_heading = 0.5 * (foot.headings + path.headings)
    towards = np.stack([np.sin(knee_heading), 0.1 + 0 * knee_heading, np.cos(knee_heading)], -1)
    local, _ = limbs.reach(
        skeleton, roots, local, f"{side}_leg", foot.ankles, bend_towards=towards, end_rotations=foot.foot_turns
    )
    local[:, skeleton.index(f"{side}_ball")] = foot.toe_turns
    return local
