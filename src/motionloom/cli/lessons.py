"""Steps that the commands of `annotate` share: choosing, learning, proposing, telling how things stand."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from motionloom.cli.console import progress_bar
from motionloom.cli.corpora import expand
from motionloom.errors import BadInput

if TYPE_CHECKING:
    from motionloom.conform import View
    from motionloom.corpus import Corpus, Proposal
    from motionloom.methods.annotate import Model, Offer, Settings

REMEMBERED = "annotate"
GROUPS = 3  # into which takes are parted, each left out of learning once
LEAST_UNSURE = 0.05  # chance of being wrong from which a label is named


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
        from motionloom.methods.annotate import choose_settings

        changes = {"kernel": self.kernel, "gamma": self.gamma}
        return choose_settings(self.classifier, **{name: value for name, value in changes.items() if value is not None})


@dataclass(frozen=True)
class Lesson:
    """What was learnt from the verified frames of a corpus."""

    view: View
    model: Model
    verified_takes: list[str]
    seconds: float  # that learning took


def remember(store: Corpus, choice: Choice) -> None:
    """Keep what was chosen for the other commands."""
    store.remember(REMEMBERED, asdict(choice))


def remembered(store: Corpus) -> Choice:
    """What was chosen when labels were learnt last, as far as it is there; the usual where nobody chose anything."""
    choice = _kept(store)
    verified = {one.label for one in store.verified()}
    labels = [label for label in choice.labels or [] if label in verified]
    takes = [take for take in choice.takes or [] if _is_there(store, take)]
    if choice.takes and not takes:
        raise BadInput(
            f"of the takes that were chosen for learning ({', '.join(choice.takes)}) none is there any more; "
            "`motionloom annotate learn` chooses others"
        )
    return replace(choice, labels=labels or None, takes=takes or None)


def remembered_labels(store: Corpus) -> list[str]:
    """The labels that a person chose to learn; none where nobody did."""
    return _kept(store).labels or []


def learn(store: Corpus, choice: Choice, *, maybe_nothing: bool = False) -> Lesson:
    """Learn labels from what was verified; where that is nothing, raise unless nothing is as good."""
    from motionloom.conform import make_view, verified_tracks
    from motionloom.methods.annotate import prepare

    settings = choice.settings()
    names = _takes_to_annotate(store, choice)
    verified = [one for one in store.verified() if one.take in set(names)]
    labels = [] if maybe_nothing and not verified else _labels_to_learn(store, choice, {x.label for x in verified})
    with progress_bar("conforming takes") as progress:
        view = make_view(store, names, progress=progress)
    begin = time.perf_counter()
    model = prepare(view, labels, verified_tracks(view, labels), settings)
    takes = sorted({one.take for one in verified if one.label in labels})
    return Lesson(view, model, takes, time.perf_counter() - begin)


def learn_again(store: Corpus) -> tuple[Lesson | None, int]:
    """After something was accepted: learn again, and classify again what has proposals; only if labels were learnt."""
    if store.remembered(REMEMBERED) is None:
        return None, 0
    lesson = learn(store, remembered(store))
    names = sorted({one.take for one in store.classified()} & set(lesson.view.names))
    propose(store, lesson, names)
    return lesson, len(names)


def propose(store: Corpus, lesson: Lesson, names: Sequence[str]) -> None:
    """Classify takes and keep what is proposed."""
    from motionloom.corpus.code_version import code_version
    from motionloom.methods.annotate import Request, realize, solve

    found = solve(lesson.model, Request(takes=list(names)))
    proposed: dict[str, list[Proposal]] = {name: [] for name in names}
    for one in realize(found, lesson.view):
        proposed[one.take].append(one)
    settings, version = asdict(lesson.model.settings), code_version("methods/annotate")
    for name, ranges in proposed.items():
        store.set_proposals(name, found.labels, ranges, model=settings, code_version=version)


def cross_validate(lesson: Lesson) -> dict[str, tuple[float, float | None]]:
    """By label: the share of frames, and the F1, that are right in takes left out of learning; borders do not count.

    Every verified take is left out once, in up to three groups. With less than two takes there is nothing to tell, and
    there is no F1 of a label that holds nowhere.
    """
    import numpy as np

    from motionloom.corpus.answers import BORDER
    from motionloom.corpus.ranges import near_borders
    from motionloom.methods.annotate import Request, retrain, solve

    model, view = lesson.model, lesson.view
    n_groups = min(GROUPS, len(lesson.verified_takes))
    counts = np.zeros((4, len(model.labels)))  # right and wrong yes, right and wrong no
    for group in range(n_groups if n_groups > 1 else 0):
        names = lesson.verified_takes[group::n_groups]
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
    told = {}
    for number, label in enumerate(model.labels):
        yes, wrong_yes, no, wrong_no = counts[:, number]
        if yes + wrong_yes + no + wrong_no:
            held = 2 * yes + wrong_yes + wrong_no
            told[label] = (
                float((yes + no) / counts[:, number].sum()),
                float(2 * yes / held) if yes + wrong_no else None,
            )
    return told


def find_next(lesson: Lesson, longest: float | None) -> dict[str, Any] | None:
    """The frames of a take that teach the most when they are verified next, and why; None where all is verified."""
    import numpy as np

    from motionloom.conform import take_ranges
    from motionloom.methods.annotate import teaches_most

    offers = teaches_most(lesson.model, longest=longest)
    if not offers:
        return None
    best, view = offers[0], lesson.view
    begin, end = view.range_of(best.take)
    frames = take_ranges(view, best.take, np.isin(np.arange(end - begin), np.arange(best.start, best.stop)))
    info = view.corpus.info(best.take)
    start, stop = frames[0][0], frames[-1][1]
    return {
        "take": best.take,
        "start": start,
        "stop": stop,
        "n_frames": info.n_frames,
        "seconds": (stop - start) / info.fps,
        "unsure": best.unsure,
        "new": best.new,
        "why": _why(lesson, best),
    }


def _why(lesson: Lesson, offer: Offer) -> str:
    from motionloom.methods.annotate import Request, solve

    if not lesson.verified_takes:
        return "nothing is verified yet, and this take is the most like all others"
    found = solve(lesson.model, Request(takes=[offer.take]))
    unsure = 1.0 - found.confidences[offer.take][offer.start : offer.stop].mean(axis=0)  # (L,)
    words = [found.labels[number] for number in (-unsure).argsort()[:2] if unsure[number] > LEAST_UNSURE]
    about = f", most about {' and '.join(words)}" if words else ""
    return (
        f"the classifier is unsure there ({offer.unsure:.2f} of 1{about}), "
        f"and it is {offer.new:.2f} usual distances from what was verified"
    )


def what_was_learnt(lesson: Lesson, tested: dict[str, tuple[float, float | None]]) -> list[dict[str, Any]]:
    """By label: seconds verified and holding, in how many takes, and how well takes that were left out are told."""
    rows = []
    for number, label in enumerate(lesson.model.labels):
        track = lesson.model.tracks[:, number]
        looked = [name for name in lesson.view.names if track[slice(*lesson.view.range_of(name))].any()]
        agreement, f1 = tested.get(label, (None, None))
        rows.append(
            {
                "label": label,
                "verified": float((track != 0).sum() / lesson.view.fps),
                "holds": float((track > 0).sum() / lesson.view.fps),
                "takes": len(looked),
                "agreement": agreement,
                "f1": f1,
            }
        )
    return rows


def what_is_proposed(store: Corpus, names: Iterable[str]) -> list[dict[str, Any]]:
    """By take and label: which share of the take is proposed, and how sure the machine is."""
    wanted = set(names)
    found: dict[tuple[str, str], list[tuple[int, float]]] = {}
    for one in store.proposals():
        if one.take in wanted:
            found.setdefault((one.take, one.label), []).append((one.stop - one.start, one.confidence))
    n_frames = {info.name: info.n_frames for info in store.infos()}
    rows = []
    for (take, label), parts in sorted(found.items()):
        total = sum(length for length, _ in parts)
        sure = sum(length * confidence for length, confidence in parts) / total
        rows.append({"take": take, "label": label, "share": total / n_frames[take], "confidence": sure})
    return rows


def how_it_stands(store: Corpus) -> list[dict[str, Any]]:
    """By label: seconds verified, holding there, proposed and decided elsewhere, and how proposals fared."""
    from motionloom.corpus.answers import Answers, read_answers
    from motionloom.corpus.ranges import keep_inside
    from motionloom.corpus.tracks import read_said

    said = read_said(store)
    rates = {info.name: info.fps for info in store.infos()}
    answers = read_answers(store)

    def seconds(ranges: dict[tuple[str, str], list[tuple[int, int]]], label: str) -> float:
        return sum((b - a) / rates[pair[0]] for pair, listed in ranges.items() if pair[1] == label for a, b in listed)

    held = {pair: keep_inside(said.people.get(pair, []), windows) for pair, windows in said.verified.items()}
    rows = []
    for label in sorted({label for _, label in (*said.verified, *said.decided)}):
        answered = sum((one for pair, one in answers.items() if pair[1] == label), Answers())
        rows.append(
            {
                "label": label,
                "verified": seconds(said.verified, label),
                "holds": seconds(held, label),
                "takes": sum(pair[1] == label for pair in said.verified),
                "proposed": seconds(said.proposed, label),
                "decided": seconds(said.decided, label),
                "agreement": answered.agreement,
                "corrections": answered.corrections,
            }
        )
    return rows


def _kept(store: Corpus) -> Choice:
    kept = store.remembered(REMEMBERED)
    return Choice(**kept) if isinstance(kept, dict) and set(kept) == set(asdict(Choice())) else Choice()


def _is_there(store: Corpus, take: str) -> bool:
    """Whether a name or pattern still means something."""
    try:
        return bool(expand(store.names(), [take]))
    except BadInput:
        return False


def _takes_to_annotate(store: Corpus, choice: Choice) -> list[str]:
    bodies = [info.name for info in store.infos() if info.kind == "body"]
    if not bodies:
        raise BadInput(f"{store.folder} has no takes of bodies to annotate; `motionloom import` brings some in")
    return expand(bodies, choice.takes) if choice.takes else bodies


def _labels_to_learn(store: Corpus, choice: Choice, verified: set[str]) -> list[str]:
    if not verified:
        raise BadInput(
            f"nothing is verified in {store.folder} yet; label a take or two in a CSV file, then "
            "`motionloom annotate accept CORPUS --corrected LABELS.csv TAKE...`"
        )
    if choice.labels is None:
        return sorted(verified)
    unknown = [label for label in choice.labels if label not in verified]
    if unknown or not choice.labels:
        what = f"'{unknown[0]}' is not verified in any take" if unknown else "no label to learn"
        raise BadInput(f"{what}; verified are {', '.join(sorted(verified))}")
    return list(dict.fromkeys(choice.labels))
