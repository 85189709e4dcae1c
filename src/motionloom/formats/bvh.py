"""BVH: reading files of all dialects to a take in metres with y up, and writing files that other tools read."""

import hashlib
import re
from pathlib import Path

import numpy as np

from motionloom.errors import BadInput, FormatError
from motionloom.formats import _bvh_hierarchy, _bvh_text, _root_motion, detection, limits, text
from motionloom.formats._bvh_hierarchy import Hierarchy
from motionloom.formats.atomic_write import replace_file
from motionloom.formats.options import ReadOptions
from motionloom.formats.take import Finding, Source, Take
from motionloom.motion import Motion, Skeleton, rest_pose, rotations

CENTIMETRE = 0.01  # metres per unit, default
RESOLUTION = 1e-6  # metres: maximum value of the last decimal of a position
UPRIGHT = 0.8  # cosine: legs and trunk of an upright rest pose lean less than 37 degrees

_MOTION = re.compile(rb"(?:^|[\r\n}])[ \t]*MOTION[ \t]*(?=[\r\n]|$)", re.IGNORECASE)
_FRAMES = re.compile(rb"\s*Frames[ \t]*:?[ \t]*([^\s:]*)", re.IGNORECASE)
_FRAME_TIME = re.compile(rb"\s*Frame[ \t]*Time[ \t]*:?[ \t]*([^\s:]*)", re.IGNORECASE)

FRAME_TIMES = (1.0 / limits.MOST_FPS, 1.0 / limits.LEAST_FPS)  # seconds; valid range
USUAL_FPS = (5.0, 1000.0)  # others are reported as a warning

_VARIATION = 1e-3  # of the skeleton's size: a position channel that varies less is constant
_ROUNDING = 1e-6  # of the skeleton's size: rounding of the last decimal


def read(path: str | Path, options: ReadOptions | None = None) -> Take:
    """Read a BVH file: the whole text is checked, and what is detected is reported in the take's findings."""
    options = options or ReadOptions()
    content = text.read_bytes(path)
    digest = hashlib.sha256(content).hexdigest()
    body = text.to_text_bytes(path, content)
    motion_at = _find_motion(path, body)
    hierarchy = _bvh_hierarchy.parse(path, body[: motion_at.start()])
    n_frames, stated_fps, start, findings = _read_motion_header(path, body, motion_at.end(), options)
    values, number_findings = _read_values(path, body, start, n_frames, hierarchy)
    motion, bone_findings = _to_motion(hierarchy, values, options.fps or stated_fps, Path(path).stem)
    return detection.convert(
        motion,
        options,
        detection.FileProperties(
            path=str(path),
            format="bvh",
            digest=digest,
            stated_fps=stated_fps,
            rotation_orders=hierarchy.rotation_orders(),
        ),
        findings=hierarchy.findings + findings + number_findings + bone_findings,
    )


def _find_motion(path: str | Path, body: bytes) -> re.Match[bytes]:
    found = _MOTION.search(body)
    if found is None:
        _bvh_hierarchy.parse(path, body)  # raises at the first error of the hierarchy
        raise FormatError(path, "no line MOTION after the hierarchy. Is the file cut off?", text.count_lines(body) + 1)
    return found


def _read_motion_header(
    path: str | Path, body: bytes, at: int, options: ReadOptions
) -> tuple[int, float, int, tuple[Finding, ...]]:
    """Number of frames, stated frame rate, first byte of the values, and findings."""
    frames = _FRAMES.match(body, at)
    if frames is None:
        raise FormatError(path, "no 'Frames:' after MOTION. Is the file cut off?", _line_of_next_word(body, at))
    token = frames.group(1).decode("latin-1")
    if not token.isdecimal() or len(token) > 12 or int(token) == 0:
        reason = f"'Frames: {text.shorten(token)}', expected a whole number above 0. Is the file cut off?"
        raise FormatError(path, reason, _line_of_next_word(body, at))
    time = _FRAME_TIME.match(body, frames.end())
    if time is None:
        reason = "no 'Frame Time:' after 'Frames:'. Please add it, such as 'Frame Time: 0.0083333'."
        raise FormatError(path, reason, _line_of_next_word(body, frames.end()))
    written = time.group(1).decode("latin-1")
    stated_fps, findings = _read_rate(written, options)
    if stated_fps is None:
        expected = f"expected {_expected_time(written)}. Please correct it or give --fps."
        reason = f"'Frame Time: {text.shorten(written)}', {expected}"
        raise FormatError(path, reason, _line_of_next_word(body, frames.end()))
    return int(token), stated_fps, time.end(), findings


