"""What is known about labels in each frame of a take: verified, said by people, proposed by a machine, or nothing."""

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
class Said:
    """Everything that is said about the labels of a corpus, read in one go."""

    people: Ranges
    verified: Ranges
    proposed: Ranges  # outside verified frames
    decided: Ranges  # by a machine, outside verified frames
    listed_takes: frozenset[str]  # for which somebody gave a list of what they hold, rather than accepted some of it
    listed_labels: frozenset[str]  # the words of such lists, anywhere in the corpus

    def words(self, takes: Iterable[str]) -> set[str]:
        """Every label that somebody or something has spoken of in these takes."""
        wanted = set(takes)
        pairs = [*self.people, *self.verified, *self.decided]
        return {label for take, label in pairs if take in wanted}

    def is_listed(self, take: str, label: str) -> bool:
        """Whether people have said all there is to say about a label in a take."""
        return take in self.listed_takes and label in self.listed_labels

    def is_silent(self, take: str, label: str) -> bool:
        """Whether nobody and nothing has spoken of a label in a take."""
        pair = take, label
        return not any(pair in said for said in (self.people, self.verified, self.proposed, self.decided))

    def track(self, take: str, label: str, n_frames: int) -> np.ndarray:
        """(F,) int8: +1 where a label holds in a take, -1 where it does not, 0 where that is unknown.

        Verified frames say what people said. Elsewhere a take that has a list of labels is without what is not on
        it, unless the word is on no list at all, as when it was taken up later. Then the machine decides, where it has.
        """
        pair = take, label
        holds = flags_of(self.people.get(pair, ()), n_frames)
        if self.is_listed(take, label):
            return np.where(holds, np.int8(1), np.int8(-1))
        track = np.zeros(n_frames, np.int8)
        track[flags_of(self.decided.get(pair, ()), n_frames)] = -1
        track[flags_of(self.proposed.get(pair, ()), n_frames)] = 1
        track[flags_of(self.verified.get(pair, ()), n_frames)] = -1
        track[holds] = 1
        return track

    def verified_track(self, take: str, label: str, n_frames: int) -> np.ndarray:
        """(F,) int8: as `track` in frames that a person has verified for this label; 0 elsewhere."""
        pair = take, label
        sign = np.where(flags_of(self.people.get(pair, ()), n_frames), np.int8(1), np.int8(-1))
        return np.where(flags_of(self.verified.get(pair, ()), n_frames), sign, np.int8(0))


def read_said(corpus: "Corpus") -> Said:
    """Read everything that is said about labels."""
    listed = corpus.connection.execute(
        "SELECT takes.name, label FROM listed JOIN takes ON takes.id = listed.take WHERE removed IS NULL"
    ).fetchall()
    return Said(
        people=_by_pair(corpus.labels()),
        verified=verified_ranges(corpus),
        proposed=_by_pair(corpus.proposals()),
        decided=_by_pair(corpus.classified()),
        listed_takes=frozenset(take for take, _ in listed),
        listed_labels=frozenset(label for _, label in listed),
    )


def _by_pair(records: Iterable) -> Ranges:
    ranges: Ranges = {}
    for one in records:
        ranges.setdefault((one.take, one.label), []).append((one.start, one.stop))
    return ranges
