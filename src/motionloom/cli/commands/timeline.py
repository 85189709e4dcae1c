"""`motionloom timeline`: paint labels on a timeline, get the motion."""

from __future__ import annotations

from typing import Annotated

import typer

from motionloom.cli.commands.corpus import Json
from motionloom.cli.console import DONE
from motionloom.cli.method_command import Others, Outputs, PictureOut, RequestPath, Seconds, read_request, run_request
from motionloom.cli.options import MaybeCorpus, MotionOut, OnSkeleton, ReportOut, SaveAs, SchemaOnly, Seed
from motionloom.errors import BadInput

SOLVERS = ("global", "blocks")


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.command("timeline")(timeline)


def timeline(
    corpus: MaybeCorpus = None,
    request: RequestPath = None,
    out: MotionOut = None,
    report: ReportOut = None,
    picture: PictureOut = None,
    seconds: Seconds = None,
    iterations: Annotated[int | None, typer.Option(min=1, help="Restarts of the solver `blocks`.")] = None,
    seed: Seed = 0,
    solver: Annotated[str, typer.Option(help="global (the whole corpus) or blocks (the paper's).")] = "global",
    others: Others = 0,
    save_as: SaveAs = None,
    skeleton: OnSkeleton = None,
    schema: SchemaOnly = False,
    as_json: Json = False,
) -> int:
    """Make the motion that a request asks for: labels over time, forced frames, places; with a report."""
    from motionloom.methods.timeline.request import BlockSettings, Settings

    if solver not in SOLVERS:
        raise BadInput(f"no solver '{solver}'; there are {', '.join(SOLVERS)}")
    outputs = Outputs(out, report, picture, save_as, as_json, skeleton)
    asked = read_request("timeline", corpus, request, outputs, schema=schema)
    if asked is None:
        return DONE
    by_blocks = BlockSettings()
    if iterations is not None or seconds is not None:
        by_blocks = BlockSettings(restarts=iterations)  # without a number, until time runs out
    settings = Settings(solver=solver, by_blocks=by_blocks)
    return run_request("timeline", asked, settings=settings, seed=seed, seconds=seconds, others=others)
