"""Summaries for people: what was learnt, what is proposed, and how much is verified, by label."""

from collections.abc import Iterable
from typing import Any

from motionloom.corpus import Corpus
from motionloom.corpus.labels.frame_ranges import keep_inside
from motionloom.corpus.labels.label_state import LabelState, read_label_state
from motionloom.corpus.labels.proposal_accuracy import ProposalAccuracy, measure_proposals
from motionloom.corpus.take_list import read_lengths
from motionloom.methods.annotate.labelling.sessions import Session


def summarize_learning(session: Session, tested: dict[str, tuple[float, float | None]]) -> list[dict[str, Any]]:
    """By label: seconds verified and holding, number of takes, and the cross-validated agreement and F1."""
    rows = []
    for number, label in enumerate(session.model.labels):
        track = session.model.tracks[:, number]
        takes = [name for name in session.view.names if track[slice(*session.view.range_of(name))].any()]
        agreement, f1 = tested.get(label, (None, None))
        rows.append(
            {
                "label": label,
                "verified": float((track != 0).sum() / session.view.fps),
                "holds": float((track > 0).sum() / session.view.fps),
                "takes": len(takes),
                "agreement": agreement,
                "f1": f1,
            }
        )
    return rows


def summarize_proposals(corpus: Corpus, names: Iterable[str]) -> list[dict[str, Any]]:
    """By take and label: the share of the take for which the label is proposed, and the mean confidence."""
    wanted = set(names)
    found: dict[tuple[str, str], list[tuple[int, float]]] = {}
    for proposal in corpus.proposals():
        if proposal.take in wanted:
            parts = found.setdefault((proposal.take, proposal.label), [])
            parts.append((proposal.stop - proposal.start, proposal.confidence))
    n_frames = {info.name: info.n_frames for info in corpus.infos()}
    rows = []
    for (take, label), parts in sorted(found.items()):
        total = sum(length for length, _ in parts)
        sure = sum(length * confidence for length, confidence in parts) / total
        rows.append({"take": take, "label": label, "share": total / n_frames[take], "confidence": sure})
    return rows


def summarize_labels(corpus: Corpus, state: LabelState | None = None) -> list[dict[str, Any]]:
    """By label: seconds verified, holding, proposed and decided, and how many proposals were right.

    Args:
        corpus: to summarize.
        state: its labels, if read already.
    """
    state = state or read_label_state(corpus)
    rates = {name: fps for name, (_, fps) in read_lengths(corpus).items()}
    answers = measure_proposals(corpus)

    def seconds(ranges: dict[tuple[str, str], list[tuple[int, int]]], label: str) -> float:
        return sum((b - a) / rates[pair[0]] for pair, listed in ranges.items() if pair[1] == label for a, b in listed)

    held = {pair: keep_inside(state.labelled.get(pair, []), windows) for pair, windows in state.verified.items()}
    rows = []
    for label in sorted({label for _, label in (*state.verified, *state.classified)}):
        answered = sum((of_pair for pair, of_pair in answers.items() if pair[1] == label), ProposalAccuracy())
        rows.append(
            {
                "label": label,
                "verified": seconds(state.verified, label),
                "holds": seconds(held, label),
                "takes": sum(pair[1] == label for pair in state.verified),
                "proposed": seconds(state.proposed, label),
                "decided": seconds(state.classified, label),
                "agreement": answered.agreement,
                "corrections": answered.corrections,
            }
        )
    return rows
