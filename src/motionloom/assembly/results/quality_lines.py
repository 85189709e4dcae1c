"""What the measures of quality say in a report."""

from collections.abc import Mapping, Sequence

import numpy as np

from motionloom.assembly.results.result import Measured, Part
from motionloom.assembly.results.yardsticks import Yardsticks
from motionloom.motion import Footing, Motion
from motionloom.quality import NearestReal, Quality, measure_quality
from motionloom.quality.air import SHORTEST
from motionloom.quality.quality import IN_THE_AIR

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
    notes = {IN_THE_AIR: after.in_the_air.describe()} if after.in_the_air and after.in_the_air.hovers else {}
    return tuple(
        Measured(
            name,
            value,
            unit,
            before=earlier[name][0] if name in earlier else None,
            usual=(usual or {}).get(name),
            note=notes.get(name, ""),
        )
        for name, (value, unit) in after.numbers().items()
    )


def carried_part(quality: Sequence[Measured]) -> tuple[Part, ...]:
    """A part of the report where a body is in the air without falling; nothing where it never is."""
    found = [line for line in quality if line.name == IN_THE_AIR and line.value]
    return tuple(
        Part("something carries the body", float(line.value or 0.0), "s in the air", SHORTEST, False, line.note)
        for line in found
    )


def measure_result(
    motion: Motion,
    source: Motion,
    contacts: np.ndarray,
    joins: Sequence[int],
    yardsticks: Yardsticks | None,
    *,
    footing: tuple[Footing | None, Footing | None] = (None, None),
) -> tuple[tuple[Measured, ...], NearestReal | None]:
    """How good an assembled motion is, as lines of a report, and the recorded frames nearest to its own.

    What cannot be measured is named too.

    Args:
        motion: with its feet planted.
        source: before that.
        contacts: (F, 4) bool.
        joins: frames where pieces meet.
        yardsticks: of the recordings; None to measure what needs none.
        footing: what its feet stand on besides the floor, and those of the source; None for nothing.
    """
    stands = contacts if contacts.any() else None
    if yardsticks is None:
        after = measure_quality(motion, stands, source=source, footing=footing[0])
        before = measure_quality(source, stands, footing=footing[1])
        missing = (("joins", "%"), ("pose limits", "%"), ("nearest real frame", "cm"))
        lines = tuple(Measured(name, None, unit, note=UNMEASURED) for name, unit in missing)
        return compare(after, before) + lines, None
    held = {"joins": joins, "bars": yardsticks.bars, "limits": yardsticks.limits}
    after = measure_quality(
        motion,
        stands,
        source=source,
        real=yardsticks.real,
        footing=footing[0],
        **held,  # type: ignore[arg-type]
    )
    before = measure_quality(source, stands, footing=footing[1], **held)  # type: ignore[arg-type]
    return compare(after, before, yardsticks.usual), after.nearest_real
