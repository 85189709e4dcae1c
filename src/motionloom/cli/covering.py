"""`motionloom coverage`: which labels a corpus has, which changes between them, how good and how long."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING, Annotated

import typer

from motionloom.cli.console import clock, count, progress_bar, say, say_json, say_table
from motionloom.cli.corpora import CorpusPath, Json, open_to_keep
from motionloom.errors import BadInput

if TYPE_CHECKING:
    from motionloom.methods.timeline.report.coverage import ChangeCoverage, Coverage

PAIRS_SHOWN = 36  # changes that are told with all their numbers; of more, the words only
LINE = 118  # characters
BY_THREES = 6  # labels of which all threes are counted too


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.command("coverage")(coverage)


def coverage(
    corpus: CorpusPath,
    labels: Annotated[
        str | None, typer.Option(metavar="A,B,...", help="Only these labels; of six or fewer, threes together too.")
    ] = None,
    takes: Annotated[list[str] | None, typer.Option(metavar="PATTERN", help="Only takes such as 'walk/*'.")] = None,
    as_json: Json = False,
) -> None:
    """Tell what a corpus has of each label, and which changes between labels it has: how good, how long."""
    from motionloom.assembly import Material
    from motionloom.methods.timeline import prepare
    from motionloom.methods.timeline.report.coverage import find_coverage

    chosen = None if labels is None else [word.strip() for word in labels.split(",") if word.strip()]
    if chosen == []:
        raise BadInput(f"--labels '{labels}' names no label; write --labels walk,run or leave it out")
    with open_to_keep(corpus) as store, progress_bar("comparing frames") as progress:
        model = prepare(store, Material(None if takes is None else tuple(takes)), progress=progress)
    threes = chosen is not None and len(chosen) <= BY_THREES
    with progress_bar("covering labels") as progress:
        covered = find_coverage(model, chosen, together=3 if threes else 2, progress=progress)
    if not covered.labels:
        raise BadInput(f"{corpus} has no labels; paint some, or import them with `motionloom label import`")
    if as_json:
        say_json(covered.to_data())
    else:
        _say(covered)


def _say(covered: Coverage) -> None:
    say(f"{count(covered.takes, 'take')}, {clock(covered.seconds)}, {count(len(covered.labels), 'label')}\n")
    rows = [
        [one.label, _in_seconds(one.seconds), str(one.stretches), str(one.takes), _in_seconds(one.longest)]
        + [_in_seconds(one.unknown) if one.unknown else ""]
        for one in covered.labels
    ]
    say_table(["label", "holds", "stretches", "takes", "longest", "unknown"], rows, right={1, 2, 3, 4, 5})
    say("\nChanges: recorded (how often, the usual gap), or the best cut in usual distances to the nearest frame")
    say("(up to 1 good, 2 fair, 4 poor) and the soonest way through recorded motion with good cuts.")
    if len(covered.changes) <= PAIRS_SHOWN:
        _say_changes(covered)
    else:
        _say_words(covered)
    _say_together(covered)


def _say_changes(covered: Coverage) -> None:
    rows = [
        [
            *(one.before, one.after, one.quality, str(one.recorded), _in_seconds(one.recorded_seconds)),
            *(_number(one.best_cut), _number(one.median_cut), str(one.exits), _way(one)),
        ]
        for one in covered.changes
    ]
    heads = ["from", "to", "quality", "recorded", "gap", "best cut", "median cut", "exits", "soonest way"]
    say_table(heads, rows, right={3, 4, 5, 6, 7})


def _say_words(covered: Coverage) -> None:
    from motionloom.methods.timeline.report.coverage import QUALITIES

    width = max(len(one.label) for one in covered.labels)
    for label in (one.label for one in covered.labels):
        say()
        leaving = [one for one in covered.changes if one.before == label and one.after != label]
        name = label
        for quality in QUALITIES:
            told = ", ".join(_brief(one) for one in leaving if one.quality == quality)
            if told:
                head = f"{name:<{width}}  {quality:<8}  "
                say(fill(told, LINE, initial_indent=head, subsequent_indent=" " * len(head)))
                name = ""


def _brief(one: ChangeCoverage) -> str:
    if one.quality == "recorded":
        return f"{one.after} ({one.recorded}, {_in_seconds(one.recorded_seconds)})"
    if one.quality == "together":
        return one.after
    is_detour = one.quality in ("fair", "poor", "none") and one.way_seconds is not None
    return f"{one.after} ({_number(one.best_cut)}{f'; {_way(one)}' if is_detour else ''})"


def _way(one: ChangeCoverage) -> str:
    """'0.6 s by way of walk and stand'."""
    if one.way_seconds is None:
        return ""
    by = f" by way of {' and '.join(one.way_labels)}" if one.way_labels else ""
    return f"{_in_seconds(one.way_seconds)}{by}"


def _say_together(covered: Coverage) -> None:
    held = [one for one in covered.combinations if one.seconds]
    say("\nAt the same time:")
    held.sort(key=lambda one: -one.seconds)
    told = ", ".join(f"{' and '.join(one.labels)} {_in_seconds(one.seconds)}" for one in held) or "no two of them"
    say(fill(told, LINE, initial_indent="  ", subsequent_indent="  "))
    never = len(covered.combinations) - len(held)
    if never and held:
        say(f"  {count(never, 'other combination')} never")


def _in_seconds(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds:.1f} s"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}"
