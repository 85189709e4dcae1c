"""The tour's hub graph: two ready stances with everything between them, and a graph walk through it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from motionloom.cli.tour.gallery import VIDEO_SIZE, Exhibit

if TYPE_CHECKING:
    from motionloom.corpus import Corpus

FOLDER = "graphs"
NAME = "fighting"
GRAPH = {
    "takes": ["fight/left_stance", "fight/right_stance", "fight/switches", "fight/sparring"],
    "hubs": [{"name": "one stance", "largest": True}, {"name": "other stance", "largest": True}],
}
REQUEST = {
    "steps": [
        {"action": "punch", "times": 2},
        {"action": "kick"},
        {"action": "switch"},
        {"action": "dodge"},
        {"action": "shuffle", "times": 2},
        {"action": "switch"},
        {"action": "punch"},
    ]
}


def make_hub_graph(corpus: Corpus, folder: Path) -> Exhibit:
    """Build the graph, write it to a .hubs file, and make the motion of a graph walk through it."""
    from motionloom.assembly import realize, solve
    from motionloom.methods import snap
    from motionloom.methods.result_files import write_character
    from motionloom.methods.snap.graph.hubs_file import write_hubs
    from motionloom.methods.snap.sheets import draw_hubs

    graph, request = snap.GraphRequest.from_data(GRAPH), snap.Request.from_data(REQUEST)
    (folder / FOLDER).mkdir(exist_ok=True)
    graph.write(folder / FOLDER / f"{NAME}.yaml")
    request.write(folder / FOLDER / "combination.yaml")
    model = snap.prepare(corpus, graph)
    result = realize(snap, solve(snap, model, request)[0], model)
    endings = (".png", ".mp4", ".glb", ".bvh", "_report.json", ".hubs")
    sheet, video, glb, bvh, report, hubs = (folder / f"graph_{NAME}{ending}" for ending in endings)
    draw_hubs(sheet, model, title="fighting: two stances, found by themselves")
    for path in (video, glb, bvh):
        write_character(path, result, name=NAME, video_size=VIDEO_SIZE)
    write_hubs(hubs, model.graph)
    result.report.write(report)
    found = model.statistics
    labels = [f"{found.hubs} hubs", f"{found.clips} clips", *(action.name for action in model.graph.actions)]
    return Exhibit(f"graph/{NAME}", labels, result.motion.duration, sheet, video, (glb, bvh, report, hubs))
