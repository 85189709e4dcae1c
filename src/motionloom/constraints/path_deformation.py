"""Bending a path on the floor so that it passes given places and headings, with the smallest distortion.

A path is a rod that lies on the floor and carries the body. From frame to frame the body takes a step over the ground
and turns; what bending changes of that, seen from the body, is the strain: how much longer a step is along the way of
travel, how much it goes astray to the side, and how much farther the body turns. The whole path is kept in world
coordinates only as the sum of its steps, so body and path turn together. Minimized is, over all frames,

    length (stretch^2 + shear_weight sidestep^2 + (lever turn per length)^2)  +  the same of how these change in time

where a frame's length is how far the body travels in it: a stretch of a walk takes a change easily and a standing body
hardly, and the second part keeps the change smooth where a target pulls in the middle. Demands at the targets are met
exactly (Gauss-Newton with Lagrange multipliers).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.errors import BadInput
from motionloom.motion.placement import direction_of, turn_ground

STEPS = 40, 4  # that seek the cheapest bend, where usually a dozen are enough; and that only meet the targets
STEPS_ON_THE_WAY = 4, 0  # the same for each share of a large change
MOST_TURN = 0.5  # radians that a step may turn any part of the path: beyond, its linear guess is worth nothing
SMALL = 60  # rows of a system that may have many solutions: of larger ones targets in many frames leave only one
MOST_SMOOTHING = 60.0  # seconds
MEETS = 1e-7  # metres or radians within which a bend meets its pins
ROUNDING = 1e-12  # metres or radians


@dataclass(frozen=True)
class PathBendSettings:
    """What counts as distortion, and how smooth a change is."""

    shear_weight: float = 4.0  # times as bad as a stretch is the same sidestep
    lever: float = 0.5  # metres: turning 1 radian more per metre is as bad as a stretch by this
    smoothing: float = 0.3  # seconds over which a change comes and goes
    gait: float = 0.25  # seconds (deviation of a Gaussian) over which speed is averaged, so that single steps are alike
    creep: float = 0.02  # metres per second that even a standing body counts as travelling


DEFAULT = PathBendSettings()


@dataclass(frozen=True, eq=False)
class Pin:
    """Where a path shall pass in one frame; None for what may be anything."""

    frame: int
    position: np.ndarray | None  # (2,) metres along x and z
    turn: float | None  # radians that the body shall be turned from how it was


@dataclass(frozen=True, eq=False)
class BentPath:
    """A bent path, and how much it was bent."""

    ground: np.ndarray  # (F, 2) metres along x and z
    turns: np.ndarray  # (F,) radians that the body is turned from how it was
    stretch: np.ndarray  # (F - 1,) how much longer steps are along the way of travel, as a share
    sidestep: np.ndarray  # (F - 1,) how much they go to the side, as a share
    turning: np.ndarray  # (F - 1,) radians per metre (of travel, or of turning on the spot by the lever)


@dataclass(frozen=True, eq=False)
class _Rod:
    """A path as steps, and what they cost."""

    start: np.ndarray  # (3,) metres along x and z, radians
    steps: np.ndarray  # (F - 1, 2) metres
    along: np.ndarray  # (F - 1, 2) unit vectors, the way of travel
    travel: np.ndarray  # (F - 1,) metres
    turnable: np.ndarray  # (F - 1,) metres: travel, and turning on the spot
    costs: tuple[np.ndarray, np.ndarray, np.ndarray]  # (2, F - 1) each: upper band and diagonal, of each strain


_State = tuple[np.ndarray, np.ndarray]  # strains (3, F - 1), and where the path starts: (3,) metres and radians


def bend(
    ground: np.ndarray,
    headings: np.ndarray,
    fps: float,
    pins: Sequence[Pin],
    *,
    is_start_free: bool = False,
    settings: PathBendSettings = DEFAULT,
) -> BentPath:
    """Bend a path.

    Args:
        ground: (F, 2) metres along x and z.
        headings: (F,) radians, unwrapped: which way the body faces.
        fps: frames per second.
        pins: where it shall pass; contradicting ones are met as well as can be.
        is_start_free: let the path begin anywhere; else it begins where it did, or where a pin of frame 0 says.
        settings: what counts as distortion.
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
    """Raise unless distortions can be weighed."""
    for name in ("shear_weight", "lever", "creep"):
        value = getattr(settings, name)
        if not 0 < value < np.inf:
            raise BadInput(f"bending with {name} {value}; it must be more than 0 and finite")
    for name in ("smoothing", "gait"):
        value = getattr(settings, name)
        if not 0 <= value <= MOST_SMOOTHING:
            raise BadInput(f"bending with {name} {value}; give 0 to {MOST_SMOOTHING:g} seconds")


def _make_rod(ground: np.ndarray, headings: np.ndarray, fps: float, settings: PathBendSettings) -> _Rod:
    steps = np.diff(ground, axis=0)
    smooth = _average(steps, settings.gait * fps)
    speed = np.linalg.norm(smooth, axis=1)
    along = np.where(speed[:, None] > 1e-9, smooth / np.maximum(speed, 1e-9)[:, None], direction_of(headings[:-1]))
    travel = speed + settings.creep / fps
    turnable = travel + settings.lever * np.abs(_average(np.diff(headings)[:, None], settings.gait * fps)[:, 0])
    smoothing = settings.smoothing * fps
    costs = (
        _bands(travel, smoothing),
        settings.shear_weight * _bands(travel, smoothing),
        settings.lever**2 * _bands(turnable, smoothing),
    )
    return _Rod(np.array([*ground[0], 0.0]), steps, along, travel, turnable, costs)


