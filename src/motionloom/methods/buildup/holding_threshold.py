"""The holding threshold: the least distance of transitions with which takes that fall apart hold together."""

from dataclasses import replace

import numpy as np

from motionloom.conform import View
from motionloom.errors import Unsatisfiable
from motionloom.graphs import GraphSettings, Matches, connect, find_matches, measure_view, prune
from motionloom.graphs.transition_graph_builder import find_threshold

LOOSEST = 4.0  # times the usual threshold, or the given one if that is larger: beyond it nobody would call poses alike
MOST = 0.5  # share of what holds together with the loosest that has to hold together


def find_holding_threshold(view: View, settings: GraphSettings) -> float | None:
    """The least threshold with which most of what can be connected is; None if nothing can be.

    Pairs of frames are looked for once, up to the loosest threshold; stricter ones keep some of them.

    Args:
        view: of takes that cannot be connected.
        settings: with which they cannot.
    """
    usual = find_threshold(view, replace(settings, threshold=None))
    loosest = LOOSEST * max(usual, find_threshold(view, settings))
    matches = find_matches(view, measure_view(view, settings.measure), loosest, settings)
    distances = np.unique(matches.distances)
    enough = MOST * _seconds_held(view, matches, loosest)
    if enough == 0:
        return None
    low, high = 0, len(distances) - 1  # the last is enough
    while low < high:
        middle = (low + high) // 2
        is_enough = _seconds_held(view, matches, float(distances[middle])) >= enough
        low, high = (low, middle) if is_enough else (middle + 1, high)
    return _rounded_up(float(distances[low]))


def _seconds_held(view: View, matches: Matches, threshold: float) -> float:
    """Seconds of the recordings that hold together with the matches up to a distance."""
    near = matches.distances <= threshold
    kept = Matches(*(getattr(matches, name)[near] for name in ("first", "second", "distances", "headings", "slides")))
    try:
        return prune(connect(kept, view.starts, view.names, view.fps, "", threshold)).report.kept_seconds
    except Unsatisfiable:
        return 0.0


def _rounded_up(value: float) -> float:
    """To three digits, not less than it."""
    step = 10.0 ** (np.floor(np.log10(max(value, 1e-12))) - 2)
    return float(f"{(np.floor(value / step) + 1) * step:.3g}")
