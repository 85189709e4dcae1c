"""Last pass: what must hold is made to hold, of bodies and of points."""

from motionloom.methods.dynamics.closing.closed import Closed
from motionloom.methods.dynamics.closing.exact_bodies import close_body
from motionloom.methods.dynamics.closing.exact_points import close_points
from motionloom.methods.dynamics.demands.body_setting import BodySetting
from motionloom.methods.dynamics.demands.point_setting import PointSetting
from motionloom.methods.dynamics.demands.read_demands import BodyDemands, Demands
from motionloom.methods.dynamics.demands.setting import Setting
from motionloom.motion import Motion, PointMotion
from motionloom.tasks import Stop


def close(
    setting: Setting,
    demands: Demands,
    motion: Motion | PointMotion,
    *,
    quick: bool = False,
    stop: Stop | None = None,
) -> Closed:
    """Meet what is hard, and plant the feet of a body.

    Args:
        setting: of the request.
        demands: of the request.
        motion: that was optimized.
        quick: do what takes long later, while something is dragged.
        stop: asked between steps.
    """
    if isinstance(setting, PointSetting):
        assert isinstance(motion, PointMotion)
        return close_points(setting, demands, motion, quick=quick, stop=stop)
    assert isinstance(setting, BodySetting) and isinstance(demands, BodyDemands) and isinstance(motion, Motion)
    return close_body(setting, demands, motion, quick=quick, stop=stop)
