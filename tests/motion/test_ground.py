"""Grounds: floor, boxes and terrain; what is under a place, what a point stands on, moved, scaled, joined and kept."""

import json

import numpy as np
import pytest

from motionloom.errors import BadInput
from motionloom.motion import Box, Ground, Placement, Terrain, compose, invert, place_points
from motionloom.motion.ground import FLAT, MAX_BOXES, MAX_HEIGHTS

SEEDS = range(20)


def random_box(rng: np.random.Generator) -> Box:
    bottom = rng.uniform(0, 0.5)
    return Box(
        tuple(rng.uniform(-2, 2, 2)),
        tuple(rng.uniform(0.05, 0.6, 2)),
        rng.uniform(-4, 4),
        bottom + rng.uniform(0, 0.4),
        bottom,
    )


def random_ground(rng: np.random.Generator, floor: float = 0.0) -> Ground:
    terrain = Terrain(
        tuple(rng.uniform(-2, 0, 2)), rng.uniform(0.2, 0.5), rng.uniform(0, 0.4, (6, 9)), rng.uniform(-3, 3)
    )
    return Ground(floor, tuple(random_box(rng) for _ in range(rng.integers(0, 6))), terrain)


def random_placement(rng: np.random.Generator) -> Placement:
    return Placement(rng.uniform(-4, 4), rng.uniform(-5, 5, 2))


def plain_height(ground: Ground, x: float, z: float, y: float = np.inf) -> float:
    """The slow twin: one place, one surface after the other, and the corners of the cell by hand."""
    open_height = ground.floor
    if ground.terrain is not None:
        c, s = np.cos(ground.terrain.turn), np.sin(ground.terrain.turn)
        dx, dz = x - ground.terrain.origin[0], z - ground.terrain.origin[1]
        u, v = (c * dx - s * dz) / ground.terrain.spacing, (s * dx + c * dz) / ground.terrain.spacing
        n, m = ground.terrain.heights.shape
        if 0 <= u <= n - 1 and 0 <= v <= m - 1:
            i, j = min(int(u), n - 2), min(int(v), m - 2)
            h = ground.terrain.heights
            open_height = sum(
                h[i + a, j + b] * (u - i if a else 1 - u + i) * (v - j if b else 1 - v + j)
                for a in (0, 1)
                for b in (0, 1)
            )
    surfaces = [open_height]
    for box in ground.boxes:
        c, s = np.cos(box.turn), np.sin(box.turn)
        dx, dz = x - box.centre[0], z - box.centre[1]
        on_it = abs(c * dx - s * dz) <= box.half[0] and abs(s * dx + c * dz) <= box.half[1]
        if on_it and max(y, open_height) >= min(box.bottom, box.top - 0.15):
            surfaces.append(box.top)
    return max(surfaces)


