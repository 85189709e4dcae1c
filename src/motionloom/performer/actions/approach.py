"""Walking up to a point and stopping in front of it."""

import numpy as np

from motionloom.motion.angles import wrap_angle
from motionloom.motion.placement import heading_of
from motionloom.performer.actions import turn, walk
from motionloom.performer.gait.footsteps import lay_path
from motionloom.performer.scores.score import Cue
from motionloom.performer.stage import Stage


def perform(
    stage: Stage, cue: Cue, point: tuple[float, float] = (0.0, 2.0), short: float = 0.42, style: str = "normal"
) -> None:
    """Turn towards a point on the ground, if need be, and walk to it; be there at the end of the cue.

    Args:
        stage: where to write.
        cue: when.
        point: metres x, z, world.
        short: metres before the point at which to stop.
        style: normal, sneak or lame.
    """
    path = lay_path(stage)
    now = path.frame(cue.start + 0.5)
    way = np.array(point, float) - path.ground[now]
    angle = wrap_angle(float(heading_of(way) - path.headings[now]))
    turning = min(max(abs(angle) / 1.7, 0.5), 0.45 * cue.seconds) if abs(angle) > 0.02 else 0.0
    start = cue.start
    if turning:
        turn.perform(stage, Cue("turn", start, start + turning), angle=angle)
        start += turning
    rest = Cue("walk", start, cue.stop)
    distance = max(float(np.linalg.norm(way)) - short, 0.1)
    walk.perform(stage, rest, speed=distance / rest.seconds, style=style, ease=0.8, exactly=True)
