"""Frame rates: what is carried does not fly, and one flight is not enough for a rate above the stated one."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.formats.detection import rate
from motionloom.motion import Motion, cut, rotations, two_bone_ik


def legs_reaching(motion: Motion, targets: dict[str, np.ndarray]) -> Motion:
    for limb, points in targets.items():
        local, _ = two_bone_ik.reach(motion.skeleton, motion.root_positions, motion.local_rotations, limb, points)
        motion = replace(motion, local_rotations=local)
    return motion


def over_mats(make, fps: float, mat: float, bob: float, cadence: float, step: float = 0.28) -> Motion:
    """A walk with the right foot on mats after its first step: hips highest over each foot, and always carried."""
    t = np.arange(int(6 * fps)) / fps
    skeleton, phase = make.skeleton(), t * cadence / 2
    ground = phase * 2 * step
    height = 0.87 + bob * np.cos(4 * np.pi * (phase - 0.3))
    roots = np.stack([np.zeros_like(t), height, ground], axis=1)
    targets = {}
    for limb, shift in (("left_leg", 0.0), ("right_leg", 0.5)):
        cycle = (phase + shift) % 1.0
        swing = np.clip((cycle - 0.6) / 0.4, 0, 1)
        number = np.floor(phase + shift)
        forward = (number - shift + 0.3 + swing - np.sin(2 * np.pi * swing) / (2 * np.pi)) * 2 * step
        raised = np.where(number > 0, 1.0, swing) * (mat if limb == "right_leg" else 0.0)
        up = 0.08 + raised + 0.12 * np.sin(np.pi * swing) ** 2
        targets[limb] = np.stack([np.full_like(t, 0.1 if limb == "left_leg" else -0.1), up, forward], axis=1)
    local = rotations.identity((len(t), skeleton.n_joints))
    return legs_reaching(Motion(skeleton, roots, local, fps), targets)


@pytest.mark.parametrize("fps", [60.0, 120.0, 240.0])
@pytest.mark.parametrize("seed", range(6))
def test_a_walk_over_mats_is_no_flight(make, fps, seed):
    rng = np.random.default_rng(seed)
    motion = over_mats(make, fps, rng.uniform(0.06, 0.10), rng.uniform(0.02, 0.03), rng.uniform(1.4, 1.8))
    assert rate.weigh(motion).fps is None


def first_jump(make) -> Motion:
    motion = make.demo_take("jump/up").motion
    return cut(motion, 30, 190)


def test_one_flight_is_not_enough_for_a_rate_above_the_stated_one(make):
    jump = first_jump(make)
    assert rate.weigh(jump).fps is None
    assert rate.weigh(replace(jump, fps=30.0)).fps is None
    assert rate.weigh(replace(jump, fps=120.0)).fps == 60.0  # a rate below it is


@pytest.mark.parametrize("factor", [0.05, 0.1, 12.0, 25.0])
def test_a_rate_that_nobody_records_at_is_not_named(make, factor):
    found = rate.weigh(replace(make.demo_take("jump/up").motion, fps=60.0 * factor)).fps
    assert found is None or abs(np.log(found / 60.0)) < np.log(1.3)


@pytest.mark.parametrize("roles", [("knee",), ("hand", "elbow"), ("ball",)])
def test_a_body_without_knees_or_hands_or_toes_raises_no_alarm(make, roles):
    lost = {f"{side}_{role}": None for side in ("left", "right") for role in roles}
    for name in ("jump/up", "walk/slow"):
        motion = make.demo_take(name).motion
        assert rate.weigh(replace(motion, skeleton=motion.skeleton.with_roles(lost))).fps is None


def test_a_take_that_never_touches_the_ground_raises_no_alarm(make):
    jump = first_jump(make)
    top = int(jump.root_positions[:, 1].argmax())
    assert rate.weigh(cut(jump, top - 5, top + 6)).fps is None
