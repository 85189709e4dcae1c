"""The tour's directed motion: two key poses and when the feet rest, beside a straight line between them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from motionloom.cli.tour.gallery import VIDEO_SIZE, Exhibit

if TYPE_CHECKING:
    from motionloom.corpus import Corpus

FOLDER = "directed"
NAME = "walk_from_two_poses"
REQUEST = {
    "poses": [
        {"at": "0s", "pose": {"take": "walk/normal_2", "frame": 200}, "as_recorded": True},
        {"at": "2s", "pose": {"take": "walk/normal_2", "frame": 320}, "as_recorded": True},
    ],
    "contacts_like": {"take": "walk/normal_2", "frame": 200},
    "prior": {"takes": ["walk/normal_1", "walk/normal_3"]},
}


def make_directed(corpus: Corpus, folder: Path) -> Exhibit:
    """Make the motion, with its request as a file and a sheet that shows it beside the line."""
    from motionloom.assembly import prepare_for, realize, solve
    from motionloom.methods import dynamics
    from motionloom.methods.result_files import write_character
    from motionloom.render import ComparedBody, write_comparison_sheet

    request = dynamics.Request.from_data(REQUEST)
    (folder / FOLDER).mkdir(exist_ok=True)
    request.write(folder / FOLDER / f"{NAME}.yaml")
    model = prepare_for(dynamics, corpus, request)
    result, line = (
        realize(dynamics, solve(dynamics, model, asked)[0], model)
        for asked in (request, replace(request, method="linear"))
    )
    endings = (".png", ".mp4", ".glb", ".bvh", "_report.json")
    sheet, video, glb, bvh, report = (folder / f"directed_{NAME}{ending}" for ending in endings)
    bodies = [
        ComparedBody("what walks teach fills in the rest", result.motion),
        ComparedBody("a straight line between the poses, with the same contacts", line.motion),
    ]
    write_comparison_sheet(sheet, bodies, "two key poses, two seconds apart")
    for path in (video, glb, bvh):
        write_character(path, result, name=NAME, video_size=VIDEO_SIZE)
    result.report.write(report)
    labels = [f"{len(request.poses)} key poses", "contacts"]
    return Exhibit(f"directed/{NAME}", labels, result.motion.duration, sheet, video, (glb, bvh, report))
