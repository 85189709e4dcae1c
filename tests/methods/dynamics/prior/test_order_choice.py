"""The order of a model by held-out takes, on processes whose order is known."""

import numpy as np
import pytest

from motionloom.methods.dynamics.prior.order_choice import MOST, USUAL, choose_order

# frames that count: a swing that is seen again after four, five and six frames; and one told by the last frame alone
LONG, SHORT = {4: 0.3, 5: -0.55, 6: 0.35}, {1: 0.9}


def swing(rng, lags, n_frames, size=3):
    """(F, d) coordinates of a linear process."""
    found = [rng.normal(size=size) for _ in range(MOST)]
    for _ in range(n_frames):
        found.append(sum(weight * found[-lag] for lag, weight in lags.items()) + 0.3 * rng.normal(size=size))
    return np.array(found[MOST:])


def takes_of(lags, count, n_frames, seed=0):
    rng = np.random.default_rng(seed)
    return [swing(rng, lags, n_frames) for _ in range(count)]


@pytest.mark.parametrize("seed", range(3))
def test_an_order_that_foresees_clearly_more_is_chosen(seed):
    takes = takes_of(LONG, 8, 400, seed)
    assert choose_order(takes, range(8), towards="zero") == 6


@pytest.mark.parametrize("seed", range(3))
def test_the_usual_order_stays_where_others_are_hardly_better(seed):
    """A frame tells the next; two more change next to nothing when there is much to learn from."""
    takes = takes_of(SHORT, 10, 2000, seed)
    assert choose_order(takes, range(10), towards="zero") <= USUAL


def test_little_data_keep_orders_low():
    takes = takes_of(LONG, 3, 14)
    assert choose_order(takes, range(3), towards="zero") <= USUAL


def test_copies_of_a_take_are_left_out_with_it():
    """Noise that is in a copy too would be known by heart, and the longest order would know most of it."""
    rng = np.random.default_rng(4)
    takes = [rng.normal(size=(24, 3)) for _ in range(6)]
    both = [*takes, *takes]
    assert choose_order(both, [*range(6), *range(6)], towards="zero") <= USUAL
    assert choose_order(both, range(12), towards="zero") > choose_order(both, [*range(6), *range(6)], towards="zero")


@pytest.mark.parametrize("takes", [takes_of(LONG, 1, 400), takes_of(LONG, 3, 5)])
def test_what_cannot_be_left_out_tells_nothing(takes):
    assert choose_order(takes, range(len(takes)), towards="zero") == USUAL
