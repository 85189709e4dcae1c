"""Holds: finished motions in which hands, feet and joints are where hits want them, closed by inverse kinematics."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.assembly import Played, play, usual_joins
from motionloom.assembly.requests.times import frames_of
from motionloom.constraints import IkSettings, PositionTarget, plant_feet, solve_ik
from motionloom.features.joint_limits import JointLimits
from motionloom.methods.buildup.hits.body_points import BodyPoint, arm_length, points_named
from motionloom.methods.buildup.model import Model
from motionloom.methods.buildup.request import Built, Hit
from motionloom.methods.buildup.sequence.sequence import BuiltSequence
from motionloom.motion import Motion

WITHIN = 1e-3  # metres of an exact hit
FADE = 0.4  # seconds before and after a hit over which its change fades
CLOSER = 0.6  # of an arm's length: farther than that no arm is pulled; ways come within half, and joins add to it


@dataclass(frozen=True, eq=False)
class Held:
    """A hit in a motion."""

    number: int  # of the hit in the request
    hit: Hit
    frame: int
    point: BodyPoint  # the nearer one
    goal: np.ndarray  # (3,) metres, world
    distance: float  # metres


def find_held(
    built: Built, sequence: BuiltSequence, motion: Motion, others: Mapping[str, Motion]
) -> tuple[list[Held], dict[int, str]]:
    """Where the hits of a character are in its motion, and why some are nowhere, by their numbers.

    Args:
        built: what the character was asked.
        sequence: that it does.
        motion: of it.
        others: motions of the other characters, by name.
    """
    held, why_not = list[Held](), dict[int, str]()
    for number, hit in enumerate(built.hits):
        frame = frame_of_hit(hit, sequence, motion.fps)
        other = None if hit.on is None else others[hit.on.character]
        if frame is None:
            why_not[number] = _why_nowhere(built, hit)
        elif frame >= motion.n_frames:
            why_not[number] = f"the motion has ended, at {motion.n_frames / motion.fps:.2f} s; add a step"
        elif hit.on is not None and other is not None and frame >= other.n_frames:
            why_not[number] = f"{hit.on.character} has ended, at {other.n_frames / other.fps:.2f} s; add a step to it"
        else:
            goal = np.array(hit.point, float) if other is None else goals_on(other, hit)[frame]
            held.append(_nearest(number, hit, frame, goal, motion))
    return held, why_not


def _why_nowhere(built: Built, hit: Hit) -> str:
    """Why the end of the step of a hit is not there."""
    if built.edits:
        return f"step {hit.step} could not be taken, or an edit took out its end; change the edit, or take back the hit"
    return f"step {hit.step} could not be taken"


def frame_of_hit(hit: Hit, sequence: BuiltSequence, fps: float) -> int | None:
    """The frame in which a hit is: the last of its step, or that of its time; None where the step was not taken."""
    if hit.step is None:
        assert hit.at is not None
        return frames_of(hit.at, fps, sequence.n_frames) - (hit.at == "end")
    if not any(stretch.step == hit.step - 1 for stretch in sequence.stretches):
        return None
    return sequence.end_of_step(hit.step - 1)


def goals_on(motion: Motion, hit: Hit) -> np.ndarray:
    """(F, 3) metres, world: where the point of another character is that a hit aims at."""
    assert hit.on is not None
    return points_named(motion.skeleton, hit.on.joint)[0].of(motion)


def hold(played: Played, held: Sequence[Held], limits: JointLimits | None = None) -> Played:
    """Meet exact hits in a motion whose feet are planted; those that no arm can reach are left as they are.

    Arm and trunk move, and the hips over feet that stay where they are too short, within joint limits if they can.

    Args:
        played: with planted feet.
        held: its hits.
        limits: of the joints; None for none.
    """
    motion = body_of(played)
    exact = [each for each in held if each.hit.exact]
    exact = [each for each in exact if each.distance <= CLOSER * (arm_length(motion.skeleton) or np.inf)]
    while exact:
        found = _reach(played, motion, exact, limits)
        met = [each for each in exact if _distance(each, found) <= WITHIN]
        if len(met) == len(exact):
            return replace(played, motion=found)
        exact = met
    return played


def _reach(played: Played, motion: Motion, held: Sequence[Held], limits: JointLimits | None) -> Motion:
    """By arm and trunk, then with the hips, both within limits first: people step in before an elbow gives way."""
    for within in dict.fromkeys((limits, None)):
        found = _solve(motion, held, within)
        missed = [each for each in held if _distance(each, found) > WITHIN]
        if missed:
            found = _lean(played, motion, held, sorted({each.frame for each in missed}), within)
        if all(_distance(each, found) <= WITHIN for each in held):
            return found
    return found


def _solve(motion: Motion, held: Sequence[Held], limits: JointLimits | None) -> Motion:
    targets = [_target(each) for each in held]
    return solve_ik(motion, targets, settings=IkSettings(window=FADE), limits=limits).motion


def _lean(
    played: Played, motion: Motion, held: Sequence[Held], frames: list[int], limits: JointLimits | None
) -> Motion:
    """A motion whose hips move too, while its feet stay in some frames, and are planted again in all."""
    feet = [PositionTarget(f"{side}_{part}", frames) for side in ("left", "right") for part in ("foot", "ball")]
    feet = [foot for foot in feet if motion.skeleton.has(foot.joint)]
    settings = IkSettings(moves_root=True, window=FADE)
    leaned = solve_ik(motion, [*(_target(each) for each in held), *feet], settings=settings, limits=limits).motion
    assert played.contacts is not None
    if not played.contacts.any():
        return leaned
    locked = sorted({each.frame for each in held})
    planted = plant_feet(leaned, played.contacts, footing=played.footing, locked=locked).motion
    return _solve(planted, held, limits)


def _target(held: Held) -> PositionTarget:
    return PositionTarget(held.point.carrier, held.frame, held.goal, held.point.offset)


def _nearest(number: int, hit: Hit, frame: int, goal: np.ndarray, motion: Motion) -> Held:
    pose = replace(
        motion,
        root_positions=motion.root_positions[frame : frame + 1],
        local_rotations=motion.local_rotations[frame : frame + 1],
    )
    points = points_named(motion.skeleton, hit.joint)
    distances = [float(np.linalg.norm(point.of(pose)[0] - goal)) for point in points]
    best = int(np.argmin(distances))
    return Held(number, hit, frame, points[best], goal, distances[best])


def _distance(held: Held, motion: Motion) -> float:
    return float(np.linalg.norm(held.point.of(motion)[held.frame] - held.goal))


def rehearse(model: Model, built: Built, sequence: BuiltSequence, others: Mapping[str, Motion]) -> Motion:
    """The motion of a character nearly as it will be, so that others can aim at it: joined in the usual way.

    Args:
        model: of the takes.
        built: what the character was asked.
        sequence: that it does.
        others: motions of the characters that it aims at itself.
    """
    plan = usual_joins(sequence.plan(model))
    played = play(plan, model.view, targets=sequence.targets(model))
    return body_of(meet_hits(model, built, sequence, played, others))


def meet_hits(
    model: Model, built: Built, sequence: BuiltSequence, played: Played, others: Mapping[str, Motion]
) -> Played:
    """What a character does with its exact hits met; see `hold`."""
    if not any(hit.exact for hit in built.hits):
        return played
    held, _ = find_held(built, sequence, body_of(played), others)
    return hold(played, held, model.yardsticks.limits)


def meet_missed(
    model: Model, built: Built, sequence: BuiltSequence, played: Played, others: Mapping[str, Motion]
) -> Played:
    """The same where what is played meets some of them already: those are left as they are."""
    if not any(hit.exact for hit in built.hits):
        return played
    held, _ = find_held(built, sequence, body_of(played), others)
    return hold(played, [each for each in held if each.distance > WITHIN], model.yardsticks.limits)


def body_of(played: Played) -> Motion:
    """The motion of a body; build-up makes no others."""
    assert isinstance(played.motion, Motion)
    return played.motion
