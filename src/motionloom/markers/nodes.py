"""What the compiled solver is given, joints as a tree of rotating frames and what a pose is near to, and its memory."""

from typing import NamedTuple

import numpy as np


class Nodes(NamedTuple):
    """N joints that rotate, parents first, with K markers on them; rotations as matrices."""

    parents: np.ndarray  # (N,) int, -1 for the root
    shifts: np.ndarray  # (N, 3) metres from the parent, in its frame
    turns: np.ndarray  # (N, 3, 3) of joints between that do not rotate
    carriers: np.ndarray  # (K,) int: the joint of each marker
    offsets: np.ndarray  # (K, 3) metres in its frame
    rest: np.ndarray  # (N, 3, 3) joint to parent: the neutral pose
    rest_weights: np.ndarray  # (N,) 1 / radians^2
    hinges: np.ndarray  # (L,) int: knees and elbows
    hinge_axes: np.ndarray  # (L, 3) unit, in the frame of the joint above; bending is a positive turn about it
    upper_bones: np.ndarray  # (L, 3) unit, in that frame
    lower_bones: np.ndarray  # (L, 3) unit, in the frame of the hinge
    hinge_weight: float  # 1 / radians^2, of an angle beyond straight


class Pull(NamedTuple):
    """What the pose of one frame is near to."""

    root: np.ndarray  # (3,) metres
    local: np.ndarray  # (N, 3, 3)
    root_weight: float  # 1 / metres^2
    weights: np.ndarray  # (N,) 1 / radians^2


class Work(NamedTuple):
    """Memory of one descent."""

    above: np.ndarray  # (N, 3, 3) frames that joints rotate in, to world
    axes: np.ndarray  # (N, 3, 3) joint to world
    centres: np.ndarray  # (N, 3) metres, world
    arms: np.ndarray  # (K, 3) metres, world: markers from the centres of their joints
    misses: np.ndarray  # (K, 3) metres, markers minus their places on the body
    trusts: np.ndarray  # (K,) 1 / metres^2: weights of the misses in the equations
    wanted: np.ndarray  # (N, 3) 1 / radians: pull of rest and course, in the frames that joints rotate in
    angles: np.ndarray  # (L,) radians: knees and elbows
    bends: np.ndarray  # (L, 3) how they change with a turn about the axes of the world
    bones: np.ndarray  # (3, 3) of one of them
    turning: np.ndarray  # (N, 3, 3) of what is asked of each joint by all below: turn with turn
    coupling: np.ndarray  # (N, 3, 3) turn with shift
    shifting: np.ndarray  # (N, 3, 3) shift with shift
    torques: np.ndarray  # (N, 3)
    forces: np.ndarray  # (N, 3)
    asked: np.ndarray  # (N, 3) of each joint's own turn
    scales: np.ndarray  # (N, 3) what damping is measured by
    own: np.ndarray  # (3, 3) of one joint, as all below
    by_turn: np.ndarray  # (3, 3) how its turn follows turns above
    by_shift: np.ndarray  # (3, 3) and shifts
    turned: np.ndarray  # (3, 3) its sums then: turn with turn
    coupled: np.ndarray  # (3, 3) turn with shift
    shifted: np.ndarray  # (3, 3) shift with shift
    pivots: np.ndarray  # (N + 1, 3, 3) inverses: root position, then joints
    step: np.ndarray  # (N + 1, 3) metres; radians about the axes of the world
    turns: np.ndarray  # (N, 3) radians: of joints with all above them
    moves: np.ndarray  # (N, 3) metres: of their centres
    trial_root: np.ndarray  # (3,)
    trial_local: np.ndarray  # (N, 3, 3)
