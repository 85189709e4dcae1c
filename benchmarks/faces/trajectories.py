"""Trajectories of a few points, or of distances on the face, and no key: the whole face is found from them."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.faces.material import USUAL, recorded
from benchmarks.faces.screen import rest_of
from benchmarks.faces.stretches import Stretch, made_of, missed_by, stretches_of
from benchmarks.measure import figure
from motionloom.methods.dynamics import Request

SECONDS = 1.5
POINTS = ("Mouth_Lend", "Mouth_Up", "Chin", "Reyebrow_M")
DISTANCES = {
    "mouth width": ("Mouth_Lend", "Mouth_Rend"),
    "mouth height": ("Mouth_Up", "Mouth_Down"),
    "left eye": ("Leye_Up", "Leye_Down"),
    "right eye": ("Reye_Up", "Reye_Down"),
}


def figures(data: Path) -> list[dict]:
    """Millimetres beside the recordings."""
    stretches, rows = stretches_of(recorded(data), SECONDS), []
    asked: dict[str, Callable[[Stretch], dict]] = {"four trajectories": points_of, "four distances": distances_of}
    for what, constraints in asked.items():
        for method in ("dynamics", "subspace"):
            missed = [missed_by(made_of(s.model(USUAL), request_of(s, constraints(s), method)), s) for s in stretches]
            value = 1000 * float(np.mean(missed))
            rows.append(figure(f"{what} and no key, {SECONDS:g} s; {method}", value, "mm", "lower"))
    still = [np.linalg.norm(rest_of(stretch) - stretch.world, axis=-1).mean() for stretch in stretches]
    return [*rows, figure(f"the face at rest, {SECONDS:g} s", 1000 * float(np.mean(still)), "mm", "lower")]


def points_of(stretch: Stretch) -> dict:
    """Four points in all frames."""
    like = {"take": stretch.take, "frame": stretch.frame}
    whole = {"from": "0f", "to": f"{stretch.n_frames - 1}f", "like": like}
    return {"points": [{"joint": name, **whole} for name in POINTS]}


def distances_of(stretch: Stretch) -> dict:
    """How wide and high the mouth is, and how open the eyes are, in every frame of the model."""
    found = []
    for one, other in DISTANCES.values():
        places = stretch.world[:, [stretch.view.markers.index(name) for name in (one, other)]]
        metres = np.linalg.norm(places[:, 0] - places[:, 1], axis=-1)
        found += [
            {"at": f"{frame}f", "joint": one, "other": other, "metres": round(float(metres[frame]), 6)}
            for frame in range(0, stretch.n_frames, 2)
        ]
    return {"distances": found}


def request_of(stretch: Stretch, constraints: dict, method: str) -> Request:
    """What is asked, on the head as it moves."""
    head = {"like": {"take": stretch.take, "frame": stretch.frame}}
    return Request.from_data({"length": f"{stretch.n_frames}f", "method": method, "head": head, **constraints})
