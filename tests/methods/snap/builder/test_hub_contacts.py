"""Agreeing on contacts: majorities, and what single takes gain or lose."""

import numpy as np

from motionloom.methods.snap.builder.hub_contacts import impose_contacts, majority_contacts, release_rolling_feet

FPS = 60.0
NOTHING = np.zeros(4, bool)


def standing(*runs: tuple[int, int, int], n: int = 100) -> np.ndarray:
    """Contacts with runs of (point, start, stop)."""
    contacts = np.zeros((n, 4), bool)
    for point, start, stop in runs:
        contacts[start:stop, point] = True
    return contacts


def test_a_majority_is_strict():
    flags = np.array([[1, 1, 0, 0], [1, 0, 0, 1], [1, 1, 0, 0], [1, 0, 0, 0]], bool)
    assert majority_contacts(flags).tolist() == [True, False, False, False]
    assert majority_contacts(flags[:3]).tolist() == [True, True, False, False]


def test_after_agreeing_a_take_has_what_its_hub_has_in_the_three_frames_of_the_hub():
    rng = np.random.default_rng(1)
    for _ in range(50):
        contacts = np.repeat(rng.random((25, 4)) < 0.5, 4, axis=0)
        planted = rng.random(4) < 0.5
        frame = int(rng.integers(15, 85))
        impose_contacts(contacts, frame, planted, FPS)
        assert (contacts[frame - 1 : frame + 2] == planted).all()


def test_what_agrees_already_is_left_alone():
    contacts = standing((0, 30, 70), (3, 10, 20))
    before = contacts.copy()
    impose_contacts(contacts, 50, np.array([True, False, False, False]), FPS)
    np.testing.assert_array_equal(contacts, before)


def test_a_contact_nearby_reaches_to_the_match_frame_and_one_far_away_does_not():
    near, far = standing((1, 20, 46)), standing((1, 20, 40))
    for contacts in (near, far):
        impose_contacts(contacts, 50, np.array([False, True, False, False]), FPS)
    assert near[20:52, 1].all() and not near[52:, 1].any()
    assert far[49:52, 1].all() and not far[40:49, 1].any() and not far[52:, 1].any()


def test_a_lost_contact_leaves_no_shreds():
    contacts = standing((2, 42, 90))
    impose_contacts(contacts, 50, NOTHING, FPS)
    assert not contacts[:57, 2].any()  # two frames would have been left before the match frame
    assert contacts[57:90, 2].all()


def test_a_foot_that_rolls_from_one_hub_to_the_next_is_free_between():
    contacts = standing((0, 10, 45), (1, 41, 90))
    heel, ball = np.array([True, False, False, False]), np.array([False, True, False, False])
    release_rolling_feet(contacts, [20, 80], [heel, ball], FPS)
    free = ~contacts[:, :2].any(axis=1)
    assert free[40:46].all()
    assert contacts[20, 0] and contacts[80, 1] and free[10:90].sum() <= 7


def test_a_foot_that_stands_on_one_point_throughout_stays():
    contacts = standing((0, 10, 90), (1, 41, 90))
    before = contacts.copy()
    heel = np.array([True, False, False, False])
    release_rolling_feet(contacts, [20, 80], [heel, heel], FPS)
    np.testing.assert_array_equal(contacts, before)


def test_a_foot_that_is_lifted_between_is_free_anyway():
    contacts = standing((0, 10, 40), (1, 50, 90))
    before = contacts.copy()
    release_rolling_feet(
        contacts, [20, 80], [np.array([True, False, False, False]), np.array([False, True, False, False])], FPS
    )
    np.testing.assert_array_equal(contacts, before)
