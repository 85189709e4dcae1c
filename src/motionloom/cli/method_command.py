"""Running a method from the command line: the same for all of them, from a request file to files and a report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.models import CommandInfo

from motionloom.cli.commands.corpus import Json, open_to_keep
from motionloom.cli.console import DONE, PARTLY, count, echo, echo_json, note, progress_bar
from motionloom.cli.options import MaybeCorpus, MotionOut, OnSkeleton, ReportOut, SaveAs, SchemaOnly, Seed
from motionloom.cli.outputs import check_kind, check_outputs, make_folder, numbered, write_result_files
from motionloom.cli.statistics_renewal import renew_statistics
from motionloom.errors import BadInput

if TYPE_CHECKING:
    from motionloom.assembly import Answer, Result
    from motionloom.corpus import Corpus

RequestPath = Annotated[
    Path | None, typer.Argument(metavar="REQUEST.yaml", help="The request.", readable=False)
]  # not needed where only the schema is asked for
PictureOut = Annotated[
    Path | None, typer.Option(metavar="PNG", help="Draw the request and the result.", readable=False)
]
Seconds = Annotated[float | None, typer.Option(min=0.0, help="Time limit of the search.")]
Others = Annotated[int, typer.Option(min=0, help="Number of alternative motions to write.")]


@dataclass(frozen=True)
class Outputs:
    """Where the outcome of a command goes."""

    out: Path | None
    report: Path | None = None
    picture: Path | None = None
    save_as: str | None = None
    as_json: bool = False
    skeleton: str | None = None  # the take on whose skeleton motions are written; None for the reference


def register(app: typer.Typer) -> None:
    """Add a command for every method, except for those of motionloom that have commands of their own."""
    from motionloom.methods import METHODS, MORE, known_methods

    made = {command.name for command in app.registered_commands if _is_made_here(command)}
    own = {command.name for command in app.registered_commands} | {group.name for group in app.registered_groups}
    own -= made
    for name, info in known_methods().items():
        if name in own and name not in METHODS:
            raise BadInput(f"{MORE}: '{name}' is a command of motionloom already; choose another name")
        if name not in own and name not in made:
            app.command(name, help=info.summary)(make_command(name))


def _is_made_here(command: CommandInfo) -> bool:
    """Whether it is the command of a method, from a run in this process before."""
    return getattr(command.callback, "__module__", None) == __name__


def make_command(name: str) -> Callable[..., int]:
    """The command of a method that needs no options of its own."""

    def command(
        corpus: MaybeCorpus = None,
        request: RequestPath = None,
        out: MotionOut = None,
        report: ReportOut = None,
        picture: PictureOut = None,
        seconds: Seconds = None,
        seed: Seed = 0,
        others: Others = 0,
        save_as: SaveAs = None,
        skeleton: OnSkeleton = None,
        schema: SchemaOnly = False,
        as_json: Json = False,
    ) -> int:
        outputs = Outputs(out, report, picture, save_as, as_json, skeleton)
        asked = read_request(name, corpus, request, outputs, schema=schema)
        return DONE if asked is None else run_request(name, asked, seed=seed, seconds=seconds, others=others)

    return command


@dataclass(frozen=True, eq=False)
class Asked:
    """What a command was asked to do, checked as far as that is quick."""

    corpus: Path
    request: Any  # of the method
    outputs: Outputs
    title: str  # of the picture


def read_request(
    name: str, corpus: Path | None, request: Path | None, outputs: Outputs, *, schema: bool, command: str = ""
) -> Asked | None:
    """Read the request of a method and refuse outputs that cannot be written, before anything takes long.

    Args:
        name: of the method.
        corpus: its folder.
        request: the file.
        outputs: what to write.
        schema: print the schema of requests instead.
        command: for messages; the name of the method if it is empty.

    Returns:
        None where only the schema was asked for.
    """
    from motionloom.methods import load

    if schema:
        echo_json(load(name).Request.schema())
        return None
    if corpus is None or request is None or outputs.out is None:
        raise BadInput(f"give a corpus, a request and -o OUT; see `motionloom {command or name} --help`")
    if outputs.picture is not None and outputs.picture.suffix.lower() != ".png":
        raise BadInput(f"{outputs.picture}: a picture of the outcome ends in .png")
    check_outputs(outputs.out, {"--report": outputs.report, "--picture": outputs.picture}, read=request)
    return Asked(corpus, load(name).Request.read(request), outputs, request.stem)


def run_request(
    name: str,
    asked: Asked,
    *,
    settings: Any = None,
    seed: int = 0,
    seconds: float | None = None,
    others: int = 0,
    titles: tuple[str, str] = ("comparing takes", "preparing the search"),
    also: Callable[[Result], None] | None = None,
) -> int:
    """Make the motions of a request, write them and report how well it is met.

    Args:
        name: of the method.
        asked: from `read_request`.
        settings: of the method; None for the defaults.
        seed: random seed.
        seconds: to search at most.
        others: motions as good in another way to write beside the best.
        titles: of the progress bars of preparing and searching.
        also: called with the best result when its files are written, for files that other methods do not have.

    Returns:
        The exit code.
    """
    from motionloom.assembly import learn_again, means_points, prepare_for, realize, solve
    from motionloom.assembly.results.exported_skeleton import find_result_skeleton, on_skeleton
    from motionloom.methods import known_methods, load

    method, request, outputs = load(name), asked.request, asked.outputs
    assert outputs.out is not None  # it was checked
    with _open(asked.corpus, outputs.save_as) as store:
        material = method.material_of(store, request)
        makes = known_methods()[name].makes
        of_points = False if makes == ("body",) else None
        if "points" in makes:
            of_points = means_points(store, material.takes, getattr(material, "shown", ()))
        if of_points is not None:  # else preparing says what is wrong
            check_kind(outputs.out, of_points, outputs.skeleton)
        skeleton = None if outputs.skeleton is None else find_result_skeleton(store, outputs.skeleton)
        with progress_bar(titles[0]) as progress:
            model = prepare_for(method, store, request, settings, progress=progress)
        with progress_bar(titles[1]) as progress:
            answers = solve(
                method,
                model,
                request,
                seed=seed,
                seconds=seconds,
                others=others,
                progress=progress,
                on_better=_note_better,
            )
        results = [realize(method, answer, model, others=answers[1:]) for answer in answers]
        best = results[0]
        if outputs.save_as is not None:
            _check_names(store, outputs.save_as, best)
        shown = results if skeleton is None else [on_skeleton(result, skeleton) for result in results]
        written = [
            write_result_files(numbered(outputs.out, number), result, store) for number, result in enumerate(shown)
        ]
        if outputs.picture is not None:
            _draw(outputs.picture, method, best, asked.title)
        if also is not None:
            also(best)
        if outputs.report is not None:
            make_folder(outputs.report.parent)
            best.report.write(outputs.report)
        if outputs.save_as is not None:
            _keep(store, outputs.save_as, best, name)
        if outputs.as_json:
            echo_json(best.report.to_data())
        else:
            _print(written, best)
        renew_statistics(model.view, lambda progress: learn_again(store, method, material, settings, progress=progress))
    return DONE if best.report.is_met else PARTLY


def _open(corpus: Path, save_as: str | None) -> Corpus:
    """The corpus, open for writing where something is to be kept in it under a name that must be free."""
    from motionloom.assembly import check_new_take
    from motionloom.corpus import Corpus

    if save_as is None:
        return open_to_keep(corpus)
    store = Corpus.open(corpus, write=True)
    try:
        check_new_take(store, save_as)
    except BadInput as error:
        store.close()
        raise BadInput(f"--save-as {save_as}: {error}") from None
    return store


def _check_names(store: Corpus, name: str, result: Result) -> None:
    """Refuse a name that a character cannot have, before any file is written."""
    from motionloom.assembly import check_new_takes

    try:
        check_new_takes(store, name, result)
    except BadInput as error:
        raise BadInput(f"--save-as {name}: {error}") from None


def _note_better(answer: Answer[Any]) -> None:
    note(f"{answer.seconds:6.2f} s  {answer.kind}: {answer.describe()}")


def _draw(picture: Path, method: Any, result: Result, title: str) -> None:
    from motionloom.formats.atomic_write import replacing
    from motionloom.methods.result_files import draw_result

    make_folder(picture.parent)
    with replacing(picture) as temporary:  # a method may draw by itself, and half of a picture is none
        draw_result(method, temporary, result, title)


def _keep(store: Corpus, name: str, result: Result, method: str) -> None:
    """Keep a result as a take, with the labels of the frames that it plays."""
    from motionloom.assembly import keep_characters

    for duplicate in keep_characters(store, name, result, method=method).duplicates:
        note(f"{duplicate} has the same frames already; nothing was added")


def _print(written: list[list[Path]], best: Result) -> None:
    motion, (first, *others) = best.characters[0].motion, written
    echo(f"{', '.join(map(str, first))}: {motion.duration:.2f} s, {count(motion.n_frames, 'frame')}\n")
    echo(best.report.describe())
    if others:
        echo(f"\nother motions: {', '.join(str(path) for paths in others for path in paths)}")
