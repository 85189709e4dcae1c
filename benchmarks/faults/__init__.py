"""Faults: kills, mutated inputs, full disks, hostile clients; `tests/faults` runs the same harness for seconds."""

from pathlib import Path


def figures(data: Path | None) -> list[dict]:
    """Everything that is claimed about what cannot go wrong."""
    from benchmarks.faults.report import fault_figures  # tests use parts of the harness, and need no browser for them

    return fault_figures(data)
