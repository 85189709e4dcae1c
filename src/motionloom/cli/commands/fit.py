"""`motionloom fit`: the motion of a body from labelled markers."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from motionloom.cli.commands.corpus import expand
from motionloom.cli.console import DONE, PARTLY, count, echo, echo_json, echo_table, note, progress_bar
from motionloom.cli.outputs import check_targets, make_folder
from motionloom.errors import BadInput

if TYPE_CHECKING:
    from motionloom.corpus import Corpus
    from motionloom.formats import ReadOptions, Take
    from motionloom.markers import FitSettings, FittedBody, MarkerReport, MarkerSet
    from motionloom.motion import Motion, PointMotion

SAME = 1e-3  # metres between bones of one body
FAR, MANY = 0.02, 0.2  # metres from places, and share left out, beyond which the body or its markers are others


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.command("fit")(fit)


def fit(
    markers: Annotated[
        Path,
        typer.Argument(
            metavar="MARKERS", help="Labelled markers: C3D, TRC, CSV, npz; with --corpus also a take.", readable=False
        ),
    ],
    skeleton: Annotated[
        Path,
        typer.Option(
            metavar="SKELETON", help="The body: BVH, ASF, AMC, npz; with --corpus also a take.", readable=False
        ),
    ],
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="OUT", help="FILE.bvh, .glb, .npz, .png or .mp4.", readable=False)
    ],
    places: Annotated[
        Path | None,
        typer.Option(
            "--markers",
            metavar="FILE",
            help="Where markers are on the body, YAML; default: the usual 41.",
            readable=False,
        ),
    ] = None,
    known: Annotated[
        Path | None,
        typer.Option(
            "--offsets-from",
            metavar="MOTION",
            help="The body's motion in these very frames: tells offsets.",
            readable=False,
        ),
    ] = None,
    learn_offsets: Annotated[
        bool,
        typer.Option("--learn-offsets", help="Find where markers really are, beginning with where they should be."),
    ] = False,
    learn_size: Annotated[bool, typer.Option("--learn-size", help="Find how large the body is.")] = False,
    used: Annotated[
        Path | None,
        typer.Option("--write-markers", metavar="FILE", help="Write the markers with their offsets.", readable=False),
    ] = None,
    picture: Annotated[
        Path | None, typer.Option(metavar="PNG", help="Draw the body with the markers on it.", readable=False)
    ] = None,
    report: Annotated[
        Path | None, typer.Option(metavar="JSON", help="Write the report as JSON.", readable=False)
    ] = None,
    corpus: Annotated[
        Path | None, typer.Option(metavar="CORPUS", help="Its takes can be MARKERS and SKELETON.", readable=False)
    ] = None,
    save_as: Annotated[str | None, typer.Option(metavar="TAKE", help="Add the motion to the corpus.")] = None,
    fps: Annotated[float | None, typer.Option(help="True frame rate of the markers, if the file is wrong.")] = None,
    scale: Annotated[str, typer.Option(help="Unit of the markers: auto, or metres per file unit.")] = "auto",
    up: Annotated[str, typer.Option(help="Up axis of the markers: auto, x, y or z.")] = "auto",
    skeleton_scale: Annotated[
        str, typer.Option(help="Unit of the file with the skeleton: auto, cmu, or metres per file unit.")
    ] = "auto",
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> int:
    """Fit a body to labelled markers: in every frame the pose whose markers are where they were seen."""
    from motionloom.formats import ReadOptions
    from motionloom.markers import FitSettings

    outputs = _Outputs(out, report, picture, used)
    outputs.check([markers, skeleton, *(path for path in (places, known) if path is not None)])
    if save_as is not None and corpus is None:
        raise BadInput(f"--save-as {save_as} is a take of a corpus; give it as --corpus")
    with ExitStack() as closing:
        store = None if corpus is None else closing.enter_context(_open(corpus, save_as))
        recorded = _read(store, markers, ReadOptions(fps=fps, scale=scale, up=up))
        points = _points(recorded)
        body = _read(store, skeleton, ReadOptions(scale=skeleton_scale), is_body=True)
        wanted = _place(places, _body(body))
        if known is not None:
            motion = _read(store, known, ReadOptions(scale=skeleton_scale), is_body=True)
            wanted = _learn(motion, _body(body), recorded, wanted)
        fitted = _fit(recorded, _body(body), wanted, FitSettings(learns_offsets=learn_offsets, learns_size=learn_size))
        outputs.write(fitted, points, body, recorded.name)
        if store is not None and save_as is not None:
            _keep(store, save_as, fitted, recorded, body)
    if as_json:
        echo_json(fitted.report.to_data())
    else:
        _print(out, recorded.name, fitted, learns=learn_offsets or learn_size)
    return DONE if fitted.report.is_met else PARTLY


@dataclass(frozen=True)
class _Outputs:
    """The files that are written, all or none of them."""

    out: Path
    report: Path | None
    picture: Path | None
    used: Path | None  # the marker file

    def check(self, inputs: list[Path]) -> None:
        """Refuse what cannot be written before anything is read."""
        from motionloom import formats
        from motionloom.methods.result_files import PICTURES

        known = (*formats.FOR_BODIES, *PICTURES)
        if self.out.suffix.lower() not in known:
            raise BadInput(
                f"{self.out}: a body cannot be written as '{self.out.suffix}'; the extensions are {', '.join(known)}"
            )
        if self.picture is not None and self.picture.suffix.lower() != ".png":
            raise BadInput(f"{self.picture}: the picture of body and markers must have the extension .png")
        targets = {"--out": self.out, "--report": self.report, "--picture": self.picture, "--write-markers": self.used}
        check_targets(targets)
        for option, path in targets.items():
            if path is not None and path.resolve() in [each.resolve() for each in inputs]:
                raise BadInput(f"{option} would replace {path}, which is read; give another file")

    def write(self, fitted: FittedBody, points: PointMotion, body: Take, name: str) -> None:
        """Write everything that was asked for."""
        from motionloom.assembly.requests.marker_files import MarkerFile
        from motionloom.methods.result_files import PICTURES

        for path in (self.out, self.report, self.picture, self.used):
            if path is not None:
                make_folder(path.parent)
        if self.picture is not None:
            _draw(self.picture, fitted, points, name)
        if self.out.suffix.lower() in PICTURES:
            _draw(self.out, fitted, points, name)
        else:
            from motionloom import formats

            formats.write(self.out, fitted.motion, body.source, name=name)
        if self.used is not None:
            MarkerFile.of(fitted.markers).write(self.used)
        if self.report is not None:
            _write_report(self.report, fitted)


def _draw(path: Path, fitted: FittedBody, points: PointMotion, name: str) -> None:
    from motionloom import render
    from motionloom.formats.atomic_write import replacing

    with replacing(path) as temporary:
        if path.suffix.lower() == ".png":
            render.write_contact_sheet(temporary, fitted.motion, title=name, markers=points)
        else:
            with progress_bar("drawing") as progress:
                render.write_video(temporary, fitted.motion, markers=points, progress=progress)


def _write_report(path: Path, fitted: FittedBody) -> None:
    import json

    from motionloom.formats.atomic_write import replace_file

    replace_file(path, (json.dumps(fitted.report.to_data(), indent=2, ensure_ascii=False) + "\n").encode())


def _open(corpus: Path, save_as: str | None) -> Corpus:
    """The corpus, open for writing where the motion is to be added under a name that must be free."""
    from motionloom.assembly import check_new_take
    from motionloom.corpus import Corpus

    store = Corpus.open(corpus, write=save_as is not None)
    if save_as is not None:
        try:
            check_new_take(store, save_as)
        except BadInput as error:
            store.close()
            raise BadInput(f"--save-as {save_as}: {error}") from None
    return store


def _read(store: Corpus | None, path: Path, options: ReadOptions, is_body: bool = False) -> Take:
    """A file, or a take of the corpus where there is no such file."""
    from motionloom import formats

    if store is not None and not path.exists():
        names = expand(store.names(), [str(path)])
        if len(names) > 1:
            raise BadInput(f"'{path}' matches {count(len(names), 'take')}; give the name of one")
        return store.take(names[0])
    take = formats.read_skeleton(path, options) if is_body else formats.read(path, options)
    for finding in take.findings:
        if finding.is_warning:
            message = finding.message.replace("--scale", "--skeleton-scale") if is_body else finding.message
            note(f"look at {path}: {message}")
    return take


def _points(take: Take) -> PointMotion:
    from motionloom.motion import PointMotion

    if not isinstance(take.motion, PointMotion):
        raise BadInput(f"{take.source.path}: this is the motion of a body; give labelled markers, such as a C3D file")
    return take.motion


def _body(take: Take) -> Motion:
    from motionloom.motion import Motion

    if not isinstance(take.motion, Motion):
        raise BadInput(f"{take.source.path}: these are points without a skeleton; give a body as --skeleton")
    return take.motion


def _place(places: Path | None, body: Motion) -> MarkerSet | None:
    """The set of a marker file on a skeleton; None for the full-body set."""
    from motionloom.assembly.requests.marker_files import MarkerFile

    if places is None:
        return None
    file = MarkerFile.read(places)
    try:
        return file.place(body.skeleton)
    except BadInput as error:
        raise BadInput(f"{places}: {error}") from None


def _learn(known: Take, body: Motion, recorded: Take, wanted: MarkerSet | None) -> MarkerSet:
    """Offsets from the body's motion in the same frames; markers of a marker file stay on their joints."""
    import numpy as np

    from motionloom.markers import learn_offsets, match_markers

    motion, points = _body(known), _points(recorded)
    same_joints = motion.skeleton.names == body.skeleton.names
    if not same_joints or not np.allclose(motion.skeleton.offsets, body.skeleton.offsets, atol=SAME):
        raise BadInput(f"{known.source.path}: it is not of the body of --skeleton; give a motion with the same bones")
    if abs(motion.fps - points.fps) > 0.01 * points.fps:
        raise BadInput(
            f"{known.source.path} has {motion.fps:g} frames per second and {recorded.source.path} {points.fps:g}; give "
            "the same frames of both"
        )
    if wanted is None:
        return learn_offsets(motion, points)
    carriers = dict(zip(wanted.names, wanted.joints))
    joints = {points.names[column]: carriers[name] for name, column in match_markers(points, wanted).items()}
    return learn_offsets(motion, points, joints)


