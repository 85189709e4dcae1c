"""Label tracks of a view: +1, -1 or 0 (unknown) for each label in each of its frames."""

from collections.abc import Callable, Sequence

import numpy as np

from motionloom.conform.base_view import MIRRORED, swap_sides, take_of
from motionloom.conform.view import View
from motionloom.corpus.labels.label_state import read_label_state
from motionloom.features.feet import POINTS
from motionloom.motion.runs import find_runs

ROUNDING = 1e-6  # frames by which a source frame may fall short of a whole one
LAYER_WORDS: dict[str, tuple[int, ...]] = {  # labels derived from columns of the contacts layer: true if any is true
    **{f"contacts.{point}": (column,) for column, point in enumerate(POINTS)},
    "contacts.left": (0, 1),
    "contacts.right": (2, 3),
}


def known_labels(view: View) -> list[str]:
    """Every label that a request may use: those of `used_labels`, then those derived from layers."""
    return [*used_labels(view), *sorted(LAYER_WORDS)]


def used_labels(view: View) -> list[str]:
    """Labels of people or a classifier in the takes of a view, sorted; left and right swapped in mirrored copies."""
    state = read_label_state(view.corpus)
    labels = state.label_names(name for name in view.names if not name.endswith(MIRRORED))
    mirrored = state.label_names(take_of(name) for name in view.names if name.endswith(MIRRORED))
    return sorted(labels | {swap_sides(label) for label in mirrored})


def label_tracks(view: View, labels: Sequence[str]) -> np.ndarray:
    """The tracks of labels over all frames of a view.

    Labels of people take precedence over proposals of a classifier; see `corpus.labels.label_state.LabelState.track`.
    Labels derived from a layer are known in every frame. Mirrored copies have left and right swapped.

    Args:
        view: N frames.
        labels: L names.

    Returns:
        (N, L) int8: +1 where a label holds, -1 where it does not, 0 where it is unknown.
    """
    tracks = _tracks(view, labels, read_label_state(view.corpus).track)
    for column, label in enumerate(labels):
        if label in LAYER_WORDS:
            rests = view.whole_layer("contacts")[:, list(LAYER_WORDS[label])].any(axis=1)
            tracks[:, column] = np.where(rests, 1, -1)
    return tracks


def verified_tracks(view: View, labels: Sequence[str]) -> np.ndarray:
    """The tracks of labels in the verified frames of a view; labels that are not in use are 0 throughout.

    Returns:
        (N, L) int8: +1 and -1 as in `label_tracks` where a person has verified the label, 0 elsewhere.
    """
    return _tracks(view, labels, read_label_state(view.corpus).verified_track)


def _tracks(view: View, labels: Sequence[str], track_of: Callable[[str, str, int], np.ndarray]) -> np.ndarray:
    """(N, L) int8: the tracks of the takes, resampled to the frames of the view; 0 for takes removed since."""
    tracks = np.zeros((view.n_frames, len(labels)), np.int8)
    n_frames = {info.name: info.n_frames for info in view.corpus.infos()}
    for name in view.names:
        start, stop = view.range_of(name)
        take = take_of(name)
        if take not in n_frames:
            continue
        shown = np.floor(view.source_frames[start:stop] + ROUNDING).astype(int)  # as `View.labels` maps ranges
        for column, label in enumerate(labels):
            word = swap_sides(label) if name.endswith(MIRRORED) else label
            track = track_of(take, word, n_frames[take])
            tracks[start:stop, column] = track[np.clip(shown, 0, len(track) - 1)]
    return tracks


def take_ranges(view: View, name: str, flags: np.ndarray) -> list[tuple[int, int]]:
    """Ranges of frames of a take in which flags over the frames of its motion in the view are true.

    The inverse of `label_tracks`: a frame of the take gets the flag of the nearest frame of the view.

    Args:
        view: that has the motion.
        name: of the motion.
        flags: (F,) bool over its frames in the view.
    """
    start, stop = view.range_of(name)
    n_frames = view.corpus.info(take_of(name)).n_frames
    times = view.source_frames[start:stop]
    between = (times[:-1] + times[1:]) / 2  # nearest neighbour; the later one if both are equally near
    nearest = np.searchsorted(between, np.arange(n_frames) + ROUNDING, side="right")
    return find_runs(np.asarray(flags, bool)[nearest])
