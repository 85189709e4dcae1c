"""Desks: the objects in the worker processes, one for each kind of heavy work."""

from importlib import import_module
from pathlib import Path
from typing import Any

DESKS = {  # in the order in which they get ready
    "display": "motionloom.studio.desks.display:DisplayDesk",
    "annotate": "motionloom.studio.desks.annotate:AnnotateDesk",
    "timeline": "motionloom.studio.desks.timeline:TimelineDesk",
    "snap": "motionloom.studio.desks.snap:SnapDesk",
    "hubs": "motionloom.studio.desks.hubs:HubsDesk",
    "library": "motionloom.studio.desks.library:LibraryDesk",  # the last: it may be measuring takes for minutes
}


def open_desk(name: str, folder: Path, can_write: bool) -> Any:
    """Make the object that works on a corpus; runs in the worker process."""
    module, kind = DESKS[name].split(":")
    return getattr(import_module(module), kind)(folder, can_write)


def open_builder(home: Path) -> Any:
    """Make the object that makes corpora; runs in the worker process."""
    from motionloom.studio.desks.builder import Builder

    return Builder(home)
