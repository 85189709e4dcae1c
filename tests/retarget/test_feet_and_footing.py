"""Feet stand on the target's ground: planted, on supports that scale along, or that keep their height."""

from dataclasses import replace

import numpy as np
import pytest
from benchmarks.retarget.rigs import RIGS
from tests.retarget.bodies import LOOSE, at

from motionloom.features.contacts import detect_contacts
from motionloom.features.feet import foot_points
from motionloom.motion import Box, Footing, Ground, Motion, Support, Terrain, rotations
from motionloom.quality import measure_hinges, measure_skate
from motionloom.retarget import RetargetSettings, retarget_motion
from motionloom.retarget.carried_footing import carry_footing

STEP = 0.3  # metres


@pytest.fixture(scope="module")
def walk(make) -> Motion:
    return make.demo_take("walk/normal_1").motion


@pytest.mark.parametrize("rig", RIGS)
def test_planted_feet_stand_still_on_every_rig(walk, rig):
    contacts = detect_contacts(walk, 0.0)
    loose = retarget_motion(walk, RIGS[rig](), settings=LOOSE).motion
    planted = retarget_motion(walk, RIGS[rig](), contacts=contacts)
    points = foot_points(planted.motion, 0.0, like=loose)
    assert measure_skate(planted.motion, contacts, points=points).farthest_mm < 1.0
    assert planted.report.missed_plants == 0
    assert planted.report.footplants > 0
    hinges = measure_hinges(planted.motion, loose)
    assert hinges is not None
    assert hinges.flips == 0


def raised(walk: Motion) -> tuple[Motion, np.ndarray, Footing]:
    """The walk as if on a large box."""
    motion = replace(walk, root_positions=walk.root_positions + np.array([0.0, STEP, 0.0]))
    box = Box((0.0, 0.0), (50.0, 50.0), 0.0, STEP, 0.0)
    return motion, detect_contacts(walk, 0.0), Footing(Ground(), (Support(box, 0, walk.n_frames),))


def test_supports_scale_as_the_body_does(walk):
    motion, contacts, footing = raised(walk)
    result = retarget_motion(motion, RIGS["child"](), contacts=contacts, footing=footing)
    top = result.footing.supports[0].box.top
    assert top == pytest.approx(STEP * result.report.ratio)
    points = foot_points(result.motion, 0.0, ground=Ground(0.0, (result.footing.supports[0].box,)))
    assert np.abs(points[..., 1][contacts] - top).max() < 0.03


def test_supports_keep_their_heights_on_request(walk):
    motion, contacts, footing = raised(walk)
    settings = RetargetSettings(keep_heights=True)
    child = RIGS["child"]()
    kept = retarget_motion(motion, child, contacts=contacts, footing=footing, settings=settings)
    assert kept.footing.supports[0].box.top == pytest.approx(STEP)
    on_floor = retarget_motion(walk, child, contacts=contacts)
    rise = at(kept.motion, "left_foot", "right_foot")[:, 1] - at(on_floor.motion, "left_foot", "right_foot")[:, 1]
    assert np.abs(rise - STEP).max() < 0.03


def test_heights_and_places_of_a_footing_scale_apart():
    terrain = Terrain((0.0, 0.0), 0.5, np.array([[0.1, 0.3], [0.2, 0.4]]))
    footing = Footing(Ground(0.05, (Box((1.0, 2.0), (0.2, 0.3), 0.1, 0.45, 0.05),), terrain))
    carried = carry_footing(footing, 0.05, 2.0, 0.5)
    box = carried.ground.boxes[0]
    assert box.centre == pytest.approx((2.0, 4.0))
    assert box.top == pytest.approx(0.05 + 0.5 * 0.4)
    assert carried.ground.floor == pytest.approx(0.05)
    assert carried.ground.terrain is not None
    np.testing.assert_allclose(carried.ground.terrain.heights, 0.05 + 0.5 * (terrain.heights - 0.05))


def test_the_floor_stays_where_it_is(walk):
    contacts = detect_contacts(walk, 0.0)
    lifted = replace(walk, root_positions=walk.root_positions + np.array([0.0, 0.4, 0.0]))
    low = retarget_motion(walk, RIGS["twist"](), contacts=contacts).motion
    high = retarget_motion(lifted, RIGS["twist"](), floor_height=0.4, contacts=contacts).motion
    np.testing.assert_allclose(high.root_positions, low.root_positions + np.array([0.0, 0.4, 0.0]), atol=1e-6)


def test_feet_of_a_crouching_body_stand_on_the_floor_whatever_its_thighs_and_shanks_are(make):
    skeleton = make.skeleton()
    bend = np.interp(np.arange(120), [20, 50, 80, 110], [0.0, 1.1, 1.1, 0.0])  # radians of the thighs
    turns = np.zeros((120, skeleton.n_joints, 3))
    for side in ("left", "right"):
        turns[:, skeleton.index(f"{side}_hip"), 0] = -1.4 * bend  # thighs lean more than shanks
        turns[:, skeleton.index(f"{side}_knee"), 0] = 2.0 * bend
        turns[:, skeleton.index(f"{side}_foot"), 0] = -0.6 * bend
    motion = Motion(skeleton, np.zeros((120, 3)), rotations.exp(turns), 60.0)
    ankles = at(motion, "left_foot", "right_foot")
    motion = replace(motion, root_positions=np.array([0.0, 0.07, 0.0]) - ankles)
    offsets = np.array(skeleton.offsets)
    for side in ("left", "right"):
        offsets[skeleton.index(f"{side}_knee")] *= 1.3
        offsets[skeleton.index(f"{side}_foot")] *= 0.7
    contacts = np.zeros((120, 4), bool)
    for plant in (slice(0, 22), slice(52, 78), slice(108, 120)):  # standing, crouching, standing
        contacts[plant] = True
    target = replace(skeleton, offsets=offsets)
    loose = retarget_motion(motion, target, settings=LOOSE).motion
    assert np.ptp(at(loose, "left_foot")[:, 1]) > 0.05
    planted = retarget_motion(motion, target, contacts=contacts).motion
    heights = foot_points(planted, 0.0, like=loose)[..., 1]
    assert np.ptp(heights[contacts.any(axis=1)], axis=0).max() < 0.002
