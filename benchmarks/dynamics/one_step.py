"""One-step errors: a pose beside its prediction with the controls that explain it best (figure 2 of the paper)."""

from pathlib import Path

import numpy as np

from benchmarks.dynamics.material import LOCOMOTION, STRAIGHT, TURNS, locomotion, model_of, without
from benchmarks.measure import figure
from motionloom.methods.dynamics.prepare import thinned, training_motions
from motionloom.methods.dynamics.prior.learning import LearningSettings, learn
from motionloom.methods.dynamics.request import Prior
from motionloom.motion import rotations

TESTS = tuple(f"{LOCOMOTION}/16_{n}" for n in (21, 31, 58))
CONTROLS = 4


def figures(data: Path) -> list[dict]:
    """Three walks of subject 16 left out; learnt from its other walks and turns at 30 Hz, m = 3, d_u = 4."""
    found = []
    for size, mirrored in ((10, False), (20, False), (30, False), (40, False), (20, True), (40, True)):
        beside, raw, shown = errors_of(data, size, mirrored=mirrored)
        name = f"one step; d_x = {size}, d_u = {CONTROLS}, m = 3" + (", mirrored copies too" if mirrored else "")
        found.append(
            figure(
                f"{name}; in the subspace", beside, "deg", "lower", paper=0.7 if size == 20 and not mirrored else None
            )
        )
        found.append(figure(f"{name}; beside the recording", raw, "deg", "lower"))
        found.append(figure(f"{name}; the subspace alone", shown, "deg", "lower"))
    return found


def errors_of(data: Path, size: int, *, mirrored: bool) -> tuple[float, float, float]:
    """Degrees: in the subspace, beside the recording, and what the subspace cannot show."""
    model = model_of(locomotion(data), without((*STRAIGHT, *TURNS), *TESTS), TESTS, Prior(mirrored=mirrored))
    motions = training_motions(model.view, model.learnt_from, None, model.settings)
    learnt = learn(motions, LearningSettings(dimensions=size, controls=CONTROLS))
    vectors, subspace, system = learnt.vectors, learnt.subspace, learnt.system
    found = []
    for take in TESTS:
        written, places = vectors.encode(thinned(model.view.motion(take), model.step))
        written, places = written[:-1], places[:-1]
        coordinates = subspace.to_coordinates(written)
        m = system.order
        poses = [
            vectors.decode(each, places[m:]).local_rotations[:, vectors.joints]
            for each in (
                written[m:],
                subspace.to_vectors(coordinates[m:]),
                subspace.to_vectors(system.one_step(coordinates)),
            )
        ]
        true, shown, predicted = poses
        pairs = ((shown, predicted), (true, predicted), (true, shown))
        found.append([np.degrees(rotations.angle_between(*pair)).mean(axis=1) for pair in pairs])
    return tuple(float(np.concatenate(each).mean()) for each in zip(*found))  # type: ignore[return-value]
