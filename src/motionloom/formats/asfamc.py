"""ASF/AMC: a motion file of angles per bone and, beside it, the skeleton file that gives them a meaning."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from motionloom.errors import FormatError
from motionloom.formats import _asf, recognise, text
from motionloom.formats._asf import AsfSkeleton, Bone
from motionloom.formats.options import ReadOptions
from motionloom.formats.take import Finding, Take
from motionloom.motion import Motion, Skeleton, rotations

ASSUMED_FPS = 120.0  # AMC files state no rate; CMU records at this one
_VARIATION = 1e-3  # of the skeleton's size: a bone that changes less is constant


@dataclass(frozen=True)
class _Frames:
    """The numbers of an AMC file."""

    values: dict[str, np.ndarray]  # bone name -> (F, n) as they stand
    in_degrees: bool
    findings: tuple[Finding, ...]


def read(path: str | Path, options: ReadOptions | None = None) -> Take:
    """Read an AMC file on the skeleton of its ASF file (`options.skeleton`, or the one that lies beside it)."""
    options = options or ReadOptions()
    content = text.read_bytes(path)
    skeleton_path = find_skeleton(path, options)
    asf = _asf.read(skeleton_path)
    frames = _read_frames(path, text.to_text_bytes(path, content), asf)
    motion, bone_findings = _to_motion(asf, frames, options.fps or ASSUMED_FPS, Path(skeleton_path).stem)
    rate_findings: tuple[Finding, ...] = ()
    if options.fps is None:
        message = f"an AMC file states no rate; {ASSUMED_FPS:g} frames per second assumed; say --fps if it is another"
        rate_findings = (Finding("rate", message),)
    origin = recognise.Origin(
        path=str(path),
        format="asfamc",
        digest=hashlib.sha256(content + Path(skeleton_path).read_bytes()).hexdigest(),
        stated_fps=ASSUMED_FPS,
        metres_per_unit=asf.metres_per_unit,
    )
    skeleton_finding = (Finding("skeleton", f"skeleton from {Path(skeleton_path).name}"),)
    return recognise.settle(motion, options, origin, skeleton_finding + rate_findings + frames.findings + bone_findings)


def find_skeleton(path: str | Path, options: ReadOptions) -> Path:
    """The ASF file of an AMC file: the one given, else 01.asf for 01_01.amc, else the only one in the folder."""
    if options.skeleton is not None:
        return Path(options.skeleton)
    path = Path(path)
    here = {p.name.lower(): p for p in sorted(path.parent.glob("*")) if p.suffix.lower() == ".asf"}
    for stem in (path.stem, path.stem.split("_")[0]):
        if f"{stem.lower()}.asf" in here:
            return here[f"{stem.lower()}.asf"]
    if len(here) == 1:
        return next(iter(here.values()))
    wanted = f"{path.stem.split('_')[0]}.asf"
    found = f"{len(here)} others are" if here else "no .asf is"
    raise FormatError(path, f"no skeleton '{wanted}' beside it ({found} there). Please put it there or give its path.")


def _read_frames(path: str | Path, body: bytes, asf: AsfSkeleton) -> _Frames:
    """Every frame's numbers per bone, each line checked against the bone's dofs."""
    n_dofs = {bone.name: len(bone.dofs) for bone in asf.bones}
    rows: dict[str, list[list[float]]] = {name: [] for name in n_dofs}
    in_degrees = asf.angles_in_degrees
    n_frames, frame_line, n_gaps, last_number = 0, 0, 0, 0
    for line, raw in enumerate(text.split_lines(body), 1):
        words = raw.split("#")[0].split()
        if not words:
            continue
        if words[0].startswith(":"):
            if words[0].lower() in (":degrees", ":radians"):
                in_degrees = words[0].lower() == ":degrees"
            continue
        if len(words) == 1 and words[0].isdecimal() and words[0].isascii():
            _check_frame(path, rows, n_frames, frame_line)
            number = int(words[0][:18])
            n_gaps += n_frames > 0 and number != last_number + 1
            last_number, n_frames, frame_line = number, n_frames + 1, line
            continue
        if n_frames == 0:
            raise FormatError(
                path, f"'{text.shorten(raw.strip())}' before the first frame number. Is this an AMC file?", line
            )
        _read_bone_line(path, words, line, n_dofs, rows, n_frames)
    if n_frames == 0:
        raise FormatError(path, "no frames. Is the file cut off?")
    _check_frame(path, rows, n_frames, frame_line)
    return _collect(asf, rows, n_frames, in_degrees, n_gaps)


def _read_bone_line(
    path: str | Path,
    words: list[str],
    line: int,
    n_dofs: dict[str, int],
    rows: dict[str, list[list[float]]],
    n_frames: int,
) -> None:
    name = words[0]
    if name not in n_dofs:
        known = text.shorten(", ".join(n_dofs), 120)
        reason = f"no bone '{text.shorten(name)}' in the skeleton; its bones are {known}. Is it the right .asf?"
        raise FormatError(path, reason, line)
    if len(words) - 1 != n_dofs[name]:
        reason = (
            f"{len(words) - 1} values for '{name}', expected {n_dofs[name]}. Is the file cut off, or the .asf wrong?"
        )
        raise FormatError(path, reason, line)
    if len(rows[name]) >= n_frames:
        raise FormatError(path, f"'{name}' twice in one frame. Is a frame number missing?", line)
    try:
        values = list(map(float, words[1:]))
    except ValueError:
        values = [text.parse_number(path, word, line, f"an angle of '{name}'") for word in words[1:]]
    if not all(map(_is_finite, values)):
        bad = next(word for word, value in zip(words[1:], values) if not _is_finite(value))
        raise FormatError(
            path, f"'{text.shorten(bad)}' is not a number that can be used. Is the file damaged here?", line
        )
    rows[name].append(values)


def _is_finite(value: float) -> bool:
    return value - value == 0.0


def _check_frame(path: str | Path, rows: dict[str, list[list[float]]], n_frames: int, line: int) -> None:
    """Every bone that moves in the first frame has to be in every frame."""
    for name, values in rows.items():
        if values and len(values) != n_frames:
            raise FormatError(path, f"the frame that starts here lacks '{name}'. Is the file cut off?", line)


def _collect(
    asf: AsfSkeleton, rows: dict[str, list[list[float]]], n_frames: int, in_degrees: bool, n_gaps: int
) -> _Frames:
    findings = []
    still = [bone.name for bone in asf.bones if bone.dofs and not rows[bone.name]]
    if still:
        findings.append(Finding("bones", f"no values for {', '.join(still)}: they keep their rest pose", True))
    if n_gaps:
        findings.append(
            Finding(
                "numbers", f"frame numbers do not follow each other in {n_gaps} places; frames were read in order", True
            )
        )
    values = {
        bone.name: np.array(rows[bone.name] or np.zeros((n_frames, len(bone.dofs))), float).reshape(n_frames, -1)
        for bone in asf.bones
    }
    return _Frames(values, in_degrees, tuple(findings))


def _to_motion(asf: AsfSkeleton, frames: _Frames, fps: float, name: str) -> tuple[Motion, tuple[Finding, ...]]:
    """A motion in file units: one joint per bone, at its start, with axes like the world's in the rest pose."""
    n_frames = len(frames.values["root"])
    local_rotations = np.empty((n_frames, len(asf.bones), 4))
    shifts = np.zeros((len(asf.bones), 3))  # constant translations of joints
    stretches = np.zeros(len(asf.bones))  # constant changes of length
    changing: list[tuple[float, str]] = []
    root_positions = np.tile(asf.root_position, (n_frames, 1))
    for joint, bone in enumerate(asf.bones):
        values = frames.values[bone.name]
        axes = _turn(bone.axis_angles, bone.axis_order)
        local_rotations[:, joint] = _local_rotations(bone, values, axes, frames.in_degrees)
        moved = np.stack([_column(bone, values, f"t{axis}") for axis in "xyz"], axis=-1)
        if joint == 0:
            root_positions = root_positions + moved
            continue
        shifts[joint] = rotations.rotate(axes, np.median(moved, axis=0))
        length = _column(bone, values, "l")
        stretches[joint] = np.median(length)
        spread = max(
            np.linalg.norm(moved - np.median(moved, axis=0), axis=1).max(), np.abs(length - stretches[joint]).max()
        )
        changing.append((float(spread), bone.name))
    skeleton = _to_skeleton(asf, shifts, stretches, name)
    motion = Motion(skeleton, root_positions, rotations.align_signs(local_rotations), fps)
    return motion, _report_changes(changing, float(np.abs(skeleton.offsets).sum(axis=0).max()))


