"""Retargeting with a prior: the kit's own motion, its feet brought to their scaled places (section 5.3, equation 16).

What is minimized is minus the logarithm of the prior, the distance of poses from those of the source as the kit carries
them over, that of the root from where the kit has it (equation 16), that of the feet from their places, and that of
heels and balls from the heights that the kit gives them. Then legs reach these places exactly, hands touch what they
touched and jolts are calmed, as the kit does it. Where the outcome is worse than the kit's own by a yardstick, the
prior counts less; where that does not help, the kit's own is kept.
"""

from dataclasses import dataclass

import numpy as np

from motionloom.methods.dynamics.prior.dynamic_prior import DynamicPrior
from motionloom.methods.dynamics.retargeting.comparison import Yardstick
from motionloom.methods.dynamics.retargeting.retarget_task import DEFAULT, PriorSettings, RetargetTask
from motionloom.motion import Motion
from motionloom.retarget import Retargeted, RetargetSettings
from motionloom.tasks import Progress, Stop, check_stop


@dataclass(frozen=True, eq=False)
class PriorRetargeted:
    """A retargeted motion, and how it compares with the kit's own."""

    motion: Motion
    yardsticks: tuple[Yardstick, ...]  # of the last try
    weight: float  # of the prior; 0 where the kit's own was kept
    unlikeliness: tuple[float, float]  # minus the logarithm of the prior per frame of the model: the kit's, and its own
    iterations: int

    @property
    def is_kept(self) -> bool:
        """Whether the kit's own motion was kept."""
        return self.weight == 0.0

    def sentences(self) -> tuple[str, ...]:
        """What users should know, one sentence each."""
        if self.is_kept:
            worse = "; ".join(each.describe() for each in self.yardsticks if each.is_worse)
            return (f"the prior made it worse, so the motion without it is kept: {worse}",)
        return tuple(each.describe() for each in self.yardsticks)

    def to_data(self) -> dict[str, object]:
        """As plain data, for JSON."""
        return {
            "kept": self.is_kept,
            "weight": self.weight,
            "iterations": self.iterations,
            "unlikeliness": {"kit": self.unlikeliness[0], "prior": self.unlikeliness[1]},
            "yardsticks": [each.to_data() for each in self.yardsticks],
        }


def retarget_with_prior(
    source: Motion,
    kit: Retargeted,
    prior: DynamicPrior,
    *,
    contacts: np.ndarray,
    retargeting: RetargetSettings | None = None,
    settings: PriorSettings = DEFAULT,
    stop: Stop | None = None,
    progress: Progress | None = None,
) -> PriorRetargeted:
    """Bring the feet of a retargeted motion to their scaled places, as likely as possible by a prior.

    Args:
        source: F frames.
        kit: the same frames as the kit retargets them, with planted feet.
        prior: of the target's skeleton, at a rate that the motion's is a multiple of.
        contacts: (F, 4) bool: heels and balls of the source that rest.
        retargeting: what the kit was told to keep.
        settings: how far the motion may go.
        stop: asked now and then; if it answers True, `Stopped` is raised.
        progress: called as progress(iterations, most).
    """
    task = RetargetTask.of(source, kit, prior, contacts, retargeting or RetargetSettings(), settings)
    tried: tuple[Yardstick, ...] = ()
    for weight in settings.weights:
        knots, iterations = task.solve(weight, stop, progress)
        motion = task.finish(task.motion(knots))
        check_stop(stop)
        tried = task.compare(motion)
        if not any(each.is_worse for each in tried):
            unlikely = task.unlikeliness(kit.motion), task.unlikeliness(motion)
            return PriorRetargeted(motion, tried, weight, unlikely, iterations)
    own = task.unlikeliness(kit.motion)
    return PriorRetargeted(kit.motion, tried, 0.0, (own, own), 0)
