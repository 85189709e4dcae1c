"""Draw footplants.png: a walk on legs of other proportions, its feet as they fall and planted again."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from motionloom.conform import conform_motion
from motionloom.features.contacts import detect_contacts
from motionloom.features.feet import foot_points
from motionloom.performer import Writer, perform
from motionloom.render import FootTracks, write_foot_chart


def main() -> None:
    score = Writer("walk").then("stand", 0.5).then("walk", 4).then("stand", 0.5).done()
    motion = perform(score, np.random.default_rng(4)).motion
    factors = np.ones((motion.skeleton.n_joints, 1))
    for side in ("left", "right"):
        factors[motion.skeleton.index(f"{side}_knee")] = 0.8  # the thigh
        factors[motion.skeleton.index(f"{side}_foot")] = 1.2  # the shin
    skeleton = replace(motion.skeleton, offsets=motion.skeleton.offsets * factors)
    contacts = detect_contacts(motion, 0.0)
    loose = conform_motion(motion, 0.0, skeleton, motion.fps)
    planted = conform_motion(motion, 0.0, skeleton, motion.fps, contacts=contacts)
    before, after = foot_points(loose, 0.0), foot_points(planted, 0.0, like=loose)
    tracks = FootTracks(before, after, contacts, 0.0, motion.fps)
    write_foot_chart(Path(__file__).with_suffix(".png"), tracks, "a walk on shorter thighs and longer shins")


if __name__ == "__main__":
    main()
