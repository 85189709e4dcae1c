"""Resting feet at joins: how far from where the joined frames have them they are planted."""

from pathlib import Path

import numpy as np

from benchmarks.measure import figure
from benchmarks.unseen.timelines import all_timelines
from motionloom.features.feet import SIDES
from motionloom.motion import kinematics

FAR = (0.15, 0.3)  # metres


def feet_figures(data: Path) -> list[dict]:
    """Shares of resting feet that planting moved far, in timelines without a place to bend to."""
    moved = []
    for made in all_timelines(data):
        if not made.request.places:
            (played,) = made.performed.played
            before, after = (kinematics.world_positions(motion) for motion in (played.before, played.motion))
            for number, side in enumerate(SIDES):
                ankle = played.motion.skeleton.index(f"{side}_foot")
                rests = played.contacts[:, 2 * number : 2 * number + 2].any(axis=1)
                moved.append(np.linalg.norm(after[rests, ankle] - before[rests, ankle], axis=-1))
    metres = np.concatenate(moved)
    return [
        figure("feet; frames of a resting foot", len(metres), "frames", "higher"),
        *(
            figure(f"feet; planted over {100 * far:.0f} cm from where the joined frames have them", share, "%", "lower")
            for far, share in ((far, 100 * np.mean(metres > far)) for far in FAR)
        ),
    ]
