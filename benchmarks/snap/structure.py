"""What the graphs are: hubs, clips, what is on buttons, how soon, how well they turn; and how far takes were moved."""

from pathlib import Path

import numpy as np

from benchmarks.measure import figure
from benchmarks.snap.graphs import PAPERS, Made, made, whole_sets
from motionloom.methods.snap.graph.hub_graph import HubGraph
from motionloom.methods.snap.graph.statistics import times_between

PAPER_CLIPS = {"sneak": 7}
PAPER_HUBS = {"sneak": 1, "martial arts": 2, "walking": 1}


def figures(data: Path) -> list[dict]:
    """Everything that can be counted in the graphs."""
    found = []
    for graph in (*PAPERS, *whole_sets(data)):
        one = made(data, graph.name)
        found += [
            figure(f"{graph.name}; seconds of recordings", one.model.view.n_frames / one.model.fps, "s", "higher"),
            figure(f"{graph.name}; hubs", one.model.graph.n_hubs, "hubs", "higher", paper=PAPER_HUBS.get(graph.name)),
            figure(
                f"{graph.name}; clips",
                one.model.report.connectivity.clips if one.model.report.connectivity else len(one.model.graph.clips),
                "clips",
                "higher",
                paper=PAPER_CLIPS.get(graph.name),
            ),
            figure(f"{graph.name}; seconds that can be played for ever", one.model.statistics.seconds, "s", "higher"),
            *_displacement(one),
            *_statistics(one),
        ]
    for name in ("sneak", "martial arts"):
        found += _paper_reach(made(data, name))
    return [*found, *_buttons(made(data, "martial arts")), *_turning(made(data, "walking")), *_ways(data)]


def threshold_of(one: Made) -> float:
    """Metres up to which frames matched."""
    from motionloom.methods.snap.author.compared_view import compare_view

    return one.graph.threshold or compare_view(one.model.view).threshold


def _displacement(one: Made) -> list[dict]:
    build, name = one.model.report.build, one.graph.name
    return [
        figure(
            f"{name}; mean displacement of joints beside the match threshold",
            build.mean_displacement / threshold_of(one),
            "x",
            "lower",
        ),
        figure(f"{name}; mean displacement of joints", 100 * build.mean_displacement, "cm", "lower"),
        figure(f"{name}; worst displacement of a joint", 100 * build.worst_displacement, "cm", "lower"),
        figure(f"{name}; match frames left out as rough", len(build.dropped), "frames", "lower"),
    ]


def _paper_reach(one: Made) -> list[dict]:
    """The same graph with maps that reach to the next match frame or the end of the take, however far that is."""
    from motionloom.blending import DisplacementSettings
    from motionloom.methods.snap.builder.take_bending import TakeBendSettings
    from motionloom.methods.snap.prepare import prepare
    from motionloom.methods.snap.request import Settings

    far = Settings(bend=TakeBendSettings(displacement=DisplacementSettings(reach=1000.0)))
    build = prepare(one.corpus, one.graph.request(), far).report.build
    name = f"{one.graph.name}, with maps as long as the paper's"
    return [
        figure(f"{name}; mean displacement of joints", 100 * build.mean_displacement, "cm", "lower"),
        figure(f"{name}; worst displacement of a joint", 100 * build.worst_displacement, "cm", "lower"),
        figure(f"{name}; match frames left out as rough", len(build.dropped), "frames", "lower"),
    ]


def _statistics(one: Made) -> list[dict]:
    found, name = one.model.statistics, one.graph.name
    figures_of = [figure(f"{name}; clips to choose from at a hub, mean", found.branching.mean, "clips", "higher")]
    if found.waiting is not None:
        figures_of.append(figure(f"{name}; any action to any other, mean", found.waiting.mean, "s", "lower"))
        figures_of.append(figure(f"{name}; any action to any other, worst", found.waiting.worst, "s", "lower"))
    return figures_of


def clips_on(one: Made) -> dict[str, list[int]]:
    """The clips that are dragged onto each button: those that have a frame of it, wherever the graph cuts them."""
    clips = one.model.graph.clips

    def having(take: str, frame: int) -> list[int]:
        return [c for c, clip in enumerate(clips) if clip.motion == take and clip.start <= frame < clip.stop]

    return {
        name: sorted({c for take, frame in done for c in having(take, frame)})
        for name, done in one.graph.buttons.items()
    }


def _buttons(one: Made) -> list[dict]:
    """Whether every button has a clip, and how soon it is played from either stance."""
    graph, on = one.model.graph, clips_on(one)
    between = times_between(graph)
    waits = [
        min((float(between[hub, graph.clips[c].source]) for c in clips), default=np.inf)
        for clips in on.values()
        for hub in range(graph.n_hubs)
    ]
    return [
        figure("martial arts; buttons with a clip", sum(bool(clips) for clips in on.values()), "buttons", "higher"),
        figure("martial arts; longest way from a stance to a button's clip", max(waits), "s", "lower"),
    ]


def _turning(one: Made) -> list[dict]:
    turns = one.model.statistics.turns[0]
    angles = np.array(turns.one_clip)
    return [
        figure("walking; gentlest turn", float(np.abs(angles).min()), "degrees", "lower"),
        figure("walking; sharpest turn left", float(angles.max()), "degrees", "higher"),
        figure("walking; sharpest turn right", float(-angles.min()), "degrees", "higher"),
        figure("walking; largest gap between headings after one clip", turns.largest_gap, "degrees", "lower"),
        figure("walking; largest gap between headings after two clips", turns.largest_gap_two, "degrees", "lower"),
    ]


def _ways(data: Path) -> list[dict]:
    """From walking to both stances and back."""
    graph = made(data, "walking and fighting").model.graph
    between = times_between(graph)
    hubs = {node.name: number for number, node in enumerate(graph.nodes) if node.kind == "hub"}
    return [
        figure(
            "walking and fighting; longest way from walking to a stance",
            _longest(graph, between, hubs, "walk"),
            "s",
            "lower",
        ),
        figure(
            "walking and fighting; longest way from a stance to walking",
            _longest(graph, between.T, hubs, "walk"),
            "s",
            "lower",
        ),
    ]


def _longest(graph: HubGraph, between: np.ndarray, hubs: dict[str, int], start: str) -> float:
    if not {"walk", "left forward", "right forward"} <= hubs.keys():
        return float("inf")
    return max(float(between[hubs[start], number]) for name, number in hubs.items() if name != start)
