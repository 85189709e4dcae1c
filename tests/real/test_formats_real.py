"""Readers and writers on real recordings: what is recognised, and that nothing is lost on the way."""

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from motionloom import formats
from motionloom.formats import ReadOptions, Take
from motionloom.formats.detection import rate
from motionloom.motion import Motion, Skeleton, kinematics, rotations

pytestmark = pytest.mark.real

TENTH_OF_A_MILLIMETRE = 1e-4  # metres
SETS = [
    "football_like",
    "everyday",
    "walking",
    "martial_arts",
    "styles",
    "breakdance",
    "locomotion_optim",
    "sneak",
    "boxing",
]

# names of the same joints in the two versions of CMU's files
LOWER_BODY_AND_SPINE = {
    "root": "Hips",
    **{
        f"{s[0]}{ours}": theirs.replace("*", s.capitalize())
        for s in ("left", "right")
        for ours, theirs in (("femur", "*UpLeg"), ("tibia", "*Leg"), ("foot", "*Foot"), ("toes", "*ToeBase"))
    },
    "lhipjoint": "LHipJoint",
    "rhipjoint": "RHipJoint",
    "lowerback": "LowerBack",
    "upperback": "Spine",
    "thorax": "Spine1",
}
ABOVE = {
    "lowerneck": "Neck",
    "upperneck": "Neck1",
    "head": "Head",
    **{
        f"{s[0]}{ours}": theirs.replace("*", s.capitalize())
        for s in ("left", "right")
        for ours, theirs in (("clavicle", "*Shoulder"), ("humerus", "*Arm"), ("radius", "*ForeArm"), ("wrist", "*Hand"))
    },
}


def read_index(data: Path) -> list[dict[str, str]]:
    with (data / "cmu" / "INDEX.csv").open() as file:
        return list(csv.DictReader(file))


def left_leg(skeleton: Skeleton) -> float:
    bones = skeleton.offsets[[skeleton.index("left_knee"), skeleton.index("left_foot")]]
    return float(np.linalg.norm(bones, axis=1).sum())


def world(take: Take) -> tuple[np.ndarray, np.ndarray]:
    assert isinstance(take.motion, Motion)
    return kinematics.world(take.motion)


@pytest.mark.parametrize("name", SETS)
def test_every_take_of_a_set_is_read_as_the_index_says_and_raises_no_alarm(name: str, data: Path) -> None:
    for row in [r for r in read_index(data) if r["set"] == name]:
        take = formats.read(data / "cmu" / row["file"])
        motion = take.motion
        assert isinstance(motion, Motion)
        assert (motion.n_frames, motion.fps) == (int(row["frames"]), float(row["fps"])), row["file"]
        assert take.source.up == "y" and not take.source.rest_frame_dropped
        assert take.source.metres_per_unit == pytest.approx(0.0254 / 0.45)
        assert left_leg(motion.skeleton) == pytest.approx(float(row["leg_m"]), abs=0.001)
        assert not [f for f in take.findings if f.is_warning], row["file"]
        assert not [f for f in take.findings if f.kind == "rate"], row["file"]


@pytest.mark.parametrize("name", ["01_01", "02_01", "11_01", "16_03", "143_06"])
def test_the_t_pose_of_an_untouched_file_is_dropped(name: str, data: Path) -> None:
    take = formats.read(data / "cmu" / "original" / f"{name}.bvh")
    assert take.source.rest_frame_dropped and take.motion.fps == 120
    kept = formats.read(data / "cmu" / "original" / f"{name}.bvh", ReadOptions(rest_frame="keep"))
    assert kept.motion.n_frames == take.motion.n_frames + 1


def test_the_wrong_rate_of_one_file_is_found_out_and_the_others_are_believed(data: Path) -> None:
    alarms = {}
    for name in ("01_01", "02_01", "11_01", "16_03", "143_06"):
        take = formats.read(data / "cmu" / "original" / f"{name}.bvh")
        alarms[name] = [f.message for f in take.findings if f.kind == "rate"]
    assert [name for name, messages in alarms.items() if messages] == ["143_06"]
    (message,) = alarms["143_06"]
    assert (
        "states 120 frames per second" in message and "m/s² instead of 9.81" in message and message.endswith("--fps 60")
    )
    given = formats.read(data / "cmu" / "original" / "143_06.bvh", ReadOptions(fps=60))
    assert given.motion.fps == 60 and not [f for f in given.findings if f.is_warning]


