"""Hub resolution: the match frames of every hub of a request, in the order in which hubs were accepted.

No frames are compared here, so it is fast enough to run again while a threshold is dragged.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.errors import BadInput
from motionloom.features.feet import POINTS
from motionloom.methods.snap.author.compared_view import ComparedView, describe_frame, frame_in_view, frame_of_take
from motionloom.methods.snap.author.foot_levels import check_levels, find_uneven
from motionloom.methods.snap.author.graph_request import GraphRequest, Hub, TakeFrame
from motionloom.methods.snap.author.match_sets import (
    AcceptedSet,
    MatchSet,
    check_set,
    free_frames,
    grow_set,
    motion_range,
    spacing_in_frames,
    suggest_sets,
)

LOWERED = 0.85  # factor by which the threshold of a suggestion is lowered at a time
LEAST_THRESHOLD = 0.4  # of the usual threshold: lower ones are not tried
LITTLE_ROOM = 0.25  # share of all frames: if fewer can be match frames, w_min is too long


@dataclass(frozen=True, eq=False)
class ResolvedHub:
    """The match frames of a hub, or the reason why it has none."""

    name: str
    frames: np.ndarray  # (N,) int, indices over all frames of the view, ascending
    distances: np.ndarray  # (N,) metres from the seed frame; NaN for frames that were added by hand
    seed: int | None = None  # the frame that the set was grown from
    threshold: float | None = None  # metres, of growing
    problem: str = ""  # one sentence; empty if the hub can be built

    @property
    def mean_distance(self) -> float | None:
        """Mean distance of the match frames that were found, metres; None if all were added by hand."""
        known = self.distances[np.isfinite(self.distances)]
        return float(known.mean()) if len(known) else None


@dataclass(frozen=True)
class Trade:
    """What a threshold gives: the number of match frames against how alike they are."""

    threshold: float  # metres
    match_frames: int
    mean_distance: float | None  # metres
    worst_distance: float | None


@dataclass(frozen=True)
class Suggestion:
    """A suggested match set, described for people."""

    seed: TakeFrame
    match_frames: int
    mean_distance: float  # metres from the seed
    worst_distance: float
    takes: dict[str, int]  # number of match frames in each take
    planted: tuple[str, ...]  # points of the feet in contact in most match frames
    frames: tuple[TakeFrame, ...]
    threshold: float  # metres: that of the graph, or lower where only that gives a hub


def spacing_of(request: GraphRequest) -> int:
    """The minimum number of frames between match frames of a request, from its w_min."""
    return spacing_in_frames(request.w_min, request.fps)


def resolve_hubs(compared: ComparedView, request: GraphRequest) -> list[ResolvedHub]:
    """The match frames of every hub of a request; a hub that cannot be built has a problem and no frames."""
    resolved: list[ResolvedHub] = []
    for name, hub in zip(request.hub_names, request.hubs):
        taken = [int(frame) for earlier in resolved if not earlier.problem for frame in earlier.frames]
        resolved.append(_resolve(compared, request, name, hub, taken))
    return resolved


def require_hubs(resolved: Sequence[ResolvedHub]) -> list[AcceptedSet]:
    """The match sets to build.

    Raises:
        BadInput: a hub has a problem, or there are no hubs.
    """
    for hub in resolved:
        if hub.problem:
            raise BadInput(f"{hub.name}: {hub.problem}")
    if not resolved:
        raise BadInput("a graph without hubs has no joins; add a hub, such as {largest: true}")
    return [AcceptedSet(hub.name, hub.frames) for hub in resolved]


def suggest_hubs(
    compared: ComparedView,
    request: GraphRequest,
    *,
    threshold: float | None = None,
    taken: Iterable[int] = (),
    count: int = 5,
) -> list[Suggestion]:
    """Suggest the largest match sets that can be hubs beside accepted ones, best first.

    If a set cannot be a hub with the threshold, because so much matches that frames collide, its own threshold is
    lowered until it can.

    Args:
        compared: the compared view.
        request: of the graph; its w_min and threshold are used.
        threshold: metres; None for that of the request.
        taken: match frames of accepted hubs.
        count: maximum number of suggestions.
    """
    limit = threshold or request.threshold or compared.threshold
    too_much = _too_much(compared, limit)
    if too_much:
        raise BadInput(too_much)
    taken = list(taken)
    found = suggest_sets(
        compared.minima, compared.view.starts, limit, spacing=spacing_of(request), taken=taken, count=count
    )
    hubs = (_lowered_until_usable(compared, request, match_set.seed, limit, taken) for match_set in found)
    suggestions = [describe_hub(compared, hub) for hub in hubs if hub is not None]
    return sorted(suggestions, key=lambda suggestion: (-suggestion.match_frames, suggestion.mean_distance))


def why_nothing(compared: ComparedView, request: GraphRequest, taken: Iterable[int] = ()) -> str:
    """Why no match set is left besides those of accepted hubs, in a sentence."""
    return _too_little(compared, request, None, request.threshold or compared.threshold, list(taken))


def trade_off(
    compared: ComparedView, request: GraphRequest, hub: Hub, thresholds: Sequence[float], taken: Iterable[int] = ()
) -> list[Trade]:
    """How many match frames a hub has at each of several thresholds, and how alike they are."""
    taken = list(taken)
    seed = None if hub.like is None else frame_in_view(compared.view, hub.like)
    trades = []
    for threshold in thresholds:
        grown = _grow(compared, request, seed, min(threshold, compared.most), taken)
        distances = grown.distances if grown is not None else np.zeros(0)
        known = bool(len(distances))
        mean, worst = (float(distances.mean()), float(distances.max())) if known else (None, None)
        trades.append(Trade(float(threshold), len(distances), mean, worst))
    return trades


def describe_hub(compared: ComparedView, hub: ResolvedHub) -> Suggestion:
    """Describe a hub that was grown from a frame: takes, frames as recorded, and planted points of the feet."""
    assert hub.seed is not None and hub.threshold is not None
    view = compared.view
    frames = [frame_of_take(view, frame) for frame in hub.frames]
    names = [frame.take for frame in frames]
    is_planted = 2 * view.source_contacts[hub.frames].sum(axis=0) > len(frames)
    return Suggestion(
        frame_of_take(view, hub.seed),
        len(frames),
        hub.mean_distance or 0.0,
        float(hub.distances.max()),
        {name: names.count(name) for name in dict.fromkeys(names)},
        tuple(point for point, planted in zip(POINTS, is_planted) if planted),
        tuple(frames),
        hub.threshold,
    )


def _lowered_until_usable(
    compared: ComparedView, request: GraphRequest, seed: int, threshold: float, taken: list[int]
) -> ResolvedHub | None:
    """The hub that is like a frame, with the threshold or the highest lower one tried that gives a hub."""
    like = frame_of_take(compared.view, seed)
    while threshold > LEAST_THRESHOLD * compared.usual:
        hub = _resolve(compared, request, "suggested", Hub(like=like, threshold=threshold), taken)
        if not hub.problem:
            return hub
        threshold *= LOWERED
    return None


def _resolve(compared: ComparedView, request: GraphRequest, name: str, hub: Hub, taken: list[int]) -> ResolvedHub:
    view, spacing = compared.view, spacing_of(request)
    threshold = (hub.threshold or request.threshold or compared.threshold) if hub.is_grown else None
    seed: int | None = None
    distances: dict[int, float] = {}
    try:
        by_hand = [frame_in_view(view, frame) for frame in (*hub.frames, *hub.add)]
        dropped = {frame_in_view(view, frame) for frame in hub.drop}
        if hub.is_grown:
            assert threshold is not None
            seed = None if hub.like is None else frame_in_view(view, hub.like)
            grown = _checked_growth(compared, request, hub, seed, threshold, taken)
            beside = free_frames(view.starts, spacing, by_hand)[grown.frames] | np.isin(grown.frames, by_hand)
            seed, distances = grown.seed, dict(zip(grown.frames[beside].tolist(), grown.distances[beside].tolist()))
        frames = sorted({*distances, *by_hand} - dropped)
        if compared.levels is not None:
            uneven = find_uneven(compared.levels, frames)
            frames = [frame for frame, points in zip(frames, uneven) if frame in by_hand or not points.any()]
            check_levels(compared.levels, frames, lambda frame: describe_frame(view, frame))
        measured = np.array([distances.get(frame, np.nan) for frame in frames])
        check_set(frames, view.starts, spacing=spacing, taken=taken, name=lambda frame: describe_frame(view, frame))
    except BadInput as error:
        return ResolvedHub(name, np.zeros(0, np.int64), np.zeros(0), seed, threshold, str(error))
    return ResolvedHub(name, np.array(frames, np.int64), measured, seed, threshold)


def _checked_growth(
    compared: ComparedView, request: GraphRequest, hub: Hub, seed: int | None, threshold: float, taken: list[int]
) -> MatchSet:
    """The match set of a threshold; raises `BadInput` if it matches nearly all frames, or none."""
    too_much = _too_much(compared, threshold)
    if too_much:
        raise BadInput(too_much)
    grown = _grow(compared, request, seed, threshold, taken)
    if grown is None or (len(grown.frames) < 2 and not hub.add):
        raise BadInput(_too_little(compared, request, seed, threshold, taken))
    return grown


def _grow(
    compared: ComparedView, request: GraphRequest, seed: int | None, threshold: float, taken: list[int]
) -> MatchSet | None:
    view, spacing = compared.view, spacing_of(request)
    if seed is not None:
        return grow_set(compared.minima, view.starts, seed, threshold, spacing=spacing, taken=taken)
    found = suggest_sets(compared.minima, view.starts, threshold, spacing=spacing, taken=taken)
    return found[0] if found else None


def _too_much(compared: ComparedView, threshold: float) -> str:
    if threshold <= compared.most:
        return ""
    return (
        f"a threshold of {threshold:.3g} m matches too much: {100 * compared.share_below(threshold):.0f} % of all "
        f"pairs of frames are nearer than that; give at most {compared.most:.3g}, or about {compared.threshold:.2g}"
    )


def _too_little(
    compared: ComparedView, request: GraphRequest, seed: int | None, threshold: float, taken: list[int]
) -> str:
    """Why there is no match set: the takes are too short for w_min, or no frames are alike enough."""
    view, spacing = compared.view, spacing_of(request)
    longest = int(np.diff(view.starts).max())
    if longest <= 2 * spacing:
        return (
            f"every clip would be shorter than its displacement map: the longest take has {longest / view.fps:.2f} s, "
            f"and w_min requires {request.w_min:g} s on both sides of a match frame; lower w_min"
        )
    advice = f"raise the threshold; {compared.threshold:.2g} m is usual here"
    left = float(free_frames(view.starts, spacing, taken).mean())
    if left < LITTLE_ROOM:
        advice = f"lower w_min: {request.w_min:g} s leaves {100 * left:.0f} % of the frames for match frames"
    if seed is None:
        return f"a threshold of {threshold:.3g} m matches nothing: no two frames that are left are so near; {advice}"
    frames, distances = compared.minima.of(seed)
    start, stop = motion_range(view.starts, seed)
    is_elsewhere = (frames < max(start, seed - spacing)) | (frames >= min(stop, seed + spacing))
    nearest = distances[is_elsewhere][:1]
    far = f"the nearest is {nearest[0]:.3g} m away" if len(nearest) else f"none is within {compared.most:.3g} m"
    return f"a threshold of {threshold:.3g} m matches nothing to {describe_frame(view, seed)}: {far}; {advice}"
