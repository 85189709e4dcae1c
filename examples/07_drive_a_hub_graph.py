"""Build a hub graph of some takes and drive a character through it, frame by frame, as a game would.

python examples/07_drive_a_hub_graph.py demo/corpus out.glb walk/figure_eight walk/about_face_1
"""

import sys

import numpy as np

from motionloom import formats
from motionloom.corpus import Corpus
from motionloom.methods import snap
from motionloom.motion import Motion

SECONDS = 12.0


def main(path: str, out: str, *takes: str) -> None:
    with Corpus.open(path) as corpus:
        request = snap.GraphRequest(takes=takes or None, hubs=(snap.Hub(name="step", largest=True),))
        model = snap.prepare(corpus, request)  # suggested, built, named and connected
        print(model.describe())

        player = snap.Player(model.graph)
        roots, rotations = [], []
        for frame in range(round(SECONDS * model.fps)):
            bend = 0.6 * np.sin(2 * np.pi * frame / (SECONDS * model.fps))  # a stick that is moved to and fro
            player.steer(snap.Control(curvature=float(bend)))
            player.step()
            pose = player.pose()
            roots.append((pose.x, pose.y, pose.z))
            rotations.append([pose.rotation, *pose.joints])
            for event in player.take_events():
                if event.kind == "clip":
                    print(f"{frame / model.fps:6.2f} s  {model.graph.clips[event.clips[0]].name}")
        formats.write(out, Motion(model.graph.skeleton, np.array(roots), np.array(rotations), model.fps))


if __name__ == "__main__":
    main(*sys.argv[1:])
