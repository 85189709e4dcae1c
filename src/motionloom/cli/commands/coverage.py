"""`motionloom coverage`: the labels of a corpus, and the transitions between them with quality and duration."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING, Annotated

import typer

from motionloom.cli.commands.corpus import CorpusPath, Json, open_to_keep
from motionloom.cli.console import clock, count, echo, echo_json, echo_table, progress_bar
from motionloom.errors import BadInput

if TYPE_CHECKING:
    from motionloom.methods.timeline.report.coverage import ChangeCoverage, Coverage

PAIRS_SHOWN = 36  # maximum number of changes in a table with all numbers; more are summarized in words
LINE = 118  # characters per line
BY_THREES = 6  # maximum number of labels for which combinations of three are counted too


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.command("coverage")(coverage)


def coverage(
    corpus: CorpusPath,
    labels: Annotated[
        str | None,
        typer.Option(metavar="A,B,...", help="Only these labels; for up to six, also combinations of three."),
    ] = None,
    takes: Annotated[
        list[str] | None, typer.Option(metavar="PATTERN", help="Only these takes, such as 'walk/*'.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Report how much of each label a corpus has, and the changes between labels: quality and duration."""
    from motionloom.assembly import Material
    from motionloom.methods.timeline import prepare
    from motionloom.methods.timeline.report.coverage import find_coverage

    chosen = None if labels is None else [word.strip() for word in labels.split(",") if word.strip()]
    if chosen == []:
        raise BadInput(f"--labels '{labels}' has no label; give --labels walk,run or leave it out")
    with open_to_keep(corpus) as store, progress_bar("comparing frames") as progress:
        model = prepare(store, Material(None if takes is None else tuple(takes)), progress=progress)
    threes = chosen is not None and len(chosen) <= BY_THREES
    with progress_bar("covering labels") as progress:
        covered = find_coverage(model, chosen, together=3 if threes else 2, progress=progress)
    if not covered.labels:
        raise BadInput(f"{corpus} has no labels; paint some, or import them with `motionloom label import`")
    if as_json:
        echo_json(covered.to_data())
    else:
        _print(covered)


def _print(covered: Coverage) -> None:
    """Print the report."""
    echo(f"{count(covered.takes, 'take')}, {clock(covered.seconds)}, {count(len(covered.labels), 'label')}\n")
    rows = [
        [label.label, _in_seconds(label.seconds), str(label.stretches), str(label.takes), _in_seconds(label.longest)]
        + [_in_seconds(label.unknown) if label.unknown else ""]
        for label in covered.labels
    ]
    echo_table(["label", "holds", "stretches", "takes", "longest", "unknown"], rows, right={1, 2, 3, 4, 5})
    echo("\nChanges: recorded (count, median gap), or the best cut in multiples of the median distance to the nearest")
    echo("frame (up to 1 good, 2 fair, 4 poor) and the fastest way through recorded motion with good cuts.")
    if len(covered.changes) <= PAIRS_SHOWN:
        _print_changes(covered)
    else:
        _print_words(covered)
    _print_together(covered)


def _print_changes(covered: Coverage) -> None:
    rows = [
        [
            *(change.before, change.after, change.quality, str(change.recorded)),
            *(_in_seconds(change.recorded_seconds), _number(change.best_cut), _number(change.median_cut)),
            *(str(change.exits), _way(change)),
        ]
        for change in covered.changes
    ]
    heads = ["from", "to", "quality", "recorded", "gap", "best cut", "median cut", "exits", "soonest way"]
    echo_table(heads, rows, right={3, 4, 5, 6, 7})


def _print_words(covered: Coverage) -> None:
    from motionloom.methods.timeline.report.coverage import QUALITIES

    labels = [label.label for label in covered.labels]
    width = max(map(len, labels))
    for label in labels:
        echo()
        leaving = [change for change in covered.changes if change.before == label and change.after != label]
        name = label
        for quality in QUALITIES:
            changes = ", ".join(_brief(change) for change in leaving if change.quality == quality)
            if changes:
                head = f"{name:<{width}}  {quality:<8}  "
                echo(fill(changes, LINE, initial_indent=head, subsequent_indent=" " * len(head)))
                name = ""


def _brief(change: ChangeCoverage) -> str:
    if change.quality == "recorded":
        return f"{change.after} ({change.recorded}, {_in_seconds(change.recorded_seconds)})"
    if change.quality == "together":
        return change.after
    is_detour = change.quality in ("fair", "poor", "none") and change.way_seconds is not None
    return f"{change.after} ({_number(change.best_cut)}{f'; {_way(change)}' if is_detour else ''})"


def _way(change: ChangeCoverage) -> str:
    """'0.6 s by way of walk and stand'."""
    if change.way_seconds is None:
        return ""
    by = f" by way of {' and '.join(change.way_labels)}" if change.way_labels else ""
    return f"{_in_seconds(change.way_seconds)}{by}"


def _print_together(covered: Coverage) -> None:
    held = [combination for combination in covered.combinations if combination.seconds]
    echo("\nAt the same time:")
    held.sort(key=lambda combination: -combination.seconds)
    parts = [f"{' and '.join(combination.labels)} {_in_seconds(combination.seconds)}" for combination in held]
    echo(fill(", ".join(parts) or "no two of them", LINE, initial_indent="  ", subsequent_indent="  "))
    never = len(covered.combinations) - len(held)
    if never and held:
        echo(f"  {count(never, 'other combination')} never")


def _in_seconds(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds:.1f} s"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}"
