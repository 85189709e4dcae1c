"""Searches of any method: a job at the method's desk, whose answers are kept and reported to all pages."""

import asyncio
import dataclasses
import logging
from collections.abc import Mapping
from typing import Any

from motionloom.assembly import Plan
from motionloom.errors import BadInput
from motionloom.methods import known_methods, load
from motionloom.studio.desks import METHOD
from motionloom.studio.server.answers import FoundAnswer, answers_of, motion_id, playable
from motionloom.studio.server.messages.methods import (
    Answer,
    AnswerUpdate,
    MethodDescription,
    ReportMeasure,
    ReportPart,
    SearchRequest,
    ShownCharacter,
    ShownPiece,
)
from motionloom.studio.server.messages.session import Job
from motionloom.studio.server.studio import Studio
from motionloom.studio.server.verdicts import verdict_of

LEARNING = "statistics"  # the kind of job that learns statistics again

log = logging.getLogger("motionloom.studio")


def list_methods() -> list[MethodDescription]:
    """All methods that can be used, with what can be asked of them; of the others the log says why they cannot."""
    described = []
    for name, info in known_methods().items():
        try:
            asked = load(name).Request
        except BadInput as error:
            log.warning("the method '%s' is left out: %s", name, error)
            continue
        schema, example = dict(asked.schema()), asked.parse(asked.example).to_whole_data()
        about = MethodDescription(
            name=name, title=info.title, summary=info.summary, request_schema=schema, example=example
        )
        described.append(about)
    return described


async def start_in_turn(studio: Studio, method: str, wanted: SearchRequest) -> Job:
    """Start a search, in the order in which they were asked for: of two that come at once, the later one stays."""
    turns: asyncio.Lock = studio.kept.setdefault("search turns", asyncio.Lock())
    async with turns:
        return await asyncio.to_thread(start_search, studio, method, wanted)


def start_search(studio: Studio, method: str, wanted: SearchRequest) -> Job:
    """Search what a page asks for, instead of what was searched for with the same method before."""
    request = load(method).Request.from_data(wanted.request)
    get_ready(studio, method, request)
    ids: dict[int, str] = {}
    arguments = {"request": request.to_data(), "revision": studio.revision}
    job = studio.start(
        METHOD + method,
        "search",
        arguments if wanted.others is None else {**arguments, "others": wanted.others},
        kind="search",
        title="searching a motion",
        key=f"search {method}",
        quiet=True,
        for_method=method,
        on_part=lambda part: _keep(studio, method, request, wanted.tag, ids, part),
        after=lambda found: _learn_again(studio, method, request) if found["is_learning_due"] else None,
    )
    return job.status


def get_ready(studio: Studio, method: str, request: Any) -> None:
    """Let the desk prepare what a request chooses from, in a job of its own, which newer searches do not stop."""
    with studio.corpus() as corpus:
        material = load(method).material_of(corpus, request)
    begun: set[tuple] = studio.kept.setdefault("methods ready", set())
    chosen = (method, material, studio.revision)
    if chosen in begun:
        return
    begun.add(chosen)
    arguments = {"request": request.to_data(), "revision": studio.revision}
    job = studio.start(
        METHOD + method,
        "get_ready",
        arguments,
        kind="warm-up",
        title=f"getting {method} ready",
        quiet=True,
        for_method=method,
    )
    job.future.add_done_callback(lambda done: begun.discard(chosen) if done.exception() else None)


def _learn_again(studio: Studio, method: str, request: Any) -> None:
    """Learn the statistics of the corpus again at a desk that no search waits for; later searches use the new ones."""
    if any(job.kind == LEARNING and job.state in ("waiting", "running") for job in studio.jobs.all()):
        return

    def use(_: Any) -> None:
        studio.revision += 1  # the next search prepares with them

    studio.start(
        "statistics",
        "learn_again",
        {"method": method, "request": request.to_data()},
        kind=LEARNING,
        title="over a tenth of the corpus has changed: learning its statistics again",
        quiet=True,
        after=use,
    )


def _keep(studio: Studio, method: str, request: Any, tag: str, ids: dict[int, str], part: Mapping[str, Any]) -> None:
    """Keep what a search sends and broadcast it; the second time, only the report of an answer is newer."""
    answers, result, number = answers_of(studio), part["result"], part["number"]
    if number in ids:
        answers.explain(ids[number], result)
    else:
        motions = tuple(
            playable(character, method, steps) for character, steps in zip(result.characters, part["steps"])
        )
        ids[number] = answers.keep(FoundAnswer(method, request, result, motions))
    studio.broadcast.send(AnswerUpdate(answer=_describe(ids[number], method, tag, part)))


def _describe(answer: str, method: str, tag: str, part: Mapping[str, Any]) -> Answer:
    result = part["result"]
    report, first = result.report, result.characters[0].motion
    return Answer(
        id=answer,
        method=method,
        tag=tag,
        **{key: part[key] for key in ("kind", "is_whole", "seconds", "cost", "costs", "differs")},
        fps=first.fps,
        frames=first.n_frames,
        is_met=report.is_met,
        verdict=verdict_of(report),
        characters=[
            ShownCharacter(
                name=character.name,
                motion=motion_id(answer, number),
                kind="points" if character.contacts is None else "body",
                pieces=_pieces(character.plan),
            )
            for number, character in enumerate(result.characters)
        ],
        parts=[ReportPart(**dataclasses.asdict(part)) for part in report.parts],
        quality=[ReportMeasure(**dataclasses.asdict(measured)) for measured in report.quality],
        notes=list(report.notes),
        details=dict(report.details),
    )


def _pieces(plan: Plan | None) -> list[ShownPiece]:
    if plan is None:
        return []
    return [
        ShownPiece(start=begin, stop=begin + piece.n_frames, name=piece.name)
        for begin, piece in zip(plan.begins, plan.pieces)
    ]
