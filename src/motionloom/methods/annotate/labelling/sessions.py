"""Lessons: what people verified in a corpus is learnt, proposed for the rest, tested, and the next take is found."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from motionloom.conform import View, make_view, take_ranges, verified_tracks
from motionloom.corpus import Corpus, Proposal, TakeInfo
from motionloom.corpus.answers import BORDER
from motionloom.corpus.choosing import choose_takes
from motionloom.corpus.code_version import code_version
from motionloom.corpus.ranges import near_borders
from motionloom.errors import BadInput
from motionloom.methods.annotate.classifier.windows import find_windows
from motionloom.methods.annotate.labelling.active_learning import Offer, teaches_most
from motionloom.methods.annotate.model import Model
from motionloom.methods.annotate.prepare import learn as learn_windows
from motionloom.methods.annotate.prepare import retrain
from motionloom.methods.annotate.realize import realize
from motionloom.methods.annotate.request import Request, Settings, choose_settings
from motionloom.methods.annotate.solve import Proposals, solve

REMEMBERED = "annotate"
GROUPS = 3  # into which takes are parted, each left out of learning once
LEAST_UNSURE = 0.05  # chance of being wrong from which a label is named

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Choice:
    """What a person chose for learning; None is left to the system."""

    labels: list[str] | None = None
    takes: list[str] | None = None  # names and patterns
    classifier: str = "usual"
    kernel: str | None = None
    gamma: float | None = None  # in mean distances between windows

    def settings(self) -> Settings:
        """As the method wants them."""
        changes = {"kernel": self.kernel, "gamma": self.gamma}
        return choose_settings(self.classifier, **{name: value for name, value in changes.items() if value is not None})


@dataclass(frozen=True, eq=False)
class Session:
    """What was learnt from the verified frames of a corpus."""

    view: View
    model: Model
    verified_takes: list[str]
    seconds: float  # that learning took


def remember(corpus: Corpus, choice: Choice) -> None:
    """Keep what was chosen for whoever learns next."""
    corpus.remember(REMEMBERED, asdict(choice))


def remembered(corpus: Corpus) -> Choice:
    """What was chosen when labels were learnt last, as far as it is there; the usual where nobody chose anything."""
    choice = kept_choice(corpus)
    verified = {one.label for one in corpus.verified()}
    labels = [label for label in choice.labels or [] if label in verified]
    takes = [take for take in choice.takes or [] if _is_there(corpus, take)]
    if choice.takes and not takes:
        raise BadInput(
            f"of the takes that were chosen for learning ({', '.join(choice.takes)}) none is there any more; "
            "`motionloom annotate learn` chooses others"
        )
    return replace(choice, labels=labels or None, takes=takes or None)


def kept_choice(corpus: Corpus) -> Choice:
    """What was chosen when labels were learnt last, whether or not it is still there."""
    kept = corpus.remembered(REMEMBERED)
    return Choice(**kept) if isinstance(kept, dict) and set(kept) == set(asdict(Choice())) else Choice()


def takes_of_most(corpus: Corpus, infos: Iterable[TakeInfo] | None = None) -> list[str]:
    """The takes of bodies that can be learnt together: those of the hierarchy of which there is the most motion.

    Args:
        corpus: whose takes.
        infos: what is known about them, where that was read already.
    """
    seconds: dict[str | None, float] = {}
    bodies = [info for info in (corpus.infos() if infos is None else infos) if info.kind == "body"]
    for info in bodies:
        seconds[info.hierarchy] = seconds.get(info.hierarchy, 0.0) + info.duration
    most = max(seconds, key=lambda one: seconds[one], default=None)
    return [info.name for info in bodies if info.hierarchy == most]


def learn(
    corpus: Corpus,
    choice: Choice,
    *,
    maybe_nothing: bool = False,
    before: Session | None = None,
    progress: Progress | None = None,
) -> Session:
    """Learn labels from what was verified; raises where nothing was, unless that is as good.

    Args:
        corpus: of which what was verified is learnt.
        choice: labels, takes and settings.
        maybe_nothing: labels may be chosen of which nothing is verified yet.
        before: an earlier session of this corpus; where takes, labels and settings are the same, learning goes on from
            it, which is quick.
        progress: told how many takes are conformed, and of how many.
    """
    settings = choice.settings()
    names = _takes_to_annotate(corpus, choice)
    verified = [one for one in corpus.verified() if one.take in set(names)]
    words = {one.label for one in verified}
    if maybe_nothing:
        labels = sorted(words) if choice.labels is None else list(dict.fromkeys(choice.labels))
    else:
        labels = _labels_to_learn(corpus, choice, words)
    view = make_view(corpus, names, progress=progress)
    begin = time.perf_counter()
    model = _learn(view, labels, settings, before)
    takes = sorted({one.take for one in verified if one.label in labels})
    return Session(view, model, takes, time.perf_counter() - begin)


def learn_again(corpus: Corpus, progress: Progress | None = None) -> tuple[Session | None, int]:
    """After something was accepted: learn again, and classify again what has proposals; only if labels were learnt."""
    if corpus.remembered(REMEMBERED) is None:
        return None, 0
    session = learn(corpus, remembered(corpus), progress=progress)
    names = sorted({one.take for one in corpus.classified()} & set(session.view.names))
    propose(corpus, session, names)
    return session, len(names)


def propose(corpus: Corpus, session: Session, names: Sequence[str]) -> None:
    """Classify takes and keep what is proposed."""
    keep_proposals(corpus, session, solve(session.model, Request(takes=list(names))))


def keep_proposals(corpus: Corpus, session: Session, found: Proposals, progress: Progress | None = None) -> None:
    """Keep what is proposed for takes."""
    proposed: dict[str, list[Proposal]] = {name: [] for name in found.tracks}
    for one in realize(found, session.view):
        proposed[one.take].append(one)
    settings, version = asdict(session.model.settings), code_version("methods/annotate")
    for done, (name, ranges) in enumerate(proposed.items(), 1):
        corpus.set_proposals(name, found.labels, ranges, model=settings, code_version=version)
        if progress is not None:
            progress(done, len(proposed))


def cross_validate(session: Session, progress: Progress | None = None) -> dict[str, tuple[float, float | None]]:
    """By label: the share of frames, and the F1, that are right in takes left out of learning; borders do not count.

    Every verified take is left out once, in up to three groups. With less than two takes there is nothing to tell, and
    there is no F1 of a label that holds nowhere.
    """
    n_groups = min(GROUPS, len(session.verified_takes))
    counts = np.zeros((4, len(session.model.labels)))  # right and wrong yes, right and wrong no
    for group in range(n_groups if n_groups > 1 else 0):
        counts += _test_without(session, session.verified_takes[group::n_groups])
        if progress is not None:
            progress(group + 1, n_groups)
    told = {}
    for (yes, wrong_yes, no, wrong_no), label in zip(counts.T, session.model.labels):
        if yes + wrong_yes + no + wrong_no:
            held = 2 * yes + wrong_yes + wrong_no
            told[label] = (
                float((yes + no) / (yes + wrong_yes + no + wrong_no)),
                float(2 * yes / held) if yes + wrong_no else None,
            )
    return told


def find_next(session: Session, longest: float | None) -> dict[str, Any] | None:
    """The frames of a take that teach the most when they are verified next, and why; None where all is verified."""
    offers = teaches_most(session.model, longest=longest)
    return describe_offer(session, offers[0]) if offers else None


def describe_offer(session: Session, offer: Offer) -> dict[str, Any]:
    """What is offered to be verified next, in frames of its take, and why."""
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
    if before is not None and (before.view.key, before.model.settings) == (view.key, settings):
        if before.model.labels == tuple(labels):
            return retrain(before.model, tracks)
        return learn_windows(before.model.windows, labels, tracks, settings)
    return learn_windows(find_windows(view, settings), labels, tracks, settings)


def _test_without(session: Session, names: Sequence[str]) -> np.ndarray:
    """(4, L) frames of right and wrong yes, right and wrong no in some takes, when they are left out of learning."""
    model, view = session.model, session.view
    counts = np.zeros((4, len(model.labels)))
    tracks = model.tracks.copy()
    for name in names:
        tracks[slice(*view.range_of(name))] = 0
    left_out = solve(retrain(model, tracks), Request(takes=names))
    for name in names:
        truth = model.tracks[slice(*view.range_of(name))]
        for column, label in enumerate(left_out.labels):
            number = model.labels.index(label)
            counted = (truth[:, number] != 0) & ~near_borders(truth[:, number] > 0, BORDER * view.fps)
            holds, said = truth[counted, number] > 0, left_out.tracks[name][counted, column] > 0
            counts[:, number] += [(holds & said).sum(), (~holds & said).sum(), (~holds & ~said).sum(),
                                  (holds & ~said).sum()]  # fmt: skip
    return counts


def _unsure_words(session: Session, offer: Offer) -> list[str]:
    """The labels, two at most, about which the machines are least sure in what is offered."""
    found = solve(session.model, Request(takes=[offer.take]))
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
    """Whether a name or pattern still means something."""
    try:
        return bool(choose_takes(corpus.names(), [take]))
    except BadInput:
        return False


def _takes_to_annotate(corpus: Corpus, choice: Choice) -> list[str]:
    bodies = [info.name for info in corpus.infos() if info.kind == "body"]
    if not bodies:
        raise BadInput(f"{corpus.folder} has no takes of bodies to annotate; `motionloom import` brings some in")
    return choose_takes(bodies, choice.takes) if choice.takes else bodies


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