def test_rates_stated_twice_too_high_or_low_are_often_found_and_never_taken_for_a_third(data: Path) -> None:
    found = {2.0: 0, 0.5: 0}
    takes = [row for row in read_index(data) if row["set"] in ("locomotion_optim", "walking", "boxing")]
    for row in takes:
        motion = formats.read(data / "cmu" / row["file"]).motion
        assert isinstance(motion, Motion)
        for factor in found:
            evidence = rate.weigh(replace(motion, fps=motion.fps * factor))
            assert evidence.fps is None or evidence.fps == pytest.approx(60, rel=0.01), row["file"]
            found[factor] += evidence.fps is not None
    # a rate above the stated one takes two flights, and many takes have one
    assert found[2.0] > 0.4 * len(takes) and found[0.5] > 0.1 * len(takes), found


@pytest.mark.parametrize(("name", "lost"), [("01_01", 0.11655), ("11_01", 0.12464)])
def test_both_versions_of_a_recording_agree(name: str, lost: float, data: Path) -> None:
    amc = formats.read(data / "cmu" / "asf_amc" / f"{name}.amc")
    bvh = formats.read(data / "cmu" / "original" / f"{name}.bvh")
    assert amc.motion.n_frames == bvh.motion.n_frames
    (ours, turned), (theirs, _) = world(amc), world(bvh)
    names, other = amc.motion.skeleton.names, bvh.motion.skeleton.names  # type: ignore[union-attr]
    for bone, joint in LOWER_BODY_AND_SPINE.items():
        apart = np.linalg.norm(ours[:, names.index(bone)] - theirs[:, other.index(joint)], axis=1)
        assert apart.max() < TENTH_OF_A_MILLIMETRE, bone
    # above, the BVH conversion lost the thorax bone: a constant vector in the frame of the thorax
    thorax = names.index("thorax")
    skeleton = amc.motion.skeleton  # type: ignore[union-attr]
    bone_vector = skeleton.offsets[names.index("lowerneck")]
    assert np.linalg.norm(bone_vector) == pytest.approx(lost, abs=1e-5)
    missing = rotations.rotate(turned[:, thorax], bone_vector)  # (F, 3) world
    for bone, joint in ABOVE.items():
        difference = ours[:, names.index(bone)] - theirs[:, other.index(joint)]
        assert np.linalg.norm(difference - missing, axis=1).max() < TENTH_OF_A_MILLIMETRE, bone
        assert np.linalg.norm(difference, axis=1) == pytest.approx(lost, abs=TENTH_OF_A_MILLIMETRE)


def test_joint_positions_survive_bvh_to_motion_to_bvh(data: Path, tmp_path: Path) -> None:
    files = [row["file"] for row in read_index(data)][::9] + ["original/01_01.bvh"]
    for file in files:
        take = formats.read(data / "cmu" / file)
        formats.write(tmp_path / "again.bvh", take.motion, take.source)
        again = formats.read(tmp_path / "again.bvh", ReadOptions(rest_frame="keep"))
        assert np.linalg.norm(world(take)[0] - world(again)[0], axis=-1).max() < TENTH_OF_A_MILLIMETRE, file
        assert again.motion.fps == take.motion.fps and again.source.rotation_orders == take.source.rotation_orders
        assert again.motion.skeleton.end_parents.tolist() == take.motion.skeleton.end_parents.tolist()  # type: ignore[union-attr]


@pytest.mark.parametrize("file", ["walking/69_01.bvh", "breakdance/85_06.bvh"])
def test_joint_positions_survive_a_new_rest_pose_and_new_units(file: str, data: Path, tmp_path: Path) -> None:
    take = formats.read(data / "cmu" / file)
    formats.bvh.write(tmp_path / "again.bvh", take.motion, rest="t_pose")  # type: ignore[arg-type]
    again = formats.read(tmp_path / "again.bvh", ReadOptions(rest_frame="keep"))
    assert again.source.metres_per_unit == 0.01
    assert np.linalg.norm(world(take)[0] - world(again)[0], axis=-1).max() < TENTH_OF_A_MILLIMETRE


def test_asf_amc_survives_as_bvh_and_as_npz(data: Path, tmp_path: Path) -> None:
    take = formats.read(data / "cmu" / "asf_amc" / "11_01.amc")
    for extension in (".bvh", ".npz"):
        formats.write(tmp_path / f"again{extension}", take.motion, take.source)
        again = formats.read(tmp_path / f"again{extension}", ReadOptions(rest_frame="keep"))
        assert np.linalg.norm(world(take)[0] - world(again)[0], axis=-1).max() < TENTH_OF_A_MILLIMETRE
        assert again.source.metres_per_unit == pytest.approx(take.source.metres_per_unit)
