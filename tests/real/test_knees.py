"""Knees of recordings whose legs overstretch: after clean-up they bend as knees do, and nothing jumps."""

import numpy as np
import pytest

from motionloom import formats
from motionloom.assembly import clean_feet
from motionloom.features.contacts import detect_contacts
from motionloom.features.floor import estimate_floor
from motionloom.motion import kinematics, rotations

pytestmark = pytest.mark.real

TAKES = ["odd/141_20", "odd/141_15", "cmu/breakdance/85_14", "cmu/walking/69_16"]


def knee_degrees(motion, side):
    """(F,) degrees that a knee is bent, negative beyond straight: the thighs of these files look along +z at rest."""
    skeleton = motion.skeleton
    knee, foot = (skeleton.index(f"{side}_{role}") for role in ("knee", "foot"))
    thigh, shank = skeleton.offsets[knee], rotations.rotate(motion.local_rotations[:, knee], skeleton.offsets[foot])
    axis = np.cross([0.0, 0.0, 1.0], thigh / np.linalg.norm(thigh))
    return np.degrees(np.arctan2(np.cross(thigh, shank) @ axis, shank @ thigh))


def knee_distances(motion, side):
    """(F,) metres of a knee from the line through hip and ankle."""
    positions = kinematics.world_positions(motion)
    hip, knee, foot = (positions[:, motion.skeleton.index(f"{side}_{role}")] for role in ("hip", "knee", "foot"))
    line = (foot - hip) / np.linalg.norm(foot - hip, axis=-1, keepdims=True)
    return np.linalg.norm(np.cross(knee - hip, line), axis=-1)


@pytest.mark.parametrize("name", TAKES)
def test_cleaned_knees_bend_as_knees_do(data, name, tmp_path):
    take = formats.read(data / f"{name}.bvh")
    floor = estimate_floor(take.motion)
    result = clean_feet(take.motion, detect_contacts(take.motion, floor), floor)
    formats.write(tmp_path / "clean.bvh", result.motion, take.source)
    cleaned = formats.read(tmp_path / "clean.bvh", formats.ReadOptions(rest_frame="keep")).motion
    for side in ("left", "right"):
        assert knee_degrees(cleaned, side).min() > -0.2
        calm = np.abs(np.diff(knee_distances(take.motion, side))) < 0.03
        jumps = np.abs(np.diff(knee_distances(cleaned, side)))
        assert jumps[calm].max() < 0.08
        knee = take.motion.skeleton.index(f"{side}_knee")
        before, after = (
            np.linalg.norm(np.diff(kinematics.world_positions(motion)[:, knee], axis=0), axis=-1).max()
            for motion in (take.motion, cleaned)
        )
        assert after < before + 0.03


@pytest.mark.parametrize(("name", "degrees"), [("odd/141_20", 18), ("odd/141_15", 18), ("cmu/walking/69_16", 0)])
def test_the_report_says_which_knees_were_overstretched(data, name, degrees):
    motion = formats.read(data / f"{name}.bvh").motion
    floor = estimate_floor(motion)
    report = clean_feet(motion, detect_contacts(motion, floor), floor).report
    notes = [note for note in report.notes if "was overstretched by up to" in note]
    line = next(line for line in report.quality if line.name == "farthest beyond straight")
    assert line.value == 0 and line.before == pytest.approx(degrees, abs=1.2)
    assert len(notes) == (2 if degrees else 0)
