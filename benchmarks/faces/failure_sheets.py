"""Sheets of stretches in which the prior fails: python -m benchmarks.faces.failure_sheets DATA FOLDER

Of each length the one that is worst beside the better of linear and inverse kinematics, and the one that is farthest.
"""

import sys
from pathlib import Path

import numpy as np

from benchmarks.faces.completion import LENGTHS, request_of
from benchmarks.faces.failures import Failure, failures
from benchmarks.faces.material import USUAL
from benchmarks.faces.stretches import made_of
from motionloom.motion import PointMotion
from motionloom.render import ComparedFace, write_face_comparison

TITLES = {"dynamics": "with what was learnt", "linear": "a line between poses", "subspace": "inverse kinematics, PCA"}
POSES, LISTED = 9, 8


def main(data: Path, folder: Path) -> None:
    for seconds in LENGTHS:
        found = sorted(failures(data, seconds), key=lambda each: -each.ratio)
        for each in found[:LISTED]:
            millimetres = {method: round(1000 * value, 2) for method, value in each.metres.items()}
            print(f"{seconds:g} s, {each.stretch.take} from frame {each.stretch.start}: {millimetres}")
        draw(found[0], folder / f"worst_{seconds:g}s.png")
        draw(max(found, key=lambda each: each.metres["dynamics"]), folder / f"farthest_{seconds:g}s.png")


def draw(failure: Failure, path: Path) -> None:
    """A sheet of what was recorded and what each method makes of it."""
    stretch = failure.stretch
    given = (stretch.most_mobile,)
    true = PointMotion(stretch.view.markers, stretch.world, stretch.view.fps)
    faces = [ComparedFace("recorded", true, given, is_recorded=True)]
    for method, title in TITLES.items():
        made = made_of(stretch.model(USUAL), request_of(stretch, method))
        faces.append(ComparedFace(f"{title}: {1000 * failure.metres[method]:.2f} mm on average", made, given))
    frames = np.linspace(0, stretch.n_frames - 1, POSES).round().astype(int)
    title = f"{stretch.take} from {stretch.start / stretch.view.fps:.1f} s: three keys and the way of {given[0]}"
    write_face_comparison(path, faces, title, frames.tolist())


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
