"""What the measures of quality say in a report."""

from motionloom.assembly.result import Quality
from motionloom.quality import Quality as Measured


def compare(after: Measured, before: Measured | None = None) -> tuple[Quality, ...]:
    """The numbers of a motion as lines of a report, beside those of the motion that it was made from."""
    earlier = {} if before is None else before.numbers()
    return tuple(
        Quality(name, value, unit, before=earlier[name][0] if name in earlier else None)
        for name, (value, unit) in after.numbers().items()
    )
