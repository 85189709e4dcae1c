"""Import and export of labels as CSV files: label import, label export."""

from pathlib import Path
from typing import Annotated

import typer

from motionloom.cli.commands.corpus import CorpusPath, Json
from motionloom.cli.console import count, echo, echo_json, exit_code, note

Csv = Annotated[
    Path,
    typer.Argument(
        metavar="LABELS.csv", help="Columns take,label,start,stop[,source]; half-open frames.", readable=False
    ),
]
VerifiedCsv = Annotated[
    Path | None,
    typer.Option("--verified", metavar="FILE.csv", help="Verified ranges of labels: take,label,start,stop."),
]
ProposalsCsv = Annotated[
    Path | None,
    typer.Option("--proposals", metavar="FILE.csv", help="Proposals of the classifier, with confidence."),
]
SHOWN = 10  # maximum number of refused rows that are printed


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    group = typer.Typer(help="Import and export labels as CSV files.", rich_markup_mode=None)
    group.command("import")(import_)
    group.command("export")(export)
    app.add_typer(group, name="label")


def import_(corpus: CorpusPath, labels: Csv, verified: VerifiedCsv = None, as_json: Json = False) -> int:
    """Add the labels of a CSV file; takes are named by any unique suffix of their path."""
    from motionloom.corpus import Corpus, import_labels

    with Corpus.open(corpus, write=True) as store:
        report = import_labels(store, labels, verified)
    if as_json:
        counts = {"added": report.added, "known": report.known, "verified": report.verified}
        echo_json({**counts, "refused": list(report.refused)})
    else:
        for message in report.refused[:SHOWN]:
            note(f"refused: {message}")
        if len(report.refused) > SHOWN:
            note(f"refused: {len(report.refused) - SHOWN} more rows; --json lists them all")
        known, refused = report.known, len(report.refused)
        also = f", {count(report.verified, 'range')} verified" if verified is not None else ""
        echo(f"{corpus}: {count(report.added, 'label')} added, {known} already there, {refused} refused{also}")
    return exit_code(done=report.added + report.known + report.verified, refused=len(report.refused))


def export(corpus: CorpusPath, labels: Csv, verified: VerifiedCsv = None, proposals: ProposalsCsv = None) -> None:
    """Write all labels of a corpus to a CSV file; verified ranges and proposals to further files."""
    from motionloom.corpus import Corpus, export_labels, export_proposals, export_verified

    with Corpus.open(corpus) as store:
        echo(f"{labels}: {count(export_labels(store, labels), 'label')}")
        if verified is not None:
            echo(f"{verified}: {count(export_verified(store, verified), 'verified range')}")
        if proposals is not None:
            echo(f"{proposals}: {count(export_proposals(store, proposals), 'proposal')}")
