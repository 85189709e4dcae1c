"""Key poses of walks: the whole motion is found from six, four or two of them, evenly spaced over two seconds.

Every take is left out of the model in turn; d_x is 40, and m is chosen without it. Angles are of the finished motion
beside the recording, over the joints that move, without the root and fingers.
"""

from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

from benchmarks.dynamics.material import STRAIGHT, WALK_69, locomotion, model_of, others_of_69, walking, without
from benchmarks.dynamics.windows import Missed, Window, made_of, mean_of, missed_by, windows_of
from benchmarks.measure import figure
from motionloom.methods.dynamics import Request
from motionloom.methods.dynamics.request import Prior

KEYS = (6, 4, 2)
PAPER = {6: 0.94, 4: 1.06, 2: 1.81}
ALTERNATIVES = ("linear", "spline", "trajectory", "subspace")
SETTINGS = Prior(dimensions=40, order=None)  # m by held-out takes of those that are learnt from
KINDS = {"alone": (False, "free"), "places and contacts": (True, "free"), "the same, feet planted": (True, "given")}


def figures(data: Path) -> list[dict]:
    """Seven straight walks of subject 16, each left out in turn; and a take of 69."""
    found = [*_of("keys of 16", lambda: walks_of_16(data), with_alternatives=True)]
    return [*found, *_of("keys of 69_08", lambda: windows_of_69(data), with_alternatives=False)]


def walks_of_16(data: Path) -> Iterable[Window]:
    """Windows of each straight walk, with a model of the six others."""
    for take in STRAIGHT:
        yield from windows_of(model_of(locomotion(data), without(STRAIGHT, take), (take,), SETTINGS), take)


def windows_of_69(data: Path) -> Iterable[Window]:
    """Windows of a long walk, with a model of the other takes of the subject."""
    model = model_of(walking(data), others_of_69(data), (WALK_69,), SETTINGS)
    return windows_of(model, WALK_69)[::3]


def request_of(
    window: Window, count: int, *, method: str = "dynamics", placed: bool = False, feet: str = "free"
) -> Request:
    """Keys of a recording, evenly spaced, the first and the last frame among them."""
    step = window.model.step
    at = np.round(np.linspace(0, (window.n_frames - 1) // step, count)).astype(int) * step
    data: dict = {"length": f"{window.n_frames}f", "method": method, "feet": feet}
    data["poses"] = [
        {
            "at": f"{frame}f",
            "pose": {"take": window.take, "frame": window.source_frame(int(frame))},
            "as_recorded": placed,
        }
        for frame in at
    ]
    if placed:
        data["contacts_like"] = {"take": window.take, "frame": window.frame}
    return Request.from_data(data)


def _of(what: str, windows: Callable[[], Iterable[Window]], *, with_alternatives: bool) -> list[dict]:
    found: dict[tuple[str, int, str], list[Missed]] = {}
    for window in windows():
        for kind, (placed, feet) in KINDS.items():
            methods = ("dynamics", *ALTERNATIVES) if with_alternatives and feet == "free" else ("dynamics",)
            for count in KEYS:
                for method in methods:
                    request = request_of(window, count, method=method, placed=placed, feet=feet)
                    missed = missed_by(made_of(window.model, request), window)
                    found.setdefault((kind, count, method), []).append(missed)
    rows = [figure(f"{what}; windows of 2 s", len(found["alone", 6, "dynamics"]), "windows", "higher")]
    for (kind, count, method), missed in found.items():
        name = f"{what}; {count} {kind}"
        degrees = mean_of(missed, "geodesic")
        if method != "dynamics":
            rows.append(figure(f"{name}; {method}", degrees, "deg", "lower"))
            continue
        euler = mean_of(missed, "euler")
        rows.append(figure(f"{name}; geodesic", degrees, "deg", "lower"))
        rows.append(figure(f"{name}; Euler angles", euler, "deg", "lower", paper=PAPER[count]))
        rows.append(figure(f"{name}; slide of resting feet", 100 * mean_of(missed, "skate"), "cm/s", "lower"))
        if placed_of(kind):
            rows.append(figure(f"{name}; root off by", 100 * mean_of(missed, "root"), "cm", "lower"))
        if with_alternatives and KINDS[kind][1] == "free":
            best = min(mean_of(found[kind, count, other], "geodesic") for other in ALTERNATIVES)
            rows.append(figure(f"{name}; ratio to the best alternative", degrees / best, "x", "lower"))
            better = np.mean(
                [
                    mine.geodesic < min(theirs)
                    for mine, *theirs in zip(
                        missed, *([each.geodesic for each in found[kind, count, other]] for other in ALTERNATIVES)
                    )
                ]
            )
            rows.append(figure(f"{name}; windows better than all alternatives", 100 * better, "%", "higher"))
    return rows


def placed_of(kind: str) -> bool:
    """Whether places are given."""
    return KINDS[kind][0]
