"""Turn demands: joints turned some way in the world, and knees and elbows bent so far."""

from dataclasses import replace

import numpy as np

from motionloom.constraints import OrientationTarget
from motionloom.errors import BadInput
from motionloom.methods.dynamics.demands.body_setting import BodySetting
from motionloom.methods.dynamics.demands.demand import (
    DEGREES,
    HARD_DEGREES,
    HARD_SHARE,
    POSE_WITHIN,
    SOFT_DEGREES,
    TURN_WITHIN,
    BendTarget,
    Demand,
    Finished,
    tolerance_of,
)
from motionloom.methods.dynamics.demands.point_demands import apart_demand
from motionloom.methods.dynamics.request import Angle, Orientation
from motionloom.methods.dynamics.terms.point_terms import OrientationTerm
from motionloom.methods.dynamics.trajectory.posed import Spot
from motionloom.motion import hinges, kinematics, rotations


def read_orientations(setting: BodySetting) -> list[Demand]:
    """Joints of a request that are turned some way in the world."""
    asked = setting.request.orientations
    return [_orientation(setting, each, f"orientation {n + 1}, {each.joint}") for n, each in enumerate(asked)]


def read_bends(setting: BodySetting) -> list[Demand]:
    """Knees and elbows of a request that are bent so far."""
    asked = enumerate(setting.request.angles)
    return [_bend(setting, each, f"bend {n + 1}, {each.joint}") for n, each in asked if each.bend is not None]


def _orientation(setting: BodySetting, asked: Orientation, usual_name: str) -> Demand:
    what = asked.name or usual_name
    frames, _ = setting.frames(asked, what)
    joint = setting.joint(asked.joint, what)
    if asked.like is not None:
        turned = kinematics.world(setting.pose_of(asked.like, what))[1][0, joint]
    else:
        turned = rotations.from_euler(np.radians(np.array(asked.turns)), "ZYX")
    wanted = np.tile(turned, (len(frames), 1))
    within = asked.within or TURN_WITHIN
    deviation = np.radians(within) * (HARD_SHARE if asked.hard else 1.0)
    pulled, spot = setting.pulled(frames), Spot(joint, is_position=False)
    name = setting.model.skeleton.names[joint]
    return Demand(
        what,
        frames,
        pulled,
        lambda rows: OrientationTerm(rows, spot, wanted[: len(rows)], float(deviation)),
        lambda finished: np.degrees(rotations.angle_between(finished.turned[frames, joint], wanted)),
        DEGREES,
        tolerance_of(asked.hard, within, HARD_DEGREES, SOFT_DEGREES),
        asked.hard,
        lambda finished: (OrientationTarget(name, frames, wanted),),
        frozenset({joint}),
        spot,
        wanted,
    )


def _bend(setting: BodySetting, asked: Angle, usual_name: str) -> Demand:
    """A knee or an elbow bent so far: its hip or shoulder and its ankle or wrist are so far apart."""
    what = asked.name or usual_name
    frames, _ = setting.frames(asked, what)
    joint, skeleton = setting.joint(asked.joint, what), setting.model.skeleton
    limbs = [limb for limb in hinges.hinged_limbs(skeleton) if hinges.limb_joints(skeleton, limb)[1] == joint]
    if not limbs:
        raise BadInput(f"{what}: '{asked.joint}' is neither a knee nor an elbow; give `turns` against its parent")
    upper, _, end = hinges.limb_joints(skeleton, limbs[0])
    a, b = hinges.rest_lengths(skeleton, limbs[0])
    bend, within = np.radians(asked.bend or 0.0), np.radians(asked.within or POSE_WITHIN)
    apart = np.full(len(frames), np.sqrt(a * a + b * b + 2 * a * b * np.cos(bend)))
    near = np.clip(bend, *np.radians([5.0, 175.0]))  # straight or folded, distances hardly change with the bend
    slope = a * b * np.sin(near) / np.sqrt(a * a + b * b + 2 * a * b * np.cos(near))  # metres per radian
    demand = apart_demand(setting, what, frames, (Spot(end), Spot(upper)), apart, float(within * slope), asked.hard)

    def measure(finished: Finished) -> np.ndarray:
        upper_bone = finished.positions[frames, joint] - finished.positions[frames, upper]
        lower_bone = finished.positions[frames, end] - finished.positions[frames, joint]
        cosine = (upper_bone * lower_bone).sum(1) / (
            np.linalg.norm(upper_bone, axis=1) * np.linalg.norm(lower_bone, axis=1)
        )
        return np.degrees(np.abs(np.arccos(np.clip(cosine, -1, 1)) - bend))

    tolerance = tolerance_of(asked.hard, float(np.degrees(within)), HARD_DEGREES, SOFT_DEGREES)
    return replace(
        demand,
        measure=measure,
        unit=DEGREES,
        tolerance=tolerance,
        aim=lambda finished: (BendTarget(limbs[0], frames, float(bend)),),
        about=("bend", joint),
        fixed=np.full((len(frames), 1), np.degrees(bend)),
        spots=(),
    )
