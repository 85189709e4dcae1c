"""Clips of a view that follow each other, as a plan."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from motionloom.assembly.plans.join import Join
from motionloom.assembly.plans.plan import Piece, Plan, Recorded, fit_joins
from motionloom.conform import View
from motionloom.motion import Placement


class PlacedClip(Protocol):
    """Frames [start, stop) of a motion of a view, and where on the ground they are played."""

    @property
    def name(self) -> str: ...
    @property
    def start(self) -> int: ...
    @property
    def stop(self) -> int: ...
    @property
    def placement(self) -> Placement: ...


def plan_clips(
    view: View,
    clips: Sequence[PlacedClip],
    *,
    kind: str = "displacement",
    request: Mapping[str, Any] | None = None,
) -> Plan:
    """Plan to play clips one after another, joined in one way, shorter where clips are short.

    Args:
        view: that the clips are from.
        clips: such as `graphs.clips_along` gives.
        kind: of all joins.
        request: what was asked, for the report.
    """
    pieces = tuple(Piece(Recorded(clip.name), clip.start, clip.stop, clip.placement) for clip in clips)
    joins = fit_joins(pieces, (Join.usual(kind),) * (len(pieces) - 1), view.fps)
    return Plan(pieces, joins, view.fps, view.skeleton.digest, view.key, dict(request or {}))
