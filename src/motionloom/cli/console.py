"""How commands talk: results on stdout, everything else on stderr, progress bars where a person is watching."""

import json
import sys
from collections.abc import Callable, Iterator, Set
from contextlib import contextmanager
from typing import Any

Progress = Callable[[int, int], None]

DONE, PARTLY, REFUSED = 0, 1, 2  # exit codes


def say(text: str = "") -> None:
    """Print a result."""
    print(text)


def note(text: str) -> None:
    """Print what is not a result: what goes on, what to look at."""
    print(text, file=sys.stderr)


def say_json(value: Any) -> None:
    """Print a result for a program."""
    print(json.dumps(value, indent=2, ensure_ascii=False))


def say_table(columns: list[str], rows: list[list[str]], right: Set[int] = frozenset()) -> None:
    """Print rows in columns as wide as their widest cell; the columns in `right` are set flush right."""
    widths = [max(len(row[i]) for row in [columns, *rows]) for i in range(len(columns))]
    for row in [columns, ["-" * width for width in widths], *rows]:
        cells = [cell.rjust(w) if i in right else cell.ljust(w) for i, (cell, w) in enumerate(zip(row, widths))]
        print("  ".join(cells).rstrip())


@contextmanager
def progress_bar(title: str) -> Iterator[Progress]:
    """A bar on stderr that knows how long it will still take; nothing where stderr is not a terminal."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def exit_code(*, done: int, refused: int) -> int:
    """0 where nothing was refused, 2 where nothing was done, 1 between."""
    return DONE if not refused else PARTLY if done else REFUSED


def count(n: int, one: str, many: str | None = None) -> str:
    """'1 take', '3 takes'."""
    return f"{n} {one if n == 1 else many or one + 's'}"


def clock(seconds: float) -> str:
    """'47.3 min', '12.0 s'."""
    return f"{seconds / 60:.1f} min" if seconds >= 100 else f"{seconds:.1f} s"
