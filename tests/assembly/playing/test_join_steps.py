"""Steps at joins: feet that rest at other places after a join are lifted and put down, one at a time."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.assembly import Generated, Piece, assemble
from motionloom.assembly.playing.join_steps import FAR, Reach, find_steps, take_steps
from motionloom.motion import Motion, find_runs, kinematics, two_bone_ik

FRAMES = 120  # of each piece
JOIN = Reach(FRAMES, 24, 24)


def sized(motion: Motion, size: float) -> Motion:
    skeleton = replace(motion.skeleton, offsets=size * motion.skeleton.offsets)
    return replace(motion, skeleton=skeleton, root_positions=size * motion.root_positions)


@pytest.fixture(scope="module")
def still(make) -> Motion:
    """A person who stands with bent knees and does not move at all."""
    motion = make.motion(n_frames=FRAMES, hinged=True)
    local_rotations = np.zeros_like(motion.local_rotations)
    local_rotations[..., 0] = 1.0
    roots = np.repeat(motion.root_positions[:1], FRAMES, axis=0)
    straight = replace(motion, root_positions=roots, local_rotations=local_rotations)
    bent = moved(moved(straight, "left", (0.0, 0.08, 0.0)), "right", (0.0, 0.08, 0.0))
    lowest = kinematics.world_positions(bent)[0, :, 1].min()
    return replace(bent, root_positions=bent.root_positions - [0.0, lowest, 0.0])


def moved(motion: Motion, side: str, by) -> Motion:
    """The same with a foot elsewhere."""
    targets = ankles(motion, side) + by
    turns, miss = two_bone_ik.reach(
        motion.skeleton, motion.root_positions, motion.local_rotations, f"{side}_leg", targets
    )
    assert miss.max() < 1e-9
    return replace(motion, local_rotations=turns)


def ankles(motion: Motion, side: str) -> np.ndarray:
    return kinematics.world_positions(motion)[:, motion.skeleton.index(f"{side}_foot")]


def joined(plans, first: Motion, second: Motion, kind: str = "displacement", seconds: float = 0.4, locked=()):
    always = np.ones((FRAMES, 4), bool)
    pieces = [Piece(Generated(motion, "statue", contacts=always), 0, FRAMES) for motion in (first, second)]
    plan = plans.of(pieces, kind, seconds, skeleton=first.skeleton.digest, view="")
    return assemble(plan, locked=locked)


def in_the_air(contacts: np.ndarray, side: str) -> list[tuple[int, int]]:
    columns = slice(0, 2) if side == "left" else slice(2, 4)
    return find_runs(~contacts[:, columns].any(axis=1))


def test_a_foot_that_rests_elsewhere_after_a_join_steps_there(plans, still):
    result = joined(plans, still, moved(still, "left", (0.2, 0.0, 0.0)))
    ((start, stop),) = in_the_air(result.contacts, "left")
    assert start < FRAMES < stop and stop - start == pytest.approx(60 * 0.37, abs=4)
    assert not in_the_air(result.contacts, "right")
    left = ankles(result.motion, "left") - ankles(still, "left")[0]
    np.testing.assert_allclose(left[:start], 0.0, atol=0.03)  # where it was recorded, on both sides
    np.testing.assert_allclose(left[stop:], np.tile([0.2, 0.0, 0.0], (2 * FRAMES - stop, 1)), atol=0.03)
    assert left[start:stop, 1].max() > 0.03
    hips = kinematics.world_positions(result.motion)[:, 0] - still.root_positions[0]
    assert np.abs(hips).max() < 0.01


def test_feet_step_one_after_the_other(plans, still):
    wide = moved(moved(still, "left", (0.15, 0.0, 0.0)), "right", (-0.2, 0.0, 0.0))
    result = joined(plans, still, wide)
    ((left_start, left_stop),) = in_the_air(result.contacts, "left")
    ((right_start, right_stop),) = in_the_air(result.contacts, "right")
    assert left_stop <= right_start or right_stop <= left_start


@pytest.mark.parametrize("kind, seconds", [("displacement", 0.4), ("cut", 0.0)])
def test_feet_that_are_near_or_cut_stay(plans, still, kind, seconds):
    by = (0.9 * FAR if kind != "cut" else 0.3, 0.0, 0.0)
    result = joined(plans, still, moved(still, "left", by), kind, seconds)
    assert result.contacts.all()


def test_locked_frames_are_not_stepped_in(plans, still):
    locked = range(FRAMES, FRAMES + 30)
    result = joined(plans, still, moved(still, "left", (0.2, 0.0, 0.0)), "arrive", 0.4, locked)
    ((start, stop),) = in_the_air(result.contacts, "left")
    assert stop <= FRAMES
    left = ankles(result.motion, "left") - ankles(still, "left")[0]
    np.testing.assert_allclose(left[:start], 0.0, atol=0.03)


@pytest.mark.parametrize("size", [0.5, 1.6])
def test_small_and_large_bodies_step_at_distances_of_their_size(still, size):
    for share in (0.9, 1.1):
        leg = still.skeleton.leg_length / 0.8
        away = moved(still, "left", (share * FAR * leg, 0.0, 0.0))
        both = replace(
            still,
            root_positions=np.concatenate([still.root_positions, away.root_positions]),
            local_rotations=np.concatenate([still.local_rotations, away.local_rotations]),
        )
        steps = find_steps(sized(both, size), np.ones((2 * FRAMES, 4), bool), [JOIN])
        assert len(steps) == (share > 1)


@given(
    seed=st.integers(0, 2**32 - 1),
    borders=st.lists(st.integers(1, 2 * FRAMES - 1), min_size=1, max_size=4, unique=True),
    locked=st.lists(st.integers(0, 2 * FRAMES - 1), max_size=20),
)
def test_another_foot_carries_the_body_in_every_step(still, seed, borders, locked):
    rng = np.random.default_rng(seed)
    away = moved(still, "left", (*rng.uniform(-0.2, 0.2, 1), 0.0, *rng.uniform(-0.2, 0.2, 1)))
    away = moved(away, "right", (*rng.uniform(-0.2, 0.2, 1), 0.0, *rng.uniform(-0.2, 0.2, 1)))
    motion = replace(
        still,
        root_positions=np.concatenate([still.root_positions, away.root_positions]),
        local_rotations=np.concatenate([still.local_rotations, away.local_rotations]),
    )
    contacts = np.repeat(rng.random((8, 4)) < 0.8, 2 * FRAMES // 8, axis=0)
    joins = [Reach(border, 20, 20) for border in sorted(borders)]
    steps = find_steps(motion, contacts, joins, locked)
    stepped, left = take_steps(motion, contacts, steps)
    for step in steps:
        frames = range(step.start, step.stop)
        other = slice(2, 4) if step.side == "left" else slice(0, 2)
        assert not set(frames) & set(locked)
        assert left[step.start : step.stop, other].any(axis=1).all()
    assert not (left & ~contacts).any()
    untouched = np.ones(2 * FRAMES, bool)
    for step in steps:
        untouched[step.start : step.stop] = False
    np.testing.assert_array_equal(stepped.local_rotations[untouched], motion.local_rotations[untouched])
