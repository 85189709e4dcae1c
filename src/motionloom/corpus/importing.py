"""Importing files: parsed on all cores, added one by one, each atomically."""

import contextlib
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from motionloom import formats, tasks
from motionloom.corpus.consistency import compare_imported
from motionloom.corpus.corpus import Corpus
from motionloom.corpus.store.packed_take import PackedTake, pack
from motionloom.errors import BadInput, FormatError, MotionloomError
from motionloom.features.flips import describe_flips, find_flips
from motionloom.formats import Finding, ReadOptions, Take
from motionloom.motion import Motion

# Total size in bytes below which worker processes cost more start-up time than they save.
WORTH_WORKERS = 250_000_000
IMPORTED, DUPLICATE, REFUSED = "imported", "duplicate", "refused"


@dataclass(frozen=True)
class Imported:
    """The outcome of importing one file."""

    path: str
    name: str  # of the take
    status: str  # imported, duplicate or refused
    duplicate_of: str | None = None  # the take with the same content
    message: str = ""  # why it was refused
    n_curves: int = 0  # of a file of curves, which are kept beside the take of that name


@dataclass(frozen=True)
class ImportReport:
    """The outcomes of an import, by kind."""

    imported: tuple[str, ...]  # names of new takes
    duplicates: tuple[tuple[str, str], ...]  # path, and the take that has the same content
    refused: tuple[tuple[str, str], ...]  # path, and why
    notes: tuple[str, ...] = ()  # what went wrong after the files were imported
    curves: tuple[tuple[str, str], ...] = ()  # path, and the take that its curves are kept beside now


@dataclass(frozen=True)
class _Job:
    path: Path
    name: str
    options: ReadOptions
    shown: str  # path of the file in messages and as the source of its take
    problem: str = ""  # found before reading
    holds_curves: bool = False  # that were recorded beside a take


def import_files(
    corpus: Corpus,
    paths: Iterable[str | Path],
    options: ReadOptions | None = None,
    *,
    prefix: str = "",
    below: str | Path | None = None,
    beside: str | None = None,
    workers: int | None = None,
    progress: tasks.Progress | None = None,
) -> ImportReport:
    """Import files and folders; a bad file is reported and the others are imported.

    A take is named by its path relative to the imported folder, without extension; a file given alone by its stem.
    Curves, such as those of Live Link Face, are kept beside the take that their file is named after.

    Args:
        corpus: open for writing.
        paths: files and folders; folders are searched recursively for all readable extensions.
        options: how to read.
        prefix: of every name; separated by a slash if it ends in a letter or digit.
        below: a folder; files given alone that lie below it are named by their path relative to it.
        beside: the take that a file of curves, given alone, is kept beside; None for that of its name.
        workers: processes that parse; None for one per core, or only this process for small imports.
        progress: called as progress(files_done, files_total).
    """
    notes: list[str] = []
    each = import_each(
        corpus,
        paths,
        options,
        prefix=prefix,
        below=below,
        beside=beside,
        workers=workers,
        progress=progress,
        note=notes.append,
    )
    outcomes = list(each)
    return ImportReport(
        imported=tuple(file.name for file in outcomes if file.status == IMPORTED and not file.n_curves),
        duplicates=tuple((file.path, file.duplicate_of or "") for file in outcomes if file.status == DUPLICATE),
        refused=tuple((file.path, file.message) for file in outcomes if file.status == REFUSED),
        notes=tuple(notes),
        curves=tuple((file.path, file.name) for file in outcomes if file.status == IMPORTED and file.n_curves),
    )


