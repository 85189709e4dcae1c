"""What the compiled solver is given: joints as a tree of rotating frames, and what a pose is near to."""

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
