"""Grounds that are given: contacts on performed stones, stairs and hills, and feet on hills after `motionloom clean`.

Feet are measured in the file that the command wrote: how far heels and balls at rest are from the height above the
surface at which that point rests on the whole.
"""

import io
import tempfile
from contextlib import redirect_stdout
from pathlib import Path

import numpy as np

from benchmarks.measure import figure
from benchmarks.unseen.performed_supports import KINDS, SupportedWalk, perform_supports
from motionloom import formats
from motionloom.assembly.requests.ground_files import write_ground_file
from motionloom.cli.main import run
from motionloom.constraints import GroundTarget, bend_path
from motionloom.features.feet import foot_points
from motionloom.features.supported_contacts import detect_footing, detect_supports
from motionloom.motion import Ground, Motion

SEEDS = range(100, 120)
BODIES = ((60.0, 1.0), (30.0, 1.0), (120.0, 1.0), (60.0, 1.3), (60.0, 0.8), (37.0, 1.1))  # frames per second, size
CLEANED = range(100, 106)  # one of each body
SIDEWAYS = np.array([0.8, -0.4])  # metres that the end of a path is bent to


def given_ground_figures(data: Path) -> list[dict]:
    """F1 beside the performer's truth, and how far resting feet are from the surface."""
    return [*(_contacts(kind) for kind in KINDS), _cleaned(), _bent()]


def _perform(kind: str, seed: int) -> SupportedWalk:
    return perform_supports(kind, seed, *BODIES[seed % len(BODIES)])


def _contacts(kind: str) -> dict:
    hits = wrong = 0
    for seed in SEEDS:
        walk = _perform(kind, seed)
        found = detect_supports(walk.motion, 0.0, ground=walk.ground).contacts
        hits, wrong = hits + (found & walk.contacts).sum(), wrong + (found ^ walk.contacts).sum()
    return figure(f"given ground; F1 of contacts on performed {kind}", 2 * hits / (2 * hits + wrong), "", "higher")


def _cleaned() -> dict:
    farthest = 0.0
    for seed in CLEANED:
        walk = _perform("hills", seed)
        with tempfile.TemporaryDirectory() as folder:
            source, ground, out = (Path(folder) / name for name in ("hill.bvh", "hill.json", "clean.bvh"))
            formats.write(source, walk.motion)
            write_ground_file(ground, walk.ground)
            arguments = ["clean", str(source), "--ground", str(ground), "-o", str(out), "--json"]
            with redirect_stdout(io.StringIO()):
                run(arguments)
            before, after = formats.read(source).motion, formats.read(out).motion
        assert isinstance(before, Motion) and isinstance(after, Motion)
        contacts, _ = detect_footing(before, 0.0, ground=walk.ground)
        farthest = max(farthest, _off_surface(after, before, contacts, walk.ground))
    return figure("given ground; resting feet off the surface after clean --ground", 1000 * farthest, "mm", "lower")


def _bent() -> dict:
    farthest = 0.0
    for seed in CLEANED:
        walk = _perform("hills", seed)
        contacts, footing = detect_footing(walk.motion, 0.0, ground=walk.ground)
        target = GroundTarget(-1, walk.motion.root_positions[-1, [0, 2]] + SIDEWAYS)
        bent = bend_path(walk.motion, [target], contacts, footing=footing).motion
        farthest = max(farthest, _off_surface(bent, walk.motion, contacts, walk.ground))
    return figure("given ground; resting feet off the surface after bending a path", 1000 * farthest, "mm", "lower")


def _off_surface(motion: Motion, source: Motion, contacts: np.ndarray, ground: Ground) -> float:
    """Metres: the farthest of a point at rest from its median height above the surface."""
    points = foot_points(motion, 0.0, like=source, ground=ground)
    heights = [(points[rests, k, 1] - ground.supports_at(points[rests, k])) for k, rests in enumerate(contacts.T)]
    return max(float(np.abs(own - np.median(own)).max()) for own in heights if len(own))
