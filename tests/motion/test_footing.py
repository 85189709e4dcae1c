"""Footing: supports that come and go with the frames of a motion."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.errors import BadInput
from motionloom.motion import Box, Footing, Ground, Placement, Support, Terrain, place_points
from motionloom.motion.footing import concatenate_supports

STEP = Support(Box((1.0, 0.0), (0.3, 0.2), 0.4, 0.25, 0.0), 10, 20)


def standing(n_frames: int, place=(1.0, 0.26, 0.0)) -> np.ndarray:
    return np.tile(np.array(place), (n_frames, 1, 1))


def random_points(rng, n_frames=30) -> np.ndarray:
    return np.concatenate(
        [rng.uniform(-1.5, 1.5, (n_frames, 40, 3)), STEP.box.top + rng.normal(0, 0.1, (n_frames, 5, 3))], 1
    )


def random_footing(rng) -> Footing:
    def box():
        top = rng.uniform(0.1, 0.6)
        return Box(
            tuple(rng.uniform(-1, 1, 2)), tuple(rng.uniform(0.1, 0.8, 2)), rng.uniform(-3, 3), top, rng.uniform(0, top)
        )

    terrain = Terrain(tuple(rng.uniform(-1, 0, 2)), 0.2, rng.uniform(0, 0.3, (5, 7)), rng.uniform(-3, 3))
    supports = [Support(box(), int(a), int(a + b)) for a, b in rng.integers(1, 15, (4, 2))]
    return Footing(Ground(0.0, (box(),), terrain), tuple(supports))


def test_a_support_is_under_the_feet_in_its_own_frames_only():
    under = Footing(supports=(STEP,)).under(standing(30))[:, 0]
    assert (under[10:20] == 0.25).all() and (under[:10] == 0).all() and (under[20:] == 0).all()


def test_a_foot_beside_or_far_below_the_top_does_not_stand_on_it():
    footing = Footing(supports=(STEP,))
    assert (footing.under(standing(30, (1.0, 0.02, 0.0))) == 0).all()
    assert (footing.under(standing(30, (2.0, 0.26, 0.0))) == 0).all()
    sunk, rests = standing(30, (1.0, 0.2, 0.0)), np.ones((30, 1), bool)
    assert footing.under(sunk, rests)[15, 0] == 0.25 and footing.under(sunk)[15, 0] == 0
    assert footing.under(standing(30, (1.0, 0.18, 0.0)), rests)[15, 0] == 0


def test_without_supports_it_is_the_ground():
    rng = np.random.default_rng(5)
    ground, points = random_footing(rng).ground, random_points(rng)
    assert np.array_equal(Footing(ground).under(points), ground.supports_at(points))


@given(seed=st.integers(0, 10_000))
def test_what_is_under_a_point_moves_with_it(seed):
    rng = np.random.default_rng(seed)
    footing, points = random_footing(rng), random_points(rng)
    under = footing.under(points)
    placement = Placement(rng.uniform(-3, 3), rng.uniform(-2, 2, 2))
    assert _mostly_equal(footing.moved(placement).under(place_points(points, placement)), under)
    assert _mostly_equal(footing.raised(0.3).under(points + [0, 0.3, 0]), under + 0.3)
    assert _mostly_equal(footing.mirrored().under(points * [-1, 1, 1]), under)


def _mostly_equal(one, other) -> bool:
    """Equal but for points at the very border of a box, which rounding may move over it."""
    return bool((np.abs(one - other) < 1e-9).mean() > 0.998)


@given(seed=st.integers(0, 10_000))
def test_cut_and_concatenate_give_the_whole_again(seed):
    rng = np.random.default_rng(seed)
    footing, points = random_footing(rng), random_points(rng)
    border = int(rng.integers(1, 29))
    first, second = footing.cut(0, border), footing.cut(border, 30)
    joined = Footing(footing.ground, concatenate_supports([(border, first), (30 - border, second)]))
    assert np.array_equal(joined.under(points), footing.under(points))
    assert np.array_equal(second.under(points[border:]), footing.under(points)[border:])


def test_rows_and_back():
    footing = random_footing(np.random.default_rng(2))
    assert Footing.from_rows(footing.to_rows(), footing.ground) == footing
    assert Footing().to_rows().shape == (0, 9) and Footing.from_rows(np.zeros((0, 9))).is_flat


def test_a_support_without_frames_is_refused():
    with pytest.raises(BadInput, match="has no frames"):
        Support(STEP.box, 5, 5)
