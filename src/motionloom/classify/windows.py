"""Windows: features of about a second of motion around frames; computed once for a take, independent of labels.

Arikan et al. 2003, section 3.1: joint positions in the second around a frame, in the coordinate frame of the torso.
That frame is projected onto the ground, so height and lean are features too. Takes are padded with their end frames.
"""

from dataclasses import dataclass

import numpy as np

from motionloom.caching import cached
from motionloom.classify.settings import Settings
from motionloom.classify.signals import body_signals, window_positions
from motionloom.conform import View
from motionloom.conform.base_view import MIRRORED
from motionloom.conform.statistics import learn_statistics
from motionloom.errors import BadInput
from motionloom.features import facing
from motionloom.features.principal_components import count_components, principal_components
from motionloom.motion import Motion, Skeleton, kinematics
from motionloom.similarity.point_cloud import distinct_joints
from motionloom.tasks import one_thread_per_product

GROUPS = {  # shares of the squared distance
    "usual": {"positions": 1.0, "travel": 1.8, "pose": 0.6, "speeds": 0.6, "moves": 0.6, "extremes": 0.6},
    "positions": {"positions": 1.0},
}
FARTHEST = 4.0  # standard deviations at which features are clipped
KEPT_VARIANCE = 0.995  # share of the variance that principal components keep, for fast distances
MOST_NUMBERS = 160  # maximum number of components


@dataclass(frozen=True, eq=False)
class Embedding:
    """How D0 features of a window become D coordinates; learnt from the recordings of a corpus."""

    joints: np.ndarray  # (K,) int: whose positions count
    centre: np.ndarray  # (D0,) mean of each feature
    spread: np.ndarray  # (D0,) its standard deviation, where units are mixed; else 1
    farthest: np.ndarray  # (D0,) standard deviations at which it is clipped; infinite where units are not mixed
    factor: np.ndarray  # (D0,) that gives its group its share of the squared distance
    directions: np.ndarray  # (D0, D) principal components
    size: np.ndarray  # (1,) by which coordinates are divided

    def place(self, numbers: np.ndarray) -> np.ndarray:
        """(W, D) float32 coordinates of (W, D0) features."""
        scaled = np.clip((numbers - self.centre) / self.spread, -self.farthest, self.farthest) * self.factor
        return (scaled @ self.directions / self.size).astype(np.float32)


EMBEDDING = tuple(Embedding.__dataclass_fields__)


@dataclass(frozen=True, eq=False)
class Windows:
    """The W windows of the recorded motions of a view, and their positions among its N frames."""

    names: tuple[str, ...]  # of the M motions, without mirrored copies
    ranges: np.ndarray  # (M, 2) int: half-open range of each motion over all frames of the view
    starts: np.ndarray  # (M + 1,) int: motion m has the windows [starts[m], starts[m + 1])
    frames: np.ndarray  # (W,) int: the middle frame of each window, over all frames
    coordinates: np.ndarray  # (2, W, D) float32: recorded and mirrored; the mean squared distance in a corpus is 1
    fps: float
    embedding: Embedding

    @property
    def n_windows(self) -> int:
        return len(self.frames)

    def range_of(self, name: str) -> tuple[int, int]:
        """The half-open range of windows of a motion."""
        if name not in self.names:
            shown = ", ".join(self.names[:5]) + (", ..." if len(self.names) > 5 else "")
            raise BadInput(f"no take '{name}' to annotate; there are {len(self.names)}: {shown}")
        number = self.names.index(name)
        return int(self.starts[number]), int(self.starts[number + 1])

    def nearest(self, number: int) -> np.ndarray:
        """(F,) int: for each frame of motion number, the window whose middle is nearest."""
        start, stop = self.ranges[number]
        frames = self.frames[self.starts[number] : self.starts[number + 1]]
        between = (frames[:-1] + frames[1:] + 1) // 2
        return self.starts[number] + np.searchsorted(between, np.arange(start, stop), side="right")


