"""What files do not say: units, the up axis, a rest frame and the rate; reported, and always overridable."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from motionloom import formats
from motionloom.errors import BadInput
from motionloom.formats import ReadOptions, bvh
from motionloom.formats.detection import FileProperties, convert, flights, gait, rate
from motionloom.motion import Motion, Skeleton, kinematics, rest_pose, rotations, two_bone_ik

# name, parent, offset in metres: a person of 1.75 m in T-pose
PERSON = [
    ("Hips", -1, (0, 0, 0)),
    ("LeftUpLeg", 0, (0.1, -0.05, 0)),
    ("LeftLeg", 1, (0, -0.42, 0)),
    ("LeftFoot", 2, (0, -0.42, 0)),
    ("LeftToeBase", 3, (0, -0.07, 0.14)),
    ("RightUpLeg", 0, (-0.1, -0.05, 0)),
    ("RightLeg", 5, (0, -0.42, 0)),
    ("RightFoot", 6, (0, -0.42, 0)),
    ("RightToeBase", 7, (0, -0.07, 0.14)),
    ("Spine", 0, (0, 0.2, 0)),
    ("Neck", 9, (0, 0.32, 0)),
    ("Head", 10, (0, 0.1, 0)),
    ("LeftArm", 9, (0.2, 0.27, 0)),
    ("LeftForeArm", 12, (0.28, 0, 0)),
    ("LeftHand", 13, (0.25, 0, 0)),
    ("RightArm", 9, (-0.2, 0.27, 0)),
    ("RightForeArm", 15, (-0.28, 0, 0)),
    ("RightHand", 16, (-0.25, 0, 0)),
]
STANDING = 0.97  # metres: height of the hips


def person(scale: float = 1.0) -> Skeleton:
    names, parents, offsets = zip(*PERSON)
    return Skeleton(names=names, parents=np.array(parents), offsets=np.array(offsets, float) * scale)


def lively(n_frames: int = 60, scale: float = 1.0, seed: int = 0) -> Motion:
    """Someone who stands and moves a little, with nothing symmetric about it."""
    rng = np.random.default_rng(seed)
    skeleton = person(scale)
    turns = rng.normal(0, 0.3, (1, skeleton.n_joints, 3)) + rng.normal(
        0, 0.003, (n_frames, skeleton.n_joints, 3)
    ).cumsum(axis=0)
    positions = np.tile([0.0, STANDING, 0.0], (n_frames, 1)) * scale
    return Motion(skeleton, positions, rotations.exp(turns), 60.0)


def settled(motion: Motion, options: ReadOptions | None = None) -> formats.Take:
    return convert(motion, options or ReadOptions(), FileProperties("take.bvh", "bvh", "", motion.fps))


def findings(take: formats.Take, kind: str) -> list[formats.Finding]:
    return [f for f in take.findings if f.kind == kind]


@pytest.mark.parametrize(
    "metres_per_unit", [1.0, 0.1, 0.01, 0.001, 0.0254, 0.0254 / 0.45], ids=["m", "dm", "cm", "mm", "inch", "cmu"]
)
@pytest.mark.parametrize("size", [0.88, 1.0, 1.12])
def test_units_are_recognised_by_the_length_of_the_legs(metres_per_unit: float, size: float) -> None:
    take = settled(lively(scale=size / metres_per_unit))
    (finding,) = findings(take, "unit")
    assert take.source.metres_per_unit == pytest.approx(metres_per_unit) and not finding.is_warning
    assert isinstance(take.motion, Motion) and take.motion.skeleton.leg_length == pytest.approx(0.84 * size)


def test_a_given_scale_decides() -> None:
    take = settled(lively(scale=100), ReadOptions(scale=0.02))
    assert take.source.metres_per_unit == 0.02 and "as given" in findings(take, "unit")[0].message
    assert settled(lively(), ReadOptions(scale="cmu")).source.metres_per_unit == pytest.approx(0.056444, abs=1e-6)


def test_doubtful_units_are_a_warning() -> None:
    giant = settled(lively(scale=2.0))
    assert findings(giant, "unit")[0].is_warning and "--scale" in findings(giant, "unit")[0].message
    nameless = replace(lively(scale=100).skeleton, names=tuple(f"j{i}" for i in range(len(PERSON))), roles={})
    take = settled(replace(lively(scale=100), skeleton=nameless))
    assert findings(take, "unit")[0].is_warning and take.source.metres_per_unit == 0.01


@pytest.mark.parametrize("up", ["x", "y", "z", "-x", "-y", "-z"])
def test_the_axis_that_points_up_is_recognised_and_the_world_turned(up: str) -> None:
    motion = lively()
    turned = rest_pose.turn_world(motion, rotations.inverse(formats.detection.turn_to_y(up)))
    take = settled(turned)
    assert take.source.up == up and isinstance(take.motion, Motion)
    assert np.allclose(take.motion.root_positions, motion.root_positions, atol=1e-9)
    assert (rotations.angle_between(take.motion.local_rotations, motion.local_rotations) < 1e-6).all()
    assert np.allclose(take.motion.skeleton.offsets, motion.skeleton.offsets, atol=1e-9)


def test_a_given_up_axis_decides() -> None:
    assert settled(lively(), ReadOptions(up="z")).source.up == "z"


def test_someone_who_rolls_on_the_floor_is_not_taken_for_another_up_axis() -> None:
    motion = lively()
    local = motion.local_rotations.copy()
    local[20:40, 0] = rotations.about_axis(np.array([0, 0, 1.0]), np.full(20, np.pi / 2))
    local[40:, 0] = rotations.about_axis(np.array([0, 0, 1.0]), np.full(20, -np.pi / 2))
    assert settled(replace(motion, local_rotations=local)).source.up == "y"


def test_a_body_that_always_points_elsewhere_than_its_rest_pose_is_doubted() -> None:
    motion = lively()
    local = motion.local_rotations.copy()
    local[:, 0] = rotations.about_axis(np.array([1.0, 0, 0]), np.full(motion.n_frames, np.pi / 2))
    take = settled(replace(motion, local_rotations=local))
    assert take.source.up == "y" and findings(take, "up")[0].is_warning  # somebody may lie there
    assert not [f for f in findings(settled(motion), "up") if f.is_warning]


def with_first_pose(pose: np.ndarray) -> Motion:
    motion = lively()
    local = motion.local_rotations.copy()
    local[0] = pose
    return replace(motion, local_rotations=local)


def a_pose() -> np.ndarray:
    pose = rotations.identity((len(PERSON),))
    pose[12] = rotations.about_axis(np.array([0, 0, 1.0]), -0.8)
    pose[15] = rotations.about_axis(np.array([0, 0, 1.0]), 0.8)
    return pose


REST_POSES = {"zero": rotations.identity((len(PERSON),)), "A": a_pose()}


@pytest.mark.parametrize("kind", REST_POSES)
def test_a_rest_pose_that_jumps_away_is_dropped_unless_it_shall_be_kept(kind: str) -> None:
    motion = with_first_pose(REST_POSES[kind])
    take = settled(motion)
    assert take.source.rest_frame_dropped and take.motion.n_frames == motion.n_frames - 1
    assert "so it was dropped" in findings(take, "rest_frame")[0].message
    kept = settled(motion, ReadOptions(rest_frame="keep"))
    assert not kept.source.rest_frame_dropped and kept.motion.n_frames == motion.n_frames


def test_a_t_pose_with_other_joint_frames_is_recognised() -> None:
    motion = with_first_pose(REST_POSES["zero"])
    frames = rotations.exp(np.random.default_rng(3).normal(0, 0.4, (len(PERSON), 3)))
    assert settled(rest_pose.rebase(motion, frames)).source.rest_frame_dropped


def test_a_first_frame_that_belongs_to_the_motion_is_kept() -> None:
    take = settled(lively())
    assert not take.source.rest_frame_dropped and not findings(take, "rest_frame")
    smooth = lively()
    eased = rotations.slerp(REST_POSES["zero"], smooth.local_rotations, np.linspace(0, 1, smooth.n_frames)[:, None])
    assert not settled(replace(smooth, local_rotations=eased)).source.rest_frame_dropped
    assert settled(smooth, ReadOptions(rest_frame="drop")).motion.n_frames == smooth.n_frames - 1


def test_a_single_frame_is_never_dropped() -> None:
    motion = lively(1)
    for way in ("auto", "drop", "keep"):
        assert settled(motion, ReadOptions(rest_frame=way)).motion.n_frames == 1


def jumping(fps: float, n_jumps: int = 2, gravity: float = 9.81) -> Motion:
    """Someone who stands, jumps half a second through the air, stands again, and so on."""
    flight = int(0.5 * fps)
    stand = int(0.6 * fps)
    t = np.arange(flight) / fps
    arc = 0.5 * gravity * t * (0.5 - t)
    crouch = -0.1 * np.sin(np.linspace(0, np.pi, stand)) ** 2
    heights = np.concatenate([np.concatenate([crouch, arc]) for _ in range(n_jumps)] + [np.zeros(stand)])
    skeleton = person()
    local = rotations.identity((len(heights), skeleton.n_joints))
    swing = 0.4 * np.sin(np.arange(len(heights)) / fps * 5)
    for arm in (12, 15):
        local[:, arm] = rotations.about_axis(np.array([0, 0, 1.0]), swing)
    positions = np.stack([np.zeros_like(heights), STANDING + heights, np.zeros_like(heights)], axis=1)
    return _bend_legs(Motion(skeleton, positions, local, fps))


def _bend_legs(motion: Motion) -> Motion:
    """Fold the legs where the hips are lower than standing, so that the feet stay on the floor."""
    drop = np.minimum(motion.root_positions[:, 1] - STANDING, 0)
    bend = np.arccos(np.clip(1 + drop / 0.84, -1, 1))
    local = motion.local_rotations.copy()
    for hip, knee, ankle in ((1, 2, 3), (5, 6, 7)):
        for joint, factor in ((hip, -1.0), (knee, 2.0), (ankle, -1.0)):
            local[:, joint] = rotations.about_axis(np.array([1.0, 0, 0]), factor * bend)
    return replace(motion, local_rotations=local)


@pytest.mark.parametrize("fps", [30.0, 60.0, 120.0])
def test_jumps_at_the_right_rate_raise_no_alarm(fps: float) -> None:
    motion = jumping(fps)
    assert len(flights.find_flights(motion.skeleton, _positions(motion))) == 2
    assert rate.weigh(motion).fps is None and not findings(settled(motion), "rate")


@pytest.mark.parametrize(
    ("true", "stated"), [(60.0, 120.0), (30.0, 120.0), (120.0, 60.0), (120.0, 30.0), (100.0, 50.0)]
)
def test_a_wrong_rate_is_reported_with_its_evidence_and_its_remedy(true: float, stated: float) -> None:
    take = settled(replace(jumping(true), fps=stated))
    (finding,) = findings(take, "rate")
    assert finding.is_warning and f"states {stated:g} frames per second" in finding.message
    assert "m/s² instead of 9.81" in finding.message and finding.message.endswith(
        f"read it with fps={true:g}, or remove it from the corpus and import it again with --fps {true:g}"
    )
    assert take.motion.fps == stated  # reported, not changed


def test_a_given_rate_ends_the_doubts() -> None:
    take = settled(replace(jumping(60.0), fps=60.0), ReadOptions(fps=60.0))
    assert [f.is_warning for f in findings(take, "rate")] == [False]


def test_motion_that_says_nothing_about_its_rate_raises_no_alarm() -> None:
    assert rate.weigh(lively()).fps is None
    nameless = replace(lively().skeleton, names=tuple(f"j{i}" for i in range(len(PERSON))), roles={})
    assert rate.weigh(replace(lively(), skeleton=nameless)).fps is None


def test_the_natural_speed_of_strides_is_that_of_people() -> None:
    assert gait.natural_speed(1.4, 0.86) == pytest.approx(1.3, abs=0.35)  # metres per second, an easy walk
    assert gait.natural_speed(2.6, 0.86) > 2.5


def walking(fps: float, cadence: float = 1.8, step: float = 0.68) -> Motion:
    """Legs that swing like a walker's, with feet that stand while the body passes over them."""
    t = np.arange(int(6 * fps)) / fps
    skeleton = person()
    local = rotations.identity((len(t), skeleton.n_joints))
    phase = t * cadence / 2
    positions = np.stack([np.zeros_like(t), np.full_like(t, STANDING - 0.04), phase * 2 * step], axis=1)
    motion = Motion(skeleton, positions, local, fps)
    for limb, shift in (("left_leg", 0.0), ("right_leg", 0.5)):
        cycle = (phase + shift) % 1.0
        stance = cycle < 0.6
        start = np.floor(phase + shift) * 2 * step - shift * 2 * step + 0.3 * 2 * step
        swing = np.clip((cycle - 0.6) / 0.4, 0, 1)
        forward = start + np.where(stance, 0.0, (swing - np.sin(2 * np.pi * swing) / (2 * np.pi)) * 2 * step)
        lift = np.where(stance, 0.0, 0.08 * np.sin(np.pi * swing) ** 2)
        targets = np.stack([np.full_like(t, 0.1 if limb == "left_leg" else -0.1), 0.08 + lift, forward], axis=1)
        local, _ = two_bone_ik.reach(skeleton, positions, motion.local_rotations, limb, targets)
        motion = replace(motion, local_rotations=local)
    return motion


def test_a_walk_that_is_too_fast_for_its_steps_is_reported() -> None:
    motion = walking(60.0)
    assert rate.weigh(motion).fps is None
    evidence = rate.weigh(replace(motion, fps=120.0))
    assert evidence.fps == 60.0 and "steps per second" in evidence.reason


def _positions(motion: Motion) -> np.ndarray:
    return kinematics.world_positions(motion)


def test_options_that_make_no_sense_are_refused() -> None:
    for options, message in (
        ({"fps": 0}, "frame rate must be above 0 .*, got 0"),
        ({"fps": -5.0}, "got -5.0"),
        ({"scale": "feet"}, "got 'feet'"),
        ({"scale": -1.0}, "got '-1.0'"),
        ({"up": "w"}, "got 'w'"),
        ({"rest_frame": "maybe"}, "got 'maybe'"),
    ):
        with pytest.raises(BadInput, match=message):
            ReadOptions(**options)  # type: ignore[arg-type]


def test_a_written_take_is_recognised_again(tmp_path: Path) -> None:
    motion = lively()
    bvh.write(tmp_path / "a.bvh", motion)
    take = formats.read(tmp_path / "a.bvh")
    assert take.motion.n_frames == motion.n_frames and not [f for f in take.findings if f.is_warning]
