"""Face performances: takes of the performer's face with their ground truth."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from motionloom.corpus.records import Event, Label
from motionloom.errors import BadInput
from motionloom.motion import PointMotion, find_runs
from motionloom.performer import expressions
from motionloom.performer.face.actors import Actor, find_actor
from motionloom.performer.face.blinks import blink_now_and_then
from motionloom.performer.face.deformation import deform
from motionloom.performer.face.face_stage import SHOWN, FaceStage
from motionloom.performer.face.head_motion import place_head, put_on, sway
from motionloom.performer.face.liveliness import enliven
from motionloom.performer.face.markers import NAMES
from motionloom.performer.face.skin import unsettle
from motionloom.performer.scores.score import Score
from motionloom.performer.truth import SOURCE, labels_in_frames

FACE_FPS = 120.0


@dataclass(frozen=True, eq=False)
class FacePerformance:
    """Moving markers of a face with their ground truth."""

    name: str
    actor: Actor
    motion: PointMotion  # 40 markers in the world, with the head's motion; sitting at the origin, facing +z
    still: PointMotion  # the same in the frame of the head: origin between the ears
    head_rotations: np.ndarray  # (F, 4) wxyz, head to world
    head_positions: np.ndarray  # (F, 3) metres, world: of the point between the ears
    units: Mapping[str, np.ndarray]  # name -> (F,) activation: 0 at rest, 1 fully active
    skin: np.ndarray  # (F, 40, 3) millimetres that the skin moves besides what the units make of it
    levels: Mapping[str, np.ndarray]  # expression -> (F,) how far it is shown, 0 to 1
    labels: tuple[
        Label, ...
    ]  # happiness, surprise, disgust, fear, anger, sadness, speaking, eating, snoring, blink ...
    events: tuple[Event, ...]  # expression (onset, apex, offset), blink, sound, bite, chew, swallow, inhale, exhale


def perform_face(score: Score, rng: np.random.Generator, fps: float = FACE_FPS) -> FacePerformance:
    """Perform the score of a face; a different random generator gives a variation of the same score."""
    actor = find_actor(score.actor)
    if not score.cues or round(score.seconds * fps) < 1:
        raise BadInput(f"the score {score.name} is empty; give it at least one expression")
    stage = FaceStage(score.seconds, fps, rng, actor)
    for cue in sorted(score.cues, key=lambda cue: cue.start):
        expressions.find(cue.action)(stage, cue, **cue.options)
    blink_now_and_then(stage)
    sway(stage)
    units = enliven(stage)
    skin = unsettle(stage, units)
    still = deform(units, actor, skin)
    turned, places = place_head(stage.head)
    return FacePerformance(
        name=score.name,
        actor=actor,
        motion=PointMotion(NAMES, put_on(still, turned, places), fps),
        still=PointMotion(NAMES, still, fps),
        head_rotations=turned,
        head_positions=places,
        units=units,
        skin=skin,
        levels=dict(stage.levels),
        labels=tuple(_labels(score.name, stage)),
        events=tuple(_events(score.name, stage)),
    )


def _labels(name: str, stage: FaceStage) -> list[Label]:
    """Labels of expressions from how far they are shown, and those that were declared."""
    spans = [(mark.word, mark.start, mark.stop) for mark in stage.labels]
    for word, level in stage.levels.items():
        spans += [(word, first / stage.fps, last / stage.fps) for first, last in find_runs(level > SHOWN)]
    return labels_in_frames(name, spans, len(stage.times), stage.fps)


def _events(name: str, stage: FaceStage) -> list[Event]:
    """Events at their frames; times among their data are seconds."""
    frames = [(round(mark.start * stage.fps), mark) for mark in stage.events]
    events = [
        Event(name, mark.word, frame, SOURCE, mark.data) for frame, mark in frames if 0 <= frame < len(stage.times)
    ]
    return sorted(events, key=lambda event: (event.frame, event.kind))
