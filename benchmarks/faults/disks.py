"""Disks that fail: full ones, read-only and unreadable folders, too few file descriptors.

Whatever fails, it fails in words, nothing that was acknowledged is lost, and nothing is half done.
"""

import contextlib
import os
import random
import resource
import shutil
import subprocess
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from benchmarks.faults.folder_states import authored_state, corpus_state
from benchmarks.faults.kill_at_step import Outcome, run
from benchmarks.faults.kill_scenarios import begin
from benchmarks.faults.kills import Rehearsal, Scenario, acknowledging, judge, rehearse
from benchmarks.faults.tries import Tries
from motionloom.errors import MotionloomError

NOBODY = 65534  # a user who owns nothing
MEGABYTE = 1 << 20


def fail_every_step(scenario: Scenario, tries: int, seed: int, room: Path) -> Tries:
    """Let one step after another fail as on a full disk."""
    chance = random.Random(f"{seed} {scenario.name}")
    counted = Tries(f"full disk during {scenario.name}", seed)
    scenario, first, rehearsal = _prepare(scenario, room)
    for step in chance.sample(range(rehearsal.n_steps), min(tries, rehearsal.n_steps)):
        folder = room / "try"
        shutil.copytree(first, folder)
        outcome = run(acknowledging(scenario, folder), folder, fail_at=step)
        findings = [*_unworded(outcome), *judge(scenario, rehearsal, folder, _without_error(outcome))]
        where = outcome.steps[min(step, len(outcome.steps) - 1)]
        counted.add(f"at step {step} ({where}): {finding}" for finding in findings)
        shutil.rmtree(folder)
    return counted


def fill_disk(scenario: Scenario, tries: int, seed: int, room: Path) -> Tries:
    """Run a scenario on a real file system that becomes full on the way; nothing where one cannot be mounted."""
    chance = random.Random(f"{seed} full {scenario.name}")
    counted = Tries(f"a file system that is full during {scenario.name}", seed)
    scenario, first, rehearsal = _prepare(scenario, room)
    for _ in range(tries):
        with small_file_system(room / "disk", 2 * MEGABYTE) as disk:
            if disk is None:
                return counted
            folder = disk / "try"
            shutil.copytree(first, folder)
            free = shutil.disk_usage(disk).free
            kept = chance.randrange(0, 200_000)
            (disk / "filler").write_bytes(bytes(max(0, free - kept)))
            outcome = run(acknowledging(scenario, folder), folder)
            (disk / "filler").unlink()
            findings = [*_unworded(outcome), *judge(scenario, rehearsal, folder, _without_error(outcome))]
            counted.add(f"{kept} bytes free: {finding}" for finding in findings)
    return counted


@contextmanager
def small_file_system(at: Path, size: int) -> Iterator[Path | None]:
    """A file system of so many bytes in memory; None where this process may not mount one."""
    at.mkdir(exist_ok=True)
    words = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(at)]
    if shutil.which("mount") is None or subprocess.run(words, capture_output=True).returncode:
        yield None
        return
    try:
        yield at
    finally:
        subprocess.run(["umount", str(at)], check=True, capture_output=True)


def lock_folders(room: Path) -> Tries:
    """Commands of a user who may not write, or not even read; only where this process may become another user."""
    counted = Tries("read-only and unreadable folders", 0)
    if os.geteuid() != 0:
        return counted
    corpus = room / "corpus"
    for words in _commands(corpus):
        begin(corpus)
        _run(words, room / "printed")  # loads what another user may not be able to read
        shutil.rmtree(corpus)
        for mode in (0o555, 0o000, 0o444, 0o111):
            begin(corpus)
            before = corpus_state(corpus)
            os.chmod(corpus, mode)
            code, printed = _run_as_nobody(words, room / "printed")
            os.chmod(corpus, 0o755)
            findings = _unclear(code, printed) + ([] if corpus_state(corpus) == before else ["the corpus has changed"])
            counted.add(f"{oct(mode)} {' '.join(words[:2])}: {finding}" for finding in findings)
            shutil.rmtree(corpus)
    return counted


