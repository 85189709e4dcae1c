"""Figures of points: balls for what is seen, lines and skin for what is joined, and nothing of what is missing."""

import numpy as np
import pytest

from motionloom.motion import PointMotion
from motionloom.motion.drawn_points import describe_drawn
from motionloom.performer.face.markers import NAMES, NEUTRAL
from motionloom.render import look_from, make_figures, render_frame
from motionloom.render.scene.point_figures import FILLINGS, OUTLINE_COLOURS, SKIN, make_point_figure

INDEX = {name: number for number, name in enumerate(NAMES)}
REST = NEUTRAL / 1000 + [0.4, 1.2, -0.3]


def still(positions: np.ndarray = REST, names=NAMES) -> PointMotion:
    return PointMotion(names, np.tile(positions, (30, 1, 1)), 60.0)


def colours_of(figure) -> set[tuple[float, ...]]:
    return {tuple(colour) for colour in np.unique(figure.colours, axis=0)}


def test_a_face_has_skin_brows_eyes_and_a_mouth():
    figure = make_figures(still(), [0])[0]
    assert len(figure.balls) == 40
    assert {SKIN, *OUTLINE_COLOURS.values(), *FILLINGS.values()} <= colours_of(figure)
    np.testing.assert_allclose(np.linalg.norm(figure.normals, axis=1), 1.0, atol=1e-5)
    assert figure.triangles.max() < len(figure.vertices)


def test_markers_that_nothing_is_joined_to_are_faint():
    figure = make_figures(still(), [0])[0]
    faint = figure.ball_colours.sum(axis=1) > figure.ball_colours.sum(axis=1).min() + 0.1
    assert {name for name, is_faint in zip(NAMES, faint) if is_faint} == {"left_ear", "right_ear"}


def test_what_a_missing_marker_would_join_is_not_drawn():
    drawn = describe_drawn(still())
    positions = REST.copy()
    positions[INDEX["upper_lip"]] = np.nan
    whole, lacking = (make_point_figure(places, drawn) for places in (REST, positions))
    assert len(lacking.balls) == 39 and np.isfinite(lacking.vertices).all()
    assert FILLINGS["mouth"] in colours_of(whole) and FILLINGS["mouth"] not in colours_of(lacking)
    assert len(lacking.vertices) < len(whole.vertices)
    nothing = make_point_figure(np.full_like(REST, np.nan), drawn)
    assert not len(nothing.balls) and not len(nothing.triangles)


def test_a_face_is_seen_from_the_front_and_not_from_behind():
    """Balls alone are left from behind, and lines: skin is seen from outside."""
    (figure,) = make_figures(still(), [0])
    parts = []
    for heading in (0.0, np.pi):
        camera = look_from(REST.mean(axis=0), heading, 0.6)
        parts.append((render_frame([figure], camera, (120, 120)) < 200).any(axis=-1).mean())
    empty = (render_frame([], look_from(REST.mean(axis=0), 0.0, 0.6), (120, 120)) < 200).any(axis=-1).mean()
    assert parts[0] > parts[1] + 0.02 > empty


@pytest.mark.parametrize("n_points", [1, 2, 3])
def test_a_few_points_are_balls_and_lines(n_points):
    positions = np.arange(3.0 * n_points).reshape(n_points, 3)
    (figure,) = make_figures(still(positions, tuple("abc"[:n_points])), [0])
    assert len(figure.balls) == n_points and np.isfinite(figure.vertices).all()
    assert bool(len(figure.triangles)) == (n_points > 1)
