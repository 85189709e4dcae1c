"""Performance: a take of the performer with its ground truth."""

from dataclasses import dataclass

import numpy as np

from motionloom.corpus.records import Contact, Event, Label
from motionloom.motion import Motion
from motionloom.performer.perform import FPS, move, set_stage
from motionloom.performer.scores.score import Score
from motionloom.performer.truth import find_contacts, find_events, find_labels


@dataclass(frozen=True, eq=False)
class Performance:
    """A motion with its ground truth."""

    name: str
    motion: Motion  # floor at y = 0, starting at the origin, facing +z
    labels: tuple[Label, ...]
    contacts: tuple[Contact, ...]  # left_heel, left_ball, right_heel, right_ball
    events: tuple[Event, ...]  # step, take_off, landing, stumble, catch, reach, pick_up, place, sit, punch ...

    @property
    def n_steps(self) -> int:
        """The number of steps."""
        return sum(event.kind == "step" for event in self.events)


def perform(score: Score, rng: np.random.Generator, fps: float = FPS) -> Performance:
    """Perform a score; a different random generator gives a variation of the same score."""
    stage = set_stage(score, rng, fps)
    moved = move(stage)
    return Performance(
        name=score.name,
        motion=moved.motion,
        labels=tuple(find_labels(score.name, stage, moved)),
        contacts=tuple(find_contacts(score.name, stage, moved.plan)),
        events=tuple(find_events(score.name, stage, moved)),
    )
