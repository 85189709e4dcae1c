"""Segments and cells."""

import numpy as np
import pytest

from motionloom.errors import BadInput
from motionloom.similarity import measure_features
from motionloom.similarity.index import CellSettings, make_cells
from motionloom.similarity.index._kernels import BUCKETS, _nearest_first, _squares_to_lanes, begin_segments
from motionloom.similarity.index.cells import find_shortlists, nearest_cell


def test_every_frame_is_in_a_segment_of_its_motion_and_every_segment_in_a_cell(wandering):
    cells = make_cells(wandering, CellSettings(cell=16))
    assert (np.diff(cells.borders) >= 1).all() and np.diff(cells.borders).max() <= 8
    assert set(wandering.starts) <= set(cells.borders)
    np.testing.assert_array_equal(np.sort(cells.members), np.arange(len(cells.radii)))
    np.testing.assert_array_equal(np.bincount(cells.cell_of), np.diff(cells.cell_borders))
    np.testing.assert_array_equal(np.sort(cells.cell_of), cells.cell_of[cells.members])
    assert np.diff(cells.cell_borders).min() >= 1 and np.diff(cells.cell_borders).max() <= 32


def test_centres_and_radii_hold_all_frames_of_a_segment(wandering):
    cells = make_cells(wandering)
    centres = cells.centres[cells.segment_of] + cells.shift
    away = np.linalg.norm(wandering.coordinates - centres, axis=1)
    assert (away <= cells.radii[cells.segment_of] + 1e-5).all()
    np.testing.assert_allclose(np.maximum.reduceat(away, cells.borders[:-1]), cells.radii, atol=1e-5)


def test_cells_hold_what_is_near(wandering):
    cells = make_cells(wandering, CellSettings(cell=16))
    centres = cells.centres
    inside = np.square(centres - cells.cell_centres[cells.cell_of]).sum()
    assert inside < 0.25 * np.square(centres - centres.mean(axis=0)).sum()


@pytest.mark.parametrize("n_frames", [1, 3, 5000])
def test_segments_that_repeat_the_frame_before_are_in_no_cell(n_frames):
    cells = make_cells(measure_features(np.ones((n_frames, 3)), [0, n_frames]))
    assert cells.members.tolist() == [0] and (cells.cell_of == 0).all() and (cells.radii == 0).all()


def test_cells_of_equal_segments_are_cut_all_the_same():
    to_and_fro = np.tile([[0.0], [1.0]], (3000, 1))
    cells = make_cells(measure_features(to_and_fro, [0, 6000]))
    assert np.diff(cells.cell_borders).max() <= 128 and len(cells.members) == len(cells.radii)


def test_shortlists_are_the_cells_whose_edges_are_nearest(wandering):
    cells = make_cells(wandering, CellSettings(cell=16))
    away = np.linalg.norm(cells.cell_centres[:, None].astype(float) - cells.cell_centres[None], axis=-1)
    edges = away - cells.cell_radii
    np.testing.assert_array_equal(find_shortlists(cells, 5), np.sort(np.argsort(edges, axis=1)[:, :5], axis=1))
    assert find_shortlists(cells, 10**6).shape == away.shape
    np.testing.assert_array_equal(nearest_cell(cells, cells.cell_centres + cells.shift), np.arange(len(away)))


@pytest.mark.parametrize(("longest", "most"), [(4, np.inf), (8, 3.0), (1, 1.0), (100, 0.0)])
def test_segments_are_as_long_as_they_may_be(longest, most):
    rng, starts = np.random.default_rng(2), np.array([0, 1, 60, 200])
    steps = rng.exponential(1.0, 200)
    begins = np.flatnonzero(begin_segments(steps, starts, longest, most))
    assert set(starts[:-1]) <= set(begins)
    for first, stop in zip(begins, [*begins[1:], 200]):
        path = steps[first + 1 : stop].sum()
        assert stop - first <= longest and (path <= most or stop == first + 1)
        if stop not in starts:  # one frame more would be too many, or too far
            assert stop - first == longest or path + steps[stop] > most


@pytest.mark.parametrize("n_axes", [1, 4, 7, 21])
def test_squares_to_lanes_are_squared_distances(n_axes):
    rng = np.random.default_rng(n_axes)
    point, lanes = rng.normal(size=n_axes).astype(np.float32), rng.normal(size=(n_axes, 37)).astype(np.float32)
    out = np.full(40, 9.0, np.float32)
    _squares_to_lanes(point, lanes, out)
    np.testing.assert_allclose(out[:37], np.square(lanes - point[:, None]).sum(axis=0), rtol=1e-5)
    assert (out[37:] == 9.0).all()


@pytest.mark.parametrize("most", [1, 50, 400, 1000])
def test_nearest_first_takes_the_smallest_up_to_a_bucket(most):
    rng = np.random.default_rng(0)
    away = np.concatenate([rng.exponential(3.0, 380), np.zeros(20)]).astype(np.float32)
    order, counts = np.full(most, -1), np.empty(BUCKETS, np.int32)
    count = _nearest_first(away, most, counts, order)
    assert count == min(most, 400) and len(set(order[:count])) == count
    taken = away[order[:count]]
    assert (taken[1:] >= taken[:-1] / (1 + 1 / 16)).all()
    assert taken.max() <= np.sort(away)[count - 1] * (1 + 1 / 16)
    if most == 1:
        assert order[0] == 380  # of equal ones the first


@pytest.mark.parametrize(
    "wrong", [{"segment": 0}, {"cell": 0}, {"probes": 0}, {"rounds": -1}, {"share": -1.0}, {"path": 0.0}]
)
def test_settings_that_make_no_sense_are_refused(wrong):
    with pytest.raises(BadInput, match="1 or more"):
        CellSettings(**wrong)