def import_each(
    corpus: Corpus,
    paths: Iterable[str | Path],
    options: ReadOptions | None = None,
    *,
    prefix: str = "",
    below: str | Path | None = None,
    hidden: str | Path | None = None,
    beside: str | None = None,
    workers: int | None = None,
    progress: tasks.Progress | None = None,
    note: Callable[[str], object] | None = None,
) -> Iterator[Imported]:
    """Import files one by one and yield the outcome of each when it is durable: it survives a crash.

    After the last one the new takes are compared with the others of their skeleton and folder; see `consistency`.

    Arguments as in `import_files`; `hidden` is a folder that is not shown, such as one of uploaded files: files below
    it are shown by their path relative to it, in messages and as sources of their takes. `note` is called with a
    sentence if the new takes could not be compared.
    """
    corpus.require_writing()
    jobs = [job for path in paths for job in _find_jobs(Path(path), options or ReadOptions(), prefix, below)]
    if hidden is not None:
        jobs = [replace(job, shown=_below(job.path, Path(hidden))) for job in jobs]
    jobs, curves = [job for job in jobs if not job.holds_curves], [job for job in jobs if job.holds_curves]
    if beside is not None:
        curves = [replace(_only_curves(jobs, curves), name=corpus.info(beside).name)]
    if workers is None and _total_bytes(jobs) < WORTH_WORKERS:
        workers = 1
    imported = []
    for outcome in tasks.try_all(_read, jobs, workers=workers, progress=progress, prepare=_prepare):
        job, packed = outcome.item, outcome.result
        try:
            if outcome.error is not None:
                raise outcome.error
            assert packed is not None
            added = corpus.add_packed(packed)
        except MotionloomError as error:
            yield Imported(job.shown, job.name, REFUSED, message=_with_path(job, str(error)))
        except Exception as error:  # an unexpected error of a reader must not stop the import of the other files
            message = f"{job.shown}: cannot be read ({type(error).__name__}: {error})"
            yield Imported(job.shown, job.name, REFUSED, message=message.replace(str(job.path), job.shown))
        else:
            imported += [job.name] if added.status == IMPORTED else []
            yield Imported(job.shown, job.name, added.status, added.duplicate_of)
    yield from (_keep_curves(corpus, job) for job in curves)
    problem = compare_imported(corpus, imported)
    if problem and note is not None:
        note(problem)


def _only_curves(others: list[_Job], curves: list[_Job]) -> _Job:
    """The job of the one file of curves, if nothing else is to be imported."""
    if others and others[0].problem:
        raise FormatError(others[0].shown, others[0].problem)
    if others or len(curves) != 1:
        files = f"{len(curves)} such and {len(others)} other files"
        raise BadInput(f"one file of Live Link Face is kept beside a take, and {files} are given; give one alone")
    return curves[0]


def _keep_curves(corpus: Corpus, job: _Job) -> Imported:
    """Keep the curves of a file beside the take of its name, unless that has others."""
    try:
        curves = formats.read_curves(job.path)
        if job.name not in corpus.names():
            raise FormatError(
                job.path,
                f"these are {len(curves.names)} curves of Live Link Face, which are kept beside a take, and there is "
                f"no take '{job.name}'. Import it first, or give one with --beside TAKE.",
            )
        known = corpus.curves(job.name)
        if known is not None and not known.is_same(curves):
            raise FormatError(job.path, f"'{job.name}' has other curves already. Forget those first.")
        if known is None:
            corpus.set_curves(job.name, curves)
    except MotionloomError as error:
        return Imported(job.shown, job.name, REFUSED, message=_with_path(job, str(error)))
    if known is not None:
        return Imported(job.shown, job.name, DUPLICATE, job.name, n_curves=len(curves.names))
    return Imported(job.shown, job.name, IMPORTED, n_curves=len(curves.names))


def _find_jobs(path: Path, options: ReadOptions, prefix: str, below: str | Path | None) -> list[_Job]:
    try:
        is_folder = stat.S_ISDIR(os.stat(path).st_mode)
    except FileNotFoundError:
        return [_Job(path, path.name, options, str(path), "no such file or folder")]
    except OSError as error:
        return [_Job(path, path.name, options, str(path), _cannot_be_read(error))]
    if is_folder:
        return _find_jobs_below(path, options, prefix)
    inside = below is not None and path.is_relative_to(below)
    name = path.relative_to(below) if below is not None and inside else Path(path.name)
    return [_Job(path, _name(prefix, name), options, str(path), holds_curves=_holds_curves(path))]


def _find_jobs_below(folder: Path, options: ReadOptions, prefix: str) -> list[_Job]:
    """Every recording in a folder, and the folders in it that cannot be read."""
    closed: list[OSError] = []
    files = _find_recordings(folder, closed)
    jobs = [
        _Job(file, _name(prefix, file.relative_to(folder)), options, str(file), holds_curves=_holds_curves(file))
        for file in sorted(files)
    ]
    jobs += [
        _Job(Path(error.filename), folder.name, options, error.filename, _cannot_be_read(error)) for error in closed
    ]
    missing = f"no recordings in this folder; readable extensions are {_extensions()}"
    return jobs or [_Job(folder, folder.name, options, str(folder), missing)]


