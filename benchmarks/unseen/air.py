"""Bodies in the air: timelines as files, read back, with the supports that came with their frames and without."""

import tempfile
from pathlib import Path

from benchmarks.measure import figure
from benchmarks.unseen.timelines import all_timelines
from motionloom.assembly import read_result, write_result
from motionloom.motion import Footing
from motionloom.quality import measure_air


def air_figures(data: Path) -> list[dict]:
    """In how many timelines a body is in the air for longer than 0.3 s with nothing under it."""
    hovering, bare, with_supports, silent, count = [], 0, 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "timeline.npz"
        for made in all_timelines(data):
            write_result(path, made.result)
            character = read_result(path).character
            found = measure_air(character.motion, footing=character.footing)
            count += 1
            with_supports += bool(character.footing.supports)
            bare += bool(measure_air(character.motion, footing=Footing()).hovers)
            if found.hovers:
                hovering.append(f"{made.name}: {found.describe()}")
                silent += made.result.report.is_met
    print("\n".join(hovering))
    return [
        figure("air; timelines", count, "timelines", "higher"),
        figure("air; timelines whose feet stand on supports somewhere", with_supports, "timelines", "higher"),
        figure("air; without these supports, bodies in the air for over 0.3 s", bare, "timelines", "lower"),
        figure("air; bodies in the air for over 0.3 s", len(hovering), "timelines", "lower"),
        figure("air; of these, reported as met", silent, "timelines", "lower"),
    ]
