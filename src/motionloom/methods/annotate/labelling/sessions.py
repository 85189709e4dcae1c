"""Labelling sessions: learn what people verified in a corpus, propose the rest, cross-validate, find the next take."""

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from motionloom.caching import code_version
from motionloom.classify.classifier import freeze
from motionloom.classify.kept_classifiers import keep_classifier
from motionloom.classify.model import Model
from motionloom.classify.settings import Settings, choose_settings
from motionloom.classify.training import retrain, train_windows
from motionloom.classify.windows import find_windows
from motionloom.conform import View, make_view, take_ranges, verified_tracks
from motionloom.conform.statistics import learning_again
from motionloom.corpus import Corpus, Proposal
from motionloom.corpus.labels.frame_ranges import near_borders
from motionloom.corpus.labels.proposal_accuracy import BORDER
from motionloom.corpus.material import named_only, recordings
from motionloom.corpus.take_names import choose_takes
from motionloom.errors import BadInput
from motionloom.methods.annotate.labelling.active_learning import Offer, teaches_most
from motionloom.methods.annotate.proposal_ranges import proposal_ranges
from motionloom.methods.annotate.proposed_tracks import Proposals, propose_tracks
from motionloom.methods.annotate.request import Request

REMEMBERED = "annotate"
GROUPS = 3  # folds of the cross-validation
LEAST_UNSURE = 0.05  # probability of being wrong from which a label is named as a reason

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Choice:
    """What a person chose for learning; None for the default."""

    labels: list[str] | None = None
    takes: list[str] | None = None  # names and patterns
    classifier: str = "usual"
    kernel: str | None = None
    gamma: float | None = None  # in mean distances between windows

    def settings(self) -> Settings:
        """The settings of the classifier."""
        changes = {"kernel": self.kernel, "gamma": self.gamma}
        return choose_settings(self.classifier, **{name: value for name, value in changes.items() if value is not None})


@dataclass(frozen=True, eq=False)
class Session:
    """A labelling session: a view of a corpus, and the model learnt from its verified frames."""

    view: View
    model: Model
    verified_takes: list[str]
    seconds: float  # duration of learning


def remember(corpus: Corpus, choice: Choice) -> None:
    """Store a choice in the corpus, for the next session."""
    corpus.remember(REMEMBERED, asdict(choice))


def remembered(corpus: Corpus) -> Choice:
    """The choice of the last session, without labels and takes that are gone; defaults if there was none."""
    choice = kept_choice(corpus)
    verified = {verification.label for verification in corpus.verified()}
    labels = [label for label in choice.labels or [] if label in verified]
    takes = [take for take in choice.takes or [] if _is_there(corpus, take)]
    if choice.takes and not takes:
        raise BadInput(
            f"none of the takes that were chosen for learning ({', '.join(choice.takes)}) is in the corpus any more; "
            "choose others with `motionloom annotate learn`"
        )
    return replace(choice, labels=labels or None, takes=takes or None)


def kept_choice(corpus: Corpus) -> Choice:
    """The choice of the last session as stored, with labels and takes that may be gone."""
    kept = corpus.remembered(REMEMBERED)
    return Choice(**kept) if isinstance(kept, dict) and set(kept) == set(asdict(Choice())) else Choice()


def learn(
    corpus: Corpus,
    choice: Choice,
    *,
    maybe_nothing: bool = False,
    before: Session | None = None,
    progress: Progress | None = None,
) -> Session:
    """Learn labels from the verified frames of a corpus.

    Args:
        corpus: with verified labels.
        choice: labels, takes and settings.
        maybe_nothing: allow labels without verified frames.
        before: an earlier session of this corpus; with the same takes, labels and settings, learning is warm-started
            from it.
        progress: called as progress(done, total), in takes conformed.

    Raises:
        BadInput: a label has no verified frames, unless `maybe_nothing`.
    """
    settings = choice.settings()
    names = _takes_to_annotate(corpus, choice)
    verified = [verification for verification in corpus.verified() if verification.take in set(names)]
    words = {verification.label for verification in verified}
    if maybe_nothing:
        labels = sorted(words) if choice.labels is None else list(dict.fromkeys(choice.labels))
    else:
        labels = _labels_to_learn(corpus, choice, words)
    view = make_view(corpus, names, progress=progress)
    started = time.perf_counter()
    model = _learn(view, labels, settings, before)
    takes = sorted({verification.take for verification in verified if verification.label in labels})
    return Session(view, model, takes, time.perf_counter() - started)


