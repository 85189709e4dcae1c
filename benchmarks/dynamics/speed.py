"""Speed: five seconds of a walk with twelve constraints and contacts, from scratch and after a drag; length to 60 s."""

from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from time import perf_counter

import numpy as np

from benchmarks.dynamics.material import WALK_69, model_of, others_of_69, walking
from benchmarks.dynamics.windows import Window, window_frames
from benchmarks.measure import best_of, figure
from motionloom.assembly import solve
from motionloom.methods import dynamics
from motionloom.methods.dynamics import Model, Request
from motionloom.methods.dynamics.dragging import drag
from motionloom.methods.dynamics.prior.pose_vectors import find_places
from motionloom.methods.dynamics.request import PointTarget, Prior
from motionloom.motion import kinematics

SECONDS = 5.0
DIMENSIONS = 30  # d_x
DRAGS, STEP = 40, 0.01  # events, and metres that each moves the hand
LENGTHS = (7.5, 15.0, 30.0, 60.0)
START = 180  # frame of the take


@cache
def model(data: Path) -> Model:
    """Of all walks of 69 but one."""
    return model_of(walking(data), others_of_69(data), (WALK_69,), Prior(dimensions=DIMENSIONS))


def figures(data: Path) -> list[dict]:
    """Seconds from scratch, milliseconds of a drag, and how time grows with length."""
    own = model(data)
    window = Window(own, WALK_69, START, window_frames(own, SECONDS))
    request = twelve_constraints(window)
    name = f"5 s at 60 Hz, 12 constraints and contacts, d_x = {DIMENSIONS}, a knot every frame of 30 Hz"
    cold = best_of(lambda: solve(dynamics, own, request), 3)
    answer = solve(dynamics, own, request)[0]
    finish = best_of(lambda: dynamics.perform(answer, own), 3)
    times, away = dragged(own, request, answer)
    found = [
        figure(f"{name}; from scratch", cold, "s", "lower", paper=30),
        figure(f"{name}; the last pass and the report on top", finish, "s", "lower"),
        figure(f"{name}; after a drag, median", 1000 * float(np.median(times)), "ms", "lower"),
        figure(f"{name}; after a drag, 95th percentile", 1000 * float(np.percentile(times, 95)), "ms", "lower"),
        figure(f"{name}; joints after a drag beside the cold solution, largest distance", 1000 * away, "mm", "lower"),
    ]
    longer = [long_request(own, length) for length in LENGTHS]
    seconds = [best_of(partial(solve, dynamics, own, asked), 2) for asked in longer]
    exponent = float(np.polyfit(np.log(LENGTHS), np.log(seconds), 1)[0])
    found += [
        figure(f"{length:g} s with keys and contacts; from scratch", value, "s", "lower")
        for length, value in zip(LENGTHS, seconds)
    ]
    return [*found, figure("time against length, 7.5 to 60 s; exponent", exponent, "", "lower")]


