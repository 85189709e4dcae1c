"""How an emotion comes over a face and leaves it: onset, apex and offset, shared by the six of them."""

from collections.abc import Mapping
from dataclasses import dataclass

from motionloom.performer import curves
from motionloom.performer.face.face_stage import FaceStage
from motionloom.performer.noise import vary
from motionloom.performer.scores.score import Cue


@dataclass(frozen=True)
class Part:
    """What one unit does in an emotion."""

    amount: float  # activation at the apex of an emotion of intensity 1
    late: float = 0.0  # seconds after the onset of the emotion
    varies: float = 0.12  # standard deviation from one time to the next, of the amount


def show_emotion(
    stage: FaceStage,
    cue: Cue,
    word: str,
    parts: Mapping[str, Part],
    *,
    intensity: float,
    onset: float,
    offset: float,
    head: Mapping[str, float],
) -> None:
    """Let an emotion come over the face during a cue, hold and go.

    Args:
        stage: where to write.
        cue: when.
        word: of the label.
        parts: what each unit does.
        intensity: of the emotion; 1 is as strong as people show it.
        onset: seconds in which it comes.
        offset: seconds in which it goes.
        head: how far the head turns or moves along, at intensity 1.
    """
    rng = stage.rng
    onset, offset = min(vary(rng, onset, 0.12), 0.45 * cue.seconds), min(vary(rng, offset, 0.12), 0.45 * cue.seconds)
    for unit, part in parts.items():
        rise = max(vary(rng, onset, 0.1), 0.08)
        start, stop = cue.start + part.late, cue.stop - float(rng.uniform(0.0, 0.15)) * offset
        amount = vary(rng, part.amount * intensity, part.varies)
        stage.hold(unit, amount, start, stop, rise, offset)
    for axis, amount in head.items():
        stage.turn_head(axis, vary(rng, amount * intensity, 0.3), cue.start, cue.stop, 1.3 * onset + 0.1, 1.2 * offset)
    stage.show(word, curves.pulse(stage.times, cue.start, cue.stop, onset, offset))
    stage.event(
        "expression",
        cue.start + onset,
        word=word,
        intensity=round(float(intensity), 4),
        onset=round(cue.start, 4),
        apex_stop=round(cue.stop - offset, 4),
        offset=round(cue.stop, 4),
    )
