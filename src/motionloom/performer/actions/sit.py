"""Sitting down on a chair of a given height right behind, staying, and standing up again."""

import numpy as np

from motionloom.performer.actions.stand import standing_gait
from motionloom.performer.body.skeleton import LEG, SEAT_TO_HIPS, STANDING_HEIGHT
from motionloom.performer.noise import vary
from motionloom.performer.scores.score import Cue
from motionloom.performer.stage import HandTask, Stage


def perform(
    stage: Stage, cue: Cue, seat_height: float = 0.45, down: float = 1.6, up: float = 1.5, backs: float = 1.0
) -> None:
    """Sit down, stay and stand up within the cue.

    Args:
        stage: where to write.
        cue: when; at least down + up + 0.5 seconds.
        seat_height: metres from the floor to the seat.
        down: seconds to sit down.
        up: seconds to stand up.
        backs: how far the trunk leans forwards on the way; 1 is usual.
    """
    rng = stage.rng
    down, up, bow = vary(rng, down, 0.06), vary(rng, up, 0.06), vary(rng, 0.62 * backs, 0.08)
    stage.set_gait(cue.start, standing_gait(stage, width=0.24, shifts=0.15), 0.8)
    start, rest, leave, stop = cue.start + 0.25, cue.start + down, cue.stop - up, cue.stop - 0.1
    lower = STANDING_HEIGHT - (seat_height + SEAT_TO_HIPS)
    back = (LEG * LEG / 2 - (LEG - lower) ** 2 / 2) ** 0.5 * 0.95 if lower > 0 else 0.3
    sink, rise = 0.88 * (rest - start), 0.82 * (stop - leave)
    stage.add("crouch", lower, rest - sink, leave + rise + 0.1 * up, sink, rise)
    stage.add("shift_forward", -min(back, 0.44), start, stop, 0.8 * (rest - start), 0.85 * (stop - leave))
    stage.add("propped", 1.0, start, stop, rest - start, stop - leave)
    for begin, end, fall in ((start, rest + 0.35, 0.8), (leave - 0.45, stop, 0.75)):
        seconds = end - begin
        for name, amount in (("lean", bow), ("hips_pitch", 0.35 * bow)):
            stage.add(name, amount, begin, end, 0.5 * seconds, 0.5 * seconds * fall)
    stage.add("hips_pitch", -0.2, start, stop, rest - start, stop - leave)
    rest_hands(stage, start, rest + 0.1, leave - 0.3, stop - 0.3)
    stage.holds.append((start + 0.3, stop))
    stage.label("sit_down", cue.start, rest)
    stage.label("sit", rest, leave)
    stage.label("stand_up", leave, cue.stop)
    stage.event("sit", rest, seat_height=seat_height, hips_height=seat_height + SEAT_TO_HIPS)
    stage.event("stand_up", leave, seat_height=seat_height)


def rest_hands(stage: Stage, start: float, rest: float, leave: float, stop: float) -> None:
    """Lay the hands on the thighs."""
    for side, sign in (("left", 1.0), ("right", -1.0)):
        lap = np.array([sign * vary(stage.rng, 0.12, 0.1), 0.05, vary(stage.rng, 0.33, 0.08)])
        stage.hands.append(
            HandTask(
                side,
                (rest, max(leave, rest + 0.1)),
                np.array([lap, lap]),
                frame="body",
                ease_in=rest - start,
                ease_out=stop - leave,
                palm=(0.0, -1.0, 0.0),
                fingers=(-0.25 * sign, -0.1, 1.0),
                elbow=(0.35, -0.6, -0.8),
            )
        )
