"""How things stand with the labels of a take: what a person would accept as it is, or corrected by a file."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from motionloom.corpus.labels.frame_ranges import Range, join_ranges, keep_inside
from motionloom.corpus.labels.label_state import Said
from motionloom.corpus.records import Label
from motionloom.errors import BadInput
from motionloom.motion.runs import find_runs

if TYPE_CHECKING:
    from motionloom.corpus.corpus import Corpus


def decided_labels(corpus: "Corpus", said: Said, take: str, start: int, stop: int) -> list[str]:
    """The labels about which something is said in every frame of [start, stop) of a take, sorted."""
    n_frames = corpus.info(take).n_frames
    words = said.listed_labels | {label for _, label in (*said.people, *said.verified, *said.decided)}
    return sorted(word for word in words if said.track(take, word, n_frames)[start:stop].all())


def standing_ranges(
    corpus: "Corpus", said: Said, take: str, labels: Sequence[str], start: int, stop: int
) -> dict[str, list[Range]]:
    """Where labels hold in [start, stop) of a take as things stand; raises where nothing is said about one."""
    n_frames = corpus.info(take).n_frames
    standing: dict[str, list[Range]] = {}
    for label in labels:
        track = said.track(take, label, n_frames)[start:stop]
        if not track.all():
            raise BadInput(
                f"{take}: nothing is said about '{label}' in some of the frames [{start}, {stop}), so it cannot be "
                "accepted; propose labels for it first, or give a corrected file"
            )
        standing[label] = [(start + first, start + end) for first, end in find_runs(track > 0)]
    return standing


def corrected_ranges(
    labels: Iterable[Label], take: str, words: Sequence[str], start: int, stop: int
) -> dict[str, list[Range]]:
    """Where labels hold in [start, stop) of a take as corrected labels say."""
    given: dict[str, list[Range]] = {word: [] for word in words}
    for one in labels:
        if one.take == take and one.label in given:
            given[one.label].append((one.start, one.stop))
    return {word: join_ranges(keep_inside(ranges, [(start, stop)])) for word, ranges in given.items()}
