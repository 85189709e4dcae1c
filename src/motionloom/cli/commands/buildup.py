"""`motionloom buildup`: extend a motion pose by pose, and see every way to get there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from motionloom.cli.commands.corpus import CorpusPath, Json, open_to_keep
from motionloom.cli.console import DONE, PARTLY, echo, echo_json, echo_table, progress_bar
from motionloom.cli.method_command import Others, Outputs, PictureOut, RequestPath, read_request, run_request
from motionloom.cli.options import MaybeCorpus, MotionOut, OnSkeleton, ReportOut, SaveAs, SchemaOnly, Seed
from motionloom.errors import BadInput

if TYPE_CHECKING:
    from motionloom.methods.buildup import Model
    from motionloom.methods.buildup.sequence.ways import Browser, Way

Takes = Annotated[
    list[str] | None, typer.Option(metavar="PATTERN", help="Only takes such as 'fight/*'; can be repeated.")
]
Groups = Annotated[int | None, typer.Option(metavar="K", min=1, help="Number of pose groups; default: estimated.")]
Metric = Annotated[str, typer.Option("--measure", help="points (with velocities) or angles (the paper's).")]
Threshold = Annotated[
    float | None,
    typer.Option(metavar="DISTANCE", min=0.0, help="Largest distance of a transition; default: estimated."),
]
Place = Annotated[
    str | None, typer.Option(metavar="X,Z", help="Where to end, metres on the ground; anywhere if left out.")
]
PoseName = Annotated[
    str | None, typer.Option("--pose", metavar="TAKE:FRAME|LABEL", help="The pose to end in; all if left out.")
]


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    group = typer.Typer(
        help="Build-up: extend a motion pose by pose, edit its middle, hit points.", rich_markup_mode=None
    )
    group.command("prepare")(prepare)
    group.command("ways")(ways)
    group.command("run")(run)
    app.add_typer(group, name="buildup")


def prepare(
    corpus: CorpusPath,
    takes: Takes = None,
    groups: Groups = None,
    measure: Metric = "points",
    threshold: Threshold = None,
    picture: PictureOut = None,
    as_json: Json = False,
) -> int:
    """Connect takes and group their poses, and show the poses to choose from."""
    from motionloom.cli.outputs import check_targets
    from motionloom.methods import buildup
    from motionloom.methods.buildup.sheets import draw_palette

    _check_picture(picture)
    check_targets({"--picture": picture})
    request = buildup.Request.from_data(
        {"takes": takes or None, "groups": groups, "measure": measure, "threshold": threshold or None}
    )
    with open_to_keep(corpus) as store:
        with progress_bar("comparing frames") as progress:
            model = buildup.prepare(store, buildup.material_of(store, request), progress=progress)
        if picture is not None:
            _make(picture)
            draw_palette(picture, model, corpus.name)
        poses = [_pose_data(model, int(group)) for group in model.palette.order]
    if as_json:
        echo_json({"graph": _graph_data(model), "poses": poses, "pruned": model.pruned.to_data()})
        return DONE
    echo(f"{model.describe()}\n")
    rows = [[p["take"], str(p["frame"]), f"{p['seconds']:.1f}", ", ".join(p["labels"])] for p in poses]
    echo_table(["pose: take", "frame", "s", "labels"], rows, right={1, 2})
    return DONE


def ways(
    corpus: MaybeCorpus = None,
    request: RequestPath = None,
    pose: PoseName = None,
    place: Place = None,
    heading: Annotated[float | None, typer.Option(metavar="DEGREES", help="Direction to face at the end.")] = None,
    number: Annotated[int, typer.Option("--count", metavar="N", min=1, max=100, help="Number of ways.")] = 5,
    picture: PictureOut = None,
    as_json: Json = False,
) -> int:
    """What could come next after a request: every pose with its soonest way, or the ways to one pose or place."""
    from motionloom.cli.outputs import check_targets
    from motionloom.methods import buildup

    if corpus is None or request is None:
        raise BadInput("give a corpus and a request; see `motionloom buildup ways --help`")
    _check_picture(picture)
    check_targets({"--picture": picture}, read=request)
    asked = buildup.Request.read(request)
    if len(asked.cast) > 1:
        raise BadInput(f"{request} has several characters; ask for the ways of one")
    step = _step_of(pose, place, heading)
    with open_to_keep(corpus) as store:
        browser = _browse(store, asked)
        found = _all_ways(browser) if step is None else _ways_of(browser, step, number)
        if picture is not None:
            from motionloom.methods.buildup.sheets import draw_trees

            _make(picture)
            draw_trees(picture, [("what can be reached", browser.index.tree)])
        data = [_way_data(browser.model, way) for way, _ in found]
    reasons = [*dict.fromkeys(why for _, why in found if why)]
    if as_json:
        echo_json({"ways": data, "reasons": reasons})
    else:
        _print_ways(data, reasons)
    return PARTLY if reasons else DONE


def run(
    corpus: MaybeCorpus = None,
    request: RequestPath = None,
    out: MotionOut = None,
    report: ReportOut = None,
    picture: PictureOut = None,
    seed: Seed = 0,
    others: Others = 0,
    save_as: SaveAs = None,
    skeleton: OnSkeleton = None,
    schema: SchemaOnly = False,
    as_json: Json = False,
) -> int:
    """Make the motion that a request builds up, pose by pose; with a report."""
    outputs = Outputs(out, report, picture, save_as, as_json, skeleton)
    asked = read_request("buildup", corpus, request, outputs, schema=schema, command="buildup run")
    return DONE if asked is None else run_request("buildup", asked, seed=seed, others=others)


def _browse(store: Any, asked: Any) -> Browser:
    """Everything that can be reached from the end of a request."""
    from motionloom.assembly import prepare_for, solve
    from motionloom.methods import buildup
    from motionloom.methods.buildup.sequence.ways import Browser

    with progress_bar("comparing frames") as progress:
        model = prepare_for(buildup, store, asked, progress=progress)
    (character,) = solve(buildup, model, asked)[0].state.characters
    return Browser.of(model, character.sequence)


def _step_of(pose: str | None, place: str | None, heading: float | None) -> Any:
    """The step that options ask for; None where they ask for nothing."""
    import math

    from motionloom.methods.buildup import Step

    if pose is None and place is None:
        if heading is not None:
            raise BadInput("--heading is for a pose or a place; give --pose, --place, or both")
        return None
    if heading is not None and not math.isfinite(heading):
        raise BadInput(f"--heading {heading}: give degrees, such as 90")
    data: dict[str, Any] = {"heading": heading}
    if pose == "":
        raise BadInput("--pose: give a take and a frame, such as walk/slow:120, or a label")
    if pose is not None:
        take, colon, frame = pose.rpartition(":")
        data["pose"] = {"take": take, "frame": int(frame)} if colon and frame.isdigit() else {"label": pose}
    if place is not None:
        try:
            x, z = (float(number) for number in place.split(","))
            if not (math.isfinite(x) and math.isfinite(z)):
                raise ValueError(place)
        except ValueError:
            raise BadInput(f"--place {place}: give metres as X,Z, such as 1.5,-0.5") from None
        data["place"] = (x, z)
    return Step(**data)


def _ways_of(browser: Browser, step: Any, number: int) -> list[tuple[Way, str]]:
    from dataclasses import replace

    from motionloom.methods.buildup.sequence.steps import find_ways

    found, why = find_ways(browser.model, browser, replace(step, way=number - 1))
    if not found:
        raise BadInput(why)
    return [(way, why) for way in found[:number]]


def _all_ways(browser: Browser) -> list[tuple[Way, str]]:
    """The soonest way to every pose that can be reached, in the order of the palette."""
    found = [browser.ends(None, int(group)) for group in browser.model.palette.order]
    return [(browser.way(ends[0]), "") for ends in found if ends]


def _print_ways(ways: list[dict[str, Any]], reasons: list[str]) -> None:
    rows = []
    for way in ways:
        (x, z), pose = way["place"], way["pose"]
        rows.append(
            [
                f"{way['seconds']:.2f}",
                f"({x:.2f}, {z:.2f})",
                f"{way['heading']:.0f}",
                str(way["cuts"]),
                f"{way['hardest']:.3f}",
                f"{pose['take']} {pose['frame']}",
                ", ".join(pose["labels"]),
            ]
        )
    echo_table(["s", "ends at", "deg", "cuts", "hardest", "pose", "labels"], rows, right={0, 2, 3, 4})
    for reason in reasons:
        echo(f"\n{reason}")


def _way_data(model: Model, way: Way) -> dict[str, Any]:
    x, z, heading = way.end.place
    return {
        "seconds": way.end.n_frames / model.fps,
        "place": [x, z],
        "heading": heading * 57.29577951308232,
        "cuts": way.n_cuts,
        "hardest": way.hardest,
        "pose": _pose_data(model, way.end.group),
        "clips": [{"take": clip.name, "start": clip.start, "stop": clip.stop} for clip in way.clips],
    }


def _pose_data(model: Model, group: int) -> dict[str, Any]:
    centre = int(model.groups.centres[group])
    origin = model.view.origin(centre)
    return {
        "take": model.clip_frame(centre)[0],
        "frame": round(origin.frame),
        "seconds": float(model.groups.sizes[group] / model.fps),
        "labels": list(model.palette.labels[group]),
    }


def _graph_data(model: Model) -> dict[str, Any]:
    graph = model.graph
    return {
        "nodes": graph.n_nodes,
        "transitions": int((~graph.goes_on).sum()),
        "seconds": float(graph.seconds.sum()),
        "threshold": graph.threshold,
        "unit": graph.unit,
    }


def _check_picture(picture: Path | None) -> None:
    if picture is not None and picture.suffix.lower() != ".png":
        raise BadInput(f"{picture}: pictures of a build-up end in .png")


def _make(path: Path) -> None:
    from motionloom.cli.outputs import make_folder

    make_folder(path.parent)
