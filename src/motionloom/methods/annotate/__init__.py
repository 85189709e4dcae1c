"""Annotation service: learns labels from verified frames and proposes them for the rest (Arikan et al. 2003, 3.1).

A service, not a method: it makes label tracks and no motion, so it is not in `METHODS` and does not implement the
method protocol (prepare, search, perform, judge). The room `classify` holds windows, kernel and support vector machine,
`labelling` what a person works with: sessions on a corpus, active learning, the learning curve. The corpus keeps what
it proposes; methods read the labels from there.
"""

from motionloom.classify.model import Model
from motionloom.classify.settings import PAPER, USUAL, Settings, choose_settings
from motionloom.classify.training import retrain, train_view, train_windows
from motionloom.classify.windows import Windows, find_windows
from motionloom.methods.annotate.labelling.active_learning import Offer, teaches_most
from motionloom.methods.annotate.proposal_ranges import proposal_ranges
from motionloom.methods.annotate.proposed_tracks import Proposals, propose_tracks
from motionloom.methods.annotate.request import Request

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
    "proposal_ranges",
    "propose_tracks",
    "retrain",
    "teaches_most",
    "train_view",
    "train_windows",
]
