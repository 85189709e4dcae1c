"""Annotating: labels learnt from what was verified, proposed for the rest (Arikan et al. 2003, section 3.1)."""

from motionloom.methods.annotate.classifier.windows import Windows, find_windows
from motionloom.methods.annotate.labelling.active_learning import Offer, teaches_most
from motionloom.methods.annotate.model import Model
from motionloom.methods.annotate.prepare import learn, prepare, retrain
from motionloom.methods.annotate.realize import realize
from motionloom.methods.annotate.request import PAPER, USUAL, Request, Settings, choose_settings
from motionloom.methods.annotate.solve import Proposals, solve

__all__ = [
    "PAPER",
    "USUAL",
    "Model",
    "Offer",
    "Proposals",
    "Request",
    "Settings",
    "Windows",
    "choose_settings",
    "find_windows",
    "learn",
    "prepare",
    "realize",
    "retrain",
    "solve",
    "teaches_most",
]
