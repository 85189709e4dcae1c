"""The desk for what is looked at: bodies of skeletons, footprints, contacts."""

import contextlib
from pathlib import Path
from typing import Any

import numpy as np

from motionloom.caching import Recent
from motionloom.errors import MotionloomError
from motionloom.motion import Footing, Motion, Support, Terrain, find_runs
from motionloom.motion.placement import turn_ground
from motionloom.studio.desks.lent_corpus import open_lent
from motionloom.tasks import Task

MOST_POINTS = 2000  # of one curve that a page gets
SKETCHES_KEPT = 2000
MOST_HEIGHTS = 160  # of terrain along each side that a page gets
FOOT_POINTS = ("left_heel", "left_ball", "right_heel", "right_ball")


class DisplayDesk:
    """Quick things that need compiled code."""

    def __init__(self, folder: Path, can_write: bool) -> None:
        self.corpus = open_lent(folder, can_write)
        self._sketches: Recent[tuple, dict[str, Any]] = Recent(SKETCHES_KEPT)

    def warm_up(self, task: Task) -> None:
        """Load and compile what is needed first: the body of the first take."""
        infos = [info for info in self.corpus.infos() if info.skeleton is not None]
        if infos:
            self.body(task, infos[0].skeleton or "")
            self.steps(task, infos[0].name)

    def body(self, task: Task, skeleton: str) -> dict[str, np.ndarray]:
        """The skinned body of a skeleton, by its digest."""
        from motionloom.body import NeutralPose, build
        from motionloom.corpus import read_neutral_pose

        known = self.corpus.skeleton(skeleton)
        body = build(known, read_neutral_pose(self.corpus, known) or NeutralPose())
        return {
            "vertices": body.vertices.astype(np.float32),
            "normals": body.normals.astype(np.float32),
            "triangles": body.triangles.astype(np.uint32),
            "joints": body.joints.astype(np.uint16),
            "weights": body.weights.astype(np.float32),
            "bind_positions": body.bind_positions.astype(np.float32),
            "bind_rotations": body.bind_rotations.astype(np.float32),
        }

    def steps(self, task: Task, take: str) -> dict[str, Any]:
        """Footprints of a take and when each point of the feet rests."""
        motion = self.corpus.take(take).motion
        if not isinstance(motion, Motion):
            return {"footprints": [], "contacts": {}, "supports": []}
        return describe_footsteps(motion, self.corpus.layer(take, "contacts"), self.corpus.footing(take))

    def plots(self, task: Task, take: str) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        """Curves of a take: how fast, which way, how high the feet; as header and arrays."""
        from motionloom.features.motion_curves import find_curves

        info, motion = self.corpus.info(take), self.corpus.take(take).motion
        if not isinstance(motion, Motion):
            return {"frames": info.n_frames, "every": 1}, {}
        curves = find_curves(motion, info.floor_height, self.corpus.ground(take))
        every = -(-motion.n_frames // MOST_POINTS)
        arrays = {name: values[::every].astype(np.float32) for name, values in curves.items()}
        return {"frames": info.n_frames, "every": every}, arrays

    def looks(self, task: Task, names: list[str], frames: np.ndarray) -> dict[str, Any]:
        """How markers are drawn that are at some places in some frames."""
        from motionloom.studio.desks.point_looks import describe_looks

        return describe_looks(names, frames)

    def sketch(self, task: Task, wanted: list[tuple[str, int | None]]) -> list[dict[str, Any] | None]:
        """Frames of takes as a few strokes; None for a take that cannot be read."""
        return [self._sketch_one(take, frame) for take, frame in wanted]

    def telling_frames(self, task: Task, takes: list[str], count: int) -> list[list[int]]:
        """The frames of each take that are least alike, in the order of time; none of one that cannot be read."""
        from motionloom.studio.desks.sketches import find_telling_frames

        def find(take: str) -> list[int]:
            with contextlib.suppress(MotionloomError):
                return find_telling_frames(self.corpus, take, count)
            return []

        return [find(take) for take in takes]

    def _sketch_one(self, take: str, frame: int | None) -> dict[str, Any] | None:
        from motionloom.studio.desks.sketches import sketch_take

        try:
            key = (self.corpus.info(take).digest, frame)
            sketch = self._sketches.get(key)
            if sketch is None:
                sketch = sketch_take(self.corpus, take, frame)
                self._sketches.put(key, sketch)
        except MotionloomError:  # it is gone, or damaged: the list says so in its own place
            return None
        return {**sketch, "take": take}

    def export(self, task: Task, result: Any, name: str, extension: str, skeleton: str | None = None) -> bytes:
        """The only character of a result as a file; on the skeleton of a take, or on that which it was made on."""
        import tempfile

        from motionloom.assembly.results.exported_skeleton import find_skeleton, on_skeleton
        from motionloom.corpus import read_neutral_pose
        from motionloom.methods.result_files import write_character

        if skeleton is not None:
            result = on_skeleton(result, find_skeleton(self.corpus, skeleton))
        moving = result.character.motion
        neutral = read_neutral_pose(self.corpus, moving.skeleton) if isinstance(moving, Motion) else None
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"motion.{extension}"
            write_character(path, result, name=name, neutral=neutral)
            return path.read_bytes()


def describe_footsteps(motion: Motion, contacts: np.ndarray, footing: Footing) -> dict[str, Any]:
    """Footprints, contacts and what feet stand on as plain values; heights are above the floor."""
    from motionloom.render.scene.footprints import find_footprints

    floor = footing.ground.floor
    always = [Support(box, 0, max(motion.n_frames, 1)) for box in footing.ground.boxes]
    return {
        "footprints": [
            {
                "side": footprint.side,
                "frame": footprint.frame,
                "outline": np.round(footprint.outline, 4).tolist(),
                "height": round(footprint.height - floor, 4),
                "slope": tuple(round(part, 4) for part in footprint.slope),
            }
            for footprint in find_footprints(motion, contacts, footing)
        ],
        "supports": [
            {
                "centre": support.box.centre,
                "half": support.box.half,
                "turn": support.box.turn,
                "top": support.box.top - floor,
                "bottom": support.box.bottom - floor,
                "start": support.start,
                "stop": support.stop,
            }
            for support in (*always, *footing.supports)
        ],
        "terrain": None if footing.ground.terrain is None else _describe_terrain(footing.ground.terrain, floor),
        "contacts": {
            point: [(int(a), int(b)) for a, b in find_runs(np.asarray(contacts)[:, column] > 0)]
            for column, point in enumerate(FOOT_POINTS)
        },
    }


def _describe_terrain(terrain: Terrain, floor: float) -> dict[str, Any]:
    """Terrain as plain values, on a coarser grid where it is finer than a page needs."""
    counts = [min(size, MOST_HEIGHTS) for size in terrain.heights.shape]
    extents = [(size - 1) * terrain.spacing for size in terrain.heights.shape]
    spacing = [extent / max(count - 1, 1) for extent, count in zip(extents, counts)]
    own = np.stack(np.meshgrid(*(np.arange(n) * step for n, step in zip(counts, spacing)), indexing="ij"), axis=-1)
    heights = terrain.at(turn_ground(own, terrain.turn) + np.asarray(terrain.origin)) - floor
    return {
        "origin": terrain.origin,
        "spacing": tuple(spacing),
        "turn": terrain.turn,
        "heights": np.round(np.nan_to_num(heights), 4).tolist(),
    }
