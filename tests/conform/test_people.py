"""People: takes are grouped by who is in them, and shapes of faces are told from expressions."""

import numpy as np
import pytest

from motionloom.conform.people import People, find_people

M, STEADY = 12, np.arange(6)  # the other half of the points moves


def face(seed: int) -> np.ndarray:
    """(M, 3) metres of somebody at rest: 20 cm large, some millimetres beside others."""
    rest = np.random.default_rng(1).uniform(-0.1, 0.1, (M, 3))
    return rest + 0.004 * np.random.default_rng([2, seed]).normal(size=(M, 3))


def take(person: int, seed: int, n_frames: int = 200) -> np.ndarray:
    """(F, M, 3) metres: expressions come and go; steady points slide by a tenth of a millimetre."""
    rng = np.random.default_rng([3, seed])
    times = np.linspace(0, 1, n_frames)[:, None, None]
    reach = np.full((M, 1), 1e-4)
    reach[len(STEADY) :] = 0.01
    waves = np.maximum(np.sin(7 * np.pi * times), 0) * rng.normal(size=(1, M, 3))  # at rest between
    return face(person) + reach * waves


def test_takes_are_grouped_by_who_is_in_them_whatever_the_expressions():
    people = find_people([take(5, 1), take(7, 2, 500), take(5, 3), take(7, 4), take(9, 5)], STEADY)
    assert people.of_takes == (1, 0, 1, 0, 2), "who is seen most comes first"
    assert people.count == 3 and not people.shapes[0].any()


def test_shapes_are_what_faces_at_rest_differ_by():
    people = find_people([take(7, 2, 500), take(5, 1), take(9, 5)], STEADY)
    for person, seed in ((1, 5), (2, 9)):
        assert people.shapes[people.of_takes[person]] == pytest.approx(face(seed) - face(7), abs=5e-4)


def test_an_expression_that_is_held_for_most_of_a_take_is_no_shape():
    held = take(5, 1)
    held[50:, len(STEADY) :, 1] += 0.01
    people = find_people([take(7, 2, 500), held, take(5, 3)], STEADY)
    assert people.shapes[1] == pytest.approx(face(5) - face(7), abs=1e-3)


def test_one_person_has_one_shape():
    people = find_people([take(7, seed) for seed in range(4)], STEADY)
    assert people.of_takes == (0, 0, 0, 0) and people.shapes.shape == (1, M, 3) and not people.shapes.any()


def test_sizes_do_not_matter_but_in_relation():
    small = [0.1 * take(5, 1), 0.1 * take(7, 2, 500)]
    large = [10 * each for each in (take(5, 1), take(7, 2, 500))]
    assert find_people(small, STEADY).of_takes == find_people(large, STEADY).of_takes == (1, 0)


def test_where_nothing_is_rigid_nobody_is_told_from_others():
    assert find_people([take(5, 1), take(7, 2)], np.zeros(0, int)).of_takes == (0, 0)


def test_takes_in_which_no_pose_is_whole_are_of_who_is_seen_most():
    gone = take(5, 1)
    gone[:, 0] = np.nan
    half = take(5, 3)
    half[:100, 0] = np.nan
    people = find_people([gone, take(7, 2, 500), half], STEADY)
    assert people.of_takes == (0, 0, 1)
    assert np.isfinite(people.shapes).all()


def test_people_hold_a_shape_for_each():
    assert People((0, 1), np.zeros((2, M, 3))).count == 2
