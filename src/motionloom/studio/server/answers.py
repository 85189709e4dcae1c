"""The answers that searches have found: the last ones are kept, with the motions that pages play."""

import threading
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from motionloom.assembly import Character, Result
from motionloom.caching import Recent
from motionloom.errors import BadInput
from motionloom.motion import PointMotion
from motionloom.studio.server.studio import Studio

KEPT = 24
PREFIX = "answer:"


@dataclass(frozen=True, eq=False)
class Playable:
    """One character of an answer, as a page can play it: a body or points."""

    name: str
    fps: float
    steps: dict[str, Any]  # footprints and contacts; see `desks.display.describe_footsteps`
    skeleton: str | None = None  # digest, of a body
    roots: np.ndarray | None = None  # (F, 3) float32 metres, of a body
    rotations: np.ndarray | None = None  # (F, J, 4) float32, of a body
    points: tuple[str, ...] | None = None  # names
    positions: np.ndarray | None = None  # (F, M, 3) float32 metres, of points

    @property
    def n_frames(self) -> int:
        """How long it is."""
        frames = self.roots if self.positions is None else self.positions
        assert frames is not None
        return len(frames)


@dataclass(frozen=True, eq=False)
class FoundAnswer:
    """An answer: what was asked of which method, what came of it, and the motions to play."""

    method: str
    request: Any  # of the method; None where no search went before it, and none goes on from it
    result: Result
    motions: tuple[Playable, ...]  # one for each character; none where pages have them already


class Answers:
    """The last answers, by number."""

    def __init__(self) -> None:
        self._kept: Recent[str, FoundAnswer] = Recent(KEPT)
        self._next = 0
        self._guard = threading.Lock()

    def keep(self, found: FoundAnswer) -> str:
        """Keep an answer; returns its id, which is also that of the motion of its first character."""
        with self._guard:
            self._next += 1
            answer = f"{PREFIX}{self._next}"
        self._kept.put(answer, found)
        return answer

    def explain(self, answer: str, result: Result) -> None:
        """Put the result with its whole report in the place of the one before, if the answer is still kept."""
        found = self._kept.get(answer)
        if found is not None:
            self._kept.update(answer, replace(found, result=result))

    def find(self, answer: str) -> FoundAnswer:
        """An answer by its id."""
        found = self._kept.get(answer)
        if found is None:
            raise BadInput(f"'{answer}' is no longer kept; search again")
        return found

    def find_motion(self, motion: str) -> Playable:
        """A motion by its id, see `motion_id`."""
        answer, _, number = motion.partition("/")
        motions = self.find(answer).motions
        at = int(number) - 1 if number.isdecimal() else 0 if not number else len(motions)
        if not 0 <= at < len(motions):
            raise BadInput(f"'{motion}' is no motion: {answer} has {len(motions)}")
        return motions[at]


def answers_of(studio: Studio) -> Answers:
    """The answers of the open corpus."""
    return studio.kept.setdefault("answers", Answers())


def motion_id(answer: str, character: int) -> str:
    """The id of a character's motion: that of the answer for the first, "answer:7/2" for the second."""
    return answer if character == 0 else f"{answer}/{character + 1}"


def playable(character: Character, name: str, steps: dict[str, Any]) -> Playable:
    """A character of a result as pages play it; a character without a name gets the one given."""
    motion = character.motion
    if isinstance(motion, PointMotion):
        positions = motion.positions.astype(np.float32)
        return Playable(character.name or name, motion.fps, steps, points=motion.names, positions=positions)
    return Playable(
        name=character.name or name,
        fps=motion.fps,
        steps=steps,
        skeleton=motion.skeleton.digest,
        roots=motion.root_positions.astype(np.float32),
        rotations=motion.local_rotations.astype(np.float32),
    )
