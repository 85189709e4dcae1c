"""Trajectories of a few joints, and no pose: six, five, three or two of a walk, over two seconds."""

from pathlib import Path

from benchmarks.dynamics.keys import walks_of_16
from benchmarks.dynamics.windows import Window, made_of, mean_of, missed_by
from benchmarks.measure import figure
from motionloom.methods.dynamics import Request

SETS = {
    "six": ("root", "head", "left_hand", "right_hand", "left_foot", "right_foot"),
    "five": ("root", "left_hand", "right_hand", "left_foot", "right_foot"),
    "three": ("root", "left_foot", "right_foot"),
    "two": ("root", "right_foot"),
}


def figures(data: Path) -> list[dict]:
    """Straight walks of subject 16, each left out in turn."""
    found = []
    windows = list(walks_of_16(data))
    for name, joints in SETS.items():
        for method in ("dynamics", "subspace"):
            if method == "subspace" and name != "six":
                continue
            requests = [request_of(window, joints, method=method) for window in windows]
            missed = [missed_by(made_of(window.model, request), window) for window, request in zip(windows, requests)]
            what = f"{name} trajectories" + ("" if method == "dynamics" else f"; {method}")
            found.append(figure(f"{what}; geodesic", mean_of(missed, "geodesic"), "deg", "lower"))
            found.append(figure(f"{what}; slide of resting feet", 100 * mean_of(missed, "skate"), "cm/s", "lower"))
    return found


def request_of(window: Window, joints: tuple[str, ...], *, method: str = "dynamics", feet: str = "free") -> Request:
    """Joints along the paths that they took in a recording."""
    like = {"take": window.take, "frame": window.frame}
    whole = {"from": "0f", "to": f"{window.n_frames - 1}f"}
    points = [
        {"joint": window.model.skeleton.names[0] if joint == "root" else joint, "like": like, **whole}
        for joint in joints
    ]
    data = {"length": f"{window.n_frames}f", "method": method, "feet": feet, "points": points}
    return Request.from_data(data)
