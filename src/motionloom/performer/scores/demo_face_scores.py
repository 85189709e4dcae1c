"""The scores of the faces of the demo corpus: six emotions, speaking, eating, snoring, and sequences of them."""

from motionloom.performer.scores.score import Score, Writer

EMOTIONS = ("happiness", "surprise", "disgust", "fear", "anger", "sadness")
STRENGTHS = (0.6, 1.0, 0.8)


def demo_face_scores() -> list[Score]:
    """All scores, in the order in which they are performed."""
    return [writer.done() for writer in (*_emotions(), *_everyday(), *_sequences())]


def _emotions() -> list[Writer]:
    """Each emotion three times, coming out of rest and going back into it."""
    takes = []
    for number, word in enumerate(EMOTIONS):
        take = Writer(f"face/{word}", ("ada", "ben")[number % 2]).then("rest", 0.8)
        for strength, seconds in zip(STRENGTHS, (2.4, 3.0, 2.0)):
            take.then(word, seconds, intensity=strength).then("rest", 0.8)
        takes.append(take)
    return takes


def _everyday() -> list[Writer]:
    return [
        Writer("face/speaking", "ada").then("rest", 0.6).then("speak", 5.5).then("rest", 0.6).then("speak", 4, rate=5),
        Writer("face/eating", "ben").then("rest", 0.6).then("eat", 11).then("rest", 0.6),
        Writer("face/snoring", "ada").then("rest", 0.8).then("snore", 15, breath=3.6).then("rest", 0.6),
    ]


def _sequences() -> list[Writer]:
    """Emotions that follow each other without a rest, speech with emotions, and a head that moves meanwhile."""
    round_of_all = Writer("face/all_emotions", "cleo").then("rest", 0.6)
    for word in ("surprise", "happiness", "sadness", "anger", "disgust", "fear"):
        round_of_all.then(word, 2.2, intensity=0.9)
    talk = Writer("face/conversation", "dara").then("rest", 0.6).then("speak", 4).meanwhile("happiness", 1.5, 3.2)
    talk.meanwhile("turn_head", 0.5, 3, yaw=0.12).then("rest", 0.8).meanwhile("nod", 0.0, 1.2)
    talk.then("speak", 3.5).meanwhile("surprise", 0.8, 1.6, intensity=0.5).then("rest", 1.2)
    talk.meanwhile("shake_head", 0.0, 1.2)
    parts = Writer("face/single_units", "dara").then("rest", 0.5)
    for unit in (
        "inner_brow_raise",
        "brow_lower",
        "nose_wrinkle",
        "cheek_puff",
        "lip_pucker",
        "lip_stretch",
        "jaw_open",
    ):
        parts.then("move", 1.5, unit=unit, amount=0.85)
    return [round_of_all.then("rest", 0.8), talk, parts.then("rest", 0.5)]
