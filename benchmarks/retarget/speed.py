"""How fast motions are retargeted, on one thread."""

import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.measure import figure
from benchmarks.retarget.recordings import Recorded, read_recordings, targets
from motionloom.retarget import RetargetSettings, plan_retarget, retarget_motion

TAKE, TARGET = "martial_arts/144_20", "a_pose"
BARE = RetargetSettings(plant=False, keep_touches=False)
LOOSE = RetargetSettings(plant=False)


def figures(data: Path) -> list[dict]:
    """Frames per second of processor time without planting, and how much faster than they play with it."""
    take = next(take for take in read_recordings(data) if take.name == TAKE)
    whole = _frames_per_second(data, take, RetargetSettings())
    return [
        figure("speed without planting", _frames_per_second(data, take, BARE), "frames/s", "higher"),
        figure("speed without planting, touches kept", _frames_per_second(data, take, LOOSE), "frames/s", "higher"),
        figure("speed with planting, in times of playing", whole / take.motion.fps, "x", "higher"),
    ]


def _frames_per_second(data: Path, take: Recorded, settings: RetargetSettings) -> float:
    skeleton = targets(data, take)[TARGET]
    plan = plan_retarget(take.motion.skeleton, skeleton)

    def run() -> None:
        retarget_motion(
            take.motion,
            skeleton,
            floor_height=take.floor,
            contacts=take.contacts,
            footing=take.footing,
            settings=settings,
            plan=plan,
        )

    run()
    return take.motion.n_frames / _processor_seconds(run)


def _processor_seconds(run: Callable[[], None], times: int = 5) -> float:
    """Seconds of processor time of the fastest of several runs, all threads together."""
    seconds = []
    for _ in range(times):
        start = time.process_time()
        run()
        seconds.append(time.process_time() - start)
    return min(seconds)
