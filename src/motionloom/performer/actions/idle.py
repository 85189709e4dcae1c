"""Standing about with the feet planted: weight shifts, foot shuffles and toe taps."""

from motionloom.errors import BadInput
from motionloom.performer import curves
from motionloom.performer.actions.stand import standing_gait
from motionloom.performer.noise import vary
from motionloom.performer.scores.score import Cue
from motionloom.performer.stage import Stage, Step

LOADS = {"left": 1.0, "middle": 0.0, "right": -1.0}
SWING = 0.36  # seconds that a shuffling foot is in the air


def perform(stage: Stage, cue: Cue, width: float = 0.2) -> None:
    """Stand about with both feet planted.

    Args:
        stage: where to write.
        cue: when.
        width: metres between the feet, if this is the beginning of standing about.
    """
    _stay(stage, cue, width)


def weight_shift(stage: Stage, cue: Cue, to: str = "left", size: float = 0.36) -> None:
    """Shift the weight and stay so until the next weight shift; the last one of a take should go to the middle.

    Args:
        stage: where to write.
        cue: when; about 1.1 seconds of it is the shift.
        to: left, right or middle.
        size: part of the weight beyond the half that goes over to a side.
    """
    if to not in LOADS:
        raise BadInput(f"no weight shift to '{to}'; to: {', '.join(LOADS)}")
    _stay(stage, cue)
    rng, load = stage.rng, stage.additions["load"]
    change = LOADS[to] * vary(rng, size, 0.06) - float(load[-1])
    start, seconds = cue.start + vary(rng, 0.1, 0.2), min(vary(rng, 1.1, 0.1), cue.seconds - 0.2)
    load += change * curves.ease((stage.times - start) / seconds)
    stage.add("look_side", 0.12 * change * rng.random(), cue.start, cue.stop, 0.5, 0.5)
    stage.label("weight_shift", start, start + seconds)


def foot_shuffle(
    stage: Stage, cue: Cue, foot: str = "left", out: float = 0.08, ahead: float = 0.03, turn: float = 0.15
) -> None:
    """Move a foot a little, leave it there for a moment, and move it back; the cue should last 2.2 seconds or more.

    Args:
        stage: where to write.
        cue: when.
        foot: left or right.
        out: metres outwards.
        ahead: metres forwards.
        turn: radians that it turns outwards.
    """
    _stay(stage, cue)
    rng, sign = stage.rng, _sign(foot)
    off, back = cue.start + vary(rng, 0.5, 0.05), cue.stop - vary(rng, 0.95, 0.05)
    left, forward, turn = sign * vary(rng, out, 0.1), vary(rng, ahead, 0.1), sign * vary(rng, turn, 0.1)
    swing = vary(rng, SWING, 0.06)
    miss = 0.003 * rng.uniform(-1, 1, 2)
    home = (float(miss[0] - left), float(miss[1] - forward))
    stage.requests += [
        Step(foot, off, off + swing, None, (left, forward), turn, 0.022, (0.2, 0.08)),
        Step(foot, back, back + swing, None, home, -turn, 0.022, (0.2, 0.08)),
    ]
    stage.add("poise", 1.0, cue.start, cue.stop, 0.35, 0.35)
    stage.add("look_down", 0.12, cue.start, cue.stop, 0.5, 0.6)
    stage.label("foot_shuffle", off - 0.1, back + swing + 0.1)


def toe_tap(stage: Stage, cue: Cue, foot: str = "right", taps: int = 4, height: float = 0.4) -> None:
    """Tap with the toes: the heel stays where it is and the ball goes up and down.

    Args:
        stage: where to write.
        cue: when; about 0.45 seconds for every tap and a second more.
        foot: left or right.
        taps: how often.
        height: radians that the foot is raised.
    """
    _stay(stage, cue)
    rng, sign = stage.rng, _sign(foot)
    start, stop = cue.start + 0.6, cue.stop - 0.4
    every = (stop - start) / taps
    for k in range(taps):
        begin = start + k * every
        rise, fall = vary(rng, 0.34, 0.06) * every, vary(rng, 0.3, 0.06) * every
        amount = vary(rng, height, 0.1)
        stage.add(f"{foot}_toes_up", amount, begin, begin + rise + fall + 0.02, rise, fall)
        stage.add("look_down", 0.012, begin, begin + every, 0.4 * every, 0.4 * every)
    wanted = -sign * 0.24
    off_it = wanted - float(stage.additions["load"][-1])
    if off_it * wanted > 0:  # the foot can tap only while the weight is on the other foot
        stage.add("load", off_it, cue.start, cue.stop, 0.6, 0.5)
    stage.label("toe_tap", start, stop)


def _stay(stage: Stage, cue: Cue, width: float = 0.2) -> None:
    """Set what holds throughout idling: labels, and no steps except requested ones."""
    before = [label for label in stage.labels if label.word == "idle" and abs(label.stop - cue.start) < 1e-6]
    if not before:
        stage.set_gait(cue.start, standing_gait(stage, width, shifts=0.35), 0.8)
    stage.holds.append((cue.start if before else cue.start + 0.6, cue.stop))
    stage.label("idle", cue.start, cue.stop)
    stage.label("stand", cue.start, cue.stop)


def _sign(foot: str) -> float:
    if foot not in ("left", "right"):
        raise BadInput(f"no foot '{foot}'; feet: left, right")
    return 1.0 if foot == "left" else -1.0