@pytest.mark.parametrize("seed", SEEDS)
def test_heights_and_surfaces_below_points_are_those_of_the_plain_twin(seed):
    rng = np.random.default_rng(seed)
    ground, points = random_ground(rng), rng.uniform([-3, -0.2, -3], [3, 1.2, 3], (7, 40, 3))
    heights, below = ground.heights(points[..., [0, 2]]), ground.supports_at(points)
    assert heights.shape == below.shape == (7, 40)
    for index in np.ndindex(7, 40):
        x, y, z = points[index]
        assert heights[index] == pytest.approx(plain_height(ground, x, z), abs=1e-12)
        assert below[index] == pytest.approx(plain_height(ground, x, z, y), abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_ground_moves_scales_and_rises_with_what_stands_on_it(seed):
    rng = np.random.default_rng(seed)
    ground, points, placement = random_ground(rng), rng.uniform(-3, 3, (200, 3)), random_placement(rng)
    factor, up = rng.uniform(0.2, 5), rng.uniform(-2, 2)
    below = ground.supports_at(points, sunk=0)
    moved = place_points(points, placement)
    np.testing.assert_allclose(ground.moved(placement).supports_at(moved, sunk=0), below, atol=1e-9)
    np.testing.assert_allclose(ground.scaled(factor).supports_at(factor * points, sunk=0), factor * below, atol=1e-9)
    np.testing.assert_allclose(ground.raised(up).supports_at(points + [0, up, 0], sunk=0), below + up, atol=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_moving_keeps_to_the_laws_of_placements(seed):
    rng = np.random.default_rng(seed)
    ground, places = random_ground(rng), rng.uniform(-3, 3, (200, 2))
    first, second = random_placement(rng), random_placement(rng)
    one_after_the_other = ground.moved(first).moved(second).heights(places)
    np.testing.assert_allclose(one_after_the_other, ground.moved(compose(second, first)).heights(places), atol=1e-9)
    np.testing.assert_allclose(
        ground.moved(first).moved(invert(first)).heights(places), ground.heights(places), atol=1e-9
    )
    assert FLAT.moved(first).is_flat


def test_one_can_walk_below_a_board_and_stand_on_it():
    board = Ground(boxes=(Box((0, 0), (0.3, 0.2), 0.0, 0.6, 0.57),))
    ys = np.array([0.0, 0.3, 0.44, 0.46, 0.58, 0.6, 1.4])
    points = np.stack([np.zeros(7), ys, np.zeros(7)], -1)
    np.testing.assert_array_equal(board.supports_at(points), [0, 0, 0, 0.6, 0.6, 0.6, 0.6])
    np.testing.assert_array_equal(board.heights(points[:, [0, 2]]), np.full(7, 0.6))


def test_a_foot_that_sank_deep_into_a_stone_belongs_to_the_top_of_the_stone():
    stone = Ground(boxes=(Box((0, 0), (0.3, 0.2), 0.0, 0.6, 0.0),))
    np.testing.assert_array_equal(
        stone.supports_at(np.array([[0, 0.02, 0], [0, -0.1, 0], [1, 0.02, 0]])), [0.6, 0.6, 0]
    )


def test_the_ground_is_level_or_sampled_from_a_function():
    assert FLAT.is_flat
    assert not Ground(boxes=(random_box(np.random.default_rng(0)),)).is_flat

    def hill(xz):
        return 0.3 * xz[:, 0] - 0.1 * xz[:, 1] + 0.05 * xz[:, 0] * xz[:, 1]  # exact between the points of a grid

    ground = Ground.sample(hill, (-1.0, -2.0), (2.0, 1.33), spacing=0.3, floor=-5.0)
    places = np.random.default_rng(1).uniform([-1, -2], [2, 1.33], (500, 2))
    assert not ground.is_flat
    np.testing.assert_allclose(ground.heights(places), hill(places), atol=1e-12)
    np.testing.assert_array_equal(ground.heights(np.array([[-1.1, 0.0], [0.0, 9.0]])), [-5.0, -5.0])


@pytest.mark.parametrize("seed", SEEDS)
def test_joined_grounds_hold_the_boxes_of_both_once(seed):
    rng = np.random.default_rng(seed)
    shared, mine, yours = (tuple(random_box(rng) for _ in range(3)) for _ in range(3))
    joined = Ground(0.0, shared + mine).joined(Ground(0.0, shared + yours))
    assert joined.boxes == shared + mine + yours
    places = rng.uniform(-3, 3, (300, 2))
    apart = [Ground(0.0, boxes).heights(places) for boxes in (shared, mine, yours)]
    np.testing.assert_array_equal(joined.heights(places), np.maximum.reduce(apart))


@pytest.mark.parametrize("seed", SEEDS)
def test_joined_terrains_are_the_higher_of_both_at_the_points_of_the_new_grid(seed):
    rng = np.random.default_rng(seed)
    one, other = random_ground(rng), random_ground(rng)
    joined = one.joined(other)
    again = joined.joined(joined)
    n, m = joined.terrain.heights.shape
    grid = np.stack(np.meshgrid(np.arange(n), np.arange(m), indexing="ij"), -1) * joined.terrain.spacing
    grid = grid + joined.terrain.origin
    open_one, open_other = (Ground(0.0, (), ground.terrain).heights(grid) for ground in (one, other))
    np.testing.assert_allclose(joined.terrain.heights, np.maximum(open_one, open_other), atol=1e-9)
    np.testing.assert_array_equal(again.terrain.heights, joined.terrain.heights)
    assert joined.terrain.spacing == min(one.terrain.spacing, other.terrain.spacing)
    assert Ground().joined(one).terrain is one.terrain and one.joined(Ground()).terrain is one.terrain


def test_terrains_far_apart_are_joined_on_a_coarser_grid():
    small = Terrain((0, 0), 0.01, np.ones((20, 20)))
    for away in ((300.0, 400.0), (0.0, 9000.0)):
        joined = Ground(0.0, (), small).joined(Ground(0.0, (), Terrain(away, 0.01, np.ones((20, 20)))))
        assert joined.terrain.heights.size <= MAX_HEIGHTS


def test_grounds_with_other_floors_are_not_joined():
    with pytest.raises(BadInput, match="cannot be joined; raise one of them"):
        Ground().joined(Ground(0.1))
    assert Ground().joined(Ground(0.1).raised(-0.1)).is_flat


@pytest.mark.parametrize("seed", SEEDS)
def test_a_ground_survives_json(seed):
    rng = np.random.default_rng(seed)
    ground = random_ground(rng, floor=0.3)
    again = Ground.from_data(json.loads(json.dumps(ground.to_data())))
    places = rng.uniform(-3, 3, (200, 2))
    assert again.boxes == ground.boxes and again.floor == 0.3
    np.testing.assert_array_equal(again.heights(places), ground.heights(places))
    assert Ground.from_data(json.loads(json.dumps(FLAT.to_data()))) == FLAT


GOOD_BOX = {"centre": [0, 0], "half": [1, 1], "turn": 0, "top": 1, "bottom": 0}
GOOD_TERRAIN = {"origin": [0, 0], "spacing": 0.1, "heights": [[0, 1], [1, 2]], "turn": 0}


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ([], "a ground is list; expected an object with floor"),
        ({}, "a ground lacks floor"),
        ({"floor": 0, "stones": []}, "a ground has unknown stones"),
        ({"floor": float("nan")}, "floor of a ground is nan; expected a finite number"),
        ({"floor": 10**400}, "expected a finite number below"),
        ({"floor": "low"}, "floor of a ground is 'low'; expected a number"),
        ({"floor": True}, "floor of a ground is True; expected a number"),
        ({"floor": 0, "boxes": {}}, "boxes of a ground are dict; expected a list"),
        ({"floor": 0, "boxes": [3]}, "box 0 of a ground is int"),
        (
            {"floor": 0, "boxes": [GOOD_BOX, {**GOOD_BOX, "half": [0.1, 0]}]},
            "half extents of 0.1 and 0 m; both must be",
        ),
        ({"floor": 0, "boxes": [{**GOOD_BOX, "half": [0.1, float("inf")]}]}, "half of a box is inf"),
        ({"floor": 0, "boxes": [{**GOOD_BOX, "centre": [1]}]}, "centre of a box is .1.; expected 2 numbers"),
        ({"floor": 0, "boxes": [{**GOOD_BOX, "bottom": 2}]}, "its bottom at 2 m, above its top at 1 m"),
        ({"floor": 0, "boxes": [GOOD_BOX] * (MAX_BOXES + 1)}, f"{MAX_BOXES + 1} boxes; at most {MAX_BOXES}"),
        ({"floor": 0, "terrain": {**GOOD_TERRAIN, "spacing": 0}}, "0 m apart; the spacing must be above 0"),
        ({"floor": 0, "terrain": {**GOOD_TERRAIN, "heights": [[0, 1], [1]]}}, "no numbers in rows of one length"),
        ({"floor": 0, "terrain": {**GOOD_TERRAIN, "heights": []}}, "expected rows and columns"),
        ({"floor": 0, "terrain": {**GOOD_TERRAIN, "heights": [[0, float("nan")]]}}, "must be finite"),
    ],
)
def test_data_that_are_no_ground_are_refused_in_a_sentence(data, says):
    with pytest.raises(BadInput, match=says):
        Ground.from_data(data)


def test_grids_that_are_too_fine_are_refused_before_they_are_made():
    with pytest.raises(BadInput, match="take a larger spacing"):
        Ground.sample(lambda xz: xz[:, 0], (0, 0), (1000, 1000), spacing=0.001)
    with pytest.raises(BadInput, match="give its lower corner first"):
        Ground.sample(lambda xz: xz[:, 0], (1, 0), (0, 1))
