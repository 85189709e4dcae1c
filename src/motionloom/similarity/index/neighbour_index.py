"""The index of nearest frames: lists that are built in linear time, and changed where motions come and go.

Whether a frame is a minimum along time depends on its own motion alone. So where motions come, lists only gain, and
where motions go, lists only lose: of what is there, nothing has to be compared again.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from motionloom.errors import BadInput
from motionloom.similarity.feature_space import FeatureDistances
from motionloom.similarity.index.cells import Cells, CellSettings, make_cells
from motionloom.similarity.index.search import Asked, ask_frames, ask_points, search_lists
from motionloom.similarity.measure import check_starts
from motionloom.similarity.neighbours import NeighbourSettings
from motionloom.tasks import Progress, Stop, check_stop, run_threads

ARRAYS = ("starts", "frames", "distances")
CHECKED = 64  # lists whose distances are measured again before they are believed
TOLERANCE = 1e-5  # of a distance
BATCH = 1024  # groups that new segments are offered to in one go


@dataclass(frozen=True, eq=False)
class NeighbourIndex:
    """The nearest frames of each of F frames of M motions, nearest first."""

    starts: np.ndarray  # (M + 1,) int: motion m has the frames [starts[m], starts[m + 1])
    frames: np.ndarray  # (F, k) int32; -1 if there are fewer than k
    distances: np.ndarray  # (F, k) float32; infinite if there are fewer than k

    def to_arrays(self) -> dict[str, np.ndarray]:
        """All of it as arrays by name, to be kept."""
        return {name: getattr(self, name) for name in ARRAYS}

    @staticmethod
    def from_arrays(arrays: Mapping[str, np.ndarray]) -> "NeighbourIndex":
        """What `to_arrays` gave."""
        missing = sorted(set(ARRAYS) - set(arrays))
        if missing:
            raise BadInput(f"an index of nearest frames without {', '.join(missing)}; build it again")
        starts, frames, distances = (np.asarray(arrays[name]) for name in ARRAYS)
        starts = check_starts(starts, len(frames))
        if frames.ndim != 2 or frames.shape != distances.shape or frames.max(initial=-1) >= len(frames):
            raise BadInput(f"lists of shapes {frames.shape} and {distances.shape} are no index; build it again")
        return NeighbourIndex(starts, frames, distances)


def build_index(
    measure: FeatureDistances,
    settings: NeighbourSettings | None = None,
    how: CellSettings | None = None,
    *,
    cells: Cells | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> NeighbourIndex:
    """Find the nearest frames of every frame, as `find_neighbours` does, but in linear time, and nearly all of them.

    Frames that are listed are minima along time, their distances are exact, and no frame that was compared is nearer:
    what may be missing are frames in segments that were not compared.

    Args:
        measure: F frames.
        settings: number of neighbours, and suppression.
        how: how much is looked at.
        cells: of the measure, where they are made already.
        progress: called as progress(done, total).
        stop: asked often; `Stopped` is raised as soon as it answers True.
    """
    settings, how = settings or NeighbourSettings(), how or CellSettings()
    _check_settings(settings)
    cells = cells if cells is not None else make_cells(measure, how)
    asked = ask_frames(cells, np.arange(measure.n_frames), settings.own_frames)
    return NeighbourIndex(measure.starts, *search_lists(cells, asked, settings, how, progress=progress, stop=stop))


def search_points(
    measure: FeatureDistances,
    points: npt.ArrayLike,
    excluded: npt.ArrayLike,
    settings: NeighbourSettings | None = None,
    how: CellSettings | None = None,
    *,
    cells: Cells | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """The frames nearest to points of the feature space, as in `build_index`.

    Args:
        measure: F frames.
        points: (Q, P) in the feature space.
        excluded: (Q, 2) int: the half-open range of frames that are no answer.
        settings: number of neighbours k, and suppression; `own_frames` is not used.
        how: how much is looked at.
        cells: of the measure, where they are made already.

    Returns:
        (Q, k) int32 frames, -1 where there are no more, and (Q, k) float32 distances, infinite there.
    """
    settings, how = settings or NeighbourSettings(), how or CellSettings()
    _check_settings(settings)
    points, excluded = np.asarray(points, float), np.asarray(excluded, np.int64)
    if points.shape != (len(points), measure.coordinates.shape[1]) or excluded.shape != (len(points), 2):
        raise BadInput(
            f"points of shape {points.shape} with ranges of shape {excluded.shape}: expected (Q, "
            f"{measure.coordinates.shape[1]}) and (Q, 2)"
        )
    cells = cells if cells is not None else make_cells(measure, how)
    return search_lists(cells, ask_points(cells, points, excluded), settings, how)


def update_index(
    index: NeighbourIndex,
    numbers: npt.ArrayLike,
    measure: FeatureDistances,
    settings: NeighbourSettings | None = None,
    how: CellSettings | None = None,
    *,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> NeighbourIndex:
    """The index of another list of motions, some of which an index knows: only what differs is searched.

    Lists that lose nothing are offered the frames of new motions, and get all that are near enough. Frames of new
    motions, and lists that lose something, are searched as in `build_index`.

    Args:
        index: of M' motions, made with the same settings.
        numbers: (M,) int: the number that each motion of the measure has in the index, -1 if it is new.
        measure: M motions; those that are known must be where they were in the same feature space.
        settings: number of neighbours, and suppression.
        how: how much is looked at.
        progress: called as progress(done, total) while lists are searched.
        stop: asked often; `Stopped` is raised as soon as it answers True.
    """
    settings, how = settings or NeighbourSettings(), how or CellSettings()
    _check_settings(settings)
    numbers = _check_numbers(index, numbers, measure, settings)
    frames, distances, is_whole = _carry_over(index, numbers, measure.starts)
    _check_distances(measure, frames, distances)
    cells = make_cells(measure, how)
    is_new = np.repeat(numbers < 0, np.diff(measure.starts))
    if is_new.any() and is_whole.any():
        asked = ask_frames(cells, np.flatnonzero(is_whole), settings.own_frames)
        _offer_all(
            cells, asked, _segments_of(cells, is_new & ~measure.repeats), settings, (frames, distances), is_whole, stop
        )
    lacking = np.flatnonzero(~is_whole)
    if len(lacking):
        asked = ask_frames(cells, lacking, settings.own_frames)
        frames[lacking], distances[lacking] = search_lists(
            cells, asked, settings, how, given=frames[lacking], progress=progress, stop=stop
        )
    return NeighbourIndex(measure.starts, frames, distances)


def _carry_over(
    index: NeighbourIndex, numbers: np.ndarray, starts: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The lists (F, k) and (F, k) of the motions that are known, less what has gone, and (F,) bool: it lost nothing."""
    lengths = np.diff(starts)
    known = np.repeat(numbers >= 0, lengths)
    before = np.full(starts[-1], -1)  # the frame that each frame was
    first_before = np.where(numbers >= 0, index.starts[np.maximum(numbers, 0)], 0)
    before[known] = (np.arange(starts[-1]) + np.repeat(first_before - starts[:-1], lengths))[known]
    after = np.full(int(index.starts[-1]) + 1, -1, np.int32)  # the frame that each became; the last is for no frame
    after[before[known]] = np.flatnonzero(known)
    frames = np.full((starts[-1], index.frames.shape[1]), -1, np.int32)
    distances = np.full(frames.shape, np.inf, np.float32)
    listed = index.frames[before[known]]
    frames[known], distances[known] = after[listed], index.distances[before[known]]  # -1 takes the last
    is_whole = np.zeros(starts[-1], bool)
    is_whole[known] = ((frames[known] >= 0) | (listed < 0)).all(axis=1)
    short = np.flatnonzero(known & ~is_whole)
    order = np.argsort(frames[short] < 0, axis=1, kind="stable")  # what is left comes first
    distances[short] = np.where(frames[short] < 0, np.inf, distances[short])
    for lists in (frames, distances):
        lists[short] = np.take_along_axis(lists[short], order, axis=1)
    return frames, distances, is_whole


