"""Plant the feet of a recording, then bend it so that it ends somewhere else.

python examples/04_clean_and_bend.py walk.bvh out/
"""

import sys
from pathlib import Path

import numpy as np

from motionloom import formats
from motionloom.assembly import clean_feet
from motionloom.constraints import GroundTarget, bend_path
from motionloom.features.contacts import detect_contacts
from motionloom.features.facing import find_facing
from motionloom.features.floor import estimate_floor
from motionloom.motion import kinematics


def main(path: str, folder: str) -> None:
    motion = formats.read(path).motion
    floor = estimate_floor(motion)
    contacts = detect_contacts(motion, floor)  # (F, 4): heel and ball, left and right

    cleaned = clean_feet(motion, contacts, floor)
    print(cleaned.report.describe())
    Path(folder).mkdir(parents=True, exist_ok=True)
    formats.write(Path(folder) / "clean.bvh", cleaned.motion)

    headings, ground = find_facing(motion.skeleton, kinematics.world_positions(motion))
    place, heading = ground[-1] + np.array([0.5, 0.0]), headings[-1] + np.radians(30)
    bent = bend_path(motion, [GroundTarget(motion.n_frames - 1, place, heading)], contacts, floor)
    print(f"bent to end at {np.round(place, 2)} m, looking along {np.degrees(heading):.0f} degrees")
    formats.write(Path(folder) / "bent.bvh", bent.motion)


if __name__ == "__main__":
    main(*sys.argv[1:3])
