"""Draw markers.png: a performed motion, from nothing but 41 markers with noise and gaps, with the markers on it."""

import sys
from pathlib import Path

import numpy as np

from motionloom.markers import fit_markers, full_body_markers, put_on
from motionloom.performer import Writer, perform
from motionloom.render import write_contact_sheet

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from benchmarks.faces.spoiling import spoil


def main() -> None:
    score = Writer("walk").then("stand", 0.3).then("walk", 2.4).then("stand", 0.3).done()
    motion = perform(score, np.random.default_rng(4)).motion
    markers = full_body_markers(motion.skeleton)
    points = spoil(put_on(motion, markers), np.random.default_rng(1))
    fitted = fit_markers(motion.skeleton, points, markers).motion
    title = "a walk from 41 markers: noise of 2 mm, a tenth of the samples missing"
    write_contact_sheet(Path(__file__).with_suffix(".png"), fitted, title=title, n_poses=7, floor=0.0, markers=points)


if __name__ == "__main__":
    main()