def learn_again(corpus: Corpus, progress: Progress | None = None) -> tuple[Session | None, int]:
    """Learn again after labels were accepted, and renew existing proposals; does nothing before the first session."""
    if corpus.remembered(REMEMBERED) is None:
        return None, 0
    session = learn(corpus, remembered(corpus), progress=progress)
    names = sorted({classified.take for classified in corpus.classified()} & set(session.view.names))
    propose(corpus, session, names)
    return session, len(names)


def renew_embedding(session: Session) -> None:
    """Learn again from the corpus how windows are compared, for sessions to come; the session itself stays as it is."""
    with learning_again(session.view.corpus):
        find_windows(replace(session.view, statistics={}), session.model.settings)


def propose(corpus: Corpus, session: Session, names: Sequence[str]) -> None:
    """Classify takes and store the proposals in the corpus."""
    keep_proposals(corpus, session, propose_tracks(session.model, Request(takes=list(names))))


def keep_learnt(corpus: Corpus, session: Session) -> None:
    """Keep the classifier of a session in the corpus, for judging motions that are made of its takes."""
    if session.verified_takes:
        keep_classifier(corpus, freeze(session.model, session.view.skeleton), session.verified_takes)


def keep_proposals(corpus: Corpus, session: Session, found: Proposals, progress: Progress | None = None) -> None:
    """Store the proposals for takes in the corpus, and the classifier that made them."""
    keep_learnt(corpus, session)
    proposed: dict[str, list[Proposal]] = {name: [] for name in found.tracks}
    for proposal in proposal_ranges(found, session.view):
        proposed[proposal.take].append(proposal)
    settings, version = asdict(session.model.settings), code_version(_learn, propose_tracks, proposal_ranges)
    for done, (name, ranges) in enumerate(proposed.items(), 1):
        corpus.set_proposals(name, found.labels, ranges, model=settings, code_version=version)
        if progress is not None:
            progress(done, len(proposed))


def cross_validate(session: Session, progress: Progress | None = None) -> dict[str, tuple[float, float | None]]:
    """Cross-validate over takes: by label, the share of frames that are right, and F1; frames at borders do not count.

    Every verified take is left out once, in up to three folds. The result is empty with fewer than two takes; F1 is
    None for a label that holds nowhere.
    """
    n_groups = min(GROUPS, len(session.verified_takes))
    counts = np.zeros((4, len(session.model.labels)))  # true and false positives, true and false negatives
    for group in range(n_groups if n_groups > 1 else 0):
        counts += _test_without(session, session.verified_takes[group::n_groups])
        if progress is not None:
            progress(group + 1, n_groups)
    scores = {}
    for (true_pos, false_pos, true_neg, false_neg), label in zip(counts.T, session.model.labels):
        total = true_pos + false_pos + true_neg + false_neg
        if total:
            f1 = float(2 * true_pos / (2 * true_pos + false_pos + false_neg)) if true_pos + false_neg else None
            scores[label] = (float((true_pos + true_neg) / total), f1)
    return scores


def find_next(session: Session, longest: float | None) -> dict[str, Any] | None:
    """The frames to verify next, with the reason; None if everything is verified."""
    offers = teaches_most(session.model, longest=longest)
    return describe_offer(session, offers[0]) if offers else None


def describe_offer(session: Session, offer: Offer) -> dict[str, Any]:
    """Frames to verify next as plain data, in frames of their take, with the reason."""
    view = session.view
    begin, end = view.range_of(offer.take)
    frames = take_ranges(view, offer.take, np.isin(np.arange(end - begin), np.arange(offer.start, offer.stop)))
    info = view.corpus.info(offer.take)
    start, stop = frames[0][0], frames[-1][1]
    words = _unsure_words(session, offer) if session.verified_takes else []
    return {
        "take": offer.take,
        "start": start,
        "stop": stop,
        "n_frames": info.n_frames,
        "seconds": (stop - start) / info.fps,
        "unsure": offer.unsure,
        "new": offer.new,
        "about": words,
        "why": _why(session, offer, words),
    }


