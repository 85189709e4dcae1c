"""Both players: microseconds for a frame of a character, in Python and in the browser player's own code."""

import json
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks.measure import figure
from benchmarks.snap.graphs import made
from motionloom.methods.snap.graph.hubs_file import write_hubs
from motionloom.methods.snap.play.player import Player
from motionloom.studio.front_end import WEB

FRAMES = 20_000


def figures(data: Path) -> list[dict]:
    """The walking graph driven by a stick that swings to and fro."""
    graph = made(data, "walking").model.graph
    player = Player(graph)
    buffer = np.zeros(graph.frames.shape[1])
    best = np.inf
    for _ in range(5):
        begun = time.perf_counter()
        for frame in range(FRAMES):
            if frame % 30 == 0:
                player.steer(curvature=float(np.sin(frame / 300)), speed=1.2)
            player.step()
            player.write_into(buffer)
        best = min(best, (time.perf_counter() - begun) / FRAMES)
    with tempfile.TemporaryDirectory(prefix="motionloom-bench-") as folder:
        file = Path(folder) / "walking.hubs"
        write_hubs(file, graph)
        size = file.stat().st_size
        run = subprocess.run(
            ["node", "time_player.mjs", str(file)], cwd=WEB, capture_output=True, text=True, check=True
        )
    timed = json.loads(run.stdout)
    seconds = graph.n_frames / graph.fps
    return [
        figure("player in Python; a frame of a character, choices included", 1e6 * best, "us", "lower"),
        figure("player of the browser; a frame of a character, choices included", timed["frame"], "us", "lower"),
        figure("file of a graph; a second of motion", size / seconds / 1000, "kB", "lower"),
    ]
