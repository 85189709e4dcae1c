"""The tour's directed face: expressions that are held, and what recordings tell of the ways between them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from motionloom.cli.tour.directed import FOLDER
from motionloom.cli.tour.gallery import VIDEO_SIZE, Exhibit

if TYPE_CHECKING:
    from motionloom.corpus import Corpus

NAME = "face_from_five_poses"
REQUEST = {
    "poses": [
        {"at": "0s", "pose": {"take": "face/happiness", "frame": 40}, "name": "neutral"},
        {"at": ["0.8s", "1.4s"], "pose": {"take": "face/happiness", "frame": 660}, "name": "happy"},
        {"at": ["2.2s", "2.8s"], "pose": {"take": "face/anger", "frame": 640}, "name": "angry"},
        {"at": ["3.6s", "4.2s"], "pose": {"take": "face/disgust", "frame": 660}, "name": "disgusted"},
        {"at": "5s", "pose": {"take": "face/disgust", "frame": 40}, "name": "neutral again"},
    ],
    "prior": {"takes": ["face/*"]},
}


def make_directed_face(corpus: Corpus, folder: Path) -> Exhibit:
    """Make the motion of the markers, with its request as a file."""
    from motionloom.assembly import prepare_for, realize, solve
    from motionloom.methods import dynamics
    from motionloom.methods.result_files import write_character

    request = dynamics.Request.from_data(REQUEST)
    (folder / FOLDER).mkdir(exist_ok=True)
    request.write(folder / FOLDER / f"{NAME}.yaml")
    model = prepare_for(dynamics, corpus, request)
    result = realize(dynamics, solve(dynamics, model, request)[0], model)
    endings = (".png", ".mp4", ".glb", ".csv", "_report.json")
    sheet, video, glb, csv, report = (folder / f"directed_{NAME}{ending}" for ending in endings)
    for path in (sheet, video, glb, csv):
        write_character(path, result, name=NAME, video_size=VIDEO_SIZE)
    result.report.write(report)
    labels = [f"{len(request.poses)} key poses", f"{len(model.prior.vectors.names)} markers"]
    return Exhibit(f"directed/{NAME}", labels, result.character.motion.duration, sheet, video, (glb, csv, report))
