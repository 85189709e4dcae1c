"""Model: the classifiers learnt from the verified frames of a view."""

from dataclasses import dataclass

import numpy as np

from motionloom.classify.gram import Gram
from motionloom.classify.settings import Settings
from motionloom.classify.svm import Svm
from motionloom.classify.windows import Windows
from motionloom.errors import BadInput


@dataclass(frozen=True, eq=False)
class Model:
    """A support vector machine for each of L labels, shared by a left and a right label, over W windows."""

    settings: Settings
    windows: Windows
    labels: tuple[str, ...]
    tracks: np.ndarray  # (N, L) int8 over all frames of the view: +1 verified to hold, -1 not to, 0 not verified
    known: np.ndarray  # (W, L) int8: the same at the middle frame of each window
    machines: tuple[Svm, ...]  # (L,) a left and a right label share the machine of whichever comes first
    decisions: np.ndarray  # (W, L) float64: decision values, positive where a label holds; 0 for labels never verified;
    # windows that are verified for all labels have the verified values
    gram: Gram

    def number_of(self, label: str) -> int:
        """The index of a label."""
        if label not in self.labels:
            raise BadInput(f"no label '{label}' was learnt; the labels are {', '.join(self.labels) or 'none'}")
        return self.labels.index(label)

    @property
    def is_learnt(self) -> np.ndarray:
        """(L,) bool: labels with verified frames."""
        return (self.known != 0).any(axis=0)
