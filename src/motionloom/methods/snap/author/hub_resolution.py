"""The match sets of a request: every hub resolved in the order in which it was accepted.

Nothing is compared here, so all of it can be asked again while a threshold is dragged.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.errors import BadInput
from motionloom.features.feet import POINTS
from motionloom.methods.snap.author.compared_view import ComparedView, frame_in_view, frame_of_take, say_frame
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

LITTLE_ROOM = 0.25  # of all frames: where fewer can be match frames, w_min is too long


@dataclass(frozen=True, eq=False)
class ResolvedHub:
    """The match frames of one hub, or the sentence that says why there are none."""

    name: str
    frames: np.ndarray  # (N,) int, over all frames of the view, ascending
    distances: np.ndarray  # (N,) metres from the frame that the set was grown from; NaN for frames by hand
    seed: int | None = None  # the frame that it was grown from
    threshold: float | None = None  # metres, that it was grown with
    problem: str = ""

    @property
    def mean_distance(self) -> float | None:
        """Metres, over the match frames that were found; None where all are by hand."""
        known = self.distances[np.isfinite(self.distances)]
        return float(known.mean()) if len(known) else None


@dataclass(frozen=True)
class Trade:
    """What a threshold gives: more match frames, or better ones."""

    threshold: float  # metres
    match_frames: int
    mean_distance: float | None  # metres
    worst_distance: float | None


@dataclass(frozen=True)
class Suggestion:
    """A match set that the system found, in words."""

    seed: TakeFrame
    match_frames: int
    mean_distance: float  # metres from the seed
    worst_distance: float
    takes: dict[str, int]  # match frames in each
    planted: tuple[str, ...]  # points of the feet that stand in most match frames
    frames: tuple[TakeFrame, ...]


def spacing_of(request: GraphRequest) -> int:
    """w_min of a request, in frames."""
    return spacing_in_frames(request.w_min, request.fps)


def resolve_hubs(compared: ComparedView, request: GraphRequest) -> list[ResolvedHub]:
    """The match frames of every hub of a request; what cannot be a hub says why, and takes no frames."""
    resolved: list[ResolvedHub] = []
    for name, hub in zip(request.hub_names, request.hubs):
        taken = [int(frame) for one in resolved if not one.problem for frame in one.frames]
        resolved.append(_resolve(compared, request, name, hub, taken))
    return resolved


def require_hubs(resolved: Sequence[ResolvedHub]) -> list[AcceptedSet]:
    """Match sets that can be built; refuses, in one sentence, if any cannot."""
    for one in resolved:
        if one.problem:
            raise BadInput(f"{one.name}: {one.problem}")
    if not resolved:
        raise BadInput("a graph without hubs has nothing to join; add one, such as {largest: true}")
    return [AcceptedSet(one.name, one.frames) for one in resolved]


def suggest_hubs(
    compared: ComparedView,
    request: GraphRequest,
    *,
    threshold: float | None = None,
    taken: Iterable[int] = (),
    count: int = 5,
) -> list[Suggestion]:
    """The largest match sets beside the frames that are taken, best first.

    Args:
        compared: the view.
        request: w_min and the threshold are as it says.
        threshold: metres; None for that of the request.
        taken: match frames of accepted hubs.
        count: how many at most.
    """
    limit = threshold or request.threshold or compared.threshold
    too_much = _too_much(compared, limit)
    if too_much:
        raise BadInput(too_much)
    found = suggest_sets(
        compared.minima, compared.view.starts, limit, spacing=spacing_of(request), taken=taken, count=count
    )
    return [describe_set(compared, one) for one in found]


def why_nothing(compared: ComparedView, request: GraphRequest, taken: Iterable[int] = ()) -> str:
    """A sentence for when there is no match set beside the frames that are taken."""
    return _too_little(compared, request, None, request.threshold or compared.threshold, list(taken))


def trade_off(
    compared: ComparedView, request: GraphRequest, hub: Hub, thresholds: Sequence[float], taken: Iterable[int] = ()
) -> list[Trade]:
    """How many match frames a hub would have at each of some thresholds, and how alike they would be."""
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


def describe_set(compared: ComparedView, found: MatchSet) -> Suggestion:
    """A match set in words: takes, frames as recorded, and what stands on the floor."""
    view = compared.view
    frames = [frame_of_take(view, frame) for frame in found.frames]
    names = [one.take for one in frames]
    stands = 2 * view.source_contacts[found.frames].sum(axis=0) > len(frames)
    return Suggestion(
        frame_of_take(view, found.seed),
        len(frames),
        found.mean_distance,
        float(found.distances.max()),
        {name: names.count(name) for name in dict.fromkeys(names)},
        tuple(word for word, is_planted in zip(POINTS, stands) if is_planted),
        tuple(frames),
    )


def _resolve(compared: ComparedView, request: GraphRequest, name: str, hub: Hub, taken: list[int]) -> ResolvedHub:
    view, spacing = compared.view, spacing_of(request)
    threshold = (hub.threshold or request.threshold or compared.threshold) if hub.is_grown else None
    seed: int | None = None
    distances: dict[int, float] = {}
    try:
        by_hand = [frame_in_view(view, one) for one in (*hub.frames, *hub.add)]
        dropped = {frame_in_view(view, one) for one in hub.drop}
        if hub.is_grown:
            assert threshold is not None
            seed = None if hub.like is None else frame_in_view(view, hub.like)
            grown = _checked_growth(compared, request, hub, seed, threshold, taken)
            beside = free_frames(view.starts, spacing, by_hand)[grown.frames] | np.isin(grown.frames, by_hand)
            seed, distances = grown.seed, dict(zip(grown.frames[beside].tolist(), grown.distances[beside].tolist()))
        frames = sorted({*distances, *by_hand} - dropped)
        measured = np.array([distances.get(frame, np.nan) for frame in frames])
        check_set(frames, view.starts, spacing=spacing, taken=taken, name=lambda frame: say_frame(view, frame))
    except BadInput as error:
        return ResolvedHub(name, np.zeros(0, np.int64), np.zeros(0), seed, threshold, str(error))
    return ResolvedHub(name, np.array(frames, np.int64), measured, seed, threshold)


def _checked_growth(
    compared: ComparedView, request: GraphRequest, hub: Hub, seed: int | None, threshold: float, taken: list[int]
) -> MatchSet:
    """The match set that a threshold gives; refuses one that catches everything or nothing."""
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
        f"a threshold of {threshold:.3g} m catches too much: {100 * compared.share_below(threshold):.0f} % of all "
        f"pairs of frames are nearer than that; give at most {compared.most:.3g}, or about {compared.threshold:.2g}"
    )


def _too_little(
    compared: ComparedView, request: GraphRequest, seed: int | None, threshold: float, taken: list[int]
) -> str:
    """Why there is no match set: no take has room for a match frame, or nothing is alike enough."""
    view, spacing = compared.view, spacing_of(request)
    longest = int(np.diff(view.starts).max())
    if longest <= 2 * spacing:
        return (
            f"every clip would be shorter than its displacement map: the longest take has {longest / view.fps:.2f} s, "
            f"and w_min wants {request.w_min:g} s on both sides of a match frame; lower w_min"
        )
    advice = f"raise the threshold; {compared.threshold:.2g} m is usual here"
    left = float(free_frames(view.starts, spacing, taken).mean())
    if left < LITTLE_ROOM:
        advice = f"lower w_min: {request.w_min:g} s leaves {100 * left:.0f} % of the frames for match frames"
    if seed is None:
        return f"a threshold of {threshold:.3g} m catches nothing: no two frames that are left match; {advice}"
    frames, distances = compared.minima.of(seed)
    start, stop = motion_range(view.starts, seed)
    is_elsewhere = (frames < max(start, seed - spacing)) | (frames >= min(stop, seed + spacing))
    nearest = distances[is_elsewhere][:1]
    far = f"the nearest is {nearest[0]:.3g} m away" if len(nearest) else f"none is within {compared.most:.3g} m"
    return f"a threshold of {threshold:.3g} m catches nothing that is like {say_frame(view, seed)}: {far}; {advice}"
