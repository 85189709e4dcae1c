"""`motionloom studio`: look at motion, label it and paint timelines in a browser."""

import contextlib
import os
import sys
import threading
from pathlib import Path
from typing import Annotated

import typer

from motionloom.cli.console import echo, note
from motionloom.errors import BadInput, CorpusError


def studio(
    corpus: Annotated[
        Path | None, typer.Argument(metavar="[CORPUS]", help="Open this one; without it the page offers a choice.")
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0: 8765 if it is free, else any.")] = 0,
    host: Annotated[
        str | None,
        typer.Option(help="Address to listen on (0.0.0.0: all interfaces); clients need the printed token."),
    ] = None,
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open the browser.")] = False,
) -> None:
    """Open the studio in the browser; Ctrl-C ends it, and nothing is lost by that."""
    if corpus is not None and not corpus.is_dir():
        raise CorpusError(f"{corpus} is not a corpus; `motionloom new {corpus}` creates one")
    with contextlib.suppress(KeyboardInterrupt):  # at any time, also while it is being loaded
        _ensure_built()
        from motionloom.studio.server.run import serve
        from motionloom.studio.server.security import new_token, own_token
        from motionloom.studio.server.settings import Settings

        settings = Settings(
            home=corpus.resolve().parent if corpus is not None else Path.cwd(),
            corpus=corpus,
            port=port,
            host=host if host is not None else "127.0.0.1",
            token=own_token() if host is None else new_token(),  # others may learn the one that lets them in
        )
        serve(settings, lambda address, opened: _announce(address, None if no_open else opened))
    note("the studio has ended; everything is saved")


def _ensure_built() -> None:
    """In a checkout the front end is built again when its sources have changed."""
    from motionloom.studio.front_end import CannotBuild, ensure_built

    if "MOTIONLOOM_STUDIO_STATIC" in os.environ:
        return  # another build is served
    try:
        ensure_built(say=note)
    except CannotBuild as error:
        raise BadInput(f"the studio cannot start: {error}") from None


def _announce(address: str, opened: str | None) -> None:
    echo(address)
    sys.stdout.flush()  # a parent process may be waiting for it
    note("the studio runs at this address until Ctrl-C")
    if opened is not None:
        import webbrowser

        threading.Thread(target=webbrowser.open, args=(opened,), daemon=True).start()
