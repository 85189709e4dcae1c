"""Commands that create, fill, list and repair a corpus: new, import, info, check, remove, rename."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any

import typer

from motionloom.cli.console import PARTLY, clock, count, echo, echo_json, echo_table, exit_code, note, progress_bar
from motionloom.errors import BadInput, CorpusError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from motionloom.corpus import Corpus, TakeInfo
    from motionloom.formats import Finding

CorpusPath = Annotated[Path, typer.Argument(metavar="CORPUS", help="The folder of the corpus.", readable=False)]
SHOWN = 20  # maximum number of messages of a kind
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.command("new")(new)
    app.command("import")(import_)
    app.command("info")(info)
    app.command("check")(check)
    app.command("remove")(remove)
    app.command("rename")(rename)


def new(corpus: CorpusPath) -> None:
    """Create an empty corpus."""
    from motionloom.corpus import Corpus

    Corpus.create(corpus).close()
    echo(f"made {corpus}; fill it with: motionloom import {quote(str(corpus))} FILE|FOLDER...")


def import_(
    corpus: CorpusPath,
    paths: Annotated[list[str] | None, typer.Argument(metavar="FILE|FOLDER...", help="Recordings to import.")] = None,
    listed: Annotated[
        Path | None,
        typer.Option(
            "--list", metavar="FILE", help="Import the files listed in FILE, one path per line.", readable=False
        ),
    ] = None,
    prefix: Annotated[str, typer.Option(help="Prefix of the names of all takes.")] = "",
    fps: Annotated[
        float | None, typer.Option(help="True frame rate of the recordings, if the files are wrong.")
    ] = None,
    scale: Annotated[str, typer.Option(help="Unit: auto, cmu, or metres per file unit.")] = "auto",
    up: Annotated[str, typer.Option(help="Up axis of the files: auto, x, y or z.")] = "auto",
    rest_frame: Annotated[str, typer.Option(help="First frame in T-pose: auto, drop or keep.")] = "auto",
    skeleton: Annotated[Path | None, typer.Option(help="The .asf of .amc files; default: found beside them.")] = None,
    fill_gaps: Annotated[
        float, typer.Option(metavar="SECONDS", help="Fill gaps of points up to this length; 0: leave all.")
    ] = 0.0,
    beside: Annotated[
        str | None, typer.Option(metavar="TAKE", help="Keep the curves of a Live Link Face file with this take.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Number of processes that read; default: automatic.")
    ] = None,
    as_json: Json = False,
) -> int:
    """Import recordings into a corpus: BVH, ASF/AMC, C3D, TRC, marker CSV, npz. Invalid files are skipped."""
    from motionloom.corpus import Corpus, TakeFinder, import_each
    from motionloom.formats import ReadOptions

    options = ReadOptions(fps, scale, up, rest_frame, skeleton, fill_gaps)
    files, below = _files_to_import([Path(path) for path in paths or []], listed)
    outcomes, stopped = [], False
    with Corpus.open(corpus, write=True) as store, progress_bar("importing", "files") as progress:
        take = None if beside is None else TakeFinder(store.names()).find(beside)
        each = import_each(
            store,
            files,
            options,
            prefix=prefix,
            below=below,
            beside=take,
            workers=workers,
            progress=progress,
            note=note,
        )
        try:
            for outcome in each:
                outcomes.append(outcome)
                if outcome.status == "refused":
                    note(f"refused: {outcome.message}")
        except KeyboardInterrupt:
            stopped = True
        new = [outcome.name for outcome in outcomes if outcome.status == "imported" and not outcome.n_curves]
        imported = [store.info(name) for name in new]
    _print_import(corpus, outcomes, [take for take in imported if take.flags], as_json)
    if stopped:
        raise KeyboardInterrupt
    refused = sum(outcome.status == "refused" for outcome in outcomes)
    return exit_code(done=len(outcomes) - refused, refused=refused)


def _files_to_import(paths: list[Path], listed: Path | None) -> tuple[list[Path], Path | None]:
    """The files and folders to import, and the folder relative to which takes are named."""
    if listed is None:
        if not paths:
            raise BadInput("nothing to import; give files or folders, or a list of them with --list FILE")
        return paths, None
    if len(paths) > 1 or (paths and not paths[0].is_dir()):
        raise BadInput("with --list, give at most one folder: the one that contains the listed files")
    base = paths[0] if paths else listed.parent
    try:
        lines = [line.strip() for line in listed.read_text(encoding="utf-8").splitlines()]
    except UnicodeDecodeError as error:
        raise BadInput(f"{listed}: not a text file; --list expects one path per line") from error
    files = [base / line for line in lines if line and not line.startswith("#")]
    if not files:
        raise BadInput(f"{listed}: lists no files; --list expects one path per line")
    return files, base


def _print_import(corpus: Path, outcomes: list[Any], warned: list[TakeInfo], as_json: bool) -> None:
    curves = [outcome for outcome in outcomes if outcome.status == "imported" and outcome.n_curves]
    by_status = {
        status: [outcome for outcome in outcomes if outcome.status == status and outcome not in curves]
        for status in ("imported", "duplicate", "refused")
    }
    if as_json:
        echo_json(
            {
                "imported": [outcome.name for outcome in by_status["imported"]],
                "duplicates": [{"path": copy.path, "of": copy.duplicate_of} for copy in by_status["duplicate"]],
                "curves": [{"path": each.path, "take": each.name, "curves": each.n_curves} for each in curves],
                "refused": [{"path": refused.path, "reason": refused.message} for refused in by_status["refused"]],
                "warnings": [
                    {"take": take.name, "kind": flag.kind, "message": flag.message}
                    for take in warned
                    for flag in take.flags
                ],
            }
        )
        return
    _note_warnings(warned)
    for duplicate in by_status["duplicate"][:SHOWN]:
        note(f"already there: {duplicate.path} is {duplicate.duplicate_of}")
    if len(by_status["duplicate"]) > SHOWN:
        note(f"already there: {len(by_status['duplicate']) - SHOWN} more files; --json lists them all")
    for each in curves:
        echo(f"{each.name}: {count(each.n_curves, 'curve')} of {each.path} are kept beside it")
    echo(
        f"{corpus}: {count(len(by_status['imported']), 'take')} imported, {len(by_status['duplicate'])} already there, "
        f"{len(by_status['refused'])} refused, {len(warned)} to look at"
    )


def _note_warnings(warned: list[TakeInfo]) -> None:
    """Print the warnings, each once with its takes."""
    about: dict[str, list[str]] = {}
    for take in warned:
        for finding in take.flags:
            about.setdefault(finding.message, []).append(take.name)
    for message, names in list(about.items())[:SHOWN]:
        more = f" and {len(names) - 3} more" if len(names) > 3 else ""
        note(f"look at {', '.join(names[:3])}{more}: {message}")
    if len(about) > SHOWN:
        note(f"look at more: {len(about) - SHOWN} other warnings; `motionloom info` shows them with their takes")


def info(
    corpus: CorpusPath,
    take: Annotated[
        str | None, typer.Argument(metavar="[TAKE]", help="A take, to list everything known about it.")
    ] = None,
    removed: Annotated[bool, typer.Option("--removed", help="List removed takes that can be restored.")] = False,
    as_json: Json = False,
) -> None:
    """List the contents of a corpus, or what is known about a take."""
    from motionloom.corpus import Corpus

    with Corpus.open(corpus) as store:
        if take is not None:
            _print_take(store, take, as_json)
        elif as_json:
            echo_json(_corpus_as_json(store, removed))
        else:
            _print_corpus(store, removed)


_KEPT = "kept result"  # a motion that was put together, which totals do not count


def _corpus_as_json(store: Corpus, removed: bool) -> dict[str, Any]:
    from motionloom.corpus import find_doubts
    from motionloom.corpus.material import recordings

    infos = store.infos(removed=removed)
    recorded = recordings(infos)
    doubts = {} if removed else find_doubts(store)
    return {
        "corpus": str(store.folder),
        "takes": [_take_as_json(take, _findings(take, doubts)) for take in infos],
        "seconds": sum(take.duration for take in recorded),
        "frames": sum(take.n_frames for take in recorded),
        "kept_results": len(infos) - len(recorded),
        "skeletons": len({take.skeleton for take in infos if take.skeleton}),
        "labels": store.label_names(),
    }


def _take_as_json(take: TakeInfo, findings: list[Finding]) -> dict[str, Any]:
    return {
        "name": take.name,
        "kind": take.kind,
        "frames": take.n_frames,
        "fps": take.fps,
        "seconds": take.duration,
        "skeleton": take.skeleton,
        "hierarchy": take.hierarchy,
        "floor_height": take.floor_height,
        "has_ground": take.ground is not None,
        "has_curves": take.curves is not None,
        "source": {
            "path": take.source.path,
            "format": take.source.format,
            "metres_per_unit": take.source.metres_per_unit,
        },
        "findings": [{"kind": f.kind, "message": f.message, "warning": f.is_warning} for f in findings],
    }


def _findings(take: TakeInfo, doubts: Mapping[str, tuple[Finding, ...]]) -> list[Finding]:
    """What was found about a take when it was read, and what comparing it with the takes that are there now adds."""
    kinds = {flag.kind for flag in take.flags}
    return [*take.findings, *(doubt for doubt in doubts.get(take.name, ()) if doubt.kind not in kinds)]


def _print_corpus(store: Corpus, removed: bool) -> None:
    from motionloom.corpus import find_doubts
    from motionloom.corpus.material import recordings

    infos = store.infos(removed=removed)
    recorded = recordings(infos)
    made = len(infos) - len(recorded)
    doubts = {} if removed else find_doubts(store)
    rows = [
        [
            take.name if len(take.name) <= 60 else f"{take.name[:28]} ... {take.name[-27:]}",
            take.kind,
            str(take.n_frames),
            f"{take.fps:g}",
            f"{take.duration:.1f}",
            (take.skeleton or "")[:8],
            f"{take.floor_height * 100:+.1f}",
            "; ".join(finding.message for finding in _findings(take, doubts) if finding.is_warning)[:80],
        ]
        for take in infos
    ]
    if rows:
        echo_table(["take", "kind", "frames", "fps", "seconds", "skeleton", "floor cm", "look at"], rows, {2, 3, 4, 6})
        echo()
    skeletons = len({take.skeleton for take in infos if take.skeleton})
    labels = store.label_names()
    echo(
        f"{store.folder}: {count(len(recorded), 'take')}{f' and {count(made, _KEPT)}' if made else ''}"
        f"{' removed' if removed else ''}, {clock(sum(take.duration for take in recorded))}, "
        f"{count(skeletons, 'skeleton')}, {count(len(labels), 'label')}" + (f" ({', '.join(labels)})" if labels else "")
    )
    if not infos and not removed:
        echo(f"it is empty; fill it with: motionloom import {quote(str(store.folder))} FILE|FOLDER...")


def _print_take(store: Corpus, name: str, as_json: bool) -> None:
    from motionloom.cli.commands.curves import curves_as_json, describe_curves
    from motionloom.corpus import TakeFinder, find_doubts

    take = store.info(TakeFinder(store.names()).find(name))
    findings = _findings(take, find_doubts(store))
    labels, kept = store.labels(take.name), store.curves(take.name)
    if as_json:
        shown = [
            {"label": label.label, "start": label.start, "stop": label.stop, "source": label.source} for label in labels
        ]
        about = {"curves": None if kept is None else curves_as_json(kept)}
        echo_json({**_take_as_json(take, findings), **about, "labels": shown})
        return
    echo(f"{take.name}: {take.kind}, {take.n_frames} frames at {take.fps:g} per second ({clock(take.duration)})")
    source = take.source
    echo(f"from {source.path} ({source.format}, 1 unit = {source.metres_per_unit:g} m, {source.up} up)")
    origin = "given" if take.floor_given else "estimated"
    ground = "; a ground is given" if take.ground is not None else ""
    echo(f"floor at {take.floor_height * 100:+.1f} cm ({origin}){ground}; skeleton {take.skeleton or 'none'}")
    if kept is not None:
        echo(f"beside it: {describe_curves(kept)}")
    for finding in findings:
        echo(f"{'look at' if finding.is_warning else 'found'}: {finding.message}")
    if labels:
        echo()
        rows = [[label.label, str(label.start), str(label.stop), label.source] for label in labels]
        echo_table(["label", "start", "stop", "source"], rows, {1, 2})


def check(
    corpus: CorpusPath,
    repair: Annotated[
        bool, typer.Option("--repair", help="Repair what can be repaired; valid data is never deleted.")
    ] = False,
    as_json: Json = False,
) -> int:
    """Verify every array and row of a corpus; --repair repairs it."""
    from motionloom.corpus import check as check_corpus

    with progress_bar("checking") as progress:
        report = check_corpus(corpus, repair=repair, progress=progress)
    if as_json:
        echo_json(report.as_json())
    else:
        for problem in report.problems:
            echo(str(problem))
        echo(f"{corpus}: {report.summary}")
    return PARTLY if report.left else 0


def remove(
    corpus: CorpusPath,
    takes: Annotated[
        list[str] | None, typer.Argument(metavar="TAKE...", help="Takes, or patterns such as 'walk/*'.")
    ] = None,
    undo: Annotated[bool, typer.Option("--undo", help="Restore removed takes.")] = False,
    purge: Annotated[
        bool, typer.Option("--purge", help="Delete removed takes permanently, to free disk space.")
    ] = False,
) -> None:
    """Remove takes; --undo restores them with their labels."""
    from motionloom.corpus import Corpus

    with Corpus.open(corpus, write=True) as store:
        if purge:
            if takes or undo:
                raise BadInput("--purge deletes everything that was removed; it takes no names")
            deleted = store.purge()
            kept = sum(take.is_damaged for take in store.infos(removed=True))
            damaged = f"; {count(kept, 'damaged take')} kept until imported again" if kept else ""
            echo(f"{corpus}: {count(len(deleted), 'removed take')} deleted permanently{damaged}")
            return
        known = [take.name for take in store.infos(removed=True)] if undo else store.names()
        names = expand(known, takes or [], "removed take" if undo else "take")
        (store.restore if undo else store.remove)(names)
    if undo:
        echo(f"{corpus}: {count(len(names), 'take')} restored")
    else:
        undo_it = f"motionloom remove {quote(str(corpus))} TAKE... --undo"
        echo(f"{corpus}: {count(len(names), 'take')} removed; {undo_it} restores them")


def rename(
    corpus: CorpusPath,
    take: Annotated[str, typer.Argument(metavar="TAKE", help="Name of the take.")],
    to: Annotated[str, typer.Argument(metavar="NEW", help="New name.")],
) -> None:
    """Rename a take."""
    from motionloom.corpus import Corpus, TakeFinder

    with Corpus.open(corpus, write=True) as store:
        old = TakeFinder(store.names()).find(take)
        store.rename(old, to)
    echo(f"{corpus}: {old} is now {to}")


def expand(known: list[str], wanted: list[str], what: str = "take") -> list[str]:
    """The takes that match names, unique suffixes of names, or patterns such as 'walk/*'; each once."""
    from motionloom.corpus.take_names import choose_takes

    return choose_takes(known, wanted, what)


def check_range(take: str, start: int, stop: int, n_frames: int) -> None:
    """Raise `BadInput` unless [start, stop) is a range of frames of a take, and not empty."""
    if not 0 <= start < n_frames:
        raise BadInput(f"{take}: frame {start} is out of range: the take has {n_frames} frames")
    if stop > n_frames:
        raise BadInput(f"{take}: frames [{start}, {stop}) are out of range: the take has {n_frames} frames")
    if stop <= start:
        raise BadInput(f"{take}: frames [{start}, {stop}) are an empty range; the end is the frame after the last")


def open_to_keep(corpus: Path) -> Corpus:
    """Open a corpus for writing, so that results are cached; read-only if another process is writing."""
    from motionloom.corpus import Corpus

    try:
        return Corpus.open(corpus, write=True)
    except CorpusError as error:
        store = Corpus.open(corpus)
        note(f"results are not cached: {error}")
        return store
