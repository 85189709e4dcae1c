"""`motionloom retarget`: recordings onto another skeleton."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from motionloom.cli.commands.learnt_prior import open_prior
from motionloom.cli.console import DONE, PARTLY, count, echo, echo_json, note, progress_bar
from motionloom.cli.outputs import check_targets, make_folder
from motionloom.errors import BadInput

if TYPE_CHECKING:
    import numpy as np

    from motionloom.formats import ReadOptions, Take
    from motionloom.motion import Footing, Motion
    from motionloom.retarget import Retargeted, RetargetSettings

PLACES = ("body", "floor", "world")


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.command("retarget")(retarget)


def retarget(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Recordings: BVH, AMC, npz.", readable=False)],
    to: Annotated[Path, typer.Option("--to", metavar="SKELETON", help="A file with the skeleton: BVH, ASF, AMC, npz.")],
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="OUT", help="FILE.bvh, .glb, .npz; for many 'folder/{take}.bvh'.")
    ],
    hands: Annotated[str, typer.Option(help="What hands keep their place to: body, floor or world.")] = "body",
    keep_heights: Annotated[
        bool, typer.Option("--keep-heights", help="Steps and stools keep their height; default: scaled as the body.")
    ] = False,
    plant: Annotated[bool, typer.Option("--plant/--no-plant", help="Plant the feet that rest.")] = True,
    prior: Annotated[
        Path | None, typer.Option(metavar="CORPUS", help="Feet at their scaled places, likely by this corpus.")
    ] = None,
    prior_takes: Annotated[
        list[str] | None,
        typer.Option(metavar="PATTERN", help="Takes of it to learn from, such as 'walk/*'; can be repeated."),
    ] = None,
    picture: Annotated[str | None, typer.Option(metavar="PNG", help="Draw both bodies above each other.")] = None,
    report: Annotated[
        Path | None, typer.Option(metavar="JSON", help="Write the report as JSON.", readable=False)
    ] = None,
    fps: Annotated[
        float | None, typer.Option(help="True frame rate of the recordings, if the files are wrong.")
    ] = None,
    scale: Annotated[str, typer.Option(help="Unit of the recordings: auto, cmu, or metres per file unit.")] = "auto",
    up: Annotated[str, typer.Option(help="Up axis of the recordings: auto, y or z.")] = "auto",
    rest_frame: Annotated[str, typer.Option(help="First frame in T-pose: auto, drop or keep.")] = "auto",
    skeleton: Annotated[Path | None, typer.Option(help="The .asf of an .amc; default: found beside it.")] = None,
    to_scale: Annotated[
        str, typer.Option(help="Unit of the file with the skeleton: auto, cmu, or metres per file unit.")
    ] = "auto",
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> int:
    """Retarget recordings to another skeleton: bones point and feet stand where they did, in the new size."""
    from motionloom import formats
    from motionloom.retarget import RetargetSettings, common_scale

    if hands not in PLACES:
        raise BadInput(f"no place '{hands}' for hands; they keep their place to {', '.join(PLACES)}")
    if prior is None and prior_takes:
        raise BadInput("--prior-takes are of a corpus; give it as --prior")
    if prior is not None and not plant:
        raise BadInput("--prior brings feet to their places, --no-plant leaves them; give one of them")
    jobs = _name_outputs(files, to, out, picture, report)
    options = formats.ReadOptions(fps=fps, scale=scale, up=up, rest_frame=rest_frame, skeleton=skeleton)
    target = formats.read_skeleton(to, formats.ReadOptions(scale=to_scale))
    for finding in target.findings:
        if finding.is_warning and to not in files:
            note(f"look at {to}: {finding.message.replace('--scale', '--to-scale')}")
    takes = _read(files, options, target)
    shared = common_scale([motion.skeleton for _, motion in takes], _body(target).skeleton) if len(takes) > 1 else None
    settings = RetargetSettings(hands=hands, keep_heights=keep_heights, plant=plant)  # type: ignore[arg-type]
    written: list[dict[str, Any]] = []
    motions = [motion for _, motion in takes]
    with (
        open_prior(prior, prior_takes, _body(target).skeleton, motions) as learnt,
        progress_bar("retargeting") as progress,
    ):
        for done, (job, (take, motion)) in enumerate(zip(jobs, takes), start=1):
            retargeted, footing = _retarget(motion, target, settings, shared)
            data = {"take": take.name, "file": str(job.out), "met": retargeted.report.is_met}
            data, sentences = {**data, **retargeted.report.to_data()}, retargeted.report.sentences()
            if learnt is not None:
                likely = learnt.retarget(motion, retargeted, settings)
                retargeted = replace(retargeted, motion=likely.motion)
                data, sentences = {**data, "prior": likely.to_data()}, (*sentences, *likely.sentences())
            _write(job, take, motion, target, retargeted, footing)
            written.append(data)
            if not as_json:
                echo(f"{job.out}: {take.name}, {motion.duration:.1f} s; {'; '.join(sentences)}")
            progress(done, len(jobs))
    if report is not None:
        _write_report(report, written)
    if as_json:
        echo_json({"retargeted": written})
    return DONE if all(each["met"] for each in written) else PARTLY


@dataclass(frozen=True)
class _Job:
    """A file to retarget, and where it goes."""

    out: Path
    picture: Path | None


def _name_outputs(files: list[Path], to: Path, out: str, picture: str | None, report: Path | None) -> list[_Job]:
    """Where each file goes; refused before anything is made."""
    from motionloom import formats
    from motionloom.formats.file_names import distinct_names

    if Path(out).suffix.lower() not in formats.FOR_BODIES:
        raise BadInput(f"{out}: cannot write '{Path(out).suffix}'; the extensions are {', '.join(formats.FOR_BODIES)}")
    if picture is not None and Path(picture).suffix.lower() != ".png":
        raise BadInput(f"{picture}: the picture of both bodies must have the extension .png")
    for pattern in (out, picture):
        if len(files) > 1 and pattern is not None and "{take}" not in pattern:
            raise BadInput(
                f"{count(len(files), 'file')} for one '{pattern}'; write {{take}} where the name goes: "
                f"'out/{{take}}{Path(pattern).suffix}'"
            )
    names = distinct_names([file.stem for file in files], "")
    jobs = [
        _Job(Path(out.replace("{take}", name)), Path(picture.replace("{take}", name)) if picture else None)
        for name in names
    ]
    for file, job in zip(files, jobs):
        check_targets({"--out": job.out, "--picture": job.picture, "--report": report}, read=file)
        _check_inputs_stay([to, *(other for other in files if other != file)], job)
    return jobs


def _check_inputs_stay(inputs: list[Path], job: _Job) -> None:
    """Refuse to write over the file with the skeleton, and over other files to retarget."""
    for path in inputs:
        if job.out.resolve() == path.resolve():
            raise BadInput(f"--out would replace {path}, which is read as well; give another file")


def _read(files: list[Path], options: ReadOptions, target: Take) -> list[tuple[Take, Motion]]:
    """Read and check everything, before anything is written."""
    from motionloom import formats
    from motionloom.errors import SkeletonMismatch
    from motionloom.retarget import check_retargetable

    takes = []
    for file in files:
        take = formats.read(file, options)
        for finding in take.findings:
            if finding.is_warning:
                note(f"look at {file}: {finding.message}")
        try:
            check_retargetable(_body(take).skeleton, _body(target).skeleton)
        except SkeletonMismatch as error:
            raise SkeletonMismatch(f"{file} onto {target.source.path}: {error}") from error
        takes.append((take, _body(take)))
    return takes


def _body(take: Take) -> Motion:
    from motionloom.motion import Motion

    if not isinstance(take.motion, Motion):
        raise BadInput(f"{take.source.path}: points without a skeleton cannot be retargeted; give a body")
    return take.motion


def _retarget(
    motion: Motion, target: Take, settings: RetargetSettings, scale: float | None
) -> tuple[Retargeted, Footing]:
    """The motion on the target's skeleton, and what it stood on before."""
    from motionloom.features.supported_contacts import detect_footing, find_floor
    from motionloom.retarget import retarget_motion

    floor_height = find_floor(motion)
    contacts: np.ndarray
    contacts, footing = detect_footing(motion, floor_height)
    retargeted = retarget_motion(
        motion,
        _body(target).skeleton,
        floor_height=floor_height,
        contacts=contacts,
        footing=footing,
        settings=settings,
        scale=scale,
    )
    return retargeted, footing


def _write(job: _Job, take: Take, motion: Motion, target: Take, retargeted: Retargeted, footing: Footing) -> None:
    from motionloom import formats
    from motionloom.render import ComparedBody, write_comparison_sheet

    make_folder(job.out.parent)
    formats.write(job.out, retargeted.motion, target.source, name=take.name, footing=retargeted.footing)
    if job.picture is not None:
        make_folder(job.picture.parent)
        skeletons = motion.skeleton.name, retargeted.motion.skeleton.name
        bodies = [
            ComparedBody(f"{take.name} on {skeletons[0]}", motion, retargeted.floor_height, footing),
            ComparedBody(f"on {skeletons[1]}", retargeted.motion, retargeted.floor_height, retargeted.footing),
        ]
        write_comparison_sheet(job.picture, bodies, take.name)


def _write_report(path: Path, written: list[dict[str, Any]]) -> None:
    import json

    from motionloom.formats.atomic_write import replacing

    make_folder(path.parent)
    with replacing(path) as temporary:
        Path(temporary).write_text(json.dumps({"retargeted": written}, indent=2, ensure_ascii=False), encoding="utf-8")
