"""What optimization is measured on: walks, runs and jumps of subject 16 and walks of 69, each test take left out."""

from pathlib import Path

import numpy as np

from benchmarks.timeline.corpora import set_of
from motionloom.corpus import Corpus
from motionloom.methods.dynamics import Material, Model, prepare
from motionloom.methods.dynamics.request import Prior
from motionloom.motion import Motion, rotations

LOCOMOTION, WALKING = "locomotion_optim", "walking"
STRAIGHT = tuple(f"{LOCOMOTION}/16_{n}" for n in (16, 21, 22, 31, 32, 47, 58))  # walks along a line
TURNS = tuple(f"{LOCOMOTION}/16_{n}" for n in (11, 13, 17, 19, 24, 25, 27, 29, 33))
RUNS = tuple(f"{LOCOMOTION}/16_{n}" for n in (35, 36, 37, 39, 41, 43, 45, 46, 48, 49, 51, 53, 55, 56, 57))
JUMPS = tuple(f"{LOCOMOTION}/16_{n:02d}" for n in (1, 3, 5, 7, 9, 10))
HOPS = tuple(f"{LOCOMOTION}/49_{n:02d}" for n in (2, 3))
WALK_69 = f"{WALKING}/69_08"


def locomotion(data: Path) -> Corpus:
    """Walks, runs and jumps of several subjects."""
    return set_of(data, LOCOMOTION)


def walking(data: Path) -> Corpus:
    """Walks of subject 69 and others."""
    return set_of(data, WALKING)


def without(takes: tuple[str, ...], *left_out: str) -> tuple[str, ...]:
    """All takes but those that are tested."""
    return tuple(take for take in takes if take not in left_out)


def others_of_69(data: Path) -> tuple[str, ...]:
    """The walks of 69 but the one that is tested."""
    names = [info.name for info in walking(data).infos()]
    return tuple(sorted(name for name in names if name.startswith(f"{WALKING}/69_") and name != WALK_69))


_models: dict = {}


def model_of(corpus: Corpus, takes: tuple[str, ...], shown: tuple[str, ...] = (), prior: Prior | None = None) -> Model:
    """A model learnt from some takes, with others to read poses of; kept until the benchmark ends."""
    prior = prior or Prior()
    key = (str(corpus.folder), takes, shown, prior)
    if key not in _models:
        _models[key] = prepare(corpus, Material(takes, 60.0, prior, shown))
    return _models[key]


def geodesic(made: Motion, true: Motion, joints: np.ndarray) -> float:
    """Mean angle between rotations of some joints, degrees."""
    return float(
        np.degrees(rotations.angle_between(made.local_rotations[:, joints], true.local_rotations[:, joints])).mean()
    )


def euler_difference(made: Motion, true: Motion, joints: np.ndarray) -> float:
    """Mean absolute difference of ZYX Euler angles of some joints, degrees."""
    one, other = (rotations.to_euler(each.local_rotations[:, joints], "ZYX") for each in (made, true))
    away = (one - other + np.pi) % (2 * np.pi) - np.pi
    return float(np.degrees(np.abs(away)).mean())
