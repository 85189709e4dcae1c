"""Timelines on the server: searches whose answers are sent to the pages, and what becomes of an answer."""

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from motionloom.assembly import Result, check_new_take, keep_characters, write_result
from motionloom.conform.label_tracks import LAYER_WORDS
from motionloom.errors import BadInput
from motionloom.methods.timeline.report.coverage import count_labels
from motionloom.methods.timeline.request import Request
from motionloom.studio.desks import METHOD
from motionloom.studio.server.messages.session import Job
from motionloom.studio.server.messages.timeline import (
    AnswerTold,
    Costs,
    LabelRun,
    MissReason,
    PaintableLabel,
    PaintedStretch,
    PlayedClip,
    PlayedJoin,
    PlayedPiece,
    ReachedPlace,
    ReportLine,
    ReportPart,
    SavedAnswer,
    SearchRequest,
    TimelineAnswer,
)
from motionloom.studio.server.motions import Playable, answers_of
from motionloom.studio.server.studio import Studio

KEY = "timeline"  # one search at a time
DESK = f"{METHOD}timeline"
MEDIA = {
    "bvh": "text/plain",
    "glb": "model/gltf-binary",
    "npz": "application/octet-stream",
    "png": "image/png",
    "mp4": "video/mp4",
    "json": "application/json",
}


@dataclass(frozen=True, eq=False)
class Found:
    """What is kept with an answer."""

    request: Request
    result: Result


def start_search(studio: Studio, wanted: SearchRequest) -> Job:
    """Search what a page asks for, instead of what was searched for before."""
    get_ready(studio, wanted.request)
    ids: dict[int, str] = {}
    job = studio.start(
        DESK,
        "search",
        {"request": wanted.request.to_data(), "revision": studio.revision, "others": wanted.others},
        kind="search",
        title="searching a motion",
        key=KEY,
        quiet=True,
        on_part=lambda part: _keep(studio, wanted, ids, part),
    )
    return job.status


def get_ready(studio: Studio, request: Request) -> None:
    """Let the desk compare what a request chooses from, in a job of its own, which newer searches do not stop."""
    begun: set[tuple] = studio.kept.setdefault("timelines ready", set())
    chosen = (request.takes, request.start_from if request.takes else None, request.fps, studio.revision)
    if chosen in begun:
        return
    begun.add(chosen)
    arguments = {"request": request.to_data(), "revision": studio.revision}
    job = studio.start(DESK, "get_ready", arguments, kind="warm-up", title="getting timeline ready", quiet=True)
    job.future.add_done_callback(lambda done: begun.discard(chosen) if done.exception() else None)


def list_labels(studio: Studio, takes: list[str] | None) -> list[PaintableLabel]:
    """What can be painted with some takes: labels, then what every frame has, a foot on the ground."""
    with studio.corpus() as corpus:
        if not any(info.kind == "body" for info in corpus.infos()):
            return []
        counted = count_labels(corpus, takes)
    said = [
        PaintableLabel(label=one.label, seconds=one.seconds, takes=one.takes, longest=one.longest) for one in counted
    ]
    return said + [PaintableLabel(label=word) for word in sorted(LAYER_WORDS)]


def save_answer(studio: Studio, answer: str, name: str) -> SavedAnswer:
    """Keep an answer as a take, with the labels of the frames that it plays."""
    found = find_answer(studio, answer)
    with studio.corpus(write=True) as corpus:
        check_new_take(corpus, name)
        kept = keep_characters(corpus, name, found.result, method="timeline")
    for duplicate in kept.duplicates:
        raise BadInput(f"'{duplicate}' has the same frames already; nothing was added")
    studio.changed("takes")
    get_ready(studio, found.request)  # takes and labels are read again before the next stroke asks for it
    return SavedAnswer(take=name, labels=kept.n_labels)


def export_answer(studio: Studio, answer: str, ending: str) -> bytes:
    """An answer as a file; the ending says which."""
    found = find_answer(studio, answer)
    if ending == "json":
        return (json.dumps(found.result.report.to_data(), indent=1, allow_nan=False) + "\n").encode()
    if ending == "png":
        arguments = {
            "request": found.request.to_data(),
            "revision": studio.revision,
            "result": found.result,
            "title": "timeline",
        }
        return studio.ask(DESK, "draw", arguments)
    if ending in ("glb", "mp4"):
        return studio.ask("display", "export", {"result": found.result, "ending": ending})
    if ending not in MEDIA:
        raise BadInput(f"an answer cannot be written as '{ending}'; the endings are {', '.join(MEDIA)}")
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"timeline.{ending}"
        if ending == "npz":
            write_result(path, found.result)
        else:
            from motionloom import formats

            formats.write(path, found.result.motion, name=path.stem)
        return path.read_bytes()


def find_answer(studio: Studio, answer: str) -> Found:
    """What is kept with an answer of a search."""
    found = answers_of(studio).find(answer).extra
    if not isinstance(found, Found):
        raise BadInput(f"'{answer}' is no answer of a timeline")
    return found


def _keep(studio: Studio, wanted: SearchRequest, ids: dict[int, str], part: Mapping[str, Any]) -> None:
    """Keep what a search sends, and send it to the pages; the second time a motion is only known better."""
    answers, result = answers_of(studio), part["result"]
    number = part["number"]
    if number not in ids:
        motion = result.motion
        found = Found(wanted.request, result)
        ids[number] = answers.keep(
            Playable(
                name="timeline",
                skeleton=motion.skeleton.digest,
                fps=motion.fps,
                roots=motion.root_positions.astype(np.float32),
                rotations=motion.local_rotations.astype(np.float32),
                steps=part["steps"][0],
                extra=found,
            )
        )
    else:
        answers.update(ids[number], lambda found: dataclasses.replace(found, result=result))
    studio.broadcast.send(AnswerTold(answer=_describe(ids[number], wanted.tag, part)))


def _describe(answer: str, tag: str, part: Mapping[str, Any]) -> TimelineAnswer:
    report, motion = part["result"].report, part["result"].motion
    details = report.details
    painted = sum(one["stop"] - one["start"] for one in details["labels"])
    right = sum(one["right"] * (one["stop"] - one["start"]) for one in details["labels"])
    return TimelineAnswer(
        id=answer,
        tag=tag,
        kind=part["kind"],
        is_whole=part["is_whole"],
        seconds=part["seconds"],
        fps=motion.fps,
        frames=motion.n_frames,
        cost=Costs(**part["costs"]),
        differs=part["differs"],
        share=right / painted if painted else 1.0,
        is_met=report.is_met,
        labels=[
            PaintedStretch(
                **{key: one[key] for key in ("label", "value", "start", "stop", "right")},
                runs=[LabelRun(start=a, stop=b, word=word) for a, b, word in one["runs"]],
            )
            for one in details["labels"]
        ],
        pieces=[PlayedPiece(**one) for one in details["pieces"]],
        joins=[PlayedJoin(**one) for one in details["joins"]],
        forced=[PlayedClip(**{k: one[k] for k in PlayedClip.model_fields}) for one in details["forced"]],
        places=[ReachedPlace(**one) for one in details["places"]],
        reasons=[MissReason(**one) for one in details["reasons"]],
        parts=[ReportPart(**dataclasses.asdict(one)) for one in report.parts],
        quality=[ReportLine(**dataclasses.asdict(one)) for one in report.quality],
        notes=list(report.notes),
    )
