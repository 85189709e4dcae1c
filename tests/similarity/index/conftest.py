"""Places in a feature space for the tests of the index, as motions go through it."""

import numpy as np
import pytest

from motionloom.similarity import measure_features
from motionloom.similarity.feature_space import FeatureDistances


def make_motions(lengths, n_axes=6, seed=0, step=0.2) -> FeatureDistances:
    """Motions that go smoothly to and fro in a bounded room, each from somewhere else."""
    rng = np.random.default_rng(seed)
    parts = []
    for length in lengths:
        speed = np.convolve(rng.normal(size=length + 40), np.hanning(20) / 10, "same")[20:-20]
        phases = rng.uniform(0, 2 * np.pi, n_axes) + step * rng.uniform(0.3, 1, n_axes) * np.arange(length)[:, None]
        parts.append(3 * np.sin(phases) + speed[:, None])
    return measure_features(np.concatenate(parts), np.concatenate([[0], np.cumsum(lengths)]))


@pytest.fixture(scope="session")
def wandering() -> FeatureDistances:
    """10,000 frames of 22 motions, some of them short."""
    return make_motions(
        [900, 400, 37, 3, 1, 650, 800, 500, 12, 700, 600, 450, 350, 300, 950, 120, 80, 640, 820, 560, 600, 527]
    )


@pytest.fixture(scope="session")
def wander():
    """What makes motions of given lengths."""
    return make_motions
