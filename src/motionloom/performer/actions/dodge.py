"""Dodging out of the ready stance: ducking, leaning back, slipping to a side."""

from motionloom.errors import BadInput
from motionloom.performer.actions.ready import join_in
from motionloom.performer.noise import vary
from motionloom.performer.scores.score import Cue
from motionloom.performer.stage import Stage

WAYS = ("duck", "back", "left", "right")


def perform(stage: Stage, cue: Cue, way: str = "duck", size: float = 1.0) -> None:
    """Dodge a blow; the cue should last 1 second or more.

    Args:
        stage: where to write.
        cue: when.
        way: duck, back, left or right.
        size: how far; 1 is usual.
    """
    if way not in WAYS:
        raise BadInput(f"no dodge '{way}'; ways: {', '.join(WAYS)}")
    lead = join_in(stage, cue, "dodge")
    rng = stage.rng
    size = vary(rng, size, 0.08)
    away, back = vary(rng, 0.42, 0.06) * cue.seconds, vary(rng, 0.48, 0.06) * cue.seconds
    moves = {
        "duck": {"crouch": 0.2, "lean": 0.34, "hips_pitch": 0.16, "look_down": -0.1, "twist": -0.12 * lead},
        "back": {"lean": -0.34, "hips_pitch": -0.1, "load": -0.3 * lead, "crouch": 0.05, "look_down": 0.18},
        "left": {"side_bend": -0.4, "lean": 0.16, "crouch": 0.08, "load": 0.2, "twist": -0.3},
        "right": {"side_bend": 0.4, "lean": 0.16, "crouch": 0.08, "load": -0.2, "twist": 0.3},
    }[way]
    for name, amount in moves.items():
        stage.add(name, size * amount, cue.start, cue.stop, away, back)
    stage.event("dodge", cue.start + away, way=way)
