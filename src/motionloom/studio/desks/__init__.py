"""Desks: the objects in the worker processes, one for each kind of heavy work."""

from importlib import import_module
from pathlib import Path
from typing import Any

METHOD = "method "  # before the name of a method: the desk that runs it
DESKS = {  # of workspaces
    "display": "motionloom.studio.desks.display:DisplayDesk",
    "annotate": "motionloom.studio.desks.annotate:AnnotateDesk",
    "snap": "motionloom.studio.desks.match_sets:MatchSetsDesk",
    "hubs": "motionloom.studio.desks.hub_graphs:HubGraphsDesk",
    "buildup": "motionloom.studio.desks.buildup:BuildupDesk",
    "direct": "motionloom.studio.desks.direct:DirectDesk",
    "statistics": "motionloom.studio.desks.statistics:StatisticsDesk",
    "library": "motionloom.studio.desks.library:LibraryDesk",
}


def desk_names() -> list[str]:
    """All desks: those of workspaces, and one for each method."""
    from motionloom.methods import known_methods

    return [*DESKS, *(METHOD + name for name in known_methods())]


def warmed_desks() -> list[str]:
    """Desks that get ready when a corpus is opened, in this order; measuring takes, at the last, may take minutes."""
    from motionloom.methods import known_methods

    methods = [METHOD + name for name, info in known_methods().items() if info.warms_up]
    return ["display", "annotate", *methods, "snap", "hubs", "buildup", "direct", "library"]


def open_desk(name: str, folder: Path, can_write: bool) -> Any:
    """Make the object that works on a corpus; runs in the worker process."""
    if name.startswith(METHOD):
        from motionloom.studio.desks.method import MethodDesk

        return MethodDesk(folder, can_write, name.removeprefix(METHOD))
    module, kind = DESKS[name].split(":")
    return getattr(import_module(module), kind)(folder, can_write)


def open_demo_desk(home: Path) -> Any:
    """Make the object that performs the demo corpus; runs in the worker process."""
    from motionloom.studio.desks.demo_corpus import DemoCorpusDesk

    return DemoCorpusDesk(home)