def _turn(angles: np.ndarray, order: str) -> np.ndarray:
    """The rotation of angles about fixed axes, the first letter first: "XYZ" is Rz Ry Rx."""
    return rotations.from_euler(angles[..., ::-1], order[::-1])


def _local_rotations(bone: Bone, values: np.ndarray, axes: np.ndarray, in_degrees: bool) -> np.ndarray:
    turning = [i for i, dof in enumerate(bone.dofs) if dof.startswith("r")]
    angles = values[:, turning] * (np.pi / 180.0 if in_degrees else 1.0)
    turned = _turn(angles, "".join(bone.dofs[i][1].upper() for i in turning))
    return rotations.multiply(rotations.multiply(axes, turned), rotations.inverse(axes))


def _column(bone: Bone, values: np.ndarray, dof: str) -> np.ndarray:
    return values[:, bone.dofs.index(dof)] if dof in bone.dofs else np.zeros(len(values))


def _to_skeleton(asf: AsfSkeleton, shifts: np.ndarray, stretches: np.ndarray, name: str) -> Skeleton:
    bones = np.array([bone.bone for bone in asf.bones])
    lengths = np.linalg.norm(bones, axis=1, keepdims=True)
    tips = bones + stretches[:, None] * np.divide(bones, lengths, out=np.zeros_like(bones), where=lengths > 0)
    offsets = np.where((asf.parents >= 0)[:, None], tips[asf.parents], 0.0) + shifts
    is_parent = set(asf.parents.tolist())
    leaves = np.array([j for j in range(1, len(asf.bones)) if j not in is_parent], int)
    return Skeleton(
        names=tuple(bone.name for bone in asf.bones),
        parents=asf.parents,
        offsets=offsets,
        end_parents=leaves,
        end_offsets=tips[leaves].reshape(-1, 3),
        name=name,
    )


def _report_changes(changing: list[tuple[float, str]], size: float) -> tuple[Finding, ...]:
    varying = [pair for pair in changing if pair[0] > _VARIATION * max(size, 1e-9)]
    if not varying:
        return ()
    spread, name = max(varying)
    message = (
        f"{len(varying)} bones change their place or length; bones are rigid here, so the median was taken. "
        f"The largest change is {spread:.4g} file units in '{name}'"
    )
    return (Finding("bones", message, True),)
