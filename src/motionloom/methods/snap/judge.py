"""Judging: how well a graph walk does the steps that were asked for."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from motionloom.assembly import Answer, Bent, Part, Performed, Plan, Result, measure_performed
from motionloom.assembly.requests.times import frames_of
from motionloom.methods.snap.model import Model
from motionloom.methods.snap.play.graph_walk import TakenClip, start_of, wished_clips
from motionloom.methods.snap.request import USUAL_HEADING_WITHIN, Request, Step
from motionloom.methods.snap.search import State
from motionloom.motion import Placement, compose
from motionloom.motion.angles import wrap_outside
from motionloom.tasks import Stop, check_stop

SPEED_ALLOWED = 0.4  # metres per second
CURVATURE_ALLOWED = 0.3  # 1 / metre
DIRECTION_ALLOWED = 30.0  # degrees


@dataclass(frozen=True, eq=False)
class PlayedClip:
    """A clip as a plan plays it."""

    clip: int
    step: int | None
    start: int  # frames [start, stop) of the motion
    stop: int
    ends_at: Placement  # where its target node lies
    is_whole: bool


def judge(
    performed: Performed[State],
    model: Model,
    *,
    quick: bool = False,
    others: Sequence[Answer[State]] = (),
    stop: Stop | None = None,
) -> Result:
    """The result of a performed graph walk, with its report.

    Args:
        performed: from `perform`.
        model: that the answer was found with.
        quick: leave out what takes long: quality.
        others: not used: there is one graph walk.
        stop: asked once; if it answers True, `Stopped` is raised.
    """
    check_stop(stop)
    (played,), state = performed.played, performed.answer.state
    result = measure_performed(performed, model.yardsticks, quick=quick)
    request, clips = state.request, played_clips(model, played.plan, state.taken)
    parts = [part for number in range(len(request.steps)) for part in judge_step(model, request, clips, number)]
    if request.length is not None:
        parts.append(_length_part(result.motion.n_frames, request, model))
    report = replace(
        result.report,
        parts=(*parts, *result.report.parts),
        notes=(*result.report.notes, *_notes(model, clips)),
        details={"fps": model.fps, "n_frames": result.motion.n_frames, "clips": _clip_data(model, played.plan, clips)},
    )
    return replace(result, report=report)


def played_clips(model: Model, plan: Plan, taken: Sequence[TakenClip]) -> list[PlayedClip]:
    """The clips of a graph walk as its plan plays them."""
    clips = []
    for begin, piece, walked in zip(plan.begins, plan.pieces, taken):
        ends_at = compose(piece.placement, model.graph.placement(walked.clip))
        is_whole = piece.n_frames == model.planner.lengths[walked.clip]
        clips.append(PlayedClip(walked.clip, walked.step, begin, begin + piece.n_frames, ends_at, is_whole))
    return clips


def judge_step(model: Model, request: Request, clips: Sequence[PlayedClip], number: int) -> list[Part]:
    """How well one step of a request was done."""
    step = request.steps[number]
    own = [clip for clip in clips if clip.step == number]
    before = [clip for clip in clips if clip.step is not None and clip.step < number]
    begin = own[0].start if own else before[-1].stop if before else 0
    name = f"step {number + 1} at {begin / model.fps:.2f} s, {step.describe()}"
    if step.place is not None:
        _, start = start_of(model.graph, request.start)
        at = own[-1].ends_at if own else before[-1].ends_at if before else start
        parts = _place_parts(name, step, at, bool(own) or _is_near(step, at))
    elif step.control is not None:
        parts = _control_parts(model, name, step, own)
    else:
        parts = [_word_part(model, name, step, own, is_cut=bool(clips) and not clips[-1].is_whole)]
    last = clips[-1].stop - 1 if clips else 0
    return [replace(part, frame=min(begin, last)) for part in parts]


def _word_part(model: Model, name: str, step: Step, own: Sequence[PlayedClip], is_cut: bool) -> Part:
    """Clips that were asked for by name: the waiting time for each, and how many are missing."""
    wished = set(wished_clips(model.graph, step))
    done = [played for played in own if played.clip in wished]
    waited = (
        sum(played.stop - played.start for played in own if played.clip not in wished) / model.fps / max(len(done), 1)
    )
    met = len(done) >= step.times and all(played.is_whole for played in done)
    why = ""
    if len(done) < step.times:
        reason = "the length that was asked ends before it" if is_cut else "there is no way to it in the graph"
        why = f"played {len(done)} of {step.times} times; {reason}"
    elif not met:
        why = "the length that was asked cuts it off"
    return Part(f"{name}: wait for it", waited, "s", None, met, why)


def _place_parts(name: str, step: Step, at: Placement, is_done: bool) -> list[Part]:
    assert step.place is not None
    distance = float(np.linalg.norm(at.slide - np.array(step.place)))
    never = "" if is_done else "the length that was asked ends before it"
    far = (
        never or "no graph walk that was looked at ends nearer; allow more with `within`, or give the graph more turns"
    )
    near = distance <= step.within and is_done
    parts = [Part(f"{name}: distance", distance, "m", step.within, near, "" if near else far)]
    if step.heading is not None:
        off = abs(float(np.degrees(wrap_outside(np.array(at.heading - np.radians(step.heading))))))
        met = off <= USUAL_HEADING_WITHIN and is_done
        parts.append(Part(f"{name}: heading off by", off, "deg", USUAL_HEADING_WITHIN, met, "" if met else far))
    return parts


def _is_near(step: Step, at: Placement) -> bool:
    assert step.place is not None
    return float(np.linalg.norm(at.slide - np.array(step.place))) <= step.within


def _control_parts(model: Model, name: str, step: Step, own: Sequence[PlayedClip]) -> list[Part]:
    """What came out beside what was wished for, over all clips of the step."""
    assert step.control is not None
    wish, controls = step.control, model.planner.controls
    if not own:
        return [Part(f"{name}: seconds", 0.0, "s", None, False, "no clip was played for it: the time is too short")]
    clips = [played.clip for played in own]
    path, turn, seconds = (getattr(controls, what)[clips].sum() for what in ("path", "turn", "seconds"))
    away = np.degrees(np.abs(wrap_outside(controls.direction[clips] - np.radians(wish.direction or 0.0))))
    wide = "no clip of the graph that can follow does it better"
    lines = (
        ("speed", wish.speed, path / seconds, "m/s", SPEED_ALLOWED),
        ("curvature", wish.curvature, turn / max(path, 1e-9), "1/m", CURVATURE_ALLOWED),
        ("direction", None if wish.direction is None else 0.0, float(away.mean()), "deg", DIRECTION_ALLOWED),
    )
    parts = []
    for what, wished, found, unit, allowed in lines:
        if wished is not None:
            off = abs(float(found) - wished)
            parts.append(
                Part(f"{name}: {what} off by", off, unit, allowed, off <= allowed, "" if off <= allowed else wide)
            )
    return parts


def _length_part(n_frames: int, request: Request, model: Model) -> Part:
    assert request.length is not None
    missing = frames_of(request.length, model.fps) - n_frames
    why = "" if not missing else "the graph walk ends where a take ends; remove dead ends with `mend: remove`"
    return Part(f"length {request.length}: frames missing", float(missing), "", 0.0, missing == 0, why)


def _notes(model: Model, clips: Sequence[PlayedClip]) -> list[str]:
    played = [f"{clip.start / model.fps:.2f} s  {model.graph.clips[clip.clip].name}" for clip in clips]
    return [f"clips: {'; '.join(played)}"]


def _clip_data(model: Model, plan: Plan, clips: Sequence[PlayedClip]) -> list[dict[str, Any]]:
    data = []
    for played, piece in zip(clips, plan.pieces):
        assert isinstance(piece.source, Bent)
        clip, frames = model.graph.clips[played.clip], piece.source.frames
        data.append(
            {
                "start": played.start,
                "stop": played.stop,
                "clip": clip.name,
                "step": played.step,
                "from": model.graph.nodes[clip.source].name,
                "to": model.graph.nodes[clip.target].name,
                "take": clip.motion,
                "take_start": float(frames[0]),
                "take_stop": float(frames[piece.stop - 1]) + 1,
            }
        )
    return data
