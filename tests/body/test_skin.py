"""Linear blend skinning against its plain twin and against what it must leave alone."""

import numpy as np

from motionloom import body
from motionloom.motion import Placement, kinematics, place, rotations


def skin_plainly(skin: body.Body, positions: np.ndarray, world_rotations: np.ndarray) -> np.ndarray:
    result = np.zeros((len(positions), len(skin.vertices), 3))
    for k in range(4):
        joints, weights = skin.joints[:, k], skin.weights[:, k, None]
        in_joint = rotations.rotate(
            rotations.inverse(skin.bind_rotations[joints]), skin.vertices - skin.bind_positions[joints]
        )
        result += weights * (positions[:, joints] + rotations.rotate(world_rotations[:, joints], in_joint[None]))
    return result


def test_skinning_agrees_with_its_plain_twin(make):
    motion = make.motion(7, seed=3)
    skin = body.build(motion.skeleton)
    positions, turned = kinematics.world(motion)
    np.testing.assert_allclose(body.skin(skin, positions, turned), skin_plainly(skin, positions, turned), atol=2e-6)


def test_the_bind_pose_gives_the_vertices_themselves(make):
    skin = body.build(make.skeleton())
    posed = body.skin(skin, skin.bind_positions[None], skin.bind_rotations[None])
    np.testing.assert_allclose(posed[0], skin.vertices, atol=1e-6)
    normals = body.skin_normals(skin, skin.bind_positions[None], skin.bind_rotations[None])
    np.testing.assert_allclose(normals[0], skin.normals, atol=1e-6)


def test_moving_over_the_ground_moves_the_whole_skin(make):
    motion = make.motion(5, seed=1)
    skin = body.build(motion.skeleton)
    there = place(motion, Placement(1.2, np.array([3.0, -2.0])))
    turn = rotations.about_y(1.2)
    expected = rotations.rotate(turn, body.skin(skin, *kinematics.world(motion)).astype(float)) + np.array(
        [3.0, 0.0, -2.0]
    )
    np.testing.assert_allclose(body.skin(skin, *kinematics.world(there)), expected, atol=1e-5)
    turned_normals = rotations.rotate(turn, body.skin_normals(skin, *kinematics.world(motion)).astype(float))
    np.testing.assert_allclose(body.skin_normals(skin, *kinematics.world(there)), turned_normals, atol=1e-5)


def test_a_bent_limb_keeps_most_of_its_thickness(make):
    """An elbow bent by a right angle must not collapse like a drinking straw."""
    skeleton = make.skeleton()
    skin = body.build(skeleton)
    local = kinematics.to_local(skeleton, skin.bind_rotations)[None].copy()
    elbow = skeleton.index("left_elbow")
    bent = local.copy()
    bent[:, elbow] = rotations.multiply(local[:, elbow], rotations.about_y(-np.pi / 2))
    at_elbow = np.linalg.norm(skin.vertices - skin.bind_positions[elbow], axis=-1) < 0.05
    for pose in (local, bent):
        positions, turned = kinematics.forward(skeleton, np.zeros((1, 3)), pose)
        vertices = body.skin(skin, positions, turned)[0][at_elbow]
        away = np.linalg.norm(vertices - positions[0, elbow], axis=-1)
        assert away.min() > 0.012


def test_skinning_the_body_of_float32_motions_works(make):
    motion = make.motion(3)
    positions, turned = kinematics.forward(
        motion.skeleton, motion.root_positions.astype(np.float32), motion.local_rotations.astype(np.float32)
    )
    skin = body.build(motion.skeleton)
    np.testing.assert_allclose(
        body.skin(skin, positions, turned), body.skin(skin, *kinematics.world(motion)), atol=1e-4
    )
