"""Held labels: the labels that hold in the frames of a motion, from those of the frames that it plays."""

from collections.abc import Sequence

import numpy as np

from motionloom.assembly.results.result import HeldLabel
from motionloom.conform.label_tracks import LAYER_WORDS
from motionloom.motion import find_runs


def held_labels(labels: Sequence[str], tracks: np.ndarray) -> tuple[HeldLabel, ...]:
    """The runs of frames in which labels hold; those of layers are left out, because they come with every take.

    Args:
        labels: L names.
        tracks: (F, L) int8: +1 where a label holds, in the frames of the motion.
    """
    return tuple(
        HeldLabel(label, start, stop)
        for column, label in enumerate(labels)
        if label not in LAYER_WORDS
        for start, stop in find_runs(tracks[:, column] == 1)
    )
