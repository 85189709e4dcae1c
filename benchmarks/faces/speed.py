"""Speed: a face from scratch, and from a dragged marker to the new face."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from time import perf_counter

import numpy as np

from benchmarks.faces.completion import request_of
from benchmarks.faces.material import FPS, RECORDED, USUAL, recorded
from benchmarks.faces.stretches import Stretch, stretches_of
from benchmarks.measure import best_of, figure
from motionloom.assembly import Answer, solve
from motionloom.corpus import Corpus
from motionloom.methods import dynamics
from motionloom.methods.dynamics import Material, Model, Request, prepare
from motionloom.methods.dynamics.dragging import drag
from motionloom.methods.dynamics.request import PointTarget

EVENTS, STEP = 40, 0.0005  # drags, and metres that each moves the marker
EDITED, DRAGGED = "face/cheeks", "Mouth_Lend"
PINS = ("Mouth_Rend", "Chin", "Leyebrow_M", "Reyebrow_M")
KEYS = 2.5  # seconds of the face made from three keys and a trajectory


def figures(data: Path) -> list[dict]:
    """Seconds from scratch, milliseconds of a drag, of an edited take of 25 s and of a face from keys."""
    corpus = recorded(data)
    edited = prepare(corpus, Material(RECORDED, FPS, USUAL, (EDITED,)))
    stretch = max(stretches_of(corpus, KEYS), key=lambda each: float(each.still.std(axis=0).sum()))
    cases: dict[str, tuple[Model, Request]] = {
        f"an edited take of {edited.view.motion(EDITED).duration:.0f} s": (edited, edit_of(corpus, edited)),
        f"a face of {KEYS:g} s from three keys": (stretch.model(USUAL), keys_with_target(stretch)),
    }
    rows = []
    for name, (model, request) in cases.items():
        cold = best_of(partial(solve, dynamics, model, request), 3)
        times = dragged(model, request, solve(dynamics, model, request)[0])
        rows += [
            figure(f"{name}; from scratch", cold, "s", "lower", paper=30),
            figure(f"{name}; a dragged marker to the new face, median", 1000 * float(np.median(times)), "ms", "lower"),
            figure(
                f"{name}; a dragged marker to the new face, 95th percentile",
                1000 * float(np.percentile(times, 95)),
                "ms",
                "lower",
            ),
        ]
    return rows


def edit_of(corpus: Corpus, model: Model) -> Request:
    """A corner of the mouth moved in the middle of a take, with four other markers pinned there."""
    middle = model.view.motion(EDITED).n_frames // 2
    moved = [{"at": f"{middle}f", "joint": DRAGGED, "moved_by": [0.0, 0.0, 0.0]}]
    pins = [{"at": f"{middle}f", "joint": name, "moved_by": [0.0, 0.0, 0.0]} for name in PINS]
    return Request.from_data({"start_from": EDITED, "points": [*moved, *pins]})


def keys_with_target(stretch: Stretch) -> Request:
    """Three keys, and a corner of the mouth between two of them."""
    frame = stretch.n_frames // 4
    place = stretch.world[frame, stretch.view.markers.index(DRAGGED)]
    point = {"at": f"{frame}f", "joint": DRAGGED, "position": [round(float(value), 6) for value in place]}
    return Request.from_data({**request_of(stretch).to_data(), "points": [point]})


def dragged(model: Model, request: Request, answer: Answer) -> list[float]:
    """Seconds of each event while the first point is pulled outwards and back."""
    first: PointTarget = request.points[0]
    name = "moved_by" if first.moved_by is not None else "position"
    x, y, z = getattr(first, name)
    times, state = [], answer.state
    for event in range(EVENTS):
        moved = STEP * (event + 1 if event < EVENTS / 2 else EVENTS - event)
        point = replace(first, **{name: (x + moved, y, z)})
        begins = perf_counter()
        state = drag(model, replace(request, points=(point, *request.points[1:])), state).state
        times.append(perf_counter() - begins)
    return times
