"""Priors of fitting and of other behaviours: for keys of walks, and for trajectories of jumps."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.dynamics.keys import request_of as keys_of
from benchmarks.dynamics.material import HOPS, JUMPS, RUNS, STRAIGHT, TURNS, locomotion, model_of, without
from benchmarks.dynamics.trajectories import SETS
from benchmarks.dynamics.trajectories import request_of as trajectories_of
from benchmarks.dynamics.windows import Window, made_of, missed_by, windows_of
from benchmarks.measure import figure
from motionloom.methods.dynamics import Request
from motionloom.methods.dynamics.request import Prior

COUNT = 4  # keys
WRONG = ("running", "hopping", "jumping")


def figures(data: Path) -> list[dict]:
    """Mean angles by prior, and whether their order is the paper's."""
    found = []
    walks = {name: walking_keys(data, name) for name in ("walking", "general", *WRONG)}
    linear = walking_keys(data, "walking", method="linear")
    found += [figure(f"four keys of walks; prior from {name}", value, "deg", "lower") for name, value in walks.items()]
    found.append(figure("four keys of walks; linear", linear, "deg", "lower"))
    ordered = walks["walking"] < walks["general"] < linear < min(walks[name] for name in WRONG)
    found.append(figure("four keys of walks; priors in the order of the paper", ordered, "yes", "higher"))
    jumps = {name: jumping_trajectories(data, name) for name in ("jumping", "general", "walking", "running", "hopping")}
    found += [
        figure(f"trajectories of jumps; prior from {name}", value, "deg", "lower") for name, value in jumps.items()
    ]
    fits = jumps["jumping"] < min(jumps[name] for name in ("walking", "running", "hopping"))
    found.append(figure("trajectories of jumps; the fitting prior is better than wrong ones", fits, "yes", "higher"))
    return found


def takes_of(name: str) -> tuple[str, ...]:
    """What a prior is learnt from."""
    single = {"walking": STRAIGHT, "running": RUNS, "hopping": HOPS, "jumping": JUMPS}
    return (*STRAIGHT, *TURNS, *RUNS, *JUMPS, *HOPS) if name == "general" else single[name]


def walking_keys(data: Path, name: str, *, method: str = "dynamics") -> float:
    """Mean degrees of straight walks from four keys, every take left out of the prior."""
    return _mean(data, name, STRAIGHT, lambda window: keys_of(window, COUNT, method=method))


def jumping_trajectories(data: Path, name: str) -> float:
    """Mean degrees of jumps from six trajectories, every take left out of the prior."""
    return _mean(data, name, JUMPS, lambda window: trajectories_of(window, SETS["six"]))


def _mean(data: Path, name: str, tests: Sequence[str], request_for) -> float:  # type: ignore[no-untyped-def]
    found = []
    for take in tests:
        model = model_of(locomotion(data), without(takes_of(name), take), (take,), Prior())
        windows: list[Window] = windows_of(model, take)[:4]
        for window in windows:
            request: Request = request_for(window)
            found.append(missed_by(made_of(model, request), window).geodesic)
    return float(np.mean(found))
