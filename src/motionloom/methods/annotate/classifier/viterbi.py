"""Smoothing: what the machines say about single windows becomes tracks that go on and off as seldom as labels do."""

import numpy as np

from motionloom.methods.annotate.request import Settings


def decide_track(decisions: np.ndarray, settings: Settings) -> tuple[np.ndarray, np.ndarray]:
    """Where one label holds in the windows of a motion, and how sure that is.

    Args:
        decisions: (T,) above 0 where a window alone says that it holds; 1 is the margin.
        settings: what going on or off costs, and how confidence grows.

    Returns:
        (T,) bool, and (T,) from 0 to 1: how likely it is that this is right.
    """
    from motionloom.methods.annotate.classifier._kernels import cheapest_states

    lift = settings.slope * np.asarray(decisions, np.float64)
    costs = np.stack([np.logaddexp(0.0, lift), np.logaddexp(0.0, -lift)], axis=1)  # (T, 2) nats
    holds = np.empty(len(costs), bool)
    cheapest_states(costs, np.full(2, settings.smoothing), holds)
    chance = np.exp(-costs[:, 1])
    return holds, np.where(holds, chance, 1.0 - chance)


def entropy(decisions: np.ndarray, settings: Settings) -> np.ndarray:
    """How unsure the machines are, from 0 to 1 (bits), of decisions of any shape."""
    chance = np.clip(1.0 / (1.0 + np.exp(-settings.slope * np.clip(decisions, -50, 50))), 1e-9, 1 - 1e-9)
    return -(chance * np.log2(chance) + (1 - chance) * np.log2(1 - chance))
