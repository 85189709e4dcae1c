"""Path editing: bend a motion so that it ends, or passes, at given places and headings on the ground."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from motionloom.constraints.footplants import FootplantSettings, PlantReport, plant_feet
from motionloom.constraints.path_deformation import BentPath, PathBendSettings, Pin, bend
from motionloom.errors import BadInput
from motionloom.features.facing import find_facing
from motionloom.motion import Motion, kinematics, rotations
from motionloom.motion.angles import wrap_angle, wrap_angles
from motionloom.motion.placement import turn_ground


@dataclass(frozen=True, eq=False)
class GroundTarget:
    """Where a motion shall be in one frame, and which way its torso shall face there."""

    frame: int  # negative ones count from the end: -1 is the last
    position: np.ndarray | Sequence[float] | None = None  # (2,) metres along x and z, under the hips; None: anywhere
    heading: float | None = None  # radians; None: any


@dataclass(frozen=True)
class PathSettings:
    """How a motion is bent."""

    bending: PathBendSettings = field(default_factory=PathBendSettings)
    planting: FootplantSettings = field(default_factory=FootplantSettings)
    is_start_free: bool = False  # let the motion begin anywhere; else in the place and heading that it has
    position_tolerance: float = 1e-3  # metres within which a target is met
    heading_tolerance: float = np.radians(0.1)  # radians
    rounds: int = 6  # at most, of bending anew by what planting the feet moved; usually two or three are enough


DEFAULT = PathSettings()
SETTLED = 0.01  # tolerances that planting may move a target by
CONTRADICTS, MOVED = "it contradicts another target", "planting the feet moved the body off it"


@dataclass(frozen=True, eq=False)
class GroundOutcome:
    """What became of one target."""

    target: GroundTarget
    frame: int
    position: np.ndarray  # (2,) metres along x and z, reached
    heading: float  # radians, reached
    position_miss: float  # metres; 0 where no position was asked for
    heading_miss: float  # radians; 0 where no heading was asked for
    is_met: bool
    why_not: str = ""  # where it is not met


@dataclass(frozen=True, eq=False)
class PathReport:
    """How well the targets are met, and what it took."""

    outcomes: tuple[GroundOutcome, ...]  # in the order of the targets
    stretch: float  # the largest change of a step along the way of travel, as a share of the step
    sidestep: float  # the largest change to the side, as a share of the step
    turning: float  # the largest change of turning, radians per metre
    length_change: float  # of the whole path, as a share
    planting: PlantReport | None  # None where no contacts were given

    @property
    def all_met(self) -> bool:
        return all(outcome.is_met for outcome in self.outcomes)

    def sentences(self) -> list[str]:
        """One sentence for each target that was not met."""
        return [
            f"frame {outcome.frame} misses its target by {1000 * outcome.position_miss:.1f} mm and "
            f"{np.degrees(outcome.heading_miss):.2f} degrees: {outcome.why_not}"
            for outcome in self.outcomes
            if not outcome.is_met
        ]


@dataclass(frozen=True, eq=False)
class BentMotion:
    """A bent motion, and how well it meets its targets."""

    motion: Motion
    report: PathReport


def bend_path(
    motion: Motion,
    targets: Sequence[GroundTarget],
    contacts: np.ndarray | None = None,
    floor_height: float = 0.0,
    *,
    locked: Sequence[int] = (),
    settings: PathSettings = DEFAULT,
) -> BentMotion:
    """Bend a motion over the ground so that it passes its targets, and plant its feet again.

    The change is spread over the whole motion where it travels, as little as possible everywhere; the body turns with
    its path. Poses stay as they are but for the legs, and those only where contacts are given.

    Args:
        motion: of a skeleton with a facing.
        targets: any number; several in one frame that contradict each other get the best compromise.
        contacts: (F, 4) bool in the order of `features.feet.POINTS`; None leaves the feet to slide as they will.
        floor_height: metres, world; where contacts are given.
        locked: frames whose root and feet planting leaves as bending places them, such as those that a join needs.
        settings: what counts as distortion, whether the start is free.
    """
    _check(motion, settings)
    headings, ground = find_facing(motion.skeleton, kinematics.world_positions(motion))
    frames = [_frame_of(motion, target, number) for number, target in enumerate(targets)]
    pins = _read_pins(targets, frames, headings)
    path = _bend(motion, ground, headings, pins, settings)
    bent = move_frames(motion, ground, path.turns, path.ground)
    if contacts is None:
        return BentMotion(bent, _report(bent, targets, frames, ground, path, None, settings))
    if not settings.is_start_free:
        pins = [*pins, *_hold_start(pins, ground)]
    shift, nearest = np.zeros((len(pins), 3)), np.inf
    for _ in range(settings.rounds):
        planted = plant_feet(bent, contacts, floor_height, locked=locked, settings=settings.planting)
        last_shift, shift = shift, _shifts(bent, planted.motion, pins)
        off = _in_tolerances(shift - last_shift, settings)
        if off >= nearest:  # feet that cannot follow pull the body farther off each time
            break
        best, nearest = (planted, path), off
        if off <= SETTLED:
            break
        path = _bend(motion, ground, headings, _aim_off(pins, shift), settings)
        bent = move_frames(motion, ground, path.turns, path.ground)
    planted, path = best
    return BentMotion(planted.motion, _report(planted.motion, targets, frames, ground, path, planted.report, settings))


def move_frames(motion: Motion, ground: np.ndarray, turns: np.ndarray, new_ground: np.ndarray) -> Motion:
    """Turn each frame's body about its place on the ground and move that place: no pose changes.

    Args:
        motion: F frames.
        ground: (F, 2) metres along x and z: the places.
        turns: (F,) radians about up.
        new_ground: (F, 2) metres: where the places go.
    """
    root = np.array(motion.root_positions, float)
    beside = root[:, [0, 2]] - ground
    root[:, [0, 2]] += new_ground - ground + turn_ground(beside, turns) - beside  # exactly 0 where nothing moves
    local = np.array(motion.local_rotations, float)
    local[:, 0] = rotations.multiply(rotations.about_y(turns), local[:, 0])
    return replace(motion, root_positions=root, local_rotations=local)


def _bend(
    motion: Motion, ground: np.ndarray, headings: np.ndarray, pins: Sequence[Pin], settings: PathSettings
) -> BentPath:
    return bend(ground, headings, motion.fps, pins, is_start_free=settings.is_start_free, settings=settings.bending)


def _hold_start(pins: Sequence[Pin], ground: np.ndarray) -> list[Pin]:
    """What of the start no target asks for shall be as it is, also when planting the feet moves it."""
    first = [pin for pin in pins if pin.frame == 0]
    position = None if any(pin.position is not None for pin in first) else ground[0]
    turn = None if any(pin.turn is not None for pin in first) else 0.0
    return [] if position is None and turn is None else [Pin(0, position, turn)]


def _read_pins(targets: Sequence[GroundTarget], frames: list[int], headings: np.ndarray) -> list[Pin]:
    """Pins in the order of the targets; of two ways to turn, the one nearer to how the target before is turned."""
    turns: dict[int, float] = {}
    before = 0.0
    for i in sorted((i for i, target in enumerate(targets) if target.heading is not None), key=lambda i: frames[i]):
        before += wrap_angle(float(targets[i].heading or 0.0) - headings[frames[i]] - before)
        turns[i] = before
    return [
        Pin(frame, None if target.position is None else np.asarray(target.position, float), turns.get(i))
        for i, (target, frame) in enumerate(zip(targets, frames))
    ]


def _shifts(before: Motion, after: Motion, pins: Sequence[Pin]) -> np.ndarray:
    """(pins, 3) metres along x and z and radians by which planting the feet moved the frames of the pins."""
    frames = [pin.frame for pin in pins]
    (headings, ground), (new_headings, new_ground) = (
        find_facing(one.skeleton, kinematics.world_positions(one)) for one in (before, after)
    )
    turns = wrap_angles((new_headings - headings)[frames])
    return np.column_stack([(new_ground - ground)[frames], turns])


def _in_tolerances(shifts: np.ndarray, settings: PathSettings) -> float:
    """The largest of (pins, 3) shifts, in times of what is tolerated."""
    far = np.linalg.norm(shifts[:, :2], axis=1).max(initial=0.0)
    off = np.abs(shifts[:, 2]).max(initial=0.0)
    return float(max(far / settings.position_tolerance, off / settings.heading_tolerance))


def _aim_off(pins: Sequence[Pin], shifts: np.ndarray) -> list[Pin]:
    """Pins moved so that planting the feet shifts the motion onto them."""
    return [
        Pin(
            pin.frame,
            None if pin.position is None else pin.position - shift[:2],
            None if pin.turn is None else pin.turn - float(shift[2]),
        )
        for pin, shift in zip(pins, shifts)
    ]


def _outcomes(
    bent: Motion, targets: Sequence[GroundTarget], frames: list[int], settings: PathSettings
) -> tuple[GroundOutcome, ...]:
    headings, ground = find_facing(bent.skeleton, kinematics.world_positions(bent))
    outcomes = []
    for target, frame in zip(targets, frames):
        position, heading = ground[frame], float(headings[frame])
        far = 0.0 if target.position is None else float(np.linalg.norm(position - np.asarray(target.position)))
        off = 0.0 if target.heading is None else abs(wrap_angle(heading - target.heading))
        is_met = bool(far <= settings.position_tolerance and off <= settings.heading_tolerance)
        why_not = "" if is_met else CONTRADICTS if frames.count(frame) > 1 else MOVED
        outcomes.append(GroundOutcome(target, frame, position, heading, far, off, is_met, why_not))
    return tuple(outcomes)


def _report(
    bent: Motion,
    targets: Sequence[GroundTarget],
    frames: list[int],
    ground: np.ndarray,
    path: BentPath,
    planting: PlantReport | None,
    settings: PathSettings,
) -> PathReport:
    before, after = (float(np.linalg.norm(np.diff(line, axis=0), axis=1).sum()) for line in (ground, path.ground))
    return PathReport(
        outcomes=_outcomes(bent, targets, frames, settings),
        stretch=float(np.abs(path.stretch).max(initial=0.0)),
        sidestep=float(np.abs(path.sidestep).max(initial=0.0)),
        turning=float(np.abs(path.turning).max(initial=0.0)),
        length_change=after / before - 1 if before > 0 else 0.0,
        planting=planting,
    )


def _check(motion: Motion, settings: PathSettings) -> None:
    if not motion.n_frames:
        raise BadInput("a motion without frames has no path to bend; give one with at least 1 frame")
    broken = ~(np.isfinite(motion.root_positions).all(axis=1) & np.isfinite(motion.local_rotations).all(axis=(1, 2)))
    if broken.any():
        raise BadInput(f"frame {int(broken.argmax())} of the motion is not a number; cut such frames out first")
    if settings.rounds < 1:
        raise BadInput(f"{settings.rounds} rounds of bending; give at least 1")
    for name in ("position_tolerance", "heading_tolerance"):
        if not 0 < getattr(settings, name) < np.inf:
            raise BadInput(f"{name} {getattr(settings, name)}; it must be more than 0 and finite")


def _frame_of(motion: Motion, target: GroundTarget, number: int) -> int:
    if not isinstance(target.frame, (int, np.integer)):
        raise BadInput(f"target {number}: frame {target.frame!r}; give a whole number")
    if not -motion.n_frames <= target.frame < motion.n_frames:
        raise BadInput(f"target {number}: frame {target.frame} of a motion that has [0, {motion.n_frames})")
    if target.position is None and target.heading is None:
        raise BadInput(f"target {number} asks for neither a position nor a heading; give one of them or both")
    if target.heading is not None and not np.isfinite(target.heading):
        raise BadInput(f"target {number}: heading {target.heading}; give radians")
    if target.position is not None:
        position = np.asarray(target.position, float)
        if position.shape != (2,) or not np.isfinite(position).all():
            raise BadInput(f"target {number}: position {target.position}; give metres along x and z, 2 finite numbers")
    return int(target.frame) % motion.n_frames
