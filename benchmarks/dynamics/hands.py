"""Hands moved in recordings, and hard constraints: met, and what the rest of the body pays."""

from pathlib import Path

import numpy as np

from benchmarks.dynamics.keys import SETTINGS, request_of, walks_of_16
from benchmarks.dynamics.material import STRAIGHT, locomotion, model_of, without
from benchmarks.dynamics.windows import Window, made_of
from benchmarks.measure import figure
from motionloom.features.feet import foot_points
from motionloom.methods.dynamics import Request
from motionloom.motion import Motion, kinematics, rotations
from motionloom.motion.placement import direction_of

UP = 0.2  # metres
LEGS = tuple(f"{side}_{joint}" for side in ("left", "right") for joint in ("hip", "knee", "foot"))


def figures(data: Path) -> list[dict]:
    """A hand 20 cm up, down and sideways; hard poses, places and turns; feet that rest."""
    return [*moved_hands(data), *hard_constraints(data)]


def moved_hands(data: Path) -> list[dict]:
    """The right hand moved in the middle frame of each straight walk, as an edit of the recording."""
    found: list[dict] = []
    misses, legs, roots = [], [], []
    for name in ("up", "down", "sideways"):
        own: list[tuple[float, float, float]] = []
        for take in STRAIGHT:
            model = model_of(locomotion(data), without(STRAIGHT, take), (take,), SETTINGS)
            source = model.view.motion(take)
            own.append(moved_hand(model, take, source, name))
        misses.append(max(each[0] for each in own))
        legs.append(float(np.mean([each[1] for each in own])))
        roots.append(max(each[2] for each in own))
        found.append(figure(f"hand 20 cm {name}; largest miss", 1000 * misses[-1], "mm", "lower"))
        found.append(figure(f"hand 20 cm {name}; legs changed on average", legs[-1], "deg", "lower"))
        found.append(figure(f"hand 20 cm {name}; root moved at most", 100 * roots[-1], "cm", "lower"))
    return found


def moved_hand(model, take: str, source: Motion, name: str) -> tuple[float, float, float]:  # type: ignore[no-untyped-def]
    """Metres that the hand misses, degrees that legs change, metres that the root moves."""
    middle, hand = source.n_frames // 2, source.skeleton.index("right_hand")
    before = kinematics.world_positions(source)
    ahead = direction_of(np.array([_heading(before)]))[0]
    moved = {"up": (0, UP, 0), "down": (0, -UP, 0), "sideways": (-UP * ahead[1], 0, UP * ahead[0])}[name]
    point = {"at": f"{middle}f", "joint": "right_hand", "moved_by": [round(float(x), 6) for x in moved], "hard": True}
    made = made_of(model, Request.from_data({"start_from": take, "points": [point]}))
    after = kinematics.world_positions(made)
    miss = float(np.linalg.norm(after[middle, hand] - before[middle, hand] - moved))
    joints = [source.skeleton.index(joint) for joint in LEGS]
    turned = rotations.angle_between(made.local_rotations[:, joints], source.local_rotations[:, joints])
    return miss, float(np.degrees(turned).mean()), float(np.linalg.norm(after[:, 0] - before[:, 0], axis=1).max())


def _heading(positions: np.ndarray) -> float:
    along = positions[-1, 0] - positions[0, 0]
    return float(np.arctan2(along[0], along[2]))


def hard_constraints(data: Path) -> list[dict]:
    """Poses at both ends, a hand elsewhere, a turned head, all hard; and resting feet, from the finished motions."""
    metres, degrees, steps = [], [], []
    for window in list(walks_of_16(data))[::2]:
        made = made_of(window.model, hard_request(window))
        one, other = measure_hard(window, made)
        metres.append(one)
        degrees.append(other)
        planted = made_of(window.model, request_of(window, 4, placed=True, feet="given"))
        moved = np.linalg.norm(np.diff(foot_points(planted, 0.0), axis=0), axis=-1)
        steps.append(moved[window.contacts[1:] & window.contacts[:-1]])
    every = np.concatenate(steps)
    return [
        figure("hard constraints; largest miss of points", 1000 * max(metres), "mm", "lower"),
        figure("hard constraints; largest miss of turns", max(degrees), "deg", "lower"),
        figure("contacts; feet move per frame of 60 Hz, mean", 1000 * float(every.mean()), "mm", "lower"),
        figure("contacts; feet move per frame of 60 Hz, at most", 1000 * float(every.max()), "mm", "lower"),
    ]


def hard_request(window: Window) -> Request:
    """Two poses with their places, a hand 15 cm ahead and up, and the head turned."""
    n, middle, third = window.n_frames, window.n_frames // 2, window.n_frames // 3
    hand = _hand_goal(window)
    poses = [
        {
            "at": f"{frame}f",
            "pose": {"take": window.take, "frame": window.source_frame(frame)},
            "as_recorded": True,
            "hard": True,
        }
        for frame in (0, n - 1)
    ]
    return Request.from_data(
        {
            "length": f"{n}f",
            "poses": poses,
            "points": [{"at": f"{middle}f", "joint": "right_hand", "position": hand, "hard": True}],
            "orientations": [{"at": f"{third}f", "joint": "head", "turns": [0, HEAD, 0], "hard": True}],
            "contacts_like": {"take": window.take, "frame": window.frame},
            "feet": "given",
        }
    )


HEAD = 20.0  # degrees about the vertical, in the world


def _hand_goal(window: Window) -> list[float]:
    motion = window.motion
    at = kinematics.world_positions(motion)[window.n_frames // 2, motion.skeleton.index("right_hand")]
    return [round(float(x), 6) for x in at + np.array([0.0, 0.15, 0.15])]


def measure_hard(window: Window, made: Motion) -> tuple[float, float]:
    """Metres and degrees that the worst of them is missed by."""
    true, n = window.motion, window.n_frames
    positions, turned = kinematics.world(made)
    recorded = kinematics.world_positions(true)
    ends = [0, n - 1]
    hand = np.linalg.norm(positions[n // 2, made.skeleton.index("right_hand")] - np.array(_hand_goal(window)))
    places = np.linalg.norm(positions[ends, 0] - recorded[ends, 0], axis=1).max()
    wanted = rotations.from_euler(np.radians(np.array([[0.0, HEAD, 0.0]])), "ZYX")[0]
    head = rotations.angle_between(turned[n // 3, made.skeleton.index("head")], wanted)
    poses = rotations.angle_between(made.local_rotations[ends], true.local_rotations[ends]).max()
    return float(max(hand, places)), float(np.degrees(max(head, poses)))
