"""Speaking: syllables drawn at random or given, whose mouth shapes run into each other (dominance functions).

Each sound asks for a shape of the mouth around its time, with a weight that falls off on both sides; the mouth takes
their weighted mean. Lips that have to close weigh most, so vowels give way to them (coarticulation).
"""

from collections.abc import Sequence

import numpy as np

from motionloom.errors import BadInput
from motionloom.performer import curves
from motionloom.performer.face.face_stage import FaceStage
from motionloom.performer.noise import vary
from motionloom.performer.scores.score import Cue

SHAPES: dict[str, tuple[float, dict[str, float]]] = {  # sound -> its weight, and the units of its shape
    "a": (1.0, {"jaw_open": 0.26, "lower_lip_depress": 0.2}),
    "e": (1.0, {"jaw_open": 0.15, "lip_stretch": 0.2, "lower_lip_depress": 0.2}),
    "i": (1.0, {"jaw_open": 0.07, "lip_stretch": 0.35, "lip_corner_pull": 0.08, "lower_lip_depress": 0.15}),
    "o": (1.2, {"jaw_open": 0.17, "lip_pucker": 0.5}),
    "u": (1.3, {"jaw_open": 0.07, "lip_pucker": 0.75}),
    "m": (4.0, {"jaw_open": 0.02, "lip_press": 0.7}),
    "f": (2.5, {"jaw_open": 0.04, "chin_raise": 0.2, "upper_lip_raise": 0.12, "lip_press": 0.2}),
    "s": (1.6, {"jaw_open": 0.04, "lip_stretch": 0.15, "lower_lip_depress": 0.2}),
    "sh": (1.6, {"jaw_open": 0.05, "lip_pucker": 0.45, "lower_lip_depress": 0.15}),
    "t": (0.8, {"jaw_open": 0.07}),
    "k": (0.5, {"jaw_open": 0.1}),
    "r": (1.0, {"jaw_open": 0.08, "lip_pucker": 0.2}),
    "-": (3.0, {}),  # silence
}
VOWELS, CONSONANTS = ("a", "e", "i", "o", "u"), ("m", "f", "s", "sh", "t", "k", "r", "m", "t")
REACH = {"-": 0.12}  # seconds within which a sound weighs, if not as long as others
USUAL_REACH = 0.055
BLINKS = 1.6  # times as often as at rest


def perform(
    stage: FaceStage, cue: Cue, rate: float = 4.3, loudness: float = 1.0, sounds: Sequence[str] | None = None
) -> None:
    """Speak during the cue, in phrases with pauses between them.

    Args:
        stage: where to write.
        cue: when.
        rate: syllables per second.
        loudness: how far the mouth opens; 1 is usual.
        sounds: names of `SHAPES` in their order, evenly spaced; None for syllables at random.
    """
    spoken = _draw_sounds(stage, cue, rate) if sounds is None else _space_sounds(cue, sounds)
    _move_mouth(stage, cue, spoken, loudness)
    for sound, time in spoken:
        stage.event("sound", time, sound=sound)
    _stress(stage, cue, [time for sound, time in spoken if sound in VOWELS])
    talking = curves.pulse(stage.times, cue.start, cue.stop, 0.15, 0.15)
    stage.blink_rate = stage.blink_rate * (1.0 + (BLINKS - 1.0) * talking)
    stage.show("speaking", talking)


def _draw_sounds(stage: FaceStage, cue: Cue, rate: float) -> list[tuple[str, float]]:
    """Sounds with their times in seconds: phrases of four to ten syllables, each a consonant and a vowel."""
    rng, time, last = stage.rng, cue.start + 0.15, cue.stop - 0.2
    spoken = [("-", cue.start)]
    while time < last - 0.4:
        for _ in range(int(rng.integers(4, 11))):
            syllable = vary(rng, 1.0 / rate, 0.15)
            if time + syllable > last:
                break
            spoken.append((str(rng.choice(CONSONANTS)), time))
            spoken.append((str(rng.choice(VOWELS)), time + 0.45 * syllable))
            time += syllable
        spoken += [("-", time + 0.1)]
        time += float(rng.uniform(0.3, 0.6))
    return [*spoken, ("-", cue.stop)]


def _space_sounds(cue: Cue, sounds: Sequence[str]) -> list[tuple[str, float]]:
    unknown = [sound for sound in sounds if sound not in SHAPES]
    if unknown:
        raise BadInput(f"no sound '{unknown[0]}'; the sounds are {', '.join(SHAPES)}")
    times = np.linspace(cue.start, cue.stop, len(sounds) + 2)
    return [("-", cue.start), *zip(sounds, times[1:-1].tolist()), ("-", cue.stop)]


def _move_mouth(stage: FaceStage, cue: Cue, spoken: list[tuple[str, float]], loudness: float) -> None:
    """Take the weighted mean of the shapes of all sounds that are near."""
    units = sorted({unit for _, shape in SHAPES.values() for unit in shape})
    strength = [vary(stage.rng, loudness, 0.12) for _ in spoken]
    weights = np.array([SHAPES[sound][0] for sound, _ in spoken])
    reach = np.array([REACH.get(sound, USUAL_REACH) for sound, _ in spoken])
    at = np.array([time for _, time in spoken])

    def shares(times: np.ndarray) -> np.ndarray:
        near = weights * np.exp(-0.5 * ((times[:, None] - at) / reach) ** 2)  # (F, S)
        return near / (near.sum(axis=1, keepdims=True) + 0.05)  # between phrases, all let go

    for unit in units:
        targets = np.array([SHAPES[sound][1].get(unit, 0.0) for sound, _ in spoken])
        if unit != "lip_press":  # lips close or do not, however loud
            targets = targets * strength

        def course(times: np.ndarray, targets: np.ndarray = targets) -> np.ndarray:
            return shares(times) @ targets * curves.pulse(times, cue.start, cue.stop, 0.15, 0.15)

        stage.activate(unit, course)


def _stress(stage: FaceStage, cue: Cue, vowels: list[float]) -> None:
    """Raise the brows and nod on some syllables, as people do who mean what they say."""
    rng, after = stage.rng, cue.start
    for time in vowels:
        if time < after or rng.random() > 0.3 or time + 0.5 > cue.stop:
            continue
        start, stop = time - 0.2, time + 0.45
        stage.turn_head("pitch", float(rng.uniform(0.01, 0.035)), start, stop, 0.25, 0.35)
        if rng.random() < 0.5:
            amount = float(rng.uniform(0.1, 0.35))
            for unit in ("inner_brow_raise", "outer_brow_raise"):
                stage.hold(unit, amount, start, stop, 0.22, 0.3)
        after = time + 0.9