def _read_rate(written: str, options: ReadOptions) -> tuple[float | None, tuple[Finding, ...]]:
    """The frame rate of a frame time; None if it is invalid and the options have none either."""
    try:
        seconds = float(written)
    except ValueError:
        seconds = 0.0
    if not FRAME_TIMES[0] <= seconds <= FRAME_TIMES[1]:
        return options.fps, ()
    fps = detection.rate_from_interval(seconds, written)
    if options.fps is not None or USUAL_FPS[0] <= fps <= USUAL_FPS[1]:
        return fps, ()
    message = f"'Frame Time: {written}' is {fps:.4g} frames per second, which is unusual; give --fps if it is wrong"
    return fps, (Finding("rate", message, True),)


def _expected_time(written: str) -> str:
    try:
        is_positive = float(written) > 0
    except ValueError:
        is_positive = False
    return f"{FRAME_TIMES[0]:g} to {FRAME_TIMES[1]:g} seconds" if is_positive else "seconds above 0"


def _line_of_next_word(body: bytes, at: int) -> int:
    end = len(body) - len(body[at:].lstrip())
    return text.count_lines(body[:end]) + 1


def _read_values(
    path: str | Path, body: bytes, start: int, n_frames: int, hierarchy: Hierarchy
) -> tuple[np.ndarray, tuple[Finding, ...]]:
    """The values (F, C) of the file."""
    n_channels = len(hierarchy.channels)
    block = text.parse_numbers(path, body, start, n_frames * n_channels, n_channels)
    if block.count != n_frames * n_channels:
        raise _wrong_count(path, body, start, n_frames, n_channels, len(hierarchy.names), block)
    limits.check_unfolding(path, n_frames, len(hierarchy.names), len(body))
    findings: tuple[Finding, ...] = ()
    if block.n_ragged:
        message = (
            f"the {block.count} numbers are on {block.n_lines} lines instead of {n_frames}; they were read in order"
        )
        findings = (Finding("numbers", message, True),)
    return block.values.reshape(n_frames, n_channels), findings


def _wrong_count(
    path: str | Path, body: bytes, start: int, n_frames: int, n_channels: int, n_joints: int, block: text.NumberBlock
) -> FormatError:
    first_line = text.count_lines(body[:start]) + 1
    if block.ragged_line is None:
        reason = f"{block.n_lines} frames of numbers, but 'Frames:' states {n_frames}. Is the file cut off?"
        return FormatError(path, reason, first_line + text.count_lines(body[start:].rstrip()))
    reason = f"{block.ragged_count} values, expected {n_channels} ({n_joints} joints). Is the file cut off or damaged?"
    return FormatError(path, reason, first_line + block.ragged_line)


def _to_motion(hierarchy: Hierarchy, values: np.ndarray, fps: float, name: str) -> tuple[Motion, tuple[Finding, ...]]:
    """A motion in file units and axes: rigid offsets, angles as quaternions."""
    from motionloom.formats import _kernels

    n_frames, n_joints = len(values), len(hierarchy.names)
    columns, axes = _rotation_columns(hierarchy)
    local_rotations = np.empty((n_frames, n_joints, 4))
    _kernels.turn_angles(values, columns, axes, np.pi / 180.0, local_rotations)
    root_positions = np.tile(hierarchy.offsets[0], (n_frames, 1))
    for column, channel in enumerate(hierarchy.channels):
        if channel.joint == 0 and not channel.is_rotation:
            root_positions[:, channel.axis] = values[:, column]
    offsets, added, findings = _make_rigid(hierarchy, values, local_rotations)
    skeleton = Skeleton(
        names=hierarchy.names,
        parents=hierarchy.parents,
        offsets=offsets,
        end_parents=hierarchy.end_parents,
        end_offsets=hierarchy.end_offsets,
        name=name,
    )
    return Motion(skeleton, root_positions + added, local_rotations, fps), findings


def _rotation_columns(hierarchy: Hierarchy) -> tuple[np.ndarray, np.ndarray]:
    """(J, N) columns and (J, N) axes of each joint's rotation channels in order, padded with -1."""
    of_joint: list[list[tuple[int, int]]] = [[] for _ in hierarchy.names]
    for column, channel in enumerate(hierarchy.channels):
        if channel.is_rotation:
            of_joint[channel.joint].append((column, channel.axis))
    most = max(1, *(len(c) for c in of_joint)) if len(of_joint) > 1 else max(1, len(of_joint[0]))
    table = np.full((len(of_joint), most, 2), -1, np.int64)
    for joint, pairs in enumerate(of_joint):
        table[joint, : len(pairs)] = np.array(pairs, np.int64).reshape(-1, 2)
    return np.ascontiguousarray(table[..., 0]), np.ascontiguousarray(table[..., 1])


