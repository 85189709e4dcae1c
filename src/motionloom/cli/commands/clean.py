"""`motionloom clean`: foot-skate clean-up of a file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from motionloom.cli.console import DONE, PARTLY, count, echo, echo_json, note
from motionloom.cli.outputs import check_targets, make_folder
from motionloom.errors import BadInput

if TYPE_CHECKING:
    from motionloom.assembly import Result
    from motionloom.formats import Take
    from motionloom.motion import Ground


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.command("clean")(clean)


def clean(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A recording: BVH, AMC, npz.", readable=False)],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="OUT", help="FILE.bvh, .glb, .npz.", readable=False)],
    floor: Annotated[
        float | None, typer.Option(metavar="METRES", help="Height of the floor; default: estimated.")
    ] = None,
    ground: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="What the feet stand on: a ground file, YAML or JSON.", readable=False),
    ] = None,
    spikes: Annotated[
        bool,
        typer.Option("--spikes", help="Mend joints that jump or turn over and are soon back, by interpolation."),
    ] = False,
    picture: Annotated[
        Path | None,
        typer.Option(metavar="PNG", help="Draw the paths of the feet before and after.", readable=False),
    ] = None,
    report: Annotated[
        Path | None, typer.Option(metavar="JSON", help="Write the report as JSON.", readable=False)
    ] = None,
    fps: Annotated[float | None, typer.Option(help="True frame rate of the recording, if the file is wrong.")] = None,
    scale: Annotated[str, typer.Option(help="Unit: auto, cmu, or metres per file unit.")] = "auto",
    up: Annotated[str, typer.Option(help="Up axis of the file: auto, y or z.")] = "auto",
    rest_frame: Annotated[str, typer.Option(help="First frame in T-pose: auto, drop or keep.")] = "auto",
    skeleton: Annotated[Path | None, typer.Option(help="The .asf of an .amc; default: found beside it.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> int:
    """Foot-skate clean-up of a recording: planted feet stay in place and above the floor; prints a report."""
    from motionloom import formats
    from motionloom.assembly.requests.ground_files import read_ground_file
    from motionloom.motion import Ground

    if out.suffix.lower() not in formats.FOR_BODIES:
        raise BadInput(f"{out}: cannot write '{out.suffix}'; the extensions are {', '.join(formats.FOR_BODIES)}")
    _check_picture(picture)
    if ground is not None and floor is not None:
        raise BadInput("give --floor or --ground, not both: a ground has a floor of its own")
    check_targets({"--out": out, "--report": report, "--picture": picture}, read=file)
    known = Ground() if ground is None else read_ground_file(ground)
    options = formats.ReadOptions(fps=fps, scale=scale, up=up, rest_frame=rest_frame, skeleton=skeleton)
    take = formats.read(file, options)
    for finding in take.findings:
        if finding.is_warning:
            note(f"look at {file}: {finding.message}")
    take, mended = _mend(take, spikes)
    floor_height, result = _clean(take, floor) if ground is None else _clean_on(take, known, ground)
    if mended:
        result = replace(result, report=replace(result.report, notes=(*result.report.notes, *mended)))
    for target in (out, report, picture):
        if target is not None:
            make_folder(target.parent)
    if picture is not None:
        _draw(picture, take, result, floor_height)
    if report is not None:
        result.report.write(report)
    formats.write(out, result.motion, take.source, name=take.name, footing=result.character.footing)
    if as_json:
        echo_json(result.report.to_data())
    else:
        _print(out, take, result, floor_height)
    return DONE if result.report.is_met else PARTLY


def _mend(take: Take, spikes: bool) -> tuple[Take, tuple[str, ...]]:
    """The take without spikes and short flips, if that is asked for, and what was mended; else a note about them."""
    from motionloom.assembly.derived.spike_repair import repair_spikes
    from motionloom.features.flips import describe_flips, find_flips
    from motionloom.motion import Motion

    if not isinstance(take.motion, Motion):
        return take, ()
    repaired = repair_spikes(take.motion) if spikes else None
    motion = take.motion if repaired is None else repaired.motion
    flips = find_flips(motion)
    if flips:
        offer = "; --spikes mends those that are short" if any(flip.is_short for flip in flips) else ""
        note(f"look at {take.source.path}: {describe_flips(motion, flips)}{offer}")
    if repaired is None:
        return take, ()
    return replace(take, motion=motion), repaired.describe() or ("no spikes and no short flips to mend",)


def _clean(take: Take, floor: float | None) -> tuple[float, Result]:
    """Height of the floor in metres, and the result with planted feet."""
    from motionloom.assembly import clean_feet
    from motionloom.features.contacts import DEFAULT, detect_contacts
    from motionloom.features.floor import estimate_floor
    from motionloom.features.supported_contacts import detect_footing, find_floor
    from motionloom.motion import Motion

    if not isinstance(take.motion, Motion):
        raise BadInput(f"{take.source.path}: points without a skeleton have no feet to plant; give a body recording")
    estimated = estimate_floor(take.motion)
    floor_height = find_floor(take.motion) if floor is None else floor
    is_far = floor is not None and abs(floor - estimated) > DEFAULT.near
    if is_far and not detect_contacts(take.motion, floor_height).any():
        raise BadInput(
            f"no foot comes near a floor at {floor_height:g} m: the feet rest at {estimated:.2f} m; "
            "give --floor about that, or leave it out"
        )
    contacts, footing = detect_footing(take.motion, floor_height)
    return floor_height, clean_feet(take.motion, contacts, floor_height, footing=footing, name=take.name)


def _clean_on(take: Take, ground: Ground, file: Path) -> tuple[float, Result]:
    """As `_clean`, on a ground that is known."""
    from motionloom.assembly import clean_feet
    from motionloom.features.floor import estimate_floor
    from motionloom.features.supported_contacts import detect_footing
    from motionloom.motion import Motion

    if not isinstance(take.motion, Motion):
        raise BadInput(f"{take.source.path}: points without a skeleton have no feet to plant; give a body recording")
    contacts, footing = detect_footing(take.motion, ground.floor, ground=ground)
    if not contacts.any():
        raise BadInput(
            f"no foot comes near the ground of {file}: the feet rest at {estimate_floor(take.motion):.2f} m; "
            "it has to be in metres, y up, in the coordinates of the recording"
        )
    return ground.floor, clean_feet(take.motion, contacts, ground.floor, footing=footing, name=take.name)


def _print(out: Path, take: Take, result: Result, floor_height: float) -> None:
    seconds = take.motion.duration
    planted = count(int(result.report.asked["footplants"]), "footplant")
    echo(f"{out}: {take.name}, {seconds:.1f} s, {planted}, floor at {100 * floor_height:.1f} cm\n")
    echo(result.report.describe())


def _check_picture(picture: Path | None) -> None:
    if picture is not None and picture.suffix.lower() != ".png":
        raise BadInput(f"{picture}: the picture of the feet must have the extension .png")


def _draw(picture: Path, take: Take, result: Result, floor_height: float) -> None:
    from motionloom.features.feet import foot_points
    from motionloom.motion import Motion
    from motionloom.render import FootTracks, write_foot_chart

    assert isinstance(take.motion, Motion)
    ground = result.character.footing.ground
    before = foot_points(take.motion, floor_height, ground=ground)
    after = foot_points(result.motion, floor_height, like=take.motion, ground=ground)
    tracks = FootTracks(before, after, result.contacts, floor_height, take.motion.fps)
    write_foot_chart(picture, tracks, f"{take.name}: planted feet")
