"""ASF/AMC: a motion file (AMC) with angles per bone, and its skeleton file (ASF)."""

import hashlib
from dataclasses import replace
from pathlib import Path

import numpy as np

from motionloom.errors import FormatError
from motionloom.formats import _amc, _asf, _root_motion, detection, text
from motionloom.formats._amc import Frames
from motionloom.formats._asf import AsfSkeleton, Bone
from motionloom.formats.options import ReadOptions
from motionloom.formats.take import Finding, Take
from motionloom.motion import Motion, Skeleton, rotations

ASSUMED_FPS = 120.0  # AMC files state no frame rate; that of CMU
_VARIATION = 1e-3  # of the skeleton's size: a bone that changes less is constant


def read(path: str | Path, options: ReadOptions | None = None) -> Take:
    """Read an AMC file on the skeleton of its ASF file (`options.skeleton`, or the one in its folder)."""
    options = options or ReadOptions()
    content = text.read_bytes(path)
    skeleton_path = find_skeleton(path, options)
    asf = _asf.read(skeleton_path)
    frames = _amc.parse(path, text.to_text_bytes(path, content), asf)
    motion, bone_findings = _to_motion(asf, frames, options.fps or ASSUMED_FPS, Path(skeleton_path).stem)
    rate_findings: tuple[Finding, ...] = ()
    if options.fps is None:
        message = f"AMC files state no frame rate; {ASSUMED_FPS:g} frames per second assumed; give --fps if it differs"
        rate_findings = (Finding("rate", message),)
    file = detection.FileProperties(
        path=str(path),
        format="asfamc",
        digest=hashlib.sha256(content + Path(skeleton_path).read_bytes()).hexdigest(),
        stated_fps=ASSUMED_FPS,
        metres_per_unit=asf.metres_per_unit,
    )
    skeleton_finding = (Finding("skeleton", f"skeleton from {Path(skeleton_path).name}"),)
    findings = skeleton_finding + rate_findings + frames.findings + bone_findings
    return detection.convert(motion, options, file, findings)


def read_skeleton(path: str | Path, options: ReadOptions | None = None) -> Take:
    """Read an ASF file alone: a take of one frame, its skeleton in the rest pose."""
    asf, content = _asf.read(path), text.read_bytes(path)
    n_bones = len(asf.bones)
    skeleton = _to_skeleton(asf, np.zeros((n_bones, 3)), np.zeros(n_bones), Path(path).stem)
    motion = Motion(skeleton, asf.root_position[None], rotations.identity((1, n_bones)), ASSUMED_FPS)
    digest = hashlib.sha256(content).hexdigest()
    file = detection.FileProperties(str(path), "asfamc", digest, ASSUMED_FPS, metres_per_unit=asf.metres_per_unit)
    return detection.convert(motion, replace(options or ReadOptions(), rest_frame="keep", fps=ASSUMED_FPS), file)


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


def _to_motion(asf: AsfSkeleton, frames: Frames, fps: float, name: str) -> tuple[Motion, tuple[Finding, ...]]:
    """A motion in file units: one joint per bone, at its start, with world-aligned axes in the rest pose."""
    n_frames = len(frames.values["root"])
    local_rotations = np.empty((n_frames, len(asf.bones), 4))
    moved: dict[int, np.ndarray] = {}  # (F, 3) translations of joints in the parent's frame
    lengths = np.zeros((n_frames, len(asf.bones)))  # changes of length
    for joint, bone in enumerate(asf.bones):
        values = frames.values[bone.name]
        axes = _turn(bone.axis_angles, bone.axis_order)
        local_rotations[:, joint] = _local_rotations(bone, values, axes, frames.in_degrees)
        if joint == 0 or any(dof.startswith("t") for dof in bone.dofs):
            along = np.stack([_column(bone, values, f"t{axis}") for axis in "xyz"], axis=-1)
            moved[joint] = rotations.rotate(axes, along) if joint else along
        lengths[:, joint] = _column(bone, values, "l")
    root_positions = asf.root_position + moved.pop(0)
    names = tuple(bone.name for bone in asf.bones)
    shifts, added, changing, findings = _make_rigid(names, asf.parents, moved, local_rotations)
    stretches = np.median(lengths, axis=0)
    changing += list(zip(np.abs(lengths - stretches).max(axis=0).tolist(), names))
    skeleton = _to_skeleton(asf, shifts, stretches, name)
    motion = Motion(skeleton, root_positions + added, rotations.align_signs(local_rotations), fps)
    return motion, findings + _report_changes(changing, float(np.abs(skeleton.offsets).sum(axis=0).max()))


def _make_rigid(
    names: tuple[str, ...], parents: np.ndarray, moved: dict[int, np.ndarray], local_rotations: np.ndarray
) -> tuple[np.ndarray, np.ndarray, list[tuple[float, str]], tuple[Finding, ...]]:
    """Constant shifts (J, 3), correction of the root's positions (F, 3), deviations of bones, and a finding."""
    trunk = _root_motion.trunk_above_body(names, parents)
    of_trunk = set(trunk)
    carried = {joint: places for joint, places in moved.items() if joint in of_trunk and np.ptp(places, axis=0).any()}
    shifts = np.zeros((len(names), 3))
    changing = []
    for joint, places in moved.items():
        if joint not in carried:
            shifts[joint] = np.median(places, axis=0)
            changing.append((float(np.linalg.norm(places - shifts[joint], axis=1).max()), names[joint]))
    added = _root_motion.carried_by_root(trunk, local_rotations, carried, shifts)
    return shifts, added, changing, (_root_motion.report_travel(names, trunk, max(carried)),) if carried else ()


def _turn(angles: np.ndarray, order: str) -> np.ndarray:
    """The rotation of Euler angles about extrinsic axes, the first letter first: "XYZ" is Rz Ry Rx."""
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
    count = len({name for _, name in varying})
    message = (
        f"{count} bones change their offset or length; bones are rigid, so the median is used. "
        f"The largest change is {spread:.4g} file units in '{name}'"
    )
    return (Finding("bones", message, True),)
