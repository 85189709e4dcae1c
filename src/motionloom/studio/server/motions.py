"""Motions that pages can play: takes of the corpus, and answers that searches have found."""

from collections.abc import Sequence

import numpy as np

from motionloom.caching import Recent
from motionloom.corpus import Corpus
from motionloom.errors import BadInput
from motionloom.motion.packed import packed_roots, packed_rotations
from motionloom.studio.desks.point_looks import sampled_frames
from motionloom.studio.server.answers import PREFIX as ANSWER
from motionloom.studio.server.answers import answers_of
from motionloom.studio.server.messages.motions import Footprints, Motion, PointLooks, Skeleton, SkeletonEnd
from motionloom.studio.server.packing import pack
from motionloom.studio.server.studio import Studio

CHUNK = 256  # frames in one message
LOOKS_KEPT = 100
WHOLE = 32767  # that a rotation's 1 is sent as
_TAKE = "take:"


def describe_motion(studio: Studio, motion: str) -> Motion:
    """What a page needs to know before frames come."""
    if motion.startswith(ANSWER):
        found = answers_of(studio).find_motion(motion)
        return Motion(
            id=motion,
            name=found.name,
            kind="body" if found.points is None else "points",
            fps=found.fps,
            frames=found.n_frames,
            floor=0.0,
            skeleton=found.skeleton,
            points=None if found.points is None else list(found.points),
            looks=None if found.positions is None else _looks(studio, found.points or (), found.positions),
        )
    with studio.corpus() as corpus:
        info = corpus.info(_take_name(motion))
        points = corpus.point_names(info.name) if info.kind == "points" else None
        positions = None if points is None else _positions(corpus, info.name)
    return Motion(
        id=motion,
        name=info.name,
        kind="body" if info.kind == "body" else "points",
        fps=info.fps,
        frames=info.n_frames,
        floor=info.floor_height,
        skeleton=info.skeleton,
        points=None if points is None else list(points),
        looks=None if positions is None else _looks(studio, points or (), positions),
    )


def read_footsteps(studio: Studio, motion: str) -> Footprints:
    """Footprints and contacts of a motion."""
    if motion.startswith(ANSWER):
        return Footprints.model_validate(answers_of(studio).find_motion(motion).steps)
    return Footprints.model_validate(studio.ask("display", "steps", {"take": _take_name(motion)}))


def pack_frames(studio: Studio, motion: str, start: int, stop: int) -> bytes:
    """Frames [start, stop) of a motion, at most `CHUNK` of them, as a binary message."""
    if start >= stop:
        raise BadInput(f"frames {start} to {stop} are no range: the start comes before the stop")
    stop = min(stop, start + CHUNK)
    if motion.startswith(ANSWER):
        found = answers_of(studio).find_motion(motion)
        if found.roots is None or found.rotations is None:
            assert found.positions is not None
            return _pack_points(motion, start, found.positions[start:stop])
        return _pack_body(motion, start, found.roots[start:stop], found.rotations[start:stop])
    with studio.corpus() as corpus:
        if corpus.info(_take_name(motion)).kind != "body":
            return _pack_points(motion, start, np.array(_positions(corpus, _take_name(motion))[start:stop]))
        frames = np.array(corpus.frames(_take_name(motion))[start:stop])
    return _pack_body(motion, start, packed_roots(frames), packed_rotations(frames))


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


def _positions(corpus: Corpus, take: str) -> np.ndarray:
    """(F, M, 3) metres: the frames of a take of points, as they are stored."""
    frames = corpus.frames(take)
    return frames.reshape(len(frames), -1, 3)


def _looks(studio: Studio, names: Sequence[str], positions: np.ndarray) -> PointLooks:
    """How points are drawn; found once for the same frames."""
    frames = np.asarray(positions[sampled_frames(len(positions))], float)
    kept = studio.kept.setdefault("point looks", Recent(LOOKS_KEPT))
    key = (tuple(names), frames.tobytes())
    looks = kept.get(key)
    if looks is None:
        looks = PointLooks.model_validate(studio.ask("display", "looks", {"names": list(names), "frames": frames}))
        kept.put(key, looks)
    return looks


def _pack_body(motion: str, start: int, roots: np.ndarray, rotations: np.ndarray) -> bytes:
    header = {"type": "frames", "motion": motion, "start": start, "count": len(roots)}
    return pack(header, pack_arrays(roots, rotations))


def pack_arrays(roots: np.ndarray, rotations: np.ndarray) -> dict[str, np.ndarray]:
    """Frames of a body as they travel: (F, 3) metres and (F, J, 4) whole numbers."""
    whole = np.clip(np.rint(rotations * WHOLE), -WHOLE, WHOLE).astype(np.int16)
    return {"roots": roots.astype(np.float32), "rotations": whole}


def _pack_points(motion: str, start: int, points: np.ndarray) -> bytes:
    return pack({"type": "frames", "motion": motion, "start": start, "count": len(points)}, {"points": points})


def _take_name(motion: str) -> str:
    if not motion.startswith(_TAKE):
        raise BadInput(f"'{motion}' is no motion; they are named take:NAME or answer:NUMBER")
    return motion[len(_TAKE) :]
