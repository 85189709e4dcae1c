"""`motionloom timeline`: paint labels on a timeline, get the motion."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from motionloom.cli.asking import MaybeCorpus, MotionOut, ReportOut, SaveAs, SchemaOnly, Seed
from motionloom.cli.console import DONE, PARTLY, count, note, progress_bar, say, say_json
from motionloom.cli.corpora import Json, open_to_keep
from motionloom.cli.exporting import PICTURES, written_whole
from motionloom.errors import BadInput

if TYPE_CHECKING:
    from motionloom.assembly import Result
    from motionloom.corpus import Corpus, Label
    from motionloom.methods.timeline import Answer, Model, Problem, Request

SOLVERS = ("global", "blocks")


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.command("timeline")(timeline)


def timeline(
    corpus: MaybeCorpus = None,
    request: Annotated[
        Path | None, typer.Argument(metavar="REQUEST.yaml", help="What is asked.", readable=False)
    ] = None,
    out: MotionOut = None,
    report: ReportOut = None,
    picture: Annotated[
        Path | None, typer.Option(metavar="PNG", help="Draw the timeline and what came of it.", readable=False)
    ] = None,
    seconds: Annotated[float | None, typer.Option(min=0.0, help="Search no longer than this.")] = None,
    iterations: Annotated[int | None, typer.Option(min=1, help="Restarts of the solver `blocks`.")] = None,
    seed: Seed = 0,
    solver: Annotated[str, typer.Option(help="global (the whole corpus) or blocks (the paper's).")] = "global",
    others: Annotated[int, typer.Option(min=0, help="Write so many other good motions beside the best.")] = 0,
    save_as: SaveAs = None,
    schema: SchemaOnly = False,
    as_json: Json = False,
) -> int:
    """Make the motion that a request asks for: labels over time, forced frames, places; with a report."""
    from motionloom.corpus import Corpus
    from motionloom.methods import timeline as method

    if schema:
        say_json(method.schema())
        return DONE
    if corpus is None or request is None or out is None:
        raise BadInput("give a corpus, a request and -o OUT; see `motionloom timeline --help`")
    if picture is not None and picture.suffix.lower() != ".png":
        raise BadInput(f"{picture}: the picture of a timeline ends in .png")
    if solver not in SOLVERS:
        raise BadInput(f"no solver '{solver}'; there are {', '.join(SOLVERS)}")
    check_outputs(out, {"--report": report, "--picture": picture})
    asked = method.Request.read(request)
    settings = method.Settings(solver=solver)
    with open_to_keep(corpus) if save_as is None else Corpus.open(corpus, write=True) as store:
        if save_as is not None:
            check_name(store, save_as)
        with progress_bar("comparing frames") as progress:
            model = method.prepare_for(store, asked, settings, progress=progress)
        problem = method.pose_problem(model, asked)
        found = _search(model, problem, seed, seconds, iterations, others)
        results = [_realize(model, problem, asked, answer, found[1:]) for answer in found]
        for number, result in enumerate(results):
            write_motion(_numbered(out, number), result)
        best = results[0]
        if picture is not None:
            with written_whole(picture) as partial:
                method.draw_sheet(partial, model, problem, found[0].frames, best, title=request.stem)
        if report is not None:
            best.report.write(report)
        if save_as is not None:
            _keep(store, save_as, best, method.labels_of(model, found[0].frames, save_as))
    if as_json:
        say_json(best.report.to_data())
    else:
        _say(out, best, results)
    return DONE if best.report.is_met else PARTLY


def _search(
    model: Model, problem: Problem, seed: int, seconds: float | None, iterations: int | None, others: int
) -> list[Answer]:
    """The best answer, and other good ones; better ones are told of as they come."""
    import time

    from motionloom.methods.timeline import search

    deadline = None if seconds is None else time.perf_counter() + seconds
    stop = None if deadline is None else (lambda: time.perf_counter() >= deadline)
    best: Answer | None = None
    different: list[Answer] = []
    for answer in search(model, problem, seed=seed, iterations=iterations, others=others, stop=stop):
        if answer.kind == "other":
            different.append(answer)
        elif best is None or answer.cost < best.cost:
            best = answer
            note(f"{answer.seconds:6.2f} s  {answer.kind}: {answer.describe()}")
    assert best is not None
    return sorted([best, *different[:others]], key=lambda answer: answer.cost)  # with places another may be cheaper


def _realize(model: Model, problem: Problem, asked: Request, answer: Answer, others: list[Answer]) -> Result:
    from motionloom.methods.timeline import make_plan, realize

    return realize(make_plan(model, problem, answer, asked), model, others=others)


def write_motion(out: Path, result: Result) -> None:
    """Write a result in the format that its file ends in."""
    from motionloom import formats, render
    from motionloom.assembly import write_result

    out.parent.mkdir(parents=True, exist_ok=True)
    ending = out.suffix.lower()
    if ending == ".npz":
        write_result(out, result)
    elif ending in PICTURES:
        with written_whole(out) as partial:
            if ending == ".png":
                render.write_contact_sheet(partial, result.motion, contacts=result.contacts, title=out.stem, floor=0.0)
            else:
                render.write_video(partial, result.motion, contacts=result.contacts, floor=0.0)
    else:
        formats.write(out, result.motion, name=out.stem)


def check_name(store: Corpus, name: str) -> None:
    """Refuse the name of a new take before anything takes long or is written."""
    from motionloom.corpus.packing import check_name as check_word

    check_word(name)
    if name in store.names():
        raise BadInput(f"--save-as {name}: there is a take of that name; choose another, or rename or remove that one")


def _keep(store: Corpus, name: str, result: Result, labels: list[Label]) -> None:
    """Keep a result as a take, with the labels of the frames that it plays."""
    from motionloom.assembly import keep_result

    added = keep_result(store, name, result)
    if added.status == "imported":
        store.add_labels(labels)
    else:
        note(f"{added.duplicate_of} has the same frames already; nothing was added")


def _say(out: Path, best: Result, results: list[Result]) -> None:
    motion = best.motion
    say(f"{out}: {motion.duration:.2f} s, {count(motion.n_frames, 'frame')}\n")
    say(best.report.describe())
    if len(results) > 1:
        names = ", ".join(str(_numbered(out, number)) for number in range(1, len(results)))
        say(f"\nother motions: {names}")


def _numbered(out: Path, number: int) -> Path:
    """out.bvh, out_2.bvh, out_3.bvh ..."""
    return out if number == 0 else out.with_name(f"{out.stem}_{number + 1}{out.suffix}")


def check_outputs(out: Path, others: dict[str, Path | None], read: Path | None = None) -> None:
    """Refuse what cannot be written before anything is: a motion, and other files by the option that named them."""
    from motionloom import formats
    from motionloom.cli.cleaning import check_targets

    endings = (*formats.WRITABLE, *PICTURES)
    if out.suffix.lower() not in endings:
        raise BadInput(f"{out}: cannot write '{out.suffix}'; the endings are {', '.join(endings)}")
    check_targets({"--out": out, **others}, read)
