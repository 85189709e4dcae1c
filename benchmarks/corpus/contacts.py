"""Contacts: do feet come down left and right in turn where people walk, and are the performer's contacts found?"""

from pathlib import Path

from benchmarks.corpus.strikes import BACKWARDS, RUN, WALK_OR_TURN, count_pairs, detect_all, score_truth, take_names
from benchmarks.measure import figure
from motionloom.features.contacts import CONTACT_POINTS, ContactSettings

USUAL = ContactSettings()


def alternation_figures(data: Path) -> list[dict]:
    """Shares of good pairs: walking or turning, running, backwards; takes on props stand apart."""
    chosen, free, props = take_names(data, chosen=True), take_names(data), take_names(data, on_props=True)
    rows = (
        ("walk or turn; chosen subjects", WALK_OR_TURN, chosen),
        ("walk or turn; all takes", WALK_OR_TURN, free),
        ("walk or turn; takes on props", WALK_OR_TURN, props),
        ("run; all takes", RUN, free),
        ("backwards; all takes", BACKWARDS, free),
    )
    contacts = detect_all(data, free + props, USUAL)
    measured = []
    for title, going, names in rows:
        pairs = count_pairs(data, {name: contacts[name] for name in names}, going)
        measured.append(figure(f"alternating strikes; {title}", 100 * pairs.good / pairs.n, "%", "higher"))
        measured.append(figure(f"strike pairs; {title}", pairs.n, "pairs", "higher"))
    return measured


def truth_figures() -> list[dict]:
    """F1 of each contact point against the performer's truth, frame by frame."""
    scores, _ = score_truth(USUAL)
    return [
        figure(f"contacts beside the performer's; F1 of {point}", score, "", "higher")
        for point, score in zip(CONTACT_POINTS, scores)
    ]
