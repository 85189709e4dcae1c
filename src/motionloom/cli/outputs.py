"""Files that commands write: refused before anything is made, written whole or not at all, by their extension."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from motionloom.errors import BadInput

if TYPE_CHECKING:
    from motionloom.assembly import Result
    from motionloom.body import NeutralPose
    from motionloom.corpus import Corpus
    from motionloom.motion import Motion, PointMotion


def make_folder(folder: Path) -> None:
    """Make the folder of an output and those above it."""
    from motionloom.formats import atomic_write

    atomic_write.make_folder(folder)


def check_outputs(out: Path, others: dict[str, Path | None], read: Path | None = None) -> None:
    """Refuse what cannot be written before anything is: a motion, and other files by the option that named them."""
    from motionloom.methods.result_files import extensions

    if out.suffix.lower() not in extensions():
        raise BadInput(f"{out}: cannot write '{out.suffix}'; the extensions are {', '.join(extensions())}")
    check_targets({"--out": out, **others}, read)


def check_kind(out: Path, of_points: bool, skeleton: str | None = None) -> None:
    """Refuse a file that cannot hold what is to be made, bodies or points, and points on a skeleton."""
    from motionloom import formats
    from motionloom.methods.result_files import PICTURES

    known = (*(formats.FOR_POINTS if of_points else formats.FOR_BODIES), *PICTURES)
    if out.suffix.lower() not in known:
        held, made = ("bodies", "points") if of_points else ("points", "bodies")
        raise BadInput(
            f"{out}: a {out.suffix} holds {held}, and the request makes {made}; the extensions for {made} are "
            f"{', '.join(known)}"
        )
    if of_points and skeleton is not None:
        raise BadInput(f"--skeleton {skeleton}: the request makes points, which have no skeleton")


def check_targets(targets: dict[str, Path | None], read: Path | None = None) -> None:
    """Refuse files that cannot be written before anything is: all of them come into being, or none.

    Args:
        targets: files to write, by the option that named them.
        read: the file that is read; only --out may replace it.
    """
    named: dict[Path, str] = {}
    for option, path in targets.items():
        if path is None:
            continue
        where = path.resolve()
        if where in named:
            raise BadInput(f"{named[where]} and {option} are both {path}; give each a file of its own")
        if option != "--out" and read is not None and where == read.resolve():
            raise BadInput(f"{option} is the file that is read, {path}; give another file")
        named[where] = option
        _check_place(path)


def _check_place(path: Path) -> None:
    """Refuse a path that is a folder or a device, or below something that is none or where no file can be made."""
    if path.is_dir():
        raise BadInput(f"{path} is a folder; give the name of a file")
    if path.exists() and not path.is_file():
        raise BadInput(f"{path} is a device or a pipe, which a file would replace; give another name")
    above = next(folder for folder in path.absolute().parents if folder.exists())
    if not above.is_dir():
        raise BadInput(f"{path} cannot be written: {above} is not a folder")
    if not os.access(above, os.W_OK | os.X_OK):
        raise BadInput(f"{path} cannot be written: you may not write to {above}")
    try:  # some folders, such as those of the system's processes, hold no files whoever asks
        with tempfile.TemporaryFile(dir=above):
            pass
    except OSError as error:
        reason = error.strerror or error
        raise BadInput(f"{path} cannot be written: no file can be made in {above} ({reason})") from None


def write_result_files(out: Path, result: Result, corpus: Corpus | None = None) -> list[Path]:
    """Write a result in the format that the file ends in; of several characters each has a file, but for one video.

    Its bodies look as those of the corpus that it was made from, if that is given.
    """
    from motionloom.formats.file_names import distinct_names, portable
    from motionloom.methods.result_files import write_character, write_together
    from motionloom.motion import Motion

    motions = [character.motion for character in result.characters]
    neutrals = [_neutral(corpus, motion) for motion in motions]
    if out.suffix.lower() == ".mp4" and len(motions) > 1 and all(isinstance(motion, Motion) for motion in motions):
        make_folder(out.parent)
        write_together(out, result, neutrals=neutrals)
        return [out]
    written = []
    named = distinct_names([f"{out.stem}_{portable(character.name)}" for character in result.characters], out.suffix)
    for part, name, neutral in zip(result.split(), named, neutrals):
        path = out if len(named) == 1 else out.with_name(name)
        make_folder(path.parent)
        write_character(path, part, name=path.stem, neutral=neutral)
        written.append(path)
    return written


def _neutral(corpus: Corpus | None, motion: Motion | PointMotion) -> NeutralPose | None:
    """The neutral pose of a body as its corpus knows it."""
    from motionloom.corpus import read_neutral_pose
    from motionloom.motion import PointMotion

    if corpus is None or isinstance(motion, PointMotion):
        return None
    return read_neutral_pose(corpus, motion.skeleton)


def numbered(out: Path, number: int) -> Path:
    """out.bvh, out_2.bvh, out_3.bvh ..."""
    return out if number == 0 else out.with_name(f"{out.stem}_{number + 1}{out.suffix}")