def _joint_positions(hierarchy: Hierarchy, values: np.ndarray) -> dict[int, np.ndarray]:
    """Positions of joints below the root that have position channels, (F, 3) in the parent's frame.

    Writers disagree whether such a channel is absolute or relative to OFFSET: the interpretation that keeps the bone
    nearer to its OFFSET is right for both. Hips may travel far from it, so the first frame counts too.
    """
    columns: dict[int, list[tuple[int, int]]] = {}
    for column, channel in enumerate(hierarchy.channels):
        if not channel.is_rotation and channel.joint > 0:
            columns.setdefault(channel.joint, []).append((column, channel.axis))
    found = {}
    for joint, pairs in sorted(columns.items()):
        own, axes = hierarchy.offsets[joint], [axis for _, axis in pairs]
        moved = np.tile(own, (len(values), 1))
        moved[:, axes] = values[:, [column for column, _ in pairs]]
        is_added = all(
            np.linalg.norm((place - own)[axes]) > np.linalg.norm(place[axes])
            for place in (moved[0], np.median(moved, axis=0))
        )
        if is_added:
            moved[:, axes] += own[axes]
        found[joint] = moved
    return found


def _make_rigid(
    hierarchy: Hierarchy, values: np.ndarray, local_rotations: np.ndarray
) -> tuple[np.ndarray, np.ndarray, tuple[Finding, ...]]:
    """Constant offsets (J, 3), correction of the root's positions (F, 3), and findings.

    Translation of a joint above which there is no body, such as hips below a reference, is transferred to the root.
    All others are replaced by their median.
    """
    moved = _joint_positions(hierarchy, values)
    trunk = _root_motion.trunk_above_body(hierarchy.names, hierarchy.parents) if moved else [0]
    of_trunk = set(trunk)
    body_size = _root_motion.size_of_body(hierarchy.offsets, hierarchy.parents, of_trunk)
    offsets = hierarchy.offsets.copy()
    size = max(float(np.abs(np.delete(offsets, trunk, axis=0)).sum(axis=0).max(initial=0.0)), 1e-9)
    varying, carried = [], {}
    for joint, places in moved.items():
        median = np.median(places, axis=0)
        spread = float(np.linalg.norm(places - median, axis=1).max())
        if joint in of_trunk and spread > _ROUNDING * size:
            carried[joint] = places
            offsets[joint] = _root_motion.steady_offset(hierarchy.offsets[joint], body_size)
            continue
        offsets[joint] = median
        if spread > _VARIATION * size:
            varying.append((spread, hierarchy.names[joint]))
    added = _root_motion.carried_by_root(trunk, local_rotations, carried, offsets)
    findings = (_root_motion.report_travel(hierarchy.names, trunk, max(carried)),) if carried else ()
    return offsets, added, findings + _report_varying(varying)


def _report_varying(varying: list[tuple[float, str]]) -> tuple[Finding, ...]:
    if not varying:
        return ()
    spread, name = max(varying)
    message = (
        f"{len(varying)} bones change their length; bones are rigid, so the median is used. "
        f"The largest change is {spread:.4g} file units in '{name}'"
    )
    return (Finding("bones", message, True),)


def write(
    path: str | Path, motion: Motion, source: Source | None = None, *, name: str | None = None, rest: str = "auto"
) -> None:
    """Write a BVH file in the units, axes and rotation orders of the source; default centimetres, y up, ZYX.

    Args:
        path: of the file; an existing one is replaced.
        motion: to write.
        source: of the motion.
        name: not used, because a BVH file has no name.
        rest: the rest pose, with all angles zero: "keep" the skeleton's own, "t_pose", or "auto": keep an upright one.
    """
    if not isinstance(motion, Motion):
        raise BadInput(f"{path}: points have no skeleton, so they cannot be written as BVH; write .npz instead")
    if rest not in ("auto", "keep", "t_pose"):
        raise BadInput(f"rest pose must be auto, keep or t_pose, got '{rest}'")
    if rest == "t_pose" or (rest == "auto" and not stands_upright(motion.skeleton)):
        motion = rest_pose.rebase(motion, rest_pose.t_pose(motion.skeleton))
    up = source.up if source is not None else "y"
    if up != "y":
        motion = rest_pose.turn_world(motion, rotations.inverse(detection.turn_to_y(up)))
    metres_per_unit = source.metres_per_unit if source is not None else CENTIMETRE
    decimals = max(4, int(np.ceil(np.log10(metres_per_unit / RESOLUTION))))
    orders = source.rotation_orders if source is not None else ()
    content = _bvh_text.compose(detection.scale(motion, 1.0 / metres_per_unit), orders, decimals)
    replace_file(path, content.encode())


def stands_upright(skeleton: Skeleton) -> bool:
    """Whether the rest pose is a person standing upright, as other tools expect; True if that is unknown."""
    if not skeleton.has("hips", "head", "left_hip", "right_hip", "left_foot", "right_foot"):
        return True
    rest = skeleton.rest_positions
    hips = (rest[skeleton.index("left_hip")] + rest[skeleton.index("right_hip")]) / 2
    bones = [rest[skeleton.index("head")] - hips]
    bones += [rest[skeleton.index(f"{side}_hip")] - rest[skeleton.index(f"{side}_foot")] for side in ("left", "right")]
    return all(bone[1] > UPRIGHT * np.linalg.norm(bone) for bone in bones)
