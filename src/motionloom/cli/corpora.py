"""Commands that make, fill, look into and mend a corpus: new, import, info, check, remove, rename."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any

import typer

from motionloom.cli.console import PARTLY, clock, count, exit_code, note, progress_bar, say, say_json, say_table
from motionloom.errors import BadInput, CorpusError

if TYPE_CHECKING:
    from motionloom.corpus import Corpus, TakeInfo

CorpusPath = Annotated[Path, typer.Argument(metavar="CORPUS", help="The folder of the corpus.", readable=False)]
SHOWN = 20  # sentences of a kind that are told one by one
Json = Annotated[bool, typer.Option("--json", help="For programs.")]


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.command("new")(new)
    app.command("import")(import_)
    app.command("info")(info)
    app.command("check")(check)
    app.command("remove")(remove)
    app.command("rename")(rename)


def new(corpus: CorpusPath) -> None:
    """Make an empty corpus."""
    from motionloom.corpus import Corpus

    Corpus.create(corpus).close()
    say(f"made {corpus}; fill it with: motionloom import {quote(str(corpus))} FILE|FOLDER...")


def import_(
    corpus: CorpusPath,
    paths: Annotated[list[str] | None, typer.Argument(metavar="FILE|FOLDER...", help="Recordings to import.")] = None,
    listed: Annotated[
        Path | None,
        typer.Option("--list", metavar="FILE", help="Import the files named in FILE, one path a line.", readable=False),
    ] = None,
    prefix: Annotated[str, typer.Option(help="Put this in front of every take's name.")] = "",
    fps: Annotated[float | None, typer.Option(help="The true rate of the recordings, where the files lie.")] = None,
    scale: Annotated[str, typer.Option(help="auto, cmu, or metres per file unit.")] = "auto",
    up: Annotated[str, typer.Option(help="The axis that points up in the files: auto, y or z.")] = "auto",
    rest_frame: Annotated[str, typer.Option(help="A first frame in T-pose: auto, drop or keep.")] = "auto",
    skeleton: Annotated[Path | None, typer.Option(help="The .asf of .amc files; else looked for beside them.")] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes that read; by default as many as pay.")] = None,
    as_json: Json = False,
) -> int:
    """Read recordings into a corpus: BVH, ASF/AMC, npz. Bad files are named and the others go on."""
    from motionloom.corpus import Corpus, import_each
    from motionloom.formats import ReadOptions

    options = ReadOptions(fps=fps, scale=scale, up=up, rest_frame=rest_frame, skeleton=skeleton)
    files, below = _files_to_import([Path(path) for path in paths or []], listed)
    outcomes, stopped = [], False
    with Corpus.open(corpus, write=True) as store, progress_bar("importing") as progress:
        try:
            for outcome in import_each(
                store, files, options, prefix=prefix, below=below, workers=workers, progress=progress
            ):
                outcomes.append(outcome)
                if outcome.status == "refused":
                    note(f"refused: {outcome.message}")
        except KeyboardInterrupt:
            stopped = True
        warned = [store.info(one.name) for one in outcomes if one.status == "imported"]
    _say_import(corpus, outcomes, [one for one in warned if one.flags], as_json)
    if stopped:
        raise KeyboardInterrupt
    refused = sum(one.status == "refused" for one in outcomes)
    return exit_code(done=len(outcomes) - refused, refused=refused)


def _files_to_import(paths: list[Path], listed: Path | None) -> tuple[list[Path], Path | None]:
    """The files and folders to import, and the folder whose files are named by their path below it."""
    if listed is None:
        if not paths:
            raise BadInput("nothing to import; name files or folders, or a list of them with --list FILE")
        return paths, None
    if len(paths) > 1 or (paths and not paths[0].is_dir()):
        raise BadInput("with --list name at most one folder, in which the listed files are")
    base = paths[0] if paths else listed.parent
    try:
        lines = [line.strip() for line in listed.read_text(encoding="utf-8").splitlines()]
    except UnicodeDecodeError as error:
        raise BadInput(f"{listed}: not a text file; --list wants one path a line") from error
    files = [base / line for line in lines if line and not line.startswith("#")]
    if not files:
        raise BadInput(f"{listed}: names no files; --list wants one path a line")
    return files, base


def _say_import(corpus: Path, outcomes: list[Any], warned: list[TakeInfo], as_json: bool) -> None:
    by_status = {s: [one for one in outcomes if one.status == s] for s in ("imported", "duplicate", "refused")}
    if as_json:
        say_json(
            {
                "imported": [one.name for one in by_status["imported"]],
                "duplicates": [{"path": one.path, "of": one.duplicate_of} for one in by_status["duplicate"]],
                "refused": [{"path": one.path, "reason": one.message} for one in by_status["refused"]],
                "warnings": [
                    {"take": one.name, "kind": f.kind, "message": f.message} for one in warned for f in one.flags
                ],
            }
        )
        return
    _note_warnings(warned)
    for one in by_status["duplicate"][:SHOWN]:
        note(f"already there: {one.path} is {one.duplicate_of}")
    if len(by_status["duplicate"]) > SHOWN:
        note(f"already there: {len(by_status['duplicate']) - SHOWN} more files; --json lists them all")
    say(
        f"{corpus}: {count(len(by_status['imported']), 'take')} imported, {len(by_status['duplicate'])} already there, "
        f"{len(by_status['refused'])} refused, {len(warned)} to look at"
    )


def _note_warnings(warned: list[TakeInfo]) -> None:
    """Say what to look at, each sentence once with the takes it is about."""
    about: dict[str, list[str]] = {}
    for one in warned:
        for finding in one.flags:
            about.setdefault(finding.message, []).append(one.name)
    for message, names in list(about.items())[:SHOWN]:
        more = f" and {len(names) - 3} more" if len(names) > 3 else ""
        note(f"look at {', '.join(names[:3])}{more}: {message}")
    if len(about) > SHOWN:
        note(f"look at more: {len(about) - SHOWN} other warnings; `motionloom info` shows them with their takes")


def info(
    corpus: CorpusPath,
    take: Annotated[str | None, typer.Argument(metavar="[TAKE]", help="One take, with all that was found out.")] = None,
    removed: Annotated[bool, typer.Option("--removed", help="List what was removed and can be brought back.")] = False,
    as_json: Json = False,
) -> None:
    """Say what a corpus holds, or what is known about one take."""
    from motionloom.corpus import Corpus

    with Corpus.open(corpus) as store:
        if take is not None:
            _say_take(store, take, as_json)
        elif as_json:
            say_json(_corpus_as_json(store, removed))
        else:
            _say_corpus(store, removed)


def _corpus_as_json(store: Corpus, removed: bool) -> dict[str, Any]:
    infos = store.infos(removed=removed)
    return {
        "corpus": str(store.folder),
        "takes": [_take_as_json(one) for one in infos],
        "seconds": sum(one.duration for one in infos),
        "frames": sum(one.n_frames for one in infos),
        "skeletons": len({one.skeleton for one in infos if one.skeleton}),
        "labels": store.label_names(),
    }


def _take_as_json(one: TakeInfo) -> dict[str, Any]:
    return {
        "name": one.name,
        "kind": one.kind,
        "frames": one.n_frames,
        "fps": one.fps,
        "seconds": one.duration,
        "skeleton": one.skeleton,
        "hierarchy": one.hierarchy,
        "floor_height": one.floor_height,
        "source": {"path": one.source.path, "format": one.source.format, "metres_per_unit": one.source.metres_per_unit},
        "findings": [{"kind": f.kind, "message": f.message, "warning": f.is_warning} for f in one.findings],
    }


def _say_corpus(store: Corpus, removed: bool) -> None:
    infos = store.infos(removed=removed)
    rows = [
        [
            one.name if len(one.name) <= 60 else f"{one.name[:28]} ... {one.name[-27:]}",
            one.kind,
            str(one.n_frames),
            f"{one.fps:g}",
            f"{one.duration:.1f}",
            (one.skeleton or "")[:8],
            f"{one.floor_height * 100:+.1f}",
            "; ".join(finding.message for finding in one.flags)[:80],
        ]
        for one in infos
    ]
    if rows:
        say_table(["take", "kind", "frames", "fps", "seconds", "skeleton", "floor cm", "look at"], rows, {2, 3, 4, 6})
        say()
    skeletons = len({one.skeleton for one in infos if one.skeleton})
    labels = store.label_names()
    say(
        f"{store.folder}: {count(len(infos), 'take')}{' removed' if removed else ''}, "
        f"{clock(sum(one.duration for one in infos))}, {count(skeletons, 'skeleton')}, {count(len(labels), 'label')}"
        + (f" ({', '.join(labels)})" if labels else "")
    )
    if not infos and not removed:
        say(f"it is empty; fill it with: motionloom import {quote(str(store.folder))} FILE|FOLDER...")


def _say_take(store: Corpus, name: str, as_json: bool) -> None:
    from motionloom.corpus import TakeFinder

    one = store.info(TakeFinder(store.names()).find(name))
    labels = store.labels(one.name)
    if as_json:
        shown = [{"label": x.label, "start": x.start, "stop": x.stop, "source": x.source} for x in labels]
        say_json({**_take_as_json(one), "labels": shown})
        return
    say(f"{one.name}: {one.kind}, {one.n_frames} frames at {one.fps:g} per second ({clock(one.duration)})")
    say(f"from {one.source.path} ({one.source.format}, 1 unit = {one.source.metres_per_unit:g} m, {one.source.up} up)")
    by_whom = "given" if one.floor_given else "estimated"
    say(f"floor at {one.floor_height * 100:+.1f} cm ({by_whom}); skeleton {one.skeleton or 'none'}")
    for finding in one.findings:
        say(f"{'look at' if finding.is_warning else 'found'}: {finding.message}")
    if labels:
        say()
        rows = [[x.label, str(x.start), str(x.stop), x.source] for x in labels]
        say_table(["label", "start", "stop", "source"], rows, {1, 2})


def check(
    corpus: CorpusPath,
    repair: Annotated[bool, typer.Option("--repair", help="Mend what can be mended; nothing good is deleted.")] = False,
    as_json: Json = False,
) -> int:
    """Verify every array and row of a corpus, and repair it if asked."""
    from motionloom.corpus import check as check_corpus

    with progress_bar("checking") as progress:
        report = check_corpus(corpus, repair=repair, progress=progress)
    if as_json:
        say_json(report.as_json())
    else:
        for problem in report.problems:
            say(str(problem))
        say(f"{corpus}: {report.summary}")
    return PARTLY if report.left else 0


def remove(
    corpus: CorpusPath,
    takes: Annotated[list[str] | None, typer.Argument(metavar="TAKE...", help="Takes; 'walk/*' names many.")] = None,
    undo: Annotated[bool, typer.Option("--undo", help="Bring removed takes back.")] = False,
    purge: Annotated[bool, typer.Option("--purge", help="Delete what was removed for good, to free the disk.")] = False,
) -> None:
    """Remove takes; --undo brings them back, with their labels."""
    from motionloom.corpus import Corpus

    with Corpus.open(corpus, write=True) as store:
        if purge:
            if takes or undo:
                raise BadInput("--purge deletes everything that was removed; it takes no names")
            gone = store.purge()
            kept = sum(one.is_damaged for one in store.infos(removed=True))
            damaged = f"; {count(kept, 'damaged take')} kept until imported again" if kept else ""
            say(f"{corpus}: {count(len(gone), 'removed take')} deleted for good{damaged}")
            return
        known = [one.name for one in store.infos(removed=True)] if undo else store.names()
        names = expand(known, takes or [], "removed take" if undo else "take")
        (store.restore if undo else store.remove)(names)
    if undo:
        say(f"{corpus}: {count(len(names), 'take')} brought back")
    else:
        undo_it = f"motionloom remove {quote(str(corpus))} TAKE... --undo"
        say(f"{corpus}: {count(len(names), 'take')} removed; {undo_it} brings them back")


def rename(
    corpus: CorpusPath,
    take: Annotated[str, typer.Argument(metavar="TAKE", help="The take's name.")],
    to: Annotated[str, typer.Argument(metavar="NEW", help="Its new name.")],
) -> None:
    """Give a take another name."""
    from motionloom.corpus import Corpus, TakeFinder

    with Corpus.open(corpus, write=True) as store:
        old = TakeFinder(store.names()).find(take)
        store.rename(old, to)
    say(f"{corpus}: {old} is now {to}")


def expand(known: list[str], wanted: list[str], what: str = "take") -> list[str]:
    """The takes that names, unique ends of names and patterns such as 'walk/*' mean, each once."""
    from motionloom.corpus.choosing import choose_takes

    return choose_takes(known, wanted, what)


def open_to_keep(corpus: Path) -> Corpus:
    """For writing where that is possible, so that what takes long is kept; a corpus in use is read all the same."""
    from motionloom.corpus import Corpus

    try:
        return Corpus.open(corpus, write=True)
    except CorpusError as error:
        store = Corpus.open(corpus)
        note(f"what is prepared now is not kept: {error}")
        return store
