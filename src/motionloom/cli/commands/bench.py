"""`motionloom bench`: runs benchmarks and compares figures with targets, papers and peers; needs a checkout."""

import csv
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from motionloom.cli.console import PARTLY, echo, echo_json, echo_table, note
from motionloom.errors import BadInput

Figure = dict[str, Any]


def bench(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAME...", help="Benchmarks to run; default: all.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    write: Annotated[bool, typer.Option("--write", help="Update the tables in docs/results/.")] = False,
) -> int:
    """Run benchmarks and compare the figures with targets, papers and peers."""
    checkout = find_checkout()
    known = sorted(path.parent.name for path in (checkout / "benchmarks").glob("*/__init__.py"))
    unknown = sorted(set(names or []) - set(known))
    if unknown:
        raise BadInput(f"no benchmark {', '.join(unknown)}; there are {', '.join(known)}")
    targets = read_targets(checkout / "benchmarks" / "targets.csv")
    figures: list[Figure] = []
    for name in names or known:
        note(f"running {name} ...")
        measured = run_bench(checkout, name, targets.get(name, {}))
        if write:
            write_table(checkout / "docs" / "results" / f"{name}.md", name, measured)
        figures += measured
    if as_json:
        echo_json({"figures": figures})
    else:
        _print_figures(figures)
    return PARTLY if any(figure["met"] is False for figure in figures) else 0


def find_checkout() -> Path:
    """The folder of the repository: the current folder, or the one that this package runs from."""
    for folder in (Path.cwd(), Path(__file__).resolve().parents[4]):
        if (folder / "benchmarks" / "targets.csv").is_file():
            return folder
    raise BadInput("benchmarks come with a checkout of motionloom, not with the package; run this inside one")


def read_targets(path: Path) -> dict[str, dict[str, dict[str, str]]]:
    """Targets, by benchmark and name of the figure."""
    targets: dict[str, dict[str, dict[str, str]]] = {}
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            targets.setdefault(row["bench"], {})[row["name"]] = row
    return targets


def run_bench(checkout: Path, name: str, targets: dict[str, dict[str, str]]) -> list[Figure]:
    """Run a benchmark and add its targets; a target without a measured figure counts as missed."""
    sys.path.insert(0, str(checkout))
    try:
        measured = import_module(f"benchmarks.{name}").figures(find_recordings(checkout))
    finally:
        sys.path.remove(str(checkout))
    figures = [join_target(figure, targets.get(figure["name"])) for figure in measured]
    for missing in sorted(set(targets) - {figure["name"] for figure in figures}):
        row = targets[missing]
        empty = {
            "name": missing,
            "value": None,
            "unit": row["unit"],
            "better": row["better"],
            "paper": None,
            "peer": None,
        }
        figures.append({**empty, "target": float(row["target"]), "met": False})
    return figures


def join_target(figure: Figure, row: dict[str, str] | None) -> Figure:
    """Add "target" and "met" to a figure; both None if it has no target."""
    if row is None:
        return {**figure, "target": None, "met": None}
    target, value = float(row["target"]), figure["value"]
    if row["unit"] != figure["unit"] or row["better"] != figure["better"]:
        raise BadInput(f"targets.csv: '{figure['name']}' is measured in {figure['unit']}, {figure['better']} is better")
    return {**figure, "target": target, "met": bool(value >= target if row["better"] == "higher" else value <= target)}


def find_recordings(checkout: Path) -> Path | None:
    """The folder of real recordings, or None."""
    folder = Path(os.environ.get("MOTIONLOOM_DATA", checkout.parent / "shared" / "data"))
    return folder if folder.is_dir() else None


def write_table(path: Path, name: str, figures: list[Figure]) -> None:
    """Write a benchmark's figures as a page of the docs, with date and machine."""
    import platform
    from datetime import date

    path.parent.mkdir(parents=True, exist_ok=True)
    machine = f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"
    rows = [[*_cells(figure)] for figure in figures]
    lines = [
        f"# Results: {name}",
        "",
        f"Written by `motionloom bench {name} --write` on {date.today().isoformat()}; {machine}.",
        "",
        "| " + " | ".join(COLUMNS) + " |",
        "|" + " --- |" * len(COLUMNS),
        *["| " + " | ".join(row) + " |" for row in rows],
        "",
    ]
    path.write_text("\n".join(lines), encoding="utf-8")


COLUMNS = ["figure", "value", "unit", "target", "met", "peer", "paper"]


def _print_figures(figures: list[Figure]) -> None:
    echo_table(COLUMNS, [_cells(figure) for figure in figures], {1, 3, 5, 6})
    with_target = [figure for figure in figures if figure["target"] is not None]
    echo()
    echo(f"{sum(bool(figure['met']) for figure in with_target)} of {len(with_target)} targets met")


def _cells(figure: Figure) -> list[str]:
    sign = "≥" if figure["better"] == "higher" else "≤"
    target = "" if figure["target"] is None else f"{sign} {_number(figure['target'])}"
    met = {True: "yes", False: "NO", None: ""}[figure["met"]]
    numbers = [_number(figure["peer"]), _number(figure["paper"])]
    return [figure["name"], _number(figure["value"]), figure["unit"], target, met, *numbers]


def _number(value: float | None) -> str:
    if value is None:
        return ""
    if float(value).is_integer() or abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}"
