"""Importing the nine body sets into a corpus, in a process of its own: time from start to end, and memory."""

import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import psutil

from benchmarks.measure import figure

WORKERS = 2
MEGABYTE = 1e6
SAMPLE_SECONDS = 0.03

# The program says when it idles with an open corpus, then imports and says when it is done.
PROGRAM = """
import sys
from motionloom.corpus import Corpus, import_files
path, folder = sys.argv[1:3]
with Corpus.create(path) as corpus:
    print("idle", flush=True)
    sys.stdin.readline()
    report = import_files(corpus, sys.argv[3:], below=folder, workers=%d)
print("done", len(report.imported), len(report.refused), flush=True)
sys.stdin.readline()
"""


def import_figures(data: Path) -> list[dict]:
    """Seconds to import the nine sets on two workers, and megabytes above the idle process at the worst moment."""
    cmu = data / "cmu"
    sets = sorted(path for path in cmu.iterdir() if path.is_dir() and path.name not in ("original", "asf_amc"))
    files = [file for folder in sets for file in folder.glob("*.bvh")]
    largest = max(file.stat().st_size for file in files)
    with tempfile.TemporaryDirectory() as folder:
        seconds, memory, imported = _run([str(Path(folder) / "corpus"), str(cmu), *map(str, files)])
    allowed = WORKERS * largest / MEGABYTE
    return [
        figure("import of the nine sets; time", seconds, "s", "lower"),
        figure("import of the nine sets; takes", imported, "takes", "higher"),
        figure(
            "import of the nine sets; memory above idle and workers x largest file", memory - allowed, "MB", "lower"
        ),
    ]


def _run(arguments: list[str]) -> tuple[float, float, int]:
    command = [sys.executable, "-c", PROGRAM % WORKERS, *arguments]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdin is not None and program.stdout is not None
        program.stdout.readline()
        idle = _memory(program.pid)
        start = time.perf_counter()
        program.stdin.write("go\n")
        program.stdin.flush()
        worst, line = _watch(program, idle)
        seconds = time.perf_counter() - start
        program.stdin.write("end\n")
        program.stdin.flush()
    return seconds, (worst - idle) / MEGABYTE, int(line.split()[1])


def _watch(program: subprocess.Popen, idle: float) -> tuple[float, str]:
    """The largest memory of the program and its children until it says that it is done, and what it said."""
    worst, lines = idle, []
    assert program.stdout is not None
    reader = threading.Thread(target=lambda: lines.append(program.stdout.readline()))
    reader.start()
    while reader.is_alive():
        worst = max(worst, _memory(program.pid))
        reader.join(SAMPLE_SECONDS)
    return worst, lines[0]


def _memory(pid: int) -> float:
    """Bytes of a process and all its children, each shared page counted once."""
    total = 0
    try:
        processes = [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]
    except psutil.NoSuchProcess:
        return 0.0
    for process in processes:
        try:
            total += process.memory_full_info().pss
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            continue
    return float(total)
