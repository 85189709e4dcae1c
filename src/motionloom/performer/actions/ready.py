"""The ready stance of a fighter: one foot ahead, knees a little bent, hands up; all fighting begins and ends in it."""

from dataclasses import dataclass, replace

import numpy as np

from motionloom.errors import BadInput
from motionloom.motion import rotations
from motionloom.performer.curves import pulse
from motionloom.performer.noise import smooth_noise, vary
from motionloom.performer.scores.score import Cue
from motionloom.performer.stage import Gait, HandTask, Stage, Step

SIDES = (("left", 1.0), ("right", -1.0))
STANCES = {"left": 1.0, "right": -1.0}  # the foot ahead -> sign of how far the left foot is ahead
TAKING = 1.15  # seconds to take a stance


@dataclass(frozen=True)
class Guard(HandTask):
    """A hand held up before the chin for as long as the fight lasts."""


def perform(stage: Stage, cue: Cue, stance: str | None = None) -> None:
    """Take a ready stance, or stay in it.

    Args:
        stage: where to write.
        cue: when; 1.4 seconds or more to take it.
        stance: left or right, the foot that is ahead; None: as it is, or left.
    """
    before = lead_at(stage, cue.start)
    if stance is None:
        stance = "right" if before < 0 else "left"
    if stance not in STANCES:
        raise BadInput(f"no stance '{stance}'; stances: {', '.join(STANCES)}")
    lead = STANCES[stance]
    if not before:
        _take_stance(stage, cue, lead)
    elif before != lead:
        raise BadInput(f"the ready stance at {cue.start:g} s is not '{stance}'; change it with a 'switch'")
    take_part(stage, cue, lead)


def lead_at(stage: Stage, time: float) -> float:
    """The stance: 1 with the left foot ahead, -1 with the right foot, 0 for none."""
    return float(np.sign(stage.gait_at(time).blade))


def join_in(stage: Stage, cue: Cue, word: str) -> float:
    """Begin and end an action in the ready stance: keeps the guard and sets the labels; returns the stance."""
    lead = lead_at(stage, cue.start)
    if not lead:
        raise BadInput(f"'{word}' at {cue.start:g} s needs a ready stance to begin in; put 'ready' before it")
    take_part(stage, cue, lead)
    stage.label(word, cue.start, cue.stop)
    return lead


def take_part(stage: Stage, cue: Cue, lead: float) -> None:
    """Set what holds throughout a fight: labels, guard, slight bobbing, and no steps except requested ones."""
    stage.label("fight", cue.start, cue.stop)
    stage.label("stance_left" if lead > 0 else "stance_right", cue.start, cue.stop)
    keep_guard(stage, cue, lead)


def fighting_gait(stage: Stage, lead: float) -> Gait:
    """A ready stance, a little different every time."""
    rng = stage.rng
    return Gait(
        cadence=2.2,
        width=vary(rng, 0.25, 0.04),
        crouch=vary(rng, 0.085, 0.06),
        lean=vary(rng, 0.15, 0.08),
        bounce=0.3,
        off_pitch=0.2,
        lift=0.04,
        elbow=1.0,
        arm_out=0.2,
        twist=0.0,
        sway=0.12,
        idle=0.2,
        toe_out=vary(rng, 0.24, 0.06),
        stagger=lead * vary(rng, 0.4, 0.03),
        blade=lead * vary(rng, 0.5, 0.04),
        set_back=0.046,  # against the trunk that leans forwards and the arms before it
        fist=1.35,
    )


def keep_guard(stage: Stage, cue: Cue, lead: float) -> None:
    """Keep the hands up until the end of a cue: by the chin, that of the foot ahead further out."""
    stage.holds.append((cue.start, cue.stop))
    bob = smooth_noise(stage.rng, len(stage.times), stage.fps, 1.3)
    ease = min(0.3, 0.3 * cue.seconds)
    stage.additions["crouch"] += 0.004 * bob * pulse(stage.times, cue.start, cue.stop, ease, ease)
    blade = stage.gait_at(cue.stop).blade
    for side, sign in SIDES:
        point = _guard_point(stage, sign, lead, blade)
        for k, task in enumerate(stage.hands):
            if isinstance(task, Guard) and task.side == side and abs(task.times[-1] - cue.start) < 1e-6:
                times, points = (*task.times, cue.stop), np.concatenate([task.points, point[None]])
                stage.hands[k] = replace(task, times=times, points=points)
                break
        else:
            stage.hands.append(
                Guard(
                    side,
                    (cue.start + TAKING - 0.1, cue.stop),
                    np.array([point, point]),
                    frame="chest",
                    ease_in=TAKING - 0.3,
                    ease_out=0.8,
                    palm=(-0.9 * sign, -0.1, -0.35),
                    fingers=(-0.25 * sign, 0.8, 0.45),
                    elbow=(0.3, -1.0, 0.05),
                )
            )


def _guard_point(stage: Stage, sign: float, lead: float, blade: float) -> np.ndarray:
    """Where the palm is, (3,) metres, in the frame of a chest that is turned by `blade` from where the body faces."""
    ahead = np.array([0.1 * sign, 0.21, 0.38] if sign == lead else [0.08 * sign, 0.23, 0.22])
    ahead = ahead + 0.006 * np.clip(stage.rng.standard_normal(3), -2, 2)
    turned: np.ndarray = rotations.rotate(rotations.about_y(np.array([blade])), ahead[None])[0]
    return turned


def _take_stance(stage: Stage, cue: Cue, lead: float) -> None:
    """Step into the stance: first the foot that goes ahead, then the rear foot."""
    rng = stage.rng
    stage.set_gait(cue.start + 0.45, fighting_gait(stage, lead), 0.9)
    stage.travel("forward", vary(rng, 0.12, 0.1), cue.start, cue.start + 1.0)
    ahead, other = ("left", "right") if lead > 0 else ("right", "left")
    off = cue.start + vary(rng, 0.12, 0.1)
    settled = cue.start + TAKING
    stage.requests += [
        Step(ahead, off, off + 0.36, settled, lift=0.045),
        Step(other, off + 0.44, off + 0.78, settled, lift=0.04),
    ]
