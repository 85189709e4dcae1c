"""Path deformation: bends a path on the ground so that it passes given positions and headings, with least distortion.

A path is an elastic rod on the ground that carries the body. From frame to frame the body takes a step over the ground
and turns; the deformation of that, in the body's frame, is the strain: stretch of a step along the direction of travel,
shear to the side, and additional turning. World positions are the sum of the steps, so body and path turn together. The
objective, summed over all frames, is

    length (stretch^2 + shear_weight sidestep^2 + (lever turn per length)^2)  +  the same of their rates of change

where a frame's length is the distance that the body travels in it: a walk deforms easily and a standing body hardly,
and the second part keeps the deformation smooth around targets. Targets are met exactly (Gauss-Newton with Lagrange
multipliers).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.errors import BadInput
from motionloom.motion.placement import direction_of, turn_ground

STEPS = 40, 4  # iterations that minimize, where a dozen are typical, and that only meet the targets
STEPS_ON_THE_WAY = 4, 0  # the same for each load step of a large deformation
MOST_TURN = 0.5  # radians: maximum rotation of any part of the path in one step, the range of the linearization
SMALL = 60  # rows of a system that is solved by least squares, because it may be singular; larger ones are not
MOST_SMOOTHING = 60.0  # seconds
MEETS = 1e-7  # metres or radians: tolerance within which a deformation meets its pins
ROUNDING = 1e-12  # metres or radians


@dataclass(frozen=True)
class PathBendSettings:
    """Weights of the distortion, and its smoothness."""

    shear_weight: float = 4.0  # cost of a sidestep, relative to the same stretch
    lever: float = 0.5  # metres: 1 radian per metre of turning costs as much as this stretch
    smoothing: float = 0.3  # seconds over which a deformation fades in and out
    gait: float = 0.25  # seconds: standard deviation of the Gaussian that averages speed over single steps
    creep: float = 0.02  # metres per second: minimum speed, for standing bodies


DEFAULT = PathBendSettings()


@dataclass(frozen=True, eq=False)
class Pin:
    """A constraint on a path in one frame; None for what is free."""

    frame: int
    position: np.ndarray | None  # (2,) metres along x and z
    turn: float | None  # radians: rotation of the body relative to the source


@dataclass(frozen=True, eq=False)
class BentPath:
    """A deformed path, and its strains."""

    ground: np.ndarray  # (F, 2) metres along x and z
    turns: np.ndarray  # (F,) radians: rotation of the body relative to the source
    stretch: np.ndarray  # (F - 1,) relative elongation of steps along the direction of travel
    sidestep: np.ndarray  # (F - 1,) relative displacement of steps to the side
    turning: np.ndarray  # (F - 1,) radians per metre (of travel, or of turning on the spot by the lever)


@dataclass(frozen=True, eq=False)
class _Rod:
    """A path as steps, and the costs of their strains."""

    start: np.ndarray  # (3,) metres along x and z, radians
    steps: np.ndarray  # (F - 1, 2) metres
    along: np.ndarray  # (F - 1, 2) unit vectors, the direction of travel
    travel: np.ndarray  # (F - 1,) metres
    turnable: np.ndarray  # (F - 1,) metres: travel, and turning on the spot
    costs: tuple[np.ndarray, np.ndarray, np.ndarray]  # (2, F - 1) each: upper band and diagonal, of each strain


_State = tuple[np.ndarray, np.ndarray]  # strains (3, F - 1), and the start of the path: (3,) metres and radians


def bend(
    ground: np.ndarray,
    headings: np.ndarray,
    fps: float,
    pins: Sequence[Pin],
    *,
    is_start_free: bool = False,
    settings: PathBendSettings = DEFAULT,
) -> BentPath:
    """Deform a path.

    Args:
        ground: (F, 2) metres along x and z.
        headings: (F,) radians, unwrapped, of the body.
        fps: frames per second.
        pins: constraints; contradicting ones are met in the least squares sense.
        is_start_free: let the path begin anywhere; else it begins where the source does, or at a pin of frame 0.
        settings: weights of the distortion.
    """
    check_settings(settings)
    rod, pins = _make_rod(ground, headings, fps, settings), _merge(pins)
    wanted = _wanted(pins, ground)
    none = np.zeros((3, len(rod.steps)))
    if np.abs(wanted[1] - wanted[0]).max(initial=0.0) <= ROUNDING:
        return BentPath(ground.copy(), np.zeros(len(ground)), *none)
    plain = _bend_plainly(rod, pins, wanted[1], is_start_free)
    state = none, rod.start.copy()
    for share in _shares(pins, ground):
        now = (1 - share) * wanted[0] + share * wanted[1]
        state = _relax(rod, state, pins, now, is_start_free, *(STEPS if share == 1 else STEPS_ON_THE_WAY))
    if not _is_better(rod, state, plain, pins, wanted[1]):
        state = _relax(rod, plain, pins, wanted[1], is_start_free, *STEPS)
    strains, start = state if _is_better(rod, state, plain, pins, wanted[1]) else plain
    turns, bent = _integrate(rod, strains, start)
    return BentPath(bent, turns, *strains)


def check_settings(settings: PathBendSettings) -> None:
    """Raise unless the settings are in range."""
    for name in ("shear_weight", "lever", "creep"):
        value = getattr(settings, name)
        if not 0 < value < np.inf:
            raise BadInput(f"{name} of path editing must be finite and above 0, got {value}")
    for name in ("smoothing", "gait"):
        value = getattr(settings, name)
        if not 0 <= value <= MOST_SMOOTHING:
            raise BadInput(f"{name} of path editing must be 0 to {MOST_SMOOTHING:g} seconds, got {value}")


def _make_rod(ground: np.ndarray, headings: np.ndarray, fps: float, settings: PathBendSettings) -> _Rod:
    steps = np.diff(ground, axis=0)
    smooth = average(steps, settings.gait * fps)
    speed = np.linalg.norm(smooth, axis=1)
    along = np.where(speed[:, None] > 1e-9, smooth / np.maximum(speed, 1e-9)[:, None], direction_of(headings[:-1]))
    travel = speed + settings.creep / fps
    turnable = travel + settings.lever * np.abs(average(np.diff(headings)[:, None], settings.gait * fps)[:, 0])
    smoothing = settings.smoothing * fps
    costs = (
        _bands(travel, smoothing),
        settings.shear_weight * _bands(travel, smoothing),
        settings.lever**2 * _bands(turnable, smoothing),
    )
    return _Rod(np.array([*ground[0], 0.0]), steps, along, travel, turnable, costs)


def _bands(length: np.ndarray, smoothing: float) -> np.ndarray:
    """(2, F - 1) the quadratic form length u^2 + smoothing^2 length (difference of u)^2: upper band and diagonal."""
    between = smoothing**2 * np.minimum(length[1:], length[:-1])
    bands = np.zeros((2, len(length)))
    bands[1] = length
    bands[1, 1:] += between
    bands[1, :-1] += between
    bands[0, 1:] = -between
    return bands


def _integrate(rod: _Rod, strains: np.ndarray, start: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rotations (F,) and positions (F, 2) of the rod under strains (3, F - 1)."""
    turns = start[2] + np.concatenate([[0.0], np.cumsum(rod.turnable * strains[2])])
    middle = (turns[1:] + turns[:-1]) / 2
    steps = turn_ground(rod.steps + _strained(rod, strains), middle)
    return turns, start[:2] + np.concatenate([np.zeros((1, 2)), np.cumsum(steps, axis=0)])


