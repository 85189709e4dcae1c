"""The index of nearest frames, beside the exact search."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.errors import BadInput
from motionloom.similarity import NeighbourSettings, find_neighbours, measure_features
from motionloom.similarity.index import CellSettings, NeighbourIndex, build_index, search_points, update_index
from motionloom.similarity.slices import lowest_in_time
from motionloom.tasks import Stopped

SETTINGS = NeighbourSettings(count=16)
SMALL = CellSettings(cell=16, shortlist=64, probes=24, compared=192)  # of cells that are as many as in large corpora
ALL = CellSettings(cell=8, shortlist=10**6, probes=10**6, compared=10**6, share=1.0)  # nothing is passed over


def plain_list(measure, point, excluded, settings):
    """(n,) the frames nearest to a point, minima along time, and (n,) how far: every frame is looked at."""
    away = np.linalg.norm(measure.coordinates - point, axis=1)
    lowest = lowest_in_time(away, measure.starts, settings.apart)
    lowest[excluded[0] : excluded[1]] = False
    found = np.flatnonzero(lowest)
    order = np.lexsort((found, away[found]))[: settings.count]
    return found[order], away[found[order]]


def excluded_around(measure, frame, settings):
    first, stop = measure.ranges[frame]
    return max(first, frame - settings.own_frames), min(stop, frame + settings.own_frames + 1)


def recall(frames, exact) -> float:
    """The share of the frames in exact lists (R, k) that other lists (R, k) have too."""
    hits = sum(np.isin(row[row >= 0], other).sum() for row, other in zip(exact, frames))
    return hits / (exact >= 0).sum()


def check_laws(measure, index, settings: NeighbourSettings, every=1) -> None:
    """Lists are sorted, without repetition, exact, of minima along time, and leave out what is excluded."""
    assert index.frames.shape == index.distances.shape == (measure.n_frames, settings.count)
    assert (np.diff(np.where(np.isinf(index.distances), 1e30, index.distances), axis=1) >= 0).all()
    for frame in range(0, measure.n_frames, every):
        listed = index.frames[frame]
        n = (listed >= 0).sum()
        assert (listed[n:] == -1).all() and np.isinf(index.distances[frame, n:]).all()
        assert len(set(listed[:n])) == n
        away = measure.pairs(frame, np.arange(measure.n_frames))
        np.testing.assert_allclose(index.distances[frame, :n], away[listed[:n]], rtol=1e-6, atol=1e-9)
        assert lowest_in_time(away, measure.starts, settings.apart)[listed[:n]].all()
        first, stop = excluded_around(measure, frame, settings)
        assert not ((listed[:n] >= first) & (listed[:n] < stop)).any()


@pytest.fixture(scope="module")
def exact(wandering):
    return find_neighbours(wandering, SETTINGS)


@pytest.fixture(scope="module")
def index(wandering):
    return build_index(wandering, SETTINGS, SMALL)


def calm(wander, n_motions=6, length=400, seed=4):
    """Motions that move for a while and then stand, all in the same place, with a little noise."""
    moving = wander([length] * n_motions, seed=seed)
    places = moving.coordinates.copy()
    for start in moving.starts[:-1]:
        places[start + length // 2 : start + length] = 1.0
    return measure_features(places + np.random.default_rng(1).normal(0, 1e-3, places.shape), moving.starts)


def test_nearly_all_that_the_exact_search_finds_are_listed(index, exact):
    assert recall(index.frames, exact.frames) > 0.99
    assert recall(index.frames, exact.frames[:, :1]) > 0.995


def test_lists_keep_to_their_laws(wandering, index):
    check_laws(wandering, index, SETTINGS, every=7)


@pytest.mark.parametrize("settings", [(16, 3, 20), (5, 1, 0), (40, 2, 5)])
def test_where_nothing_is_passed_over_lists_are_those_of_the_exact_search(wander, settings):
    measure, settings = wander([200, 90, 7, 1, 150]), NeighbourSettings(*settings)
    found, exact = build_index(measure, settings, ALL), find_neighbours(measure, settings)
    np.testing.assert_array_equal(found.frames, exact.frames)
    np.testing.assert_allclose(found.distances, exact.distances, rtol=1e-6)


def test_where_bodies_stand_still_what_is_listed_is_as_near(wander):
    measure = calm(wander)
    found, exact = build_index(measure, SETTINGS, replace(SMALL, probes=48)), find_neighbours(measure, SETTINGS)
    check_laws(measure, found, SETTINGS, every=11)
    assert recall(build_index(measure, SETTINGS, ALL).frames, exact.frames) == 1
    beyond = found.distances[:, -1] - exact.distances[:, -1]
    assert np.quantile(beyond, 0.99) < 1e-3 * np.sqrt(6)  # the noise; motions are about 1 apart


def test_of_equal_frames_the_first_are_listed(wander):
    once = wander([120, 80]).coordinates
    measure = measure_features(np.concatenate([once, once, once, once[-1:].repeat(60, axis=0)]), [0, 200, 400, 660])
    found, exact = build_index(measure, SETTINGS, ALL), find_neighbours(measure, SETTINGS)
    np.testing.assert_array_equal(found.frames, exact.frames)
    check_laws(measure, build_index(measure, SETTINGS, SMALL), SETTINGS)


@pytest.mark.parametrize("lengths", [[1], [5], [1, 1], [30], [60, 2]])
def test_a_few_frames_are_enough(wander, lengths):
    measure = wander(lengths)
    found, exact = build_index(measure, SETTINGS), find_neighbours(measure, SETTINGS)
    np.testing.assert_array_equal(found.frames, exact.frames)
    np.testing.assert_allclose(found.distances, exact.distances, rtol=1e-6)


def test_where_all_frames_are_equal_only_the_first_of_each_motion_is_listed():
    measure = measure_features(np.zeros((3000, 4)), [0, 1500, 3000])
    found = build_index(measure, SETTINGS, SMALL)
    check_laws(measure, found, SETTINGS, every=100)
    assert found.frames[0, :2].tolist() == [1500, -1] and found.frames[2999, :3].tolist() == [0, 1500, -1]


def test_threads_do_not_change_lists(wandering, index, monkeypatch):
    monkeypatch.setenv("NUMBA_NUM_THREADS", "1")
    again = build_index(wandering, SETTINGS, SMALL)
    np.testing.assert_array_equal(again.frames, index.frames)
    np.testing.assert_array_equal(again.distances, index.distances)


def test_points_are_looked_for_as_frames_are(wandering, exact):
    points = wandering.coordinates[::97] + 0.01
    excluded = np.array([excluded_around(wandering, frame, SETTINGS) for frame in range(0, wandering.n_frames, 97)])
    frames, distances = search_points(wandering, points, excluded, SETTINGS, SMALL)
    plain = [plain_list(wandering, *asked, SETTINGS) for asked in zip(points, excluded)]
    lists = np.array([found for found, _ in plain])
    assert recall(frames, lists) > 0.98
    same = frames[:, 0] == lists[:, 0]
    np.testing.assert_allclose(distances[same, 0], np.array([away[0] for _, away in plain])[same], rtol=1e-6)


def test_points_beside_all_frames_are_looked_for_too(wandering):
    frames, distances = search_points(wandering, np.full((1, 6), 50.0), [[0, 0]], SETTINGS, SMALL)
    assert (frames >= 0).all() and np.isfinite(distances).all()


def part_of(measure, motions):
    """A measure of some motions."""
    parts = [measure.coordinates[measure.starts[m] : measure.starts[m + 1]] for m in motions]
    return measure_features(np.concatenate(parts), np.concatenate([[0], np.cumsum([len(part) for part in parts])]))


def test_motions_that_are_added_get_into_all_lists(wandering, exact):
    before = part_of(wandering, range(20))
    longer = update_index(build_index(before, SETTINGS, ALL), [*range(20), -1, -1], wandering, SETTINGS, ALL)
    np.testing.assert_array_equal(longer.frames, exact.frames)
    np.testing.assert_allclose(longer.distances, exact.distances, rtol=1e-6)


def test_adding_misses_no_frame_that_is_near_enough(wandering, index):
    """New frames are offered to every list, whichever cells they are in."""
    more = np.concatenate([wandering.coordinates, wandering.coordinates[700:900] + 1e-3])
    measure = measure_features(more, [*wandering.starts, len(more)])
    n = wandering.n_frames
    longer = update_index(index, [*range(len(wandering.starts) - 1), -1], measure, SETTINGS, SMALL)
    check_laws(measure, longer, SETTINGS, every=23)
    for frame in range(0, n, 23):
        away = measure.pairs(frame, np.arange(len(more)))
        added = n + np.flatnonzero(lowest_in_time(away, measure.starts, SETTINGS.apart)[n:])
        offered = np.concatenate([index.frames[frame], added])
        expected = offered[np.argsort(away[offered])][: SETTINGS.count]
        np.testing.assert_array_equal(longer.frames[frame], expected)


def test_motions_that_go_leave_no_frames_behind(wandering, index):
    left = [m for m in range(22) if m not in (0, 5, 14)]
    measure = part_of(wandering, left)
    shorter = update_index(index, left, measure, SETTINGS, SMALL)
    check_laws(measure, shorter, SETTINGS, every=7)
    assert recall(shorter.frames, find_neighbours(measure, SETTINGS).frames) > 0.99


def test_motions_may_come_go_and_stand_in_another_order(wandering, index):
    chosen = [9, 0, 21, 3, 13, 7]
    measure = part_of(wandering, [*chosen, 18])
    other = update_index(index, [*chosen, -1], measure, SETTINGS, SMALL)
    check_laws(measure, other, SETTINGS, every=7)
    assert recall(other.frames, find_neighbours(measure, SETTINGS).frames) > 0.99


def test_without_a_change_lists_stay_as_they_are(wandering, index):
    same = update_index(index, np.arange(22), wandering, SETTINGS, SMALL)
    np.testing.assert_array_equal(same.frames, index.frames)
    np.testing.assert_array_equal(same.distances, index.distances)


def test_an_index_of_other_motions_or_another_space_is_refused(wandering, index):
    elsewhere = measure_features(2 * wandering.coordinates, wandering.starts)
    with pytest.raises(BadInput, match="elsewhere in this feature space"):
        update_index(index, np.arange(22), elsewhere, SETTINGS)
    with pytest.raises(BadInput, match="other frames than it has in the index"):
        update_index(index, np.arange(22)[::-1], wandering, SETTINGS)
    with pytest.raises(BadInput, match="twice"):
        update_index(index, np.zeros(22, int), wandering, SETTINGS)
    with pytest.raises(BadInput, match="for 22 motions"):
        update_index(index, np.arange(21), wandering, SETTINGS)
    with pytest.raises(BadInput, match="lists 16 frames, not 32"):
        update_index(index, np.arange(22), wandering)
    with pytest.raises(BadInput, match="count must be 1 or more"):
        build_index(wandering, NeighbourSettings(0))
    with pytest.raises(BadInput, match="apart must be 1 or more"):
        build_index(wandering, NeighbourSettings(apart=0))
    with pytest.raises(BadInput, match="expected"):
        search_points(wandering, np.zeros((2, 3)), np.zeros((2, 2)))


def test_an_index_is_kept_as_arrays(index):
    again = NeighbourIndex.from_arrays(index.to_arrays())
    np.testing.assert_array_equal(again.frames, index.frames)
    with pytest.raises(BadInput, match="without distances"):
        NeighbourIndex.from_arrays({"starts": index.starts, "frames": index.frames})


def test_progress_is_reported_and_work_can_be_stopped(wandering):
    reported = []
    build_index(wandering, SETTINGS, SMALL, progress=lambda done, total: reported.append((done, total)))
    assert reported[-1][0] == reported[-1][1] == len(reported) > 50
    with pytest.raises(Stopped):
        build_index(wandering, SETTINGS, SMALL, stop=lambda: True)
