"""Pose sheets and turn charts of a hub graph."""

from pathlib import Path

import numpy as np

from motionloom.body import NeutralPose
from motionloom.corpus import read_neutral_pose
from motionloom.graphs.view_measures import measure_view_points
from motionloom.methods.snap.builder.hub_poses import ground_of
from motionloom.methods.snap.graph.statistics import turn_coverage
from motionloom.methods.snap.model import Model, stance_of
from motionloom.motion import Box, concatenate, invert, place
from motionloom.motion.angles import wrap_angles
from motionloom.motion.motion import cut
from motionloom.motion.placement import compose
from motionloom.render import HubPoses, TurnFan, write_pose_sheet, write_turn_chart
from motionloom.similarity import align_set


def draw_hubs(path: str | Path, model: Model, title: str = "") -> None:
    """Draw, for every hub, its aligned match frames overlaid, and its common pose beside them."""
    measure = measure_view_points(model.view)
    hubs, neutral = [], read_neutral_pose(model.view.corpus, model.view.skeleton) or NeutralPose()
    reports = {report.name: report for report in model.report.build.hubs}
    for number in range(model.graph.n_hubs):
        report = reports[model.graph.nodes[number].name]
        frames = match_frames(model, number)
        aligned = align_set(measure, frames.tolist())
        base = model.view.pose(int(frames[aligned.base]))
        home = invert(ground_of(base, 0))
        laid = [
            place(model.view.pose(int(frame)), compose(home, to_base))
            for frame, to_base in zip(aligned.frames, aligned.to_base)
        ]
        takes = {model.view.origin(int(frame)).take for frame in frames}
        facts = (
            f"{len(frames)} match frames of {len(takes)} takes, moved {100 * report.mean_displacement:.1f} cm on "
            f"average; stands on {stance_of(report).replace('_', ' ')}"
        )
        common = cut(model.graph.hub_motion(number), 1, 2)
        hubs.append(HubPoses(report.name, concatenate(laid), common, facts, boxes_below(model, number), neutral))
    write_pose_sheet(path, hubs, title)


def boxes_below(model: Model, hub: int) -> tuple[Box, ...]:
    """What the common pose of a hub stands on: in the first frame of a clip that leaves it."""
    clips = model.graph.leaving[hub][:1]
    return tuple(s.box for clip in clips for s in model.graph.footing(clip).supports if s.start == 0)


def match_frames(model: Model, hub: int) -> np.ndarray:
    """(N,) the match frames of a hub at which clips of the graph begin or end, over all frames of the view."""
    found = set()
    for clip in model.graph.clips:
        start, _ = model.view.range_of(clip.motion)
        found |= {start + clip.start} if clip.source == hub else set()
        found |= {start + clip.stop} if clip.target == hub else set()
    return np.array(sorted(found), np.int64)


def draw_turns(path: str | Path, model: Model, title: str = "") -> None:
    """Draw the paths of the clips that leave every hub, and the turns of one and of two clips in a row."""
    graph = model.graph
    turns = model.planner.controls.turn
    fans = []
    for hub in range(graph.n_hubs):
        clips = [clip for clip in graph.leaving[hub] if graph.leaving[graph.clips[clip].target]]
        ways = [
            np.concatenate([graph.clip_motion(clip).root_positions[:, [0, 2]], graph.placements[clip : clip + 1, :2]])
            for clip in clips
        ]
        coverage = turn_coverage(graph, hub)
        single = np.degrees(wrap_angles(np.radians(coverage.one_clip)))
        title_of = f"{coverage.hub}: {len(clips)} clips, widest gap {coverage.largest_gap:.0f} degrees"
        fans.append(TurnFan(title_of, ways, np.degrees(turns[clips]).tolist(), single, np.array(coverage.two_clips)))
    write_turn_chart(path, fans, title)