def _fit(recorded: Take, body: Motion, wanted: MarkerSet | None, settings: FitSettings) -> FittedBody:
    from motionloom.markers import fit_markers

    try:
        with progress_bar("fitting") as progress:
            return fit_markers(body.skeleton, _points(recorded), wanted, settings=settings, progress=progress)
    except BadInput as error:
        raise BadInput(f"{recorded.source.path}: {error}") from None


def _keep(store: Corpus, name: str, fitted: FittedBody, recorded: Take, body: Take) -> None:
    """Add the motion as a take, with what the report says of all markers."""
    from motionloom.formats import Finding, Take

    origin = recorded.source
    source = replace(
        body.source,
        path=origin.path,
        format="markers",
        digest=origin.digest,
        fps=fitted.motion.fps,
        rest_frame_dropped=False,
    )
    found = tuple(Finding("fit", sentence) for sentence in (_summary(fitted), *fitted.report.remarks()))
    added = store.add(Take(name, fitted.motion, source, found))
    if added.duplicate_of is not None:
        note(f"{added.duplicate_of} has the same frames already; nothing was added")


def _print(out: Path, name: str, fitted: FittedBody, *, learns: bool) -> None:
    motion, report = fitted.motion, fitted.report
    echo(f"{out}: {name}, {motion.duration:.1f} s, {count(motion.n_frames, 'frame')}; {_summary(fitted)}\n")
    rows = [_row(row, motion.fps) for row in report.markers]
    echo_table(["marker", "joint", "mean mm", "worst mm", "seen %", "longest gap s", "left out"], rows, {2, 3, 4, 5})
    for remark in report.remarks():
        echo(remark)
    if not learns and not (report.mean < FAR and report.share_left_out < MANY):
        note(
            f"look at {name}: {100 * report.share_left_out:.0f} % of the samples are left out and the others are "
            f"{1000 * report.mean:.0f} mm from their places; if the body or its markers are others, --learn-size and "
            "--learn-offsets find them"
        )


def _summary(fitted: FittedBody) -> str:
    used = [row for row in fitted.report.markers if row.is_used]
    return f"{count(len(used), 'marker')}, {1000 * fitted.report.mean:.1f} mm from their places on average"


def _row(row: MarkerReport, fps: float) -> list[str]:
    distances = [f"{1000 * row.mean:.1f}", f"{1000 * row.worst:.1f}"] if row.is_used else ["", ""]
    seen = [f"{100 * row.n_seen / row.n_frames:.1f}", f"{row.longest_gap / fps:.2f}"]
    return [row.name, row.joint, *distances, *seen, row.reason]
