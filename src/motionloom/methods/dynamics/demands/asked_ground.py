"""Asked ground: where an edit asks the root to be over the ground, and where it takes all of the body along to."""

from dataclasses import dataclass

import numpy as np

from motionloom.methods.dynamics.demands.body_setting import BodySetting
from motionloom.methods.dynamics.demands.demand import HARD_DEGREES, HARD_METRES, Demand, Finished
from motionloom.methods.dynamics.demands.reach import is_fixed_to_root
from motionloom.methods.dynamics.demands.read_demands import BodyDemands
from motionloom.methods.dynamics.terms.linear_terms import PlaceTerm
from motionloom.methods.dynamics.terms.point_terms import OrientationTerm, PointTerm
from motionloom.motion.angles import wrap_angles
from motionloom.motion.placement import turn_ground

GROUND = [0, 2]


@dataclass(frozen=True, eq=False)
class AskedGround:
    """The frames in which the root is asked to be elsewhere, and by how much."""

    frames: np.ndarray  # (n,) increasing
    moves: np.ndarray  # (n, 3) metres and radians from where the root is in the motion that is edited; nan where free
    turned: np.ndarray  # (n,) bool: in which all of its orientation is asked for
    before: np.ndarray  # (F, 3) places of the motion that is edited

    def held(self) -> np.ndarray:
        """(n, 3) places in these frames that nothing is asked of, and that stay; nan for others.

        A heading stays where the body goes along as a whole, since a path that bends turns it; and a place where it
        turns as a whole, since turns one after another bend its path.
        """
        stays = np.isnan(self.moves)
        stays[:, :2] &= _are_alike(self.moves[:, 2:], float(np.radians(HARD_DEGREES)))
        stays[:, 2] &= _are_alike(self.moves[:, :2], HARD_METRES) & ~self.turned
        return np.where(stays, self.before[self.frames], np.nan)

    def taken_along(self, points: np.ndarray, frames: np.ndarray) -> np.ndarray:
        """(k, 3) metres: points of the motion that is edited in some frames, where the root takes them along to."""
        if not len(self.frames):
            return points
        moves = np.nan_to_num(self.moves)
        x, z, turn = (np.interp(frames, self.frames, column) for column in moves.T)
        nearest = self.frames[np.abs(frames[:, None] - self.frames).argmin(axis=1)]
        pivots = self.before[nearest, :2]
        along = points.copy()
        along[:, GROUND] = turn_ground(points[:, GROUND] - pivots, turn) + pivots + np.stack([x, z], axis=1)
        return along


def _are_alike(moves: np.ndarray, apart: float) -> bool:
    """Whether those of (n, k) moves that are known are the same, so far apart at most."""
    known = moves[np.isfinite(moves).all(axis=1)]
    return not len(known) or float(np.ptp(known, axis=0).max()) <= apart


def asked_ground(setting: BodySetting, demands: BodyDemands) -> AskedGround:
    """What an edit asks of the place and the heading of its root."""
    moves: dict[int, np.ndarray] = {}
    turned: set[int] = set()
    for demand in demands.parts:
        if not len(demand.pulled):
            continue
        term = demand.make_term(demand.pulled)
        if isinstance(term, OrientationTerm) and term.spot.joint == 0:
            turned.update(demand.pulled.tolist())
        for frame, move in zip(demand.pulled.tolist(), _moves(setting, demand)):
            own = moves.setdefault(frame, np.full(3, np.nan))
            own[:] = np.where(np.isfinite(move), move, own)
    frames = np.array(sorted(moves), int)
    found = np.array([moves[frame] for frame in frames.tolist()]).reshape(-1, 3)
    return AskedGround(frames, found, np.isin(frames, sorted(turned)), setting.source_places)


def _moves(setting: BodySetting, demand: Demand) -> np.ndarray:
    """(k or 0, 3) metres and radians that a demand asks the root to move by; nan where it is free."""
    term, frames = demand.make_term(demand.pulled), demand.pulled
    moves = np.full((len(frames), 3), np.nan)
    if isinstance(term, PlaceTerm):
        moves = np.where(np.isfinite(term.deviations), term.targets - setting.source_places[frames], np.nan)
        moves[:, 2] = wrap_angles(moves[:, 2])
        return moves
    if isinstance(term, OrientationTerm) and term.spot.joint == 0:
        return moves
    if not (isinstance(term, PointTerm) and is_fixed_to_root(setting.model.skeleton, term.spot)):
        return moves[:0]
    assert setting.source is not None
    was = Finished(setting.source, *setting.source_world).at(term.spot, frames)
    given = np.isfinite(np.broadcast_to(term.deviations, was.shape))
    moves[:, :2] = np.where(given, term.targets - was, np.nan)[:, GROUND]
    return moves
