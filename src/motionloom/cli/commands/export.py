"""Commands that draw and export takes: show, export."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from motionloom.cli.commands.corpus import CorpusPath, check_range, expand
from motionloom.cli.console import Progress, count, echo, exit_code, note, progress_bar
from motionloom.cli.outputs import make_folder
from motionloom.errors import BadInput, MotionloomError
from motionloom.methods.result_files import PICTURES

if TYPE_CHECKING:
    from motionloom.corpus import Corpus
    from motionloom.motion import Motion, PointMotion, Skeleton


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.command("show")(show)
    app.command("export")(export)


def show(
    corpus: CorpusPath,
    take: Annotated[str, typer.Argument(metavar="TAKE", help="A take, or a unique suffix of its name.")],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="OUT", help="sheet.png or clip.mp4.", readable=False)],
    start: Annotated[int, typer.Option(help="First frame.")] = 0,
    stop: Annotated[int | None, typer.Option(help="Frame after the last; default: the end.")] = None,
) -> None:
    """Draw a take: a contact sheet (PNG) or a preview (MP4)."""
    from motionloom.corpus import Corpus

    if out.suffix.lower() not in PICTURES:
        raise BadInput(
            f"{out}: pictures must have the extension {' or '.join(PICTURES)}; for other files use motionloom export"
        )
    with Corpus.open(corpus) as store:
        names = expand(store.names(), [take])
        if len(names) > 1:
            raise BadInput(f"'{take}' matches {count(len(names), 'take')}; show draws one at a time")
        name = names[0]
        with progress_bar(f"drawing {name}") as progress:
            draw(store, name, out, start, stop, progress)
    echo(f"{out}: {name}")


def draw(
    store: Corpus,
    name: str,
    out: Path,
    start: int = 0,
    stop: int | None = None,
    progress: Progress | None = None,
    size: tuple[int, int] = (960, 540),
) -> None:
    """Draw frames of a take on its floor with its contacts; `size` is that of a video, in pixels."""
    from motionloom import render
    from motionloom.corpus import read_neutral_pose
    from motionloom.formats.atomic_write import replacing
    from motionloom.motion import Motion

    motion, info = store.take(name).motion, store.info(name)
    stop = motion.n_frames if stop is None else stop
    check_range(name, start, stop, motion.n_frames)
    motion = _frames(motion, start, stop)
    is_body = isinstance(motion, Motion)
    contacts = store.layer(name, "contacts")[start:stop] if is_body else None
    footing = store.footing(name).cut(start, stop) if is_body else None
    neutral = read_neutral_pose(store, motion.skeleton) if isinstance(motion, Motion) else None
    make_folder(out.parent)
    with replacing(out) as temporary:
        if out.suffix.lower() == ".png":
            render.write_contact_sheet(
                temporary,
                motion,
                contacts=contacts,
                title=name,
                floor=info.floor_height,
                footing=footing,
                neutral=neutral,
            )
        else:
            render.write_video(
                temporary,
                motion,
                contacts=contacts,
                floor=info.floor_height,
                progress=progress,
                size=size,
                footing=footing,
                neutral=neutral,
            )


def _frames(motion: Motion | PointMotion, start: int, stop: int) -> Motion | PointMotion:
    from dataclasses import replace

    from motionloom.motion import Motion, cut

    if isinstance(motion, Motion):
        return cut(motion, start, stop)
    return replace(motion, positions=motion.positions[start:stop])


def export(
    corpus: CorpusPath,
    takes: Annotated[list[str], typer.Argument(metavar="TAKE...", help="Takes: names, unique suffixes, or 'walk/*'.")],
    out: Annotated[
        str,
        typer.Option(
            "--out",
            "-o",
            metavar="OUT",
            help="FILE.bvh, .glb, .npz, or .csv, .c3d of points; for many takes 'folder/{take}.glb'.",
        ),
    ],
    skeleton: Annotated[
        str | None,
        typer.Option(metavar="TAKE", help="Retarget to the skeleton of this take, or 'reference'; default: their own."),
    ] = None,
) -> int:
    """Export takes to files for other programs; the file extension selects the format."""
    from motionloom import formats
    from motionloom.assembly.results.exported_skeleton import find_skeleton, shared_scale
    from motionloom.corpus import Corpus

    extension = Path(out).suffix.lower()
    if extension not in formats.WRITABLE:
        raise BadInput(f"{out}: cannot write '{extension}'; the extensions are {', '.join(formats.WRITABLE)}")
    with Corpus.open(corpus) as store:
        names = expand(store.names(), takes)
        if len(names) > 1 and "{take}" not in out:
            raise BadInput(
                f"{count(len(names), 'take')} for one file '{out}'; "
                "write {take} where the name goes: 'out/{take}.glb'"
            )
        refused, files = 0, _file_names(names, out)
        wanted = None if skeleton is None else find_skeleton(store, skeleton)
        scale = None if wanted is None else shared_scale(store, names, wanted)
        with progress_bar("exporting") as progress:
            for done, (name, file) in enumerate(zip(names, files), start=1):
                try:
                    _export_one(store, name, Path(out.replace("{take}", file)), wanted, scale)
                except (MotionloomError, OSError) as error:
                    refused += 1
                    note(f"refused: {name}: {error}")
                progress(done, len(names))
    if refused < len(names):
        echo(f"{out}: {count(len(names) - refused, 'take')}")
    return exit_code(done=len(names) - refused, refused=refused)


def _file_names(names: list[str], out: str) -> list[str]:
    """What goes in the place of {take} for each take; two takes never get the same file, on any system."""
    from motionloom.formats.file_names import distinct_names

    extension = Path(out).suffix if out.endswith("{take}" + Path(out).suffix) else ""
    files = [file.removesuffix(extension) for file in distinct_names(names, extension)]
    for name, file in zip(names, files):
        if file != name:
            note(f"{name} is written as '{file}': some systems take its name for that of another take")
    return files


def _export_one(store: Corpus, name: str, path: Path, skeleton: Skeleton | None, scale: float | None) -> None:
    from motionloom import formats
    from motionloom.assembly.results.exported_skeleton import take_on_skeleton
    from motionloom.corpus import read_neutral_pose
    from motionloom.motion import Motion

    take = store.take(name)
    if skeleton is not None:
        made = take_on_skeleton(store, name, skeleton, scale)
        make_folder(path.parent)
        neutral = read_neutral_pose(store, skeleton)
        formats.write(path, made.motion, name=name, footing=made.footing, neutral=neutral, curves=take.curves)
        return
    make_folder(path.parent)
    footing, neutral = None, None
    if path.suffix.lower() == ".glb" and isinstance(take.motion, Motion):  # other formats show no body
        footing, neutral = store.footing(name), read_neutral_pose(store, take.motion.skeleton)
    formats.write(path, take.motion, take.source, name=name, footing=footing, neutral=neutral, curves=take.curves)
