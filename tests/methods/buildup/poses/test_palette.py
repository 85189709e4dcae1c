"""The palette: an order in which neighbours are alike, and names by what is seen in each group and elsewhere not."""

import itertools

import numpy as np

from motionloom.methods.buildup.poses.palette import NAMED, group_of_label, lay_out, order_alike
from motionloom.methods.buildup.poses.pose_groups import PoseGroups


def groups_of(numbers):
    numbers = np.asarray(numbers, np.int32)
    centres = np.array([np.flatnonzero(numbers == group)[0] for group in range(numbers.max() + 1)])
    return PoseGroups(centres, numbers, np.zeros(1), True)


def length(order, distances):
    return distances[order[:-1], order[1:]].sum()


def test_points_on_a_line_are_ordered_along_it():
    rng = np.random.default_rng(0)
    places = rng.permutation(np.cumsum(rng.uniform(0.1, 1.0, 12)))
    order = order_alike(np.abs(np.subtract.outer(places, places)))
    assert (np.diff(places[order]) > 0).all() or (np.diff(places[order]) < 0).all()


def test_neighbours_are_more_alike_than_in_most_orders():
    rng = np.random.default_rng(1)
    points = rng.normal(size=(6, 2))
    distances = np.linalg.norm(points[:, None] - points[None], axis=2)
    lengths = [length(np.array(order), distances) for order in itertools.permutations(range(6))]
    assert length(order_alike(distances), distances) <= np.quantile(lengths, 0.1)


def test_one_or_two_poses_need_no_order():
    for count in (1, 2):
        np.testing.assert_array_equal(order_alike(np.zeros((count, count))), np.arange(count))


def test_a_label_belongs_to_the_group_where_most_of_it_is_and_little_else():
    groups = groups_of([0] * 50 + [1] * 10 + [2] * 5)
    wave = np.zeros(65, np.int8)
    wave[45:60] = 1  # five frames of the large group, all of the second
    assert group_of_label(groups, wave) == 1
    assert group_of_label(groups, np.zeros(65, np.int8)) is None
    assert group_of_label(groups, -np.ones(65, np.int8)) is None


def test_groups_are_named_by_what_tells_them_from_others(model):
    palette = model.palette
    assert sorted(palette.order) == list(range(model.groups.n_groups))
    assert all(len(names) <= NAMED for names in palette.labels)
    assert palette.labels[model.group_of_label("wave")][0] == "wave"


def test_names_are_of_labels_that_often_hold_there():
    groups = groups_of([0] * 10 + [1] * 10)
    tracks = np.full((20, 3), -1, np.int8)
    tracks[:, 0] = 1  # everywhere
    tracks[10:, 1] = 1  # the second group
    tracks[:2, 2] = 1  # too seldom

    class Same:
        def pairs(self, first, second):
            return np.zeros(np.broadcast_shapes(np.shape(first), np.shape(second)))

    palette = lay_out(Same(), groups, ("all", "second", "seldom"), tracks)
    assert palette.labels == (("all",), ("second", "all"))
