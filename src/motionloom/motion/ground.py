"""Ground: what feet can stand on: a floor, boxes on or above it, and uneven terrain."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from motionloom.errors import BadInput
from motionloom.motion.placement import Placement, turn_ground

MAX_BOXES = 4096  # of one ground
MAX_HEIGHTS = 1_000_000  # of one terrain
SUNK = 0.15  # metres by which a point may be below a surface and still be taken to stand on it
FARTHEST = 1e4  # metres: coordinates beyond it are no place that somebody was recorded at


@dataclass(frozen=True)
class Box:
    """Something to stand on: a stone, a step, a stool, a rung. Upright, with a level top."""

    centre: tuple[float, float]  # metres along x and z
    half: tuple[float, float]  # metres: half extents along its own x and z
    turn: float  # radians about +y, as a heading: positive turns +z towards +x
    top: float  # metres: height of the surface
    bottom: float  # metres; above the floor for a rung or the board of a stool

    def __post_init__(self) -> None:
        for name in ("centre", "half"):
            values = _numbers(getattr(self, name), f"{name} of a box", 2)
            object.__setattr__(self, name, values)
        for name in ("turn", "top", "bottom"):
            object.__setattr__(self, name, _number(getattr(self, name), f"{name} of a box"))
        if min(self.half) <= 0:
            raise BadInput(f"a box has half extents of {self.half[0]:g} and {self.half[1]:g} m; both must be above 0")
        if self.bottom > self.top:
            raise BadInput(f"a box has its bottom at {self.bottom:g} m, above its top at {self.top:g} m; exchange them")

    def covers(self, places: np.ndarray, margin: float = 0.0) -> np.ndarray:
        """Whether (..., 2) places in metres along x and z are on the box, or at most `margin` metres beside it."""
        own = np.abs(turn_ground(np.asarray(places, float) - self.centre, -self.turn))
        return np.asarray((own <= np.asarray(self.half) + margin).all(-1))

    @property
    def corners(self) -> np.ndarray:
        """(4, 2) metres along x and z, in order around the box."""
        signs = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
        return turn_ground(signs * self.half, self.turn) + self.centre

    def extended(self, places: np.ndarray, margin: float = 0.0) -> "Box":
        """The box, made just large enough to cover (N, 2) places, and `margin` metres around them too."""
        own = turn_ground(np.asarray(places, float).reshape(-1, 2) - self.centre, -self.turn)
        low = np.minimum(-np.asarray(self.half), own.min(axis=0, initial=np.inf) - margin)
        high = np.maximum(self.half, own.max(axis=0, initial=-np.inf) + margin)
        if (-low == self.half).all() and (high == self.half).all():
            return self
        x, z = turn_ground((low + high) / 2, self.turn) + self.centre
        a, b = (high - low) / 2
        return replace(self, centre=(float(x), float(z)), half=(float(a), float(b)))

    def moved(self, placement: Placement) -> "Box":
        """The box, moved over the floor."""
        x, z = turn_ground(np.array(self.centre), placement.heading) + placement.slide
        return replace(self, centre=(float(x), float(z)), turn=self.turn + placement.heading)

    def scaled(self, factor: float) -> "Box":
        """The box with every measure scaled about the origin."""
        (x, z), (a, b) = self.centre, self.half
        return Box(
            (x * factor, z * factor), (a * factor, b * factor), self.turn, self.top * factor, self.bottom * factor
        )

    def mirrored(self) -> "Box":
        """The box, mirrored at x = 0."""
        return replace(self, centre=(-self.centre[0], self.centre[1]), turn=-self.turn)

    def raised(self, metres: float) -> "Box":
        """The box, moved up."""
        return replace(self, top=self.top + metres, bottom=self.bottom + metres)


@dataclass(frozen=True, eq=False)
class Terrain:
    """Uneven ground: heights on a regular grid, linear between its points; outside the grid there is the floor."""

    origin: tuple[float, float]  # metres along x and z of the first point
    spacing: float  # metres between neighbouring points
    heights: np.ndarray  # (N, M) metres: N points along its own x, M along its own z
    turn: float = 0.0  # radians about +y of its own axes, as a heading

    def __post_init__(self) -> None:
        object.__setattr__(self, "origin", _numbers(self.origin, "origin of a terrain", 2))
        for name in ("spacing", "turn"):
            object.__setattr__(self, name, _number(getattr(self, name), f"{name} of a terrain"))
        if self.spacing <= 0:
            raise BadInput(f"a terrain has points {self.spacing:g} m apart; the spacing must be above 0")
        object.__setattr__(self, "heights", _grid(self.heights))

    def at(self, places: np.ndarray) -> np.ndarray:
        """(...) heights in metres at (..., 2) places along x and z; NaN outside the grid."""
        own = turn_ground(np.asarray(places, float) - self.origin, -self.turn) / self.spacing
        last = np.array(self.heights.shape) - 1
        near = 1e-9 * np.maximum(last, 1)  # so that the border belongs to the grid whatever was rounded
        inside = ((own >= -near) & (own <= last + near)).all(-1)
        own = np.clip(np.where(np.isfinite(own), own, 0.0), 0.0, last)
        low = np.minimum(own.astype(int), np.maximum(last - 1, 0))
        high = np.minimum(low + 1, last)
        (u, v), (i, j), (k, m) = (np.moveaxis(a, -1, 0) for a in (own - low, low, high))
        h = self.heights
        level = (h[i, j] * (1 - u) + h[k, j] * u) * (1 - v) + (h[i, m] * (1 - u) + h[k, m] * u) * v
        return np.where(inside, level, np.nan)

    @property
    def corners(self) -> np.ndarray:
        """(4, 2) metres along x and z, in order around the grid."""
        n, m = (np.array(self.heights.shape) - 1) * self.spacing
        return turn_ground(np.array([[0.0, 0.0], [n, 0.0], [n, m], [0.0, m]]), self.turn) + self.origin

    def moved(self, placement: Placement) -> "Terrain":
        """The terrain, moved over the floor."""
        x, z = turn_ground(np.array(self.origin), placement.heading) + placement.slide
        return replace(self, origin=(float(x), float(z)), turn=self.turn + placement.heading)

    def scaled(self, factor: float) -> "Terrain":
        """The terrain with every measure scaled about the origin."""
        x, z = self.origin
        return Terrain((x * factor, z * factor), self.spacing * factor, self.heights * factor, self.turn)

    def mirrored(self) -> "Terrain":
        """The terrain, mirrored at x = 0."""
        x, z = self.corners[1]  # where its own x ends: that is where the mirrored one begins
        return replace(self, origin=(-float(x), float(z)), heights=self.heights[::-1], turn=-self.turn)

    def raised(self, metres: float) -> "Terrain":
        """The terrain, moved up."""
        return replace(self, heights=self.heights + metres)


@dataclass(frozen=True)
class Ground:
    """What feet can stand on: a level floor, boxes, and uneven terrain."""

    floor: float = 0.0  # metres
    boxes: tuple[Box, ...] = field(default=())
    terrain: Terrain | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "floor", _number(self.floor, "floor of a ground"))
        object.__setattr__(self, "boxes", tuple(self.boxes))
        if len(self.boxes) > MAX_BOXES:
            raise BadInput(f"a ground has {len(self.boxes)} boxes; at most {MAX_BOXES} are possible")

    @staticmethod
    def sample(
        function: Callable[[np.ndarray], np.ndarray],
        first: tuple[float, float],
        last: tuple[float, float],
        spacing: float = 0.05,
        floor: float = 0.0,
    ) -> "Ground":
        """The ground whose heights a function gives, sampled on a grid.

        Args:
            function: from (K, 2) metres along x and z to (K,) metres of height.
            first: metres along x and z: the corner from which on it is sampled.
            last: metres along x and z: up to here at least.
            spacing: metres between the points of the grid.
            floor: metres, outside the grid.
        """
        start, stop = (np.array(_numbers(corner, "corner of a terrain", 2)) for corner in (first, last))
        if (stop < start).any():
            raise BadInput(f"a terrain cannot go from {first} to {last}; give its lower corner first")
        n, m = _grid_shape(stop - start, _number(spacing, "spacing of a terrain"))
        grid = np.stack(np.meshgrid(np.arange(n), np.arange(m), indexing="ij"), -1).reshape(-1, 2) * spacing + start
        heights = np.asarray(function(grid), float).reshape(n, m)
        return Ground(floor, (), Terrain((float(start[0]), float(start[1])), spacing, heights))

    @property
    def is_flat(self) -> bool:
        """Whether there is nothing but the floor."""
        return not self.boxes and self.terrain is None

    def heights(self, places: np.ndarray) -> np.ndarray:
        """(...) metres: the highest surface at (..., 2) places in metres along x and z."""
        places = np.asarray(places, float)
        highest = self._open_heights(places)
        for box in self.boxes:
            highest = np.where(box.covers(places), np.maximum(highest, box.top), highest)
        return highest

    def supports_at(self, points: np.ndarray, sunk: float = SUNK) -> np.ndarray:
        """(...) metres: the surface that each point stands on or is above.

        The highest surface at its place, except those that the point is under: a box whose bottom is above the point
        and whose top is more than `sunk` above it. So one can go below a board, and a point that sank into a stone
        still belongs to the top of the stone.

        Args:
            points: (..., 3) metres, world.
            sunk: metres by which a point may be below a surface that it stands on.
        """
        points = np.asarray(points, float)
        places, heights = points[..., [0, 2]], points[..., 1]
        surface = open_ground = self._open_heights(places)
        heights = np.maximum(heights, open_ground)  # nobody is below the floor
        for box in self.boxes:
            beneath = (heights < box.top - sunk) & (heights < box.bottom)
            surface = np.where(box.covers(places) & ~beneath, np.maximum(surface, box.top), surface)
        return surface

    def moved(self, placement: Placement) -> "Ground":
        """The ground, moved over the floor."""
        terrain = None if self.terrain is None else self.terrain.moved(placement)
        return replace(self, boxes=tuple(box.moved(placement) for box in self.boxes), terrain=terrain)

    def scaled(self, factor: float) -> "Ground":
        """The ground with every measure scaled about the origin, for a body of another size."""
        if not 0 < factor < np.inf:
            raise BadInput(f"a ground cannot be scaled by {factor}; the factor must be finite and above 0")
        terrain = None if self.terrain is None else self.terrain.scaled(factor)
        return Ground(self.floor * factor, tuple(box.scaled(factor) for box in self.boxes), terrain)

    def mirrored(self) -> "Ground":
        """The ground, mirrored at x = 0."""
        terrain = None if self.terrain is None else self.terrain.mirrored()
        return replace(self, boxes=tuple(box.mirrored() for box in self.boxes), terrain=terrain)

    def raised(self, metres: float) -> "Ground":
        """The ground, moved up with its floor; `raised(-floor)` puts the floor at 0."""
        terrain = None if self.terrain is None else self.terrain.raised(metres)
        return Ground(self.floor + metres, tuple(box.raised(metres) for box in self.boxes), terrain)

    def joined(self, other: "Ground") -> "Ground":
        """Both grounds in one; boxes that both have are there once.

        The floors have to agree. Two terrains become one grid over both of them, with the finer spacing of the two if
        `MAX_HEIGHTS` allow it, and with the higher of them at each of its points.
        """
        if abs(self.floor - other.floor) > 1e-6:
            raise BadInput(
                f"grounds with floors at {self.floor:g} and {other.floor:g} m cannot be joined; raise one of them first"
            )
        boxes = tuple(dict.fromkeys((*self.boxes, *other.boxes)))
        return Ground(self.floor, boxes, _join(self.terrain, other.terrain, self.floor))

    def to_data(self) -> dict[str, Any]:
        """Plain data for JSON."""
        boxes = [
            {"centre": [*box.centre], "half": [*box.half], "turn": box.turn, "top": box.top, "bottom": box.bottom}
            for box in self.boxes
        ]
        if self.terrain is None:
            return {"floor": self.floor, "boxes": boxes, "terrain": None}
        terrain = {"origin": [*self.terrain.origin], "spacing": self.terrain.spacing, "turn": self.terrain.turn}
        return {"floor": self.floor, "boxes": boxes, "terrain": {**terrain, "heights": self.terrain.heights.tolist()}}

    @staticmethod
    def from_data(data: Any) -> "Ground":
        """The inverse of `to_data`; data that are no ground are refused in a sentence."""
        given = _mapping(data, "a ground", {"floor"}, {"boxes", "terrain"})
        boxes = given.get("boxes", [])
        if not isinstance(boxes, list):
            raise BadInput(f"boxes of a ground are {type(boxes).__name__}; expected a list")
        if len(boxes) > MAX_BOXES:
            raise BadInput(f"a ground has {len(boxes)} boxes; at most {MAX_BOXES} are possible")
        measures = {"centre", "half", "turn", "top", "bottom"}
        read = tuple(Box(**_mapping(box, f"box {number} of a ground", measures)) for number, box in enumerate(boxes))
        terrain = given.get("terrain")
        if terrain is not None:
            terrain = Terrain(**_mapping(terrain, "terrain of a ground", {"origin", "spacing", "heights"}, {"turn"}))
        return Ground(given["floor"], read, terrain)

    def _open_heights(self, places: np.ndarray) -> np.ndarray:
        """(...) metres: the terrain, and the floor where there is none."""
        floor = np.full(places.shape[:-1], self.floor)
        if self.terrain is None:
            return floor
        level = self.terrain.at(places)
        return np.where(np.isnan(level), floor, level)


def _join(one: Terrain | None, other: Terrain | None, floor: float) -> Terrain | None:
    if one is None or other is None:
        return one if other is None else other
    grids = [(terrain.origin, terrain.spacing, terrain.turn, terrain.heights.shape) for terrain in (one, other)]
    if grids[0] == grids[1]:
        return replace(one, heights=np.maximum(one.heights, other.heights))
    corners = np.concatenate([one.corners, other.corners])
    first, last = corners.min(axis=0), corners.max(axis=0)
    coarsest = 2 * float(np.sqrt(np.prod(last - first) / MAX_HEIGHTS) + (last - first).max() / MAX_HEIGHTS)
    spacing = min(one.spacing, other.spacing)
    if ((last - first) / spacing + 2).prod() > MAX_HEIGHTS:
        spacing = coarsest
    grounds = [Ground(floor, (), terrain) for terrain in (one, other)]
    return Ground.sample(
        lambda places: np.maximum(*(ground.heights(places) for ground in grounds)),
        (float(first[0]), float(first[1])),
        (float(last[0]), float(last[1])),
        spacing,
    ).terrain


def _grid_shape(extents: np.ndarray, spacing: float) -> tuple[int, int]:
    if spacing <= 0:
        raise BadInput(f"a terrain has points {spacing:g} m apart; the spacing must be above 0")
    counts = np.ceil(extents / spacing - 1e-9) + 1
    if counts.prod() > MAX_HEIGHTS:
        raise BadInput(
            f"a terrain of {extents[0]:g} by {extents[1]:g} m with points {spacing:g} m apart has more than "
            f"{MAX_HEIGHTS} heights; take a larger spacing"
        )
    return int(counts[0]), int(counts[1])


def _grid(heights: Any) -> np.ndarray:
    """Checked heights of a terrain, read-only."""
    try:
        grid = np.array(heights, dtype=float)
    except (TypeError, ValueError):
        raise BadInput("heights of a terrain are no numbers in rows of one length") from None
    if grid.ndim != 2 or not grid.size:
        raise BadInput(f"heights of a terrain have shape {grid.shape}; expected rows and columns, at least one of each")
    if grid.size > MAX_HEIGHTS:
        raise BadInput(f"a terrain has {grid.size} heights; at most {MAX_HEIGHTS} are possible")
    if not (np.abs(grid) < FARTHEST).all():
        raise BadInput(f"heights of a terrain must be finite and below {FARTHEST:g} m")
    grid.setflags(write=False)
    return grid


def _number(value: Any, what: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        raise BadInput(f"{what} is {value!r}; expected a number")
    if not -FARTHEST < value < FARTHEST:
        raise BadInput(f"{what} is {value}; expected a finite number below {FARTHEST:g}")
    return float(value)


def _numbers(values: Any, what: str, n: int) -> Any:
    if not isinstance(values, list | tuple | np.ndarray) or len(values) != n:
        raise BadInput(f"{what} is {values!r}; expected {n} numbers")
    return tuple(_number(value, what) for value in values)


def _mapping(data: Any, what: str, needed: set[str], possible: set[str] | None = None) -> Mapping[str, Any]:
    """Checked keys of plain data."""
    if not isinstance(data, Mapping):
        raise BadInput(f"{what} is {type(data).__name__}; expected an object with {', '.join(sorted(needed))}")
    missing, unknown = sorted(needed - set(data)), sorted(map(str, set(data) - needed - (possible or set())))
    if missing or unknown:
        wrong = f"lacks {', '.join(missing)}" if missing else f"has unknown {', '.join(unknown)}"
        raise BadInput(f"{what} {wrong}; expected {', '.join(sorted(needed | (possible or set())))}")
    return data


FLAT = Ground()  # a floor at 0 and nothing else
