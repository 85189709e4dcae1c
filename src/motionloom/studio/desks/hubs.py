"""The desk that builds hub graphs: a desk of its own, so that nobody who looks at distances waits for it."""

import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from motionloom.studio.desks.opening import open_lent
from motionloom.tasks import Task


class HubsDesk:
    """Builds what was authored."""

    def __init__(self, folder: Path, can_write: bool) -> None:
        self.corpus = open_lent(folder, can_write)

    def warm_up(self, task: Task) -> None:
        """Load what building needs."""
        from motionloom.methods.snap import building, exporting  # noqa: F401

    def build(
        self, task: Task, request: dict[str, Any], takes: list[str], hubs: list[tuple[str, list[int]]]
    ) -> dict[str, Any]:
        """Build a graph; gives the bytes of its file and all that is to be told about it.

        Args:
            task: hears of progress.
            request: a `GraphRequest` as plain data.
            takes: that it chooses.
            hubs: name and match frames of each, over all frames of the takes.
        """
        from motionloom.conform import make_view
        from motionloom.methods.snap.building import BuildSettings, HubSet, build
        from motionloom.methods.snap.exporting import hubs_bytes
        from motionloom.methods.snap.graph_request import GraphRequest

        began = time.perf_counter()
        wanted = GraphRequest.from_data(request)
        task.progress(0, 0, "reading takes")
        view = make_view(self.corpus, takes)
        task.check()
        built = build(
            view,
            [HubSet(name, np.array(frames, np.int64)) for name, frames in hubs],
            BuildSettings(w_min=wanted.w_min),
            progress=lambda done, total: task.progress(done, total, "bending takes"),
        )
        report = built.report
        return {
            "file": hubs_bytes(built.graph),
            "seconds": time.perf_counter() - began,
            "hubs": [asdict(one) for one in report.hubs],
            "mean_displacement": report.mean_displacement,
            "worst_displacement": report.worst_displacement,
            "worst_where": report.worst_where,
            "planted_step_mm": report.planted_step_mm,
            "notes": list(report.notes),
            "statistics": {
                "hubs": built.graph.n_hubs,
                "clips": len(built.graph.clips),
                "seconds": float(built.graph.seconds.sum()),
                "branching": 0.0,
                "mean_wait": None,
                "worst_wait": None,
                "turns": None,
            },
            "dead_ends": [],
        }
