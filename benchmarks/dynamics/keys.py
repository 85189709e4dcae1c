"""Key poses of walks: the whole motion is found from six, four or two of them, evenly spaced over two seconds.

Every take is left out of the model in turn. Angles are of the finished motion beside the recording, over the joints
that move, without the root and fingers.
"""

from dataclasses import dataclass

import numpy as np
from benchmarks.dynamics.material import euler_difference, geodesic

from motionloom.assembly import solve
from motionloom.methods import dynamics
from motionloom.methods.dynamics import Model, Request
from motionloom.motion import Motion, cut

KEYS = (6, 4, 2)
PAPER = {6: 0.94, 4: 1.06, 2: 1.81}
SECONDS, EVERY = 2.0, 0.5
ALTERNATIVES = ("linear", "spline", "trajectory", "subspace")


@dataclass(frozen=True)
class Missed:
    """How far a motion is from a recording."""

    geodesic: float  # degrees
    euler: float
    root: float  # metres


def windows_of(model: Model, name: str) -> list[int]:
    """First frames of two seconds of the model's frames, every half second."""
    n_frames = model.view.motion(name).n_frames
    length = window_frames(model)
    return list(range(0, n_frames - length + 1, round(EVERY * model.fps)))


def window_frames(model: Model) -> int:
    """Frames of a window: the first and the last are frames of the model."""
    return (round(SECONDS * model.prior.fps) - 1) * model.step + 1


def request_of(model: Model, name: str, start: int, count: int, *, method: str, with_contacts: bool) -> Request:
    """Keys of a recording, evenly spaced, the first and the last frame among them."""
    length = window_frames(model)
    at = np.round(np.linspace(0, (length - 1) // model.step, count)).astype(int) * model.step
    frames = model.view.source_frames[model.view.range_of(name)[0] :]
    data: dict = {"length": f"{length}f", "method": method, "feet": "given"}
    data["poses"] = [
        {
            "at": f"{frame}f",
            "pose": {"take": name, "frame": round(float(frames[start + frame]))},
            "as_recorded": with_contacts,
        }
        for frame in at
    ]
    if with_contacts:
        data["contacts_like"] = {"take": name, "frame": round(float(frames[start]))}
    return Request.from_data(data)


def missed_by(model: Model, name: str, start: int, request: Request) -> Missed:
    """How far the finished motion of a request is from the recording."""
    answer = solve(dynamics, model, request)[0]
    (played,) = dynamics.perform(answer, model).played
    made = played.motion
    assert isinstance(made, Motion)
    true = cut(model.view.motion(name), start, start + made.n_frames)
    joints = model.prior.vectors.joints
    away = np.linalg.norm(made.root_positions - true.root_positions, axis=1).mean()
    return Missed(geodesic(made, true, joints), euler_difference(made, true, joints), float(away))
