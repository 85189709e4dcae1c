"""Picking something up from a given point, and placing it at one."""

import numpy as np

from motionloom.performer.actions.carry import hold
from motionloom.performer.gait.footsteps import place_ahead
from motionloom.performer.noise import vary
from motionloom.performer.scores.score import Cue
from motionloom.performer.stage import HandTask, Stage

SHOULDER_HEIGHT, SHOULDERS_ABOVE_HIPS, ARM_DROP = 1.41, 0.47, 0.46  # metres


def perform(stage: Stage, cue: Cue, **options: object) -> None:
    """Pick up: bend to a point, take hold at the middle of the cue, rise. Options: those of `handle`."""
    handle(stage, cue, "pick_up", **options)  # type: ignore[arg-type]


def place(stage: Stage, cue: Cue, **options: object) -> None:
    """Place: bend to a point, let go at the middle of the cue, rise. Options: those of `handle`."""
    handle(stage, cue, "place", **options)  # type: ignore[arg-type]


def handle(
    stage: Stage,
    cue: Cue,
    kind: str,
    point: tuple[float, float, float] | None = None,
    ahead: float = 0.42,
    left: float = 0.0,
    height: float = 0.1,
    hands: str = "both",
    width: float = 0.3,
) -> None:
    """Bend down (or up) to a point with one or both hands.

    Args:
        stage: where to write.
        cue: when.
        kind: pick_up or place.
        point: metres, world: the middle of the thing; None: given by the next three.
        ahead: metres before the body, where it will be at that time.
        left: metres to its left.
        height: metres above the floor.
        hands: both, left or right.
        width: metres between the palms with both hands.
    """
    rng = stage.rng
    moment = cue.start + vary(rng, 0.5, 0.03) * cue.seconds
    ease = min(0.95, 0.45 * cue.seconds)
    target = place_ahead(stage, moment, ahead, left, height) if point is None else np.array(point, float)
    across = place_ahead(stage, moment, 0.0, 1.0, 0.0) - place_ahead(stage, moment, 0.0, 0.0, 0.0)  # unit, to the left
    sides = (("left", 1.0), ("right", -1.0)) if hands == "both" else ((hands, 0.0),)
    for side, sign in sides:
        palm_at = target + sign * width / 2 * across
        palm = tuple(-sign * across) if sign else (0.0, -1.0, 0.0)
        stage.hands.append(
            HandTask(
                side,
                (moment - 0.06, moment + 0.1),
                np.array([palm_at] * 2),
                ease_in=ease,
                ease_out=0.9 * ease,
                palm=palm,
            )
        )
    lower_to(stage, cue, moment, ease, float(target[1]))
    stage.label(kind, cue.start, cue.stop)
    stage.event(
        kind,
        moment,
        hands=[side for side, _ in sides],
        point=[float(c) for c in target],
        width=width if hands == "both" else 0.0,
    )
    if hands == "both":
        keep = (moment + 0.1, cue.stop + 0.9) if kind == "pick_up" else (cue.start - 0.9, moment - 0.06)
        eases = (0.9 * ease, 0.5) if kind == "pick_up" else (0.5, 0.9 * ease)
        hold(stage, *keep, width, 0.12, *eases)


def lower_to(stage: Stage, cue: Cue, moment: float, ease: float, height: float) -> None:
    """Bend hips, knees and back so far that the hands come to a height in metres."""
    drop = max(SHOULDER_HEIGHT - (height + ARM_DROP), 0.0)
    lean = min(0.25 + 0.75 * drop, 0.95)
    crouch = float(np.clip(drop - SHOULDERS_ABOVE_HIPS * (1 - np.cos(lean)), 0.0, 0.5))
    rise = cue.stop - moment - 0.1
    for name, amount in (("lean", lean), ("hips_pitch", 0.45 * lean), ("crouch", crouch), ("look_down", 0.5)):
        stage.add(name, amount, cue.start, cue.stop, moment - cue.start - 0.06, rise)
    stage.holds.append((cue.start + 0.3, cue.stop - 0.2))
