"""How labelling stands, for the page; and learning again after every change."""

from dataclasses import asdict, dataclass, field
from typing import Any

from motionloom.classify.gram import GAMMA
from motionloom.classify.settings import GAMMAS, Settings
from motionloom.conform import describe_left_out, find_left_out
from motionloom.corpus import Corpus
from motionloom.corpus.labels import acceptance as corpus_verifying
from motionloom.corpus.labels.frame_ranges import keep_inside
from motionloom.corpus.labels.label_state import LabelState, read_label_state
from motionloom.corpus.material import recordings
from motionloom.errors import BadInput
from motionloom.methods.annotate.labelling import learning_curve, sessions
from motionloom.methods.annotate.labelling.summaries import summarize_labels
from motionloom.studio.server.jobs import RunningJob
from motionloom.studio.server.messages import annotate as m
from motionloom.studio.server.studio import Studio

DESK = "annotate"
LEARN, TRY_OUT = "learn", "try out"  # kinds of jobs, and their keys: a newer one replaces what still runs


@dataclass(frozen=True)
class Learnt:
    """What the desk returned when it learnt last."""

    offers: list[dict[str, Any]] = field(default_factory=list)
    ranking: list[str] = field(default_factory=list)  # takes, the one that teaches most first
    unsure: list[dict[str, Any]] = field(default_factory=list)
    confidences: dict[str, float] = field(default_factory=dict)
    learnt: list[str] = field(default_factory=list)  # labels
    takes: list[str] = field(default_factory=list)
    seconds: float = 0.0


def start_learning(studio: Studio, choice: m.LearningChoice | None = None) -> RunningJob:
    """Learn again, with another choice or with the last one; pages are notified of new proposals when it is done."""
    if choice is None:
        with studio.corpus() as corpus:
            wanted = sessions.kept_choice(corpus)
    else:
        wanted = sessions.Choice(choice.vocabulary, None, choice.classifier, choice.kernel, choice.gamma)
        wanted.settings()  # raises where they are none
        if studio.can_write:
            with studio.corpus(write=True) as corpus:
                sessions.remember(corpus, wanted)
    is_first = DESK not in studio.kept
    for job in studio.jobs.all():
        if job.kind == TRY_OUT:  # a background job gives way to this
            studio.jobs.cancel(job.id)

    def keep(found: dict[str, Any]) -> None:
        studio.kept[DESK] = Learnt(**found)
        studio.changed("proposals")
        _try_out(studio)

    return studio.start(
        DESK,
        "learn",
        {"choice": asdict(wanted)},
        kind=LEARN,
        title="learning labels",
        key=LEARN,
        quiet=not is_first,
        after=keep,
    )


def describe_state(studio: Studio) -> m.AnnotateState:
    """How things stand with labelling."""
    learnt: Learnt = studio.kept.get(DESK, Learnt())
    with studio.corpus() as corpus:
        state = read_label_state(corpus)
        choice = sessions.kept_choice(corpus)
        words = choice.labels or []
        infos = {info.name: info for info in corpus.infos() if info.kind == "body"}
        left_out = find_left_out(corpus)
        hidden = {left.take for left in left_out}
        names = [info.name for info in recordings(infos.values()) if info.name not in hidden]
        standing = {row["label"]: row for row in summarize_labels(corpus, state)}
        reviews, trials = learning_curve.read_reviews(corpus), learning_curve.read_trials(corpus)
        verified = learning_curve.verified_seconds(corpus, state, words)
    ranks = {take: rank for rank, take in enumerate(learnt.ranking)}
    unsure: dict[str, int] = {}
    for stretch in learnt.unsure:
        unsure[stretch["take"]] = unsure.get(stretch["take"], 0) + 1
    offers = [offer for offer in learnt.offers if offer["take"] in infos]
    return m.AnnotateState(
        choice=m.LearningChoice(
            vocabulary=words, classifier=_classifier(choice), kernel=_kernel(choice), gamma=choice.gamma
        ),
        words=_known_words(state, {name: info.fps for name, info in infos.items()}),
        labels=[_label_standing(word, standing.get(word, {})) for word in words],
        takes=[
            m.TakeStanding(
                name=name,
                frames=infos[name].n_frames,
                fps=infos[name].fps,
                verified=_verified_share(state, name, words, infos[name].n_frames),
                confidence=learnt.confidences.get(name),
                unsure=unsure.get(name, 0),
                rank=ranks.get(name),
            )
            for name in names
        ],
        seconds=sum(infos[name].duration for name in names),
        verified=verified,
        offers=[
            m.TeachingOffer(
                take=offer["take"],
                start=offer["start"],
                stop=offer["stop"],
                fps=infos[offer["take"]].fps,
                unsure=offer["unsure"],
                new=offer["new"],
                about=offer["about"],
                why=offer["why"],
            )
            for offer in offers
        ],
        unsure=[m.UnsureStretch(**stretch) for stretch in learnt.unsure if stretch["take"] in infos],
        looks=[
            m.ReviewPoint(
                verified=review.verified,
                agreement=review.right_seconds / review.seconds,
                corrections=review.corrections,
                take=review.take,
            )
            for review in reviews
        ],
        trials=[m.TrialPoint(**vars(trial)) for trial in trials],
        is_learnt=DESK in studio.kept,
        usual_gamma=GAMMA,
        gammas=GAMMAS,
        usual_kernel=Settings().kernel,
        left_out=describe_left_out(left_out),
    )


