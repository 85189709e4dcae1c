"""Where the prior fails: stretches that it makes worse than linear or inverse kinematics do."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.faces.completion import LENGTHS, METHODS, misses_of
from benchmarks.faces.material import RECORDED, USUAL, recorded
from benchmarks.faces.stretches import Stretch, stretches_of
from benchmarks.measure import figure

SEEDS = (0, 1, 2)  # of the seeded stretches that are looked at besides


@dataclass(frozen=True)
class Failure:
    """A stretch, and how far each method is from it."""

    stretch: Stretch
    metres: dict[str, float]

    @property
    def ratio(self) -> float:
        """To the better of linear and subspace."""
        return self.metres["dynamics"] / min(self.metres["linear"], self.metres["subspace"])


def figures(data: Path) -> list[dict]:
    """How many of many stretches are lost, in which takes, and the worst of them."""
    rows = []
    for seconds in LENGTHS:
        every = list(failures(data, seconds))
        lost = [each for each in every if each.ratio >= 1]
        what = f"where the prior fails, {seconds:g} s"
        rows.append(figure(f"{what}; stretches", len(every), "stretches", "higher"))
        for take in RECORDED:
            count = sum(each.stretch.take == take for each in lost)
            rows.append(figure(f"{what}; not better than both in {take}", count, "stretches", "lower"))
        worst = max(each.ratio for each in every)
        farthest = 1000 * max(each.metres["dynamics"] for each in every)
        rows.append(figure(f"{what}; the worst, ratio to the better of linear and subspace", worst, "x", "lower"))
        rows.append(figure(f"{what}; the farthest from the recording", farthest, "mm", "lower"))
    return rows


def failures(data: Path, seconds: float) -> Iterator[Failure]:
    """All stretches of a length, of several seeds, each once."""
    seen = set()
    for seed in SEEDS:
        misses = misses_of(recorded(data), seconds, USUAL, seed)
        for number, stretch in enumerate(stretches_of(recorded(data), seconds, seed=seed)):
            if (stretch.take, stretch.start) not in seen:
                seen.add((stretch.take, stretch.start))
                yield Failure(stretch, {method: misses.metres[method][number] for method in METHODS})
