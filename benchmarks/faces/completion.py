"""Three keys and the trajectory of the most mobile marker: the whole face is found from them (section 6.2).

Keys are the first, the middle and the last frame; the head moves as it did. The alternatives are asked the very same:
`linear` between keys with the marker where it is asked to be, and `subspace`, inverse kinematics in a PCA subspace.
"""

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from benchmarks.faces.material import PAPER, RECORDED, USUAL, performed, recorded
from benchmarks.faces.stretches import SEED, Stretch, made_of, missed_by, stretches_of
from benchmarks.measure import figure
from motionloom.corpus import Corpus
from motionloom.methods.dynamics import Request
from motionloom.methods.dynamics.request import Prior

LENGTHS = (1.5, 2.5)  # seconds
KEYS = 3
METHODS = ("dynamics", "linear", "subspace")
PRIORS = {"m = 2, d_u = 1, d_x = 20": PAPER, "usual settings": USUAL}


def figures(data: Path) -> list[dict]:
    """Recorded faces, by the settings of the paper and by those that are usual; performed ones by the latter."""
    rows: list[dict] = []
    for kind, prior in PRIORS.items():
        for seconds in LENGTHS:
            what = f"three keys and a trajectory, {seconds:g} s; {kind}"
            rows += rows_of(what, misses_of(recorded(data), seconds, prior), by_take=True)
    for seconds in LENGTHS:
        what = f"three keys and a trajectory, {seconds:g} s; performed faces, usual settings"
        rows += rows_of(what, misses_of(performed(), seconds, USUAL))
    return rows


def rows_of(what: str, misses: "Misses", *, by_take: bool = False) -> list[dict]:
    """Millimetres, the ratio to the better alternative, and how many stretches are better than both."""
    means = {method: 1000 * float(np.mean(misses.metres[method])) for method in METHODS}
    rows = [figure(f"{what}; {method}", value, "mm", "lower") for method, value in means.items()]
    better = min(means["linear"], means["subspace"])
    rows.append(figure(f"{what}; ratio to the better of linear and subspace", means["dynamics"] / better, "x", "lower"))
    rows.append(figure(f"{what}; stretches better than both", 100 * misses.won().mean(), "%", "higher"))
    if by_take:
        for take in RECORDED:
            chosen = [number for number, stretch in enumerate(misses.stretches) if stretch.take == take]
            for method in METHODS:
                value = 1000 * float(np.mean([misses.metres[method][number] for number in chosen]))
                rows.append(figure(f"{what}; {take}; {method}", value, "mm", "lower"))
    return rows


class Misses:
    """How far each method is from each stretch."""

    def __init__(self, stretches: Iterable[Stretch], prior: Prior) -> None:
        self.stretches = list(stretches)
        self.metres: dict[str, list[float]] = {method: [] for method in METHODS}
        for stretch in self.stretches:
            model = stretch.model(prior)
            for method in METHODS:
                made = made_of(model, request_of(stretch, method))
                self.metres[method].append(missed_by(made, stretch))

    def won(self) -> np.ndarray:
        """(S,) bool: better than both alternatives."""
        both = np.minimum(self.metres["linear"], self.metres["subspace"])
        return np.array(self.metres["dynamics"]) < both


_misses: dict = {}


def misses_of(corpus: Corpus, seconds: float, prior: Prior, seed: int = SEED) -> Misses:
    """Of all stretches of a length; kept until the benchmark ends."""
    key = (corpus.folder, seconds, prior, seed)
    if key not in _misses:
        _misses[key] = Misses(stretches_of(corpus, seconds, seed=seed), prior)
    return _misses[key]


def key_frames(stretch: Stretch) -> list[int]:
    """The first, the middle and the last frame, all of them frames of a model at 30 per second."""
    return (np.round(np.linspace(0, (stretch.n_frames - 1) // 2, KEYS)).astype(int) * 2).tolist()


def request_of(stretch: Stretch, method: str = "dynamics") -> Request:
    """Three keys, and one marker in all frames."""
    take, last = stretch.take, stretch.n_frames - 1
    return Request.from_data(
        {
            "length": f"{stretch.n_frames}f",
            "method": method,
            "head": {"like": {"take": take, "frame": stretch.frame}},
            "poses": [
                {"at": f"{frame}f", "pose": {"take": take, "frame": stretch.source_frame(frame)}}
                for frame in key_frames(stretch)
            ],
            "points": [
                {
                    "from": "0f",
                    "to": f"{last}f",
                    "joint": stretch.most_mobile,
                    "like": {"take": take, "frame": stretch.frame},
                    "hard": True,
                }
            ],
        }
    )
