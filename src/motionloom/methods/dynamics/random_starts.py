"""Random starts: the same problem solved from elsewhere, to see whether it ends in the same motion (figure 4)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from motionloom.methods.dynamics.closing.closed import positions_of
from motionloom.methods.dynamics.optimized_motion import Optimization
from motionloom.methods.dynamics.trajectory.gauss_newton import Descent, descend
from motionloom.motion import Motion, PointMotion

ELSEWHERE = 0.01  # metres by which a joint has to be elsewhere in a frame that differs; of points, of their extent


@dataclass(frozen=True, eq=False)
class RandomStart:
    """Where a descent from random coordinates came to."""

    descent: Descent
    course: tuple[float, ...]  # the objective after 0, 1, 2, ... iterations


def descend_from_random(
    optimization: Optimization,
    count: int,
    *,
    seed: int,
    most: int,
    settled: float,
    stop: Callable[[], bool] | None = None,
) -> Iterator[RandomStart]:
    """Solve a problem from coordinates that are drawn evenly from 0 to 1, as in the paper; places start as usual.

    Args:
        optimization: the problem.
        count: of starts.
        seed: of all of them.
        most: iterations.
        settled: relative decrease of the objective at which a descent ends.
        stop: asked after every iteration; the starts that are not done are left out.
    """
    for number in range(count):
        knots = optimization.start.copy()
        size = optimization.problem.prior.size
        knots[:, :size] = np.random.default_rng((seed, number)).random((len(knots), size))
        course: list[float] = []
        for descent in descend(optimization.problem, knots, most=most, settled=settled):
            course.append(descent.objective)
            if stop is not None and stop():
                return
        yield RandomStart(descent, tuple(course))


def share_elsewhere(one: Motion | PointMotion, other: Motion | PointMotion) -> float:
    """The share of frames in which some joint, or point, is elsewhere in one motion than in the other."""
    mine, its = positions_of(one), positions_of(other)
    extent = float(np.ptp(mine[0], axis=0).max()) if isinstance(one, PointMotion) else 1.0
    elsewhere = ELSEWHERE * min(extent, 1.0)
    return float((np.linalg.norm(mine - its, axis=-1).max(axis=1) > elsewhere).mean())
