"""Single pictures: what is where, and that odd input is survived."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.motion import Motion, PointMotion, Skeleton, rotations
from motionloom.render import Look, look_from, make_figures, render_frame
from motionloom.render.scene.figure import Figure
from motionloom.render.scene.figures import BODY_COLOUR, LEFT_COLOUR, RIGHT_COLOUR
from motionloom.render.scene.trajectory import find_floor, find_trajectory

PLAIN = Look(grid=0.0)


@pytest.fixture(scope="module")
def standing(make) -> Motion:
    """Upright in a T, soles near the ground, facing +z."""
    skeleton = make.skeleton()
    return Motion(skeleton, np.array([[0.0, 0.96, 0.0]]), rotations.identity((1, skeleton.n_joints)), 60.0)


def difference(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.abs(a.astype(int) - b.astype(int)).max(axis=-1)


def front(size=(160, 160), distance=5.0, **options):
    return look_from(np.array([0.0, 0.9, 0.0]), 0.0, distance, elevation=0.25, field_of_view=0.45), size


def test_a_picture_has_the_size_asked_for_and_the_same_bytes_each_time(standing):
    camera, _ = front()
    figures = make_figures(standing, [0])
    first, second = (render_frame(figures, camera, (200, 120)) for _ in range(2))
    assert first.shape == (120, 200, 3) and first.dtype == np.uint8
    np.testing.assert_array_equal(first, second)


def test_an_empty_scene_is_ground_and_backdrop():
    camera, size = front()
    picture = render_frame([], camera, size, look=PLAIN)
    assert picture.min() > 215
    assert picture[5, 80].astype(int).sum() > picture[-5, 80].astype(int).sum()  # the backdrop is brighter


def test_seen_from_the_front_the_left_arm_is_on_the_right_of_the_picture(standing):
    camera, size = front()
    picture = render_frame(make_figures(standing, [0], side_tint=1.0), camera, size).astype(float) / 255
    blueness, redness = picture[..., 2] - picture[..., 0], picture[..., 0] - picture[..., 2]
    assert LEFT_COLOUR[2] > LEFT_COLOUR[0] and RIGHT_COLOUR[0] > RIGHT_COLOUR[2]
    _, left_columns = np.nonzero(blueness > 0.2)
    _, right_columns = np.nonzero(redness > 0.2)
    assert left_columns.mean() > 90 and right_columns.mean() < 70


def test_seen_from_behind_the_left_arm_is_on_the_left(standing):
    camera = look_from(np.array([0.0, 0.9, 0.0]), np.pi, 5.0, field_of_view=0.45)
    picture = render_frame(make_figures(standing, [0], side_tint=1.0), camera, (160, 160)).astype(float) / 255
    _, left_columns = np.nonzero(picture[..., 2] - picture[..., 0] > 0.2)
    assert left_columns.mean() < 70


def test_a_body_that_jumps_leaves_its_shadow_below(standing):
    """On the ground body and shadow touch; in the air a strip of bright ground lies between them."""
    camera = look_from(np.array([0.0, 0.9, 0.0]), 0.0, 7.0, elevation=0.35, field_of_view=0.5)
    figure = make_figures(standing, [0])[0]
    empty = render_frame([], camera, (240, 240), look=PLAIN)
    lifted = figure.moved(np.array([0.0, 0.7, 0.0]))
    covered = difference(render_frame([replace(lifted, casts_shadow=False)], camera, (240, 240), look=PLAIN), empty) > 8
    with_shadow = difference(render_frame([lifted], camera, (240, 240), look=PLAIN), empty) > 8
    shadow_rows, body_rows = np.nonzero(with_shadow & ~covered)[0], np.nonzero(covered)[0]
    assert len(shadow_rows) > 100
    soles = camera.project(lifted.vertices[lifted.vertices[:, 1].argmin()].astype(float), (240, 240))
    assert abs(body_rows.max() - soles[1]) < 4
    assert shadow_rows.max() > body_rows.max() + 3


def test_the_shadow_falls_away_from_the_light_at_the_upper_left(standing):
    camera, size = front()
    figure = make_figures(standing, [0])[0]
    empty = render_frame([], camera, size, look=PLAIN)
    body_alone = render_frame([replace(figure, casts_shadow=False)], camera, size, look=PLAIN)
    shadow = (difference(render_frame([figure], camera, size, look=PLAIN), empty) > 8) & (
        difference(body_alone, empty) <= 8
    )
    assert np.nonzero(shadow)[1].mean() > size[0] / 2 + 5


def test_the_nearer_of_two_bodies_hides_the_other(standing):
    camera, size = front()
    near, far = np.array([0.0, 0.0, 0.6]), np.array([0.0, 0.0, -0.6])
    red = make_figures(standing, [0], (0.9, 0.1, 0.1), side_tint=0.0)[0].moved(near)
    green = make_figures(standing, [0], (0.1, 0.8, 0.1), side_tint=0.0)[0].moved(far)
    one, other = render_frame([red, green], camera, size), render_frame([green, red], camera, size)
    np.testing.assert_array_equal(one, other)
    chest = camera.project(np.array([0.0, 1.2, 0.6]), size)
    pixel = one[int(chest[1]), int(chest[0])].astype(int)
    assert pixel[0] > pixel[1] + 40


def test_a_ghost_lets_the_ground_shine_through(standing):
    camera, size = front()
    figure = make_figures(standing, [0], (0.2, 0.2, 0.2), side_tint=0.0)[0]
    solid = render_frame([figure], camera, size)
    ghost = render_frame([replace(figure, opacity=0.4)], camera, size)
    row, column = camera.project(np.array([0.0, 1.2, 0.0]), size)[[1, 0]].astype(int)
    assert ghost[row, column].astype(int).sum() > solid[row, column].astype(int).sum() + 60


def test_edges_are_smooth(standing):
    camera, size = front()
    figure = make_figures(standing, [0], (0.1, 0.1, 0.1), side_tint=0.0)[0]
    rough, smooth = (render_frame([figure], camera, size, look=Look(samples=n)) for n in (1, 4))
    between = [((p[..., 0] > 110) & (p[..., 0] < 190)).sum() for p in (rough, smooth)]
    assert between[1] > 1.3 * between[0]


def test_characters_have_the_colours_that_they_are_given(standing):
    camera, size = front(distance=8.0)
    figures = [
        make_figures(standing, [0], colour, side_tint=0.0)[0].moved(np.array([x, 0.0, 0.0]))
        for x, colour in zip((-1.0, 1.0), (BODY_COLOUR, (0.80, 0.68, 0.50)))
    ]
    picture = render_frame(figures, camera, size).astype(int)
    pixels = [picture[tuple(camera.project(np.array([x, 1.2, 0.0]), size)[[1, 0]].astype(int))] for x in (-1.0, 1.0)]
    assert np.abs(pixels[0] - pixels[1]).max() > 25


def test_bodies_behind_or_around_the_camera_do_no_harm(standing):
    figure = make_figures(standing, [0])[0]
    behind = look_from(np.array([0.0, 0.9, 20.0]), 0.0, 5.0)
    inside = look_from(np.array([0.0, 1.0, 0.1]), 0.0, 0.15)
    for camera in (behind, inside):
        assert render_frame([figure], camera, (80, 60)).shape == (60, 80, 3)


def test_markers_are_drawn_as_balls_and_those_not_seen_are_left_out():
    positions = np.array([[[0.0, 1.0, 0.0], [0.3, 1.0, 0.0], [np.nan] * 3], [[np.nan] * 3] * 3])
    motion = PointMotion(("a", "b", "c"), positions, 60.0)
    seen, unseen = make_figures(motion, [0, 1])
    assert len(seen.balls) == 2 and len(unseen.balls) == 0
    camera = look_from(np.array([0.15, 1.0, 0.0]), 0.0, 2.0, field_of_view=0.5)
    empty = render_frame([], camera, (160, 120))
    np.testing.assert_array_equal(render_frame([unseen], camera, (160, 120)), empty)
    drawn = difference(render_frame([replace(seen, casts_shadow=False)], camera, (160, 120)), empty) > 20
    for ball in seen.balls:
        x, y, _ = camera.project(ball, (160, 120))
        assert drawn[int(y), int(x)]


def test_a_figure_without_anything_is_fine():
    camera, size = front()
    np.testing.assert_array_equal(render_frame([Figure()], camera, size), render_frame([], camera, size))


def test_skeletons_without_roles_are_drawn_too():
    skeleton = Skeleton(("a", "b"), np.array([-1, 0]), np.array([(0, 0, 0), (0, 1.0, 0)], float))
    motion = Motion(skeleton, np.zeros((1, 3)), rotations.identity((1, 2)), 30.0)
    camera, size = front()
    picture = render_frame(make_figures(motion, [0]), camera, size)
    assert (difference(picture, render_frame([], camera, size)) > 20).sum() > 50


def test_the_floor_is_found_under_the_soles(standing):
    floor = find_floor(standing)
    figure = make_figures(standing, [0])[0]
    assert floor == pytest.approx(float(figure.vertices[:, 1].min()), abs=1e-6)


def test_facing_and_direction_follow_the_conventions(make, standing):
    local_rotations = standing.local_rotations.copy()
    local_rotations[:, 0] = rotations.about_y(0.7)
    turned = replace(standing, local_rotations=local_rotations)
    assert find_trajectory(turned).headings[0] == pytest.approx(0.7)
    assert find_trajectory(turned).direction == pytest.approx(0.7)
    walk = Motion(
        standing.skeleton, np.array([[0.0, 1, 0], [3.0, 1, 0]]), np.repeat(standing.local_rotations, 2, axis=0), 60.0
    )
    assert find_trajectory(walk).direction == pytest.approx(np.pi / 2)
