"""Forced clips: recorded frames that must be played at a time, and what they bring of their recording.

A frame alone is a pose and no motion. So a forced clip brings frames of its own recording before and after it, 32 in
all with its own, as long as the longest blocks of the paper, where its take, the motion and the clips beside it leave
room, and what is painted does not contradict them; and 8, as the shortest blocks, though it does. They are forced like
the clip itself, so that every search plays them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.assembly.requests.times import frames_of
from motionloom.conform.base_view import take_of
from motionloom.corpus import TakeFinder
from motionloom.errors import BadInput
from motionloom.methods.timeline.model import Model
from motionloom.methods.timeline.request import ForcedFrames, Request

LEAST_BROUGHT, MOST_BROUGHT = 8, 32  # frames


@dataclass(frozen=True)
class ForcedClip:
    """Frames of the model that must be played at a time."""

    at: int  # frame of the answer
    first: int  # frame of the model
    n_frames: int
    name: str  # of the motion in the view

    @property
    def stop(self) -> int:
        """One past the last frame of the answer that is forced."""
        return self.at + self.n_frames


@dataclass(frozen=True)
class ForcedRun:
    """A forced clip with the frames of its own recording that it brings."""

    at: int  # frame of the answer
    first: int  # frame of the model
    n_frames: int
    clip: ForcedClip
    short: str = ""  # why it brings fewer than it should; "" where it does not

    @property
    def stop(self) -> int:
        """One past the last frame of the answer that is played by force."""
        return self.at + self.n_frames


@dataclass(frozen=True, eq=False)
class Painted:
    """What is painted, and what the frames of the model have."""

    labels: tuple[str, ...]
    paint: np.ndarray  # (F, L) int8
    tracks: np.ndarray  # (N, L) int8

    def contradictions(self, answer: np.ndarray, frames: np.ndarray) -> np.ndarray:
        """(n, L) bool: painted labels that are known to be otherwise if these frames of the model are played."""
        return self.paint[answer] * self.tracks[frames] < 0


@dataclass(frozen=True)
class _Side:
    """Room before or after a clip."""

    room: int  # frames that the take, the motion and the next clip leave
    fitting: int  # of these, frames up to the first that contradicts what is painted
    limit: str  # what ends the room
    painted: str  # what is contradicted; "" where nothing is


def find_forced(request: Request, model: Model, n_frames: int) -> tuple[ForcedClip, ...]:
    """The forced clips of a request in order of time; those that say the same of a moment become one."""
    asked = [_clip(forced, model, n_frames) for forced in request.frames]
    if request.start_from is not None:
        asked.append(_begin(request.start_from, model, n_frames))
    clips = sorted(asked, key=lambda clip: (clip.at, clip.first, clip.n_frames))
    kept: list[ForcedClip] = []
    for clip in clips:
        before = kept[-1] if kept else None
        if before is None or clip.at >= before.stop:
            kept.append(clip)
            continue
        if clip.first - before.first != clip.at - before.at or clip.name != before.name:
            raise BadInput(
                f"at {clip.at / model.fps:.2f} s both {before.name} and {clip.name} are forced, with different frames; "
                "one frame can be played at a time"
            )
        longest = max(before.stop, clip.stop) - before.at  # they say the same where they overlap
        kept[-1] = ForcedClip(before.at, before.first, longest, before.name)
    return tuple(kept)


def _begin(take: str, model: Model, n_frames: int) -> ForcedClip:
    """The whole of a motion that was made before, at the start."""
    name = TakeFinder([*model.view.names]).find(take)
    start, stop = model.view.range_of(name)
    if stop - start >= n_frames:
        raise BadInput(
            f"start_from {name} lasts {(stop - start) / model.fps:g} s, the whole motion {n_frames / model.fps:g} s; "
            "the length counts what is gone on from, so ask for more"
        )
    return ForcedClip(0, start, stop - start, name)


def _clip(asked: ForcedFrames, model: Model, n_frames: int) -> ForcedClip:
    name = TakeFinder([*model.view.names]).find(asked.take)
    start, stop = model.view.range_of(name)
    recorded = model.view.source_frames[start:stop]
    first, last = (asked.frame,) * 2 if asked.frame is not None else (asked.start, (asked.stop or 0) - 1)
    assert first is not None and last is not None
    n_recorded = model.view.corpus.info(take_of(name)).n_frames
    if last >= n_recorded:
        raise BadInput(f"frame {last} of {name} is forced, but it is out of range: the take has {n_recorded} frames")
    i, j = (int(np.abs(recorded - frame).argmin()) for frame in (first, last))
    at = n_frames - (j - i + 1) if asked.at == "end" else frames_of(asked.at, model.fps, n_frames)
    if at < 0:
        raise BadInput(f"{name} is forced for {j - i + 1} frames, longer than the whole motion of {n_frames}")
    if at + (j - i + 1) > n_frames:
        raise BadInput(
            f"{name} is forced at {asked.at} for {j - i + 1} frames, past the end at {n_frames / model.fps:g} s; "
            "force it earlier or make the request longer"
        )
    return ForcedClip(at, start + i, j - i + 1, name)


def bring_own_frames(
    model: Model, clips: Sequence[ForcedClip], n_frames: int, painted: Painted
) -> tuple[ForcedRun, ...]:
    """What forced clips bring of their own recordings.

    Args:
        model: N frames.
        clips: in order of time, not overlapping.
        n_frames: of the answer.
        painted: over it.
    """
    runs = []
    for number, clip in enumerate(clips):
        before, after = clips[number - 1] if number else None, clips[number + 1] if number + 1 < len(clips) else None
        sides = _side_before(model, clip, before, painted), _side_after(model, clip, after, n_frames, painted)
        runs.append(_run(clip, *sides))
    return tuple(runs)


def _run(clip: ForcedClip, before: _Side, after: _Side) -> ForcedRun:
    lead, trail = _share(MOST_BROUGHT - clip.n_frames, before.fitting, after.fitting)
    if clip.n_frames + lead + trail < LEAST_BROUGHT:
        lead, trail = _share(LEAST_BROUGHT - clip.n_frames, before.room, after.room, lead, trail)
    n_brought = clip.n_frames + lead + trail
    ends = [side.painted or side.limit for side in (before, after)] if n_brought < MOST_BROUGHT else []
    return ForcedRun(clip.at - lead, clip.first - lead, n_brought, clip, " and ".join(dict.fromkeys(ends)))


def _share(wanted: int, before: int, after: int, lead: int = 0, trail: int = 0) -> tuple[int, int]:
    """Frames before and after a clip, at least `lead` and `trail`: half of what is wanted each, or what there is."""
    wanted = max(wanted, lead + trail)
    lead = int(np.clip(wanted // 2, max(lead, wanted - after), min(before, wanted - trail)))
    return lead, min(after, wanted - lead)


def _side_before(model: Model, clip: ForcedClip, neighbour: ForcedClip | None, painted: Painted) -> _Side:
    recorded = clip.first - int(model.starts[model.motion_of[clip.first]])
    free, edge = (clip.at, "the motion begins") if neighbour is None else _between(model, clip, neighbour)
    room = min(recorded, free)
    limit = f"{clip.name} begins" if recorded <= free else edge
    away = np.arange(1, min(room, MOST_BROUGHT) + 1)
    return _fit(painted, clip.at - away, clip.first - away, room, limit)


def _side_after(model: Model, clip: ForcedClip, neighbour: ForcedClip | None, n_frames: int, painted: Painted) -> _Side:
    last = clip.first + clip.n_frames - 1
    recorded = int(model.stops[last]) - 1 - last
    free, edge = (n_frames - clip.stop, "the motion ends") if neighbour is None else _between(model, clip, neighbour)
    room = min(recorded, free)
    limit = f"{clip.name} ends" if recorded <= free else edge
    away = np.arange(min(room, MOST_BROUGHT))
    return _fit(painted, clip.stop + away, last + 1 + away, room, limit)


def _between(model: Model, clip: ForcedClip, neighbour: ForcedClip) -> tuple[int, str]:
    """Frames between two clips that one of them may have, and what ends them: half, or what the other does not want."""
    gap = clip.at - neighbour.stop if neighbour.at < clip.at else neighbour.at - clip.stop
    half = gap // 2 if neighbour.at < clip.at else gap - gap // 2
    wanted = max(MOST_BROUGHT - neighbour.n_frames, 0)
    return max(half, gap - wanted), f"{neighbour.name} is forced at {neighbour.at / model.fps:.2f} s"


def _fit(painted: Painted, answer: np.ndarray, frames: np.ndarray, room: int, limit: str) -> _Side:
    """The side of a clip with these frames, the nearest to the clip first."""
    against = painted.contradictions(answer, frames)
    wrong = np.flatnonzero(against.any(axis=1))
    if not len(wrong):
        return _Side(room, room, limit, "")
    label = int(against[wrong[0]].argmax())
    word = "" if painted.paint[answer[wrong[0]], label] > 0 else "not "
    return _Side(room, int(wrong[0]), limit, f"{word}{painted.labels[label]} is painted there")
