"""Read takes of different people as one: same skeleton, same rate, floor at zero.

python examples/03_one_view_of_many_takes.py demo/corpus
"""

import sys

import numpy as np

from motionloom.conform import ViewSettings, make_view
from motionloom.corpus import Corpus


def main(path: str) -> None:
    with Corpus.open(path) as corpus:
        view = make_view(corpus, settings=ViewSettings(fps=30, mirrored=True))
        print(
            f"{len(view.names)} motions, {view.n_frames} frames of {view.skeleton.n_joints} joints at {view.fps:g} Hz"
        )

        velocities = view.whole_layer("velocities")  # (N, J, 3) in the facing: x left, z forwards
        speed = np.linalg.norm(velocities[:, view.skeleton.index("hips")][:, [0, 2]], axis=-1)
        fastest = int(speed.argmax())
        origin = view.origin(fastest)
        mirrored = " (mirrored)" if origin.is_mirrored else ""
        print(f"fastest: {speed[fastest]:.1f} m/s in {origin.take} at frame {origin.frame:.0f}{mirrored}")


if __name__ == "__main__":
    main(*sys.argv[1:2])
