"""Timelines of a body whose legs are overstretched in its recordings: knees, and how hard joins are.

Settings were chosen on three requests of this body; these are others. Every request forces one to three frames, because
those stay as they were recorded, sunken feet included, while the frames beside them are planted.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.measure import figure
from benchmarks.unseen.knees import Knees, knee_figures, knees_of_result
from motionloom.assembly import Result, realize, solve
from motionloom.corpus import Corpus, import_files
from motionloom.methods import timeline
from motionloom.methods.timeline import Model, Request

TAKES = ("141_15", "141_20")
TIMELINES = 40
APART = 1.2  # seconds between forced frames


def overstretched_body_figures(data: Path) -> list[dict]:
    """Knees and joins of timelines made of the two takes of body 141."""
    knees, peaks = Knees(), list[float]()
    with tempfile.TemporaryDirectory(prefix="motionloom-bench-") as folder:
        corpus = Corpus.create(Path(folder) / "corpus")
        import_files(corpus, [data / "odd" / f"{name}.bvh" for name in TAKES])
        for result in _timelines(timeline.prepare(corpus)):
            knees += knees_of_result(result, corpus)
            peaks += [join["peak"] for join in result.report.details["joins"]]
    above = 100 * float(np.mean(np.array(peaks) > 1))
    return [
        *knee_figures(f"{TIMELINES} timelines of body 141 with forced frames", knees),
        figure("body 141; joins of its timelines", len(peaks), "joins", "higher"),
        figure("body 141; highest acceleration at a join", max(peaks), "x bar", "lower"),
        figure("body 141; joins above the bar", above, "%", "lower"),
    ]


def _timelines(model: Model) -> Iterator[Result]:
    for seed in range(TIMELINES):
        request = _request(model, np.random.default_rng([seed, 141]))
        yield realize(timeline, solve(timeline, model, request, seed=seed)[0], model)


def _request(model: Model, rng: np.random.Generator) -> Request:
    count = int(rng.integers(1, 4))
    seconds = APART * (count + 1) + float(rng.uniform(0.0, 2.0))
    starts = APART / 2 + np.sort(rng.uniform(0.0, seconds - APART * count, count)) + APART * np.arange(count)
    frames = []
    for at in starts:
        info = model.view.corpus.info(str(rng.choice(TAKES)))
        frames.append({"at": f"{at:.2f}s", "take": info.name, "frame": int(rng.integers(info.n_frames))})
    towards, away = rng.uniform(0, 2 * np.pi), rng.uniform(0.2, 0.6) * seconds
    places = [{"position": [away * np.cos(towards), away * np.sin(towards)]}] if rng.random() < 0.5 else []
    return Request.from_data({"length": f"{seconds:.2f}s", "frames": frames, "places": places})
