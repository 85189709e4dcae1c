"""`motionloom warmup`: compile the loops now, so that the first real command does not have to."""

import time

from motionloom.cli.console import progress_bar, say


def warmup() -> None:
    """Compile the fast loops once, so that later commands start at once."""
    start = time.perf_counter()
    with progress_bar("compiling") as progress:
        for done, step in enumerate(STEPS):
            step()
            progress(done + 1, len(STEPS))
    say(f"ready after {time.perf_counter() - start:.1f} s")


def _kinematics() -> None:
    import numpy as np

    from motionloom.motion import Skeleton, kinematics, rotations

    skeleton = Skeleton(("root", "tip"), np.array([-1, 0]), np.zeros((2, 3)))
    for dtype in (np.float32, np.float64):
        kinematics.forward(skeleton, np.zeros((2, 3), dtype), rotations.identity((2, 2)).astype(dtype))


STEPS = (_kinematics,)
