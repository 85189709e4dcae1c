"""Current labels of a take: the ranges that a person accepts as they are, or as a file corrects them."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from motionloom.corpus.labels.frame_ranges import Range, join_ranges, keep_inside
from motionloom.corpus.labels.label_state import LabelState
from motionloom.corpus.records import Label
from motionloom.errors import BadInput
from motionloom.motion.runs import find_runs

if TYPE_CHECKING:
    from motionloom.corpus.corpus import Corpus


def decided_labels(corpus: "Corpus", state: LabelState, take: str, start: int, stop: int) -> list[str]:
    """The labels that are known (+1 or -1) in every frame of [start, stop) of a take, sorted."""
    n_frames = corpus.info(take).n_frames
    words = state.listed_labels | {label for _, label in (*state.labelled, *state.verified, *state.classified)}
    return sorted(word for word in words if state.track(take, word, n_frames)[start:stop].all())


def current_ranges(
    corpus: "Corpus", state: LabelState, take: str, labels: Sequence[str], start: int, stop: int
) -> dict[str, list[Range]]:
    """The ranges in which labels hold in [start, stop) of a take; raises if one is unknown in some frame."""
    n_frames = corpus.info(take).n_frames
    current: dict[str, list[Range]] = {}
    for label in labels:
        track = state.track(take, label, n_frames)[start:stop]
        if not track.all():
            raise BadInput(
                f"{take}: label '{label}' is unknown in some of the frames [{start}, {stop}), so it cannot be "
                "accepted; propose labels for it first, or give a corrected file"
            )
        current[label] = [(start + first, start + end) for first, end in find_runs(track > 0)]
    return current


def corrected_ranges(
    labels: Iterable[Label], take: str, words: Sequence[str], start: int, stop: int
) -> dict[str, list[Range]]:
    """The ranges of corrected labels in [start, stop) of a take, by name."""
    given: dict[str, list[Range]] = {word: [] for word in words}
    for label in labels:
        if label.take == take and label.label in given:
            given[label.label].append((label.start, label.stop))
    return {word: join_ranges(keep_inside(ranges, [(start, stop)])) for word, ranges in given.items()}
