"""What the page gets of a ground: boxes that are always there, and terrain no finer than it can be seen."""

import numpy as np
from benchmarks.unseen.performed_supports import perform_supports

from motionloom.features.supported_contacts import detect_footing
from motionloom.motion import Box, Footing, Ground, Terrain
from motionloom.studio.desks.display import MOST_HEIGHTS, describe_footsteps
from motionloom.studio.server.messages.motions import Footprints


def test_terrain_and_boxes_of_a_ground_are_sent_above_the_floor():
    walk = perform_supports("hills", 120)
    contacts, footing = detect_footing(walk.motion, 0.0, ground=walk.ground)
    ground = Ground(0.1, (Box((1.0, 2.0), (0.2, 0.3), 0.4, 0.6, 0.1),), walk.ground.terrain)
    sent = Footprints.model_validate(describe_footsteps(walk.motion, contacts, Footing(ground, footing.supports)))
    assert sent.terrain is not None and sent.supports[0].top == 0.5
    assert (sent.supports[0].start, sent.supports[0].stop) == (0, walk.motion.n_frames)
    assert max(map(len, [sent.terrain.heights, *sent.terrain.heights])) <= MOST_HEIGHTS
    assert abs(np.max(sent.terrain.heights) + 0.1 - walk.ground.terrain.heights.max()) < 0.002


def test_a_coarse_terrain_is_sent_as_it_is():
    terrain = Terrain((0.5, -1.0), 0.5, np.round(np.random.default_rng(0).random((4, 6)), 3), 0.9)
    walk = perform_supports("stairs", 121)
    sent = describe_footsteps(walk.motion, walk.contacts, Footing(Ground(0.0, (), terrain)))["terrain"]
    np.testing.assert_allclose(sent["heights"], terrain.heights, atol=1e-4)
    assert sent["spacing"] == (0.5, 0.5) and sent["origin"] == (0.5, -1.0) and sent["turn"] == 0.9
    assert describe_footsteps(walk.motion, walk.contacts, Footing())["terrain"] is None
