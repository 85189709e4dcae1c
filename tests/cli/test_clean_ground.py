"""`motionloom clean --ground`: feet are planted on a ground that is given, and measured against it."""

import json

import numpy as np
import pytest
from benchmarks.unseen.performed_supports import perform_supports

from motionloom import formats
from motionloom.assembly.requests.ground_files import write_ground_file
from motionloom.features.feet import foot_points
from motionloom.features.supported_contacts import detect_footing
from motionloom.motion import Motion

WITHIN = 0.002  # metres


@pytest.mark.parametrize(("seed", "fps", "size", "suffix"), [(70, 60, 1.0, "bvh"), (71, 41, 1.25, "npz")])
def test_feet_rest_on_the_hill_in_the_file_that_is_written(motionloom, tmp_path, seed, fps, size, suffix):
    walk = perform_supports("hills", seed, fps, size)
    source, out, ground = tmp_path / "hill.bvh", tmp_path / f"clean.{suffix}", tmp_path / "hill.json"
    formats.write(source, walk.motion)
    write_ground_file(ground, walk.ground)
    report = tmp_path / "report.json"
    ran = motionloom("clean", source, "--ground", ground, "-o", out, "--report", report)
    assert ran.code == 0, ran.err
    before, after = (formats.read(path).motion for path in (source, out))
    contacts, _ = detect_footing(before, 0.0, ground=walk.ground)
    points = foot_points(after, 0.0, like=before, ground=walk.ground)
    heights = points[..., 1] - walk.ground.supports_at(points)
    assert max(np.ptp(heights[contacts[:, k], k]) for k in range(4)) < WITHIN
    lines = {line["name"]: line for line in json.loads(report.read_text())["quality"]}
    deepest = lines["deepest foot point below the floor"]
    assert deepest["value"] < 1.0 and deepest["before"] > 5.0


def test_a_ground_that_the_feet_do_not_come_near_is_refused(motionloom, tmp_path):
    walk = perform_supports("hills", 72)
    source, out = tmp_path / "hill.npz", tmp_path / "clean.npz"
    formats.write(source, Motion(walk.motion.skeleton, walk.motion.root_positions, walk.motion.local_rotations, 60.0))
    far = tmp_path / "far.yaml"
    far.write_text("floor: 40\n")
    ran = motionloom("clean", source, "--ground", far, "-o", out)
    assert ran.code == 2 and "no foot comes near the ground" in ran.err and not out.exists()


def test_a_ground_has_a_floor_of_its_own_and_has_to_be_one(motionloom, tmp_path):
    walk, source, ground = perform_supports("stairs", 73), tmp_path / "stairs.npz", tmp_path / "ground.yaml"
    formats.write(source, walk.motion)
    write_ground_file(ground, walk.ground)
    ran = motionloom("clean", source, "--ground", ground, "--floor", "0", "-o", tmp_path / "out.npz")
    assert ran.code == 2 and "not both" in ran.err
    ground.write_text("floor: low\n")
    ran = motionloom("clean", source, "--ground", ground, "-o", tmp_path / "out.npz")
    assert ran.code == 2 and "expected a number" in ran.err and "Traceback" not in ran.err
    assert not (tmp_path / "out.npz").exists()
