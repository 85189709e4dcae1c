"""Shuffle steps: small steps that keep the ready stance; and the switch to the other stance."""

from motionloom.errors import BadInput
from motionloom.performer.actions.ready import STANCES, fighting_gait, join_in, keep_guard, lead_at
from motionloom.performer.noise import vary
from motionloom.performer.scores.score import Cue
from motionloom.performer.stage import Stage, Step

WAYS = {"forwards": (1.0, 0.0), "backwards": (-1.0, 0.0), "left": (0.0, 1.0), "right": (0.0, -1.0)}


def perform(stage: Stage, cue: Cue, way: str = "forwards", distance: float = 0.26) -> None:
    """Shuffle: the foot nearer to where it goes steps first; the cue should last 0.9 seconds or more.

    Args:
        stage: where to write.
        cue: when.
        way: forwards, backwards, left or right.
        distance: metres.
    """
    if way not in WAYS:
        raise BadInput(f"no shuffle '{way}'; ways: {', '.join(WAYS)}")
    lead = join_in(stage, cue, "shuffle")
    rng = stage.rng
    forward, left = WAYS[way]
    distance = vary(rng, distance if forward else 0.8 * distance, 0.08)
    stage.travel("forward", forward * distance, cue.start + 0.06, cue.stop - 0.1)
    stage.travel("left", left * distance, cue.start + 0.06, cue.stop - 0.1)
    first = "left" if (left or forward * lead) > 0 else "right"
    second = "right" if first == "left" else "left"
    off, swing = cue.start + vary(rng, 0.2, 0.08), vary(rng, 0.26, 0.05)
    gap = vary(rng, 0.06, 0.1)
    _steps(stage, cue, (first, off, swing), (second, off + swing + gap, swing), lift=0.025)
    stage.add("crouch", 0.02, cue.start, cue.stop, 0.3 * cue.seconds, 0.4 * cue.seconds)


def switch(stage: Stage, cue: Cue, first: str = "lead") -> None:
    """Change to the other ready stance; the cue should last 1 second or more.

    Args:
        stage: where to write.
        cue: when.
        first: lead, the foot ahead steps back first; rear, the foot behind steps forwards first.
    """
    lead = lead_at(stage, cue.start)
    if not lead or first not in ("lead", "rear"):
        raise BadInput(
            f"'switch' at {cue.start:g} s needs a ready stance to begin in; put 'ready' before it"
            if not lead
            else f"no switch '{first}'; lead or rear foot first"
        )
    rng = stage.rng
    stage.set_gait(cue.start + 0.5 * cue.seconds, fighting_gait(stage, -lead), 0.84 * cue.seconds)
    keep_guard(stage, cue, -lead)
    sides = [side for side, sign in STANCES.items() if (sign == lead) == (first == "lead")]
    sides += [side for side in STANCES if side not in sides]
    off, swing = cue.start + vary(rng, 0.14, 0.08), vary(rng, 0.34, 0.04)
    gap = vary(rng, 0.04, 0.1)
    _steps(stage, cue, (sides[0], off, swing), (sides[1], off + swing + gap, swing), lift=0.04)
    stage.add("crouch", 0.02, cue.start, cue.stop, 0.3 * cue.seconds, 0.4 * cue.seconds)
    stage.label("fight", cue.start, cue.stop)
    stage.label("switch", cue.start, cue.stop)


def _steps(stage: Stage, cue: Cue, *steps: tuple[str, float, float], lift: float) -> None:
    """Consecutive steps, (side, time of leaving the floor, seconds in the air), to the targets of the feet then."""
    for side, off, swing in steps:
        left, ahead, turn = (0.006, 0.006, 0.02) * stage.rng.uniform(-1, 1, 3)
        stage.requests.append(Step(side, off, off + swing, cue.stop, (left, ahead), turn, vary(stage.rng, lift, 0.1)))
