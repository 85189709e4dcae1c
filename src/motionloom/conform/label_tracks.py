"""Label tracks of a view: what is known about labels in each of its frames."""

from collections.abc import Callable, Sequence

import numpy as np

from motionloom.conform.view import MIRRORED, View, swap_sides, take_of
from motionloom.corpus.labels.label_state import read_said
from motionloom.features.feet import POINTS
from motionloom.motion.runs import find_runs

ROUNDING = 1e-6  # frames by which a source frame may fall short of a whole one
LAYER_WORDS: dict[str, tuple[int, ...]] = {  # words for columns of the contacts layer; any of them holding is enough
    **{f"contacts.{point}": (column,) for column, point in enumerate(POINTS)},
    "contacts.left": (0, 1),
    "contacts.right": (2, 3),
}


def known_labels(view: View) -> list[str]:
    """Every label that can be painted: those of `said_labels`, then the words for layers."""
    return [*said_labels(view), *sorted(LAYER_WORDS)]


def said_labels(view: View) -> list[str]:
    """The labels that people or a machine used in the takes of a view, sorted; in mirrored copies left is right."""
    said = read_said(view.corpus)
    words = said.words(name for name in view.names if not name.endswith(MIRRORED))
    mirrored = said.words(take_of(name) for name in view.names if name.endswith(MIRRORED))
    return sorted(words | {swap_sides(word) for word in mirrored})


def label_tracks(view: View, labels: Sequence[str]) -> np.ndarray:
    """What is known about labels in every frame of a view.

    Verified frames say what people said there; else people's labels count, then a machine's proposals; see
    `corpus.tracks.Said.track`. Words for layers say what the layer says. In mirrored copies left is right.

    Args:
        view: N frames.
        labels: L words.

    Returns:
        (N, L) int8: +1 where a label holds, -1 where it does not, 0 where that is unknown.
    """
    tracks = _tracks(view, labels, read_said(view.corpus).track)
    for column, label in enumerate(labels):
        if label in LAYER_WORDS:
            rests = view.whole_layer("contacts")[:, list(LAYER_WORDS[label])].any(axis=1)
            tracks[:, column] = np.where(rests, 1, -1)
    return tracks


def verified_tracks(view: View, labels: Sequence[str]) -> np.ndarray:
    """What people have verified about labels in every frame of a view; words that nobody used are 0 throughout.

    Returns:
        (N, L) int8: +1 and -1 as in `label_tracks` where a person has looked at this label, 0 elsewhere.
    """
    return _tracks(view, labels, read_said(view.corpus).verified_track)


def _tracks(view: View, labels: Sequence[str], track_of: Callable[[str, str, int], np.ndarray]) -> np.ndarray:
    """(N, L) int8: the tracks of the takes, at the frames that the view shows; 0 for takes removed since."""
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
    """The frames of the take, as half-open ranges, in which flags over the frames of one motion are true.

    The way back from `label_tracks`: a frame of the take gets the flag of the frame of the view that shows it.

    Args:
        view: that has the motion.
        name: of the motion.
        flags: (F,) bool over its frames in the view.
    """
    start, stop = view.range_of(name)
    n_frames = view.corpus.info(take_of(name)).n_frames
    times = view.source_frames[start:stop]
    between = (times[:-1] + times[1:]) / 2  # a frame of the take between two goes to the nearer one, or the later
    nearest = np.searchsorted(between, np.arange(n_frames) + ROUNDING, side="right")
    return find_runs(np.asarray(flags, bool)[nearest])
