"""`motionloom`: the command line. See docs/command_line.md."""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from motionloom import __version__
from motionloom.cli import method_command
from motionloom.cli.commands import (
    annotate,
    backup,
    bench,
    buildup,
    clean,
    corpus,
    correct,
    coverage,
    curves,
    dynamics,
    export,
    fit,
    label,
    retarget,
    snap,
    studio,
    timeline,
    warmup,
)
from motionloom.cli.console import DONE, PARTLY, REFUSED, echo, echo_json, note
from motionloom.cli.tour import tour
from motionloom.errors import MotionloomError

app = typer.Typer(
    name="motionloom",
    help="Turn motion-capture recordings into a corpus, and the corpus into new animation.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("demo")(tour.demo)
corpus.register(app)
backup.register(app)
correct.register(app)
curves.register(app)
label.register(app)
annotate.register(app)
coverage.register(app)
export.register(app)
clean.register(app)
retarget.register(app)
fit.register(app)
timeline.register(app)
snap.register(app)
buildup.register(app)
dynamics.register(app)
app.command("studio")(studio.studio)
app.command("warmup")(warmup.warmup)
app.command("bench")(bench.bench)


@app.command("version")
def version(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, with the versions of dependencies.")] = False,
) -> None:
    """Print the version."""
    if not as_json:
        echo(f"motionloom {__version__}")
        return
    from importlib.metadata import version as version_of

    packages = {name: version_of(name) for name in ("numpy", "numba", "scipy")}
    echo_json({"motionloom": __version__, "python": sys.version.split()[0], **packages})


INTERRUPTED = 130  # what the parser makes of Ctrl-C


def run(arguments: list[str]) -> int:
    """Run a command and return its exit code: 0 done, 1 done in part, 2 wrong use or bad input."""
    try:
        with _ending_on_request():
            return _run(arguments)
    except KeyboardInterrupt:  # while another error was being reported
        return _stopped()


def _run(arguments: list[str]) -> int:
    try:
        method_command.register(app)
        if not arguments:
            arguments = ["--help"]
        code = app(args=arguments, prog_name="motionloom", standalone_mode=False)
        sys.stdout.flush()
        return _stopped() if code == INTERRUPTED else code if isinstance(code, int) else DONE
    except MotionloomError as error:
        return _refuse(str(error))
    except (KeyboardInterrupt, typer.Abort):
        return _stopped()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader of our output has closed its end
        return PARTLY
    except OSError as error:
        return _refuse(f"{error.filename or 'a file'}: {error.strerror or error}")
    except Exception as error:
        if hasattr(error, "format_message"):  # wrong use, found by the parser
            return _refuse(_usage(error))
        if os.environ.get("MOTIONLOOM_DEBUG"):
            raise
        kind = type(error).__name__
        return _refuse(f"this is a bug ({kind}: {error}); MOTIONLOOM_DEBUG=1 shows where, please report it")


@contextmanager
def _ending_on_request() -> Iterator[None]:
    """SIGTERM, by which systems and job queues end programs, does what Ctrl-C does: files are cleared up."""
    is_usual = signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    if not is_usual or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _stopped() -> int:
    note("motionloom: stopped; everything that was reported as done is kept")
    # Python remembers a KeyboardInterrupt that came out of a text being executed, as named tuples are while modules are
    # loaded, and would end by SIGINT instead of with our exit code; executing another text makes it forget.
    exec("")
    return PARTLY


def _refuse(message: str) -> int:
    note("motionloom: " + " ".join(message.split()))
    return REFUSED


def _usage(error: Exception) -> str:
    context = getattr(error, "ctx", None)
    command = getattr(context, "command_path", "motionloom")
    message = error.format_message().rstrip(".")  # type: ignore[attr-defined]
    return f"{message}; see `{command} --help`"