def find_windows(view: View, settings: Settings) -> Windows:
    """The windows of a view: their features once for each take, in an embedding that is learnt once for a corpus."""
    if view.skeleton.leg_length <= 0:
        raise BadInput(f"skeleton '{view.skeleton.name}' has no legs to normalize lengths by; correct its roles")
    names, ranges, middles = _lay_out(view, settings.rate)
    made_with = {"features": settings.features, "rate": settings.rate, "window": settings.window}
    learnt = learn_statistics(view, learn_embedding, made_with, lambda sample: learn_embedding(sample, settings))
    embedding = Embedding(**{name: np.asarray(learnt.arrays[name]) for name in EMBEDDING})
    placed = view.parts(
        place_motion,
        {**made_with, "embedding": learnt.digest},
        lambda name: place_motion(name, view.motion(name), embedding, settings),
        names,
    )
    return Windows(
        names=names,
        ranges=ranges,
        starts=np.cumsum([0, *[len(middle) for middle in middles]]),
        frames=np.concatenate(middles),
        coordinates=np.stack([placed.arrays["recorded"], placed.arrays["mirrored"]]),
        fps=view.fps,
        embedding=embedding,
    )


def lay_out_motion(n_frames: int, fps: float, rate: float) -> tuple[np.ndarray, np.ndarray]:
    """Middle frames of the windows of a motion alone, and (F,) int: the window nearest to each frame."""
    middles = _middles(0, n_frames, fps / rate)
    return middles, np.searchsorted((middles[:-1] + middles[1:] + 1) // 2, np.arange(n_frames), side="right")


def embed_motion(
    embedding: Embedding,
    skeleton: Skeleton,
    positions: np.ndarray,
    middles: np.ndarray,
    fps: float,
    settings: Settings,
    size: float = 1.0,
) -> np.ndarray:
    """(W, D) float32 coordinates of the windows of any motion.

    Args:
        embedding: learnt before.
        skeleton: with the joints that it was learnt with.
        positions: (F, J, 3) metres, world, floor at y = 0.
        middles: (W,) int, middle frames of the windows.
        fps: frames per second.
        settings: that it was learnt with.
        size: of the body that it was learnt with, beside this one.
    """
    made = _window_features(skeleton, positions, middles, fps, embedding.joints, settings)
    made["positions"] = size * made["positions"]  # these are in metres, all else is relative to the legs
    return embedding.place(np.concatenate([made[name] for name in GROUPS[settings.features]], axis=1))


def _lay_out(view: View, rate: float) -> tuple[tuple[str, ...], np.ndarray, list[np.ndarray]]:
    """Which motions of a view were recorded, their (M, 2) ranges of frames, and the middles of their windows."""
    names = tuple(name for name in view.names if not name.endswith(MIRRORED))
    ranges = np.array([view.range_of(name) for name in names]).reshape(-1, 2)
    return names, ranges, [_middles(start, stop, view.fps / rate) for start, stop in ranges]


def _middles(start: int, stop: int, step: float) -> np.ndarray:
    """The middle frames of the windows of a motion, evenly spaced; at least one."""
    count = max(1, round((stop - start) / step))
    return start + np.minimum((np.arange(count) + 0.5) * step, stop - start - 1).astype(np.int64)


@cached("annotation embedding")
@one_thread_per_product()  # so that results do not depend on the number of cores
def learn_embedding(view: View, settings: Settings) -> dict[str, np.ndarray]:
    """The arrays of an `Embedding`, learnt from the windows of the recordings of a view, each mirrored too."""
    names, *_ = _lay_out(view, settings.rate)
    motions = [_positions(name, view.motion(name)) for name in names]
    joints = distinct_joints(np.concatenate([motion[:1] for motion in motions]))
    groups: dict[str, list[np.ndarray]] = {name: [] for name in GROUPS[settings.features]}
    for positions in motions:
        for made in _both_sides(view.skeleton, positions, view.fps, joints, settings):
            for name, numbers in made.items():
                groups[name].append(numbers)
    weights = GROUPS[settings.features]
    scaled = [_scaled(groups[name], weights[name], name != "positions") for name in groups]
    directions, size = _reduce(np.concatenate([numbers for numbers, *_ in scaled], axis=1))
    parts = "centre", "spread", "farthest", "factor"
    learnt = {name: np.concatenate([group[number] for group in scaled]) for number, name in enumerate(parts, 1)}
    return {"joints": joints, "directions": directions, "size": np.array([size]), **learnt}


@cached("annotation windows")
@one_thread_per_product()
def place_motion(name: str, motion: Motion, embedding: Embedding, settings: Settings) -> dict[str, np.ndarray]:
    """(W, D) float32 coordinates of the windows of a motion, as it was recorded and mirrored."""
    sides = _both_sides(motion.skeleton, _positions(name, motion), motion.fps, embedding.joints, settings)
    groups = GROUPS[settings.features]
    recorded, mirrored = (embedding.place(np.concatenate([made[name] for name in groups], axis=1)) for made in sides)
    return {"recorded": recorded, "mirrored": mirrored}


def _positions(name: str, motion: Motion) -> np.ndarray:
    positions = kinematics.world_positions(motion)
    if not np.isfinite(positions).all():
        raise BadInput(f"{name}: some frames are not finite; repair the take or leave it out")
    return positions


def _both_sides(
    skeleton: Skeleton, positions: np.ndarray, fps: float, joints: np.ndarray, settings: Settings
) -> list[dict[str, np.ndarray]]:
    """The features of the windows of a motion, as it was recorded and mirrored."""
    middle = _middles(0, len(positions), fps / settings.rate)
    mirrored = positions[:, skeleton.mirror_indices] * np.array([-1.0, 1.0, 1.0])
    return [_window_features(skeleton, shown, middle, fps, joints, settings) for shown in (positions, mirrored)]


def _window_features(
    skeleton: Skeleton, positions: np.ndarray, middle: np.ndarray, fps: float, joints: np.ndarray, settings: Settings
) -> dict[str, np.ndarray]:
    """The features of the windows of a motion, by group."""
    headings, ground = facing.find_facing(skeleton, positions)
    half = settings.window / 2
    offsets = np.round(np.arange(-half, half + 1e-9, 1 / settings.rate) * fps).astype(int)
    made = {"positions": window_positions(positions[:, joints], headings, ground, middle, offsets)}
    if settings.features == "usual":
        signals = body_signals(skeleton, positions, headings, ground, fps)
        made |= {name: numbers[middle] for name, numbers in signals.items()}
    return made


_Scaled = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def _scaled(parts: list[np.ndarray], weight: float, is_mixed: bool) -> _Scaled:
    """A group of features, centred and scaled to its share of the squared distance; mixed units are standardized.

    Returns:
        (W, G) the features, then (G,) centre, spread, where they are clipped, and factor, as `Embedding` has them.
    """
    numbers = np.concatenate(parts)
    centre = numbers.mean(axis=0)
    numbers = numbers - centre
    spread, farthest = np.ones(len(centre)), np.full(len(centre), np.inf)
    if is_mixed:
        spread = numbers.std(axis=0)
        spread, farthest = np.where(spread > 1e-9, spread, 1.0), np.full(len(centre), FARTHEST)
        numbers = np.clip(numbers / spread, -FARTHEST, FARTHEST)
    size = numbers.var(axis=0).sum()
    factor = np.sqrt(weight / size) if size > 1e-12 else 1.0
    return numbers * factor if size > 1e-12 else numbers, centre, spread, farthest, np.full(len(centre), factor)


def _reduce(numbers: np.ndarray) -> tuple[np.ndarray, float]:
    """Directions of the leading principal components, and the divisor that makes the mean squared distance 1."""
    variances, directions = principal_components(numbers.T @ numbers / len(numbers))
    variances = np.maximum(variances, 0.0)
    if variances.sum() <= 1e-12:
        return np.zeros((numbers.shape[1], 1)), 1.0
    n_kept = min(count_components(variances, KEPT_VARIANCE), MOST_NUMBERS)
    return np.ascontiguousarray(directions[:, :n_kept]), float(np.sqrt(2 * variances.sum()))
