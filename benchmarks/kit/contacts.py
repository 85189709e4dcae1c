"""Contacts that the kit builds on: found frame by frame, in turn, for as long as people stand, whatever the settings.

Takes on props are listed by name in `props.py` and stand apart. Double support is the part of a step, from strike to
strike, in which both feet are down.
"""

from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path

from benchmarks.corpus.strikes import (
    BACKWARDS,
    RUN,
    STRAIGHT_ON,
    WALK_OR_TURN,
    Going,
    Pairs,
    count_pairs,
    detect_all,
    score_truth,
    take_names,
)
from benchmarks.measure import figure
from motionloom.features.contacts import CONTACT_POINTS, ContactSettings

USUAL = ContactSettings()
USUAL_SUPPORT = (20.0, 25.0)  # percent of a step, as gait studies report it
OFF = (0.8, 1.2)  # times each setting, to see what it matters


def figures(data: Path | None) -> list[dict]:
    """F1 beside the performer's truth; alternation and double support of recordings; and what each setting matters."""
    recorded = [] if data is None else _recordings(data)
    return _truth() + recorded + _sensitivity(data)


def _truth() -> list[dict]:
    (points, pooled), (_, within_two) = score_truth(USUAL), score_truth(USUAL, tolerance=2)
    return [
        figure("contacts; F1 of all points; frame by frame", pooled, "", "higher"),
        figure("contacts; F1 of all points; borders within two frames", within_two, "", "higher"),
        *(
            figure(f"contacts; F1 of {name}; frame by frame", score, "", "higher")
            for name, score in zip(CONTACT_POINTS, points)
        ),
    ]


def _recordings(data: Path) -> list[dict]:
    chosen, free, props = take_names(data, chosen=True), take_names(data), take_names(data, on_props=True)
    contacts = detect_all(data, free + props, USUAL)

    def pairs(names: list[str], going: Going) -> Pairs:
        return count_pairs(data, {name: contacts[name] for name in names}, going)

    walks, all_walks = pairs(chosen, WALK_OR_TURN), pairs(free, WALK_OR_TURN)
    measured = []
    for title, counted in (
        ("walk or turn; chosen subjects", walks),
        ("walk or turn; walking set", pairs([name for name in free if name.startswith("walking/")], WALK_OR_TURN)),
        ("walk or turn; all takes", all_walks),
        ("walk or turn; takes on props", pairs(props, WALK_OR_TURN)),
        ("run", pairs(free, RUN)),
        ("backwards", pairs(free, BACKWARDS)),
    ):
        measured += [
            figure(f"contacts; alternating strikes; {title}", 100 * counted.good / counted.n, "%", "higher"),
            figure(f"contacts; the other side next; {title}", 100 - 100 * counted.same_side / counted.n, "%", "higher"),
            figure(f"contacts; strike pairs; {title}", counted.n, "pairs", "higher"),
        ]
    return (
        measured
        + _support("walk or turn; chosen subjects", walks)
        + _support("walk or turn; all takes", all_walks)
        + _support("straight on; chosen subjects", pairs(chosen, STRAIGHT_ON))
        + _support("straight on; all takes", pairs(free, STRAIGHT_ON))
    )


def _support(title: str, pairs: Pairs) -> list[dict]:
    (low, high), share = USUAL_SUPPORT, pairs.double_support
    return [
        figure(f"contacts; double support of a step; {title}", share, "%", "lower"),
        figure(f"contacts; double support outside 20-25 %; {title}", max(low - share, share - high, 0), "%", "lower"),
    ]


def _sensitivity(data: Path | None) -> list[dict]:
    """The worst that happens when any one setting is a fifth smaller or larger."""
    scores, alternation, support = [], [], []
    chosen = take_names(data, chosen=True) if data is not None else []
    for settings in _neighbours():
        scores.append(score_truth(settings)[1])
        if data is not None:
            pairs = count_pairs(data, detect_all(data, chosen, settings), WALK_OR_TURN)
            alternation.append(100 * pairs.good / pairs.n)
            support.append(pairs.double_support)
    measured = [figure("contacts; lowest F1 with one setting 20 % off", min(scores), "", "higher")]
    if data is not None:
        measured += [
            figure("contacts; least alternation with one setting 20 % off", min(alternation), "%", "higher"),
            figure("contacts; least double support with one setting 20 % off", min(support), "%", "higher"),
            figure("contacts; most double support with one setting 20 % off", max(support), "%", "lower"),
        ]
    return measured


def _neighbours() -> Iterator[ContactSettings]:
    for field in fields(ContactSettings):
        for factor in OFF:
            yield replace(USUAL, **{field.name: factor * getattr(USUAL, field.name)})
