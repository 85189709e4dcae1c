"""Console output of commands: results on stdout, everything else on stderr, progress bars on a terminal."""

import json
import sys
import time
from collections.abc import Callable, Iterator, Set
from contextlib import contextmanager
from typing import Any

Progress = Callable[[int, int], None]

DONE, PARTLY, REFUSED = 0, 1, 2  # exit codes
LINE_SECONDS = 30.0  # between lines about progress where there is no terminal


def echo(text: str = "") -> None:
    """Print a result to stdout."""
    print(text)


def note(text: str) -> None:
    """Print a message to stderr: progress, warnings, refusals."""
    print(text, file=sys.stderr)


def echo_json(value: Any) -> None:
    """Print a result as JSON to stdout."""
    print(json.dumps(value, indent=2, ensure_ascii=False))


def echo_table(columns: list[str], rows: list[list[str]], right: Set[int] = frozenset()) -> None:
    """Print a table to stdout; the columns in `right` are right-aligned."""
    widths = [max(len(row[i]) for row in [columns, *rows]) for i in range(len(columns))]
    for row in [columns, ["-" * width for width in widths], *rows]:
        cells = [cell.rjust(w) if i in right else cell.ljust(w) for i, (cell, w) in enumerate(zip(row, widths))]
        print("  ".join(cells).rstrip())


@contextmanager
def progress_bar(title: str, unit: str = "") -> Iterator[Progress]:
    """A progress bar on stderr with the remaining time; nothing if stderr is not a terminal.

    Args:
        title: of the bar.
        unit: what is counted, such as "files": shows how many are done in a second, and without a terminal prints a
            line about it now and then.
    """
    if not sys.stderr.isatty():
        yield _print_pace(title, unit) if unit else lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    rate = [TextColumn("{task.fields[rate]}")] if unit else []
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), *rate, TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None, rate="")
        began = time.monotonic()

        def update(done: int, total: int) -> None:
            shown = f"{done / max(time.monotonic() - began, 1e-9):.1f} {unit}/s" if unit and done else ""
            bar.update(task, completed=done, total=total, rate=shown)

        yield update


def _print_pace(title: str, unit: str, now: Callable[[], float] = time.monotonic) -> Progress:
    """Progress as lines, one every `LINE_SECONDS`."""
    began = last = now()

    def update(done: int, total: int) -> None:
        nonlocal last
        if now() - last >= LINE_SECONDS and done < total:
            last = now()
            note(f"{title}: {describe_pace(done, total, last - began, unit)}")

    return update


def describe_pace(done: int, total: int, seconds: float, unit: str) -> str:
    """'240 of 2058 files, 21.3 files/s, 1.4 min left'."""
    rate = done / max(seconds, 1e-9)
    left = (total - done) / rate if rate > 0 else 0.0
    return f"{done} of {total} {unit}, {rate:.1f} {unit}/s, {clock(left)} left"


def exit_code(*, done: int, refused: int) -> int:
    """0 if nothing was refused, 2 if nothing was done, else 1."""
    return DONE if not refused else PARTLY if done else REFUSED


def count(n: int, one: str, many: str | None = None) -> str:
    """'1 take', '3 takes'."""
    return f"{n} {one if n == 1 else many or one + 's'}"


def clock(seconds: float) -> str:
    """'47.3 min', '12.0 s'."""
    return f"{seconds / 60:.1f} min" if seconds >= 100 else f"{seconds:.1f} s"
