"""What a face can do in a score. A new expression is one file here and one line in the table."""

from collections.abc import Callable
from importlib import import_module

from motionloom.errors import BadInput

# name -> the function that performs it: (stage, cue, **options) -> None; "file" is short for "file.perform"
EXPRESSIONS: dict[str, str | Callable[..., None]] = {
    "anger": "anger",
    "blink": "rest.close_eyes_briefly",
    "disgust": "disgust",
    "eat": "eating",
    "fear": "fear",
    "happiness": "happiness",
    "move": "rest.move",
    "nod": "head.nod",
    "rest": "rest",
    "sadness": "sadness",
    "shake_head": "head.shake",
    "snore": "snoring",
    "speak": "speaking",
    "surprise": "surprise",
    "turn_head": "head.turn",
}


def find(name: str) -> Callable[..., None]:
    """The function that performs an expression."""
    if name not in EXPRESSIONS:
        raise BadInput(f"no expression '{name}'; the expressions are {', '.join(sorted(EXPRESSIONS))}")
    entry = EXPRESSIONS[name]
    if callable(entry):
        return entry
    file, _, function = entry.partition(".")
    found: Callable[..., None] = getattr(import_module(f"{__name__}.{file}"), function or "perform")
    return found
