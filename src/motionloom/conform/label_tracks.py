"""Label tracks of a view: labels over time, as people and layers say them."""

from collections.abc import Sequence

import numpy as np

from motionloom.conform.view import View
from motionloom.features.feet import POINTS

LAYER_WORDS = {  # words for columns of the contacts layer; any of them holding is enough
    **{f"contacts.{point}": (column,) for column, point in enumerate(POINTS)},
    "contacts.left": (0, 1),
    "contacts.right": (2, 3),
}


def known_labels(view: View) -> list[str]:
    """Every label that can be painted: those of the corpus, then layers."""
    return [*view.corpus.label_names(), *sorted(LAYER_WORDS)]


def label_tracks(view: View, labels: Sequence[str]) -> np.ndarray:
    """Labels over all frames of a view: (N, L) int8, +1 holds, -1 does not, 0 where nobody has said."""
    tracks = np.zeros((view.n_frames, len(labels)), np.int8)
    number = {label: column for column, label in enumerate(labels)}
    for name in view.names:
        start, stop = view.range_of(name)
        said = view.labels(name)
        if said:
            tracks[start:stop] = -1
        for one in said:
            if one.label in number:
                tracks[start + one.start : start + one.stop, number[one.label]] = 1
    for label in set(labels) & set(LAYER_WORDS):
        holds = view.whole_layer("contacts")[:, LAYER_WORDS[label]].any(axis=1)
        tracks[:, number[label]] = np.where(holds, 1, -1)
    return tracks