def _find_recordings(folder: Path, closed: list[OSError]) -> list[Path]:
    """Every recording in a folder; folders that cannot be read are added to `closed`.

    Linked folders are followed, but no folder is read twice, so that links in a ring end: folders that are there
    themselves come before links to them.
    """
    files, seen, waiting = list[Path](), set[tuple[int, int]](), [str(folder)]
    while waiting:
        for place, folders, names in os.walk(waiting.pop(0), onerror=closed.append, followlinks=False):
            status = os.stat(place)
            if (status.st_dev, status.st_ino) in seen:
                folders.clear()
                continue
            seen.add((status.st_dev, status.st_ino))
            shown = sorted(name for name in folders if not name.startswith("."))
            waiting += [os.path.join(place, name) for name in shown if os.path.islink(os.path.join(place, name))]
            folders[:] = [name for name in shown if not os.path.islink(os.path.join(place, name))]
            files += [Path(place) / name for name in names if _is_recording(Path(place) / name)]
    return files


def _is_recording(path: Path) -> bool:
    if path.suffix.lower() not in formats.READABLE or path.name.startswith("."):
        return False
    try:
        return stat.S_ISREG(os.stat(path).st_mode) and formats.looks_readable(path)
    except OSError:
        return True  # the reader reports the error


def _holds_curves(path: Path) -> bool:
    try:
        return formats.holds_curves(path)
    except OSError:
        return False  # the reader reports the error


def _cannot_be_read(error: OSError) -> str:
    return f"cannot be read ({error.strerror or error})"


def _name(prefix: str, path: Path) -> str:
    between = "/" if prefix and prefix[-1].isalnum() else ""
    return f"{prefix}{between}{path.with_suffix('').as_posix()}"


def _read(job: _Job) -> PackedTake:
    """Parse one file; runs in a worker process."""
    if job.problem:
        raise FormatError(job.path, job.problem)
    try:
        take = formats.read(job.path, job.options)
    except OSError as error:
        raise FormatError(job.path, _cannot_be_read(error)) from error
    source = replace(take.source, path=job.shown) if job.shown != str(job.path) else take.source
    return pack(replace(take, name=job.name, source=source, findings=take.findings + _find_flips(take)))


def _find_flips(take: Take) -> tuple[Finding, ...]:
    """A finding if joints turn over in one frame."""
    if not isinstance(take.motion, Motion):
        return ()
    flips = find_flips(take.motion)
    if not flips:
        return ()
    short = sum(flip.is_short for flip in flips)
    mend = f"; `motionloom clean --spikes` mends {short} of {len(flips)}, which are short" if short else ""
    return (Finding("flip", describe_flips(take.motion, flips) + mend, True),)


def _total_bytes(jobs: list[_Job]) -> int:
    total = 0
    for job in jobs:
        with contextlib.suppress(OSError):  # the reader reports the error
            total += os.stat(job.path).st_size
    return total


def _prepare() -> None:
    """Load the compiled readers and kinematics in a worker, by reading a file of two frames."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "smallest.bvh"
        path.write_text(_SMALLEST)
        with contextlib.suppress(MotionloomError):
            _read(_Job(path, "smallest", ReadOptions(), str(path)))


_SMALLEST = """HIERARCHY
ROOT Hips
{
OFFSET 0 0 0
CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
JOINT LeftUpLeg
{
OFFSET 0 -1 0
CHANNELS 3 Zrotation Yrotation Xrotation
End Site
{
OFFSET 0 -1 0
}
}
}
MOTION
Frames: 2
Frame Time: 0.0166667
0 1 0 0 0 0 0 0 0
0 1 0 0 0 0 0 0 1
"""


def _with_path(job: _Job, message: str) -> str:
    shown = message.replace(str(job.path), job.shown)
    return shown if job.shown in shown else f"{job.shown}: {shown}"


def _below(path: Path, folder: Path) -> str:
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else str(path)


def _extensions() -> str:
    return ", ".join(sorted(formats.READABLE))
