"""The tour's timelines: a few requests, written as files to change and run again, and their results."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from motionloom.cli.tour.gallery import VIDEO_SIZE, Exhibit

if TYPE_CHECKING:
    from motionloom.corpus import Corpus
    from motionloom.methods.timeline import Model, Request

FOLDER = "requests"
TAKES = ["walk/*", "run/*", "wave/*", "jump/*", "stumble/*", "push/*"]
REQUESTS = {  # by name, as JSON values
    "stumble_run_jump": {
        "length": "8s",
        "labels": [
            {"label": "stumble", "from": "1.4s", "to": "2.1s"},
            {"label": "run", "from": "3s"},
            {"label": "jump", "from": "6s", "to": "6.5s"},
        ],
        "takes": TAKES,
    },
    "walk_then_wave": {
        "length": "7s",
        "labels": [
            {"label": "walk"},
            {"label": "wave", "to": "3.3s", "value": "must_not"},
            {"label": "wave", "from": "3.8s"},
        ],
        "takes": TAKES,
    },
    "push_while_running": {
        "length": "8s",
        "labels": [{"label": "run", "to": "2.8s"}, {"label": "run", "from": "5.4s"}],
        "frames": [{"at": "4s", "take": "push/walking", "frame": 300}],
        "takes": TAKES,
    },
    "run_there_and_back": {
        "length": "8s",
        "labels": [
            {"label": "run", "from": "0.5s", "to": "3.5s"},
            {"label": "backwards", "to": "3.5s", "value": "must_not"},
            {"label": "run", "from": "4.8s", "to": "7.5s"},
            {"label": "backwards", "from": "4.8s", "to": "7.5s"},
        ],
        "places": [{"at": "4s", "position": [0.5, 7.0]}, {"position": [0.0, 2.5], "heading": 0.0}],
        "takes": TAKES,
    },
    "walk_to_a_place": {
        "length": "6s",
        "labels": [{"label": "walk", "from": "0.5s", "to": "5.5s"}],
        "places": [{"at": "end", "position": [2.0, 3.0], "heading": 90.0}],
        "takes": TAKES,
    },
}


def make_timelines(corpus: Corpus, folder: Path) -> list[Exhibit]:
    """Write the requests, and make the motion of each: sheet, video, files and report."""
    from motionloom.assembly import Material
    from motionloom.methods.timeline import Request, prepare

    (folder / FOLDER).mkdir(exist_ok=True)
    model = prepare(corpus, Material(takes=tuple(TAKES)))
    exhibits = []
    for name, data in REQUESTS.items():
        request = Request.from_data(data)
        request.write(folder / FOLDER / f"{name}.yaml")
        exhibits.append(_make(model, request, name, folder))
    return exhibits


def _make(model: Model, request: Request, name: str, folder: Path) -> Exhibit:
    from motionloom.assembly import realize, solve
    from motionloom.methods import timeline
    from motionloom.methods.result_files import draw_result, write_character

    result = realize(timeline, solve(timeline, model, request)[0], model)
    endings = (".png", ".mp4", ".glb", ".bvh", "_report.json")
    sheet, video, glb, bvh, report = (folder / f"timeline_{name}{ending}" for ending in endings)
    draw_result(timeline, sheet, result, name.replace("_", " "))
    for path in (video, glb, bvh):
        write_character(path, result, name=name, video_size=VIDEO_SIZE)
    result.report.write(report)
    labels = list(dict.fromkeys(paint.label for paint in request.labels))
    return Exhibit(f"timeline/{name}", labels, result.motion.duration, sheet, video, (glb, bvh, report))