def describe_tracks(corpus: Corpus, take: str) -> m.TakeTracks:
    """The state of all labels of a take."""
    info = corpus.info(take)
    state = read_label_state(corpus)
    confidences: dict[str, list[m.ProposedRange]] = {}
    for proposal in corpus.proposals(take):
        if not state.is_listed(take, proposal.label):
            proposed = m.ProposedRange(start=proposal.start, stop=proposal.stop, confidence=proposal.confidence)
            confidences.setdefault(proposal.label, []).append(proposed)
    return m.TakeTracks(
        take=take,
        frames=info.n_frames,
        fps=info.fps,
        labels=[
            m.LabelRanges(
                label=word,
                holds=state.labelled.get((take, word), []),
                verified=state.verified.get((take, word), []),
                proposed=confidences.get(word, []),
            )
            for word in sorted(state.label_names([take]) | set(confidences))
        ],
    )


def accept(corpus: Corpus, wanted: m.AcceptLabels) -> m.Accepted:
    """Store the labels that a person verified in a stretch of a take."""
    done, answers = learning_curve.accept_and_note(
        corpus, wanted.take, wanted.labels, wanted.start, wanted.stop, wanted.ranges
    )
    return m.Accepted(
        acceptance=m.Acceptance.model_validate(asdict(done)),
        agreement=answers.agreement,
        proposals=answers.proposals,
        right_proposals=answers.right_proposals,
        corrections=answers.corrections,
    )


def take_back(corpus: Corpus, acceptance: m.Acceptance) -> None:
    """Undo what was accepted."""
    learning_curve.take_back(corpus, corpus_verifying.Acceptance.from_plain(acceptance.model_dump()))


def rename_word(corpus: Corpus, wanted: m.RenameWord) -> m.Renamed:
    """Use another word for a label; the choice for learning follows."""
    choice = sessions.kept_choice(corpus)
    if wanted.new in (choice.labels or []):
        raise BadInput(f"'{wanted.new}' is in the vocabulary already; choose another word")
    count = corpus.rename_label(wanted.old, wanted.new)
    if choice.labels and wanted.old in choice.labels:
        labels = [wanted.new if label == wanted.old else label for label in choice.labels]
        sessions.remember(corpus, sessions.Choice(**{**asdict(choice), "labels": labels}))
    return m.Renamed(labels=count)


def _try_out(studio: Studio) -> None:
    """Cross-validate in the background; the curve gets a point."""
    studio.start(
        DESK,
        "try_out",
        {},
        kind=TRY_OUT,
        title="testing what was learnt",
        key=TRY_OUT,
        quiet=True,
        after=lambda trial: studio.changed("proposals") if trial is not None else None,
    )


def _known_words(state: LabelState, rates: dict[str, float]) -> list[m.KnownWord]:
    takes: dict[str, int] = {}
    seconds: dict[str, float] = {}
    for (take, label), ranges in state.labelled.items():
        if take in rates:
            takes[label] = takes.get(label, 0) + 1
            seconds[label] = seconds.get(label, 0.0) + sum(stop - start for start, stop in ranges) / rates[take]
    return [m.KnownWord(word=word, takes=takes[word], seconds=seconds[word]) for word in sorted(takes)]


def _label_standing(word: str, row: dict[str, Any]) -> m.LabelStanding:
    return m.LabelStanding(
        label=word,
        verified=row.get("verified", 0.0),
        holds=row.get("holds", 0.0),
        proposed=row.get("proposed", 0.0),
        agreement=row.get("agreement"),
        corrections=row.get("corrections", 0),
    )


def _verified_share(state: LabelState, take: str, words: list[str], n_frames: int) -> float:
    looked = (keep_inside(state.verified.get((take, word), []), [(0, n_frames)]) for word in words)
    return sum(stop - start for ranges in looked for start, stop in ranges) / max(n_frames * len(words), 1)


def _classifier(choice: sessions.Choice) -> Any:
    return choice.classifier if choice.classifier in ("usual", "paper") else "usual"


def _kernel(choice: sessions.Choice) -> Any:
    return choice.kernel if choice.kernel in GAMMA else None
