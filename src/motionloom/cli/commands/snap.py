"""`motionloom snap`: author hub graphs, walk through them, export them to be played live."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from motionloom.cli.commands.corpus import CorpusPath, Json, open_to_keep
from motionloom.cli.console import DONE, PARTLY, clock, count, echo, echo_json, echo_table, note, progress_bar
from motionloom.cli.method_command import Outputs, PictureOut, RequestPath, read_request, run_request
from motionloom.cli.options import MaybeCorpus, MotionOut, OnSkeleton, ReportOut, SaveAs, SchemaOnly, Seed
from motionloom.cli.outputs import make_folder
from motionloom.errors import BadInput

if TYPE_CHECKING:
    from motionloom.corpus import Corpus
    from motionloom.methods.snap import GraphRequest, Model
    from motionloom.methods.snap.author.hub_resolution import Suggestion

HUBS = ".hubs"
AUTHORED = (".yaml", ".yml")
Takes = Annotated[
    list[str] | None, typer.Option(metavar="PATTERN", help="Only takes such as 'fight/*'; can be repeated.")
]
Threshold = Annotated[
    float | None, typer.Option(metavar="METRES", min=0.0, help="Distance up to which frames match; default: estimated.")
]
Spacing = Annotated[
    float | None, typer.Option("--w-min", metavar="SECONDS", min=0.0, help="Minimum time between match frames.")
]


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    group = typer.Typer(help="Hub graphs: clips that join by a plain cut, to be played live.", rich_markup_mode=None)
    group.command("suggest")(suggest)
    group.command("build")(build)
    group.command("walk")(walk)
    group.command("export")(export)
    app.add_typer(group, name="snap")


def suggest(
    corpus: CorpusPath,
    takes: Takes = None,
    threshold: Threshold = None,
    w_min: Spacing = None,
    graph: Annotated[
        Path | None, typer.Option(metavar="GRAPH.yaml", help="Graph whose hubs are kept.", readable=False)
    ] = None,
    number: Annotated[int, typer.Option("--count", metavar="N", min=1, max=100, help="Number of suggestions.")] = 5,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="OUT.yaml", help="Write a graph with the best added.", readable=False),
    ] = None,
    as_json: Json = False,
) -> int:
    """Suggest hubs: the largest sets of frames that are alike, best first."""
    from dataclasses import asdict

    from motionloom.cli.outputs import check_targets
    from motionloom.conform import describe_left_out
    from motionloom.methods import snap
    from motionloom.methods.snap.author.hub_resolution import require_hubs, why_nothing
    from motionloom.methods.snap.prepare import view_for

    if graph is not None and (takes or threshold or w_min):
        raise BadInput("--takes, --threshold and --w-min are set in the graph; leave them out, or the graph")
    options = _graph_from_options(takes, threshold, w_min, 0)
    request = snap.GraphRequest.read(graph) if graph is not None else options
    check_targets({"--out": out})
    if out is not None and out.suffix.lower() not in AUTHORED:
        raise BadInput(f"{out}: a graph as it is authored ends in .yaml; `snap build` makes one that can be played")
    with open_to_keep(corpus) as store:
        with progress_bar("comparing frames") as progress:
            compared = snap.compare_view(view_for(store, request, progress), progress)
        accepted = require_hubs(snap.resolve_hubs(compared, request)) if request.hubs else []
        taken = [int(frame) for hub in accepted for frame in hub.frames]
        found = snap.suggest_hubs(compared, request, taken=taken, count=number)
        if not found:
            raise BadInput(why_nothing(compared, request, taken))
    for sentence in describe_left_out(compared.view.left_out):
        note(sentence)
    limit = request.threshold or compared.threshold
    if out is not None:
        _with_hub(request, found[0], limit).write(out)
    if as_json:
        echo_json(
            {"threshold": limit, "usual": compared.usual, "suggestions": [asdict(suggestion) for suggestion in found]}
        )
        return DONE
    view = compared.view
    echo(f"{count(len(view.names), 'take')}, {clock(view.n_frames / view.fps)}; frames match within {limit:.3f} m\n")
    _print_suggestions(found)
    if out is not None:
        echo(f"\n{out}: a graph with the first; `motionloom snap build {corpus} {out}` builds it")
    return DONE


def build(
    corpus: Annotated[
        Path | None, typer.Argument(metavar="CORPUS", help="The folder of the corpus.", readable=False)
    ] = None,
    graph: Annotated[
        Path | None, typer.Argument(metavar="[GRAPH.yaml]", help="The graph as it was authored.", readable=False)
    ] = None,
    takes: Takes = None,
    hubs: Annotated[int, typer.Option(metavar="N", min=1, max=100, help="Number of hubs without a file.")] = 1,
    threshold: Threshold = None,
    w_min: Spacing = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="OUT", help="GRAPH.hubs to play, or GRAPH.yaml to edit.", readable=False),
    ] = None,
    sheet: Annotated[
        Path | None, typer.Option(metavar="PNG", help="Draw match frames and common poses.", readable=False)
    ] = None,
    turns: Annotated[
        Path | None, typer.Option(metavar="PNG", help="Draw which turns the graph can make.", readable=False)
    ] = None,
    report: Annotated[
        Path | None, typer.Option(metavar="JSON", help="Write the report as JSON.", readable=False)
    ] = None,
    schema: Annotated[bool, typer.Option("--schema", help="Print the JSON schema of graphs, for editors.")] = False,
    as_json: Json = False,
) -> int:
    """Build a hub graph: after that any clip can follow any other of its hub, by a plain cut."""
    from motionloom.cli.outputs import check_targets
    from motionloom.methods.snap import GraphRequest

    if schema:
        echo_json(GraphRequest.schema())
        return DONE
    if corpus is None:
        raise BadInput("give a corpus; see `motionloom snap build --help`")
    check_targets({"--out": out, "--sheet": sheet, "--turns": turns, "--report": report}, read=graph)
    _check_extensions(out, sheet, turns)
    if graph is not None and (takes or threshold or w_min or hubs != 1):
        raise BadInput("--takes, --hubs, --threshold and --w-min are set in the file; leave them out, or the file")
    request = GraphRequest.read(graph) if graph is not None else _graph_from_options(takes, threshold, w_min, hubs)
    with open_to_keep(corpus) as store:
        model = _prepare(store, request)
        _write_graph(out, model)
        _draw(model, sheet, turns, title=graph.stem if graph is not None else corpus.name)
    data = _build_data(model)
    if report is not None:
        _write_json(report, data)
    if as_json:
        echo_json(data)
    else:
        _print_built(model, out, sheet, turns)
    return PARTLY if model.graph.n_hubs < len(request.hubs) else DONE


def walk(
    corpus: MaybeCorpus = None,
    request: RequestPath = None,
    graph: Annotated[
        Path | None,
        typer.Option(metavar="GRAPH.yaml", help="The graph, instead of the one in the request.", readable=False),
    ] = None,
    out: MotionOut = None,
    report: ReportOut = None,
    picture: PictureOut = None,
    seed: Seed = 0,
    save_as: SaveAs = None,
    skeleton: OnSkeleton = None,
    schema: SchemaOnly = False,
    as_json: Json = False,
) -> int:
    """Make the motion of a graph walk: clips, actions, places and controls, one after another; with a report."""
    from dataclasses import replace

    from motionloom.methods.snap import GraphRequest

    outputs = Outputs(out, report, picture, save_as, as_json, skeleton)
    asked = read_request("snap", corpus, request, outputs, schema=schema, command="snap walk")
    if asked is None:
        return DONE
    if graph is not None:
        asked = replace(asked, request=replace(asked.request, graph=GraphRequest.read(graph)))
    return run_request("snap", asked, seed=seed)


def export(
    corpus: CorpusPath,
    graph: Annotated[Path, typer.Argument(metavar="GRAPH.yaml", help="The graph as it was authored.", readable=False)],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="OUT.hubs", help="The file to play.", readable=False)],
    player: Annotated[bool, typer.Option("--player", help="Put hub_player.js beside it, for web pages.")] = False,
) -> int:
    """Write a graph as one file that games and web pages play without Python."""
    from motionloom.cli.outputs import check_targets
    from motionloom.formats.atomic_write import replace_file
    from motionloom.methods.snap import GraphRequest

    if out.suffix.lower() != HUBS:
        raise BadInput(f"{out}: a graph that can be played ends in {HUBS}")
    check_targets({"--out": out}, read=graph)
    script = _find_player() if player else None
    with open_to_keep(corpus) as store:
        model = _prepare(store, GraphRequest.read(graph))
        _write_graph(out, model)
    found = model.statistics
    size = out.stat().st_size / 1e6
    echo(f"{out}: {count(found.hubs, 'hub')}, {count(found.clips, 'clip')}, {found.seconds:.1f} s, {size:.2f} MB")
    if script is not None:
        replace_file(out.with_name(script.name), script.read_bytes())
        echo(f"{out.with_name(script.name)}: plays it in a web page")
    return DONE


def _find_player() -> Path:
    """The player for web pages, built before anything else is done."""
    from motionloom.studio.front_end import CannotBuild, player_source

    try:
        return player_source(say=note)
    except CannotBuild as error:
        raise BadInput(f"--player: {error}") from None


def _prepare(store: Corpus, request: GraphRequest) -> Model:
    from motionloom.methods.snap import prepare

    with progress_bar("building the graph") as progress:
        return prepare(store, request, progress=progress)


def _graph_from_options(
    takes: list[str] | None, threshold: float | None, w_min: float | None, hubs: int
) -> GraphRequest:
    from motionloom.methods.snap import GraphRequest

    data: dict[str, Any] = {"takes": takes or None, "threshold": threshold, "hubs": [{"largest": True}] * hubs}
    if w_min is not None:
        data["w_min"] = w_min
    return GraphRequest.from_data(data)


def _with_hub(request: GraphRequest, best: Suggestion, threshold: float) -> GraphRequest:
    """The graph with a suggestion as one more hub, as a person goes on with it."""
    from dataclasses import replace

    from motionloom.methods.snap import Hub

    is_lowered = best.threshold < threshold
    return replace(request, hubs=(*request.hubs, Hub(like=best.seed, threshold=best.threshold if is_lowered else None)))


def _write_graph(out: Path | None, model: Model) -> None:
    from motionloom.methods.snap.graph.hubs_file import write_hubs

    if out is None:
        return
    make_folder(out.parent)
    if out.suffix.lower() == HUBS:
        write_hubs(out, model.graph)
    else:
        model.material.write(out)


def _draw(model: Model, sheet: Path | None, turns: Path | None, title: str) -> None:
    from motionloom.methods.snap.sheets import draw_hubs, draw_turns

    for path, draw in ((sheet, draw_hubs), (turns, draw_turns)):
        if path is not None:
            make_folder(path.parent)
            draw(path, model, title)


def _check_extensions(out: Path | None, sheet: Path | None, turns: Path | None) -> None:
    if out is not None and out.suffix.lower() not in (HUBS, *AUTHORED):
        raise BadInput(f"{out}: a graph ends in {HUBS} (to be played) or .yaml (as it was authored)")
    for option, path in (("--sheet", sheet), ("--turns", turns)):
        if path is not None and path.suffix.lower() != ".png":
            raise BadInput(f"{option} {path}: pictures of a graph end in .png")


def _print_suggestions(found: list[Suggestion]) -> None:
    rows = [
        [
            str(rank),
            str(found_set.match_frames),
            f"{100 * found_set.mean_distance:.1f}",
            f"{100 * found_set.worst_distance:.1f}",
            str(len(found_set.takes)),
            f"{found_set.seed.take} {found_set.seed.frame:g}",
            ", ".join(found_set.planted).replace("_", " ") or "nothing",
        ]
        for rank, found_set in enumerate(found, start=1)
    ]
    columns = ["", "match frames", "mean cm", "worst cm", "takes", "like take, frame", "stands on"]
    echo_table(columns, rows, right={0, 1, 2, 3, 4})


def _print_built(model: Model, *written: Path | None) -> None:
    for path in written:
        if path is not None:
            echo(f"{path}")
    echo(("" if not any(written) else "\n") + model.describe() + "\n")
    graph = model.graph
    controls = model.planner.controls
    rows = [
        [
            clip.name,
            graph.nodes[clip.source].name,
            graph.nodes[clip.target].name,
            f"{controls.seconds[number]:.2f}",
            f"{controls.speed[number]:.2f}",
            f"{controls.turn[number] * 57.29578:+.0f}",
        ]
        for number, clip in enumerate(graph.clips)
    ]
    echo_table(["clip", "from", "to", "s", "m/s", "turn deg"], rows, right={3, 4, 5})
    if graph.actions:
        echo(
            "\nactions: " + "; ".join(f"{action.name} ({count(len(action.clips), 'clip')})" for action in graph.actions)
        )
    if model.report.fixes:
        echo("\nmatch frames that would connect more:")
        for fix in model.report.fixes[:5]:
            where = f"{fix.frame.take} frame {fix.frame.frame:g}"
            echo(f"  {fix.hub}: {where}, {100 * fix.distance:.1f} cm away, for {fix.seconds:.1f} s of clips")


def _build_data(model: Model) -> dict[str, Any]:
    graph, controls = model.graph, model.planner.controls
    return {
        "graph": model.material.to_data(),
        "statistics": model.statistics.to_data(),
        "report": model.report.to_data(),
        "nodes": [{"name": node.name, "kind": node.kind, "planted": list(node.planted)} for node in graph.nodes],
        "clips": [
            {
                "name": clip.name,
                "from": graph.nodes[clip.source].name,
                "to": graph.nodes[clip.target].name,
                "take": clip.motion,
                "start": clip.start,
                "stop": clip.stop,
                "labels": dict(clip.labels),
                **controls.of(number),
            }
            for number, clip in enumerate(graph.clips)
        ],
        "actions": [
            {"name": action.name, "clips": [graph.clips[clip].name for clip in action.clips]}
            for action in graph.actions
        ],
    }


def _write_json(path: Path, data: dict[str, Any]) -> None:
    import json

    from motionloom.formats.atomic_write import replace_file

    make_folder(path.parent)
    replace_file(path, (json.dumps(data, indent=1, allow_nan=False) + "\n").encode())