def _learn(view: View, labels: Sequence[str], settings: Settings, before: Session | None) -> Model:
    tracks = verified_tracks(view, labels)
    if before is not None and _is_alike(before, view, settings):
        if before.model.labels == tuple(labels):
            return retrain(before.model, tracks)
        return train_windows(before.model.windows, labels, tracks, settings)
    return train_windows(find_windows(view, settings), labels, tracks, settings)


def _is_alike(before: Session, view: View, settings: Settings) -> bool:
    """Whether the windows of a session are those of a view; keys of views do not say what takes are called."""
    old = before.view
    return (old.key, old.names, before.model.settings) == (view.key, view.names, settings)


def _test_without(session: Session, names: Sequence[str]) -> np.ndarray:
    """(4, L) frames of true and false positives, true and false negatives in takes that are left out of learning."""
    model, view = session.model, session.view
    counts = np.zeros((4, len(model.labels)))
    tracks = model.tracks.copy()
    for name in names:
        tracks[slice(*view.range_of(name))] = 0
    left_out = propose_tracks(retrain(model, tracks), Request(takes=names))
    for name in names:
        truth = model.tracks[slice(*view.range_of(name))]
        for column, label in enumerate(left_out.labels):
            number = model.labels.index(label)
            counted = (truth[:, number] != 0) & ~near_borders(truth[:, number] > 0, BORDER * view.fps)
            holds, proposed = truth[counted, number] > 0, left_out.tracks[name][counted, column] > 0
            positives = (holds & proposed).sum(), (~holds & proposed).sum()
            counts[:, number] += [*positives, (~holds & ~proposed).sum(), (holds & ~proposed).sum()]
    return counts


def _unsure_words(session: Session, offer: Offer) -> list[str]:
    """At most two labels with the lowest confidence in the offered frames."""
    found = propose_tracks(session.model, Request(takes=[offer.take]))
    unsure = 1.0 - found.confidences[offer.take][offer.start : offer.stop].mean(axis=0)  # (L,)
    return [found.labels[number] for number in (-unsure).argsort()[:2] if unsure[number] > LEAST_UNSURE]


def _why(session: Session, offer: Offer, words: list[str]) -> str:
    if not session.verified_takes:
        return "nothing is verified yet, and this take is the most like all others"
    about = f", most about {' and '.join(words)}" if words else ""
    return (
        f"the classifier is unsure there ({offer.unsure:.2f} of 1{about}), "
        f"and it is {offer.new:.2f} usual distances from what was verified"
    )


def _is_there(corpus: Corpus, take: str) -> bool:
    """Whether a name or pattern still matches a take."""
    try:
        infos = corpus.infos()
        known = [info.name for info in recordings(infos)]
        return bool(choose_takes(known, [take], named_only=named_only(infos)))
    except BadInput:
        return False


def _takes_to_annotate(corpus: Corpus, choice: Choice) -> list[str]:
    infos = [info for info in corpus.infos() if info.kind == "body"]
    bodies = [info.name for info in recordings(infos)]
    if not bodies and not choice.takes:
        raise BadInput(f"{corpus.folder} has no takes of bodies to annotate; add some with `motionloom import`")
    return choose_takes(bodies, choice.takes, named_only=named_only(infos)) if choice.takes else bodies


def _labels_to_learn(corpus: Corpus, choice: Choice, verified: set[str]) -> list[str]:
    if not verified:
        raise BadInput(
            f"nothing is verified in {corpus.folder} yet; label a take or two in a CSV file, then "
            "`motionloom annotate accept CORPUS --corrected LABELS.csv TAKE...`"
        )
    if choice.labels is None:
        return sorted(verified)
    unknown = [label for label in choice.labels if label not in verified]
    if unknown or not choice.labels:
        what = f"'{unknown[0]}' is not verified in any take" if unknown else "no label to learn"
        raise BadInput(f"{what}; verified are {', '.join(sorted(verified))}")
    return list(dict.fromkeys(choice.labels))
