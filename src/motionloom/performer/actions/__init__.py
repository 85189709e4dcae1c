"""The actions that a score may name. A new action is one file here and one line in the table."""

from collections.abc import Callable

from motionloom.errors import BadInput
from motionloom.performer.actions import stand, walk

ACTIONS: dict[str, Callable[..., None]] = {
    "stand": stand.perform,
    "walk": walk.perform,
}


def find(name: str) -> Callable[..., None]:
    """The function that performs an action."""
    if name not in ACTIONS:
        raise BadInput(f"no action '{name}'; the actions are {', '.join(sorted(ACTIONS))}")
    return ACTIONS[name]
