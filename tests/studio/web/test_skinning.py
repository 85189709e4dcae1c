"""The numbers that hold the front end's kinematics and skinning to the library's; run this file to write them anew."""

import json
from pathlib import Path

import numpy as np

from motionloom import body
from motionloom.motion import kinematics, rotations
from motionloom.performer.body.skeleton import build_skeleton

NUMBERS = Path(__file__).parents[3] / "src/motionloom/studio/web/src/view3d/skinning.fixture.json"
N_VERTICES = 60  # spread over the whole body


def compute_numbers() -> dict:
    """One bent pose of the performer's skeleton, and where its joints and some of its skin are."""
    skeleton = build_skeleton()
    skin = body.build(skeleton)
    rng = np.random.default_rng(5)
    axes = rng.normal(size=(skeleton.n_joints, 3))
    axes /= np.linalg.norm(axes, axis=-1, keepdims=True)
    local = rotations.exp(axes * rng.uniform(0.1, 0.9, (skeleton.n_joints, 1)))
    root = np.array([1.5, 0.93, -2.25])
    positions, turned = kinematics.forward(skeleton, root[None], local[None])
    moved = body.skin(skin, positions, turned)[0]
    chosen = np.linspace(0, len(skin.vertices) - 1, N_VERTICES).astype(int)
    return {
        "parents": skeleton.parents.tolist(),
        "offsets": _rounded(skeleton.offsets),
        "root": _rounded(root),
        "rotations": _rounded(local),
        "positions": _rounded(positions[0]),
        "bindPositions": _rounded(skin.bind_positions),
        "bindRotations": _rounded(skin.bind_rotations),
        "vertices": _rounded(skin.vertices[chosen]),
        "joints": skin.joints[chosen].ravel().tolist(),
        "weights": _rounded(skin.weights[chosen]),
        "skinned": _rounded(moved[chosen]),
    }


def test_the_front_end_is_tried_against_the_bodys_own_numbers() -> None:
    stored = json.loads(NUMBERS.read_text())
    computed = compute_numbers()
    assert stored.keys() == computed.keys()
    for name, values in computed.items():
        hint = f"{name}: run {Path(__file__).name} to renew"
        np.testing.assert_allclose(stored[name], values, atol=2e-6, err_msg=hint)


def _rounded(values: np.ndarray) -> list[float]:
    return np.round(np.asarray(values, float).ravel(), 6).tolist()


if __name__ == "__main__":
    NUMBERS.write_text(json.dumps(compute_numbers()) + "\n")
