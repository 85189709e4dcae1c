"""The learning curve: how right the proposals were when people looked at them, by how much was verified before."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import TypeVar

from motionloom.corpus import Corpus
from motionloom.corpus.answers import Answers, read_answers
from motionloom.corpus.listing import read_lengths
from motionloom.corpus.ranges import Range
from motionloom.corpus.tracks import Said, read_said
from motionloom.corpus.verifying import Acceptance
from motionloom.methods.annotate.labelling.sessions import Progress, Session, cross_validate

LOOKED, TRIED = "annotate looked", "annotate tried"  # under which the corpus keeps them
SAME = 0.5  # seconds of verified motion within which two trials are one


@dataclass(frozen=True)
class Look:
    """Somebody looked at what was proposed in a stretch of a take."""

    verified: float  # seconds of motion before, mean over the labels in question
    take: str
    start: int
    stop: int
    seconds: float  # of labels that were decided by the machine there
    right_seconds: float  # of them, as the person said then
    corrections: int


@dataclass(frozen=True)
class Trial:
    """Verified takes were left out of learning, and classified."""

    verified: float  # seconds of motion, mean over the labels
    agreement: float  # share of frames that were right, mean over the labels
    f1: float | None  # mean over the labels that hold somewhere


Kept = TypeVar("Kept", Look, Trial)


def accept_and_note(
    corpus: Corpus, take: str, labels: Sequence[str], start: int, stop: int, ranges: Mapping[str, Sequence[Range]]
) -> tuple[Acceptance, Answers]:
    """As `Corpus.accept`, and the curve gets its point; also how what was proposed there compares."""
    before = _answers(corpus, take)
    verified = verified_seconds(corpus, read_said(corpus), labels)
    accepted = corpus.accept(take, labels, start, stop, ranges)
    fresh = _answers(corpus, take) - before
    if fresh.seconds > 0:
        look = Look(verified, take, start, stop, fresh.seconds, fresh.right_seconds, fresh.corrections)
        corpus.remember(LOOKED, [asdict(one) for one in (*read_looks(corpus), look)])
    return accepted, fresh


def take_back(corpus: Corpus, accepted: Acceptance) -> None:
    """Undo an acceptance; its point of the curve goes too."""
    accepted.undo(corpus)
    looks = read_looks(corpus)
    same = [
        n for n, x in enumerate(looks) if (x.take, x.start, x.stop) == (accepted.take, accepted.start, accepted.stop)
    ]
    if same:
        del looks[same[-1]]
        corpus.remember(LOOKED, [asdict(one) for one in looks])


def try_session(corpus: Corpus, session: Session, progress: Progress | None = None) -> Trial | None:
    """Leave verified takes out of learning in turn, and keep how well they are told; None with less than two takes."""
    told = cross_validate(session, progress)
    if not told:
        return None
    scores = [f1 for _, f1 in told.values() if f1 is not None]
    made = Trial(
        verified=verified_seconds(corpus, read_said(corpus), session.model.labels),
        agreement=sum(agreement for agreement, _ in told.values()) / len(told),
        f1=sum(scores) / len(scores) if scores else None,
    )
    if corpus.can_write:
        kept = [one for one in read_trials(corpus) if one.verified < made.verified - SAME]  # what was undone goes
        corpus.remember(TRIED, [asdict(one) for one in (*kept, made)])
    return made


def read_looks(corpus: Corpus) -> list[Look]:
    """What people found when they looked, in this order."""
    return _read(corpus, LOOKED, Look)


def read_trials(corpus: Corpus) -> list[Trial]:
    """The trials so far, by how much was verified."""
    return _read(corpus, TRIED, Trial)


def verified_seconds(corpus: Corpus, said: Said, labels: Iterable[str]) -> float:
    """Seconds of motion that are verified, mean over labels; what is verified for half of them counts half."""
    words = set(labels)
    lengths = read_lengths(corpus)
    each = (
        (stop - start) / lengths[take][1]
        for (take, label), ranges in said.verified.items()
        if label in words
        for start, stop in ranges
    )
    return sum(each) / max(len(words), 1)


def _read(corpus: Corpus, what: str, kind: type[Kept]) -> list[Kept]:
    """What was kept, as far as it can be read."""
    kept = corpus.remembered(what)
    names = {one.name for one in fields(kind)}
    listed = kept if isinstance(kept, list) else []
    return [kind(**one) for one in listed if isinstance(one, dict) and set(one) == names]


def _answers(corpus: Corpus, take: str) -> Answers:
    return sum(read_answers(corpus, [take]).values(), Answers())
