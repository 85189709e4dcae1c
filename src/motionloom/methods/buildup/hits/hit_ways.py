"""Hits: joints at points in space at the end of a step, chosen from the tree, timed and bent towards the point.

What choosing, timing and bending leave is closed by inverse kinematics when the motion is made; see `holds`.
"""

from dataclasses import replace

import numpy as np

from motionloom.methods.buildup.hits.body_points import arm_length
from motionloom.methods.buildup.hits.reach import Aim, find_reaches, track_of
from motionloom.methods.buildup.model import Model
from motionloom.methods.buildup.request import Hit, Step
from motionloom.methods.buildup.sequence.entries import find_entries
from motionloom.methods.buildup.sequence.pace import fewest_and_most
from motionloom.methods.buildup.sequence.sequence import BuiltSequence, Stretch, last_frame, where_ends
from motionloom.methods.buildup.sequence.steps import (
    WAYS,
    TakenStep,
    along_clips,
    choose_way,
    exactly,
    group_of_pose,
    query_of,
)
from motionloom.methods.buildup.sequence.ways import Browser, Way, choose_different
from motionloom.methods.buildup.tree.end_index import Query
from motionloom.methods.buildup.tree.search_tree import grow_onward
from motionloom.motion.placement import turn_ground

WARPED = 0.1  # share by which a way may be too short or too long for its time: what pace makes up for everywhere
BENT = 0.08  # share of what is walked, or swayed while standing, that a stretch is bent by
SWAY = 0.3  # metres per second that standing counts as walking
WORTH = 0.02  # metres below which nothing is bent: arms make up for it
BESIDE = 0.1  # metres aside of a point within which it is too high or too low rather than too far


def reach_of(model: Model) -> float:
    """Metres within which a hit can be met, or counts as met: half the length of an arm (section 5)."""
    return 0.5 * (arm_length(model.view.skeleton) or model.radius)


def find_hit_ways(
    model: Model, browser: Browser, aim: Aim, query: Query | None, count: int = WAYS
) -> tuple[list[Way], str]:
    """The ways whose end has a point of the body nearest to where it is aimed, the best first, and why it is missed.

    Args:
        model: of the takes.
        browser: of the last pose.
        aim: of the hit.
        query: what else the step asks: pose, place, heading and time.
        count: ways at most.
    """
    wanted = _timed(model, aim, query)
    ends = find_reaches(model, browser.index, aim, wanted)
    why_not = ""
    if not ends and wanted is not None:
        ends = find_reaches(model, browser.index, aim, query if wanted is not query else replace(wanted, seconds=None))
        why_not = "no way takes this long; allow another time" if ends else ""
    if not ends:
        return [], "no way has what is asked; ask for another pose, place or time, or for none"
    best = ends[0]
    if best.distance > reach_of(model):
        why_not = _way_out(model, aim, best.place, best.n_frames, best.distance)
    near = [end for end in ends if end.distance <= max(reach_of(model), best.distance)]
    return choose_different([browser.way(end) for end in near], count), why_not


def take_hit_step(
    model: Model, sequence: BuiltSequence, step: Step, number: int, aim: Aim, browser: Browser | None = None
) -> TakenStep:
    """Find the stretch that a step with a hit at its end is, or say why there is none.

    Args:
        model: of the takes.
        sequence: to extend.
        step: of the request.
        number: of the step, from 0.
        aim: of the hit.
        browser: of the last pose of the sequence, where there is one already.
    """
    if step.clips is not None:
        given = aimed(model, exactly(model, sequence, step, along_clips(model, sequence, step.clips, number)), aim)
        return TakenStep(given, far=_why_missed(model, given, aim))
    query = query_of(model, step)
    if query is None and step.pose is not None:
        query = Query((0.0, 0.0), group_of_pose(model, step.pose), within=np.inf)
    browser = browser or browse_until(model, sequence, aim)
    ways, why_not = find_hit_ways(model, browser, aim, query, max(step.way + 1, WAYS))
    if not ways:
        return TakenStep(None, why_not)
    way, late = choose_way(ways, step)
    stretch = aimed(model, exactly(model, sequence, step, way.stretch(number)), aim)
    if way.end.distance > reach_of(model):
        return TakenStep(stretch, late, len(ways), way.end.distance, why_not)
    return TakenStep(stretch, late or why_not, len(ways), way.end.distance)


