"""The desk for match sets: compares the takes of a graph once, then answers whatever is asked about their frames."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from motionloom.caching import Recent
from motionloom.errors import BadInput
from motionloom.studio.desks.lent_corpus import open_lent
from motionloom.tasks import Task

if TYPE_CHECKING:
    from motionloom.conform import View
    from motionloom.methods.snap.author.compared_view import ComparedView
    from motionloom.methods.snap.author.graph_request import GraphRequest
    from motionloom.methods.snap.author.hub_resolution import ResolvedHub
    from motionloom.motion import Motion, Placement
    from motionloom.similarity import PointClouds
    from motionloom.similarity.tiles import Scratch

SUGGESTIONS = 6  # hubs beside those of a graph
KEPT = 2  # choices of takes whose distances are remembered
FAR = 0.5  # share of all pairs that are farther than what the image shows as far
SAMPLES = 20_000  # pairs that this is found from
ROWS = 8  # frames of a pixel's height that are compared at most; of its width all are
LINES = 16  # pixels that are computed at a time
NEAREST = 254  # of the shades of the image, 0 is nearest; 255 is for frames that cannot be compared


@dataclass(frozen=True, eq=False)
class Known:
    """Takes, and how alike their frames are."""

    compared: "ComparedView"
    measure: "PointClouds"
    far: float  # metres
    revision: int  # of the corpus, when it was looked at last

    @property
    def view(self) -> "View":
        return self.compared.view


class MatchSetsDesk:
    """Keeps views, measures and minima of slices: nothing is compared again when hubs or thresholds change."""

    def __init__(self, folder: Path, can_write: bool) -> None:
        self.corpus = open_lent(folder, can_write)
        self.n_comparisons = 0  # how often takes were compared; for tests
        self._kept: Recent[tuple[str | float, ...], Known] = Recent(KEPT)

    def warm_up(self, task: Task) -> None:
        """Load what comparing needs."""
        from motionloom.methods.snap.author import hub_resolution  # noqa: F401

    def compare(self, task: Task, takes: list[str] | None, fps: float = 60.0, revision: int = 0) -> dict[str, Any]:
        """Compare takes with each other, where that was not done before; says what the material is.

        Takes come in the order of the corpus, whatever theirs is: match frames and graphs count frames like that.
        """
        from motionloom.assembly.material import choose_material
        from motionloom.methods.snap.author.match_sets import spacing_in_frames

        found = self._compared(task, choose_material(self.corpus, takes), fps, revision)
        view = found.view
        return {
            "fps": view.fps,
            "frames": view.n_frames,
            "takes": [
                {"name": name, "start": int(start), "frames": int(stop - start), "step": _step(view, start, stop)}
                for name, start, stop in zip(view.names, view.starts[:-1], view.starts[1:])
            ],
            "skeleton": view.skeleton.digest,
            "usual": found.compared.usual,
            "threshold": found.compared.threshold,
            "most": found.compared.most,
            "far": found.far,
            "least_w_min": spacing_in_frames(0.0, view.fps) / view.fps,
        }

    def image(
        self,
        task: Task,
        takes: list[str],
        columns: tuple[int, int],
        rows: tuple[int, int],
        width: int,
        height: int,
        fps: float = 60.0,
    ) -> np.ndarray:
        """(height, width) uint8: the nearest pair of each pixel; 0 is nearest, 254 far, 255 cannot be compared.

        Where a pixel is many frames high, a few of them stand for it: ridges of near pairs are long, so that they are
        met anyway, and the image of an hour comes as quickly as that of a minute.
        """
        from motionloom.similarity.tiles import run_tiles, split

        found = self._compared(task, takes, fps)
        across, down = _edges(columns, width, found.view.n_frames), _edges(rows, height, found.view.n_frames)
        first, stop = int(across[0]), int(across[-1])
        starts = np.minimum(across[:-1], stop - 1) - first
        is_tall = (down[-1] - down[0]) > ROWS * height

        def draw(lines: slice, scratch: "Scratch") -> np.ndarray:
            tops, bottom = down[lines], int(max(down[lines.stop], down[lines.stop - 1] + 1))
            if is_tall:
                middle = (int(tops[0]) + bottom) // 2
                strip = slice(middle - ROWS // 2, middle - ROWS // 2 + ROWS)
                block = found.measure.squared_block(strip, slice(first, stop), scratch).min(axis=0)[None]
            else:
                strip = slice(int(tops[0]), bottom)
                block = found.measure.squared_block(strip, slice(first, stop), scratch)
                block = np.minimum.reduceat(block, np.minimum(tops, bottom - 1) - tops[0], axis=0)
            return np.minimum.reduceat(block, starts, axis=1)

        lines = split(0, height, 1 if is_tall else LINES)
        nearest = np.concatenate(run_tiles(draw, lines, progress=lambda *_: task.check()))
        shades = np.minimum(np.sqrt(nearest) / found.far, 1.0) * NEAREST
        return np.where(np.isfinite(nearest), shades, 255).astype(np.uint8)

    def slice(self, task: Task, takes: list[str], frame: int, fps: float = 60.0) -> dict[str, np.ndarray]:
        """How far all frames are from one, and where each take comes nearest to it.

        Returns:
            distances (F,) float32 metres, NaN where frames cannot be compared; minima (N,) int32 frames, nearest first.
        """
        found = self._compared(task, takes, fps)
        _check(frame, found)
        if not found.measure.comparable[frame]:
            distances = np.full(found.view.n_frames, np.nan, np.float32)
            return {"distances": distances, "minima": np.zeros(0, np.int32)}
        distances = found.measure.pairs(frame, np.arange(found.view.n_frames))
        minima, _ = found.compared.minima.of(frame)
        return {"distances": np.where(np.isfinite(distances), distances, np.nan).astype(np.float32), "minima": minima}

    def poses(self, task: Task, takes: list[str], frames: list[int], fps: float = 60.0) -> dict[str, np.ndarray]:
        """Frames as the distance to the first compares them: it stands in the middle, the others are laid over it.

        Returns:
            roots (N, 3) float32 metres, rotations (N, J, 4) float32.
        """
        from motionloom.motion import compose, place
        from motionloom.similarity import align_frames

        found = self._compared(task, takes, fps)
        for frame in frames:
            _check(frame, found)
        first = frames[0]
        ground = _own_ground(found.view.pose(first))
        roots, rotations = [], []
        for frame in frames:
            one = found.view.pose(frame)
            can_align = found.measure.comparable[frame] and found.measure.comparable[first]
            if frame == first:
                onto = ground
            elif can_align:
                onto = compose(ground, align_frames(found.measure, frame, first))
            else:
                onto = _own_ground(one)
            placed = place(one, onto)
            roots.append(placed.root_positions[0])
            rotations.append(placed.local_rotations[0])
        return {"roots": np.array(roots, np.float32), "rotations": np.array(rotations, np.float32)}

    def grow(
        self, task: Task, takes: list[str], seed: int, w_min: float, taken: list[int], fps: float = 60.0
    ) -> dict[str, Any]:
        """Frames that can join the match set of one, and how far they are, nearest first."""
        from motionloom.methods.snap.author.match_sets import grow_set, spacing_in_frames

        found = self._compared(task, takes, fps)
        _check(seed, found)
        view, minima = found.view, found.compared.minima
        spacing = spacing_in_frames(w_min, view.fps)
        grown = grow_set(minima, view.starts, seed, minima.threshold, spacing=spacing, taken=taken)
        order = np.lexsort((grown.frames, grown.distances))
        return {"seed": seed, "frames": grown.frames[order].tolist(), "distances": grown.distances[order].tolist()}

    def resolve(
        self, task: Task, request: dict[str, Any], takes: list[str], count: int = SUGGESTIONS
    ) -> dict[str, Any]:
        """The match sets of all hubs of a graph, and the best ones beside them."""
        from motionloom.methods.snap.author.graph_request import GraphRequest
        from motionloom.methods.snap.author.hub_resolution import resolve_hubs

        wanted = GraphRequest.from_data(request)
        found = self._compared(task, takes, wanted.fps)
        hubs = resolve_hubs(found.compared, wanted)
        taken = [int(frame) for hub in hubs for frame in hub.frames]
        problem, suggestions = "", []
        try:
            suggestions = _suggest(found.compared, wanted, taken, count) if count else []
        except BadInput as error:
            problem = str(error)
        return {"hubs": [_describe(hub) for hub in hubs], "suggestions": suggestions, "problem": problem}

    def _compared(self, task: Task, takes: list[str], fps: float, revision: int | None = None) -> Known:
        """The takes as they were compared; compared now where they were not, or where the corpus has changed.

        revision: None for whatever was looked at last.
        """
        key: tuple[str | float, ...] = (*takes, fps)
        kept = self._kept.get(key)
        if kept is None or revision not in (None, kept.revision):
            kept = self._compare(task, takes, fps, kept, revision or 0)
        self._kept.put(key, kept)
        return kept

    def _compare(self, task: Task, takes: list[str], fps: float, before: Known | None, revision: int) -> Known:
        from motionloom.conform import ViewSettings, make_view
        from motionloom.graphs.view_measures import measure_view_points
        from motionloom.methods.snap.author.compared_view import compare_view

        task.progress(0, 0, "reading takes")
        progress = partial(task.progress, note="takes read")
        view = make_view(self.corpus, takes, ViewSettings(fps=fps), progress=progress)
        if before is not None and before.view.key == view.key:
            return Known(before.compared, before.measure, before.far, revision)
        compared = compare_view(view, progress=partial(task.progress, note="comparing frames"))
        measure = measure_view_points(view)
        self.n_comparisons += 1
        return Known(compared, measure, _far(measure), revision)


def _suggest(compared: "ComparedView", wanted: "GraphRequest", taken: list[int], count: int) -> list[dict[str, Any]]:
    """Match sets that can be hubs as they are, the best first."""
    from motionloom.methods.snap.author.compared_view import frame_in_view
    from motionloom.methods.snap.author.hub_resolution import suggest_hubs

    return [
        {
            "take": found.seed.take,
            "frame": found.seed.frame,
            "seed": frame_in_view(compared.view, found.seed),
            "frames": sorted(frame_in_view(compared.view, frame) for frame in found.frames),
            "threshold": found.threshold,
            "mean": found.mean_distance,
            "worst": found.worst_distance,
            "takes": len(found.takes),
            "planted": list(found.planted),
        }
        for found in suggest_hubs(compared, wanted, taken=taken, count=count)
    ]


def _describe(hub: "ResolvedHub") -> dict[str, Any]:
    """A hub for the page; the largest set is grown from the frame that is nearest to itself."""
    grown = np.flatnonzero(hub.distances == 0)
    seed = int(hub.frames[grown[0]]) if hub.seed is None and len(grown) else hub.seed
    return {
        "name": hub.name,
        "frames": hub.frames.tolist(),
        "distances": [float(metres) if np.isfinite(metres) else None for metres in hub.distances],
        "seed": seed,
        "threshold": hub.threshold,
        "mean": hub.mean_distance,
        "problem": hub.problem,
    }


def _step(view: "View", start: int, stop: int) -> float:
    """Frames of the recording from one frame of a motion to the next."""
    return float(view.source_frames[start + 1] - view.source_frames[start]) if stop - start > 1 else 1.0


def _own_ground(motion: "Motion") -> "Placement":
    """The placement that puts the first frame of a motion over the middle, looking along z."""
    from motionloom.features.facing import find_facing
    from motionloom.motion import Placement, invert, kinematics

    headings, ground = find_facing(motion.skeleton, kinematics.world_positions(motion))
    return invert(Placement(float(headings[0]), ground[0]))


def _far(measure: "PointClouds") -> float:
    """A distance that many pairs have."""
    frames = np.flatnonzero(measure.comparable)
    rng = np.random.default_rng(0)
    return float(np.quantile(measure.pairs(rng.choice(frames, SAMPLES), rng.choice(frames, SAMPLES)), FAR))


def _edges(frames: tuple[int, int], pixels: int, n_frames: int) -> np.ndarray:
    """(pixels + 1,) int: the frames where pixels begin."""
    start, stop = frames
    if not 0 <= start < stop <= n_frames:
        raise BadInput(f"frames [{start}, {stop}) of {n_frames}; an image shows one or more of them")
    return np.linspace(start, stop, pixels + 1).astype(np.int64)


def _check(frame: int, found: Known) -> None:
    if frame >= found.view.n_frames:
        raise BadInput(f"frame {frame} of {found.view.n_frames}; they count from 0")
