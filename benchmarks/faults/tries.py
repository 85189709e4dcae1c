"""What a fault test reports: how often something was tried, with which seed, and what was found."""

from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass
class Tries:
    """Attempts of one kind, and a sentence for each that went wrong."""

    what: str
    seed: int
    count: int = 0
    findings: list[str] = field(default_factory=list)

    def add(self, findings: Iterable[str] = ()) -> None:
        """Count one attempt, and what was found in it."""
        self.count += 1
        self.findings += findings

    def __str__(self) -> str:
        found = f"{len(self.findings)} finding{'' if len(self.findings) == 1 else 's'}"
        lines = [f"{self.what}: {self.count:,} tries, seed {self.seed}, {found}"]
        return "\n".join([*lines, *(f"    {finding}" for finding in self.findings[:20])])


def total(parts: Iterable[Tries]) -> tuple[int, int]:
    """How many attempts, and how many findings."""
    listed = list(parts)
    return sum(part.count for part in listed), sum(len(part.findings) for part in listed)
