"""How fast the performer makes the demo takes, and how like recorded walks and runs its own are."""

import time
from pathlib import Path

from benchmarks.measure import calibration, figure
from benchmarks.performer.compare import compare
from motionloom.performer import Performance, perform_demo


def figures(data: Path | None) -> list[dict]:
    """Seconds to perform the demo, its length, and how many measures of its walks and runs are like recorded ones."""
    seconds, performances = _perform()
    result = [
        calibration(),
        figure("demo takes; time to perform them", seconds, "s", "lower"),
        figure("demo takes; length", sum(p.motion.duration for p in performances) / 60, "min", "higher"),
    ]
    if data is not None:
        for gait in ("walk", "run"):
            rows = compare(data, performances, gait)
            inside = sum(row.is_inside for row in rows)
            result.append(
                figure(f"{gait}; measures inside the recorded range", 100 * inside / len(rows), "%", "higher")
            )
    return result


def _perform() -> tuple[float, list[Performance]]:
    start = time.perf_counter()
    performances = list(perform_demo(seed=1))
    return time.perf_counter() - start, performances
