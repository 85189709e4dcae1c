"""How a bridge comes out: its frames joined in the usual way to what is recorded on both sides, and bent to the rest.

A search over placed poses only guesses what joins add to the path. Joining takes a hundred times as long, so it is done
for the few bridges that would be chosen.
"""

import numpy as np

from motionloom.assembly import Join, Piece, Plan, Recorded, fit_joins, usual_joins
from motionloom.assembly.playing.assemble import join_pieces
from motionloom.constraints.bend_limits import Distortion
from motionloom.features.facing import find_facing
from motionloom.graphs import PlacedClip
from motionloom.methods.buildup.model import Model
from motionloom.methods.buildup.sequence.bridge_paths import distortion_to
from motionloom.methods.buildup.sequence.entries import LastPose
from motionloom.motion import Placement, compose, invert, kinematics
from motionloom.motion.placement import turn_ground

WINDOW = 0.6  # seconds on both sides of a bridge that its joins may change
AROUND = 1.5  # seconds on both sides that joining and planting see


def joined_distortion(
    model: Model, sides: tuple[LastPose, LastPose], clips: tuple[PlacedClip, ...], behind: Placement
) -> Distortion:
    """What it takes to bend a joined bridge so that the pose behind it is where it stays.

    Args:
        model: of the takes.
        sides: the poses before and behind the gap, as they stand.
        clips: of the bridge.
        behind: of the recording behind the gap, where the bridge comes to it.
    """
    before, after = _recorded_beside(model, sides, behind)
    pieces = tuple(
        Piece(Recorded(clip.name), clip.start, clip.stop, clip.placement) for clip in (before, *clips, after)
    )
    view = model.view
    joins = fit_joins(pieces, (Join.usual("displacement"),) * (len(pieces) - 1), view.fps)
    plan = Plan(pieces, joins, view.fps, view.skeleton.digest, view.key)
    last, end = pieces[0].n_frames - 1, plan.n_frames - pieces[-1].n_frames  # of the pose before and behind
    window = round(WINDOW * view.fps)
    locked = range(max(last + 1 - window, 0)), range(min(end + window, plan.n_frames), plan.n_frames)
    motion = join_pieces(usual_joins(plan, locked), view).motion
    headings, ground = find_facing(motion.skeleton, kinematics.world_positions(motion))
    path = np.column_stack([ground, headings])[last : end + 1]
    return distortion_to(model, path, _moved(path[-1], compose(sides[1].placement, invert(behind))))


def _moved(place: np.ndarray, placement: Placement) -> tuple[float, float, float]:
    x, z = turn_ground(place[:2], placement.heading) + placement.slide
    return float(x), float(z), float(place[2] + placement.heading)


def _recorded_beside(
    model: Model, sides: tuple[LastPose, LastPose], behind: Placement
) -> tuple[PlacedClip, PlacedClip]:
    """What is recorded up to the pose before a gap, and from the one behind it."""
    around = round(AROUND * model.fps)
    (one, first), (other, second) = (model.clip_frame(side.frame) for side in sides)
    start, stop = model.view.range_of(other)
    return (
        PlacedClip(one, max(first + 1 - around, 0), first + 1, sides[0].placement),
        PlacedClip(other, second, min(second + around, stop - start), behind),
    )
