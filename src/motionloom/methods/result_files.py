"""Files of results, by their extension: what commands write, what the studio exports, what the tour shows."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from motionloom.assembly import Method, Result
    from motionloom.body import NeutralPose

PICTURES = (".png", ".mp4")
VIDEO_SIZE = (960, 540)


def extensions() -> tuple[str, ...]:
    """What `write_character` writes."""
    from motionloom.formats import WRITABLE

    return (*WRITABLE, *PICTURES)


def write_character(
    path: str | Path,
    result: "Result",
    *,
    name: str | None = None,
    video_size: tuple[int, int] = VIDEO_SIZE,
    neutral: "NeutralPose | None" = None,
) -> None:
    """Write the only character of a result: a motion file, a contact sheet (.png) or a video (.mp4).

    Args:
        path: where to; an .npz holds the whole result, see `read_result`.
        result: of one character.
        name: of the motion in the file, and title of a contact sheet; the name of the file if it is not given.
        video_size: width and height in pixels.
        neutral: neutral pose of the body, as the corpus knows it; None to learn it from the motion.
    """
    from motionloom import formats, render
    from motionloom.assembly import write_result

    path = Path(path)
    extension, character, name = path.suffix.lower(), result.character, name or path.stem
    motion, rests, footing = character.motion, character.contacts, character.footing
    if extension == ".npz":
        write_result(path, result)
    elif extension == ".png":
        render.write_contact_sheet(
            path, motion, contacts=rests, title=name, floor=0.0, footing=footing, neutral=neutral
        )
    elif extension == ".mp4":
        render.write_video(path, motion, contacts=rests, floor=0.0, size=video_size, footing=footing, neutral=neutral)
    else:
        formats.write(path, motion, name=name, footing=footing, neutral=neutral)


def write_together(
    path: str | Path,
    result: "Result",
    *,
    video_size: tuple[int, int] = VIDEO_SIZE,
    neutrals: "Sequence[NeutralPose | None] | None" = None,
) -> None:
    """Write all characters of a result, bodies on one floor and clock, as one video (.mp4).

    Args:
        path: where to.
        result: of several bodies.
        video_size: width and height in pixels.
        neutrals: neutral pose of each, as the corpus knows it; None to learn them from the motions.
    """
    from motionloom import render
    from motionloom.motion import Motion

    bodies = [character.motion for character in result.characters if isinstance(character.motion, Motion)]
    render.write_group_video(path, bodies, size=video_size, neutrals=neutrals)


def draw_result(method: "Method", path: str | Path, result: "Result", title: str = "") -> None:
    """Draw a result as a PNG: the method's own picture, or a contact sheet of its first character."""
    if hasattr(method, "draw_sheet"):
        method.draw_sheet(path, result, title)
        return
    from motionloom import render

    character = result.characters[0]
    footing, rests = character.footing, character.contacts
    render.write_contact_sheet(path, character.motion, contacts=rests, title=title, floor=0.0, footing=footing)
