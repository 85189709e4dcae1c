"""Whether a take is whole: its array, its skeleton, its frames."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from motionloom.corpus.records import TakeInfo
from motionloom.corpus.store import array_files
from motionloom.corpus.store.packed_take import n_columns
from motionloom.errors import CorpusError
from motionloom.motion.packed import packed_roots, packed_rotations

if TYPE_CHECKING:
    from motionloom.corpus.corpus import Corpus

UNIT_TOLERANCE = 1e-3  # how far the length of a stored rotation may be from 1


def find_damage(
    corpus: "Corpus", take: int, info: TakeInfo, stored: array_files.StoredArray, folder: Path | None = None
) -> str | None:
    """Say what is wrong with a take, or None; raises `store.NotReadableNow` where that cannot be told.

    Args:
        corpus: that has it.
        take: its row.
        info: what the row says.
        stored: its array.
        folder: where the array is, if not in the folder of the arrays.
    """
    folder = corpus.arrays if folder is None else folder
    damage = array_files.find_damage(folder, stored)
    if damage is not None:
        return damage
    try:
        skeleton = corpus.skeleton(info.skeleton) if info.skeleton is not None else None
        columns = n_columns(info, skeleton, corpus.point_names_of(take))
    except CorpusError as error:
        return str(error)
    frames = array_files.open_array(folder, stored)
    expected = (info.n_frames, columns)
    if frames.shape != expected:
        return f"{stored.file} has shape {frames.shape}, expected {expected}"
    return None if skeleton is None else _find_bad_frames(frames)


def _find_bad_frames(frames: np.ndarray) -> str | None:
    """Say what is wrong with the frames of a body, or None."""
    off = np.abs(np.linalg.norm(packed_rotations(frames), axis=-1) - 1.0).max(axis=1)
    bad = np.flatnonzero(~(off < UNIT_TOLERANCE) | ~np.isfinite(packed_roots(frames)).all(axis=1))
    return f"{len(bad)} frames are not rotations, the first is frame {bad[0]}" if len(bad) else None
