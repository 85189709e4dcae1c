"""Whether a take was recorded at the rate it states."""

from motionloom.formats.options import ReadOptions
from motionloom.formats.take import Finding
from motionloom.motion import Motion


def check(motion: Motion, options: ReadOptions, stated_fps: float) -> tuple[Finding, ...]:
    """Tell where a rate was given instead of the stated one."""
    if options.fps is not None:
        return (Finding("rate", f"{motion.fps:g} frames per second, as given; the file says {stated_fps:g}"),)
    return ()
