"""Model: what was learnt from the verified frames of a view."""

from dataclasses import dataclass

import numpy as np

from motionloom.errors import BadInput
from motionloom.methods.annotate.classifier.gram import Gram
from motionloom.methods.annotate.classifier.svm import Svm
from motionloom.methods.annotate.classifier.windows import Windows
from motionloom.methods.annotate.request import Settings


@dataclass(frozen=True, eq=False)
class Model:
    """L labels, each with a machine of its own or with the one of its other side, over W windows."""

    settings: Settings
    windows: Windows
    labels: tuple[str, ...]
    tracks: np.ndarray  # (N, L) int8 over all frames of the view: +1 verified to hold, -1 not to, 0 not verified
    known: np.ndarray  # (W, L) int8: the same in the middle of each window
    machines: tuple[Svm, ...]  # (L,) of a left and a right label the same one, for whichever comes first
    decisions: np.ndarray  # (W, L) float64: above 0 where a label is thought to hold; 0 where nothing is known of it;
    # windows of which all is verified say what was verified
    gram: Gram

    def number_of(self, label: str) -> int:
        """Which of the labels it is."""
        if label not in self.labels:
            raise BadInput(f"no label '{label}' was learnt; the labels are {', '.join(self.labels) or 'none'}")
        return self.labels.index(label)

    @property
    def is_learnt(self) -> np.ndarray:
        """(L,) bool: the labels of which something was verified."""
        return (self.known != 0).any(axis=0)
