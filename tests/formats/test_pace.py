"""Units that size leaves open are decided by how a body falls and strides; what stays doubtful is said."""

import functools
from dataclasses import replace

import numpy as np
import pytest

from motionloom import formats
from motionloom.formats.detection import pace, units
from motionloom.formats.options import CMU_UNIT, ReadOptions
from motionloom.motion import Motion, cut, rest_pose, rotations
from motionloom.performer import Writer
from motionloom.performer.perform import move, set_stage

UNITS = {"m": 1.0, "cm": 0.01, "in": 0.0254}
SCORES = {
    "walk": lambda: Writer("walk").then("stand", 0.5).then("walk", 3.0).then("stand", 0.5).done(),
    "run": lambda: Writer("run").then("stand", 0.5).then("run", 2.5).then("stand", 0.5).done(),
    "jump": lambda: Writer("jump").then("stand", 0.5).then("jump", 2.0).then("stand", 0.5).done(),
}


@functools.cache
def performed(kind: str, size: float, fps: float = 60.0) -> Motion:
    """Somebody of a size relative to an adult, in metres; the smaller, the quicker: gravity is the same for all."""
    motion = move(set_stage(SCORES[kind](), np.random.default_rng(1), fps * size**0.5)).motion
    return in_unit(replace(motion, fps=fps), 1 / size)


def in_unit(motion: Motion, metres: float) -> Motion:
    skeleton = motion.skeleton.scaled(1 / metres)
    return replace(motion, skeleton=skeleton, root_positions=motion.root_positions / metres)


def found(motion: Motion):
    metres, (finding,) = units.find(motion, ReadOptions())
    return metres, finding


def check_all_units(motion: Motion) -> None:
    for name, metres in UNITS.items():
        by, finding = found(in_unit(motion, metres))
        assert by == metres, f"{name}: {finding.message}"


@pytest.mark.parametrize("fps", [24.0, 30.0, 120.0, 240.0])
@pytest.mark.parametrize("kind", SCORES)
def test_children_have_their_unit_at_any_rate(kind, fps):
    check_all_units(performed(kind, 0.55, fps))


@pytest.mark.parametrize("size", [0.55, 0.6, 0.7, 1.0, 1.25])
@pytest.mark.parametrize("kind", SCORES)
def test_bodies_of_all_sizes_have_their_unit(kind, size):
    check_all_units(performed(kind, size))


def test_a_unit_that_pace_decides_is_doubted_in_words():
    metres, finding = found(in_unit(performed("jump", 0.55), 0.0254))
    assert metres == 0.0254 and finding.is_warning
    assert "by the size of the body alone they are CMU units" in finding.message
    assert "the body would fall with 22." in finding.message and "--scale" in finding.message
    metres, finding = found(in_unit(performed("walk", 0.55), 0.0254))
    assert metres == 0.0254 and "times the pace that is natural" in finding.message


@pytest.mark.parametrize("size", [0.55, 0.6])
def test_an_adult_scaled_down_without_its_time_is_not_read_silently(size):
    """It moves as an adult does, and fits an adult in another unit."""
    for kind in SCORES:
        for metres in UNITS.values():
            by, finding = found(in_unit(performed(kind, 1.0), metres / size))
            assert by == metres or finding.is_warning


@pytest.mark.parametrize("metres", [0.0254, 1.0])
def test_a_still_body_that_may_be_small_is_doubted(metres):
    still = cut(performed("walk", 0.55), 0, 10)
    by, finding = found(in_unit(still, metres))
    assert finding.is_warning
    assert by == metres or "inches" in finding.message


@pytest.mark.parametrize("kind", SCORES)
def test_adults_keep_the_unit_of_their_size_without_a_warning(kind):
    for metres in (1.0, 0.1, 0.01, 0.001, 0.0254, CMU_UNIT):
        by, finding = found(in_unit(performed(kind, 1.0), metres))
        assert by == metres and not finding.is_warning


