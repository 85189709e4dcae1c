"""The builder of point views: which markers takes share, and each take at one rate in the frame of the head."""

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property

import numpy as np

from motionloom.caching import cached
from motionloom.conform.base_view import KEPT, LeftOut, choose_takes, read_model, remember_view
from motionloom.conform.point_view import PointView
from motionloom.conform.shared_markers import find_odd_sizes, share_markers
from motionloom.corpus import Corpus, TakeInfo
from motionloom.corpus.packs import Arrays, Packed, Part, read_parts
from motionloom.errors import BadInput
from motionloom.motion import PointMotion
from motionloom.motion.arrays import check_rate
from motionloom.motion.drawn_points import point_extent
from motionloom.motion.head_motion import HeadMotion, take_off_head
from motionloom.motion.points import resample_points
from motionloom.motion.rest_points import RestPoints, find_rest

SAMPLE = 1024  # frames of all takes together, at most, that rest is found in


@dataclass(frozen=True)
class PointViewSettings:
    """How takes of points are shown."""

    fps: float = 60.0  # frames per second
    markers: tuple[str, ...] | None = None  # to show, in this order; None for those that the takes share


DEFAULT = PointViewSettings()


def make_point_view(
    corpus: Corpus,
    names: Iterable[str] | None = None,
    settings: PointViewSettings | None = None,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> PointView:
    """Show takes of points with the markers they share, at one rate, with the head motion taken off.

    Takes that share too few markers with the others, and bodies, are left out, with the reason (`PointView.left_out`);
    it is an error if none share markers. What is made of each take is cached if the corpus is open for writing.

    Args:
        corpus: to read from.
        names: of the takes; None for all takes of points.
        settings: frame rate and markers; None for the defaults.
        progress: called as progress(takes_done, takes_total).
    """
    settings = settings or DEFAULT
    check_rate(settings.fps)
    shown, markers, left_out = _choose(corpus, choose_takes(corpus, names, "points"), settings.markers)
    placing = _Placing(corpus, tuple(shown), settings.fps, markers)
    packed = placing.run(progress)
    key = hashlib.sha256(json.dumps([placing.keys, settings.fps]).encode()).hexdigest()[:32]
    placing.remember(key, packed.starts["positions"])
    return PointView(
        corpus=corpus,
        key=key,
        fps=float(settings.fps),
        names=tuple(info.name for info in shown),
        digests=tuple(info.digest for info in shown),
        motion_keys=tuple(placing.keys),
        starts=packed.starts["positions"],
        source_frames=packed.arrays["source_frames"],
        left_out=tuple(left_out),
        markers=markers,
        positions=packed.arrays["positions"],
        head_positions=packed.arrays["head_positions"],
        head_rotations=packed.arrays["head_rotations"],
        rest=placing.rest.points,
        steady=placing.rest.steady,
        moves=placing.rest.moves,
        has_front=placing.rest.has_front,
    )


def _choose(
    corpus: Corpus, infos: Sequence[TakeInfo], markers: tuple[str, ...] | None
) -> tuple[list[TakeInfo], tuple[str, ...], list[LeftOut]]:
    """The takes of a view, its markers, and why other takes are left out."""
    bodies = [LeftOut(info.name, "it is a body and has no markers") for info in infos if info.kind != "points"]
    points = [info for info in infos if info.kind == "points"]
    if not points:
        raise BadInput(f"{', '.join(left.take for left in bodies[:5])}: bodies have no markers; choose takes of points")
    seen, sizes = _find_seen_markers(corpus, points)
    seconds = {info.name: info.duration for info in points}
    found, left_out = share_markers(seen, seconds, markers)
    out = {left.take for left in left_out}
    left_out += find_odd_sizes({info.name: sizes[info.name] for info in points if info.name not in out})
    out = {left.take for left in left_out}
    order = {left.take: left for left in [*bodies, *left_out]}
    return (
        [info for info in points if info.name not in out],
        found,
        [order[info.name] for info in infos if info.name in order],
    )


def _find_seen_markers(
    corpus: Corpus, infos: Sequence[TakeInfo]
) -> tuple[dict[str, tuple[str, ...]], dict[str, float]]:
    """By the name of a take its markers that are seen in some frame, in its order; and how large it is, metres."""
    parts = [Part(info.digest, info.digest) for info in infos]
    found = read_parts(corpus, _find_seen, parts, lambda number: _find_seen(corpus, infos[number]))
    names = [_motion(corpus, info).names for info in infos]
    seen = {
        info.name: tuple(marker for marker, is_seen in zip(of_take, found.part(number)["seen"]) if is_seen)
        for number, (info, of_take) in enumerate(zip(infos, names))
    }
    return seen, {info.name: float(found.part(number)["extent"][0]) for number, info in enumerate(infos)}


@cached("seen markers")
def _find_seen(corpus: Corpus, info: TakeInfo) -> dict[str, np.ndarray]:
    """(M,) bool: which markers of a take are seen in some frame; (1,) metres that they usually reach."""
    motion = _motion(corpus, info)
    seen = np.isfinite(motion.positions).all(axis=2).any(axis=0)
    return {"seen": seen, "extent": np.array([point_extent(motion)])}


@dataclass(frozen=True, eq=False)
class _Placing:
    """The takes of a view, each to be put into the frame of the head by itself once all have told what rest is."""

    corpus: Corpus
    infos: tuple[TakeInfo, ...]
    fps: float
    markers: tuple[str, ...]

    @cached_property
    def rest(self) -> RestPoints:
        """The markers at rest, from frames of all takes, whatever these are called and in which order they come."""
        infos = sorted(self.infos, key=lambda info: info.digest)
        digests = [info.digest for info in infos]
        settings = {"takes": digests, "markers": self.markers}
        made = read_model(
            self.corpus, _find_rest, settings, digests, lambda: _find_rest(self.corpus, infos, self.markers)
        )
        steady = np.array(made.get("steady", np.zeros(0, int)))
        return RestPoints(np.array(made["points"]), steady, np.array(made["moves"]), bool(made["has_front"][0]))

    @cached_property
    def keys(self) -> list[str]:
        """Of all takes: digests of what decides each, its name not among it."""
        digest = hashlib.sha256(self.rest.points.tobytes())
        digest.update(self.rest.steady.tobytes())
        about = [self.fps, self.markers, digest.hexdigest(), _place_points.code_version]
        texts = [json.dumps([info.digest, *about]) for info in self.infos]
        return [hashlib.sha256(text.encode()).hexdigest()[:32] for text in texts]

    def run(self, progress: Callable[[int, int], None] | None) -> Packed:
        """The arrays of all takes."""
        done = 0

        def make(number: int) -> Arrays:
            nonlocal done
            made = _place_points(self.corpus, self.infos[number], self.fps, self.markers, self.rest)
            done += 1
            if progress is not None:
                progress(done, len(self.infos))
            return made

        parts = [Part(key, info.digest) for key, info in zip(self.keys, self.infos)]
        return read_parts(self.corpus, _place_points, parts, make)

    def remember(self, key: str, starts: np.ndarray) -> None:
        """Keep a row for the view with this key."""
        settings = asdict(PointViewSettings(self.fps, self.markers))
        takes = [info.digest for info in self.infos]
        remember_view(self.corpus, key, starts, settings=settings, takes=takes, version=_place_points.code_version)


@cached("points at rest", at_most=2 * KEPT)
def _find_rest(corpus: Corpus, infos: Sequence[TakeInfo], markers: tuple[str, ...]) -> dict[str, np.ndarray]:
    """The arrays of `RestPoints` of some takes."""
    step = max(1, -(-sum(info.n_frames for info in infos) // SAMPLE))
    frames = [_read(corpus, info, markers)[::step] for info in infos]
    found = find_rest(np.concatenate(frames), np.repeat(np.arange(len(frames)), [len(part) for part in frames]))
    return {
        "points": found.points,
        "steady": found.steady,
        "moves": found.moves,
        "has_front": np.array([found.has_front]),
    }


@cached("placed points")
def _place_points(
    corpus: Corpus, info: TakeInfo, fps: float, markers: tuple[str, ...], rest: RestPoints
) -> dict[str, np.ndarray]:
    """The arrays of one take in a point view."""
    recorded = PointMotion(markers, _read(corpus, info, markers), info.fps)
    shown = recorded if abs(info.fps - fps) <= 1e-9 * fps else resample_points(recorded, fps)
    still, head = take_off_head(shown, rest.points, rest.steady) if len(rest.steady) else _leave_head(shown)
    return {
        "positions": still.positions.astype(np.float32),
        "head_positions": head.positions.astype(np.float32),
        "head_rotations": head.rotations.astype(np.float32),
        "source_frames": np.arange(shown.n_frames) * (info.fps / fps),
    }


def _leave_head(points: PointMotion) -> tuple[PointMotion, HeadMotion]:
    return points, HeadMotion.none(points.n_frames)


def _read(corpus: Corpus, info: TakeInfo, markers: tuple[str, ...]) -> np.ndarray:
    """(F, M, 3) metres, world: the markers of a take, in this order."""
    motion = _motion(corpus, info)
    return np.array(motion.positions[:, [motion.names.index(marker) for marker in markers]], float)


def _motion(corpus: Corpus, info: TakeInfo) -> PointMotion:
    motion = corpus.take(info.name).motion
    assert isinstance(motion, PointMotion)
    return motion
