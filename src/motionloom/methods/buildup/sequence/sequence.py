"""Sequences: what was built so far, a stretch for the start and for every step, and the plan that plays it."""

from collections.abc import Mapping
from collections.abc import Sequence as Several
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from motionloom.assembly import Join, Piece, Plan, Recorded
from motionloom.assembly.plans.plan import fit_joins
from motionloom.constraints import GroundTarget
from motionloom.graphs import PlacedClip
from motionloom.methods.buildup.model import Model
from motionloom.methods.buildup.sequence.entries import LastPose
from motionloom.methods.buildup.sequence.pace import paced_times
from motionloom.methods.buildup.tree.search_tree import NEVER
from motionloom.motion import Placement, compose, invert
from motionloom.motion.placement import turn_ground


@dataclass(frozen=True, eq=False)
class Stretch:
    """Clips that one step plays, where they end up on the ground."""

    clips: tuple[PlacedClip, ...]
    distances: tuple[float, ...] = ()  # of the transitions into its clips; 0 where the recording goes on
    n_frames: int = 0  # that it lasts; 0 for as long as its clips
    end: tuple[float, float, float] | None = None  # metres and radians it is bent to end at; None: where it ends
    step: int | None = None  # the number of the step, from 0; None for the start and for what edits leave
    shown: tuple[np.ndarray, ...] = ()  # frames that each clip shows, from its first; () for all at their pace

    @property
    def n_recorded(self) -> int:
        """Frames of its clips."""
        return sum(clip.stop - clip.start for clip in self.clips)

    @property
    def n_played(self) -> int:
        """Frames that it lasts."""
        return sum(map(len, self.shown)) if self.shown else self.n_frames or self.n_recorded

    def timed(self) -> list[tuple[PlacedClip, np.ndarray]]:
        """Its clips, each with the frames that it shows, from its first."""
        if self.shown:
            return list(zip(self.clips, self.shown))
        times = paced_times(self.n_recorded, self.n_played)
        begins = np.cumsum([0, *(clip.stop - clip.start for clip in self.clips)])
        which = np.searchsorted(begins, np.round(times), side="right") - 1
        own = [np.clip(times[which == i] - begins[i], 0, begins[i + 1] - begins[i] - 1) for i in range(len(self.clips))]
        return [(clip, shown) for clip, shown in zip(self.clips, own) if len(shown)]

    def part(self, start: int, stop: int) -> "Stretch":
        """What it plays in the frames [start, stop), without where it ends and which step it is."""
        kept = list[tuple[PlacedClip, np.ndarray]]()
        begin = 0
        for clip, shown in self.timed():
            own = shown[max(start - begin, 0) : max(stop - begin, 0)]
            begin += len(shown)
            if len(own):
                first, last = int(np.floor(own[0])), int(np.ceil(own[-1]))
                cut = replace(clip, start=clip.start + first, stop=clip.start + last + 1)
                kept.append((cut, own - first))
        return Stretch(tuple(clip for clip, _ in kept), shown=tuple(shown for _, shown in kept))


