"""How long it takes to make recordings ready, the view given, and how much memory: each in a process of its own.

Twenty minutes are the takes of everyday and of the football-like set.
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.buildup.material import GROUPS, fill
from benchmarks.measure import figure
from motionloom.conform import make_view
from motionloom.corpus import Corpus
from motionloom.methods.buildup import Material, Settings
from motionloom.methods.buildup.prepare import prepare_view

TWENTY_MINUTES = ("everyday", "football_like")
REPEATS = 3  # of boxing, of which the fastest counts
CHECKOUT = Path(__file__).resolve().parents[2]


def figures(data: Path) -> list[dict]:
    """All boxing, and twenty minutes."""
    boxing = min(measure(data, ("boxing",))["seconds"] for _ in range(REPEATS))
    long = measure(data, TWENTY_MINUTES)
    return [
        figure("preparation; all boxing, view given", boxing, "s", "lower"),
        figure("preparation; everyday and football_like, recorded", long["minutes"], "minutes", "higher"),
        figure("preparation; everyday and football_like, view given", long["seconds"], "s", "lower"),
        figure("preparation; everyday and football_like, memory of the process", long["megabytes"], "MB", "lower"),
        figure("preparation; everyday and football_like, nodes of the graph", long["nodes"], "nodes", "higher"),
    ]


def measure(data: Path, sets: tuple[str, ...]) -> dict[str, float]:
    """Prepare the takes of some sets in another process: seconds, megabytes at most, minutes and nodes."""
    with tempfile.TemporaryDirectory(prefix="motionloom-bench-") as folder:
        corpus = Path(folder) / "corpus"
        fill(corpus, data, sets)
        command = [sys.executable, "-m", "benchmarks.buildup.preparation", str(corpus)]
        done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def prepare_corpus(folder: Path) -> dict[str, float]:
    """Make the takes of a corpus ready, and say what it took."""
    view = make_view(Corpus.open(folder, write=True))
    began = time.perf_counter()
    model = prepare_view(view, Material(groups=GROUPS), Settings())
    seconds = time.perf_counter() - began
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {
        "seconds": seconds,
        "megabytes": megabytes,
        "minutes": view.n_frames / view.fps / 60,
        "nodes": model.graph.n_nodes,
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(prepare_corpus(Path(sys.argv[1]))))
