"""Retargeting: any motion onto any skeleton that has the needed roles."""

from motionloom.retarget.joint_map import RetargetMap, plan_retarget
from motionloom.retarget.needed_roles import check_retargetable
from motionloom.retarget.neutral_pose import learn_bends
from motionloom.retarget.report import RetargetReport
from motionloom.retarget.retargeted_motion import Retargeted, retarget_motion
from motionloom.retarget.settings import RetargetSettings
from motionloom.retarget.sizes import common_scale, size_ratio

__all__ = [
    "RetargetMap",
    "RetargetReport",
    "RetargetSettings",
    "Retargeted",
    "check_retargetable",
    "common_scale",
    "learn_bends",
    "plan_retarget",
    "retarget_motion",
    "size_ratio",
]
