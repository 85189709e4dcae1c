"""The state of all labels of a corpus: labelled by people, verified, proposed by a classifier, or unknown."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from motionloom.corpus.labels.frame_ranges import Range, flags_of
from motionloom.corpus.labels.verified_ranges import verified_ranges

if TYPE_CHECKING:
    from motionloom.corpus.corpus import Corpus

Ranges = dict[tuple[str, str], list[Range]]  # by take and label


@dataclass(frozen=True)
class LabelState:
    """All labels of a corpus, read at once."""

    labelled: Ranges  # by people
    verified: Ranges  # by people
    proposed: Ranges  # by a classifier, outside verified frames
    classified: Ranges  # decided by a classifier, for or against, outside verified frames
    listed_takes: frozenset[str]  # takes with a full list of their labels, rather than labels accepted in some frames
    listed_labels: frozenset[str]  # labels of such lists, anywhere in the corpus

    def label_names(self, takes: Iterable[str]) -> set[str]:
        """The names of all labels that are labelled, verified or classified in these takes."""
        wanted = set(takes)
        pairs = [*self.labelled, *self.verified, *self.classified]
        return {label for take, label in pairs if take in wanted}

    def is_listed(self, take: str, label: str) -> bool:
        """Whether a label is fully listed in a take, so that it does not hold where it is not labelled."""
        return take in self.listed_takes and label in self.listed_labels

    def is_unlabelled(self, take: str, label: str) -> bool:
        """Whether a label is neither labelled, verified, proposed nor classified in any frame of a take."""
        pair = take, label
        return not any(pair in ranges for ranges in (self.labelled, self.verified, self.proposed, self.classified))

    def track(self, take: str, label: str, n_frames: int) -> np.ndarray:
        """(F,) int8: +1 where a label holds in a take, -1 where it does not, 0 where it is unknown.

        In order of precedence: labels of people hold (+1); it does not hold in other verified frames, nor in all of a
        take where it is fully listed (a label that is on no list, such as a new one, is not); else the classifier's
        decision counts.
        """
        pair = take, label
        holds = flags_of(self.labelled.get(pair, ()), n_frames)
        if self.is_listed(take, label):
            return np.where(holds, np.int8(1), np.int8(-1))
        track = np.zeros(n_frames, np.int8)
        track[flags_of(self.classified.get(pair, ()), n_frames)] = -1
        track[flags_of(self.proposed.get(pair, ()), n_frames)] = 1
        track[flags_of(self.verified.get(pair, ()), n_frames)] = -1
        track[holds] = 1
        return track

    def verified_track(self, take: str, label: str, n_frames: int) -> np.ndarray:
        """(F,) int8: as `track` in frames that a person has verified for this label; 0 elsewhere."""
        pair = take, label
        sign = np.where(flags_of(self.labelled.get(pair, ()), n_frames), np.int8(1), np.int8(-1))
        return np.where(flags_of(self.verified.get(pair, ()), n_frames), sign, np.int8(0))


def read_label_state(corpus: "Corpus") -> LabelState:
    """Read the state of all labels."""
    listed = corpus.connection.execute(
        "SELECT takes.name, label FROM listed JOIN takes ON takes.id = listed.take WHERE removed IS NULL"
    ).fetchall()
    return LabelState(
        labelled=_by_pair(corpus.labels()),
        verified=verified_ranges(corpus),
        proposed=_by_pair(corpus.proposals()),
        classified=_by_pair(corpus.classified()),
        listed_takes=frozenset(take for take, _ in listed),
        listed_labels=frozenset(label for _, label in listed),
    )


def _by_pair(records: Iterable) -> Ranges:
    ranges: Ranges = {}
    for record in records:
        ranges.setdefault((record.take, record.label), []).append((record.start, record.stop))
    return ranges
