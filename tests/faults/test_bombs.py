"""Hostile files are read or refused within 500 MB, whatever they ask for."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks.faults.bombs import BOMBS

MOST_MEGABYTES = 500  # of a process that reads a file, everything that it has imported included
# Those that are as large as a file may be, and read, take seconds each; `motionloom bench faults` measures them all.
LARGE = ("as many", "another order", "one hub", "many valid rows", "commas", "many columns", "odd numbers", "stand")
NAMES = [name for name in BOMBS if not any(words in name for words in LARGE)]


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict]:
    folder = tmp_path_factory.mktemp("bombs")
    run = subprocess.run(
        [sys.executable, "-m", "benchmarks.faults.bombs", str(folder), *NAMES],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=560,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-2000:]
    return {found["name"]: found for found in map(json.loads, run.stdout.splitlines())}


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_a_hostile_file_is_read_or_refused_in_little_memory(name: str, outcomes: dict[str, dict]) -> None:
    found = outcomes[name]
    assert found["outcome"] in ("read", "refused"), found
    assert found["megabytes"] < MOST_MEGABYTES, found
