"""Conversion of points in file units and axes to a take in metres with y up, with findings, and back."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from motionloom.errors import FormatError
from motionloom.formats import limits
from motionloom.formats.detection import point_units, point_up
from motionloom.formats.detection.conversion import FileProperties
from motionloom.formats.detection.up_axis import turn_to_y
from motionloom.formats.options import ReadOptions
from motionloom.formats.take import Finding, Source, Take
from motionloom.motion import PointMotion, rotations
from motionloom.motion.point_gaps import POINT, START, STOP, fill_gaps, find_gaps

_SHOWN = 3  # names in a message


def convert_points(
    motion: PointMotion,
    options: ReadOptions,
    file: FileProperties,
    findings: tuple[Finding, ...] = (),
) -> Take:
    """Convert points to metres and y up, count their gaps and fill short ones on request, and report what was detected.

    Args:
        motion: in file units and axes, at the frame rate to be used.
        options: of the user; what is "auto" is detected.
        file: properties of the file.
        findings: of the reader.
    """
    motion = _without_halves(motion)
    if np.isnan(motion.positions).all():
        raise FormatError(
            file.path,
            f"no point is ever there: all {motion.n_frames} frames of {len(motion.names)} points are empty. "
            "Is it the right file?",
        )
    metres_per_unit, found_units = point_units.find(motion, options, file.metres_per_unit)
    up, found_up = point_up.find(motion, options, file.up)
    motion = replace(motion, positions=turn(motion.positions * metres_per_unit, up))
    excess = limits.find_excess(motion)
    if excess is not None:
        raise FormatError(file.path, f"{excess}. Please correct the file, or give its unit or rate.")
    filled, found_gaps = np.zeros((0, 3), int), _describe_gaps(motion, find_gaps(motion))
    if options.fill_gaps > 0:
        motion, filled = fill_gaps(motion, options.fill_gaps)
        found_gaps += _describe_filled(motion, filled, options.fill_gaps)
    source = Source(
        path=file.path,
        format=file.format,
        digest=file.digest,
        fps=file.stated_fps,
        metres_per_unit=metres_per_unit,
        up=up,
        filled=tuple((motion.names[point], start, stop) for point, start, stop in filled.tolist()),
    )
    found_rate = _describe_rate(options, file.stated_fps)
    found = findings + found_rate + found_up + found_units + found_gaps
    return Take(Path(file.path).stem, motion, source, found)


def to_file(motion: PointMotion, source: Source | None) -> tuple[np.ndarray, float]:
    """Positions (F, M, 3) in the units and axes of a source, and metres per unit; metres and y up without one."""
    if source is None:
        return motion.positions, 1.0
    return turn(motion.positions, source.up, back=True) / source.metres_per_unit, source.metres_per_unit


def turn(positions: np.ndarray, up: str, *, back: bool = False) -> np.ndarray:
    """Positions (..., 3) of a file with an up axis turned so that y is up, or back; no digit changes."""
    if up == "y":
        return positions
    matrix = np.rint(rotations.to_matrix(turn_to_y(up))).astype(int)
    matrix = matrix.T if back else matrix
    axes = np.abs(matrix).argmax(axis=1)
    return positions[..., axes] * matrix[np.arange(3), axes]


def _without_halves(motion: PointMotion) -> PointMotion:
    """A point of which a coordinate is missing is missing."""
    halves = np.isnan(motion.positions).any(axis=2) & ~np.isnan(motion.positions).all(axis=2)
    if not halves.any():
        return motion
    return replace(motion, positions=np.where(halves[..., None], np.nan, motion.positions))


def _describe_rate(options: ReadOptions, stated_fps: float) -> tuple[Finding, ...]:
    if options.fps is None or options.fps == stated_fps:
        return ()
    return (Finding("rate", f"{options.fps:g} frames per second, as given; the file states {stated_fps:g}"),)


def _describe_gaps(motion: PointMotion, gaps: np.ndarray) -> tuple[Finding, ...]:
    """How many gaps (G, 3) there are, the longest, and the points that are never there."""
    lengths = gaps[:, STOP] - gaps[:, START]
    absent = gaps[lengths == motion.n_frames, POINT]
    gaps, lengths = gaps[lengths < motion.n_frames], lengths[lengths < motion.n_frames]
    findings = []
    if len(absent):
        names = _list_names([motion.names[point] for point in absent])
        findings.append(Finding("gaps", f"never there, in no frame: {names}", True))
    if len(gaps):
        point, start, stop = gaps[lengths.argmax()].tolist()
        share = int(lengths.sum()) / (motion.n_frames * len(motion.names))
        message = (
            f"{_count(gaps)} in {len(np.unique(gaps[:, POINT]))} of {len(motion.names)} points, {_percent(share)} of "
            f"all samples; the longest, of '{motion.names[point]}', lasts {(stop - start) / motion.fps:.2f} s, frames "
            f"{start} to {stop - 1}"
        )
        findings.append(Finding("gaps", message, True))
    return tuple(findings)


def _describe_filled(motion: PointMotion, filled: np.ndarray, longest: float) -> tuple[Finding, ...]:
    if not len(filled):
        return (Finding("filled", f"no gap of up to {longest:g} s to be filled"),)
    n_samples = int((filled[:, STOP] - filled[:, START]).sum())
    names = [motion.names[point] for point in np.unique(filled[:, POINT])]
    message = (
        f"{_count(filled)} of up to {longest:g} s filled, {n_samples} samples of {_list_names(names)}; the source of "
        "the take marks each of them"
    )
    return (Finding("filled", message),)


def _count(gaps: np.ndarray) -> str:
    return f"{len(gaps)} {'gap' if len(gaps) == 1 else 'gaps'}"


def _list_names(names: list[str]) -> str:
    return ", ".join(names[:_SHOWN]) + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %" if share >= 0.001 else "less than 0.1 %"
