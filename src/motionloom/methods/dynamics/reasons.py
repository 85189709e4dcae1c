"""Reasons: why a demand is not met, and what to do."""

from collections.abc import Sequence

import numpy as np

from motionloom.methods.dynamics.demands.demand import DEGREES, METRES, Demand, Finished
from motionloom.methods.dynamics.demands.held_reach import TOO_FAR
from motionloom.methods.dynamics.demands.held_rest import limb_of
from motionloom.methods.dynamics.demands.reach import is_fixed_to_root
from motionloom.motion import PointMotion

SOFT = "the prior and other demands pull away from it; give it a smaller `within`, or make it `hard`"
STANDS = "what is asked of the body{} does not let it rest here; ask for less, or let it rest at another time"
NEAR = 30  # frames: what is asked so near to a frame may contradict it


def explain(demand: Demand, misses: np.ndarray, demands: Sequence[Demand], finished: Finished) -> str:
    """Why a demand is not met in its worst frame.

    Args:
        demand: that is missed.
        misses: (n,) of its frames, in its unit.
        demands: all that are asked.
        finished: the motion.
    """
    worst = int(np.argmax(misses))
    frame = int(demand.frames[worst])
    if demand.is_rest:
        return f"{_away(demand, misses, finished)}: {_rival(demand, frame, demands) or _disturbed(frame, demands)}"
    if not demand.is_hard:
        reason = demand.out_of_reach or (TOO_FAR if _is_too_far(demand, worst, finished) else SOFT)
        return f"{_away(demand, misses, finished)}: {reason}"
    if demand.out_of_reach:
        return demand.out_of_reach
    if _is_too_far(demand, worst, finished):
        return TOO_FAR
    who = "the points cannot do it" if isinstance(finished.frames, PointMotion) else "the body cannot do it"
    cannot = f"{who} in this frame; ask for less, or for something else"
    return _rival(demand, frame, demands) or cannot


def _away(demand: Demand, misses: np.ndarray, finished: Finished) -> str:
    """What is how far away from what is asked of it, and when."""
    worst = int(np.argmax(misses))
    frame, names = int(demand.frames[worst]), _names_of(finished)
    joints = [names[joint] for joint in sorted(demand.joints)]
    what = " and ".join(joints) if len(joints) < 3 else "the pose"
    size = f"{misses[worst]:.2g} {demand.unit}"
    if demand.unit == METRES:
        size = f"{misses[worst]:.2f} m" if misses[worst] >= 0.1 else f"{1000 * misses[worst]:.1f} mm"
    elif demand.unit == DEGREES:
        size = f"{misses[worst]:.1f} degrees"
    how = f"moves {size} in a frame" if demand.is_rest else f"off by {size}"
    return f"{what} {how} at {frame / finished.frames.fps:.2f} s, frame {frame}"


def _names_of(finished: Finished) -> list[str]:
    """Of joints, by their roles where they have one; or of points."""
    if isinstance(finished.frames, PointMotion):
        return list(finished.frames.names)
    skeleton = finished.motion.skeleton
    roles = {name: role for role, name in skeleton.roles.items()}
    return [roles.get(name, name) for name in skeleton.names]


def _is_too_far(demand: Demand, row: int, finished: Finished) -> bool:
    """Whether a place is farther from where the limb of a point begins than the limb is long."""
    if isinstance(finished.frames, PointMotion):
        return False
    skeleton = finished.motion.skeleton
    if len(demand.spots) != 1 or demand.fixed is None or demand.fixed.shape[1:] != (3,) or demand.unit != METRES:
        return False
    (spot,), wanted = demand.spots, demand.fixed[row]
    if is_fixed_to_root(skeleton, spot) or not np.isfinite(wanted).all():
        return False
    limb = limb_of(skeleton, spot.joint)
    length = np.linalg.norm(skeleton.offsets[limb[1:]], axis=1).sum() + np.linalg.norm(spot.offset)
    top = finished.positions[demand.frames[row], limb[0]]
    return bool(np.linalg.norm(wanted - top) > length)


def _disturbed(frame: int, demands: Sequence[Demand]) -> str:
    """That a point does not rest because of what is asked of the body nearest to a frame."""
    pulling = [demand for demand in demands if len(demand.pulled)]
    nearest = [int(np.abs(demand.frames - frame).min()) for demand in pulling]
    name = f" by '{pulling[int(np.argmin(nearest))].name}'" if pulling and min(nearest) <= NEAR else ""
    return STANDS.format(name)


def _rival(demand: Demand, frame: int, demands: Sequence[Demand]) -> str:
    """The demand that contradicts one in a frame, of those that must hold; none where none is near."""
    others = [other for other in demands if other is not demand and (other.is_hard or not demand.is_rest)]
    others = [other for other in others if not (other.is_rest and other.spots == demand.spots)]  # of the same contact
    others = [other for other in others if other.is_hard or other.is_rest]
    nearest = [int(np.abs(other.frames - frame).min()) for other in others]
    if not others or min(nearest) > NEAR:
        return ""
    rival = others[int(np.argmin([near + (not other.is_hard) for near, other in zip(nearest, others)]))]
    name = rival.name.split(": moves")[0]
    return f"it contradicts '{name}', which holds at the same time; ask for one of them alone, or let one be not `hard`"
