"""Held rest: what an edit leaves as it was (equation 16), so that the gait does not pay for a hand."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from motionloom.methods.dynamics.demands.asked_ground import asked_ground
from motionloom.methods.dynamics.demands.asked_heights import asks_height_alone
from motionloom.methods.dynamics.demands.body_setting import BodySetting
from motionloom.methods.dynamics.demands.pose_demands import DEGREES_PER_METRE, given_columns
from motionloom.methods.dynamics.demands.read_demands import BodyDemands
from motionloom.methods.dynamics.prior.pose_vectors import HEIGHT, HEIGHT_AT, JOINTS_AT
from motionloom.methods.dynamics.terms.linear_terms import PlaceTerm, PoseTerm
from motionloom.methods.dynamics.trajectory.normal_equations import Term
from motionloom.motion import Skeleton

LIMB, TRUNK = 0.5, 0.15  # radians that free limbs, and the trunk that bears them, usually are beside the subspace
HELD_TRUNK = 30.0  # times as much as other joints that trunk may bend: else it would give way in single frames
AROUND = 0.5  # seconds before and after a whole pose in which joints are not held
LIMB_ENDS = ("head", "left_hand", "right_hand", "left_foot", "right_foot")


def hold_terms(setting: BodySetting, demands: BodyDemands, vectors: np.ndarray, places: np.ndarray) -> list[Term]:
    """That joints and the root stay as they were, but for those that are free.

    Args:
        setting: of an edit.
        demands: that free the limbs they are about.
        vectors: (F, D) scaled, of the motion that is edited.
        places: (F, 3) of it.
    """
    hold, step = setting.request.hold, setting.step
    free = free_joints(setting, demands)
    held = tuple(joint for joint in range(setting.model.skeleton.n_joints) if joint not in free)
    columns = given_columns(setting, held)
    if 0 in free and hold.free is None and not _poses_root(demands):
        columns = np.concatenate([[HEIGHT_AT], columns])
    rows = held_rows(setting, demands)
    deviations = np.full(len(columns), np.radians(hold.degrees))
    deviations[columns == HEIGHT_AT] = HEIGHT * hold.root
    bent = np.isin(columns, columns_of(setting, trunk_of(setting.model.skeleton, free)))
    deviations[bent] *= HELD_TRUNK
    terms: list[Term] = [PoseTerm(rows, columns, vectors[::step][rows][:, columns], deviations)]
    usual = np.array([hold.root, hold.root, np.radians(DEGREES_PER_METRE * hold.root)])
    if 0 not in free:
        terms.append(PlaceTerm(np.arange(setting.n_model_frames), places[::step], usual))
    elif hold.free is None:
        terms += _held_ground(setting, demands, usual)
    return terms


def _poses_root(demands: BodyDemands) -> bool:
    """Whether a pose says how high and how tilted the root is."""
    terms = [demand.make_term(demand.pulled) for demand in demands.parts if 0 in demand.joints and len(demand.pulled)]
    return any(isinstance(term, PoseTerm) and len(term.columns) > 1 for term in terms)


def _held_ground(setting: BodySetting, demands: BodyDemands, usual: np.ndarray) -> list[Term]:
    """That a root that is asked to turn turns on its place, and one that is asked to be elsewhere looks as it did."""
    ground = asked_ground(setting, demands)
    rows, first = np.unique(np.round(ground.frames / setting.step).astype(int), return_index=True)
    held = ground.held()[first]
    terms: list[Term] = []
    for kind in ([True, True, False], [False, False, True]):
        own = np.isfinite(held[:, kind]).all(axis=1)
        if own.any():
            terms.append(PlaceTerm(rows[own], np.nan_to_num(held[own]), np.where(kind, usual, np.inf)))
    return terms


def held_rows(setting: BodySetting, demands: BodyDemands) -> np.ndarray:
    """Frames of the model in which joints are held: not around whole poses, which the body needs time to get to."""
    rows = np.arange(setting.n_model_frames)
    frames = np.array([key.frame for key in demands.keys if key.joints is None])
    if not len(frames):
        return rows
    away = np.abs(rows[:, None] * setting.step - frames).min(axis=1)
    return rows[away >= AROUND * setting.fps]


def layer_columns(setting: BodySetting, demands: BodyDemands) -> tuple[list[int], np.ndarray]:
    """Numbers of vectors that an edit moves beside the subspace, of free limbs and of the trunk that bears them.

    Returns:
        The numbers, and how far each usually is from what the subspace shows.
    """
    free = free_joints(setting, demands)
    limbs, trunk = (columns_of(setting, joints) for joints in (free, trunk_of(setting.model.skeleton, free)))
    columns = np.concatenate([limbs, trunk]).astype(int)
    order = np.argsort(columns)
    return columns[order].tolist(), np.repeat([LIMB, TRUNK], [len(limbs), len(trunk)])[order]


def columns_of(setting: BodySetting, joints: Sequence[int] | set[int]) -> np.ndarray:
    """The numbers of vectors that are rotations of some joints."""
    found = np.flatnonzero(np.isin(setting.codec.joints, list(joints)))
    return (JOINTS_AT + 3 * found[:, None] + np.arange(3)).ravel()


def trunk_of(skeleton: Skeleton, free: set[int]) -> set[int]:
    """The joints between the root and limbs that are free."""
    return {above for joint in free for above in skeleton.chain(joint)} - free - {0}


def free_joints(setting: BodySetting, demands: BodyDemands) -> set[int]:
    """The joints that an edit does not hold: as asked, else the limbs of what demands pull, or asks to rest."""
    hold, skeleton = setting.request.hold, setting.model.skeleton
    if hold.free is not None:
        return {setting.joint(name, "hold") for name in hold.free}
    free: set[int] = set()
    for contact in setting.request.contacts:
        free |= set(limb_of(skeleton, setting.joint(contact.joint, "contact")))
    for demand in demands.parts:
        is_free = len(demand.pulled) and len(demand.joints) < skeleton.n_joints
        if is_free and not asks_height_alone(setting, demand):
            for joint in demand.joints:
                free |= set(limb_of(skeleton, joint))
    return free


def limb_of(skeleton: Skeleton, joint: int) -> list[int]:
    """The joints above a joint, and itself, that carry no other limb; of the trunk, all above it."""
    chain, n_limbs = skeleton.chain(joint), _limbs_on(skeleton)
    return [above for above in chain if n_limbs[above] <= 1] or chain


@lru_cache(maxsize=8)
def _limbs_on(skeleton: Skeleton) -> tuple[int, ...]:
    """J: how many limbs hang on a joint."""
    n_limbs = np.zeros(skeleton.n_joints, int)
    for role in LIMB_ENDS:
        if skeleton.has(role):
            n_limbs[skeleton.chain(skeleton.index(role))] += 1
    return tuple(n_limbs.tolist())
