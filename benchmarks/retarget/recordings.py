"""The recordings that are retargeted, and the skeletons that they are retargeted to."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.corpus.recordings import read_all
from benchmarks.retarget.rigs import RIGS
from motionloom.features.supported_contacts import detect_footing, find_floor
from motionloom.motion import Footing, Motion, Skeleton
from motionloom.performer.body.skeleton import build_skeleton

SETS = ("walking", "football_like", "martial_arts", "everyday")
OTHER_SETS = ("styles", "breakdance", "sneak", "boxing", "locomotion_optim")
SUBJECTS = ("football_like/143_04", "walking/69_03")  # the skeleton of the first, for its own takes that of the second


@dataclass(frozen=True, eq=False)
class Recorded:
    """A take with its floor, its contacts and what they rest on."""

    name: str
    motion: Motion
    floor: float  # metres, world
    contacts: np.ndarray  # (F, 4) bool
    footing: Footing


@cache
def read_recordings(data: Path, sets: tuple[str, ...] = SETS) -> tuple[Recorded, ...]:
    """Every take of the four sets, or of others."""
    takes = []
    for name, (motion, row) in read_all(data).items():
        if row["set"] in sets:
            floor = find_floor(motion)
            takes.append(Recorded(name, motion, floor, *detect_footing(motion, floor)))
    return tuple(takes)


def targets(data: Path, take: Recorded) -> Mapping[str, Skeleton]:
    """What a take is retargeted to, by name."""
    takes = read_all(data)
    first, second = (takes[name][0].skeleton for name in SUBJECTS)
    other = second if take.name.split("/")[1].startswith("143_") else first
    return {"another subject": other, **{name: build() for name, build in RIGS.items()}, "performer": build_skeleton()}
