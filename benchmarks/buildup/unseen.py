"""Edits and hits in sets on which nothing about them was chosen, by the same measures; reported, without targets.

Bridges and hits have settings that were changed after boxing and breakdance had been looked at. Everyday and the
football-like set were looked at for no setting of build-up; on martial_arts settings of the trees were chosen, but none
of bridges and hits. Targets are laid out as those of the boxer are, at the height of the chest, and as those of the
dancer are, on the floor.
"""

from pathlib import Path

from benchmarks.buildup import boxers, edits, targets
from benchmarks.timeline.corpora import set_of

EDITED = ("martial_arts", "everyday", "football_like")
FIGHTERS, PICKERS = "martial_arts", "football_like"  # who punches at chests, and who picks things up


def figures(data: Path) -> list[dict]:
    """Every part of every set."""
    found = [figure for name in EDITED for figure in edits.figures_of(data, name, f"unseen; {name}; edits")]
    for name, where, laid_out, allowed in (
        (FIGHTERS, "at the chest", targets.layouts(*targets.HIGH, *targets.AWAY), 0.001),
        (PICKERS, "on the floor", targets.layouts(*targets.LOW, *targets.BESIDE), 0.01),
    ):
        found += targets.figures_of(f"unseen; {name}; targets {where}", set_of(data, name), laid_out, allowed)
    return [*found, *boxers.figures_of(f"unseen; {FIGHTERS}; two fighters", set_of(data, FIGHTERS))]
