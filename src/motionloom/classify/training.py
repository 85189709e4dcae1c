"""Training: the windows of a view once, then a support vector machine per label, retrained after each verified take."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from motionloom.classify.gram import Gram, compare, empty_gram, extend
from motionloom.classify.model import Model
from motionloom.classify.settings import USUAL, Settings
from motionloom.classify.svm import BOTH, MIRRORED, RECORDED, Svm, train
from motionloom.classify.windows import Windows, find_windows
from motionloom.conform import View
from motionloom.conform.base_view import swap_sides
from motionloom.errors import BadInput
from motionloom.tasks import one_thread_per_product, run_threads

AT_A_TIME = 1024  # windows per batch of classification
KEPT_SHARE = 0.75  # of `most_windows` that is kept when there are too many
THREADS = 2  # also in worker processes, where compiled work has one otherwise


def train_view(view: View, labels: Sequence[str], tracks: np.ndarray, settings: Settings = USUAL) -> Model:
    """Learn labels from the verified frames of a view.

    Args:
        view: of the takes to annotate; its mirrored copies are ignored.
        labels: L labels.
        tracks: (N, L) int8 over all frames: +1 the label holds, -1 it does not, 0 not verified.
        settings: features, kernel, smoothing.
    """
    return train_windows(find_windows(view, settings), labels, tracks, settings)


def train_windows(windows: Windows, labels: Sequence[str], tracks: np.ndarray, settings: Settings = USUAL) -> Model:
    """As `train_view`, with windows that were computed before."""
    words = tuple(labels)
    if len(set(words)) != len(words) or not all(words):
        raise BadInput(f"labels {list(words)}: give each word once, and no empty one")
    n_frames = int(windows.ranges.max()) if len(windows.ranges) else 0
    empty = np.zeros((n_frames, len(words)), np.int8)
    none = np.zeros(0)
    nothing = Svm(none.astype(int), none.astype(np.int8), none.astype(bool), none, none, -1.0)
    known = np.zeros((windows.n_windows, len(words)), np.int8)
    blank = Model(settings, windows, words, empty, known, (nothing,) * len(words), known.astype(float), empty_gram())
    return retrain(blank, tracks)


@one_thread_per_product()  # so that results do not depend on the number of cores
def retrain(model: Model, tracks: np.ndarray) -> Model:
    """Train again after frames were verified or unverified; fast, because it is warm-started from the model."""
    tracks = _check_tracks(model, tracks)
    known = tracks[model.windows.frames]
    gram = _grow(model, known)
    machines = _train_all(model, gram, known)
    decisions = known.astype(float)  # verified values override the machines
    is_open = np.flatnonzero((known == 0).any(axis=1))
    decisions[is_open] = decide(model, gram, machines, is_open)
    decisions[:, ~(known != 0).any(axis=0)] = 0.0
    return Model(model.settings, model.windows, model.labels, tracks, known, tuple(machines), decisions, gram)


def decide(model: Model, gram: Gram, machines: Sequence[Svm], chosen: np.ndarray) -> np.ndarray:
    """(K, L) decision values of (K,) int windows."""
    by_row = [weights_by_row(machine, len(gram.rows)) for machine in machines]
    needed = (
        np.flatnonzero(np.any([(part != 0).any(axis=0) for part in by_row], axis=0)) if by_row else np.zeros(0, int)
    )
    weights = [part[:, needed].astype(np.float32) for part in by_row]
    firsts = own_machines(model)
    out = np.zeros((len(chosen), len(machines)))
    for begin in range(0, len(chosen), AT_A_TIME):
        part = chosen[begin : begin + AT_A_TIME]
        values = compare(model.windows.coordinates, part, gram.rows[needed], model.settings)
        for k, (machine, weight) in enumerate(zip(machines, weights)):
            same, other = (0, 1) if k in firsts else (1, 0)
            out[begin : begin + len(part), k] = values[same] @ weight[0] + values[other] @ weight[1] + machine.bias
    return out


def weights_by_row(machine: Svm, n_rows: int) -> np.ndarray:
    """(2, R) coefficients of the recorded and the mirrored windows."""
    out = np.zeros((2, n_rows))
    for side in (RECORDED, MIRRORED):
        used = (machine.side == side) | (machine.side == BOTH)
        out[side, machine.which[used]] = machine.coefficients[used]
    return out


def own_machines(model: Model) -> list[int]:
    """Indices of the labels that have their own machine; the others share that of their mirrored label."""
    others = [swap_sides(label) for label in model.labels]
    return [
        k
        for k, other in enumerate(others)
        if not model.settings.mirrored or other not in model.labels or model.labels.index(other) >= k
    ]


def _train_all(model: Model, gram: Gram, known: np.ndarray) -> list[Svm]:
    """A machine for every label, warm-started."""
    fits = gram.rows[: len(model.gram.rows)].tolist() == model.gram.rows.tolist()

    def train_one(number: int) -> Svm:
        examples = _examples(model, gram, known, number)
        before = model.machines[number] if fits else None
        return train(gram, *examples, model.settings, before)

    numbers = own_machines(model)
    trained = dict(zip(numbers, run_threads(train_one, numbers, threads=THREADS)))
    if model.settings.mirrored:
        others = {
            k: model.labels.index(swap_sides(model.labels[k])) for k in range(len(model.labels)) if k not in trained
        }
        trained |= {k: trained[first] for k, first in others.items()}
    return [trained[k] for k in range(len(model.labels))]


def _examples(model: Model, gram: Gram, known: np.ndarray, number: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows, sides and classes of the examples of a label."""
    label = model.labels[number]
    other = swap_sides(label)
    here = known[gram.rows, number]
    rows = np.flatnonzero(here)
    if not model.settings.mirrored or (other != label and other not in model.labels):
        return rows, np.full(len(rows), RECORDED, np.int8), here[rows] > 0
    if other == label:
        return rows, np.full(len(rows), BOTH, np.int8), here[rows] > 0
    there = known[gram.rows, model.labels.index(other)]
    turned = np.flatnonzero(there)
    sides = np.repeat(np.array([RECORDED, MIRRORED], np.int8), [len(rows), len(turned)])
    return np.concatenate([rows, turned]), sides, np.concatenate([here[rows], there[turned]]) > 0


