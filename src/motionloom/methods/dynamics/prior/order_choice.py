"""Choosing the order m: how many frames the next one follows from, by takes that are left out.

More frames foresee better where there is much to learn from, and worse where there is little. The usual order stays
unless takes that were not learnt from are clearly likelier with another one.
"""

from collections.abc import Sequence

import numpy as np

from motionloom.methods.dynamics.prior.dynamic_prior import learn_noise
from motionloom.methods.dynamics.prior.linear_system import RIDGE, learn_linear_system

USUAL, MOST = 3, 6
FOLDS = 5


def choose_order(
    takes: Sequence[np.ndarray],
    groups: Sequence[object],
    *,
    usual: int = USUAL,
    most: int = MOST,
    towards: str,
    ridge: float = RIDGE,
    momentum: float = 0.0,
) -> int:
    """The order under which takes that are left out are likeliest, or one that is hardly worse and more usual.

    Args:
        takes: (F, d) coordinates each.
        groups: of each take; takes of one group, such as mirrored copies, are left out together.
        usual: order that is kept unless another is better by more than a standard error over groups.
        most: order that is tried.
        towards: what A is pulled to.
        ridge: how much.
        momentum: of persistence.
    """
    long = [number for number, take in enumerate(takes) if len(take) > most]
    names = list(dict.fromkeys(groups[number] for number in long))
    if len(names) < 2:
        return usual
    orders = range(1, most + 1)
    how = (towards, ridge, momentum)
    likely = np.array([_held_out([takes[n] for n in long], [groups[n] for n in long], m, most, how) for m in orders])
    best = int(likely.mean(axis=1).argmax())
    behind = likely[best] - likely  # (orders, groups)
    errors = behind.std(axis=1, ddof=1) / np.sqrt(len(names))
    hardly_worse = np.flatnonzero(behind.mean(axis=1) <= errors)  # the best one among them
    return int(1 + min(hardly_worse, key=lambda number: (abs(number + 1 - usual), number)))


def _held_out(
    takes: list[np.ndarray], groups: list[object], order: int, most: int, how: tuple[str, float, float]
) -> list[float]:
    """Mean log-likelihood of a frame of each group, learnt from other folds; of the same frames for all orders."""
    names = list(dict.fromkeys(groups))
    towards, ridge, momentum = how
    found = dict.fromkeys(names, 0.0)
    folds = min(FOLDS, len(names))
    for fold in range(folds):
        left_out = set(names[fold::folds])
        rest = [take for take, group in zip(takes, groups) if group not in left_out]
        system = learn_linear_system(
            rest, order, controls=takes[0].shape[1], towards=towards, ridge=ridge, momentum=momentum
        )
        noise = learn_noise(system, rest, 1, 0)
        for name in left_out:
            errors = [system.errors(take)[most - order :] for take, group in zip(takes, groups) if group == name]
            found[name] = float(noise.log_densities(np.concatenate(errors)).sum(axis=1).mean())
    return [found[name] for name in names]
