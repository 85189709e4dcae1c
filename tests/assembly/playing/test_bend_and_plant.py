"""Settling: assembled motions are at their places, start where they did, and plant their feet."""

import re
from dataclasses import replace

import numpy as np
import pytest

from motionloom.assembly import Plan, assemble
from motionloom.assembly.playing.bend_and_plant import USUAL_FEET, bend_and_plant, feet_part, target_parts
from motionloom.constraints import GroundTarget, PlantReport, bend_path
from motionloom.constraints.footplants import Missed
from motionloom.features.facing import find_facing
from motionloom.motion import Motion, kinematics, rotations
from motionloom.quality import measure_hinges, measure_skate

CLIPS = ("a", 0, 60), ("b", 10, 70)


@pytest.fixture
def plan(plans) -> Plan:
    return plans.recorded(*CLIPS, kind="displacement", seconds=0.2)


def facing(motion: Motion) -> tuple[np.ndarray, np.ndarray]:
    return find_facing(motion.skeleton, kinematics.world_positions(motion))


@pytest.mark.parametrize("planting", [{}, {"footplants": None}])
def test_places_are_met_and_the_start_stays(plan, view, planting):
    free = assemble(plan, view, **planting)
    headings, ground = facing(free.motion)
    wanted = ground[-1] + [0.2, -0.1], headings[-1] + 0.15
    bent = assemble(plan, view, targets=[GroundTarget(119, *wanted)], **planting)
    new_headings, new_ground = facing(bent.motion)
    assert bent.motion.n_frames == 120
    np.testing.assert_allclose(new_ground[-1], wanted[0], atol=0.001)
    assert new_headings[-1] == pytest.approx(wanted[1], abs=0.002)
    np.testing.assert_allclose(new_ground[0], plan_start(plan, view), atol=0.001)
    met = {part.name: (part.met, part.unit) for part in bent.report.parts}
    assert met["position at 1.98 s"] == (True, "m") and met["heading at 1.98 s"] == (True, "deg")
    assert any("bent to its places" in note for note in bent.report.notes)
    assert bent.provenance.of_frame(30) == free.provenance.of_frame(30)


def plan_start(plan, view) -> np.ndarray:
    return facing(assemble(plan, view, footplants=None).motion)[1][0]


def standing() -> np.ndarray:
    """(120, 4) bool: first the left foot stands, then the right."""
    contacts = np.zeros((120, 4), bool)
    contacts[10:40, :2] = contacts[70:100, 2:] = True
    return contacts


def test_feet_of_a_bent_motion_stand_still(plan, view):
    source, contacts = assemble(plan, view, footplants=None).motion, standing()
    planted = bend_and_plant(source, contacts, USUAL_FEET, [target(source)])
    assert measure_skate(planted.motion, contacts, 0.0).farthest_mm < measure_skate(source, contacts, 0.0).farthest_mm
    assert [part.name for part in planted.parts] == ["position at 1.98 s", "planted feet stay"]


def target(motion: Motion) -> GroundTarget:
    return GroundTarget(-1, facing(motion)[1][-1] + 0.1)


def test_locked_frames_stay_as_they_were(plan, view):
    source = assemble(plan, view, footplants=None).motion
    planted = bend_and_plant(source, standing(), USUAL_FEET, locked=[30])
    changes = np.abs(kinematics.world_positions(planted.motion) - kinematics.world_positions(source)).max(axis=(1, 2))
    assert changes[30] < 1e-12 < 1e-3 < changes[10:40].max()


def test_feet_may_move_as_far_as_locked_frames_move_them(plan, view):
    source = assemble(plan, view, footplants=None).motion
    free, locked = (
        bend_and_plant(source, standing(), USUAL_FEET, locked=frames).parts[-1] for frames in ([], range(15, 35))
    )
    skate = measure_skate(source, standing() & (np.abs(np.arange(120) - 24.5) < 11)[:, None], 0.0).farthest_mm
    assert free.tolerance == 1.0 < skate == pytest.approx(locked.tolerance, rel=0.05)
    assert free.met and locked.met and locked.value > 1.0


def report_of(missed, farthest=3.0, disagreements=()):
    return PlantReport(tuple(missed), disagreements, 5.0, farthest, 0.0, 0.0, 1.0, 1.0)


def test_plants_are_out_of_reach_in_no_more_frames_than_there_are():
    both = Missed(0, tuple(range(10)), 8.0, 8.0), Missed(1, tuple(range(4, 12)), 5.0, 5.0)
    assert "2 plants are out of reach in 12 frames, by up to 8 mm" in feet_part(report_of(both)).why_not


def test_plants_that_the_leg_reaches_are_not_said_to_be_out_of_reach():
    why = feet_part(report_of([Missed(0, (3, 4), 6.0, 0.0)])).why_not
    assert "out of reach" not in why and "1 plant gives way in 2 frames, by up to 6 mm" in why


def test_feet_that_move_as_far_as_is_allowed_but_for_rounding_stay():
    assert feet_part(report_of([], farthest=3.991 * (1 + 1e-12)), 3.991).met


def test_what_is_not_bent_is_not_written_about(plan, view):
    source = assemble(plan, view, footplants=None).motion
    (note,) = bend_and_plant(source, standing(), None, [target(source)]).notes
    assert not re.search(r"\b0 (%|degrees)", note)
    still = bend_and_plant(source, standing(), None, [GroundTarget(-1, facing(source)[1][-1])])
    assert still.notes == ()


def test_places_that_are_missed_say_why(make):
    motion = make.motion()
    both = [GroundTarget(-1, (1.0, 0.0)), GroundTarget(-1, (0.0, 1.0))]
    parts = target_parts(bend_path(motion, both), motion.fps)
    assert [part.met for part in parts] == [False, False]
    assert all("contradicts" in part.why_not for part in parts)


def test_limbs_that_joins_leave_beyond_straight_are_brought_back_and_named(make):
    motion = make.motion(n_frames=120, wildness=0.2, hinged=True)
    local = motion.local_rotations.copy()
    bends = np.radians(20 + 32 * np.sin(np.arange(120) / 10))
    local[:, motion.skeleton.index("left_elbow")] = rotations.exp(bends[:, None] * np.array([0, -1.0, 0]))
    stretched = replace(motion, local_rotations=local)
    for footplants in (USUAL_FEET, None):
        planted = bend_and_plant(stretched, standing(), footplants)
        assert "LeftForeArm was overstretched by up to 12 degrees" in planted.notes[0]
        found = measure_hinges(planted.motion)
        assert (found.worst_degrees, found.flips) == (0, 0)
    assert measure_hinges(stretched).worst_degrees == pytest.approx(12, abs=0.1)
