"""Draw retargeting.png: a performed walk, and the same on an A-pose rig, a rig with twist joints and a child."""

import sys
from pathlib import Path

import numpy as np

from motionloom.features.contacts import detect_contacts
from motionloom.performer import Writer, perform
from motionloom.render import ComparedBody, write_comparison_sheet
from motionloom.retarget import retarget_motion

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from benchmarks.retarget.rigs import RIGS

TITLES = {
    "a_pose": "65 joints, resting in an A",
    "twist": "five joints of the spine, twist joints, a root on the floor",
    "child": "a child of 1.1 m",
}


def main() -> None:
    score = Writer("walk").then("stand", 0.4).then("walk", 3).then("stand", 0.4).done()
    motion = perform(score, np.random.default_rng(4)).motion
    contacts = detect_contacts(motion, 0.0)
    bodies = [ComparedBody("the performer", motion)]
    for name, title in TITLES.items():
        bodies.append(ComparedBody(title, retarget_motion(motion, RIGS[name](), contacts=contacts).motion))
    write_comparison_sheet(Path(__file__).with_suffix(".png"), bodies, "one walk, four bodies")


if __name__ == "__main__":
    main()
