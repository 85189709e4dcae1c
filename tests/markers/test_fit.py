"""Bodies from markers: a fitted motion is the one that the markers were put on, whatever was spoilt."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.markers.spoilt import joint_errors, standing, three_on_each, with_positions

from motionloom.errors import BadInput
from motionloom.markers import FitSettings, fit_markers, full_body_markers, put_on
from motionloom.motion import Motion, PointMotion, hinges, kinematics, rotations


def whole(make, n_frames=90, seed=0, **options):
    """A motion, three markers on every bone, and the points."""
    motion = standing(make.motion(n_frames, seed=seed, wildness=0.4, hinged=True, **options))
    markers = three_on_each(motion.skeleton)
    return motion, markers, put_on(motion, markers)


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 1000))
def test_markers_of_a_motion_fitted_return_it(make, seed):
    motion, markers, points = whole(make, seed=seed)
    fitted = fit_markers(motion.skeleton, points, markers)
    assert joint_errors(fitted.motion, motion).max() < 5e-5
    assert rotations.angle_between(fitted.motion.local_rotations, motion.local_rotations).max() < 2e-3
    assert max(row.worst for row in fitted.report.markers) < 5e-5


@pytest.mark.parametrize("fps", [24.0, 120.0])
def test_the_rate_does_not_matter(make, fps):
    motion, markers, points = whole(make, n_frames=round(1.5 * fps), fps=fps)
    assert joint_errors(fit_markers(motion.skeleton, points, markers).motion, motion).max() < 5e-5


def test_moving_and_turning_the_markers_does_so_to_the_body(make):
    motion, markers, points = whole(make)
    markers = full_body_markers(motion.skeleton)
    points = put_on(motion, markers)
    turn = rotations.exp(np.array([2.0, 0.7, -1.1]))  # upside down
    shift = np.array([3.0, -1.0, 2.0])
    moved = with_positions(points, rotations.rotate(turn, points.positions) + shift)
    here, there = (kinematics.world_positions(fit_markers(motion.skeleton, p, markers).motion) for p in (points, moved))
    assert np.abs(rotations.rotate(turn, here) + shift - there).max() < 2e-3


def test_noise_and_scattered_gaps_leave_joints_near(make):
    motion = standing(make.motion(240, seed=3, wildness=0.3, hinged=True))
    markers = full_body_markers(motion.skeleton)
    rng, points = np.random.default_rng(0), put_on(motion, markers)
    positions = points.positions + rng.normal(scale=0.002, size=points.positions.shape)
    positions[rng.random(positions.shape[:2]) < 0.1] = np.nan
    fitted = fit_markers(motion.skeleton, with_positions(points, positions), markers)
    assert joint_errors(fitted.motion, motion).mean() < 0.008
    row = fitted.report.markers[0]
    assert row.n_missing == np.isnan(positions[:, 0, 0]).sum() > 0
    assert 0.001 < row.mean < 0.006


def test_a_limb_is_carried_smoothly_through_a_gap_of_all_its_markers(make):
    motion, markers, points = whole(make, n_frames=120)
    arm = [k for k, joint in enumerate(markers.joints) if joint in ("LeftArm", "LeftForeArm", "LeftHand")]
    positions = points.positions.copy()
    positions[50:70, arm] = np.nan
    fitted = fit_markers(motion.skeleton, with_positions(points, positions), markers)
    hand = kinematics.world_positions(fitted.motion)[:, motion.skeleton.index("left_hand")]
    truth = kinematics.world_positions(motion)[:, motion.skeleton.index("left_hand")]
    assert np.linalg.norm(hand - truth, axis=-1).max() < 0.02
    steps, true_steps = (np.linalg.norm(np.diff(line, n=2, axis=0), axis=-1).max() for line in (hand, truth))
    assert steps < 3 * true_steps  # no jump where the gap begins or ends
    gap = fitted.report.markers[arm[0]]
    assert (gap.n_missing, gap.longest_gap) == (20, 20)


def test_frames_without_any_marker_are_interpolated_and_counted(make):
    motion, markers, points = whole(make)
    positions = points.positions.copy()
    positions[40:46] = np.nan
    fitted = fit_markers(motion.skeleton, with_positions(points, positions), markers)
    assert joint_errors(fitted.motion, motion).max() < 0.01
    assert fitted.report.n_unseen == 6
    assert any("6 frames" in line for line in fitted.report.sentences())


def test_swapped_markers_are_named_and_left_out(make):
    motion, markers, points = whole(make)
    positions = points.positions.copy()
    a, b = markers.names.index("LeftHand0"), markers.names.index("RightHand0")
    positions[30:60, [a, b]] = positions[30:60, [b, a]]
    fitted = fit_markers(motion.skeleton, with_positions(points, positions), markers)
    assert joint_errors(fitted.motion, motion).max() < 0.002
    assert "swapped with RightHand0 in 30 frames" in fitted.report.markers[a].reason
    assert "swapped with LeftHand0 in 30 frames" in fitted.report.markers[b].reason


def test_a_flying_marker_and_one_elsewhere_are_left_out_and_named(make):
    motion, markers, points = whole(make)
    positions = points.positions.copy()
    flying, elsewhere = markers.names.index("Head1"), markers.names.index("LeftLeg2")
    positions[20:25, flying] += [0.0, 0.6, 0.0]
    positions[:, elsewhere] = [1.0, 2.0, 3.0]
    fitted = fit_markers(motion.skeleton, with_positions(points, positions), markers)
    assert joint_errors(fitted.motion, motion).max() < 0.002
    assert fitted.report.markers[flying].n_left_out == 5
    assert "5 frames" in fitted.report.markers[flying].reason
    assert "not where the marker set has it" in fitted.report.markers[elsewhere].reason
    assert not any(row.reason for k, row in enumerate(fitted.report.markers) if k not in (flying, elsewhere))


def test_knees_and_elbows_do_not_turn_over_with_a_marker_at_each_end_only(make):
    motion = standing(make.motion(90, seed=5, wildness=0.4, hinged=True))
    markers = full_body_markers(motion.skeleton).only(["LFHD", "RFHD", "C7", "LWRA", "RWRA", "LANK", "RANK", "LASI"])
    fitted = fit_markers(motion.skeleton, put_on(motion, markers), markers).motion
    for limb in hinges.LIMBS:
        axis = hinges.rest_axis(motion.skeleton, limb)
        assert hinges.flexion(fitted.skeleton, fitted.local_rotations, limb, axis).min() > np.radians(-12)


def test_the_size_of_the_body_is_learnt(make):
    motion, _, _ = whole(make)
    large = Motion(motion.skeleton.scaled(1.15), motion.root_positions, motion.local_rotations, motion.fps)
    markers = full_body_markers(motion.skeleton)
    points = put_on(large, markers.scaled(1.15))
    fitted = fit_markers(motion.skeleton, points, markers, settings=FitSettings(learns_size=True))
    assert fitted.report.size == pytest.approx(1.15, abs=0.005)
    assert fitted.motion.skeleton.leg_length == pytest.approx(large.skeleton.leg_length, rel=0.005)


def test_misplaced_markers_are_learnt(make):
    motion, markers, _ = whole(make, n_frames=240)
    moved = markers.offsets + np.random.default_rng(1).normal(scale=0.015, size=markers.offsets.shape)
    worn = type(markers)(markers.names, markers.joints, moved)
    points = put_on(motion, worn)
    kept, learnt = (
        fit_markers(motion.skeleton, points, markers, settings=FitSettings(learns_offsets=learns))
        for learns in (False, True)
    )
    kept_error, error = (joint_errors(fitted.motion, motion).mean() for fitted in (kept, learnt))
    assert error < 0.6 * kept_error
    assert learnt.report.mean < 0.1 * kept.report.mean


def test_labels_match_whatever_subject_and_case_they_have_and_others_are_reported(make):
    motion, markers, points = whole(make, n_frames=10)
    names = (*(f"Anna:{name.upper()}" for name in points.names[1:]), "Box1")
    renamed = PointMotion(names, np.roll(points.positions, -1, axis=1), points.fps)
    fitted = fit_markers(motion.skeleton, renamed, markers)
    assert joint_errors(fitted.motion, motion).max() < 2e-4
    assert fitted.report.unknown == ("Box1",)
    assert fitted.report.absent == (points.names[0],)


def bad_points(make, change):
    motion, markers, points = whole(make, n_frames=5)
    names, positions = change(points)
    return lambda: fit_markers(motion.skeleton, PointMotion(names, positions, points.fps), markers)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda p: (p.names, 1000 * p.positions), "span .* m tall; give their true unit"),
        (lambda p: (p.names, np.full_like(p.positions, np.nan)), "at most 0 markers"),
        (lambda p: (tuple(f"x{name}" for name in p.names), p.positions), "no point is named after a marker"),
        (lambda p: (p.names, p.positions[:0]), "no frames"),
    ],
)
def test_bad_markers_are_refused_in_one_sentence(make, change, message):
    with pytest.raises(BadInput, match=message):
        bad_points(make, change)()


def test_bad_settings_are_refused(make):
    motion, markers, points = whole(make, n_frames=5)
    with pytest.raises(BadInput, match="noise of a fit must be finite and above 0"):
        fit_markers(motion.skeleton, points, markers, settings=FitSettings(noise=0.0))


def test_arms_without_markers_hang_and_are_named(make):
    motion = standing(make.motion(20, wildness=0.1, hinged=True))
    markers = full_body_markers(motion.skeleton)
    markers = markers.only(
        [name for name in markers.names if name[1:] not in ("UPA", "ELB", "FRM", "WRA", "WRB", "FIN")]
    )
    fitted = fit_markers(motion.skeleton, put_on(motion, markers), markers)
    positions = kinematics.world_positions(fitted.motion)
    for side in ("left", "right"):
        shoulder, hand = (positions[:, motion.skeleton.index(f"{side}_{joint}"), 1] for joint in ("shoulder", "hand"))
        assert (shoulder - hand).min() > 0.35
    assert {"LeftArm", "RightForeArm", "LeftToeBase"} <= set(fitted.report.held)
