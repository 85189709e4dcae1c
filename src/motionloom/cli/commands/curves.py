"""`motionloom curves`: what was recorded beside a take, such as the coefficients of a face."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from motionloom.cli.commands.corpus import CorpusPath, Json
from motionloom.cli.commands.correct import Take, find_take
from motionloom.cli.console import clock, count, echo, echo_json
from motionloom.cli.outputs import check_targets, make_folder
from motionloom.errors import BadInput

if TYPE_CHECKING:
    from motionloom.motion import Curves


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.command("curves")(curves)


def curves(
    corpus: CorpusPath,
    take: Take,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE.csv", help="Write them as Live Link Face does.", readable=False),
    ] = None,
    start: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="When they begin: after the take, or before it if negative.")
    ] = None,
    clear: Annotated[bool, typer.Option("--clear", help="Forget them.")] = False,
    as_json: Json = False,
) -> None:
    """Print what curves were recorded beside a take, write them to a file, or correct when they begin."""
    from motionloom import formats
    from motionloom.corpus import Corpus

    if clear and (out is not None or start is not None):
        raise BadInput("--clear forgets the curves; it goes with no other option")
    if out is not None:
        if out.suffix.lower() != ".csv":
            raise BadInput(f"{out}: curves are written as .csv")
        check_targets({"--out": out})
    with Corpus.open(corpus, write=clear or start is not None) as store:
        name = find_take(store.names(), take)
        kept = store.curves(name)
        if kept is None:
            raise BadInput(f"{name}: there are no curves beside it; motionloom import --beside TAKE keeps some")
        if clear:
            store.set_curves(name, None)
            echo(f"{name}: {count(len(kept.names), 'curve')} forgotten")
            return
        if start is not None:
            kept = kept.beginning_at(start)
            store.set_curves(name, kept)
    if out is not None:
        make_folder(out.parent)
        formats.write_curves(out, kept)
    if as_json:
        echo_json({"take": name, **curves_as_json(kept), "names": list(kept.names)})
        return
    echo(f"{name}: {describe_curves(kept)}")
    echo(", ".join(kept.names))


def curves_as_json(kept: Curves) -> dict[str, Any]:
    """What is known of curves besides their values."""
    return {
        "curves": len(kept.names),
        "rows": kept.n_rows,
        "rows_without_values": kept.n_empty,
        "rows_dropped": kept.n_dropped,
        "fps": kept.fps,
        "seconds": kept.duration,
        "start": kept.start,
        "timecode": _timecode(kept),
        "timecode_fps": kept.timecode_fps,
    }


def describe_curves(kept: Curves) -> str:
    """In one line: how many, how long, and when."""
    lacks = [f"{n} {what}" for n, what in ((kept.n_dropped, "dropped"), (kept.n_empty, "without values")) if n]
    rows = f"{kept.n_rows} rows at {kept.fps:g} per second ({', '.join([clock(kept.duration), *lacks])})"
    begins = (
        "with the take" if kept.start == 0 else f"{abs(kept.start):g} s {'after' if kept.start > 0 else 'before'} it"
    )
    return f"{count(len(kept.names), 'curve')}, {rows}, from timecode {_timecode(kept)}, which is {begins}"


def _timecode(kept: Curves) -> str:
    from motionloom.formats.live_link import write_timecode

    return write_timecode(float(kept.seconds[0]), float(kept.frames[0]))