def _strained(rod: _Rod, strains: np.ndarray) -> np.ndarray:
    return (rod.travel * strains[0])[:, None] * rod.along + (rod.travel * strains[1])[:, None] * _square(rod.along)


def _linearize(
    rod: _Rod, strains: np.ndarray, start: np.ndarray, pins: Sequence[Pin]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Current values of the pins (R,), and their Jacobians by strains (R, 3, F - 1) and start (R, 3)."""
    turns, ground = _integrate(rod, strains, start)
    middle = (turns[1:] + turns[:-1]) / 2
    by_stretch = turn_ground(rod.travel[:, None] * rod.along, middle)  # (F - 1, 2)
    by_sidestep = _square(by_stretch)
    values: list[float] = []
    by_strain: list[np.ndarray] = []
    by_start: list[np.ndarray] = []
    for pin in pins:
        before = np.arange(len(rod.steps)) < pin.frame
        if pin.position is not None:
            arms = ground[pin.frame] - (ground[1:] + ground[:-1]) / 2  # a step rotates about its middle
            by_turn = rod.turnable[:, None] * _square(arms)
            values.extend(ground[pin.frame])
            by_strain.extend(np.where(before, np.stack([by_stretch, by_sidestep, by_turn]).transpose(2, 0, 1), 0.0))
            by_start.extend(np.column_stack([np.eye(2), _square(ground[pin.frame] - ground[0])]))
        if pin.turn is not None:
            values.append(turns[pin.frame])
            nothing = np.zeros(len(before))
            by_strain.append(np.stack([nothing, nothing, np.where(before, rod.turnable, 0.0)]))
            by_start.append(np.array([0.0, 0.0, 1.0]))
    return np.array(values), np.array(by_strain), np.array(by_start)


def _merge(pins: Sequence[Pin]) -> list[Pin]:
    """One pin for each frame: contradicting ones are averaged."""
    merged = []
    for frame in sorted({pin.frame for pin in pins}):
        here = [pin for pin in pins if pin.frame == frame]
        positions = [pin.position for pin in here if pin.position is not None]
        turns = [pin.turn for pin in here if pin.turn is not None]
        mean = np.mean(positions, axis=0) if positions else None
        merged.append(Pin(frame, mean, float(np.mean(turns)) if turns else None))
    return merged


def _bend_plainly(rod: _Rod, pins: Sequence[Pin], wanted: np.ndarray, is_start_free: bool) -> _State:
    """The fallback: rotate only for pins with a turn, and meet positions by stretch and sidestep; it always exists.

    Rotations do not depend on steps, and with fixed rotations positions are linear in stretch and sidestep.
    """
    strains, start = np.zeros((3, len(rod.steps))), rod.start.copy()
    loose = _loose_start(is_start_free, pins)
    is_turn = np.concatenate(
        [[False] * 2 * (pin.position is not None) + [True] * (pin.turn is not None) for pin in pins]
    )
    for rows, kinds, places in ((is_turn, [2], [2]), (~is_turn, [0, 1], [0, 1])):
        free = [place for place in places if place in loose]
        if rows.any():
            values, by_strain, by_start = _linearize(rod, strains, start, pins)
            others = [kind for kind in range(3) if kind not in kinds]
            by_strain[:, others] = 0.0
            new, move = _step(rod, strains, (wanted - values)[rows], by_strain[rows], by_start[rows][:, free], 0.0)
            strains[kinds] = new[kinds]
            start[free] += move
    return strains, start


def _is_better(rod: _Rod, state: _State, other: _State, pins: Sequence[Pin], wanted: np.ndarray) -> bool:
    """Whether a deformation meets the pins as well as another, and costs no more."""
    if not np.isfinite(state[0]).all():
        return False
    misses = [np.abs(_linearize(rod, *candidate, pins)[0] - wanted).max() for candidate in (state, other)]
    return bool(misses[0] <= misses[1] + MEETS and _cost(rod, state[0]) <= _cost(rod, other[0]) * (1 + 1e-9))


def _cost(rod: _Rod, strains: np.ndarray) -> float:
    """The objective."""
    return float(
        sum((bands[1] * u**2).sum() + 2 * (bands[0, 1:] * u[1:] * u[:-1]).sum() for bands, u in zip(rod.costs, strains))
    )


def _relax(
    rod: _Rod,
    state: _State,
    pins: Sequence[Pin],
    wanted: np.ndarray,
    is_start_free: bool,
    seeking: int,
    settling: int,
) -> _State:
    """Strains and start that meet the pins with the least cost.

    Each iteration meets the pins to first order and removes a share of the strain that they do not need. Removing all
    of it may oscillate where a path can bend to either side, so the share is halved while steps do not shrink. The last
    iterations remove nothing: they only meet the pins, to rounding.
    """
    strains, start = state
    loose = _loose_start(is_start_free, pins)
    letting_go, last_change = 1.0, np.inf
    for number in range(seeking + settling):
        values, by_strain, by_start = _linearize(rod, strains, start, pins)
        share = letting_go if number < seeking else 0.0
        new_strains, move = _step(rod, strains, wanted - values, by_strain, by_start[:, loose], share)
        part = _safe_part(rod, new_strains - strains)
        change = part * float(np.abs(new_strains - strains).max(initial=0.0))
        strains, start = strains + part * (new_strains - strains), start.copy()
        start[loose] += part * move
        if max(change, float(np.abs(move).max(initial=0.0))) < 1e-13:
            break
        letting_go = max(0.5 * letting_go, 0.02) if change > 0.7 * last_change else letting_go
        last_change = change
    return strains, start


def _safe_part(rod: _Rod, change: np.ndarray) -> float:
    """0 to 1: the fraction of a change of strains that rotates no part of the path by more than `MOST_TURN`."""
    turned = float(np.abs(np.cumsum(rod.turnable * change[2])).max(initial=0.0))
    return min(1.0, MOST_TURN / turned) if turned > 0 else 1.0


def _step(
    rod: _Rod,
    strains: np.ndarray,
    missing: np.ndarray,
    by_strain: np.ndarray,
    by_start: np.ndarray,
    share: float,
) -> tuple[np.ndarray, np.ndarray]:
    """The strains (3, F - 1) nearest to (1 - share) times the current ones that meet the pins, and the start's step."""
    from scipy.linalg import solveh_banded

    n_rows, n_loose = by_start.shape
    responses = np.zeros_like(by_strain)  # costs^-1 by_strain
    for i, bands in enumerate(rod.costs):
        if strains.shape[1] == 1:  # scipy needs at least two
            responses[:, i] = by_strain[:, i] / bands[1]
        elif strains.size:
            responses[:, i] = solveh_banded(bands, by_strain[:, i].T, check_finite=False).T
    system = np.zeros((n_rows + n_loose, n_rows + n_loose))
    system[:n_rows, :n_rows] = by_strain.reshape(n_rows, -1) @ responses.reshape(n_rows, -1).T
    system[:n_rows, n_rows:] = by_start
    system[n_rows:, :n_rows] = by_start.T
    right = np.concatenate([missing + share * np.einsum("aif,if->a", by_strain, strains), np.zeros(n_loose)])
    solution = np.linalg.lstsq(system, right)[0] if len(system) <= SMALL else np.linalg.solve(system, right)
    return (1 - share) * strains + np.einsum("a,aif->if", solution[:n_rows], responses), solution[n_rows:]


def _loose_start(is_start_free: bool, pins: Sequence[Pin]) -> list[int]:
    """Which of x, z and rotation of the start may change: all, or those with a pin in frame 0."""
    if is_start_free:
        return [0, 1, 2]
    first = [pin for pin in pins if pin.frame == 0]
    place = [0, 1] if any(pin.position is not None for pin in first) else []
    return place + ([2] if any(pin.turn is not None for pin in first) else [])


def _wanted(pins: Sequence[Pin], ground: np.ndarray) -> np.ndarray:
    """(2, R) values of the pins in the source path, and their targets."""
    now: list[float] = []
    asked: list[float] = []
    for pin in pins:
        if pin.position is not None:
            now.extend(ground[pin.frame])
            asked.extend(pin.position)
        if pin.turn is not None:
            now.append(0.0)
            asked.append(pin.turn)
    return np.array([now, asked])


def _shares(pins: Sequence[Pin], ground: np.ndarray) -> np.ndarray:
    """Load steps up to 1: a large deformation is applied in steps of 0.25 radians, or of a tenth of the path's size."""
    size = max(float(np.linalg.norm(np.ptp(ground, axis=0))), 0.5)
    turn = max((abs(pin.turn) for pin in pins if pin.turn is not None), default=0.0)
    moves = [float(np.linalg.norm(pin.position - ground[pin.frame])) for pin in pins if pin.position is not None]
    n_shares = int(np.clip(np.ceil(max(turn / 0.25, max(moves, default=0.0) / (0.1 * size))), 1, 60))
    return np.arange(1, n_shares + 1) / n_shares


def average(values: np.ndarray, deviation: float) -> np.ndarray:
    """(N, C) values smoothed with a Gaussian; the ends are extended by their values."""
    half = int(np.ceil(3 * deviation))
    if not len(values) or half == 0:
        return values
    weights = np.exp(-0.5 * (np.arange(-half, half + 1) / deviation) ** 2)
    padded = np.concatenate([np.repeat(values[:1], half, axis=0), values, np.repeat(values[-1:], half, axis=0)])
    return np.stack([np.convolve(column, weights / weights.sum(), mode="valid") for column in padded.T], axis=-1)


def _square(xz: np.ndarray) -> np.ndarray:
    """Ground vectors rotated by 90 degrees to the left: their derivative by rotation."""
    return np.stack([xz[..., 1], -xz[..., 0]], axis=-1)
