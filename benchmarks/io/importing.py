"""Importing the nine body sets into a corpus, in a process of its own: time from start to end, and memory."""

import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import psutil

from benchmarks.measure import figure

WORKERS = 2  # for the run with worker processes
MEGABYTE = 1e6
SAMPLE_SECONDS = 0.03

# The program says when it idles with an open corpus, then imports and says when it is done.
PROGRAM = """
import sys
from motionloom.corpus import Corpus, import_files
path, folder, workers = sys.argv[1:4]
with Corpus.create(path) as corpus:
    print("idle", flush=True)
    sys.stdin.readline()
    report = import_files(corpus, sys.argv[4:], below=folder, workers=int(workers) or None)
print("done", len(report.imported), len(report.refused), flush=True)
sys.stdin.readline()
"""


def import_figures(data: Path) -> list[dict]:
    """Seconds to import the nine sets, and megabytes above the idle process at the worst moment.

    As it comes, with the resident size of the whole process tree as memory; and with two worker processes, where pages
    that processes share are counted once.
    """
    cmu = data / "cmu"
    sets = sorted(path for path in cmu.iterdir() if path.is_dir() and path.name not in ("original", "asf_amc"))
    files = [file for folder in sets for file in folder.glob("*.bvh")]
    largest = max(file.stat().st_size for file in files) / MEGABYTE
    with tempfile.TemporaryDirectory() as folder:
        seconds, memory, imported = _run(Path(folder) / "a", cmu, 0, files, "rss")
        pooled_seconds, pooled_memory, _ = _run(Path(folder) / "b", cmu, WORKERS, files, "pss")
    above = "memory above idle and workers x largest file"
    return [
        figure("import of the nine sets; time", seconds, "s", "lower"),
        figure("import of the nine sets; takes", imported, "takes", "higher"),
        figure(f"import of the nine sets; {above}", memory - largest, "MB", "lower"),
        figure("import of the nine sets, two worker processes; time", pooled_seconds, "s", "lower"),
        figure(
            f"import of the nine sets, two worker processes; {above}", pooled_memory - WORKERS * largest, "MB", "lower"
        ),
    ]


def _run(corpus: Path, below: Path, workers: int, files: list[Path], kind: str) -> tuple[float, float, int]:
    command = [sys.executable, "-c", PROGRAM, str(corpus), str(below), str(workers), *map(str, files)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdin is not None and program.stdout is not None
        program.stdout.readline()
        idle = _memory(program.pid, kind)
        start = time.perf_counter()
        program.stdin.write("go\n")
        program.stdin.flush()
        worst, line = _watch(program, idle, kind)
        seconds = time.perf_counter() - start
        program.stdin.write("end\n")
        program.stdin.flush()
    return seconds, (worst - idle) / MEGABYTE, int(line.split()[1])


def _watch(program: subprocess.Popen, idle: float, kind: str) -> tuple[float, str]:
    """The largest memory of the program and its children until it is done, and its output."""
    worst, lines = idle, []
    assert program.stdout is not None
    reader = threading.Thread(target=lambda: lines.append(program.stdout.readline()))
    reader.start()
    while reader.is_alive():
        worst = max(worst, _memory(program.pid, kind))
        reader.join(SAMPLE_SECONDS)
    return worst, lines[0]


def _memory(pid: int, kind: str) -> float:
    """Bytes of a process and all its children: resident ("rss"), or with every shared page counted once ("pss")."""
    total = 0
    try:
        processes = [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]
    except psutil.NoSuchProcess:
        return 0.0
    for process in processes:
        try:
            total += process.memory_info().rss if kind == "rss" else process.memory_full_info().pss
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            continue
    return float(total)
