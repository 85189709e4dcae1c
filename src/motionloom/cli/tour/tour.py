"""`motionloom demo`: the tour. It creates the demo corpus, uses every feature once, and writes a gallery."""

import shutil
import time
from pathlib import Path
from typing import Annotated

import typer

from motionloom.cli.console import clock, count, echo, note, progress_bar
from motionloom.cli.tour.gallery import VIDEO_SIZE, Exhibit, write_gallery
from motionloom.errors import BadInput

MARK = ".motionloom-demo"  # a folder with this file was created by the tour and may be replaced
CORPUS = "corpus"


def demo(
    folder: Annotated[
        Path, typer.Argument(metavar="[DIR]", help="Folder to create; replaced if it is from an earlier tour.")
    ] = Path("demo"),
    seed: Annotated[int, typer.Option(help="Random seed of the performance.")] = 1,
) -> None:
    """Take the tour: create a demo corpus, use every feature once, and write gallery.html."""
    start = time.perf_counter()
    _clear(folder)
    _make_corpus(folder / CORPUS, seed)
    _check_corpus(folder / CORPUS)
    exhibits = [
        *_make_timelines(folder),
        _make_hub_graph(folder),
        _make_build_up(folder),
        _make_directed(folder),
        _make_directed_face(folder),
        _make_new_motion(folder, seed),
        *_make_exhibits(folder),
    ]
    write_gallery(folder / "gallery.html", exhibits, _facts(folder / CORPUS))
    echo(f"\nthe tour took {time.perf_counter() - start:.0f} s; open {folder / 'gallery.html'} in a browser\n")
    echo(_next_steps(folder))
    echo(f"\nopen the studio on what was made, to look at it, label it and paint timelines:\n  {_studio(folder)}")


def _clear(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise BadInput(f"{folder} is a file; name a folder for the tour")
    if folder.exists() and any(folder.iterdir()) and not (folder / MARK).exists():
        raise BadInput(f"{folder} is not empty and was not made by the tour; name another folder")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / MARK).write_text("made by `motionloom demo`, which may replace this folder\n")


def _make_corpus(path: Path, seed: int) -> None:
    from motionloom.performer import make_demo_corpus

    start = time.perf_counter()
    note("1. the performer performs ...")
    with progress_bar("performing") as progress, make_demo_corpus(path, seed=seed, progress=progress) as corpus:
        infos = corpus.infos()
        labels = corpus.label_names()
    seconds = sum(take.duration for take in infos)
    echo(f"{path}: {count(len(infos), 'take')}, {clock(seconds)} of motion, in {time.perf_counter() - start:.0f} s")
    echo(f"labels: {', '.join(labels)}")


def _check_corpus(path: Path) -> None:
    from motionloom.corpus import check

    note("2. the corpus is checked ...")
    report = check(path)
    echo(f"check: {report.summary}")


def _make_new_motion(folder: Path, seed: int) -> Exhibit:
    from motionloom.cli.tour.graph_walk import make_new_motion
    from motionloom.corpus import Corpus

    note("8. takes are compared, joined and planted: a walk through their transition graph ...")
    with Corpus.open(folder / CORPUS, write=True) as corpus:
        exhibit = make_new_motion(corpus, folder, seed)
    echo(f"{exhibit.name}: {exhibit.seconds:.0f} s of new motion, {', '.join(exhibit.labels)}, feet planted")
    return exhibit


def _make_timelines(folder: Path) -> list[Exhibit]:
    from motionloom.cli.tour.timelines import FOLDER, make_timelines
    from motionloom.corpus import Corpus

    note("3. labels are painted on timelines, and become motion ...")
    with Corpus.open(folder / CORPUS, write=True) as corpus:
        exhibits = make_timelines(corpus, folder)
    echo(f"{folder / FOLDER}: {count(len(exhibits), 'request')}, each with its motion, sheet and report")
    return exhibits


def _make_hub_graph(folder: Path) -> Exhibit:
    from motionloom.cli.tour.hub_graph import FOLDER, make_hub_graph
    from motionloom.corpus import Corpus

    note("4. a hub graph is built: clips that join by a plain cut ...")
    with Corpus.open(folder / CORPUS, write=True) as corpus:
        exhibit = make_hub_graph(corpus, folder)
    echo(f"{folder / FOLDER}: {', '.join(exhibit.labels[:2])}, to be played live, and {exhibit.seconds:.0f} s of it")
    return exhibit


def _make_build_up(folder: Path) -> Exhibit:
    from motionloom.cli.tour.build_up import FOLDER, make_build_up
    from motionloom.corpus import Corpus

    note("5. a motion is built up pose by pose ...")
    with Corpus.open(folder / CORPUS, write=True) as corpus:
        exhibit = make_build_up(corpus, folder)
    echo(f"{folder / FOLDER}: {exhibit.labels[1]} from pose to pose, of {exhibit.labels[0]} to choose from")
    return exhibit


def _make_directed(folder: Path) -> Exhibit:
    from motionloom.cli.tour.directed import FOLDER, make_directed
    from motionloom.corpus import Corpus

    note("6. a motion is optimized between key poses ...")
    with Corpus.open(folder / CORPUS, write=True) as corpus:
        exhibit = make_directed(corpus, folder)
    echo(f"{folder / FOLDER}: {exhibit.seconds:.0f} s from {exhibit.labels[0]} and when the feet rest")
    return exhibit


