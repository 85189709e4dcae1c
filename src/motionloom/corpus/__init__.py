"""Recordings with what is known about them: takes, labels, contacts, events and layers in one folder."""

from motionloom.corpus.corpus import Corpus
from motionloom.corpus.importing import Imported, ImportReport, import_each, import_files
from motionloom.corpus.labels import LabelReport, export_labels, import_labels
from motionloom.corpus.records import Added, Contact, Event, Label, TakeInfo

__all__ = [
    "Added",
    "Contact",
    "Corpus",
    "Event",
    "ImportReport",
    "Imported",
    "Label",
    "LabelReport",
    "TakeInfo",
    "export_labels",
    "import_each",
    "import_files",
    "import_labels",
]