@dataclass(frozen=True, eq=False)
class BuiltSequence:
    """Stretches one after another; the first is the start."""

    stretches: tuple[Stretch, ...]

    @cached_property
    def borders(self) -> tuple[int, ...]:
        """Frames played before each stretch, and by the end."""
        return tuple(int(n) for n in np.cumsum([0, *(stretch.n_played for stretch in self.stretches)]))

    @property
    def n_frames(self) -> int:
        return self.borders[-1]

    def has_end_of(self, step: int) -> bool:
        """Whether a step, from 0, was taken and no edit took its end out."""
        return any(stretch.step == step for stretch in self.stretches)

    def end_of_step(self, step: int) -> int:
        """The last frame of a step, from 0."""
        numbers = [number for number, stretch in enumerate(self.stretches) if stretch.step == step]
        return self.borders[numbers[-1] + 1] - 1

    def last_pose(self, model: Model) -> LastPose:
        """What the sequence is extended from."""
        clip = self.stretches[-1].clips[-1]
        frame = model.view.range_of(clip.name)[0] + clip.stop - 1
        end = self.stretches[-1].end
        placement = clip.placement if end is None else placement_at(model, frame, end)
        return LastPose(frame, placement, self._since())

    def extended(self, stretch: Stretch) -> "BuiltSequence":
        """With one stretch more."""
        return BuiltSequence((*self.stretches, stretch))

    def plan(self, model: Model, request: Mapping[str, Any] | None = None) -> Plan:
        """The plan that plays it; its joins are still to be chosen.

        Pieces are where they come to be before anything is bent, so that each begins where the one before ends.
        """
        parts = list[_Part]()
        undone = Placement.none()  # from where things end up to where they are before bending
        for stretch in self.stretches:
            for clip, own in stretch.timed():
                parts = _add(parts, _Part(clip, compose(undone, clip.placement), own))
            if stretch.end is not None:
                clip = stretch.clips[-1]
                frame = model.view.range_of(clip.name)[0] + clip.stop - 1
                moved = compose(clip.placement, invert(placement_at(model, frame, stretch.end)))
                undone = compose(undone, moved)
        pieces = tuple(part.piece() for part in parts)
        joins = fit_joins(pieces, (Join.usual("displacement"),) * (len(pieces) - 1), model.fps)
        view = model.view
        return Plan(pieces, joins, view.fps, view.skeleton.digest, view.key, dict(request or {}))

    def targets(self, model: Model) -> list[GroundTarget]:
        """Where the motion is bent to: the ends of all stretches, if any of them ends elsewhere than it would."""
        if all(stretch.end is None for stretch in self.stretches):
            return []
        found = []
        for border, stretch in zip(self.borders[1:], self.stretches):
            x, z, heading = stretch.end or where_ends(model, stretch)
            is_known = model.knows_heading[last_frame(model, stretch)]
            found.append(GroundTarget(border - 1, (x, z), heading if is_known else None))
        return found

    def _since(self) -> int:
        """Frames played since the last transition."""
        played = 0
        clips = [clip for stretch in self.stretches for clip in stretch.clips]
        for number in range(len(clips) - 1, -1, -1):
            played += clips[number].stop - clips[number].start
            if number and not _goes_on(clips[number - 1], clips[number]):
                return played
        return NEVER


def last_frame(model: Model, stretch: Stretch) -> int:
    """The frame of the view that a stretch ends with."""
    clip = stretch.clips[-1]
    return model.view.range_of(clip.name)[0] + clip.stop - 1


def where_ends(model: Model, stretch: Stretch) -> tuple[float, float, float]:
    """Metres along x and z and radians: where the clips of a stretch end."""
    return where_is(model, last_frame(model, stretch), stretch.clips[-1].placement)


def where_is(model: Model, frame: int, placement: Placement) -> tuple[float, float, float]:
    """Metres along x and z and radians: where a frame of the view is, with its recording placed."""
    own = model.facings[frame]
    x, z = turn_ground(own[:2], placement.heading) + placement.slide
    return float(x), float(z), float(own[2] + placement.heading)


def placement_at(model: Model, frame: int, place: tuple[float, float, float]) -> Placement:
    """The placement of a recording with which a frame of the view is at a place, metres and radians."""
    own = model.facings[frame]
    heading = place[2] - own[2]
    return Placement(float(heading), np.array(place[:2]) - turn_ground(own[:2], heading))


def start_at(model: Model, frame: int, place: tuple[float, float, float]) -> BuiltSequence:
    """A sequence of one pose, at a place."""
    name, own = model.clip_frame(frame)
    return BuiltSequence((Stretch((PlacedClip(name, own, own + 1, placement_at(model, frame, place)),)),))


def start_from(model: Model, take: str, place: tuple[float, float, float] | None) -> BuiltSequence:
    """A sequence that begins with a whole take, where it is or with its first pose at a place."""
    start, stop = model.view.range_of(take)
    placement = Placement.none() if place is None else placement_at(model, start, place)
    return BuiltSequence((Stretch((PlacedClip(take, 0, stop - start, placement),)),))


@dataclass(frozen=True, eq=False)
class _Part:
    """A clip as a plan plays it."""

    clip: PlacedClip
    placement: Placement
    times: np.ndarray  # (M,) frames from the first of the clip

    def piece(self) -> Piece:
        clip = self.clip
        is_plain = len(self.times) == clip.stop - clip.start and np.array_equal(self.times, np.arange(len(self.times)))
        warp = None if is_plain else clip.start + self.times
        return Piece(Recorded(clip.name), clip.start, clip.stop, self.placement, warp)


def _add(parts: Several[_Part], part: _Part) -> list[_Part]:
    """Parts with one more, in one with the last if its recording goes on."""
    if not parts or not _goes_on(parts[-1].clip, part.clip):
        return [*parts, part]
    last = parts[-1]
    whole = replace(last.clip, stop=part.clip.stop)
    times = np.concatenate([last.times, last.clip.stop - last.clip.start + part.times])
    return [*parts[:-1], _Part(whole, last.placement, times)]


def _goes_on(before: PlacedClip, after: PlacedClip) -> bool:
    return before.name == after.name and before.stop == after.start
