"""`motionloom backup`: a copy of a corpus, taken while others may write to it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from motionloom.cli.commands.corpus import CorpusPath, Json
from motionloom.cli.console import DONE, PARTLY, count, echo, echo_json, progress_bar


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.command("backup")(backup)


def backup(
    corpus: CorpusPath,
    to: Annotated[
        Path, typer.Argument(metavar="TO", help="The folder of the copy; it must not exist yet.", readable=False)
    ],
    link: Annotated[
        bool, typer.Option("--link", help="Share array files on the same disk: small, but damage hits both.")
    ] = False,
    as_json: Json = False,
) -> int:
    """Copy a corpus with its documents, also while it is in use; the copy is a corpus like any other."""
    from motionloom.corpus import back_up

    with progress_bar("copying") as progress:
        report = back_up(corpus, to, link=link, progress=progress)
    if as_json:
        echo_json({"corpus": str(corpus), "backup": str(to), **report.as_json()})
    else:
        for problem in report.problems:
            echo(str(problem))
        takes = f"{count(report.n_takes, 'take')}, {count(report.n_files, 'file')}, {report.n_bytes / 1e6:.1f} MB"
        damaged = f"; {count(len(report.problems), 'problem')} of the corpus found" if report.problems else ""
        echo(f"{to}: backup of {corpus}: {takes}{damaged}")
    return PARTLY if report.problems else DONE
