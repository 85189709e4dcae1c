"""Contradictions: two demands that must hold exactly, in one frame, and cannot both."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from motionloom.errors import BadInput
from motionloom.methods.dynamics.demands.demand import HARD_DEGREES, HARD_METRES, Demand, PoseKey
from motionloom.methods.dynamics.demands.setting import Setting
from motionloom.motion import rotations


def check_contradictions(demands: Sequence[Demand], keys: Sequence[PoseKey], setting: Setting) -> None:
    """Raise if a point must be at two places at once, or a joint turned in two ways; the pair is named."""
    fixed = [demand for demand in demands if demand.is_hard and demand.fixed is not None]
    for one, other in combinations(fixed, 2):
        if one.joints != other.joints or one.fixed is None or other.fixed is None:
            continue
        shared, own, its = np.intersect1d(one.frames, other.frames, return_indices=True)
        apart = np.linalg.norm(np.nan_to_num(one.fixed[own] - other.fixed[its]), axis=-1)
        if len(shared) and apart.max() > 2 * HARD_METRES:
            worst = int(apart.argmax())
            raise BadInput(
                f"'{one.name}' and '{other.name}' contradict each other: both must hold at "
                f"{shared[worst] / setting.fps:.2f} s, {100 * apart[worst]:.1f} cm apart; let one of them be not "
                "`hard`, or at another time"
            )
    hard = [key for key in keys if key.is_hard]
    for first, second in combinations(hard, 2):
        if first.frame == second.frame:
            _check_keys(first, second, setting)


def _check_keys(one: PoseKey, other: PoseKey, setting: Setting) -> None:
    every = range(setting.model.skeleton.n_joints)
    first, second = (set(every if key.joints is None else key.joints) for key in (one, other))
    joints = sorted(first & second)
    if not joints:
        return
    angles = np.degrees(
        rotations.angle_between(one.pose.local_rotations[0, joints], other.pose.local_rotations[0, joints])
    )
    places = np.nan_to_num(one.place - other.place)
    if angles.max() > 2 * HARD_DEGREES or np.linalg.norm(places[:2]) > 2 * HARD_METRES:
        where = setting.model.skeleton.names[joints[int(angles.argmax())]]
        raise BadInput(
            f"'{one.name}' and '{other.name}' contradict each other: both must hold at {one.frame / setting.fps:.2f} "
            f"s, and {where} is turned {angles.max():.1f} degrees apart; let one of them be not `hard`, or at another "
            "time"
        )
