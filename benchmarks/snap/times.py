"""How long it takes from raw files to a graph that plays, and what a person has to do for it."""

from pathlib import Path

from benchmarks.measure import figure
from benchmarks.snap.graphs import PAPERS, made, make, whole_sets

REPEATS = 2  # more runs of the paper's graphs; the best counts
PAPER_MINUTES = {"martial arts": 12, "walking": 20}  # most of it a person who mapped buttons


def figures(data: Path) -> list[dict]:
    """Seconds of machine time for every graph, and actions of a person."""
    found = []
    for graph in PAPERS:
        seconds = min([made(data, graph.name).seconds, *(make(data, graph).seconds for _ in range(REPEATS))])
        found.append(figure(f"{graph.name}; raw files to playable", seconds, "s", "lower"))
        minutes = PAPER_MINUTES.get(graph.name)
        found.append(
            figure(f"{graph.name}; actions of a person", graph.user_actions, "actions", "lower")
            if minutes is None
            else figure(
                f"{graph.name}; actions of a person (paper: minutes)",
                graph.user_actions,
                "actions",
                "lower",
                paper=minutes,
            )
        )
    for graph in whole_sets(data):
        found.append(figure(f"{graph.name}; raw files to playable", made(data, graph.name).seconds, "s", "lower"))
    return found