def _commands(corpus: Path) -> list[list[str]]:
    folder = str(corpus)
    return [
        ["info", folder],
        ["check", folder],
        ["check", folder, "--repair"],
        ["import", folder, f"{folder}/recordings", "--workers", "1"],
        ["new", f"{folder}/inner"],
        ["remove", folder, "take 0"],
        ["rename", folder, "take 0", "take 9"],
        ["coverage", folder],
        ["export", folder, "*", "-o", f"{folder}/out/{{take}}.bvh"],
        ["show", folder, "take 0", "-o", f"{folder}/a.png"],
        ["backup", folder, f"{folder}/inner"],
        ["label", "export", folder, f"{folder}/labels.csv"],
    ]


def _run_as_nobody(words: list[str], printed: Path) -> tuple[int, str]:
    """Run a command in a process that has become another user: its exit code, and what it printed."""
    pid = os.fork()
    if pid == 0:
        code = 99
        try:
            code = _run(words, printed, user=NOBODY)
        finally:
            os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return code, printed.read_text(errors="replace")


def _run(words: list[str], printed: Path, user: int = 0) -> int:
    """Run a command here; what it prints goes to a file."""
    from motionloom.cli.main import run

    with printed.open("w") as file, contextlib.redirect_stdout(file), contextlib.redirect_stderr(file):
        if user:
            os.setgroups([])
            os.setgid(user)
            os.setuid(user)
        try:
            return run(words)
        except BaseException:
            traceback.print_exc(file=file)
            return 99


def _unclear(code: int, printed: str) -> list[str]:
    if code not in (0, 1, 2):
        return [f"ended with {code}: {printed[-300:]}"]
    is_raw = any(word in printed for word in ("Traceback", "this is a bug", "Error:", "Errno"))
    return [printed[-300:]] if is_raw else []


def take_descriptors(scenario: Scenario, seed: int, room: Path, limits: range = range(6, 40, 3)) -> Tries:
    """Run a scenario with few file descriptors."""
    counted = Tries(f"few descriptors during {scenario.name}", seed)
    scenario, first, rehearsal = _prepare(scenario, room)
    for limit in limits:
        folder = room / "try"
        shutil.copytree(first, folder)
        outcome = run(_limited(acknowledging(scenario, folder), limit), folder)
        findings = [*_unworded(outcome), *judge(scenario, rehearsal, folder, _without_error(outcome))]
        counted.add(f"{limit} descriptors: {finding}" for finding in findings)
        shutil.rmtree(folder)
    return counted


def _prepare(scenario: Scenario, room: Path) -> tuple[Scenario, Path, Rehearsal]:
    """The scenario without its caches, the folder it begins with, and its rehearsal."""
    scenario, first = _without_caches(scenario), room / "first"
    scenario.begin(first)
    return scenario, first, rehearse(scenario, first, room / "rehearsal")


def _without_caches(scenario: Scenario) -> Scenario:
    """What cannot be cached for want of room is computed again."""
    return replace(scenario, state=authored_state) if scenario.state is corpus_state else scenario


def _limited(act: Callable, limit: int) -> Callable:
    def limited(acknowledge: Callable) -> None:
        used = len(os.listdir("/proc/self/fd"))
        resource.setrlimit(resource.RLIMIT_NOFILE, (used + limit, used + limit))
        act(acknowledge)

    return limited


def _unworded(outcome: Outcome) -> list[str]:
    """What was raised, where it is no error of ours, which are sentences for people."""
    if not outcome.error:
        return []
    name = outcome.error.strip().splitlines()[-1].partition(":")[0].rpartition(".")[2]
    return [] if name in _names(MotionloomError) else [f"raised {outcome.error[-400:]}"]


def _names(kind: type) -> set[str]:
    return {kind.__name__}.union(*(_names(inner) for inner in kind.__subclasses__()))


def _without_error(outcome: Outcome) -> Outcome:
    return Outcome(outcome.steps, outcome.acknowledged, outcome.was_killed, "")