def browse_until(model: Model, sequence: BuiltSequence, aim: Aim) -> Browser:
    """What can be reached from the last pose; up to the time of the hit and so more finely, where it has one."""
    if aim.frame is None:
        return Browser.of(model, sequence)
    last, growth = sequence.last_pose(model), model.settings.growth
    seconds = min((1 + WARPED) * max(aim.frame - aim.begun, 1) / model.fps, growth.seconds)
    tree = grow_onward(model.tables, find_entries(model, last), replace(growth, seconds=seconds))
    return Browser.over(model, last, tree)


def aimed(model: Model, stretch: Stretch, aim: Aim) -> Stretch:
    """A stretch that ends in the frame of its hit, bent so that the point of the body comes nearer, where it is exact.

    Args:
        model: of the takes.
        stretch: of the step.
        aim: of its hit.
    """
    n_frames = stretch.n_frames
    if aim.frame is not None:
        n_frames = int(np.clip(aim.frame - aim.begun, *fewest_and_most(stretch.n_recorded)))
        stretch = replace(stretch, n_frames=n_frames)
    miss = _miss(model, stretch, aim)
    far = float(np.linalg.norm(miss[[0, 2]]))
    is_far = np.linalg.norm(miss) > reach_of(model)
    if not aim.exact or stretch.end is not None or far < WORTH or is_far:
        return stretch
    share = min(1.0, most_bent(model, stretch) / far)
    x, z, heading = where_ends(model, stretch)
    return replace(stretch, end=(float(x + share * miss[0]), float(z + share * miss[2]), heading))


def most_bent(model: Model, stretch: Stretch) -> float:
    """Metres by which the end of a stretch may be moved so that its steps stay nearly as they are."""
    walked = 0.0
    for clip in stretch.clips:
        start = model.view.range_of(clip.name)[0] + clip.start
        steps = np.diff(model.facings[start : start + clip.stop - clip.start, :2], axis=0)
        walked += float(np.maximum(np.linalg.norm(steps, axis=1), SWAY / model.fps).sum())
    return BENT * walked


def describe_hit(hit: Hit) -> str:
    """'right_fist at (1, 1.2, 2) m', 'hand on the chin of blue'."""
    if hit.on is not None:
        return f"{hit.joint} on the {hit.on.joint} of {hit.on.character}"
    assert hit.point is not None
    return f"{hit.joint} at ({', '.join(f'{value:g}' for value in hit.point)}) m"


def _timed(model: Model, aim: Aim, query: Query | None) -> Query | None:
    """The query with the time of the hit."""
    if aim.frame is None:
        return query
    wanted = max(aim.frame - aim.begun, 1) / model.fps
    seconds = (wanted * (1 - WARPED), wanted * (1 + WARPED))
    return Query((0.0, 0.0), within=np.inf, seconds=seconds) if query is None else replace(query, seconds=seconds)


def _miss(model: Model, stretch: Stretch, aim: Aim) -> np.ndarray:
    """(3,) metres from the nearest point of the body, in the last frame of a stretch, to where it is aimed."""
    clip = stretch.clips[-1]
    own = track_of(model, aim.points).positions[last_frame(model, stretch)].copy()  # (P, 3)
    own[:, [0, 2]] = turn_ground(own[:, [0, 2]], clip.placement.heading) + clip.placement.slide
    misses = aim.goal_at(aim.begun + stretch.n_played) - own
    return np.asarray(misses[np.linalg.norm(misses, axis=1).argmin()])


def _why_missed(model: Model, stretch: Stretch, aim: Aim) -> str:
    """Why a way that was given misses its hit; "" where it comes near enough."""
    miss = float(np.linalg.norm(_miss(model, stretch, aim)))
    if miss <= reach_of(model):
        return ""
    return _way_out(model, aim, stretch.end or where_ends(model, stretch), stretch.n_played, miss)


def _way_out(model: Model, aim: Aim, place: tuple[float, float, float], n_frames: int, distance: float) -> str:
    """What to do about a hit that is out of reach from where a way ends."""
    goal = aim.goal_at(aim.begun + n_frames)
    name = aim.points[0].name.replace("_", " ") if len(aim.points) == 1 else aim.points[0].name.split("_")[1]
    there = np.array(place[:2])
    away = goal[[0, 2]] - there
    far, arm = float(np.linalg.norm(away)), arm_length(model.view.skeleton)
    said = f"beyond reach: the {name} stays {distance:.2f} m away after {n_frames / model.fps:.1f} s"
    if far <= arm + BESIDE:
        return f"{said}; the point is {goal[1]:.2f} m high: bring it nearer to where poses have a {name}"
    x, z = goal[[0, 2]] - 0.8 * arm * away / far
    return f"{said}; a step to ({x:.1f}, {z:.1f}) m before it would bring it there"
