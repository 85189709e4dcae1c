"""One-step errors of faces: markers beside their prediction with the controls that explain them best (figure 2)."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.faces.material import FPS, performed, recorded, view_of
from benchmarks.measure import figure
from motionloom.corpus import Corpus
from motionloom.methods.dynamics.prior.learning import LearningSettings, Learnt, learn
from motionloom.motion import PointMotion

PARTS, MODEL_FPS = 5, 30.0  # the last of five parts of each take is held out
ORDERS, SIZES, CONTROLS = (1, 2, 3), (10, 20, 40), (0, 1, 2, 4)


def figures(data: Path) -> list[dict]:
    """All takes of an actor together, the last fifth of each held out."""
    rows = []
    for size in SIZES:
        for order in ORDERS if size == 20 else (2,):
            for controls in CONTROLS if (size, order) == (20, 2) else (1,):
                name = f"one step; d_x = {size}, d_u = {controls}, m = {order}"
                rows += _rows(name, recorded(data), size, order, controls)
    return [*rows, *_rows("one step of performed faces; d_x = 20, d_u = 1, m = 2", performed(), 20, 2, 1)]


def _rows(name: str, corpus: Corpus, size: int, order: int, controls: int) -> list[dict]:
    beside, raw, shown = errors_of(corpus, size, order, controls)
    paper = 0.1 if (size, order, controls) == (20, 2, 1) else None
    return [
        figure(f"{name}; in the subspace", 1000 * beside, "mm", "lower", paper=paper),
        figure(f"{name}; beside the recording", 1000 * raw, "mm", "lower"),
        figure(f"{name}; truncation, the subspace alone", 1000 * shown, "mm", "lower"),
    ]


def errors_of(corpus: Corpus, size: int, order: int, controls: int) -> tuple[float, float, float]:
    """Metres per marker: in the subspace, beside the recording, and what the subspace cannot show."""
    view, step = view_of(corpus), round(FPS / MODEL_FPS)
    early, late = list[PointMotion](), list[PointMotion]()
    for name in view.names:
        positions = np.asarray(view.motion(name).positions, float)
        border = len(positions) * (PARTS - 1) // PARTS
        for part, found in ((positions[:border], early), (positions[border:], late)):
            found.append(PointMotion(view.markers, part[::step], MODEL_FPS))
    learnt = learn(early, LearningSettings(dimensions=size, controls=controls, order=order, pull="zero"))
    return _one_step(learnt, late)


def _one_step(learnt: Learnt, tests: Sequence[PointMotion]) -> tuple[float, float, float]:
    vectors, subspace, system, found = learnt.vectors, learnt.subspace, learnt.system, []
    for test in tests:
        written, places = vectors.encode(test)
        coordinates, m = subspace.to_coordinates(written), system.order
        true, shown, predicted = (
            vectors.decode(each, places[m:]).positions
            for each in (
                written[m:],
                subspace.to_vectors(coordinates[m:]),
                subspace.to_vectors(system.one_step(coordinates)),
            )
        )
        pairs = ((shown, predicted), (true, predicted), (true, shown))
        found.append([np.linalg.norm(one - other, axis=-1).mean(axis=1) for one, other in pairs])
    return tuple(float(np.concatenate(each).mean()) for each in zip(*found))  # type: ignore[return-value]
