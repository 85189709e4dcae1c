"""Path editing on a real walk: the end is met, and the feet stand stiller than in the recording."""

import numpy as np
import pytest

from motionloom import formats
from motionloom.constraints import GroundTarget, bend_path
from motionloom.features.contacts import detect_contacts
from motionloom.features.facing import find_facing
from motionloom.features.feet import foot_points
from motionloom.features.floor import estimate_floor
from motionloom.motion import cut, kinematics
from motionloom.quality import measure_skate

pytestmark = pytest.mark.real


@pytest.mark.parametrize(("x", "z", "degrees"), [(1.0, 0.0, 30.0), (0.0, -1.0, -30.0)])
def test_ten_seconds_of_walking_end_a_metre_and_thirty_degrees_away(data, x, z, degrees):
    take = formats.read(data / "cmu" / "walking" / "69_12.bvh").motion
    floor = estimate_floor(take)
    contacts = detect_contacts(take, floor)[300:900]
    motion = cut(take, 300, 900)
    headings, ground = find_facing(motion.skeleton, kinematics.world_positions(motion))
    place, heading = ground[-1] + [x, z], headings[-1] + np.radians(degrees)
    bent = bend_path(motion, [GroundTarget(-1, place, heading)], contacts, floor).motion
    new_headings, new_ground = find_facing(bent.skeleton, kinematics.world_positions(bent))
    assert np.linalg.norm(new_ground[-1] - place) < 0.001
    assert np.linalg.norm(new_ground[0] - ground[0]) < 1e-4  # though planting the feet moves the hips
    assert abs((new_headings[-1] - heading + np.pi) % (2 * np.pi) - np.pi) < np.radians(0.1)
    points = foot_points(bent, floor, like=motion)
    after = measure_skate(bent, contacts, floor, points=points)
    assert after.cm_per_second < 0.1 * measure_skate(motion, contacts, floor).cm_per_second
    assert after.farthest_mm < 1.0