def _offer_all(
    cells: Cells,
    asked: Asked,
    segments: np.ndarray,
    settings: NeighbourSettings,
    lists: tuple[np.ndarray, np.ndarray],
    chosen: np.ndarray,
    stop: Stop | None,
) -> None:
    """Offer all frames of segments to the lists of chosen frames (F,) bool, in place."""
    from motionloom.similarity.index._kernels import offer_segments

    frames, distances = lists
    rows = np.flatnonzero(chosen)
    lanes = np.ascontiguousarray(cells.centres[segments].T)

    def offer(first: int) -> None:
        check_stop(stop)
        groups = asked.groups[first : first + BATCH + 1]
        part = slice(groups[0], groups[-1])
        values, listed = distances[rows[part]].astype(float), frames[rows[part]].astype(np.int64)
        changed = offer_segments(
            asked.points[part], groups - groups[0], asked.excluded[part], cells, segments, lanes, settings.apart,
            values, listed,
        )  # fmt: skip
        which = np.flatnonzero(np.repeat(changed, np.diff(groups)))
        frames[rows[part][which]], distances[rows[part][which]] = listed[which], np.sqrt(values[which])

    run_threads(offer, range(0, len(asked.groups) - 1, BATCH))


def _segments_of(cells: Cells, chosen: np.ndarray) -> np.ndarray:
    """The segments that hold some of the chosen frames (F,) bool."""
    return np.flatnonzero(np.logical_or.reduceat(chosen, cells.borders[:-1]))


def _check_settings(settings: NeighbourSettings) -> None:
    settings.check()
    if settings.apart < 1:
        raise BadInput("an index lists minima along time: apart must be 1 or more; `find_neighbours` takes 0 too")


def _check_numbers(
    index: NeighbourIndex, numbers: npt.ArrayLike, measure: FeatureDistances, settings: NeighbourSettings
) -> np.ndarray:
    given = np.asarray(numbers, np.int64)
    n_known = len(index.starts) - 1
    if given.shape != (len(measure.starts) - 1,) or given.min() < -1 or given.max() >= n_known:
        raise BadInput(f"numbers of shape {given.shape} for {len(measure.starts) - 1} motions, of {n_known} known ones")
    known = given[given >= 0]
    if len(np.unique(known)) < len(known):
        raise BadInput("a motion of the index stands twice in the new list; give it a copy with -1")
    if (np.diff(index.starts)[known] != np.diff(measure.starts)[given >= 0]).any():
        raise BadInput("a motion has other frames than it has in the index; build the index again")
    if index.frames.shape[1] != settings.count:
        raise BadInput(f"the index lists {index.frames.shape[1]} frames, not {settings.count}; build it again")
    return given


def _check_distances(measure: FeatureDistances, frames: np.ndarray, distances: np.ndarray) -> None:
    """Raise if frames are not where they were when they were compared."""
    rows = np.flatnonzero(frames[:, 0] >= 0)
    rows = rows[:: max(1, len(rows) // CHECKED)]
    now, before = measure.pairs(rows, frames[rows, 0]), distances[rows, 0]
    if (abs(now - before) > TOLERANCE * (1 + before)).any():
        raise BadInput("the motions of the index are elsewhere in this feature space; build the index again")