def _make_directed_face(folder: Path) -> Exhibit:
    from motionloom.cli.tour.directed_face import make_directed_face
    from motionloom.corpus import Corpus

    note("7. a face is optimized from expression to expression ...")
    with Corpus.open(folder / CORPUS, write=True) as corpus:
        exhibit = make_directed_face(corpus, folder)
    echo(f"{exhibit.name}: {exhibit.seconds:.0f} s of {exhibit.labels[1]} from {exhibit.labels[0]}")
    return exhibit


def _make_exhibits(folder: Path) -> list[Exhibit]:
    """Draw and export a take of each kind, in parallel."""
    from motionloom.corpus import Corpus, export_labels
    from motionloom.tasks import run_all

    note("9. pictures, videos and exports ...")
    with Corpus.open(folder / CORPUS) as corpus:
        export_labels(corpus, folder / "labels.csv")
        names = _favourites(corpus.names())
    with progress_bar("drawing") as progress:
        exhibits = list(run_all(_make_exhibit, [(folder, name) for name in names], progress=progress))
    echo(f"{folder}: {count(len(exhibits), 'contact sheet')}, as many MP4, GLB, BVH or CSV files, gallery.html")
    return exhibits


def _make_exhibit(job: tuple[Path, str]) -> Exhibit:
    from motionloom import formats
    from motionloom.cli.commands.export import draw
    from motionloom.corpus import Corpus
    from motionloom.motion import PointMotion

    folder, name = job
    with Corpus.open(folder / CORPUS) as corpus:
        take = corpus.take(name)
        endings = ("png", "mp4", "glb", "csv" if isinstance(take.motion, PointMotion) else "bvh")
        flat = name.replace("/", "_")
        sheet, video, model, table = (folder / f"{flat}.{ending}" for ending in endings)
        n_shown = min(take.motion.n_frames, round(VIDEO_SECONDS * take.motion.fps))
        draw(corpus, name, sheet)
        draw(corpus, name, video, stop=n_shown, size=VIDEO_SIZE)
        formats.write(model, take.motion, take.source, name=name)
        formats.write(table, take.motion, take.source, name=name)
        labels = sorted({label.label for label in corpus.labels(name)})
        return Exhibit(name, labels, take.motion.duration, sheet, video, (model, table))


VIDEO_SECONDS = 8  # of a take that the gallery shows moving


def _favourites(names: list[str]) -> list[str]:
    """The first take of every folder of the corpus, as an example of its kind."""
    first: dict[str, str] = {}
    for name in names:
        first.setdefault(name.split("/")[0], name)
    return list(first.values())


def _facts(path: Path) -> str:
    from motionloom.corpus import Corpus

    with Corpus.open(path) as corpus:
        infos = corpus.infos()
        labels = corpus.label_names()
    seconds = sum(take.duration for take in infos)
    rate = f"{infos[0].fps:g} frames per second"
    return f"{count(len(infos), 'take')}, {clock(seconds)} at {rate}, {count(len(labels), 'label')}"


def _studio(folder: Path) -> str:
    """The command that opens the studio, with the same program that runs the tour."""
    import sys

    return f"{shown_program(sys.argv[0])} studio {folder / CORPUS}"


def shown_program(program: str) -> str:
    """`motionloom` if that is on the search path, else the path of the program."""
    path = Path(program)
    found = shutil.which("motionloom")
    is_found = found is not None and path.name == "motionloom" and Path(found).resolve() == path.resolve()
    return "motionloom" if is_found or path.name != "motionloom" else program


def _next_steps(folder: Path) -> str:
    corpus = folder / CORPUS
    return "\n".join(
        [
            "try next:",
            f"  motionloom info {corpus}                                  what the corpus holds",
            f"  motionloom show {corpus} TAKE -o sheet.png                any take as a picture, or clip.mp4",
            f"  motionloom export {corpus} 'walk/*' -o 'out/{{take}}.glb'   for Blender, a game engine or a web page",
            f"  motionloom timeline {corpus} {folder}/requests/walk_then_wave.yaml -o new.glb     change it first",
            f"  motionloom snap suggest {corpus} --takes 'walk/*'          where motions meet: hubs for a graph",
            f"  motionloom snap build {corpus} {folder}/graphs/fighting.yaml -o new.hubs --sheet poses.png",
            f"  motionloom buildup ways {corpus} {folder}/sequences/punch_and_return.yaml    what could come next",
            f"  motionloom dynamics solve {corpus} {folder}/directed/walk_from_two_poses.yaml -o new.glb",
            f"  motionloom dynamics solve {corpus} {folder}/directed/face_from_five_poses.yaml -o face.glb",
            f"  motionloom coverage {corpus}                              which labels lead to which, and how well",
            "  motionloom clean TAKE.bvh -o clean.bvh --picture feet.png    plant the feet of any recording",
            "  motionloom new mine && motionloom import mine FOLDER      your own recordings: BVH, ASF/AMC, C3D, ...",
        ]
    )
