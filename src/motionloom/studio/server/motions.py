"""Motions that pages can play: takes of the corpus, and answers that searches have found."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from motionloom.errors import BadInput
from motionloom.studio.server.messages.motions import Motion, Skeleton, SkeletonEnd, Steps
from motionloom.studio.server.packing import pack
from motionloom.studio.server.studio import Studio

CHUNK = 256  # frames in one message
WHOLE = 32767  # that a rotation's 1 is sent as
ANSWERS_KEPT = 24
_TAKE, _ANSWER = "take:", "answer:"


@dataclass(frozen=True, eq=False)
class Playable:
    """An answer of a search, as a page can play it."""

    name: str
    skeleton: str  # digest
    fps: float
    roots: np.ndarray  # (F, 3) float32 metres
    rotations: np.ndarray  # (F, J, 4) float32
    steps: dict[str, Any]  # footprints and contacts; see `desks.display.describe_footsteps`
    extra: Any = None  # what a workspace keeps with it


class Answers:
    """The last answers, by number."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Playable] = OrderedDict()
        self._next = 0
        self._guard = threading.Lock()

    def keep(self, playable: Playable) -> str:
        """Keep an answer; returns the id of its motion."""
        with self._guard:
            self._next += 1
            name = f"{_ANSWER}{self._next}"
            self._kept[name] = playable
            while len(self._kept) > ANSWERS_KEPT:
                self._kept.popitem(last=False)
            return name

    def update(self, name: str, change: Callable[[Any], Any]) -> None:
        """Change what a workspace keeps with an answer, if it is still kept."""
        with self._guard:
            kept = self._kept.get(name)
            if kept is not None:
                self._kept[name] = replace(kept, extra=change(kept.extra))

    def find(self, name: str) -> Playable:
        """An answer by the id of its motion."""
        with self._guard:
            found = self._kept.get(name)
        if found is None:
            raise BadInput(f"'{name}' is no longer kept; paint, or move the playhead, to search again")
        return found


def answers_of(studio: Studio) -> Answers:
    """The answers of the open corpus."""
    return studio.kept.setdefault("answers", Answers())


def describe_motion(studio: Studio, motion: str) -> Motion:
    """What a page needs to know before frames come."""
    if motion.startswith(_ANSWER):
        one = answers_of(studio).find(motion)
        frames = len(one.roots)
        return Motion(
            id=motion, name=one.name, kind="body", fps=one.fps, frames=frames, floor=0.0, skeleton=one.skeleton,
            points=None,
        )  # fmt: skip
    with studio.corpus() as corpus:
        info = corpus.info(_take_name(motion))
        points = corpus.point_names(info.name) if info.kind == "points" else None
    return Motion(
        id=motion,
        name=info.name,
        kind="body" if info.kind == "body" else "points",
        fps=info.fps,
        frames=info.n_frames,
        floor=info.floor_height,
        skeleton=info.skeleton,
        points=None if points is None else list(points),
    )


def read_footsteps(studio: Studio, motion: str) -> Steps:
    """Footprints and contacts of a motion."""
    if motion.startswith(_ANSWER):
        return Steps.model_validate(answers_of(studio).find(motion).steps)
    return Steps.model_validate(studio.ask("display", "steps", {"take": _take_name(motion)}))


def pack_frames(studio: Studio, motion: str, start: int, stop: int) -> bytes:
    """Frames [start, stop) of a motion, at most `CHUNK` of them, as a binary message."""
    stop = min(stop, start + CHUNK)
    if motion.startswith(_ANSWER):
        one = answers_of(studio).find(motion)
        return _pack_body(motion, start, one.roots[start:stop], one.rotations[start:stop])
    with studio.corpus() as corpus:
        is_body = corpus.info(_take_name(motion)).kind == "body"
        frames = np.array(corpus.frames(_take_name(motion))[start:stop])
    if not is_body:
        points = frames.reshape(len(frames), -1, 3)
        return pack({"type": "frames", "motion": motion, "start": start, "count": len(frames)}, {"points": points})
    return _pack_body(motion, start, frames[:, :3], frames[:, 3:].reshape(len(frames), -1, 4))


def describe_skeleton(studio: Studio, digest: str) -> Skeleton:
    """A skeleton for drawing."""
    with studio.corpus() as corpus:
        skeleton = corpus.skeleton(digest)
    ends = zip(skeleton.end_parents.tolist(), skeleton.end_offsets.tolist())
    return Skeleton(
        digest=digest,
        names=list(skeleton.names),
        parents=skeleton.parents.tolist(),
        offsets=[(x, y, z) for x, y, z in skeleton.offsets.tolist()],
        roles={role: skeleton.names.index(name) for role, name in skeleton.roles.items()},
        ends=[SkeletonEnd(parent=parent, offset=tuple(offset)) for parent, offset in ends],
    )


def pack_body(studio: Studio, digest: str) -> bytes:
    """The skinned body of a skeleton as a binary message."""
    bodies = studio.kept.setdefault("bodies", {})
    if digest not in bodies:
        bodies[digest] = pack({"digest": digest}, studio.ask("display", "body", {"skeleton": digest}))
    return bodies[digest]


def _pack_body(motion: str, start: int, roots: np.ndarray, rotations: np.ndarray) -> bytes:
    header = {"type": "frames", "motion": motion, "start": start, "count": len(roots)}
    whole = np.clip(np.rint(rotations * WHOLE), -WHOLE, WHOLE).astype(np.int16)
    return pack(header, {"roots": roots.astype(np.float32), "rotations": whole})


def _take_name(motion: str) -> str:
    if not motion.startswith(_TAKE):
        raise BadInput(f"'{motion}' is no motion; they are named take:NAME or answer:NUMBER")
    return motion[len(_TAKE) :]
