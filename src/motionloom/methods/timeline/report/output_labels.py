"""Labels of the frames that come out: what classifiers of the corpus call them, beside the uncut frames they are from.

Labels of source frames say what was recorded. Joins, bending and planting change frames, and a stretch of half a second
between two cuts may not look like what it was cut from. So the classifiers that were learnt from the corpus look at the
motion itself, and at the whole takes that its frames are from: what they lose by cutting is the difference.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.assembly import Result
from motionloom.classify.classifier import Classifier, classify
from motionloom.classify.kept_classifiers import HOW_TO_LEARN, find_classifier
from motionloom.conform.label_tracks import LAYER_WORDS
from motionloom.methods.timeline.model import Model
from motionloom.methods.timeline.report.measures import Stretch


@dataclass(frozen=True)
class JudgedOutput:
    """A painted stretch, as a classifier sees it."""

    stretch: Stretch
    output: float  # share of its frames that are as painted by the motion that came out
    source: float  # the same by the uncut takes that they are from


def judge_output(
    model: Model, stretches: Sequence[Stretch], result: Result, played: np.ndarray
) -> tuple[list[JudgedOutput], list[str]]:
    """What the kept classifier says about painted stretches, and a sentence where it says nothing or is stale.

    Args:
        model: that the motion was made with.
        stretches: painted ones.
        result: with the motion.
        played: (F,) frames of the model that it plays.
    """
    painted = [stretch for stretch in stretches if stretch.label not in LAYER_WORDS]
    if not painted:
        return [], []
    kept = find_classifier(model.view.corpus)
    if kept is None or result.motion.skeleton.names != kept.classifier.joints:
        why = "no classifier is kept in the corpus" if kept is None else "the kept classifier is of other joints"
        return [], [f"labels are those of the source frames; {why} to judge the frames that came out: {HOW_TO_LEARN}"]
    notes = (
        [f"the classifier that judges the frames is out of date: {kept.stale}; {HOW_TO_LEARN}"] if kept.stale else []
    )
    unknown = sorted({stretch.label for stretch in painted} - set(kept.classifier.labels))
    if unknown:
        notes.append(f"the kept classifier does not know {', '.join(unknown)}; verify it in a take and learn again")
    known = [stretch for stretch in painted if stretch.label in kept.classifier.labels]
    return (compare_output(model, kept.classifier, known, result, played) if known else []), notes


def compare_output(
    model: Model, classifier: Classifier, stretches: Sequence[Stretch], result: Result, played: np.ndarray
) -> list[JudgedOutput]:
    """How much of painted stretches a classifier finds in a motion, and in the takes that it is from."""
    came_out = classify(classifier, result.motion)
    source = classify_sources(model, classifier, played)
    judged = []
    for stretch in stretches:
        column, part = classifier.labels.index(stretch.label), slice(stretch.start, stretch.stop)
        found, recorded = ((tracks[part, column] == (stretch.value > 0)).mean() for tracks in (came_out, source))
        judged.append(JudgedOutput(stretch, float(found), float(recorded)))
    return judged


def classify_sources(model: Model, classifier: Classifier, played: np.ndarray) -> np.ndarray:
    """(F, L) bool: what a classifier says about (F,) frames of the model where they were recorded, uncut."""
    holds = np.zeros((len(played), len(classifier.labels)), bool)
    motions = model.motion_of[played]
    for number in np.unique(motions):
        here = motions == number
        whole = classify(classifier, model.view.motion(model.view.names[number]))
        holds[here] = whole[played[here] - model.starts[number]]
    return holds
