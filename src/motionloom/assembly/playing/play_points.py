"""Playing points: the pieces of a plan of points one after another; nothing is planted, for points have no feet."""

import time
from dataclasses import replace

import numpy as np

from motionloom.assembly.plans.plan import Generated, Piece, Plan
from motionloom.assembly.playing.played import Played
from motionloom.assembly.results.result import Timing
from motionloom.errors import BadInput
from motionloom.motion import PointMotion, place_points, provenance


def is_of_points(plan: Plan) -> bool:
    """Whether a plan plays points instead of a body."""
    return any(
        isinstance(piece.source, Generated) and isinstance(piece.source.motion, PointMotion) for piece in plan.pieces
    )


def play_points(plan: Plan) -> Played:
    """Make the frames of a plan whose pieces are generated motions of the same points."""
    began = time.perf_counter()
    motions = [_motion_of(piece) for piece in plan.pieces]
    names = motions[0].names
    for piece, motion in zip(plan.pieces, motions):
        if motion.names != names:
            raise BadInput(f"piece '{piece.name}': points {motion.names}, but the plan begins with {names}")
    positions = np.concatenate([_positions(piece, motion) for piece, motion in zip(plan.pieces, motions)])
    origins = provenance.concatenate([_origin(piece) for piece in plan.pieces])
    took = Timing("assembling", time.perf_counter() - began)
    return Played(plan, replace(motions[0], positions=positions), None, origins, timings=(took,))


def _motion_of(piece: Piece) -> PointMotion:
    if not (isinstance(piece.source, Generated) and isinstance(piece.source.motion, PointMotion)):
        raise BadInput(f"piece '{piece.name}' is a body in a plan of points; make a plan for each")
    return piece.source.motion


def _positions(piece: Piece, motion: PointMotion) -> np.ndarray:
    """(F, M, 3) metres, world: frames between two of the source are between their points."""
    before = np.clip(np.floor(piece.times).astype(int), 0, motion.n_frames - 1)
    after = np.minimum(before + 1, motion.n_frames - 1)
    share = (piece.times - before)[:, None, None]
    mixed = np.where(
        share == 0, motion.positions[before], (1 - share) * motion.positions[before] + share * motion.positions[after]
    )
    return place_points(mixed, piece.placement)


def _origin(piece: Piece) -> provenance.Provenance:
    assert isinstance(piece.source, Generated)
    whole = provenance.generated(piece.name, piece.source.motion.n_frames, piece.source.parameters)
    return provenance.take_frames(whole, piece.times)
