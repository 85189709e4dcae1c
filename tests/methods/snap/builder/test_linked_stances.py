"""Linked constraints: who is linked with whom, classes that share a stance, and hubs laid so that feet meet."""

import numpy as np
import pytest

from motionloom.methods.snap.builder.hub_poses import Passage, Stance, stance_points
from motionloom.methods.snap.builder.linked_stances import find_classes, find_links, follow_links, share_stance
from motionloom.motion import Placement, place_points, rotations

ALL = np.ones(4, bool)
LEFT = np.array([True, True, False, False])
ARMS = np.array([[[0.0, -0.08, -0.05], [0.0, -0.08, 0.13]], [[0.01, -0.08, -0.05], [-0.01, -0.08, 0.13]]])


def flat_stance(rng: np.random.Generator) -> Stance:
    """Two flat feet, somewhere and turned somehow."""
    headings = rng.uniform(-0.6, 0.6, 2)
    ankles = np.array([[0.12, 0.08, 0.0], [-0.12, 0.08, 0.0]]) + rng.normal(scale=0.05, size=(2, 3)) * [1, 0, 1]
    return Stance(ankles, np.stack([rotations.about_y(heading) for heading in headings]))


def passage(hub: int, frame: int, heading: float = 0.0, x: float = 0.0, z: float = 0.0) -> Passage:
    return Passage(hub, frame, Placement(heading, np.array([x, z])))


def shape(points: np.ndarray) -> np.ndarray:
    """What a rigid move over the ground leaves as it is: all distances between the points."""
    return np.linalg.norm(points[:, None, [0, 2]] - points[None, :, [0, 2]], axis=-1)


def test_points_are_linked_that_are_planted_in_both_hubs_and_all_the_time_between():
    contacts = np.ones((60, 4), bool)
    contacts[30, 1] = False
    passages = [passage(0, 10), passage(1, 40), passage(0, 55)]
    links = find_links(passages, contacts, [ALL, np.array([True, True, True, False])])
    assert [(link.first, link.points.tolist()) for link in links] == [
        (0, [True, False, True, False]),
        (1, [True, True, True, False]),
    ]
    assert find_links(passages, np.zeros((60, 4), bool), [ALL, ALL]) == []


def test_hubs_linked_on_both_feet_form_classes_and_on_one_foot_they_do_not():
    contacts = np.ones((100, 4), bool)
    walks = [[passage(0, 10), passage(1, 40)], [passage(1, 10), passage(2, 40)], [passage(3, 10), passage(4, 40)]]
    planted = [ALL, ALL, ALL, ALL, LEFT]
    links = [find_links(walk, contacts, planted) for walk in walks]
    assert find_classes(walks, links, 6) == [(0, 1, 2)]


def test_a_class_gets_the_average_distance_and_angles_and_stays_near_where_it_was():
    rng = np.random.default_rng(3)
    stances = [flat_stance(rng) for _ in range(4)]
    shared = share_stance(stances, ARMS)
    points = [stance_points(stance, ARMS) for stance in shared]
    for other in points[1:]:
        np.testing.assert_allclose(shape(other), shape(points[0]), atol=1e-9)  # rigidly similar
    before = [stance_points(stance, ARMS) for stance in stances]
    centres = [p.reshape(2, 2, 3).mean(axis=1)[:, [0, 2]] for p in before]
    distance = np.mean([np.linalg.norm(c[1] - c[0]) for c in centres])
    now = points[0].reshape(2, 2, 3).mean(axis=1)[:, [0, 2]]
    assert np.linalg.norm(now[1] - now[0]) == pytest.approx(distance, abs=1e-9)
    for own, then in zip(points, before):
        np.testing.assert_allclose(own[:, 1], then[:, 1], atol=1e-12)  # as high as before
        np.testing.assert_allclose(own.mean(axis=0), then.mean(axis=0), atol=1e-9)
    np.testing.assert_allclose(
        stance_points(share_stance(stances[:1] * 3, ARMS)[0], ARMS), before[0], atol=1e-9
    )  # alike already: nothing to do


@pytest.mark.parametrize("linked", [ALL, LEFT, np.array([False, True, False, False])])
def test_hubs_are_laid_so_that_linked_points_meet(linked):
    rng = np.random.default_rng(4)
    shared = share_stance([flat_stance(rng) for _ in range(3)], ARMS)
    points = [stance_points(stance, ARMS) for stance in shared]
    contacts = np.broadcast_to(linked, (200, 4))
    passages = [
        passage(hub, 20 + 30 * number, *rng.normal(scale=0.1, size=3)) for number, hub in enumerate([0, 1, 2, 1, 0])
    ]
    links = find_links(passages, contacts, [linked] * 3)
    laid = follow_links(passages, links, points)
    places = [place_points(points[passage.hub], passage.placement)[linked] for passage in laid]
    for other in places[1:]:
        np.testing.assert_allclose(other, places[0], atol=1e-9)
    moved = [np.linalg.norm(new.placement.slide - old.placement.slide) for new, old in zip(laid, passages)]
    assert max(moved) < 1.0 and [passage.frame for passage in laid] == [passage.frame for passage in passages]


def test_hubs_that_are_not_linked_stay_where_they_are():
    rng = np.random.default_rng(5)
    points = [stance_points(flat_stance(rng), ARMS) for _ in range(2)]
    passages = [passage(0, 20, 0.3, 1.0, 2.0), passage(1, 60, -0.4, 1.5, 2.5), passage(0, 99, 0.1, 3.0, 1.0)]
    assert follow_links(passages, [], points) == passages
