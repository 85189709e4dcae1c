"""Scores: the actions of a take as a list of cues."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Cue:
    """One action in a take: which, when, and how."""

    action: str  # a name in `actions.ACTIONS`
    start: float  # seconds from the beginning of the take
    stop: float  # seconds
    options: Mapping[str, Any] = field(default_factory=dict)  # arguments of the action's function

    @property
    def seconds(self) -> float:
        return self.stop - self.start


@dataclass(frozen=True)
class Score:
    """One take: its name and its cues."""

    name: str
    cues: tuple[Cue, ...]
    actor: str = ""  # whose face it is, a name in `face.actors.ACTORS`; "" for the first, and for bodies

    @property
    def seconds(self) -> float:
        return max(cue.stop for cue in self.cues)


class Writer:
    """Writes a score: consecutive actions, and actions at the same time."""

    def __init__(self, name: str, actor: str = "") -> None:
        self.name = name
        self.actor = actor
        self.now = 0.0  # seconds: where the next action starts
        self._last_start = 0.0
        self._cues: list[Cue] = []

    def then(self, action: str, seconds: float, /, **options: Any) -> "Writer":
        """Append an action."""
        self._last_start = self.now
        self._cues.append(Cue(action, self.now, self.now + seconds, options))
        self.now += seconds
        return self

    def meanwhile(self, action: str, after: float, seconds: float, /, **options: Any) -> "Writer":
        """Add a simultaneous action that starts `after` seconds into the last one."""
        start = self._last_start + after
        self._cues.append(Cue(action, start, start + seconds, options))
        return self

    def done(self) -> Score:
        """The score as written."""
        return Score(self.name, tuple(self._cues), self.actor)
