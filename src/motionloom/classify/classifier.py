"""Classifier: what was learnt, without what it was learnt from: decides about the frames of any motion."""

from dataclasses import dataclass

import numpy as np

from motionloom.classify.gram import kernel_of
from motionloom.classify.model import Model
from motionloom.classify.settings import Settings
from motionloom.classify.training import own_machines, weights_by_row
from motionloom.classify.viterbi import decide_track
from motionloom.classify.windows import Embedding, embed_motion, lay_out_motion
from motionloom.errors import SkeletonMismatch
from motionloom.motion import Motion, Skeleton, kinematics
from motionloom.tasks import one_thread_per_product


@dataclass(frozen=True, eq=False)
class Classifier:
    """A machine for each of L labels over S windows that they remember."""

    labels: tuple[str, ...]
    settings: Settings
    joints: tuple[str, ...]  # of the skeleton that it was learnt with
    leg: float  # metres, of that skeleton
    embedding: Embedding
    support: np.ndarray  # (2, S, D) float32 coordinates of the windows, recorded and mirrored
    weights: np.ndarray  # (L, 2, S) float32: of the recorded and the mirrored windows
    biases: np.ndarray  # (L,)


def freeze(model: Model, skeleton: Skeleton) -> Classifier:
    """The classifier of a model, for the labels that were verified anywhere.

    Args:
        model: learnt from a view.
        skeleton: of the view.
    """
    rows, firsts = model.gram.rows, own_machines(model)
    learnt = np.flatnonzero(model.is_learnt)
    by_row = [weights_by_row(model.machines[k], len(rows)) for k in learnt]
    by_label = np.array(by_row).reshape(len(learnt), 2, len(rows))
    for place, k in enumerate(learnt):
        if k not in firsts:  # it has the machine of its mirrored label
            by_label[place] = by_label[place][::-1]
    used = np.flatnonzero((by_label != 0).any(axis=(0, 1)))
    return Classifier(
        tuple(model.labels[k] for k in learnt),
        model.settings,
        skeleton.names,
        skeleton.leg_length,
        model.windows.embedding,
        np.ascontiguousarray(model.windows.coordinates[:, rows[used]]),
        np.ascontiguousarray(by_label[:, :, used]).astype(np.float32),
        np.array([model.machines[k].bias for k in learnt]),
    )


@one_thread_per_product()  # so that results do not depend on the number of cores
def classify(classifier: Classifier, motion: Motion) -> np.ndarray:
    """(F, L) bool: where each label holds in a motion, floor at y = 0.

    Another body of the same joints is classified as if it had the legs that the classifier was learnt with.
    """
    skeleton = motion.skeleton
    if skeleton.names != classifier.joints:
        raise SkeletonMismatch(
            f"the motion has the joints of '{skeleton.name}', the classifier was learnt with others; learn it again"
        )
    settings = classifier.settings
    middles, nearest = lay_out_motion(motion.n_frames, motion.fps, settings.rate)
    positions = kinematics.world_positions(motion)
    size = classifier.leg / skeleton.leg_length if skeleton.leg_length > 0 else 1.0
    coordinates = embed_motion(classifier.embedding, skeleton, positions, middles, motion.fps, settings, size)
    decisions = decide_windows(classifier, coordinates)
    holds = [decide_track(decisions[:, k], settings)[0] for k in range(len(classifier.labels))]
    return np.array(holds).reshape(len(holds), len(middles)).T[nearest]


def decide_windows(classifier: Classifier, coordinates: np.ndarray) -> np.ndarray:
    """(W, L) decision values of windows by their (W, D) coordinates."""
    out = np.tile(classifier.biases, (len(coordinates), 1))
    for side in (0, 1):
        support = classifier.support[side]
        squared = (-2 * coordinates) @ support.T + (support**2).sum(axis=1) + (coordinates**2).sum(axis=1)[:, None]
        out += kernel_of(squared, classifier.settings) @ classifier.weights[:, side].T
    return out
