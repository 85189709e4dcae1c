"""Edited results: a hand target on a motion that each other method made, and what feet and joins are like after it."""

from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.dynamics.windows import made_of, skate_of
from benchmarks.measure import figure
from benchmarks.timeline.corpora import demo
from motionloom.assembly import keep_result, prepare_for, realize, solve
from motionloom.methods import buildup, dynamics, load, snap, timeline
from motionloom.motion import Motion, kinematics

EXAMPLES = Path(__file__).parents[2] / "examples"
REQUESTS: dict[str, tuple[Any, str]] = {
    "timeline": (timeline, "requests/walk_then_run.yaml"),
    "snap": (snap, "graph_walks/round_trip.yaml"),
    "buildup": (buildup, "sequences/three_targets.yaml"),
    "dynamics": (dynamics, "optimize/performed/walk_from_keys.yaml"),
}
UP = 0.15  # metres


def figures(_: Path) -> list[dict]:
    """For each method: by how much the hand misses, how far resting feet go, and the hardest jolt, before and after."""
    found = []
    for name in REQUESTS:
        miss, skate, jolts = edited(name)
        found += [
            figure(f"hand on a result of {name}; miss", 1000 * miss, "mm", "lower"),
            figure(f"hand on a result of {name}; slide of resting feet, ratio to before", skate, "x", "lower"),
            figure(
                f"hand on a result of {name}; highest acceleration of the rest, ratio to before", jolts, "x", "lower"
            ),
        ]
    return found


def edited(name: str) -> tuple[float, float, float]:
    """Metres that the hand misses, and ratios of what is after to what was before."""
    method, path = REQUESTS[name]
    corpus = demo()
    request = method.Request.read(EXAMPLES / path)
    model = prepare_for(load(name), corpus, request)
    result = realize(method, solve(method, model, request)[0], model)
    take = f"results/{name}"
    keep_result(corpus, take, result)
    point = {"at": f"{result.motion.n_frames // 2}f", "joint": "right_hand", "moved_by": [0, UP, 0], "hard": True}
    asked = dynamics.Request.from_data({"start_from": take, "points": [point], "prior": {"takes": ["walk/*"]}})
    own = prepare_for(dynamics, corpus, asked)
    source, contacts = own.view.motion(take), own.view.layer(take, "contacts")
    made = made_of(own, asked)
    frame, hand = result.motion.n_frames // 2, source.skeleton.index("right_hand")
    before, after = kinematics.world_positions(source), kinematics.world_positions(made)
    miss = float(np.linalg.norm(after[frame, hand] - before[frame, hand] - np.array([0, UP, 0])))
    skate = skate_of(made, contacts) / max(skate_of(source, contacts), 1e-4)
    return miss, skate, jolt_of(made) / jolt_of(source)


def jolt_of(motion: Motion) -> float:
    """The highest acceleration of a joint that is not of the moved arm or above it."""
    skeleton = motion.skeleton
    arm = {joint for joint in range(skeleton.n_joints) if skeleton.index("right_shoulder") in skeleton.chain(joint)}
    rest = [joint for joint in range(skeleton.n_joints) if joint not in arm]
    moved = np.diff(kinematics.world_positions(motion)[:, rest], n=2, axis=0) * motion.fps**2
    return float(np.linalg.norm(moved, axis=-1).max())
