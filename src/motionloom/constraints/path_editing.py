"""Path editing: deforms the path of a motion so that it passes given positions and headings on the ground."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from motionloom.constraints.bend_limits import BendLimits, Distortion, measure_distortion, pins_within
from motionloom.constraints.carried_supports import carry, lay_under_planted
from motionloom.constraints.footplants import FootplantSettings, PlantReport, plant_feet
from motionloom.constraints.ground_following import follow_ground
from motionloom.constraints.path_deformation import BentPath, PathBendSettings, Pin, bend
from motionloom.errors import BadInput
from motionloom.features.facing import find_facing
from motionloom.features.feet import foot_points, heel_offsets
from motionloom.motion import Footing, Motion, kinematics, rotations
from motionloom.motion.angles import wrap_angle, wrap_angles
from motionloom.motion.placement import turn_ground

FLAT_FOOTING = Footing()


@dataclass(frozen=True, eq=False)
class GroundTarget:
    """The target position and heading of a motion in one frame."""

    frame: int  # negative ones count from the end: -1 is the last
    position: np.ndarray | Sequence[float] | None = None  # (2,) metres along x and z, under the hips; None: free
    heading: float | None = None  # radians, of the torso; None: free


@dataclass(frozen=True)
class PathSettings:
    """Settings of the deformation and of the foot-skate clean-up after it."""

    bending: PathBendSettings = field(default_factory=PathBendSettings)
    planting: FootplantSettings = field(default_factory=FootplantSettings)
    is_start_free: bool = False  # let the motion begin anywhere; else at the position and heading of the source
    position_tolerance: float = 1e-3  # metres within which a target is met
    heading_tolerance: float = np.radians(0.1)  # radians
    rounds: int = 6  # maximum iterations of deforming and planting; two or three are typical
    limits: BendLimits | None = None  # beyond which targets are given up; None: they are met whatever it takes


DEFAULT = PathSettings()
SETTLED = 0.01  # of the tolerances: shift of targets by planting at which the iterations end
CONTRADICTS, MOVED = "it contradicts another target", "planting the feet moved the body off it"


@dataclass(frozen=True, eq=False)
class GroundOutcome:
    """The outcome of one target."""

    target: GroundTarget
    frame: int
    position: np.ndarray  # (2,) metres along x and z, reached
    heading: float  # radians, reached
    position_miss: float  # metres; 0 without a target position
    heading_miss: float  # radians; 0 without a target heading
    is_met: bool
    why_not: str = ""  # if it is not met


@dataclass(frozen=True, eq=False)
class PathReport:
    """Outcomes of the targets, and the distortion."""

    outcomes: tuple[GroundOutcome, ...]  # in the order of the targets
    stretch: float  # largest relative elongation of a step along the direction of travel
    sidestep: float  # largest relative displacement of a step to the side
    turning: float  # largest additional turning, radians per metre
    length_change: float  # of the path, relative
    planting: PlantReport | None  # None without contacts
    distortion: Distortion | None = None  # None without limits
    wanted: Distortion | None = None  # that all targets would take; None without limits

    @property
    def all_met(self) -> bool:
        return all(outcome.is_met for outcome in self.outcomes)

    def sentences(self) -> list[str]:
        """One sentence for each target that is not met."""
        return [
            f"frame {outcome.frame} misses its target by {1000 * outcome.position_miss:.1f} mm and "
            f"{np.degrees(outcome.heading_miss):.2f} degrees: {outcome.why_not}"
            for outcome in self.outcomes
            if not outcome.is_met
        ]


@dataclass(frozen=True, eq=False)
class BentMotion:
    """A motion with a deformed path, and the report."""

    motion: Motion
    report: PathReport
    footing: Footing = FLAT_FOOTING  # what its feet stand on; supports went with the frames that stand on them


def bend_path(
    motion: Motion,
    targets: Sequence[GroundTarget],
    contacts: np.ndarray | None = None,
    floor_height: float = 0.0,
    *,
    footing: Footing | None = None,
    locked: Sequence[int] = (),
    heels: np.ndarray | None = None,
    settings: PathSettings = DEFAULT,
) -> BentMotion:
    """Deform the path of a motion so that it passes its targets, and plant its feet again.

    The deformation is distributed over the motion where it travels; the body turns with its path. Poses do not change
    except for the legs, and those only if contacts are given. On a ground that is not flat, and stays where it is, the
    body is raised and lowered to where it comes to be.

    Args:
        motion: of a skeleton with a facing.
        targets: any number; contradicting ones in one frame are averaged.
        contacts: (F, 4) bool in the order of `features.feet.POINTS`; None for no foot-skate clean-up.
        floor_height: metres, world; used with contacts.
        footing: what the feet stand on besides the floor; its supports move with the frames that stand on them, its
            ground stays.
        locked: frames whose root and feet planting does not change, such as those at a join.
        heels: (2, 3) heel offsets, from `heel_offsets`; None for those of this motion.
        settings: weights of the distortion, whether the start is free.
    """
    _check(motion, settings)
    headings, ground = find_facing(motion.skeleton, kinematics.world_positions(motion))
    frames = [_frame_of(motion, target, number) for number, target in enumerate(targets)]
    pins = _read_pins(targets, frames, headings)
    follow = _following(motion, contacts, floor_height, footing)
    source = _Source(motion, ground, headings, settings, follow)
    path = source.bend(pins)
    wanted = source.measure(path)
    if wanted is not None and wanted.load > 1:
        pins = pins_within(pins, ground, source.bend, lambda bent: source.measure(bent) or wanted)
        path = source.bend(pins)
    bent = source.move(path)
    carried = _carrying(motion, footing, contacts, floor_height)
    if contacts is None:
        return BentMotion(bent, _report(source, bent, targets, frames, path, None, wanted), carried(ground, path))
    if not settings.is_start_free:
        pins = [*pins, *_hold_start(pins, ground)]
    shift, nearest = np.zeros((len(pins), 3)), np.inf
    if heels is None and footing is not None and not footing.ground.is_flat:
        heels = heel_offsets(motion, floor_height, footing.ground)
    planting: dict[str, Any] = {"heels": heels, "locked": locked, "settings": settings.planting}
    for _ in range(settings.rounds):
        own = carried(ground, path)
        planted = plant_feet(bent, contacts, floor_height, footing=own, **planting)
        last_shift, shift = shift, _shifts(bent, planted.motion, pins)
        off = _in_tolerances(shift - last_shift, settings)
        if off >= nearest:  # it diverges: feet out of reach pull the body farther off in each iteration
            break
        best, nearest = (planted, path, own, bent), off
        if off <= SETTLED:
            break
        path = source.bend(_aim_off(pins, shift))
        bent = source.move(path)
    planted, path, own, bent = best
    report = _report(source, planted.motion, targets, frames, path, planted.report, wanted)
    return BentMotion(planted.motion, report, lay_under_planted(own, bent, planted.motion, np.asarray(contacts, bool)))


def _carrying(
    motion: Motion, footing: Footing | None, contacts: np.ndarray | None, floor_height: float
) -> Callable[[np.ndarray, BentPath], Footing]:
    """A function from the path and the bent path to the footing of the bent motion."""
    if footing is None or not footing.supports:
        kept = footing or FLAT_FOOTING
        return lambda ground, path: kept
    points = foot_points(motion, floor_height)
    flags = np.zeros(points.shape[:2], bool) if contacts is None else np.asarray(contacts, bool)
    return lambda ground, path: carry(footing, points, flags, ground, path.turns, path.ground)


def _following(
    motion: Motion, contacts: np.ndarray | None, floor_height: float, footing: Footing | None
) -> Callable[[Motion], Motion]:
    """A function that raises and lowers the moved motion to the ground, which stays where it is."""
    if footing is None or footing.ground.is_flat:
        return lambda moved: moved
    return lambda moved: follow_ground(motion, moved, contacts, floor_height, footing)


def move_frames(motion: Motion, ground: np.ndarray, turns: np.ndarray, new_ground: np.ndarray) -> Motion:
    """Move each frame on the ground, with a rotation about its position: poses do not change.

    Args:
        motion: F frames.
        ground: (F, 2) metres along x and z: positions.
        turns: (F,) radians about y.
        new_ground: (F, 2) metres: new positions.
    """
    root = np.array(motion.root_positions, float)
    beside = root[:, [0, 2]] - ground
    root[:, [0, 2]] += new_ground - ground + turn_ground(beside, turns) - beside  # exactly 0 without a change
    local = np.array(motion.local_rotations, float)
    local[:, 0] = rotations.multiply(rotations.about_y(turns), local[:, 0])
    return replace(motion, root_positions=root, local_rotations=local)


@dataclass(frozen=True, eq=False)
class _Source:
    """A motion whose path is bent."""

    motion: Motion
    ground: np.ndarray  # (F, 2) metres along x and z
    headings: np.ndarray  # (F,) radians
    settings: PathSettings
    follow: Callable[[Motion], Motion]  # from the moved motion to that at the height of the ground

    def bend(self, pins: Sequence[Pin]) -> BentPath:
        """Its path, bent to pins."""
        free = self.settings.is_start_free
        return bend(
            self.ground, self.headings, self.motion.fps, pins, is_start_free=free, settings=self.settings.bending
        )

    def measure(self, path: BentPath) -> Distortion | None:
        """How far a path is bent; None without limits."""
        limits, leg = self.settings.limits, self.motion.skeleton.leg_length
        if limits is None:
            return None
        fps, settings = self.motion.fps, self.settings.bending
        return measure_distortion(self.ground, self.headings, fps, path, leg, limits, settings)

    def move(self, path: BentPath) -> Motion:
        """The motion on another path."""
        return self.follow(move_frames(self.motion, self.ground, path.turns, path.ground))


def _hold_start(pins: Sequence[Pin], ground: np.ndarray) -> list[Pin]:
    """Pins that keep what is free of the start, which planting the feet would move."""
    first = [pin for pin in pins if pin.frame == 0]
    position = None if any(pin.position is not None for pin in first) else ground[0]
    turn = None if any(pin.turn is not None for pin in first) else 0.0
    return [] if position is None and turn is None else [Pin(0, position, turn)]


def _read_pins(targets: Sequence[GroundTarget], frames: list[int], headings: np.ndarray) -> list[Pin]:
    """Pins in the order of the targets; rotations are unwrapped from one target to the next."""
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
        find_facing(motion.skeleton, kinematics.world_positions(motion)) for motion in (before, after)
    )
    turns = wrap_angles((new_headings - headings)[frames])
    return np.column_stack([(new_ground - ground)[frames], turns])


def _in_tolerances(shifts: np.ndarray, settings: PathSettings) -> float:
    """The largest of (pins, 3) shifts, relative to the tolerances."""
    far = np.linalg.norm(shifts[:, :2], axis=1).max(initial=0.0)
    off = np.abs(shifts[:, 2]).max(initial=0.0)
    return float(max(far / settings.position_tolerance, off / settings.heading_tolerance))


def _aim_off(pins: Sequence[Pin], shifts: np.ndarray) -> list[Pin]:
    """Pins corrected so that planting the feet shifts the motion onto the targets."""
    return [
        Pin(
            pin.frame,
            None if pin.position is None else pin.position - shift[:2],
            None if pin.turn is None else pin.turn - float(shift[2]),
        )
        for pin, shift in zip(pins, shifts)
    ]


def _outcomes(
    bent: Motion,
    targets: Sequence[GroundTarget],
    frames: list[int],
    settings: PathSettings,
    wanted: Distortion | None,
) -> tuple[GroundOutcome, ...]:
    headings, ground = find_facing(bent.skeleton, kinematics.world_positions(bent))
    outcomes = []
    for target, frame in zip(targets, frames):
        position, heading = ground[frame], float(headings[frame])
        far = 0.0 if target.position is None else float(np.linalg.norm(position - np.asarray(target.position)))
        off = 0.0 if target.heading is None else abs(wrap_angle(heading - target.heading))
        is_met = bool(far <= settings.position_tolerance and off <= settings.heading_tolerance)
        why_not = "" if is_met else CONTRADICTS if frames.count(frame) > 1 else _why_not(wanted)
        outcomes.append(GroundOutcome(target, frame, position, heading, far, off, is_met, why_not))
    return tuple(outcomes)


def _why_not(wanted: Distortion | None) -> str:
    if wanted is None or wanted.load <= 1:
        return MOVED
    return f"nobody could move so: it would take {wanted.worst}; give it more time, or bring the place nearer"


def _report(
    source: _Source,
    bent: Motion,
    targets: Sequence[GroundTarget],
    frames: list[int],
    path: BentPath,
    planting: PlantReport | None,
    wanted: Distortion | None,
) -> PathReport:
    lines = source.ground, path.ground
    before, after = (float(np.linalg.norm(np.diff(line, axis=0), axis=1).sum()) for line in lines)
    return PathReport(
        outcomes=_outcomes(bent, targets, frames, source.settings, wanted),
        stretch=float(np.abs(path.stretch).max(initial=0.0)),
        sidestep=float(np.abs(path.sidestep).max(initial=0.0)),
        turning=float(np.abs(path.turning).max(initial=0.0)),
        length_change=after / before - 1 if before > 0 else 0.0,
        planting=planting,
        distortion=source.measure(path),
        wanted=wanted,
    )


def _check(motion: Motion, settings: PathSettings) -> None:
    if not motion.n_frames:
        raise BadInput("the motion has no frames, so it has no path; give at least 1 frame")
    broken = ~(np.isfinite(motion.root_positions).all(axis=1) & np.isfinite(motion.local_rotations).all(axis=(1, 2)))
    if broken.any():
        raise BadInput(f"frame {int(broken.argmax())} of the motion is not finite; cut such frames out first")
    if settings.rounds < 1:
        raise BadInput(f"rounds must be at least 1, got {settings.rounds}")
    for name in ("position_tolerance", "heading_tolerance"):
        if not 0 < getattr(settings, name) < np.inf:
            raise BadInput(f"{name} must be finite and above 0, got {getattr(settings, name)}")


def _frame_of(motion: Motion, target: GroundTarget, number: int) -> int:
    if not isinstance(target.frame, (int, np.integer)):
        raise BadInput(f"target {number}: frame must be an integer, got {target.frame!r}")
    if not -motion.n_frames <= target.frame < motion.n_frames:
        raise BadInput(
            f"target {number}: frame {target.frame} is out of range: the motion has {motion.n_frames} frames"
        )
    if target.position is None and target.heading is None:
        raise BadInput(f"target {number} has neither a position nor a heading; give one of them or both")
    if target.heading is not None and not np.isfinite(target.heading):
        raise BadInput(f"target {number}: heading must be finite, got {target.heading}; give radians")
    if target.position is not None:
        position = np.asarray(target.position, float)
        if position.shape != (2,) or not np.isfinite(position).all():
            raise BadInput(
                f"target {number}: position must be 2 finite numbers, metres along x and z, got {target.position}"
            )
    return int(target.frame) % motion.n_frames
