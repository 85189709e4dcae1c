"""What feet stand on in the frames of a view, and hubs whose feet stand at one height."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.errors import BadInput
from motionloom.methods.snap.author.compared_view import compare_view, frame_of_take
from motionloom.methods.snap.author.foot_levels import (
    GROUND,
    WITHIN,
    check_levels,
    find_stood_on,
    find_uneven,
    keep_level_minima,
    point_levels,
    view_levels,
)
from motionloom.methods.snap.author.graph_request import GraphRequest
from motionloom.methods.snap.author.hub_resolution import require_hubs, resolve_hubs
from motionloom.methods.snap.builder.hub_graph_builder import BuildSettings, build
from motionloom.motion import Box, Footing, Support
from motionloom.similarity.slice_minima import SliceMinima

LOW, HIGH = Box((0.0, 0.0), (0.2, 0.2), 0.0, 0.1, 0.0), Box((0.3, 0.0), (0.2, 0.2), 0.0, 0.3, 0.0)
STEPS = Footing(supports=(Support(LOW, 0, 2), Support(HIGH, 1, 3)))


def test_a_point_stands_on_what_is_nearest_in_height_while_that_is_there():
    points = np.zeros((3, 4, 3))
    points[:, :, 1] = [0.11, 0.29, 0.02, 0.31]
    points[:, :, 0] = [0.0, 0.25, 0.0, 0.25]
    contacts = np.array([[True, True, True, False]] * 3)
    expected = [[0, GROUND, GROUND, GROUND], [0, 1, GROUND, GROUND], [GROUND, 1, GROUND, GROUND]]
    np.testing.assert_array_equal(find_stood_on(STEPS, points, contacts), expected)
    levels = point_levels(STEPS, points, contacts)
    np.testing.assert_array_equal(levels[1], [0.1, 0.3, 0.0, np.nan])


def test_a_point_a_little_beside_a_step_stands_on_it_and_one_far_away_does_not():
    points = np.zeros((1, 4, 3))
    points[0, :, 1] = 0.12
    points[0, :, 0] = [-0.25, -0.29, -0.31, -1.0]
    found = find_stood_on(Footing(supports=(Support(LOW, 0, 1),)), points, np.ones((1, 4), bool))
    assert found[0].tolist() == [0, 0, GROUND, GROUND]


def test_minima_between_different_heights_are_left_out():
    levels = np.full((4, 4), np.nan)
    levels[:, 0] = [0.0, 0.3, 0.3 + 0.9 * WITHIN, np.nan]
    minima = SliceMinima(
        1.0, np.array([0, 3, 5, 6, 8]), np.array([1, 2, 3, 2, 0, 1, 0, 1]), np.linspace(0.1, 0.2, 8, dtype=np.float32)
    )
    kept = keep_level_minima(minima, levels)
    assert [kept.of(frame)[0].tolist() for frame in range(4)] == [[3], [2], [1], [0, 1]]
    assert [kept.of(frame)[1].tolist() for frame in range(4)] == [
        minima.distances[rows].tolist() for rows in ([2], [3], [5], [6, 7])
    ]


def test_match_frames_at_another_height_than_most_are_uneven():
    levels = np.full((5, 4), np.nan)
    levels[:, 2] = [0.3, 0.31, 0.28, 0.0, np.nan]
    assert find_uneven(levels, range(5)).any(axis=1).tolist() == [False, False, False, True, False]
    levels[:3, 2] = np.nan  # most match frames are in the air: whoever stands will lose that contact
    assert not find_uneven(levels, range(5)).any()
    check_levels(levels, range(5), str)


def test_levels_of_a_view_are_those_of_its_steps(stairs):
    levels = view_levels(stairs.view)
    found = np.unique(np.round(levels[np.isfinite(levels)], 2))
    assert found.tolist() == [0.0, 0.15, 0.3]
    np.testing.assert_array_equal(np.isfinite(levels), stairs.view.source_contacts)


def test_suggested_hubs_have_one_height(stairs):
    compared = compare_view(stairs.view)
    for hub in resolve_hubs(compared, stairs.material):
        assert not find_uneven(compared.levels, hub.frames).any()


def test_match_frames_at_different_heights_are_refused_in_a_sentence(stairs):
    compared, view = compare_view(stairs.view), stairs.view
    floor, landing = (
        next(int(f) for f in np.flatnonzero(np.abs(compared.levels[:, 2] - top) < 0.02) if f % 646 > first)
        for top, first in ((0.0, 450), (0.3, 200))
    )
    frames = [frame_of_take(view, frame) for frame in (floor, landing)]
    data = {"hubs": [{"frames": [{"take": frame.take, "frame": frame.frame} for frame in frames]}]}
    sentence = (
        r"different heights, 0\.00 m in stairs 0 frame \d+ and 0\.30 m in stairs 0 frame \d+; .* drop one of them"
    )
    with pytest.raises(BadInput, match=sentence):
        require_hubs(resolve_hubs(compared, GraphRequest.from_data(data)))


def test_a_step_that_nobody_stands_on_changes_nothing(walking, compared):
    hubs = require_hubs(resolve_hubs(compared, walking.material))
    far = Support(Box((50.0, 0.0), (0.2, 0.2), 0.0, 0.2, 0.0), 0, 100)
    stepped = replace(walking.view, supports=np.array([[0.0, *far.to_row()]]))
    flat, built = (build(view, hubs, BuildSettings(drops_rough=False)).graph for view in (walking.view, stepped))
    np.testing.assert_allclose(built.frames, flat.frames, atol=1e-6)
    np.testing.assert_array_equal(built.contacts, flat.contacts)
    assert not len(flat.supports) and len(built.supports) > 0
