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
PUNCHED = ("martial_arts", "everyday")  # targets at the height of the chest
TOUCHED = ("everyday", "football_like")  # targets on the floor


def figures(data: Path) -> list[dict]:
    """Every part of every set."""
    found = [figure for name in EDITED for figure in edits.figures_of(data, name, f"unseen; {name}; edits")]
    for name in PUNCHED:
        laid_out = targets.layouts(*targets.HIGH, *targets.AWAY)
        found += targets.figures_of(f"unseen; {name}; targets at the chest", set_of(data, name), laid_out, 0.001)
    for name in TOUCHED:
        laid_out = targets.layouts(*targets.LOW, *targets.BESIDE)
        found += targets.figures_of(f"unseen; {name}; targets on the floor", set_of(data, name), laid_out, 0.01)
    return [*found, *boxers.figures_of("unseen; martial_arts; two fighters", set_of(data, "martial_arts"))]
