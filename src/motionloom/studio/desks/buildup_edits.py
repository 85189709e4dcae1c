"""Edits at the desk of the build-up workspace: where their poses are passed, and bridges while one is dragged."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from motionloom.methods.buildup import Model
    from motionloom.methods.buildup.sequence.edits import MadeEdit


def describe_edits(model: "Model", made: "Sequence[MadeEdit]") -> list[dict[str, Any]]:
    """What became of edits, as plain values: frames are those of the motion that all of them leave."""
    from motionloom.methods.buildup.sequence.edits import frame_passed, path_of

    if not made:
        return []
    path = path_of(model, made[-1].sequence)
    described = []
    for number, edit in enumerate(made):
        frame = frame_passed(made, number)
        start = _frame_after(made, number, edit.start) if edit.bridge is not None else None
        stop = _frame_after(made, number, edit.start + edit.n_bridged - 1) if edit.bridge is not None else None
        where = None if frame is None else path[frame]
        if edit.bridge is None:
            given = path_of(model, edit.given)
            where = given[min(edit.start, len(given) - 1)]
        described.append(
            {
                "why_not": edit.why_not,
                "frames": edit.n_bridged,
                "start": start,
                "stop": None if stop is None else stop + 1,
                "frame": frame,
                "place": None if where is None else tuple(float(value) for value in where),
            }
        )
    return described


def describe_bridge(model: "Model", made: "MadeEdit") -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The bridge of an edit as a way is described, with the pose that it passes as its end."""
    from motionloom.methods.buildup.sequence.edits import path_of, shown_by
    from motionloom.methods.buildup.sequence.sequence import placement_at
    from motionloom.motion import place

    bridge, passed = made.bridge, made.passed
    assert bridge is not None and bridge.through is not None and passed is not None
    path, frame = path_of(model, made.sequence), int(shown_by(model, made.sequence)[passed])
    where = (float(path[passed, 0]), float(path[passed, 1]), float(path[passed, 2]))
    pose = place(model.view.pose(frame), placement_at(model, frame, where))
    asked = made.edit.place
    described = {
        "seconds": made.n_bridged / model.fps,
        "place": where,
        "away": 0.0 if asked is None else float(np.hypot(where[0] - asked[0], where[1] - asked[1])),
        "cuts": bridge.frames_of_joins,
        "hardest": max((*bridge.distances, bridge.last_distance)) / model.graph.threshold,
        "group": int(model.groups.of_frame[frame]),
        "clips": [{"take": clip.name, "start": clip.start, "stop": clip.stop} for clip in bridge.clips],
    }
    arrays = {
        "path0": path[max(made.start - 1, 0) : made.start + made.n_bridged + 1, :2].astype(np.float32),
        "root0": pose.root_positions[0].astype(np.float32),
        "rotations0": pose.local_rotations[0].astype(np.float32),
    }
    return described, arrays


def _frame_after(made: "Sequence[MadeEdit]", number: int, frame: int) -> int | None:
    """Where a frame of the motion that one edit leaves comes to be after those behind it; None where it is gone."""
    found: int | None = frame
    for later in made[number + 1 :]:
        found = None if found is None else later.frame_after(found)
    return found
