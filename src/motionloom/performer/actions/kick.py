"""Kicks out of the ready stance: straight ahead, and round from the side."""

import numpy as np

from motionloom.errors import BadInput
from motionloom.performer.actions.ready import join_in
from motionloom.performer.noise import vary
from motionloom.performer.scores.score import Cue
from motionloom.performer.stage import FootTask, Stage

OFF = 0.5  # seconds from the start of the cue until the foot leaves the floor, while the weight shifts to the other
KINDS = ("front", "round")


def perform(stage: Stage, cue: Cue, kind: str = "front", leg: str = "rear", height: float = 0.05) -> None:
    """Kick once; the cue should last 1.9 seconds or more.

    Args:
        stage: where to write.
        cue: when.
        kind: front, straight ahead with the ball of the foot; round, from the side with the instep.
        leg: rear or lead.
        height: metres of the foot above the hips.
    """
    if kind not in KINDS or leg not in ("rear", "lead"):
        raise BadInput(f"no kick '{kind}', '{leg}'; kinds: {', '.join(KINDS)}; legs: rear, lead")
    lead = join_in(stage, cue, "kick")
    sign = lead if leg == "lead" else -lead  # of the leg that kicks; 1 is the left
    off = cue.start + vary(stage.rng, OFF, 0.04)
    make = _front if kind == "front" else _round
    hit, task = make(stage, sign, lead, off, vary(stage.rng, height, 0.1) + 0.02 * stage.rng.standard_normal())
    stage.requests.append(task)
    stage.add("poise", 0.9, cue.start, task.land + 1.0, 0.35, 0.45)
    stage.add("crouch", -0.02, off - 0.1, task.land, 0.35, 0.4)
    stage.event("kick", hit, feet=[task.side], style=kind, leg=leg)


def _front(stage: Stage, sign: float, lead: float, off: float, height: float) -> tuple[float, FootTask]:
    rng = stage.rng
    far = vary(rng, 0.78, 0.008)
    knee_up, hit = off + vary(rng, 0.3, 0.05), off + vary(rng, 0.48, 0.04)
    folded, land = hit + vary(rng, 0.24, 0.05), hit + vary(rng, 0.62, 0.05)
    points = np.array(
        [
            [0.1 * sign, -0.36, 0.24],
            [0.06 * sign, height, far],
            [0.1 * sign, -0.34, 0.34],
        ]
    )
    _lean_away(stage, off, hit, land, lean=-0.42, pitch=-0.26)
    turn = -sign * (0.45 if sign != lead else -0.05)  # the hip of the leg comes forward
    stage.add("hips_yaw", turn, off - 0.2, land + 0.2, hit - off + 0.1, land - hit)
    stage.add("twist", 0.4 * turn, off - 0.2, land + 0.2, hit - off + 0.1, land - hit)
    side = "left" if sign > 0 else "right"
    return hit, FootTask(side, off, land, (knee_up, hit, folded), points, ankle=0.15, flowing=True)


def _round(stage: Stage, sign: float, lead: float, off: float, height: float) -> tuple[float, FootTask]:
    rng = stage.rng
    far = vary(rng, 0.808, 0.006)
    knee_up, hit = off + vary(rng, 0.3, 0.05), off + vary(rng, 0.55, 0.03)
    folded, land = hit + vary(rng, 0.31, 0.05), hit + vary(rng, 0.72, 0.05)
    points = np.array(
        [
            [0.34 * sign, -0.3, 0.08],
            [0.42 * sign, -0.06, 0.46],
            [-0.08 * sign, height + 0.05, far],
            [0.2 * sign, -0.22, 0.4],
        ]
    )
    knees = np.array([[0.3 * sign, 0.4, 1.0], [0.05 * sign, 0.6, 1.0], [-0.6 * sign, 0.8, 0.3], [0.0, 0.7, 1.0]])
    between = knee_up + 0.5 * (hit - knee_up)
    _lean_away(stage, off, hit, land, lean=-0.3, pitch=-0.12)
    stage.add("side_bend", sign * 0.44, off, land + 0.2, hit - off, land - hit)
    turn = -sign * (1.15 if sign != lead else 0.55)
    stage.add("hips_yaw", turn, off - 0.2, land + 0.25, hit - off + 0.2, land - hit + 0.1)
    stage.add("twist", 0.45 * turn, off - 0.15, land + 0.25, hit - off + 0.1, land - hit)
    side, standing = ("left", "right") if sign > 0 else ("right", "left")
    for part, amount in (("pivot", -sign * vary(rng, 0.6, 0.08)), ("heel_up", vary(rng, 0.44, 0.06))):
        stage.add(f"{standing}_{part}", amount, off, land + 0.1, hit - off, land + 0.1 - hit)
    return hit, FootTask(side, off, land, (knee_up, between, hit, folded), points, ankle=0.55, knee=knees, flowing=True)


def _lean_away(stage: Stage, off: float, hit: float, land: float, lean: float, pitch: float) -> None:
    """Bend the trunk back, against the leg that goes forwards."""
    size = vary(stage.rng, 1.0, 0.1)
    stage.add("lean", size * lean, off - 0.1, land + 0.25, hit - off, land - hit)
    stage.add("hips_pitch", size * pitch, off - 0.1, land + 0.25, hit - off, land - hit)
