"""The actions that a score may name. A new action is one file here and one line in the table."""

from collections.abc import Callable
from importlib import import_module

from motionloom.errors import BadInput

# name -> the function that performs it: (stage, cue, **options) -> None; "file" is short for "file.perform"
ACTIONS: dict[str, str | Callable[..., None]] = {
    "approach": "approach",
    "carry": "carry",
    "catch": "catch",
    "crouch": "crouch",
    "dodge": "dodge",
    "foot_shuffle": "idle.foot_shuffle",
    "idle": "idle",
    "jump": "jump",
    "kick": "kick",
    "leap": "jump.leap",
    "pick_up": "pick_up",
    "place": "pick_up.place",
    "punch": "punch",
    "push": "push",
    "reach": "reach",
    "ready": "ready",
    "run": "run",
    "shuffle": "shuffle",
    "sit": "sit",
    "stand": "stand",
    "stumble": "stumble",
    "switch": "shuffle.switch",
    "toe_tap": "idle.toe_tap",
    "turn": "turn",
    "walk": "walk",
    "wave": "wave",
    "weight_shift": "idle.weight_shift",
}


def find(name: str) -> Callable[..., None]:
    """The function that performs an action."""
    if name not in ACTIONS:
        raise BadInput(f"no action '{name}'; the actions are {', '.join(sorted(ACTIONS))}")
    entry = ACTIONS[name]
    if callable(entry):
        return entry
    file, _, function = entry.partition(".")
    found: Callable[..., None] = getattr(import_module(f"{__name__}.{file}"), function or "perform")
    return found
