"""Messages about labels: what is known, proposed and verified, and verification by a person."""

from typing import Literal

from motionloom.studio.server.messages.session import Message

Frames = tuple[int, int]  # [start, stop) of a take


class LearningChoice(Message):
    """Which words are learnt, and how."""

    vocabulary: list[str]
    classifier: Literal["usual", "paper"] = "usual"
    kernel: Literal["laplace", "gauss", "both"] | None = None
    gamma: float | None = None  # mean distances between windows; None: chosen by the system


class KnownWord(Message):
    """A label that the corpus has."""

    word: str
    takes: int
    seconds: float


class LabelStanding(Message):
    """How things stand with one label of the vocabulary."""

    label: str
    verified: float  # seconds
    holds: float  # of them
    proposed: float  # seconds elsewhere
    agreement: float | None  # of proposals with the labels that people accepted
    corrections: int


class TakeStanding(Message):
    """How things stand with one take."""

    name: str
    frames: int
    fps: float
    verified: float  # share, mean over the vocabulary
    confidence: float | None  # of what is proposed; None where nothing is
    unsure: int  # stretches that are worth a look
    rank: int | None  # 0 teaches most; None where nothing is left to verify, or it is not known yet


class TeachingOffer(Message):
    """A stretch that teaches much when it is verified next."""

    take: str
    start: int
    stop: int
    fps: float
    unsure: float  # from 0 to 1
    new: float  # usual distances to what was verified
    about: list[str]  # the words that are least clear
    why: str


class UnsureStretch(Message):
    """A stretch in which a label is unclear."""

    take: str
    label: str
    start: int
    stop: int
    confidence: float


class ReviewPoint(Message):
    """Accuracy of the proposals when they were verified."""

    verified: float  # seconds verified before
    agreement: float
    corrections: int
    take: str


class TrialPoint(Message):
    """How well takes are classified that were left out of training."""

    verified: float  # seconds
    agreement: float
    f1: float | None


class AnnotateState(Message):
    """How things stand with labelling."""

    choice: LearningChoice  # as it was learnt last
    words: list[KnownWord]  # of the corpus
    labels: list[LabelStanding]  # of the vocabulary
    takes: list[TakeStanding]
    seconds: float  # of motion that can be annotated
    verified: float  # of them, mean over the vocabulary
    offers: list[TeachingOffer]  # the first teaches most
    unsure: list[UnsureStretch]
    looks: list[ReviewPoint]
    trials: list[TrialPoint]
    is_learnt: bool  # offers and confidences are there
    usual_gamma: dict[str, float]  # by kernel
    gammas: tuple[float, float]  # the least and the most
    usual_kernel: Literal["laplace", "gauss", "both"]
    left_out: list[str]  # sentences: which takes cannot be shown on the reference skeleton, and why


class ProposedRange(Message):
    """Where the classifier proposes a label."""

    start: int
    stop: int
    confidence: float


class LabelRanges(Message):
    """The state of one label of a take."""

    label: str
    holds: list[Frames]  # labelled by people
    verified: list[Frames]
    proposed: list[ProposedRange]  # outside verified frames, where people have labelled nothing


class TakeTracks(Message):
    """The state of all labels of a take."""

    take: str
    frames: int
    fps: float
    labels: list[LabelRanges]


class AcceptLabels(Message):
    """In the frames [start, stop) of a take these labels hold exactly in these ranges."""

    take: str
    labels: list[str]
    start: int
    stop: int
    ranges: dict[str, list[Frames]]


class GivenLabel(Message):
    """A label given by a person."""

    take: str
    label: str
    start: int
    stop: int
    source: str


class VerifiedRange(Message):
    """A verified range of a label."""

    take: str
    label: str
    start: int
    stop: int


class Acceptance(Message):
    """Labels that a person accepted, and what they replaced: all that undoing it needs."""

    take: str
    labels: list[str]
    start: int
    stop: int
    replaced: list[GivenLabel]
    written: list[GivenLabel]
    verified_before: list[VerifiedRange]
    verified_after: list[VerifiedRange]


class Accepted(Message):
    """What was accepted, and how what was proposed there compares."""

    acceptance: Acceptance
    agreement: float | None
    proposals: int
    right_proposals: int
    corrections: int


class RenameWord(Message):
    """Rename a label in all takes."""

    old: str
    new: str


class Renamed(Message):
    """How many label ranges have the word."""

    labels: int