@pytest.mark.parametrize("slower", [1.5, 2.0, 3.0])
@pytest.mark.parametrize("metres", [1.0, 0.01, 0.0254])
def test_slow_steps_make_no_giants(metres, slower):
    """Whoever sneaks or dawdles is not larger for that."""
    child = performed("walk", 0.62)
    assert found(in_unit(replace(child, fps=child.fps / slower), metres))[0] == metres or metres == 0.0254
    adult = performed("walk", 1.0)
    assert found(in_unit(replace(adult, fps=adult.fps / slower), metres))[0] == metres


@pytest.mark.parametrize("factor", [0.25, 0.5, 2.0, 4.0])
def test_a_wrong_rate_does_not_change_the_unit_of_an_adult(factor):
    for kind in SCORES:
        adult = performed(kind, 1.0)
        for metres in (1.0, 0.01, 0.0254, CMU_UNIT):
            assert found(in_unit(replace(adult, fps=adult.fps * factor), metres))[0] == metres


def test_pace_does_not_depend_on_unit_rest_frame_up_axis_or_place():
    motion = in_unit(performed("jump", 0.6), 0.0254)
    first = Motion(motion.skeleton, motion.root_positions[:1], rotations.identity((1, motion.skeleton.n_joints)), 60.0)
    roots, local = ([getattr(m, name) for m in (first, motion)] for name in ("root_positions", "local_rotations"))
    with_rest = replace(motion, root_positions=np.concatenate(roots), local_rotations=np.concatenate(local))
    z_up = rest_pose.turn_world(motion, rotations.about_axis(np.array([1.0, 0.0, 0.0]), np.array(np.pi / 2)))
    away = replace(motion, root_positions=motion.root_positions + [900.0, -300.0, 50.0])
    for same in (motion, with_rest, z_up, away):
        assert found(same)[0] == 0.0254


@pytest.mark.parametrize("size", [0.5, 0.8, 1.3])
def test_gravity_and_strides_tell_metres_per_unit(size):
    for metres in (1.0, 0.0254):
        fallen = pace.measure(in_unit(performed("jump", size), metres))
        assert fallen.by_flights == pytest.approx(metres, rel=0.1) and fallen.by_strides is None
        for kind in ("walk", "run"):
            assert pace.measure(in_unit(performed(kind, size), metres)).by_strides == pytest.approx(metres, rel=0.2)


def test_what_says_nothing_of_pace_speaks_for_no_unit(make):
    for motion in (make.motion(4), make.motion(60, wildness=0.0), cut(performed("walk", 1.0), 0, 20)):
        nothing = pace.measure(motion)
        assert nothing == pace.Pace()
        assert nothing.rarity(1.0) == nothing.rarity(1e-3) == 0.0
        assert nothing.fits(1.0) and not nothing.contradicts(1.0)


def test_a_unit_is_the_less_likely_the_farther_it_is_from_the_pace():
    for measured in (pace.Pace(by_flights=0.02), pace.Pace(by_strides=0.02), pace.Pace(0.02, 0.02)):
        assert measured.rarity(0.02) == pytest.approx(0.0)
        assert measured.fits(0.02) and not measured.contradicts(0.02)
        rarities = [measured.rarity(0.02 * factor) for factor in (1.0, 1.2, 1.5, 2.0)]
        assert rarities == sorted(rarities)
        assert measured.contradicts(0.02 * 1.6) and not measured.fits(0.02 * 1.6)
    slow = pace.Pace(by_strides=0.02)
    assert slow.rarity(0.01) < slow.rarity(0.04)
    assert not slow.contradicts(0.005)


def test_a_small_body_in_inches_is_read_from_a_file(tmp_path):
    path = tmp_path / "child.bvh"
    formats.write(path, in_unit(performed("jump", 0.55), 0.0254 / 0.01))  # files are in centimetres: 1 cm per unit
    take = formats.read(path)
    assert take.source.metres_per_unit == 0.0254
    assert take.motion.skeleton.leg_length == pytest.approx(performed("jump", 0.55).skeleton.leg_length, rel=1e-4)
