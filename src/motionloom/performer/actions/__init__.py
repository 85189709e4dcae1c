"""The actions that a score may name. A new action is one file here and one line in the table."""

from collections.abc import Callable

from motionloom.errors import BadInput
from motionloom.performer.actions import (
    approach,
    carry,
    catch,
    crouch,
    jump,
    pick_up,
    push,
    reach,
    run,
    sit,
    stand,
    stumble,
    turn,
    walk,
    wave,
)

ACTIONS: dict[str, Callable[..., None]] = {
    "approach": approach.perform,
    "carry": carry.perform,
    "catch": catch.perform,
    "crouch": crouch.perform,
    "jump": jump.perform,
    "leap": jump.leap,
    "pick_up": pick_up.perform,
    "place": pick_up.place,
    "push": push.perform,
    "reach": reach.perform,
    "run": run.perform,
    "sit": sit.perform,
    "stand": stand.perform,
    "stumble": stumble.perform,
    "turn": turn.perform,
    "walk": walk.perform,
    "wave": wave.perform,
}


def find(name: str) -> Callable[..., None]:
    """The function that performs an action."""
    if name not in ACTIONS:
        raise BadInput(f"no action '{name}'; the actions are {', '.join(sorted(ACTIONS))}")
    return ACTIONS[name]
