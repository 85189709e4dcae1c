"""`motionloom dynamics`: learn how motion goes on, measure how well, and make motion that meets constraints."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from motionloom.cli.commands.corpus import CorpusPath, Json, open_to_keep
from motionloom.cli.console import DONE, count, echo, echo_json, echo_table, progress_bar
from motionloom.cli.method_command import Outputs, PictureOut, RequestPath, Seconds, read_request, run_request
from motionloom.cli.options import MaybeCorpus, MotionOut, OnSkeleton, ReportOut, SaveAs, SchemaOnly, Seed
from motionloom.cli.outputs import check_targets, make_folder
from motionloom.errors import BadInput

if TYPE_CHECKING:
    from motionloom.assembly import Result
    from motionloom.corpus import Corpus
    from motionloom.methods.dynamics import Model, Request
    from motionloom.methods.dynamics.evaluation import Evaluation

Takes = Annotated[
    list[str] | None, typer.Option(metavar="PATTERN", help="Learn from takes such as 'walk/*'; can be repeated.")
]
Labels = Annotated[
    str | None, typer.Option(metavar="A,B", help="Learn only where one of these labels holds; default: everywhere.")
]
NumbersOut = Annotated[
    Path | None, typer.Option("--out", "-o", metavar="OUT", help="FILE.csv, .json or .png.", readable=False)
]
ModelOut = Annotated[
    Path | None, typer.Option("--out", "-o", metavar="NPZ", help="Write the model as arrays.", readable=False)
]
CoursePicture = Annotated[
    Path | None, typer.Option("--course", metavar="PNG", help="Draw the objective over iterations.", readable=False)
]
Starts = Annotated[
    int, typer.Option(min=0, max=100, help="Random starts to try besides; write motions that they alone end in.")
]


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    group = typer.Typer(
        help="Optimization: say what must hold, and what is learnt from motion fills in the rest.",
        rich_markup_mode=None,
    )
    group.command("learn")(learn)
    group.command("evaluate")(evaluate)
    group.command("solve")(solve)
    app.add_typer(group, name="dynamics")


def learn(
    corpus: CorpusPath,
    request: RequestPath = None,
    takes: Takes = None,
    labels: Labels = None,
    dimensions: Annotated[int | None, typer.Option(metavar="N", help="d_x; default: by their variance.")] = None,
    controls: Annotated[int | None, typer.Option(metavar="N", help="d_u; default: all directions.")] = None,
    order: Annotated[int | None, typer.Option(metavar="M", help="Frames that the next one follows from.")] = None,
    mixtures: Annotated[
        int | None, typer.Option(metavar="K", help="Gaussians of the controls; 0: by held-out takes.")
    ] = None,
    out: ModelOut = None,
    report: ReportOut = None,
    as_json: Json = False,
) -> int:
    """Learn how motion goes on from takes, keep it in the corpus, and say what was learnt."""
    given = {"dimensions": dimensions, "controls": controls, "order": order}
    changed: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    if mixtures is not None:
        changed["mixtures"] = mixtures or None
    asked = _request_of(request, takes, labels, changed)
    if out is not None and out.suffix.lower() != ".npz":
        raise BadInput(f"{out}: a model is written as .npz")
    check_targets({"--out": out, "--report": report}, read=request)
    with open_to_keep(corpus) as store:
        model = _prepare(store, asked)
        if out is not None:
            make_folder(out.parent)
            model.save(out)
        learnt = model.to_data()
    if report is not None:
        _write_json(report, learnt)
    if as_json:
        echo_json(learnt)
    else:
        echo(model.describe())
    return DONE


def evaluate(
    corpus: CorpusPath,
    request: RequestPath = None,
    takes: Takes = None,
    labels: Labels = None,
    dimensions: Annotated[str | None, typer.Option(metavar="N,N", help="d_x to try; default: 10,20,30,40.")] = None,
    orders: Annotated[str, typer.Option(metavar="M,M", help="Orders m to try.")] = "1,2,3,4",
    controls: Annotated[str | None, typer.Option(metavar="N,N", help="d_u to try; default: 0,1,2,4 ... d_x.")] = None,
    folds: Annotated[int, typer.Option(min=2, max=1000, help="How often takes are left out, at most.")] = 10,
    last: Annotated[
        float | None,
        typer.Option(metavar="SHARE", help="Leave out the last share of each take instead, such as 0.2."),
    ] = None,
    out: NumbersOut = None,
    picture: PictureOut = None,
    report: ReportOut = None,
    as_json: Json = False,
) -> int:
    """How well the next pose of takes that are left out is told, by dimensions, order and controls: degrees per joint
    of bodies, millimetres per point of faces.
    """
    from motionloom.methods.dynamics.evaluation import Tried
    from motionloom.methods.dynamics.evaluation import evaluate as measure

    asked = _request_of(request, takes, labels, {})
    tried = Tried(
        None if dimensions is None else _numbers("--dimensions", dimensions, 1),
        _numbers("--orders", orders, 1, 8),
        None if controls is None else _numbers("--controls", controls, 0),
        folds,
        last,
    )
    if last is not None and not 0 < last < 1:
        raise BadInput(f"--last {last:g}: give a share of each take between 0 and 1, such as 0.2")
    _check_picture("--picture", picture)
    if out is not None and out.suffix.lower() not in (".csv", ".json", ".png"):
        raise BadInput(f"{out}: errors are written as .csv, .json or .png")
    check_targets({"--out": out, "--picture": picture, "--report": report}, read=request)
    with open_to_keep(corpus) as store:
        model = _prepare(store, asked)
        with progress_bar("leaving takes out") as progress:
            found = measure(model, tried, progress=progress)
    for path in (out, picture, report):
        if path is not None:
            _write_evaluation(path, found, corpus.name)
    if as_json:
        echo_json(found.to_data())
    else:
        _print_evaluation(found)
    return DONE


def solve(
    corpus: MaybeCorpus = None,
    request: RequestPath = None,
    out: MotionOut = None,
    report: ReportOut = None,
    picture: PictureOut = None,
    starts: Starts = 0,
    course: CoursePicture = None,
    seconds: Seconds = None,
    seed: Seed = 0,
    save_as: SaveAs = None,
    skeleton: OnSkeleton = None,
    schema: SchemaOnly = False,
    as_json: Json = False,
) -> int:
    """Make or change a motion so that what a request asks holds, as likely as possible by what was learnt."""
    outputs = Outputs(out, report, picture, save_as, as_json, skeleton)
    _check_picture("--course", course)
    asked = read_request("dynamics", corpus, request, outputs, schema=schema, command="dynamics solve")
    if asked is None:
        return DONE
    check_targets({"--out": out, "--report": report, "--picture": picture, "--course": course}, read=request)

    def draw_course(result: Result) -> None:
        from motionloom.methods.dynamics.sheets import draw_courses

        if course is not None:
            make_folder(course.parent)
            details = result.report.details
            draw_courses(course, [details["objective"], *details["starts"]], asked.title)

    titles = "learning", "optimizing"
    return run_request("dynamics", asked, seed=seed, seconds=seconds, others=starts, titles=titles, also=draw_course)


def _request_of(path: Path | None, takes: list[str] | None, labels: str | None, changed: dict[str, Any]) -> Request:
    """The request of a file, or one that asks for nothing, with what options say of the prior."""
    from motionloom.methods.dynamics import Request

    asked = Request.from_data({}) if path is None else Request.read(path)
    if takes:
        changed = {**changed, "takes": tuple(takes)}
    if labels is not None:
        changed = {**changed, "labels": tuple(label.strip() for label in labels.split(",") if label.strip())}
    prior = Request.from_data({"prior": {**asked.to_whole_data()["prior"], **changed}}).prior
    return replace(asked, prior=prior)


def _prepare(store: Corpus, asked: Request) -> Model:
    from motionloom.assembly import prepare_for
    from motionloom.methods import dynamics

    with progress_bar("learning") as progress:
        return prepare_for(dynamics, store, asked, progress=progress)


def _print_evaluation(found: Evaluation) -> None:
    how = f"left out in {found.folds} parts" if found.folds > 1 else "the last share of each left out"
    echo(
        f"{count(len(found.takes), 'take')}, {how}: {found.frames} frames at {found.fps:g} per second; {found.per} by "
        "controls (d_u)\n"
    )
    digits = 2 if found.unit == "degrees" else 3
    counts = sorted({error.controls for error in found.errors})
    rows = []
    for dimensions in found.dimensions:
        for order in sorted({error.order for error in found.errors}):
            curve = {error.controls: error for error in found.curve(dimensions, order)}
            if curve:
                cells = [f"{curve[n].error:.{digits}f}" if n in curve else "" for n in counts]
                rows.append([str(dimensions), str(order), *cells, f"{curve[max(curve)].raw:.{digits}f}"])
    columns = ["d_x", "m", *(f"d_u {n}" for n in counts), "cut off"]
    echo_table(columns, rows, right=set(range(len(columns))))
    echo("\ncut off: what the subspace cannot show, beside the poses as recorded")


def _write_evaluation(path: Path, found: Evaluation, title: str) -> None:
    from motionloom.methods.dynamics.sheets import draw_errors

    make_folder(path.parent)
    ending = path.suffix.lower()
    if ending == ".png":
        draw_errors(path, found, f"{title}: one-step errors of takes that were left out")
    elif ending == ".csv":
        _write_csv(path, found)
    else:
        _write_json(path, found.to_data())


def _write_csv(path: Path, found: Evaluation) -> None:
    from motionloom.formats.atomic_write import replace_file

    rows = [error.to_data(found.unit) for error in found.errors]
    lines = [",".join(rows[0]), *(",".join(f"{value:.6g}" for value in row.values()) for row in rows)]
    replace_file(path, ("\n".join(lines) + "\n").encode())


def _write_json(path: Path, data: Any) -> None:
    import json

    from motionloom.formats.atomic_write import replace_file

    make_folder(path.parent)
    replace_file(path, (json.dumps(data, indent=2, ensure_ascii=False) + "\n").encode())


def _numbers(option: str, text: str, least: int, most: int = 500) -> tuple[int, ...]:
    """'1,2,3' as numbers."""
    try:
        found = tuple(dict.fromkeys(int(part) for part in text.split(",")))
    except ValueError:
        raise BadInput(f"{option} {text}: give whole numbers with commas between them, such as 1,2,3") from None
    if not all(least <= number <= most for number in found):
        raise BadInput(f"{option} {text}: give numbers from {least} to {most}")
    return found


def _check_picture(option: str, picture: Path | None) -> None:
    if picture is not None and picture.suffix.lower() != ".png":
        raise BadInput(f"{option} {picture}: a picture ends in .png")
