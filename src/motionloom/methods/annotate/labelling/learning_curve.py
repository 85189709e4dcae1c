"""The learning curve: accuracy of proposals when people reviewed them, and in cross-validation, over verified time."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import TypeVar

from motionloom.corpus import Corpus
from motionloom.corpus.labels.acceptance import Acceptance
from motionloom.corpus.labels.frame_ranges import Range
from motionloom.corpus.labels.label_state import LabelState, read_label_state
from motionloom.corpus.labels.proposal_accuracy import ProposalAccuracy, measure_proposals
from motionloom.corpus.take_list import read_lengths
from motionloom.methods.annotate.labelling.sessions import Progress, Session, cross_validate

REVIEWED, TRIED = "annotate looked", "annotate tried"  # keys under which the corpus stores them
SAME = 0.5  # seconds of verified motion: a newer trial replaces one within this distance


@dataclass(frozen=True)
class Review:
    """A person reviewed the proposals in a stretch of a take."""

    verified: float  # seconds of motion verified before, mean over the reviewed labels
    take: str
    start: int
    stop: int
    seconds: float  # of labels that the classifier had decided there
    right_seconds: float  # of these, confirmed by the person
    corrections: int


@dataclass(frozen=True)
class Trial:
    """A cross-validation: verified takes were left out of learning, and classified."""

    verified: float  # seconds of motion, mean over the labels
    agreement: float  # share of frames that are right, mean over the labels
    f1: float | None  # mean over the labels that hold somewhere


Kept = TypeVar("Kept", Review, Trial)


def accept_and_note(
    corpus: Corpus, take: str, labels: Sequence[str], start: int, stop: int, ranges: Mapping[str, Sequence[Range]]
) -> tuple[Acceptance, ProposalAccuracy]:
    """Accept labels as `Corpus.accept` does, and add a point to the learning curve.

    Returns:
        The acceptance, and how the proposals there compare with it.
    """
    before = _answers(corpus, take)
    verified = verified_seconds(corpus, read_label_state(corpus), labels)
    accepted = corpus.accept(take, labels, start, stop, ranges)
    fresh = _answers(corpus, take) - before
    if fresh.seconds > 0:
        review = Review(verified, take, start, stop, fresh.seconds, fresh.right_seconds, fresh.corrections)
        corpus.remember(REVIEWED, [asdict(point) for point in (*read_reviews(corpus), review)])
    return accepted, fresh


def take_back(corpus: Corpus, accepted: Acceptance) -> None:
    """Undo an acceptance, and remove its point from the learning curve."""
    accepted.undo(corpus)
    reviews = read_reviews(corpus)
    same = [
        n for n, x in enumerate(reviews) if (x.take, x.start, x.stop) == (accepted.take, accepted.start, accepted.stop)
    ]
    if same:
        del reviews[same[-1]]
        corpus.remember(REVIEWED, [asdict(review) for review in reviews])


def try_session(corpus: Corpus, session: Session, progress: Progress | None = None) -> Trial | None:
    """Cross-validate a session and store the result; None with fewer than two verified takes."""
    tested = cross_validate(session, progress)
    if not tested:
        return None
    scores = [f1 for _, f1 in tested.values() if f1 is not None]
    made = Trial(
        verified=verified_seconds(corpus, read_label_state(corpus), session.model.labels),
        agreement=sum(agreement for agreement, _ in tested.values()) / len(tested),
        f1=sum(scores) / len(scores) if scores else None,
    )
    if corpus.can_write:
        kept = [trial for trial in read_trials(corpus) if trial.verified < made.verified - SAME]  # without undone ones
        corpus.remember(TRIED, [asdict(trial) for trial in (*kept, made)])
    return made


def read_reviews(corpus: Corpus) -> list[Review]:
    """The reviews so far, in order of time."""
    return _read(corpus, REVIEWED, Review)


def read_trials(corpus: Corpus) -> list[Trial]:
    """The cross-validations so far, by verified time."""
    return _read(corpus, TRIED, Trial)


def verified_seconds(corpus: Corpus, state: LabelState, labels: Iterable[str]) -> float:
    """Seconds of verified motion, mean over labels; motion that is verified for half of them counts half."""
    words = set(labels)
    lengths = read_lengths(corpus)
    each = (
        (stop - start) / lengths[take][1]
        for (take, label), ranges in state.verified.items()
        if label in words
        for start, stop in ranges
    )
    return sum(each) / max(len(words), 1)


def _read(corpus: Corpus, what: str, kind: type[Kept]) -> list[Kept]:
    """Stored points of a kind; those that cannot be read are left out."""
    kept = corpus.remembered(what)
    names = {field.name for field in fields(kind)}
    points = kept if isinstance(kept, list) else []
    return [kind(**point) for point in points if isinstance(point, dict) and set(point) == names]


def _answers(corpus: Corpus, take: str) -> ProposalAccuracy:
    return sum(measure_proposals(corpus, [take]).values(), ProposalAccuracy())
