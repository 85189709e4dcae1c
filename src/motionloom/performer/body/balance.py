"""Balance: keeps the centre of mass over the supporting feet, and swinging legs within their length."""

import numpy as np

from motionloom.motion import kinematics
from motionloom.motion.placement import direction_of
from motionloom.performer import curves
from motionloom.performer.body.feet import FootTrack
from motionloom.performer.body.skeleton import LEG, build_skeleton, centre_of_mass
from motionloom.performer.gait.footsteps import Path
from motionloom.performer.gait.rhythm import Rhythm
from motionloom.performer.stage import Stage

SOLE_MIDDLE = 0.045  # metres that the middle of the sole is ahead of the ankle


def keep_balance(
    stage: Stage, path: Path, rhythm: Rhythm, feet: dict[str, FootTrack], roots: np.ndarray, local: np.ndarray
) -> np.ndarray:
    """Shift the hips, (F, 3) metres, so that the centre of mass of a standing body is over the supporting feet."""
    mass = centre_of_mass(kinematics.forward(build_skeleton(), roots, local)[0])[:, [0, 2]]
    load = curves.blur(rhythm.support, 0.11, path.fps)[:, None]
    soles = {side: track.flat_ground + SOLE_MIDDLE * direction_of(track.headings) for side, track in feet.items()}
    centre = load * soles["left"] + (1 - load) * soles["right"]
    free = how_still(feet, path.fps) * (1 - np.clip(stage.additions["propped"], 0.0, 1.0))
    free = np.maximum(free, stage.additions["poise"])
    move = curves.blur(
        1.15 * (centre - mass) * free[:, None], 0.1, path.fps
    )  # the feet stay, so the mass moves a little less
    return roots + np.stack([move[:, 0], np.zeros(len(move)), move[:, 1]], -1)


def how_still(feet: dict[str, FootTrack], fps: float) -> np.ndarray:
    """(F,) 1 where both feet have been planted for a while, easing to 0 at steps."""
    from scipy.ndimage import minimum_filter1d

    both = np.logical_and(*(track.down for track in feet.values())).astype(float)
    return curves.blur(minimum_filter1d(both, 2 * int(0.4 * fps) + 1), 0.13, fps)


def spare_leg(foot: FootTrack, hip: np.ndarray) -> np.ndarray:
    """(F, 3) metres, ankle positions with swinging feet kept within leg length of the (F, 3) hip positions."""
    line = foot.ankles - hip
    distance = np.linalg.norm(line, axis=-1, keepdims=True)
    aimed = 0.0 if foot.bends is None else foot.bends[:, 1:]  # a kick ends with the knee a little bent, and softly
    soft, room = (0.975 - 0.085 * aimed) * LEG, (0.018 + 0.052 * aimed) * LEG
    change = np.where(distance > soft, soft + room * np.tanh((distance - soft) / room), distance) - distance
    grounded = 1 - (curves.ease(foot.swing / 0.12) * curves.ease((1 - foot.swing) / 0.12))[:, None]
    change = change + np.clip(-change, 0.0, 0.005 * LEG) * grounded  # a foot that is down stays exactly where it is
    return foot.ankles + line * (change / distance)
