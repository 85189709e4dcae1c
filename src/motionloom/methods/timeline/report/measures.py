"""Judging: how well a motion is what was painted, forced and placed, and how it goes over its joins."""

from dataclasses import dataclass

import numpy as np

from motionloom.assembly import Join, Plan, Result
from motionloom.features.facing import find_facing
from motionloom.methods.timeline.model import Model
from motionloom.methods.timeline.objective.costs import cut_distances, path_of, place_misses
from motionloom.methods.timeline.objective.forced_clips import ForcedRun
from motionloom.methods.timeline.objective.problem import ForcedClip, GroundPlace, Problem
from motionloom.motion import Motion, Placement, Skeleton, compose, invert, kinematics, place_points
from motionloom.motion.provenance import Provenance
from motionloom.motion.runs import find_equal_runs, find_runs
from motionloom.quality import measure_joins

WRONG_ALLOWED = 5.0  # % of a painted stretch
BORDER = 0.25  # seconds at both ends of a painted stretch that a forgiving reader does not count
RIGHT, UNKNOWN, WRONG = "right", "unknown", "wrong"
Run = tuple[int, int, str]  # frames [start, stop) of the answer, and a word


@dataclass(frozen=True)
class Stretch:
    """A painted stretch of one label, and how it came out."""

    label: str
    value: int  # +1 must, -1 must not
    start: int  # frames [start, stop) of the answer
    stop: int
    runs: tuple[Run, ...]  # right, unknown or wrong
    right: float  # share of the frames, 0 to 1
    right_inside: float  # the same without a quarter of a second at both ends

    @property
    def missed(self) -> list[Run]:
        """The runs that are not right."""
        return [run for run in self.runs if run[2] != RIGHT]

    @property
    def is_met(self) -> bool:
        """Whether no more of it is missed than may be."""
        return is_met(sum(stop - start for start, stop, _ in self.missed), self.stop - self.start)


@dataclass(frozen=True)
class JudgedJoin:
    """A cut of the answer, beside what is usual in the corpus."""

    frame: int  # of the answer: the first of the piece after
    before: str  # motion, and
    leave: float  # frame of its take that is played last
    after: str
    enter: float  # frame of its take that is played first
    join: Join
    distance: float  # usual distances between what would have come and what comes; to the nearest frame it is 1
    peak: float  # highest acceleration / bar within a quarter of a second
    joint: str  # where
    share_calmer: float  # 0 to 1: windows of recordings without a join that are calmer


@dataclass(frozen=True)
class JudgedClip:
    """A forced clip, and whether it is there."""

    clip: ForcedClip
    take_start: float  # frame of its take that is forced first
    take_stop: float  # one past the last
    in_time: bool  # whether no other frame has more weight than its own at its time
    weight: float  # the least weight of its frames in their times
    error: float  # metres by which the joint that is worst in the worst frame is off, poses laid over each other
    frame: int  # of the answer, where that is
    joint: str
    n_own: int  # frames of its own recording that are played without a cut around it, its own with them
    short: str  # why these are fewer than it should bring; "" where they are not


@dataclass(frozen=True)
class JudgedPlace:
    """A place, and how far from it the motion was before it was bent, and is."""

    place: GroundPlace
    position_before: float  # metres
    heading_before: float  # radians
    position: float  # metres
    heading: float  # radians


def played_frames(model: Model, origin: Provenance, planned: np.ndarray) -> np.ndarray:
    """(F,) the frame of the model that has the most weight in each frame; the planned one where two have as much.

    Args:
        model: that the frames are of.
        origin: of F frames.
        planned: (F,) frames of the model.
    """
    entries = np.full(origin.indices.shape, -1)
    for number, source in enumerate(origin.sources):
        here = origin.indices == number
        start, stop = model.view.range_of(source.name)
        recorded = model.view.source_frames[start:stop]
        middles = (recorded[1:] + recorded[:-1]) / 2
        entries[here] = start + np.searchsorted(middles, origin.frames[here])
    is_heaviest = origin.weights >= origin.weights[:, :1] - 1e-9
    is_planned = (is_heaviest & (entries == planned[:, None])).any(axis=1)
    return np.where(is_planned, planned, entries[:, 0])


def is_met(n_wrong: int, n_frames: int) -> bool:
    """Whether a painted stretch counts as met; frames are counted, for shares are rounded."""
    return 100 * n_wrong <= WRONG_ALLOWED * n_frames


