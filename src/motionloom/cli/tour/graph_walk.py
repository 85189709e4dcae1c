"""The tour's new motion: a random graph walk through a few takes, joined and with its feet planted."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from motionloom.cli.tour.gallery import VIDEO_SIZE, Exhibit

if TYPE_CHECKING:
    from motionloom.assembly import Plan
    from motionloom.conform import View
    from motionloom.corpus import Corpus

TAKES = ("walk/corners_left", "walk/about_face_1", "walk/figure_eight", "walk/stop_and_go", "run/walk_run_walk_1")
SECONDS = 12.0
NAME = "new/graph_walk"


def make_new_motion(corpus: Corpus, folder: Path, seed: int) -> Exhibit:
    """Make the motion of a random graph walk through the takes, with its report and foot chart."""
    from motionloom import render
    from motionloom.assembly import assemble, learn_yardsticks
    from motionloom.conform import make_view
    from motionloom.features.feet import foot_points
    from motionloom.methods.result_files import write_character

    view = make_view(corpus, TAKES)
    plan = plan_graph_walk(view, seed)
    loose = assemble(plan, view, footplants=None).motion
    result = assemble(plan, view, yardsticks=learn_yardsticks(view))
    flat = NAME.replace("/", "_")
    sheet, video, model, bvh, chart, report = (
        folder / f"{flat}{ending}" for ending in (".png", ".mp4", ".glb", ".bvh", "_feet.png", "_report.json")
    )
    for path in (sheet, video, model, bvh):
        write_character(path, result, name=NAME, video_size=VIDEO_SIZE)
    before, after = foot_points(loose, 0.0), foot_points(result.motion, 0.0, like=loose)
    tracks = render.FootTracks(before, after, result.contacts, 0.0, view.fps)
    render.write_foot_chart(chart, tracks, f"{NAME}: feet as joined, and planted")
    result.report.write(report)
    labels = [f"{len(plan.pieces)} clips", f"{len(plan.joins)} joins"]
    return Exhibit(NAME, labels, result.motion.duration, sheet, video, (model, bvh, chart, report))


def plan_graph_walk(view: View, seed: int) -> Plan:
    """A plan of a random walk through the transition graph of a view."""
    import numpy as np

    from motionloom.assembly import plan_clips
    from motionloom.graphs import clips_along, random_walk, transition_graph_of

    graph = transition_graph_of(view).graph
    walk = random_walk(graph, SECONDS, np.random.default_rng(seed), min_stay=1.5)
    clips = clips_along(graph, walk, n_frames=round(SECONDS * view.fps))
    return plan_clips(view, clips, request={"random graph walk": seed})
