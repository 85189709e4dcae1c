"""Kills: a process is ended at any moment of its work; what it acknowledged is there, and nothing is half done.

A scenario is a sequence of changes, each acknowledged when it is done. It runs once undisturbed, and what the folder
holds is noted after every change. Then it runs again and again on a copy of the folder, in a process that is killed
before a chosen step or at a random time. After n acknowledgements the folder must hold what it held after n changes, or
after n + 1: the one under way is done or not done, never half. A check must find nothing that it cannot repair, and
repairing must not change what the folder holds.
"""

import random
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.faults.kill_at_step import Acknowledge, Outcome, run, run_and_kill
from benchmarks.faults.tries import Tries

TIMED = 0.3  # share of the kills that come at a random time, not before a chosen step


@dataclass(frozen=True)
class Scenario:
    """Changes to a folder."""

    name: str
    begin: Callable[[Path], None]  # makes the folder
    change: Callable[[Path], Iterator[None]]  # an acknowledgement after every change
    state: Callable[[Path], object]  # what the folder holds; compared by ==
    check: Callable[[Path], list[str]] = lambda folder: []  # repairs; what is wrong and stays so


@dataclass(frozen=True)
class Rehearsal:
    """A scenario that ran undisturbed."""

    states: list[object]  # before the first change and after each; then when all is done, if that is yet another
    n_steps: int
    seconds: float


def kill_often(scenario: Scenario, kills: int, seed: int, room: Path) -> Tries:
    """Run a scenario and kill it many times: before every step in turn, and in between at random times.

    Args:
        scenario: to run.
        kills: how many times.
        seed: chooses the steps, where there are more than kills, and the times.
        room: an empty folder to work in.
    """
    chance = random.Random(f"{seed} {scenario.name}")
    tries = Tries(f"kill during {scenario.name}", seed)
    first = room / "first"
    scenario.begin(first)
    rehearsal = rehearse(scenario, first, room / "rehearsal")
    timed = round(TIMED * kills)
    steps = chance.sample(range(rehearsal.n_steps), rehearsal.n_steps)
    chosen = [*(steps[number % len(steps)] for number in range(kills - timed)), *[None] * timed]
    for number, step in enumerate(chosen):
        folder = room / str(number)
        shutil.copytree(first, folder)
        delay = chance.uniform(0.0, rehearsal.seconds) if step is None else None
        act = acknowledging(scenario, folder)
        outcome = run(act, folder, kill_at=step) if delay is None else run_and_kill(act, delay, at_once=True)
        where = f"after {delay:.4f} s" if step is None else f"before step {step} ({outcome.steps[-1]})"
        tries.add(f"{where}: {finding}" for finding in judge(scenario, rehearsal, folder, outcome))
        shutil.rmtree(folder)
    return tries


def rehearse(scenario: Scenario, first: Path, folder: Path) -> Rehearsal:
    """Run a scenario undisturbed, and note what its folder holds after every change, its steps and its seconds."""
    shutil.copytree(first, folder)
    states = [scenario.state(folder), *(scenario.state(folder) for _ in scenario.change(folder))]
    n_changes, last = len(states) - 1, scenario.state(folder)
    if last != states[-1]:
        states.append(last)  # what is done after the last acknowledgement, such as comparing imported takes
    shutil.rmtree(folder)
    shutil.copytree(first, folder)
    began = time.perf_counter()
    outcome = run(acknowledging(scenario, folder), folder)
    seconds = time.perf_counter() - began
    if outcome.error or len(outcome.acknowledged) != n_changes:
        raise RuntimeError(f"{scenario.name} failed without being killed: {outcome.error}")
    shutil.rmtree(folder)
    return Rehearsal(states, len(outcome.steps), seconds)


def judge(scenario: Scenario, rehearsal: Rehearsal, folder: Path, outcome: Outcome) -> list[str]:
    """What is wrong in a folder after a kill."""
    if outcome.error:
        return [f"the work raised by itself: {outcome.error}"]
    done = len(outcome.acknowledged)
    allowed = rehearsal.states[done : done + 2]
    try:
        found = scenario.state(folder)
        findings = [] if found in allowed else [_describe(found, rehearsal.states, done)]
        findings += scenario.check(folder)
        if not findings and scenario.state(folder) != found:
            findings.append("repairing changed what it holds")
    except Exception as error:  # whatever it is, it is a finding
        return [f"{done} changes acknowledged, then it cannot be read: {error!r}"]
    return findings


def _describe(found: object, states: list[object], done: int) -> str:
    where = [number for number, state in enumerate(states) if state == found]
    if where:
        return f"{done} changes acknowledged, but it holds what it held after {where[0]}"
    return f"{done} changes acknowledged, and it holds a mixture"


def acknowledging(scenario: Scenario, folder: Path) -> Callable[[Acknowledge], None]:
    """The work of a scenario as an action."""

    def act(acknowledge: Acknowledge) -> None:
        for _ in scenario.change(folder):
            acknowledge("done")

    return act
