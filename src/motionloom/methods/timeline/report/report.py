"""The report of a timeline: labels over time and why they are missed, forced frames, places, joins, and the pieces."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from motionloom.assembly import Measured, Part, Plan, Report, Result
from motionloom.assembly.playing.bend_and_plant import HEADING_ALLOWED, POSITION_ALLOWED
from motionloom.assembly.results.spelling import count, whole_percent
from motionloom.methods.timeline.model import Model
from motionloom.methods.timeline.objective.costs import find_cuts
from motionloom.methods.timeline.objective.forced_clips import MOST_BROUGHT
from motionloom.methods.timeline.objective.problem import MUST, Problem
from motionloom.methods.timeline.objective.solution import Solution
from motionloom.methods.timeline.report import measures
from motionloom.methods.timeline.report.coverage import FAIR, POOR
from motionloom.methods.timeline.report.demands import Reason
from motionloom.methods.timeline.report.measures import WRONG_ALLOWED, JudgedClip, JudgedJoin, JudgedPlace, Stretch
from motionloom.methods.timeline.report.output_labels import JudgedOutput, judge_output
from motionloom.methods.timeline.report.reasons import explain
from motionloom.motion.runs import find_equal_runs
from motionloom.tasks import Stop

HARD = 0.9  # share of windows without a join that are calmer than a hard one
POSE_ALLOWED = 1.0  # centimetres that a joint of a forced frame may be off
MOST_LISTED = 4  # misses of a stretch, or very hard cuts, that are listed one by one


def make_report(
    model: Model,
    problem: Problem,
    frames: np.ndarray,
    result: Result,
    others: Sequence[Solution] = (),
    *,
    with_reasons: bool = True,
    stop: Stop | None = None,
) -> Report:
    """The report of an assembled motion: how well the request is met, added to the report of assembling.

    Args:
        model: that the plan was found with.
        problem: what was asked.
        frames: (F,) of the model that were planned.
        result: the outcome, with its plan and the report of assembling.
        others: answers that are as good in another way.
        with_reasons: whether what is missed is explained, which may take searches of its own.
        stop: asked while explaining; if it answers True, `Stopped` is raised.
    """
    fps, kept = model.fps, result.report
    plan = result.character.plan
    assert plan is not None  # it was assembled from one
    played = measures.played_frames(model, result.provenance, frames)
    stretches = measures.judge_labels(problem, played, fps)
    joins = measures.judge_joins(model, frames, plan, result.motion)
    is_forceful = any(join.distance > POOR for join in joins)
    is_explained = with_reasons and (is_forceful or not all(stretch.is_met for stretch in stretches))
    reasons = explain(model, problem, frames, played=played, stop=stop) if is_explained else ()
    forced = [measures.judge_forced(model, run, result, played) for run in problem.runs]
    places = measures.judge_places(model, problem, frames, result.motion)
    seen, unseen = judge_output(model, stretches, result, played) if with_reasons else ([], [])
    pieces = _pieces(model, plan)
    alternatives = [_alternative(model, answer) for answer in others]
    return replace(
        kept,
        parts=(
            *(_label_part(stretch, fps, reasons) for stretch in stretches),
            *(_forced_part(clip, fps) for clip in forced),
            *kept.parts,
        ),
        quality=(*_output_lines(seen, fps), *_place_lines(places, fps), *_join_lines(joins, fps), *kept.quality),
        notes=(
            *kept.notes,
            *_forced_warnings(forced, fps),
            *unseen,
            *_hard_cut_notes(reasons),
            *_advice(reasons),
            *_piece_notes(pieces),
            *_alternative_notes(alternatives),
        ),
        details={
            "fps": fps,
            "n_frames": result.motion.n_frames,
            "share": _right_share(stretches),
            "share_of": "the paint",
            "labels": [_label_data(stretch) for stretch in stretches],
            "output_labels": [_output_data(judged) for judged in seen],
            "tracks": _tracks(problem, frames),
            "reasons": [_reason_data(reason) for reason in reasons],
            "joins": [_join_data(join) for join in joins],
            "pieces": pieces,
            "forced": [_forced_data(clip) for clip in forced],
            "places": [_place_data(place) for place in places],
            "alternatives": alternatives,
        },
    )


def _right_share(stretches: Sequence[Stretch]) -> float | None:
    """The share of the painted frames that hold; None where nothing is painted."""
    painted = sum(stretch.stop - stretch.start for stretch in stretches)
    right = sum(stretch.right * (stretch.stop - stretch.start) for stretch in stretches)
    return right / painted if painted else None


def _is_hard(join: JudgedJoin) -> bool:
    """Whether a join may be seen: far from what would have come, or less far and rougher than nearly all windows."""
    return join.distance > POOR or (join.distance > FAIR and join.share_calmer > HARD)


def _label_part(stretch: Stretch, fps: float, reasons: Sequence[Reason]) -> Part:
    name = f"{_words(stretch)}, {stretch.start / fps:.2f} to {stretch.stop / fps:.2f} s: frames that miss it"
    why = "" if stretch.is_met else _why_missed(stretch, fps, reasons)
    return Part(name, 100 * (1 - stretch.right), "%", WRONG_ALLOWED, stretch.is_met, why, stretch.start)


def _why_missed(stretch: Stretch, fps: float, reasons: Sequence[Reason]) -> str:
    """When it is missed, and the reasons for that."""
    times = [f"{a / fps:.2f} to {b / fps:.2f} s ({word})" for a, b, word in stretch.missed]
    own = [
        reason.sentence
        for reason in reasons
        if not reason.at_cut and reason.labels[0] == stretch.label and stretch.start <= reason.start < stretch.stop
    ]
    more = " and more" if len(times) > MOST_LISTED else ""
    return "; ".join([f"missed at {', '.join(times[:MOST_LISTED])}{more}", *own])


def _hard_cut_notes(reasons: Sequence[Reason]) -> list[str]:
    """Very hard cuts, the first few of them."""
    cuts = [f"very hard cut at {reason.sentence}" for reason in reasons if reason.at_cut]
    rest = len(cuts) - MOST_LISTED
    return [*cuts[:MOST_LISTED], *([f"{rest} more very hard cuts"] if rest > 0 else [])]


def _advice(reasons: Sequence[Reason]) -> list[str]:
    """What would help, each only once."""
    return [*dict.fromkeys(f"to help: {reason.advice}" for reason in reasons)]


def _forced_part(judged: JudgedClip, fps: float) -> Part:
    clip, error = judged.clip, 100 * judged.error
    frames = (
        f"frame {judged.take_start:g}"
        if clip.n_frames == 1
        else f"frames {judged.take_start:g} to {judged.take_stop - 1:g}"
    )
    met = judged.in_time and error <= POSE_ALLOWED
    why = ""
    if not judged.in_time:
        why = "other frames are played there"
    elif not met:
        why = f"{judged.joint} is farthest off, at {judged.frame / fps:.2f} s"
    name = f"{clip.name} {frames} at {clip.at / fps:.2f} s: pose off by"
    return Part(name, error, "cm", POSE_ALLOWED, met, why, clip.at)


def _forced_warnings(forced: Sequence[JudgedClip], fps: float) -> list[str]:
    """A sentence for every forced clip around which less of its own recording is played than it should bring."""
    return [
        f"warning: {judged.clip.name} at {judged.clip.at / fps:.2f} s brings {count(judged.n_own, 'frame')} of its own "
        f"recording, not {MOST_BROUGHT}: {judged.short or 'the join beside it plays others'}"
        for judged in forced
        if judged.n_own < MOST_BROUGHT
    ]


def _join_lines(joins: Sequence[JudgedJoin], fps: float) -> list[Measured]:
    return [
        Measured(
            f"join at {join.frame / fps:.2f} s; acceleration",
            join.peak,
            "x the bar",
            note=(
                f"{_hardness(join)} windows without a join, in {join.joint}; "
                f"{join.distance:.2f} usual distances; {join.join.describe()}"
            ),
        )
        for join in joins
    ]


def _output_lines(judged: Sequence[JudgedOutput], fps: float) -> list[Measured]:
    """What a classifier finds of painted stretches in the motion, beside the uncut frames that it is from."""
    return [
        Measured(
            f"{_words(seen.stretch)}, {seen.stretch.start / fps:.2f} to {seen.stretch.stop / fps:.2f} s; as classified",
            100 * seen.output,
            "%",
            usual=100 * seen.source,
            note="of the frames that come out; usual: of the same frames uncut",
        )
        for seen in judged
    ]


def _words(stretch: Stretch) -> str:
    return f"must {stretch.label}" if stretch.value == MUST else f"must not {stretch.label}"


def _hardness(join: JudgedJoin) -> str:
    share = round(100 * join.share_calmer)
    return f"harder than {share} % of" if share else "calmer than nearly all"


def _place_lines(places: Sequence[JudgedPlace], fps: float) -> list[Measured]:
    """Misses of places, with what they were before the path was bent."""
    lines = []
    for judged in places:
        when = f"at {judged.place.frame / fps:.2f} s"
        if judged.place.position is not None:
            miss, before = judged.position, judged.position_before
            lines.append(Measured(f"distance from the place {when}", miss, "m", before=before))
        if judged.place.heading is not None:
            after, before = (float(np.degrees(angle)) for angle in (judged.heading, judged.heading_before))
            lines.append(Measured(f"turned from the heading {when}", after, "deg", before=before))
    return lines


def _tracks(problem: Problem, frames: np.ndarray) -> list[dict[str, Any]]:
    """Every label of the request over time, as runs (start, stop, value) without those of 0.

    `paint` is what is asked (+1 must, -1 must not), `holds` what the frames have (+1 holds, -1 does not; 0 unknown).
    """
    holds = problem.tracks[frames]
    return [
        {
            "label": label,
            "paint": [run for run in find_equal_runs(problem.paint[:, column]) if run[2]],
            "holds": [run for run in find_equal_runs(holds[:, column]) if run[2]],
        }
        for column, label in enumerate(problem.labels)
    ]


def _pieces(model: Model, plan: Plan) -> list[dict[str, Any]]:
    """The pieces of a plan: frames [start, stop) of the answer, which are [take_start, take_stop) of a take."""
    pieces = []
    for begin, piece in zip(plan.begins, plan.pieces):
        first, _ = model.view.range_of(piece.name)
        recorded = model.view.source_frames[first + piece.start : first + piece.stop]
        pieces.append(
            {
                "start": begin,
                "stop": begin + piece.n_frames,
                "take": piece.name,
                "take_start": float(recorded[0]),
                "take_stop": float(recorded[-1]) + 1,
            }
        )
    return pieces


def _piece_notes(pieces: Sequence[dict[str, Any]]) -> list[str]:
    return [
        f"frames {piece['start']} to {piece['stop'] - 1} are {piece['take']}, frames {piece['take_start']:g} to "
        f"{piece['take_stop'] - 1:g}"
        for piece in pieces
    ]


def _alternative(model: Model, answer: Solution) -> dict[str, Any]:
    numbers = np.unique(model.motion_of[answer.frames])
    costs = answer.costs
    return {
        "cost": costs.total,
        "labels": costs.labels,
        "cuts": costs.cuts,
        "places": costs.places,
        "n_cuts": len(find_cuts(model, answer.frames)),
        "takes": [model.view.names[number] for number in numbers],
    }


def _alternative_notes(alternatives: Sequence[dict[str, Any]]) -> list[str]:
    return [
        f"another motion costs {other['cost']:.1f} with {other['n_cuts']} cuts, from {', '.join(other['takes'])}"
        for other in alternatives
    ]


def _label_data(stretch: Stretch) -> dict[str, Any]:
    return {
        "label": stretch.label,
        "value": "must" if stretch.value == MUST else "must_not",
        "start": stretch.start,
        "stop": stretch.stop,
        "right": stretch.right,
        "percent": whole_percent(stretch.right),
        "right_inside": stretch.right_inside,
        "met": stretch.is_met,
        "runs": stretch.runs,
    }


def _output_data(judged: JudgedOutput) -> dict[str, Any]:
    return {
        "label": judged.stretch.label,
        "value": "must" if judged.stretch.value == MUST else "must_not",
        "start": judged.stretch.start,
        "stop": judged.stretch.stop,
        "output": judged.output,
        "source": judged.source,
    }


def _reason_data(reason: Reason) -> dict[str, Any]:
    return {
        "labels": list(reason.labels),
        "start": reason.start,
        "stop": reason.stop,
        "kind": reason.kind,
        "sentence": reason.sentence,
        "advice": reason.advice,
        "at_cut": reason.at_cut,
    }


def _join_data(join: JudgedJoin) -> dict[str, Any]:
    return {
        "frame": join.frame,
        "before": join.before,
        "leave": join.leave,
        "after": join.after,
        "enter": join.enter,
        "kind": join.join.kind,
        "seconds": join.join.seconds,
        "distance": join.distance,
        "peak": join.peak,
        "joint": join.joint,
        "share_calmer": join.share_calmer,
        "is_hard": _is_hard(join),
    }


def _forced_data(one: JudgedClip) -> dict[str, Any]:
    return {
        "start": one.clip.at,
        "stop": one.clip.stop,
        "take": one.clip.name,
        "take_start": one.take_start,
        "take_stop": one.take_stop,
        "in_time": one.in_time,
        "weight": one.weight,
        "error": one.error,
        "frame": one.frame,
        "joint": one.joint,
        "own_frames": one.n_own,
        "why_fewer": one.short if one.n_own < MOST_BROUGHT else "",
    }


def _place_data(one: JudgedPlace) -> dict[str, Any]:
    place = one.place
    return {
        "frame": place.frame,
        "position": place.position,
        "heading": place.heading,
        "position_miss_before": one.position_before,
        "heading_miss_before": one.heading_before,
        "position_miss": one.position,
        "heading_miss": one.heading,
        "met": one.position <= POSITION_ALLOWED and one.heading <= np.radians(HEADING_ALLOWED),
    }
