"""Steps at joins: a foot that rests on both sides of a join, at places far apart, is lifted and put down again.

Planted at one place through the join it would stay where the piece before had it, for as long as it rests: legs apart,
hips low. A person takes a small step instead, with one foot at a time, while the other carries the body. A foot that
rests on one side alone, and that the join takes along, leaves the floor sooner or comes down later.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.constraints.footplants import REFERENCE_LEG
from motionloom.features.feet import SIDES, columns_of
from motionloom.motion import Motion, find_runs, hinges, kinematics, two_bone_ik

FAR = 0.1  # metres that a join moves a resting foot, from which on it steps; legs of REFERENCE_LEG, others are scaled
SECONDS, SECONDS_PER_METRE = 0.3, 0.3  # that a step takes, and more for every metre between the places
LIFT, LIFT_PER_METRE = 0.03, 0.08  # metres that the ankle is lifted halfway, and more for every metre
SETTLED = 0.1  # seconds that a foot rests at least before its step, and after it
SHORT = 0.25  # seconds of rest over which the place of a foot is averaged


@dataclass(frozen=True)
class Reach:
    """A join, and how many frames it changes before and after."""

    border: int  # the first frame of the second piece
    before: int
    after: int

    @property
    def start(self) -> int:
        return self.border - self.before

    @property
    def stop(self) -> int:
        return self.border + self.after


@dataclass(frozen=True)
class Step:
    """A step that one foot takes in frames [start, stop)."""

    side: str
    start: int
    stop: int
    metres: float  # over the ground, about


def find_steps(
    motion: Motion, contacts: np.ndarray, joins: Sequence[Reach], locked: Sequence[int] = ()
) -> tuple[Step, ...]:
    """Steps that feet take at joins; none where there is no time for one, or nothing else carries the body.

    Args:
        motion: joined, its feet not planted yet.
        contacts: (F, 4) bool in the order of `features.feet.POINTS`.
        joins: in the order of their frames.
        locked: frames that stay as they are.
    """
    has_legs = all(motion.skeleton.has(*(f"{side}_{role}" for role in ("hip", "knee", "foot"))) for side in SIDES)
    if not joins or not contacts.any() or not has_legs:
        return ()
    search = _Search.of(motion, contacts)
    is_free = np.ones(motion.n_frames, bool)
    is_free[np.asarray(locked, int)] = False
    borders = [0, *(join.border for join in joins), motion.n_frames]
    for first, join, last in zip(borders, joins, borders[2:]):
        allowed = is_free.copy()
        allowed[:first], allowed[last:] = False, False
        search.step_at(join, allowed)
    return tuple(search.steps)


def take_steps(motion: Motion, contacts: np.ndarray, steps: Sequence[Step]) -> tuple[Motion, np.ndarray]:
    """A motion whose feet are lifted in their steps, and its (F, 4) contacts without them."""
    if not steps:
        return motion, contacts
    contacts, local_rotations = contacts.copy(), motion.local_rotations.copy()
    for step in steps:
        frames, limb = slice(step.start, step.stop), f"{step.side}_leg"
        contacts[frames, columns_of(step.side)] = False
        roots, turns = motion.root_positions[frames], local_rotations[frames]
        ankles = kinematics.forward(motion.skeleton, roots, turns)[0][:, motion.skeleton.index(f"{step.side}_foot")]
        phases = np.arange(1, step.stop - step.start + 1) / (step.stop - step.start + 1)
        lift = LIFT * motion.skeleton.leg_length / REFERENCE_LEG + LIFT_PER_METRE * step.metres
        targets = ankles + np.outer(lift * np.sin(np.pi * phases) ** 2, [0.0, 1.0, 0.0])
        axis = hinges.hinge_axis(motion.skeleton, motion.local_rotations, limb)
        local_rotations[frames] = two_bone_ik.reach(motion.skeleton, roots, turns, limb, targets, axis=axis)[0]
    return replace(motion, local_rotations=local_rotations), contacts


@dataclass(frozen=True, eq=False)
class _Search:
    """Where feet are and when they rest, and the steps that were found."""

    ankles: Mapping[str, np.ndarray]  # of each side (F, 3) metres, world
    rests: Mapping[str, np.ndarray]  # of each side (F,) bool; a foot does not rest in its steps
    size: float
    fps: float
    steps: list[Step]

    @staticmethod
    def of(motion: Motion, contacts: np.ndarray) -> "_Search":
        positions = kinematics.world_positions(motion)
        ankles = {side: positions[:, motion.skeleton.index(f"{side}_foot")] for side in SIDES}
        rests = {side: np.asarray(contacts[:, columns_of(side)].any(axis=1)) for side in SIDES}
        return _Search(ankles, rests, motion.skeleton.leg_length / REFERENCE_LEG, motion.fps, [])

    def step_at(self, join: Reach, allowed: np.ndarray) -> None:
        """Find the steps at one join, in frames that are allowed: the longer one first, the other beside it."""
        runs = [(side, run) for side in SIDES for run in find_runs(self.rests[side])]
        near = [(side, run) for side, run in runs if run[0] < join.stop and run[1] > join.start]
        moved = [(_moved(self.ankles[side], run, join, self.fps), side, run) for side, run in near]
        for metres, side, run in sorted(moved, reverse=True):
            if metres > FAR * self.size:
                carried = allowed & self.rests[SIDES[1 - SIDES.index(side)]]
                self._fit(Step(side, *run, metres), join, carried)

    def _fit(self, rest: Step, join: Reach, carried: np.ndarray) -> None:
        """Find time for a step within the rest of a foot, while something else carries the body."""
        n_frames = round((SECONDS + SECONDS_PER_METRE * rest.metres / self.size) * self.fps)
        settled = max(round(SETTLED * self.fps), 1)
        may_lift = carried.copy()
        may_lift[: rest.start], may_lift[rest.stop :] = False, False
        span = _at_end(may_lift, rest, join, n_frames, settled)
        if span is None:
            may_lift[: rest.start + settled], may_lift[rest.stop - settled :] = False, False
            begins = [begin for run in find_runs(may_lift) for begin in range(run[0], run[1] - n_frames + 1)]
            near = range(join.start - 2 * n_frames, join.stop + n_frames + 1)  # after a step of the other foot, too
            spans = [(begin, begin + n_frames) for begin in begins if begin in near]
            span = min(spans, key=lambda span: (abs(sum(span) - 2 * join.border), span), default=None)
        if span is not None:
            self.rests[rest.side][slice(*span)] = False
            self.steps.append(Step(rest.side, *span, rest.metres))


def _at_end(may_lift: np.ndarray, rest: Step, join: Reach, n_frames: int, settled: int) -> tuple[int, int] | None:
    """The end of a rest before a join, or the beginning of one after it, for about as long as a step takes.

    None for a rest on both sides of the join, and where there is no time.
    """
    if rest.start < join.border < rest.stop:
        return None
    is_before = rest.stop <= join.border
    own = (rest.start + settled, rest.stop) if is_before else (rest.start, rest.stop - settled)
    runs = [run for run in find_runs(may_lift) if (run[1] == rest.stop if is_before else run[0] == rest.start)]
    first, last = (max(runs[0][0], own[0]), min(runs[0][1], own[1])) if runs else (0, 0)
    if last - first < n_frames // 2:
        return None
    return (max(first, last - n_frames), last) if is_before else (first, min(first + n_frames, last))


def _moved(ankles: np.ndarray, run: tuple[int, int], join: Reach, fps: float) -> float:
    """Metres over the ground by which a join moves a foot while it rests in frames [start, stop)."""
    width = max(round(SHORT * fps), 1)
    leave, enter = max(join.start, run[0] + 1), min(join.stop, run[1] - 1)
    before, after = ankles[max(leave - width, run[0]) : leave], ankles[enter : min(enter + width, run[1])]
    return float(np.linalg.norm((np.median(after, axis=0) - np.median(before, axis=0))[[0, 2]]))
