"""Six points on the screen at three instants, and nothing else: how the face looks there, and how deep it is."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.faces.completion import LENGTHS, key_frames
from benchmarks.faces.material import PAPER, USUAL, recorded
from benchmarks.faces.stretches import Stretch, made_of, stretches_of
from benchmarks.measure import figure
from motionloom.methods.dynamics import Request
from motionloom.methods.dynamics.request import Prior
from motionloom.motion.rotations import about_y, rotate
from motionloom.render.scene.camera import Camera

SIX = ("Mouth_Lend", "Mouth_Rend", "Mouth_Up", "Mouth_Down", "Leyebrow_M", "Reyebrow_M")
AWAY, FIELD, SIZE = 0.6, 25.0, 1000  # metres, degrees, pixels of a square picture
SIDES = {"from the front": 0.0, "from 30 degrees aside": 30.0}
PRIORS = {"m = 2, d_u = 1, d_x = 20": PAPER, "usual settings": USUAL}
FEW = 3  # dimensions: with more of them, twelve numbers leave inverse kinematics in a subspace at a loss
BEST = f"subspace of {FEW} dimensions"


def figures(data: Path) -> list[dict]:
    """Pixels and depths of the six points at the three instants, and of the whole face all the time."""
    rows = []
    for kind, prior in PRIORS.items():
        for side, degrees in SIDES.items():
            rows += _rows(data, f"six points on the screen, {side}; {kind}", prior, degrees)
    return rows


def _rows(data: Path, what: str, prior: Prior, degrees: float) -> list[dict]:
    stretches = [stretch for seconds in LENGTHS for stretch in stretches_of(recorded(data), seconds)]
    few = replace(prior, dimensions=FEW)
    asked = {"dynamics": ("dynamics", prior), "subspace": ("subspace", prior), BEST: ("subspace", few)}
    found = {
        name: [
            measure(stretch, made_of(stretch.model(own), request_of(stretch, degrees, method)).positions, degrees)
            for stretch in stretches
        ]
        for name, (method, own) in asked.items()
    }
    found["the face at rest"] = [measure(stretch, rest_of(stretch), degrees) for stretch in stretches]
    rows = [figure(f"{what}; stretches", len(stretches), "stretches", "higher")]
    for method, each in found.items():
        pixels, depth, away = np.array(each).T
        if method in asked:
            rows.append(figure(f"{what}; {method}, farthest from where it is asked", pixels.max(), "px", "lower"))
        rows.append(figure(f"{what}; {method}, depth of the six points", 1000 * depth.mean(), "mm", "lower"))
        rows.append(figure(f"{what}; {method}, all markers all the time", 1000 * away.mean(), "mm", "lower"))
    own_depth, *others = (np.mean([each[1] for each in found[name]]) for name in ("dynamics", "subspace", BEST))
    return [
        *rows,
        figure(f"{what}; depth, ratio to subspace", own_depth / others[0], "x", "lower"),
        figure(f"{what}; depth, ratio to {BEST}", own_depth / others[1], "x", "lower"),
    ]


def rest_of(stretch: Stretch) -> np.ndarray:
    """(F, M, 3) metres of the face at rest on the head as it moves."""
    head = stretch.view.head(stretch.take)
    part = slice(stretch.start, stretch.start + stretch.n_frames)
    return rotate(head.rotations[part, None], stretch.view.rest) + head.positions[part, None]


def camera_of(stretch: Stretch, degrees: float) -> Camera:
    """A camera on the middle of the face, as it is in the first frame, from the front or aside."""
    middle = stretch.world[0].mean(axis=0).round(6)
    head = stretch.view.head(stretch.take).rotations[stretch.start]
    to_camera = rotate(head, rotate(about_y(np.radians(degrees)), np.array([0.0, 0.0, 1.0])))
    return Camera((middle + AWAY * to_camera).round(6), middle, np.radians(FIELD))


def request_of(stretch: Stretch, degrees: float, method: str = "dynamics") -> Request:
    """Where six points are on the screen, at three instants."""
    camera = camera_of(stretch, degrees)
    pixels = camera.project(stretch.world, (SIZE, SIZE))[..., :2]
    return Request.from_data(
        {
            "length": f"{stretch.n_frames}f",
            "method": method,
            "head": {"like": {"take": stretch.take, "frame": stretch.frame}},
            "cameras": {
                "screen": {
                    "position": camera.position.tolist(),
                    "look_at": camera.target.tolist(),
                    "field_of_view": FIELD,
                    "size": [SIZE, SIZE],
                }
            },
            "projections": [
                {
                    "at": f"{frame}f",
                    "joint": name,
                    "camera": "screen",
                    "pixel": [round(float(value), 2) for value in pixels[frame, stretch.view.markers.index(name)]],
                    "hard": True,
                }
                for frame in key_frames(stretch)
                for name in SIX
            ],
        }
    )


def measure(stretch: Stretch, made: np.ndarray, degrees: float) -> tuple[float, float, float]:
    """Most pixels that a point is from where it is asked, metres that they miss in depth, and metres of all markers."""
    camera = camera_of(stretch, degrees)
    chosen = np.ix_(key_frames(stretch), [stretch.view.markers.index(name) for name in SIX])
    off = (camera.project(made, (SIZE, SIZE)) - camera.project(stretch.world, (SIZE, SIZE)))[chosen]
    away = np.linalg.norm(made - stretch.world, axis=-1)
    return float(np.linalg.norm(off[..., :2], axis=-1).max()), float(np.abs(off[..., 2]).mean()), float(away.mean())
