"""Foot-skate clean-up: a motion with planted feet, and a report of before and after."""

import time

import numpy as np

from motionloom.assembly.playing.bend_and_plant import USUAL_FEET, feet_part
from motionloom.assembly.results.quality_lines import compare
from motionloom.assembly.results.result import Character, Part, Report, Result, Timing
from motionloom.constraints import FootplantSettings, Planted, correct_overstretch, plant_feet
from motionloom.motion import Footing, Motion, provenance
from motionloom.quality import Penetration, measure_quality

DEPTH_ALLOWED = 5.0  # millimetres that a foot point may be below the floor
CHANGE_ALLOWED = 3.0  # centimetres that joints may move on average


def clean_feet(
    motion: Motion,
    contacts: np.ndarray,
    floor_height: float = 0.0,
    *,
    footing: Footing | None = None,
    name: str = "motion",
    settings: FootplantSettings = USUAL_FEET,
) -> Result:
    """Plant the feet of a motion, and report foot skate before and after.

    Knees and elbows that are recorded beyond straight are brought back.

    Args:
        motion: of a skeleton with legs.
        contacts: (F, 4) bool: when heels and balls rest.
        floor_height: metres, world.
        footing: what feet stand on besides the floor; None for nothing.
        name: what its frames are called in the provenance.
        settings: how feet are planted.
    """
    began = time.perf_counter()
    straightened = correct_overstretch(motion)
    planted = plant_feet(straightened.motion, contacts, floor_height, footing=footing, settings=settings)
    took = time.perf_counter() - began
    before = measure_quality(motion, contacts, floor_height, footing=footing)
    after = measure_quality(planted.motion, contacts, floor_height, footing=footing, source=motion)
    parts = (feet_part(planted.report), _depth_part(after.penetration), _change_part(planted.report.mean_change_mm))
    report = Report(
        asked={"clean": name, "floor_height": float(floor_height), "footplants": len(planted.plants)},
        parts=parts,
        quality=compare(after, before),
        timings=(Timing("planting feet", took), Timing("measuring", time.perf_counter() - began - took)),
        notes=(*straightened.sentences(), *_unplanted(planted)),
    )
    origin = provenance.recorded(name, np.arange(motion.n_frames))
    return Result((Character(planted.motion, origin, contacts, footing=footing or Footing()),), report)


def _unplanted(planted: Planted) -> tuple[str, ...]:
    return () if planted.plants else ("no foot rests on the floor, so nothing was planted",)


def _depth_part(penetration: Penetration | None) -> Part:
    depth = penetration.deepest_mm if penetration else 0.0
    met = depth <= DEPTH_ALLOWED
    where = f"{penetration.point} at frame {penetration.frame}" if penetration and not met else ""
    return Part("feet stay above the floor", depth, "mm deep", DEPTH_ALLOWED, met, where)


def _change_part(mean_change_mm: float) -> Part:
    change = mean_change_mm / 10
    met = change <= CHANGE_ALLOWED
    why = "" if met else "the contacts or the floor may be wrong; look at the motion, or give --floor"
    return Part("joints stay where they were", change, "cm on average", CHANGE_ALLOWED, met, why)
