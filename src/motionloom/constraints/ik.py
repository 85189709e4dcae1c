"""Inverse kinematics: changes a motion so that joints meet target positions and orientations in any frames."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np

from motionloom.constraints.damped_least_squares import (
    MOST_STEPS,
    NARROWING,
    SETTLED,
    Aim,
    PoseProblem,
    fit_poses,
    pose_at,
)
from motionloom.constraints.ik_targets import (
    Demand,
    OrientationTarget,
    PositionTarget,
    Target,
    find_misses,
    find_values,
    read_targets,
)
from motionloom.constraints.overstretch import keep_sides
from motionloom.constraints.pose_continuity import follow_poses
from motionloom.constraints.smooth_interpolation import spread_change
from motionloom.errors import BadInput, SkeletonMismatch
from motionloom.features.joint_limits import JointLimits
from motionloom.motion import Motion, Skeleton, hinges, kinematics, rotations

__all__ = ["IkOutcome", "IkReport", "IkSettings", "OrientationTarget", "PositionTarget", "Solved", "solve_ik"]

LEAST_ARM = 0.1  # metres: lever arm of a joint without descendants
LIMB_ENDS = ("head", "left_hand", "right_hand", "left_foot", "right_foot")
TRUNK_STIFFNESS = 5.0  # factor for joints above more than one of these
LONGEST_WINDOW = 60.0  # seconds
ROUNDING = 1e-12  # metres or radians: smaller changes are set to 0
OUT_OF_REACH, LIMITS, CONFLICT = "out of reach", "held by joint limits", "contradicts other targets"


@dataclass(frozen=True)
class IkSettings:
    """Joints that may change, the extent of the change, and tolerances."""

    joints: tuple[str, ...] | None = None  # names or roles of the joints that may rotate; None for all that can
    moves_root: bool = False  # whether the root may translate and rotate; feet then slide unless they have targets
    window: float = 0.5  # seconds before and after a target over which the change fades
    position_tolerance: float = 1e-4  # metres
    orientation_tolerance: float = np.radians(0.01)  # radians
    stiffness: Mapping[str, float] = field(default_factory=dict)  # joint or role -> factor of the default stiffness
    root_stiffness: float = 1.0  # factor of the default stiffness, for the root's translation
    is_continuous: bool = True  # solve frames between which a joint jumps again as one, so that it does not
    explains: bool = True  # say why a target is not met, for which it is solved again without the others
    settled: float = SETTLED  # relative decrease at which a frame is done; a large one saves steps to what is not met
    most_steps: int = MOST_STEPS  # per stage of decreasing tolerance; targets within reach need about five
    narrowing: tuple[float, ...] = NARROWING  # multiples of the tolerances in each stage; far targets need large ones


DEFAULT = IkSettings()


@dataclass(frozen=True, eq=False)
class IkOutcome:
    """The outcome of one target, over its N frames."""

    target: Target
    frames: np.ndarray  # (N,) int
    reached: np.ndarray  # (N, 3) metres, world, or (N, 4) joint to world
    misses: np.ndarray  # (N,) metres or radians
    met: np.ndarray  # (N,) bool
    reasons: tuple[str, ...]  # N: why the target was not met in a frame, "" if it was

    @property
    def worst(self) -> float:
        """The largest miss, millimetres or degrees."""
        largest = float(self.misses.max())
        return 1000 * largest if isinstance(self.target, PositionTarget) else float(np.degrees(largest))


@dataclass(frozen=True, eq=False)
class IkReport:
    """The targets that were met, those that were not, and why."""

    outcomes: tuple[IkOutcome, ...]  # in the order of the targets

    @property
    def all_met(self) -> bool:
        return all(bool(outcome.met.all()) for outcome in self.outcomes)

    def sentences(self) -> list[str]:
        """One sentence for each target that is not met in all its frames."""
        return [_describe(outcome) for outcome in self.outcomes if not outcome.met.all()]


@dataclass(frozen=True, eq=False)
class Solved:
    """A motion that meets its targets as well as possible, and the report."""

    motion: Motion
    report: IkReport


def solve_ik(
    motion: Motion,
    targets: Sequence[Target],
    *,
    settings: IkSettings = DEFAULT,
    limits: JointLimits | None = None,
) -> Solved:
    """Change a motion so that joints meet targets; frames farther than a window from them do not change.

    In each frame with targets the pose is found that meets them with the smallest change of the body; between and
    around these frames the change fades in and out smoothly. For targets that are out of reach or contradict each other
    the weighted error is minimized, which is detected and reported. Without limits, knees and elbows still stay on the
    side on which they bend.

    Args:
        motion: to change.
        targets: any number, for any joints and frames.
        settings: joints that may change, window and tolerances.
        limits: joint limits; a joint that exceeds them in the source may stay there.
    """
    _check(motion, settings, limits)
    if not targets:
        return Solved(motion, IkReport(()))
    motion = replace(
        motion,
        root_positions=np.asarray(motion.root_positions, float),
        local_rotations=np.asarray(motion.local_rotations, float),
    )
    demands = read_targets(motion, targets)
    frames = np.unique(np.concatenate([demand.frames for demand in demands]))
    problem, unknowns = _fit(motion, demands, frames, settings, limits)
    if settings.is_continuous:
        unknowns = follow_poses(problem, frames, unknowns, settings.window * motion.fps)
    root, local = pose_at(problem, unknowns)
    poses = replace(motion, root_positions=root, local_rotations=local)
    if limits is None:
        poses = keep_sides(poses, motion, frames, _free_limbs(motion.skeleton, problem.joints, demands))
    changed = _spread(motion, frames, poses, problem.joints, settings, limits)
    return Solved(changed, _report(motion, targets, demands, changed, settings, limits))


@lru_cache(maxsize=8)
def usual_stiffness(skeleton: Skeleton) -> np.ndarray:
    """Default stiffness of joints: (J,) metres^2 per radian^2, the summed squares of the lever arms of descendants.

    A shoulder with one arm is looser than a spine with both, so a change moves the body least; the trunk is stiffer
    still, because people reach with a limb before they lean.
    """
    points = np.concatenate([skeleton.rest_positions, _rest_ends(skeleton)])
    carriers = np.concatenate([np.arange(skeleton.n_joints), skeleton.end_parents])
    stiffness = np.full(skeleton.n_joints, LEAST_ARM**2)
    for point, carrier in zip(points, carriers):
        chain = skeleton.chain(int(carrier))
        stiffness[chain] += ((point - skeleton.rest_positions[chain]) ** 2).sum(axis=1)
    n_limbs = np.zeros(skeleton.n_joints, int)
    for role in LIMB_ENDS:
        if skeleton.has(role):
            n_limbs[skeleton.chain(skeleton.index(role))] += 1
    return np.where(n_limbs > 1, TRUNK_STIFFNESS, 1.0) * stiffness


def _fit(
    motion: Motion, demands: Sequence[Demand], frames: np.ndarray, settings: IkSettings, limits: JointLimits | None
) -> tuple[PoseProblem, np.ndarray]:
    """Solve the poses of some frames: the problem and its unknowns."""
    problem = _pose_problem(motion, demands, frames, settings, limits)
    return problem, fit_poses(problem)


def _pose_problem(
    motion: Motion, demands: Sequence[Demand], frames: np.ndarray, settings: IkSettings, limits: JointLimits | None
) -> PoseProblem:
    skeleton = motion.skeleton
    joints = _movable(motion, demands, settings)
    local = motion.local_rotations[frames]
    bases = local[:, joints] if limits is None else np.broadcast_to(limits.means[joints], (len(frames), len(joints), 4))
    bases = np.where((joints == 0)[:, None], local[:, joints], bases)
    free = np.full((len(frames), 3 + 3 * len(joints)), np.inf)
    problem = PoseProblem(
        skeleton,
        motion.root_positions[frames],
        local,
        _aims(demands, frames, settings),
        joints,
        bases,
        _stiffness(skeleton, joints, settings),
        -free,
        free,
        settings.settled,
        settings.most_steps,
        settings.narrowing,
    )
    if limits is None:
        return problem
    low, high = (np.concatenate([np.full(3, end), turns[joints].ravel()]) for end, turns in _ends(limits))
    source = problem.source  # a joint that exceeds its limits in the source may stay there
    return replace(problem, low=np.minimum(low, source), high=np.maximum(high, source))


def _ends(limits: JointLimits) -> tuple[tuple[float, np.ndarray], tuple[float, np.ndarray]]:
    return (-np.inf, limits.low), (np.inf, limits.high)


def _movable(motion: Motion, demands: Sequence[Demand], settings: IkSettings) -> np.ndarray:
    """The joints that may rotate and affect a target.

    Unless they are named, constant joints at their parent's position are left out, and joints inside bones of limbs.
    """
    skeleton = motion.skeleton
    above = {joint for demand in demands for joint in skeleton.chain(demand.joint)}
    if settings.joints is not None:
        may = {skeleton.index(name) for name in settings.joints}
    else:
        length = np.linalg.norm(skeleton.offsets, axis=1)
        turns = rotations.angle_between(motion.local_rotations[:1], motion.local_rotations).max(axis=0)
        may = set(np.flatnonzero((length > 1e-6) | (turns > 1e-4)).tolist()) - hinges.inner_joints(skeleton)
    may = may | {0} if settings.moves_root else may - {0}
    return np.array(sorted(above & may), int)


def _stiffness(skeleton: Skeleton, joints: np.ndarray, settings: IkSettings) -> np.ndarray:
    times = np.ones(skeleton.n_joints)
    for name, factor in settings.stiffness.items():
        if not 0 < factor < np.inf:
            raise BadInput(f"stiffness of '{name}' must be finite and above 0, got {factor}")
        times[skeleton.index(name)] = factor
    root = TRUNK_STIFFNESS * skeleton.n_joints * settings.root_stiffness if settings.moves_root else np.inf
    return np.concatenate([np.full(3, root), np.repeat((usual_stiffness(skeleton) * times)[joints], 3)])


def _aims(demands: Sequence[Demand], frames: np.ndarray, settings: IkSettings) -> list[Aim]:
    """Demands on one joint in different frames are merged into one aim, so that many keys cost no more than one.

    Only ratios of weights matter: the lightest becomes 1, so that each target is met if possible.
    """
    lightest = min(demand.weight for demand in demands)
    aims: list[tuple[tuple, Aim]] = []
    for demand in demands:
        rows = np.searchsorted(frames, demand.frames)
        key = (demand.is_position, demand.joint, demand.offset.tobytes())
        aim = next((aim for other, aim in aims if other == key and not aim.scales[rows].any()), None)
        if aim is None:
            values = np.zeros((len(frames), 3)) if demand.is_position else rotations.identity((len(frames),))
            aim = Aim(demand.is_position, demand.joint, demand.offset, values, np.zeros(len(frames)))
            aims.append((key, aim))
        aim.values[rows] = demand.values
        aim.scales[rows] = np.sqrt(demand.weight / lightest) / _tolerance(demand, settings)
    return [aim for _, aim in aims]


def _free_limbs(skeleton: Skeleton, joints: np.ndarray, demands: Sequence[Demand]) -> list[str]:
    """The limbs that may rotate and whose knee or elbow has no target of its own."""
    taken = {demand.joint for demand in demands}
    limbs = {limb: hinges.limb_joints(skeleton, limb) for limb in hinges.hinged_limbs(skeleton)}
    return [
        limb for limb, (upper, middle, _) in limbs.items() if {upper, middle} <= set(joints) and middle not in taken
    ]


def _spread(
    motion: Motion,
    frames: np.ndarray,
    poses: Motion,
    joints: np.ndarray,
    settings: IkSettings,
    limits: JointLimits | None,
) -> Motion:
    """Interpolate the change of some frames to the frames around them, clamped to limits or the source motion."""
    source, solved = motion.local_rotations[:, joints], poses.local_rotations[:, joints]
    turns = rotations.log(rotations.multiply(rotations.inverse(source[frames]), solved))
    known = np.concatenate(
        [(poses.root_positions - motion.root_positions[frames])[:, None], turns], axis=1
    )  # (N, 1 + M, 3)
    known = np.where(np.abs(known) > ROUNDING, known, 0.0)
    change = spread_change(known, frames, motion.n_frames, settings.window * motion.fps)
    new_local = motion.local_rotations.copy()
    turned = rotations.multiply(source, rotations.exp(change[:, 1:]))
    new_local[:, joints] = np.where((change[:, 1:] == 0).all(-1, keepdims=True), source, turned)
    if limits is not None:
        new_local = limits.clamp(new_local, beside=motion.local_rotations)
    return replace(motion, root_positions=motion.root_positions + change[:, 0], local_rotations=new_local)


def _report(
    motion: Motion,
    targets: Sequence[Target],
    demands: Sequence[Demand],
    changed: Motion,
    settings: IkSettings,
    limits: JointLimits | None,
) -> IkReport:
    positions, turned = kinematics.world(changed)
    outcomes = []
    for number, (target, demand) in enumerate(zip(targets, demands)):
        reached = find_values(demand, positions[demand.frames], turned[demand.frames])
        misses = find_misses(demand, reached)
        met = misses <= _tolerance(demand, settings)
        reasons = np.full(len(met), "", dtype=object)
        if settings.explains and not met.all():
            reasons[~met] = _explain(motion, demands, number, demand.frames[~met], settings, limits)
        outcomes.append(IkOutcome(target, demand.frames, reached, misses, met, tuple(reasons)))
    return IkReport(tuple(outcomes))


def _explain(
    motion: Motion,
    demands: Sequence[Demand],
    number: int,
    frames: np.ndarray,
    settings: IkSettings,
    limits: JointLimits | None,
) -> np.ndarray:
    """Why a demand is not met: it is solved again without limits and without the other demands."""
    demand = demands[number]
    rows = np.searchsorted(demand.frames, frames, sorter=np.argsort(demand.frames))
    rows = np.argsort(demand.frames)[rows]
    alone = replace(demand, frames=demand.frames[rows], values=demand.values[rows])
    reasons = np.full(len(frames), OUT_OF_REACH, dtype=object)
    for reason, kept in ((LIMITS, None), (CONFLICT, limits)):
        if reason == LIMITS and limits is None:
            continue
        order = np.sort(frames)
        problem, unknowns = _fit(motion, [alone], order, settings, kept)
        values = find_values(alone, *kinematics.forward(motion.skeleton, *pose_at(problem, unknowns)))
        misses = find_misses(alone, values[np.searchsorted(order, frames)])
        reasons[misses <= _tolerance(demand, settings)] = reason
    return reasons


def _describe(outcome: IkOutcome) -> str:
    missed = ~outcome.met
    worst = int(outcome.misses.argmax())
    is_position = isinstance(outcome.target, PositionTarget)
    size = (
        f"{1000 * outcome.misses[worst]:.1f} mm" if is_position else f"{np.degrees(outcome.misses[worst]):.2f} degrees"
    )
    reasons = " and ".join(sorted({reason for reason in outcome.reasons if reason}))
    return (
        f"{'position' if is_position else 'orientation'} of '{outcome.target.joint}' missed in {missed.sum()} of "
        f"{len(missed)} frames, by {size} in frame {outcome.frames[worst]}: {reasons}"
    )


def _tolerance(demand: Demand, settings: IkSettings) -> float:
    return settings.position_tolerance if demand.is_position else settings.orientation_tolerance


def _rest_ends(skeleton: Skeleton) -> np.ndarray:
    """(E, 3) metres: end sites in the rest pose, with the root at the origin."""
    return skeleton.rest_positions[skeleton.end_parents] + skeleton.end_offsets


def _check(motion: Motion, settings: IkSettings, limits: JointLimits | None) -> None:
    if not 0 <= settings.window <= LONGEST_WINDOW:
        raise BadInput(f"window must be 0 to {LONGEST_WINDOW:g} seconds, got {settings.window}")
    for name in ("position_tolerance", "orientation_tolerance", "root_stiffness"):
        if not 0 < getattr(settings, name) < np.inf:
            raise BadInput(f"{name} must be finite and above 0, got {getattr(settings, name)}")
    broken = ~(np.isfinite(motion.root_positions).all(axis=1) & np.isfinite(motion.local_rotations).all(axis=(1, 2)))
    if broken.any():
        raise BadInput(f"frame {int(broken.argmax())} of the motion is not finite; cut such frames out first")
    if limits is not None and limits.names != motion.skeleton.names:
        raise SkeletonMismatch(
            f"joint limits have {len(limits.names)} joints ({', '.join(limits.names[:3])}, ...), expected "
            f"{motion.skeleton.n_joints} as the motion ({', '.join(motion.skeleton.names[:3])}, ...); learn them on "
            "its skeleton"
        )
