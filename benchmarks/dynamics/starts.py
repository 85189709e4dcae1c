"""Five starts of the same problem: a line between the keys, and four at random (figure 4 of the paper)."""

from pathlib import Path

from benchmarks.dynamics.keys import request_of, walks_of_16
from benchmarks.measure import figure
from motionloom.methods.dynamics.optimization import set_up
from motionloom.methods.dynamics.random_starts import descend_from_random
from motionloom.methods.dynamics.trajectory.gauss_newton import descend

RANDOM = 4
WINDOWS = 6


def figures(data: Path) -> list[dict]:
    """Two keys with places and contacts, of six windows."""
    apart, most = [], 0
    for window in list(walks_of_16(data))[:: 24 // WINDOWS]:
        optimization = set_up(window.model, request_of(window, 2, placed=True))
        *_, usual = descend(optimization.problem, optimization.start)
        found = [one.descent for one in descend_from_random(optimization, RANDOM, seed=0, most=100, settled=1e-6)]
        costs = [usual.objective, *(each.objective for each in found)]
        apart.append((max(costs) - min(costs)) / min(costs))
        most = max(most, usual.iterations, *(each.iterations for each in found))
    return [
        figure("five starts; largest difference of the cost", 100 * max(apart), "%", "lower"),
        figure("five starts; most iterations", most, "iterations", "lower", paper=100),
    ]
