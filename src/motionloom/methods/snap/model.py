"""What is made from a corpus: a hub graph, and what was found out while it was built."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from motionloom.assembly import Timing, Yardsticks, learn_yardsticks
from motionloom.conform import View
from motionloom.errors import BadInput
from motionloom.formats.atomic_write import replacing
from motionloom.methods.snap.author.graph_request import GraphRequest
from motionloom.methods.snap.builder.build_report import BuildReport, HubReport
from motionloom.methods.snap.builder.connectivity import ConnectivityReport, Fix
from motionloom.methods.snap.graph.hub_graph import HubGraph
from motionloom.methods.snap.graph.statistics import GraphStatistics, describe_statistics, measure_graph
from motionloom.methods.snap.play.planner import Planner
from motionloom.methods.snap.request import Settings


@dataclass(frozen=True, eq=False)
class GraphReport:
    """How a graph came out."""

    build: BuildReport
    connectivity: ConnectivityReport | None = None  # before anything was removed; None in a model that was loaded
    is_mended: bool = False  # whether loose clips were removed
    fixes: tuple[Fix, ...] = ()  # match frames that would connect them
    timings: tuple[Timing, ...] = ()
    notes: tuple[str, ...] = ()  # sentences

    @property
    def seconds(self) -> float:
        """Time of all steps together."""
        return sum(timing.seconds for timing in self.timings)

    def to_data(self) -> dict[str, Any]:
        """As plain data that JSON can hold."""
        connectivity = self.connectivity
        return {
            "build": asdict(self.build),
            "loose": [] if connectivity is None else [part.to_data() for part in connectivity.loose],
            "is_mended": self.is_mended,
            "fixes": [asdict(fix) for fix in self.fixes],
            "timings": [asdict(timing) for timing in self.timings],
            "notes": list(self.notes),
        }


@dataclass(frozen=True, eq=False)
class Model:
    """A hub graph that is ready to be played, walked and exported."""

    view: View
    settings: Settings
    graph: HubGraph
    material: GraphRequest  # that it was built for
    report: GraphReport
    _tables: dict[str, Planner] = field(default_factory=dict)

    @property
    def fps(self) -> float:
        return self.graph.fps

    @property
    def planner(self) -> Planner:
        """Chooses clips; its tables are made when they are first wanted."""
        if "planner" not in self._tables:
            self._tables["planner"] = Planner(self.graph)
        return self._tables["planner"]

    @cached_property
    def yardsticks(self) -> Yardsticks:
        """Of the recordings; learnt when they are first wanted."""
        return learn_yardsticks(self.view)

    @cached_property
    def statistics(self) -> GraphStatistics:
        """The graph in numbers."""
        return measure_graph(self.graph)

    def describe(self) -> str:
        """What a person wants to know about the graph."""
        build = self.report.build
        hubs = [
            f"{hub.name}: {hub.match_frames} match frames, moved {100 * hub.mean_displacement:.1f} cm on average, "
            f"{100 * hub.worst_displacement:.1f} cm at most; stands on {stance_of(hub)}"
            for hub in build.hubs
        ]
        whole = (
            f"takes moved {100 * build.mean_displacement:.1f} cm on average, {100 * build.worst_displacement:.1f} cm "
            f"at most ({build.worst_where}); planted feet move {build.planted_step_mm:.2f} mm a frame at most"
        )
        notes = "\n".join(self.report.notes)
        took = ", ".join(f"{timing.step} {timing.seconds:.2f} s" for timing in self.report.timings)
        parts = [describe_statistics(self.statistics), "\n".join([*hubs, whole]), notes, took]
        return "\n\n".join(part for part in parts if part)

    def is_same(self, other: "Model") -> bool:
        """Whether a search finds the same with both."""
        mine, theirs = self.graph.to_arrays(), other.graph.to_arrays()
        if self.settings != other.settings or mine.keys() != theirs.keys():
            return False
        return all(np.array_equal(mine[key], theirs[key]) for key in mine)

    def save(self, path: str | Path) -> None:
        """Write the graph to a file; `snap export` writes the file that games and web pages play."""
        made_of = {"view": self.view.key, "takes": self.view.names}
        about = json.dumps({**made_of, "request": self.material.to_data(), **self.report.to_data()})
        with replacing(path) as temporary, temporary.open("wb") as file:
            np.savez(file, about=np.frombuffer(about.encode(), np.uint8), **self.graph.to_arrays())  # type: ignore[arg-type]

    @staticmethod
    def load(path: str | Path, view: View, settings: Settings | None = None) -> "Model":
        """Read what `save` wrote, for the same view."""
        with np.load(path, allow_pickle=False) as archive:
            about = json.loads(bytes(archive["about"]))
            if about["view"] != view.key:
                raise BadInput(f"{path} was made from another view; build the graph again")
            if tuple(about.get("takes", view.names)) != view.names:
                raise BadInput(f"{path} was made before takes were renamed; build the graph again")
            graph = HubGraph.from_arrays(archive, view.skeleton)
        report = GraphReport(
            build_report_of(about["build"]),
            None,
            about["is_mended"],
            timings=tuple(Timing(**timing) for timing in about["timings"]),
            notes=tuple(about["notes"]),
        )
        return Model(view, settings or Settings(), graph, GraphRequest.from_data(about["request"]), report)


def stance_of(hub: HubReport) -> str:
    """'left_heel, left_ball 0.30 m above the floor'."""
    points = ", ".join(hub.planted) or "nothing"
    return f"{points} {hub.level:.2f} m above the floor" if hub.level > 0 else points


def build_report_of(data: Mapping[str, Any]) -> BuildReport:
    """A report of building, back from plain data."""
    hubs = tuple(HubReport(**{**hub, "planted": tuple(hub["planted"])}) for hub in data["hubs"])
    classes = tuple(tuple(names) for names in data["classes"])
    return BuildReport(**{**data, "hubs": hubs, "classes": classes, "notes": tuple(data["notes"])})
