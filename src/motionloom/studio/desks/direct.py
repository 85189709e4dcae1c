"""The desk of the Direct workspace: the motion while something of it is dragged.

It answers every event of a drag from the answer to the one before; the search that settles runs at the desk of the
method.
"""

import contextlib
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from motionloom.errors import BadInput
from motionloom.features.face_distances import find_face_distances, range_of
from motionloom.motion import PointMotion
from motionloom.studio.desks.method import MethodDesk
from motionloom.studio.desks.point_looks import describe_looks, sampled_frames
from motionloom.tasks import Task

if TYPE_CHECKING:
    from motionloom.conform.point_view import PointView
    from motionloom.methods.dynamics import Model
    from motionloom.methods.dynamics.search import State


class DirectDesk(MethodDesk):
    """Keeps models, and where the last drag came to."""

    def __init__(self, folder: Path, can_write: bool) -> None:
        super().__init__(folder, can_write, "dynamics")
        self._last: tuple[Model, State] | None = None  # where the last drag came to, and on which model
        self._material: tuple[tuple, Any] | None = None  # of the last request, and what it depends on

    def warm_up(self, task: Task) -> None:
        """Load what dragging needs."""
        from motionloom.methods.dynamics import dragging  # noqa: F401

    def learn(self, task: Task, request: dict[str, Any], revision: int = 0) -> dict[str, Any]:
        """Prepare the model of a request, and answer it once, so that the first drag is as fast as the others."""
        ready, _ = self._ready_for(task, request, revision)
        with contextlib.suppress(BadInput):  # a request that asks nothing yet; a drag says what is wrong
            self.drag(task, request, revision)
        return _describe(ready.model)

    def drag(self, task: Task, request: dict[str, Any], revision: int) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        """The motion that a request makes of the one before, as plain values and arrays.

        Args:
            task: of the call.
            request: as plain data.
            revision: of the corpus; where it has changed, takes and labels are read again.
        """
        from motionloom.methods.dynamics.dragging import drag

        ready, asked = self._ready_for(task, request, revision)
        state = self._last[1] if self._last is not None and self._last[0] is ready.model else None
        dragged = drag(ready.model, asked, state, stop=task.stop)
        self._last = ready.model, dragged.state
        motion = dragged.motion
        parts = [asdict(part) for part in dragged.parts]
        header = {"fps": motion.fps, "frames": motion.n_frames, "skeleton": None, "points": None, "parts": parts}
        if isinstance(motion, PointMotion):
            return {**header, "points": list(motion.names)}, {"points": motion.positions.astype(np.float32)}
        skeleton = motion.skeleton.digest
        return {**header, "skeleton": skeleton}, {"roots": motion.root_positions, "rotations": motion.local_rotations}

    def _material_of(self, asked: Any, revision: int) -> Any:
        """The same while a drag goes on: takes are not listed again for every event of it."""
        from motionloom.methods.dynamics.prepare import named_takes

        key = (revision, asked.prior, asked.fps, asked.skeleton, tuple(named_takes(asked)))
        if self._material is None or self._material[0] != key:
            self._material = key, super()._material_of(asked, revision)
        return self._material[1]


def _describe(model: "Model") -> dict[str, Any]:
    """What a page needs to know of a model, as plain values; see `messages.direct.Director`."""
    about = {"fps": model.fps, "about": model.describe()}
    if not model.is_of_points:
        roles = {name: role for role, name in model.skeleton.roles.items()}
        joints = {name: roles.get(name, name) for name in model.names}
        digest = model.skeleton.digest
        return {**about, "kind": "body", "skeleton": digest, "looks": None, "joints": joints, "distances": []}
    view = model.points
    frames = np.asarray(view.positions[sampled_frames(len(view.positions))], float)
    return {
        **about,
        "kind": "points",
        "skeleton": None,
        "looks": describe_looks(view.markers, frames),
        "joints": {marker: marker for marker in view.markers},
        "distances": _distances(view),
    }


def _distances(view: "PointView") -> list[dict[str, Any]]:
    """The distances of a face that have names, and how far they go in the takes."""
    found = find_face_distances(view.markers, view.rest)
    ends = [(view.markers.index(each.one), view.markers.index(each.other)) for each in found]
    ranges = [range_of(view.positions, *pair) for pair in ends]
    return [
        {"name": each.name, "joint": each.one, "other": each.other, "least": least, "most": most}
        for each, (least, most) in zip(found, ranges)
    ]
