"""How every benchmark measures: best of five, a calibration figure beside, and one shape for a figure."""

import time
from collections.abc import Callable

import numpy as np


def figure(
    name: str, value: float, unit: str, better: str, *, peer: float | None = None, paper: float | None = None
) -> dict:
    """One measured number; targets are joined to it by its name from targets.csv."""
    return {"name": name, "value": float(value), "unit": unit, "better": better, "paper": paper, "peer": peer}


def best_of(run: Callable[[], object], times: int = 5) -> float:
    """Seconds of the fastest of several runs: the one that the rest of the machine disturbed least."""
    seconds = []
    for _ in range(times):
        start = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def calibration() -> dict:
    """How fast this machine is right now: a fixed matrix product."""
    a = np.random.default_rng(0).random((800, 800))
    return figure("calibration: product of two 800 x 800 matrices", best_of(lambda: a @ a) * 1000, "ms", "lower")
