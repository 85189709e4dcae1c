"""Viterbi smoothing: decisions about single windows become label tracks that switch seldom, with confidences."""

import numpy as np

from motionloom.classify.settings import Settings


def decide_track(decisions: np.ndarray, settings: Settings) -> tuple[np.ndarray, np.ndarray]:
    """Decide where a label holds in the windows of a motion, with confidences.

    Args:
        decisions: (T,) SVM decision values; positive where the label holds, 1 is the margin.
        settings: cost of switching, slope of the logistic function.

    Returns:
        (T,) bool, and (T,) probability, 0 to 1, that the decision is right.
    """
    from motionloom.classify._kernels import cheapest_states

    lift = settings.slope * np.asarray(decisions, np.float64)
    costs = np.stack([np.logaddexp(0.0, lift), np.logaddexp(0.0, -lift)], axis=1)  # (T, 2) nats
    holds = np.empty(len(costs), bool)
    cheapest_states(costs, np.full(2, settings.smoothing), holds)
    probability = np.exp(-costs[:, 1])
    return holds, np.where(holds, probability, 1.0 - probability)


def entropy(decisions: np.ndarray, settings: Settings) -> np.ndarray:
    """The entropy of decision values of any shape, in bits: 0 certain, 1 undecided."""
    p = np.clip(1.0 / (1.0 + np.exp(-settings.slope * np.clip(decisions, -50, 50))), 1e-9, 1 - 1e-9)
    return -(p * np.log2(p) + (1 - p) * np.log2(1 - p))
