"""Pace: playing a stretch a little faster or slower, so that it ends when it should."""

import numpy as np

MOST = 0.15  # share by which time is warped at most, anywhere
ALWAYS = 0.08  # share by which a time may be longer or shorter than any stretch that is made to last so long
RAMP = 12  # frames over which the pace changes
LEAST = 8  # frames of a stretch that is warped


def paced_times(n_recorded: int, n_played: int) -> np.ndarray:
    """(n_played,) frames of a stretch to show: the last one last, at its own pace at both ends.

    Args:
        n_recorded: frames of the stretch.
        n_played: frames that it shall last.
    """
    if n_recorded == n_played:
        return np.arange(n_played, dtype=float)
    weights = _bump(n_played)
    steps = 1.0 + (n_recorded - n_played) * weights / weights.sum()
    times = np.cumsum(steps) - 1.0
    times[-1] = n_recorded - 1
    return np.clip(times, 0.0, n_recorded - 1)


def fewest_and_most(n_recorded: int) -> tuple[int, int]:
    """Frames that a stretch can last at least and at most without time being warped too much anywhere."""
    if n_recorded < LEAST:
        return n_recorded, n_recorded
    found = []
    for sign in (-1, 1):
        n_played = n_recorded
        while _is_allowed(n_recorded, n_played + sign):
            n_played += sign
        found.append(n_played)
    return found[0], found[1]


def _is_allowed(n_recorded: int, n_played: int) -> bool:
    weights = _bump(n_played)
    step = 1.0 + (n_recorded - n_played) * weights.max() / weights.sum()
    return bool(1 / (1 + MOST) <= step <= 1 + MOST)


def _bump(n_frames: int) -> np.ndarray:
    """(n_frames,) how much each frame is warped: 0 at both ends, 1 in the middle, with ramps between."""
    ramp = max(min(RAMP, n_frames // 3), 1)
    away = np.minimum(np.arange(n_frames) + 0.5, n_frames - np.arange(n_frames) - 0.5) / ramp
    return np.sin(np.pi / 2 * np.minimum(away, 1.0)) ** 2
