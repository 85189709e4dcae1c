"""The detector that recordings are measured with, held against contacts that are known exactly."""

import numpy as np
import pytest

from motionloom.features.contacts import CONTACT_POINTS, contacts_from_points, find_runs
from motionloom.features.feet import foot_points


@pytest.fixture(scope="module")
def feet(demo):
    """Of every demo take: points of the feet (F, 4, 3), where the root is (F, 3) and the true contacts (F, 4)."""
    known = []
    for seen in demo:
        motion = seen.performance.motion
        truth = np.zeros((motion.n_frames, len(CONTACT_POINTS)), bool)
        for contact in seen.performance.contacts:
            truth[contact.start : contact.stop, CONTACT_POINTS.index(contact.point)] = True
        known.append((foot_points(motion, 0.0), motion.root_positions, truth))
    return known


def score(found, truth):
    """F1 of the frames of each point, (4,), and of all points together."""
    hits = sum((f & t).sum(axis=0) for f, t in zip(found, truth))
    wrong = sum((f ^ t).sum(axis=0) for f, t in zip(found, truth))
    return 2 * hits / (2 * hits + wrong), 2 * hits.sum() / (2 * hits + wrong).sum()


def test_every_point_is_found_at_rest_frame_by_frame(feet):
    found = [contacts_from_points(points, root, 60.0, 0.0) for points, root, _ in feet]
    points, pooled = score(found, [truth for *_, truth in feet])
    assert (points > 0.98).all(), points
    assert pooled > 0.983


def test_feet_that_jitter_and_creep_as_recorded_ones_do_are_still_found(feet):
    rng = np.random.default_rng(0)
    found = []
    for points, root, _ in feet:
        creep = np.cumsum(0.05 / 60 * np.sin(np.arange(len(points)) / 20))[:, None, None] * [1.0, 0.0, 0.5]
        noise = rng.normal(scale=0.0003, size=points.shape)
        found.append(contacts_from_points(points + creep + noise, root, 60.0, 0.0))
    points, pooled = score(found, [truth for *_, truth in feet])
    assert (points > 0.94).all(), points
    assert pooled > 0.95


def test_no_contact_is_missed_and_none_is_made_up(feet):
    for points, root, truth in feet:
        found = contacts_from_points(points, root, 60.0, 0.0)
        for k in range(len(CONTACT_POINTS)):
            assert all(found[start:stop, k].any() for start, stop in find_runs(truth[:, k]))
            assert all(truth[start:stop, k].any() for start, stop in find_runs(found[:, k]))