def _bands(length: np.ndarray, smoothing: float) -> np.ndarray:
    """(2, F - 1) the form sum length u^2 + smoothing^2 length (change of u)^2: upper band and diagonal."""
    between = smoothing**2 * np.minimum(length[1:], length[:-1])
    bands = np.zeros((2, len(length)))
    bands[1] = length
    bands[1, 1:] += between
    bands[1, :-1] += between
    bands[0, 1:] = -between
    return bands


def _integrate(rod: _Rod, strains: np.ndarray, start: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Turns (F,) and places (F, 2) of the rod under strains (3, F - 1)."""
    turns = start[2] + np.concatenate([[0.0], np.cumsum(rod.turnable * strains[2])])
    middle = (turns[1:] + turns[:-1]) / 2
    steps = turn_ground(rod.steps + _strained(rod, strains), middle)
    return turns, start[:2] + np.concatenate([np.zeros((1, 2)), np.cumsum(steps, axis=0)])


def _strained(rod: _Rod, strains: np.ndarray) -> np.ndarray:
    return (rod.travel * strains[0])[:, None] * rod.along + (rod.travel * strains[1])[:, None] * _square(rod.along)


def _linearize(
    rod: _Rod, strains: np.ndarray, start: np.ndarray, pins: Sequence[Pin]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What the pins ask for as it is now (R,), and how it changes with strains (R, 3, F - 1) and start (R, 3)."""
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
            arms = ground[pin.frame] - (ground[1:] + ground[:-1]) / 2  # turning a step turns half of it, and the rest
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
    """One pin for each frame: what contradicts within a frame gets its mean."""
    merged = []
    for frame in sorted({pin.frame for pin in pins}):
        here = [pin for pin in pins if pin.frame == frame]
        positions = [pin.position for pin in here if pin.position is not None]
        turns = [pin.turn for pin in here if pin.turn is not None]
        mean = np.mean(positions, axis=0) if positions else None
        merged.append(Pin(frame, mean, float(np.mean(turns)) if turns else None))
    return merged


def _bend_plainly(rod: _Rod, pins: Sequence[Pin], wanted: np.ndarray, is_start_free: bool) -> _State:
    """Turn only as far as pins ask for turns, and go the rest sideways and along: never pretty, but always there.

    Turns do not depend on steps, and with the turns given places are a linear function of stretch and sidestep.
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
    """Whether a bend meets the pins, and costs no more than another that does."""
    if not np.isfinite(state[0]).all():
        return False
    misses = [np.abs(_linearize(rod, *one, pins)[0] - wanted).max() for one in (state, other)]
    return bool(misses[0] <= misses[1] + MEETS and _cost(rod, state[0]) <= _cost(rod, other[0]) * (1 + 1e-9))


def _cost(rod: _Rod, strains: np.ndarray) -> float:
    """What is minimized."""
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
    """Strains and start that meet the pins and cost least.

    Each step meets the pins to first order and lets go of a share of the strain that they do not need. All of it at
    once may swing to and fro where a bend could go either way, so the share shrinks while steps do not. The last steps
    let go of nothing: they only meet the pins, to the last digit.
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
    """0 to 1: the part of a change of strains that turns no part of the path too far at once."""
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
    """The strains (3, F - 1) nearest to (1 - share) times those so far that meet the pins, and the start's move."""
    from scipy.linalg import solveh_banded

    n_rows, n_loose = by_start.shape
    responses = np.zeros_like(by_strain)  # costs^-1 by_strain
    for i, bands in enumerate(rod.costs):
        if strains.shape[1] == 1:  # scipy wants at least two
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
    """Which of x, z and turn of the start may change: all, or those that a pin of frame 0 asks for."""
    if is_start_free:
        return [0, 1, 2]
    first = [pin for pin in pins if pin.frame == 0]
    place = [0, 1] if any(pin.position is not None for pin in first) else []
    return place + ([2] if any(pin.turn is not None for pin in first) else [])


def _wanted(pins: Sequence[Pin], ground: np.ndarray) -> np.ndarray:
    """(2, R) what the pins would ask for if nothing changed, and what they ask for."""
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
    """Rising to 1: a large change is approached in shares of a quarter radian, or of a tenth of the path's size."""
    size = max(float(np.linalg.norm(np.ptp(ground, axis=0))), 0.5)
    turn = max((abs(pin.turn) for pin in pins if pin.turn is not None), default=0.0)
    moves = [float(np.linalg.norm(pin.position - ground[pin.frame])) for pin in pins if pin.position is not None]
    n_shares = int(np.clip(np.ceil(max(turn / 0.25, max(moves, default=0.0) / (0.1 * size))), 1, 60))
    return np.arange(1, n_shares + 1) / n_shares


def _average(values: np.ndarray, deviation: float) -> np.ndarray:
    """(N, C) values averaged with a Gaussian; beyond the ends they go on as they end."""
    half = int(np.ceil(3 * deviation))
    if not len(values) or half == 0:
        return values
    weights = np.exp(-0.5 * (np.arange(-half, half + 1) / deviation) ** 2)
    padded = np.concatenate([np.repeat(values[:1], half, axis=0), values, np.repeat(values[-1:], half, axis=0)])
    return np.stack([np.convolve(column, weights / weights.sum(), mode="valid") for column in padded.T], axis=-1)


def _square(xz: np.ndarray) -> np.ndarray:
    """Ground vectors turned a quarter to the left: how they change when they are turned."""
    return np.stack([xz[..., 1], -xz[..., 0]], axis=-1)