def _grow(model: Model, known: np.ndarray) -> Gram:
    """The Gram matrix of all verified windows, or of the most important if there are too many."""
    gram, most = model.gram, model.settings.most_windows
    is_new = (known != 0).any(axis=1)
    is_new[gram.rows] = False
    is_new[gram.left_out] = False
    new = np.flatnonzero(is_new)
    if len(gram.rows) + len(new) > most:
        gram, new = _thin(model, new)
    return extend(gram, new, model.windows.coordinates, model.settings) if len(new) else gram


def _thin(model: Model, new: np.ndarray) -> tuple[Gram, np.ndarray]:
    """An empty Gram matrix, and the windows to add to it: new ones, and those with the largest weights so far."""
    most = round(KEPT_SHARE * model.settings.most_windows)
    rows = model.gram.rows
    weight = np.sum([np.abs(weights_by_row(machine, len(rows))).sum(axis=0) for machine in model.machines], axis=0)
    kept = rows[np.argsort(-weight, kind="stable")[: max(most - len(new), 0)]]
    chosen = np.concatenate([np.sort(kept), new[:: max(1, -(-len(new) // most))]])
    left_out = np.setdiff1d(np.concatenate([rows, new, model.gram.left_out]), chosen)
    return replace(empty_gram(), left_out=left_out), chosen


def _check_tracks(model: Model, tracks: np.ndarray) -> np.ndarray:
    tracks = np.asarray(tracks)
    wanted = (len(model.tracks), len(model.labels))
    if tracks.ndim != 2 or tracks.shape[1] != wanted[1] or len(tracks) < wanted[0]:
        raise BadInput(f"label tracks {tracks.shape} for {wanted[0]} frames and {wanted[1]} labels; expected {wanted}")
    if not np.isin(tracks, (-1, 0, 1)).all():
        raise BadInput("a label track has other values than +1 (holds), -1 (does not hold) and 0 (not verified)")
    return tracks.astype(np.int8)
