"""Two boxers on one clock: ten punches at the other's chin, who begins to step back in the frame of each hit."""

from pathlib import Path

import numpy as np

from benchmarks.measure import figure
from benchmarks.timeline.corpora import set_of
from motionloom.assembly import prepare_for, realize, solve
from motionloom.corpus import Corpus
from motionloom.methods import buildup
from motionloom.methods.buildup import Hit, Request, Start, Step
from motionloom.methods.buildup.request import Built, MovingPoint
from motionloom.methods.buildup.search import BuiltCharacter

PUNCHES = 10
FIRST, EVERY = 3.0, 3.0  # seconds
APART, BACK = 1.4, 0.35  # metres between them at first, and of each step back


def figures(data: Path) -> list[dict]:
    """How near the fist comes to the chin, when the other moves, and how near their bodies come."""
    return figures_of("two boxers", set_of(data, "boxing"))


def figures_of(what: str, corpus: Corpus) -> list[dict]:
    """The same with the takes of any corpus."""
    request = ten_punches()
    model = prepare_for(buildup, corpus, request)
    answer = solve(buildup, model, request)[0]
    report = realize(buildup, answer, model).report
    distances = np.array([hit["distance"] for hit in report.details["hits"]])
    frames = np.array([hit["frame"] for hit in report.details["hits"]])
    off = np.abs(_begins(answer.state.characters[1]) - frames)
    nearest = next(line.value for line in report.quality if line.name.startswith("least distance"))
    changed = next(part.value for part in report.parts if part.name.endswith("steps changed"))
    assert nearest is not None
    return [
        figure(f"{what}; punches within 1 cm of the chin, of 10", (distances <= 0.01).sum(), "hits", "higher"),
        figure(f"{what}; largest distance of a punch", 1000 * distances.max(), "mm", "lower"),
        figure(f"{what}; steps back that begin within 2 frames of a hit, of 10", (off <= 2).sum(), "steps", "higher"),
        figure(f"{what}; most that steps are changed", changed, "%", "lower"),
        figure(f"{what}; least distance of their bodies", nearest, "m", "higher"),
    ]


def ten_punches() -> Request:
    """Red punches at the chin of blue every few seconds; blue steps back in the moment of each."""
    times = [f"{FIRST + EVERY * number:g}s" for number in range(PUNCHES)]
    chin = MovingPoint("blue", "chin")
    hits = tuple(Hit("fist", on=chin, step=number, at=at) for number, at in enumerate(times, start=1))
    steps = tuple(
        Step(place=(0.0, APART + BACK * number), heading=180.0, within=0.5, begins=at)
        for number, at in enumerate(times, start=1)
    )
    red = Built("red", Start(position=(0.0, 0.0), heading=0.0), steps=(Step(),) * PUNCHES, hits=hits)
    blue = Built("blue", Start(position=(0.0, APART), heading=180.0), steps=steps)
    return Request(characters=(red, blue))


def _begins(character: BuiltCharacter) -> np.ndarray:
    """(steps,) the frame in which each step of a character begins."""
    sequence = character.sequence
    numbers = [number for number, stretch in enumerate(sequence.stretches) if stretch.step is not None]
    return np.array([sequence.borders[number] for number in numbers])