def twelve_constraints(window: Window) -> Request:
    """Six poses, three points, an orientation, a distance and a place; and the contacts of the recording."""
    n, names = window.n_frames, window.take
    at = np.round(np.linspace(0, (n - 1) // 2, 6)).astype(int) * 2
    poses = [
        {"at": f"{frame}f", "pose": {"take": names, "frame": window.source_frame(int(frame))}, "as_recorded": True}
        for frame in at
    ]
    world = kinematics.world_positions(window.motion)
    skeleton = window.model.skeleton

    def place(joint: str, frame: int, *moved: float) -> list[float]:
        return (world[frame, skeleton.index(joint)] + np.array(moved)).round(3).tolist()

    points = [
        {
            "at": f"{n // 2}f",
            "joint": "right_hand",
            "position": place("right_hand", n // 2, 0, 0.1, 0),
            "name": "dragged",
        },
        {"at": f"{n // 4}f", "joint": "left_hand", "position": place("left_hand", n // 4, 0, 0.05, 0)},
        {"at": f"{3 * n // 4}f", "joint": "head", "position": place("head", 3 * n // 4, 0, -0.03, 0)},
    ]
    apart = float(
        np.linalg.norm(world[n // 3, skeleton.index("left_hand")] - world[n // 3, skeleton.index("right_hand")])
    )
    return Request.from_data(
        {
            "length": f"{n}f",
            "poses": poses,
            "points": points,
            "orientations": [
                {"at": f"{n // 2}f", "joint": "head", "like": {"take": names, "frame": window.source_frame(n // 2)}}
            ],
            "distances": [{"at": f"{n // 3}f", "joint": "left_hand", "other": "right_hand", "metres": round(apart, 3)}],
            "root": [{"at": f"{n - 1}f", "position": world[-1, 0, [0, 2]].round(3).tolist()}],
            "contacts_like": {"take": names, "frame": window.frame},
            "feet": "given",
        }
    )


def dragged(own: Model, request: Request, answer) -> tuple[list[float], float]:  # type: ignore[no-untyped-def]
    """Seconds of each event while the hand is pulled up and down, and how far the last motion is from the cold one."""
    times, state = [], answer.state
    first: PointTarget = request.points[0]
    assert first.position is not None
    asked, shown = request, None
    for event in range(DRAGS):
        moved = STEP * (event + 1 if event < DRAGS / 2 else DRAGS - event)
        x, y, z = first.position
        assert y is not None
        point = replace(first, position=(x, y + moved, z))
        asked = replace(request, points=(point, *request.points[1:]))
        begins = perf_counter()
        shown = drag(own, asked, state)
        times.append(perf_counter() - begins)
        state = shown.state
    assert shown is not None
    warm = state.optimization.motion(state.knots)
    cold = solve(dynamics, own, asked)[0].state
    settled = cold.optimization.motion(cold.knots)
    apart = np.linalg.norm(kinematics.world_positions(warm) - kinematics.world_positions(settled), axis=-1)
    return times, float(apart.max())


def long_request(own: Model, seconds: float) -> Request:
    """A key with its place every second from a long walk, which goes on from its end after 40 s, with its contacts."""
    n, loop = window_frames(own, seconds), round(40 * own.fps)
    frames = own.view.source_frames[own.view.range_of(WALK_69)[0] :]
    flags = own.view.layer(WALK_69, "contacts")
    poses = [
        {"at": f"{frame}f", "pose": {"take": WALK_69, "frame": round(float(frames[frame % loop]))}, **where}
        for frame, where in zip(range(0, n, round(own.fps)), _places(own, n, loop))
    ]
    contacts = []
    for column, joint in enumerate(("left_heel", "left_ball", "right_heel", "right_ball")):
        held = np.concatenate([[False], flags[np.arange(n) % loop, column], [False]]).astype(int)
        for start, stop in zip(np.flatnonzero(np.diff(held) == 1), np.flatnonzero(np.diff(held) == -1)):
            contacts.append({"joint": joint, "from": f"{start}f", "to": f"{stop}f" if stop < n else "end"})
    return Request.from_data({"length": f"{n}f", "poses": poses, "contacts": contacts, "feet": "given"})


def _places(own: Model, n: int, loop: int) -> list[dict]:
    """Place and heading every second; every round begins where the one before ended."""
    places = find_places(own.view.motion(WALK_69))
    found = []
    for frame in range(0, n, round(own.fps)):
        x, z, heading = places[frame % loop]
        for _ in range(frame // loop):
            turn = places[loop, 2] - places[0, 2]
            dx, dz = x - places[0, 0], z - places[0, 1]
            x = places[loop, 0] + dx * np.cos(turn) + dz * np.sin(turn)
            z = places[loop, 1] - dx * np.sin(turn) + dz * np.cos(turn)
            heading += turn
        found.append(
            {"place": [round(float(x), 4), round(float(z), 4)], "heading": round(float(np.degrees(heading)), 3)}
        )
    return found
