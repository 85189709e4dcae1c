"""The tour's build-up: a fight that is built pose by pose, and ends where it began."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from motionloom.cli.tour.gallery import VIDEO_SIZE, Exhibit

if TYPE_CHECKING:
    from motionloom.corpus import Corpus

FOLDER = "sequences"
NAME = "punch_and_return"
REQUEST = {
    "takes": ["fight/*"],
    "groups": 24,
    "steps": [
        {"pose": {"label": "punch"}, "place": [0.4, 0.6], "within": 1.5},
        {"pose": {"label": "dodge"}, "place": [-0.4, 0.6], "within": 1.5},
        {"pose": {"label": "kick"}, "place": [0.0, 0.3], "within": 1.5},
        {"place": [0.0, 0.0], "within": 1.5, "exact": True},
    ],
}


def make_build_up(corpus: Corpus, folder: Path) -> Exhibit:
    """Build the sequence, with its request as a file and a picture of the poses to choose from."""
    from motionloom.assembly import prepare_for, realize, solve
    from motionloom.methods import buildup
    from motionloom.methods.buildup.sheets import draw_palette
    from motionloom.methods.result_files import write_character

    request = buildup.Request.from_data(REQUEST)
    (folder / FOLDER).mkdir(exist_ok=True)
    request.write(folder / FOLDER / f"{NAME}.yaml")
    model = prepare_for(buildup, corpus, request)
    result = realize(buildup, solve(buildup, model, request)[0], model)
    endings = (".png", ".mp4", ".glb", ".bvh", "_report.json")
    sheet, video, glb, bvh, report = (folder / f"sequence_{NAME}{ending}" for ending in endings)
    draw_palette(sheet, model, "poses to choose from")
    for path in (video, glb, bvh):
        write_character(path, result, name=NAME, video_size=VIDEO_SIZE)
    result.report.write(report)
    labels = [f"{model.groups.n_groups} poses", f"{len(request.steps)} steps"]
    return Exhibit(f"sequence/{NAME}", labels, result.motion.duration, sheet, video, (glb, bvh, report))
