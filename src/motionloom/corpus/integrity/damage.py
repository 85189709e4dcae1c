"""Damage of a take: of its array, its skeleton or its frames."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from motionloom.corpus.records import TakeInfo
from motionloom.corpus.store import array_files
from motionloom.corpus.store.packed_take import content_digests, n_columns
from motionloom.errors import CorpusError
from motionloom.formats.limits import ROUNDING, UNIT_TOLERANCE
from motionloom.motion.packed import packed_roots, packed_rotations

if TYPE_CHECKING:
    from motionloom.corpus.corpus import Corpus

OFF_UNIT = UNIT_TOLERANCE + ROUNDING  # how far the norm of a stored quaternion may be from 1


def find_damage(
    corpus: "Corpus", take: int, info: TakeInfo, stored: array_files.StoredArray, folder: Path | None = None
) -> str | None:
    """Describe the damage of a take, None if it is intact; raises `NotReadableNow` if its array cannot be read.

    Args:
        corpus: of the take.
        take: its row id.
        info: its row.
        stored: its array.
        folder: of its array file; None for the folder of the arrays.
    """
    folder = corpus.arrays if folder is None else folder
    damage = array_files.find_damage(folder, stored)
    if damage is not None:
        return damage
    try:
        skeleton = corpus.skeleton(info.skeleton) if info.skeleton is not None else None
        point_names = corpus.point_names_of(take)
        columns = n_columns(info, skeleton, point_names)
    except CorpusError as error:
        return str(error)
    frames = array_files.open_array(folder, stored)
    expected = (info.n_frames, columns)
    if frames.shape != expected:
        return f"{stored.file} has shape {frames.shape}, expected {expected}"
    bad_frames = None if skeleton is None else _find_bad_frames(frames)
    if bad_frames is not None:
        return bad_frames
    if info.digest not in content_digests(frames, info.fps, skeleton, point_names):
        return (
            f"its rate, its skeleton or its frames are not those of {stored.file} (the digest of its content differs)"
        )
    return None


def _find_bad_frames(frames: np.ndarray) -> str | None:
    """Describe damaged frames of a body, None if all are intact."""
    off = np.abs(np.linalg.norm(packed_rotations(frames), axis=-1) - 1.0).max(axis=1)
    bad = np.flatnonzero(~(off <= OFF_UNIT) | ~np.isfinite(packed_roots(frames)).all(axis=1))
    return f"{len(bad)} frames have invalid values, the first is frame {bad[0]}" if len(bad) else None
