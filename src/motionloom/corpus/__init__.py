"""Recordings with what is known about them: takes, labels, contacts, events and layers in one folder."""

from motionloom.corpus.consistency import BodyFloor, compare_takes, find_body_floors, find_doubts
from motionloom.corpus.corpus import Corpus
from motionloom.corpus.importing import Imported, ImportReport, import_each, import_files
from motionloom.corpus.integrity.backup import BackupReport, back_up
from motionloom.corpus.integrity.check import CheckFinding, CheckReport, check
from motionloom.corpus.labels.acceptance import Acceptance
from motionloom.corpus.labels.annotator_agreement import Agreement, compare_labels
from motionloom.corpus.labels.label_files import (
    LabelReport,
    export_labels,
    export_proposals,
    export_verified,
    import_labels,
    read_label_file,
    read_labels,
)
from motionloom.corpus.layers import LAYERS, LayerReport, compute_layers, make_layers, read_ground
from motionloom.corpus.neutral_poses import read_neutral_pose
from motionloom.corpus.records import Added, Classified, Contact, Event, Label, Proposal, TakeInfo, Verified
from motionloom.corpus.take_names import TakeFinder
from motionloom.formats.take import Finding, Source, Take

__all__ = [
    "LAYERS",
    "Acceptance",
    "Added",
    "Agreement",
    "BackupReport",
    "BodyFloor",
    "CheckFinding",
    "CheckReport",
    "Classified",
    "Contact",
    "Corpus",
    "Event",
    "Finding",
    "ImportReport",
    "Imported",
    "Label",
    "LabelReport",
    "LayerReport",
    "Proposal",
    "Source",
    "Take",
    "TakeFinder",
    "TakeInfo",
    "Verified",
    "back_up",
    "check",
    "compare_labels",
    "compare_takes",
    "compute_layers",
    "export_labels",
    "export_proposals",
    "export_verified",
    "find_body_floors",
    "find_doubts",
    "import_each",
    "import_files",
    "import_labels",
    "make_layers",
    "read_ground",
    "read_label_file",
    "read_labels",
    "read_neutral_pose",
]