def judge_labels(problem: Problem, played: np.ndarray, fps: float) -> list[Stretch]:
    """Every painted stretch, if these (F,) frames of the model are played, in order of time."""
    stretches = []
    agreement = problem.paint * problem.tracks[played]  # (F, L) +1 right, -1 wrong, 0 unknown or free
    for column, label in enumerate(problem.labels):
        for start, stop, value in find_equal_runs(problem.paint[:, column]):
            if value:
                stretches.append(_stretch(label, value, start, agreement[start:stop, column], round(BORDER * fps)))
    return sorted(stretches, key=lambda stretch: (stretch.start, stretch.stop, stretch.label))


def judge_joins(model: Model, frames: np.ndarray, plan: Plan, motion: Motion) -> list[JudgedJoin]:
    """Every join of a plan that plays (F,) frames of the model, in order of time."""
    yardsticks = model.yardsticks
    cuts = [*plan.begins[1:]]
    distances = cut_distances(model, frames, np.array(cuts, int)) if cuts else np.zeros(0)
    recorded = model.view.source_frames[frames]
    return [
        JudgedJoin(
            frame,
            before.name,
            float(recorded[frame - 1]),
            after.name,
            float(recorded[frame]),
            join,
            float(distance),
            peak.acceleration,
            peak.acceleration_joint,
            yardsticks.share_calmer(peak.acceleration),
        )
        for frame, before, after, join, distance, peak in zip(
            cuts, plan.pieces, plan.pieces[1:], plan.joins, distances, measure_joins(motion, cuts, yardsticks.bars)
        )
    ]


def judge_forced(model: Model, run: ForcedRun, result: Result, played: np.ndarray) -> JudgedClip:
    """Whether a forced clip is played in its time, how its poses came out, and what it brings of its recording."""
    clip = run.clip
    wanted = np.arange(clip.first, clip.first + clip.n_frames)
    answer = slice(clip.at, clip.stop)
    start, _ = model.view.range_of(clip.name)
    source = kinematics.world_positions(model.view.motion(clip.name))[wanted - start]
    errors = pose_errors(result.motion.skeleton, source, kinematics.world_positions(result.motion)[answer])
    frame, joint = np.unravel_index(errors.argmax(), errors.shape)
    recorded = model.view.source_frames[wanted]
    in_time = bool((played[answer] == wanted).all())
    return JudgedClip(
        clip,
        float(recorded[0]),
        float(recorded[-1]) + 1,
        in_time,
        float(result.provenance.weights[answer, 0].min()) if in_time else 0.0,
        float(errors.max()),
        clip.at + int(frame),
        result.motion.skeleton.names[int(joint)],
        own_frames(model, clip, played),
        run.short,
    )


def own_frames(model: Model, clip: ForcedClip, played: np.ndarray) -> int:
    """Frames of its own recording that are played one after another around a clip; 0 if it is not there."""
    is_own = played - np.arange(len(played)) == clip.first - clip.at
    start, stop = model.view.range_of(clip.name)
    is_own &= (played >= start) & (played < stop)
    around = [(a, b) for a, b in find_runs(is_own) if a <= clip.at and clip.stop <= b]
    return around[0][1] - around[0][0] if around else 0


def judge_places(model: Model, problem: Problem, frames: np.ndarray, motion: Motion) -> list[JudgedPlace]:
    """How far from its places a motion is, and was before it was bent."""
    if not problem.places:
        return []
    before = place_misses(problem, path_of(model, problem, frames))
    headings, ground = find_facing(motion.skeleton, kinematics.world_positions(motion))
    after = place_misses(problem, np.column_stack([ground, headings]))
    return [
        JudgedPlace(place, *first.tolist(), *second.tolist())
        for place, first, second in zip(problem.places, before, after)
    ]


def pose_errors(skeleton: Skeleton, wanted: np.ndarray, found: np.ndarray) -> np.ndarray:
    """(F, J) metres between the joints of poses, each laid over the other by its facing.

    Args:
        skeleton: of both.
        wanted: (F, J, 3) metres, world.
        found: (F, J, 3) metres, world.
    """
    facings = [find_facing(skeleton, positions) for positions in (wanted, found)]
    errors = np.empty(found.shape[:2])
    for frame in range(len(found)):
        own, other = (Placement(float(headings[frame]), ground[frame]) for headings, ground in facings)
        laid = place_points(wanted[frame], compose(other, invert(own)))
        errors[frame] = np.linalg.norm(laid - found[frame], axis=-1)
    return errors


def _stretch(label: str, value: int, start: int, agreement: np.ndarray, border: int) -> Stretch:
    words = {1: RIGHT, 0: UNKNOWN, -1: WRONG}
    inside = agreement[border:-border] if len(agreement) > 2 * border else agreement
    return Stretch(
        label,
        value,
        start,
        start + len(agreement),
        tuple((start + a, start + b, words[found]) for a, b, found in find_equal_runs(agreement)),
        float((agreement == 1).mean()),
        float((inside == 1).mean()),
    )
