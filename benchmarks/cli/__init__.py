"""How long the command line makes people wait."""

import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.measure import best_of, calibration, figure


def figures(data: Path | None) -> list[dict]:
    """Seconds from Enter to the end of `--help`, and of `info` on an empty corpus."""
    with tempfile.TemporaryDirectory() as folder:
        corpus = str(Path(folder) / "corpus")
        _run("new", corpus)
        return [
            figure("motionloom --help", best_of(lambda: _run("--help")), "s", "lower"),
            figure("motionloom info of an empty corpus", best_of(lambda: _run("info", corpus)), "s", "lower"),
            calibration(),
        ]


def _run(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "motionloom", *arguments], check=True, capture_output=True)
