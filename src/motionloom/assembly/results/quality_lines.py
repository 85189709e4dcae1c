"""What the measures of quality say in a report."""

from collections.abc import Mapping, Sequence

import numpy as np

from motionloom.assembly.results.result import Measured
from motionloom.assembly.results.yardsticks import Yardsticks
from motionloom.motion import Motion
from motionloom.quality import NearestReal, Quality, measure_quality

UNMEASURED = "no recordings were given to compare with"


def compare(
    after: Quality, before: Quality | None = None, usual: Mapping[str, float] | None = None
) -> tuple[Measured, ...]:
    """The numbers of a motion as lines of a report, beside those of the motion that it was made from.

    Args:
        after: what was measured.
        before: the same of the motion that it was made from.
        usual: the same of recordings, by name.
    """
    earlier = {} if before is None else before.numbers()
    return tuple(
        Measured(name, value, unit, before=earlier[name][0] if name in earlier else None, usual=(usual or {}).get(name))
        for name, (value, unit) in after.numbers().items()
    )


def measure_result(
    motion: Motion, source: Motion, contacts: np.ndarray, joins: Sequence[int], yardsticks: Yardsticks | None
) -> tuple[tuple[Measured, ...], NearestReal | None]:
    """How good an assembled motion is, as lines of a report, and the recorded frames nearest to its own.

    What cannot be measured is named too.

    Args:
        motion: with its feet planted.
        source: before that.
        contacts: (F, 4) bool.
        joins: frames where pieces meet.
        yardsticks: of the recordings; None to measure what needs none.
    """
    stands = contacts if contacts.any() else None
    if yardsticks is None:
        after, before = measure_quality(motion, stands, source=source), measure_quality(source, stands)
        missing = (("joins", "%"), ("pose limits", "%"), ("nearest real frame", "cm"))
        lines = tuple(Measured(name, None, unit, note=UNMEASURED) for name, unit in missing)
        return compare(after, before) + lines, None
    held = {"joins": joins, "bars": yardsticks.bars, "limits": yardsticks.limits}
    after = measure_quality(motion, stands, source=source, real=yardsticks.real, **held)  # type: ignore[arg-type]
    before = measure_quality(source, stands, **held)  # type: ignore[arg-type]
    return compare(after, before, yardsticks.usual), after.nearest_real
