"""Knees and elbows: bent the wrong way, or jumping, in cleaned takes, seeded timelines and graph walks.

Each is measured beside the recordings that its frames come from, as they were recorded; once more with legs that are
overstretched on purpose by up to 20 degrees. Settings were chosen on subjects 141 and 85, the others are unseen.
"""

import csv
import tempfile
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, replace
from functools import cache
from io import StringIO
from pathlib import Path

import numpy as np

from benchmarks.measure import figure
from benchmarks.unseen.timelines import Change, all_timelines, fill_group, seeded_timelines
from motionloom import formats
from motionloom.assembly import Result, solve
from motionloom.cli.commands.clean import clean
from motionloom.corpus import Corpus
from motionloom.methods import snap
from motionloom.methods.snap.author.graph_request import GraphRequest
from motionloom.methods.snap.prepare import prepare
from motionloom.motion import Motion, cut, hinges, kinematics, rotations

WRONG_WAY = 5.0  # degrees
JUMP, CALM, ACROSS_JOINS = 0.08, 0.03, 0.11  # metres in a frame: of a result, of its source, of a result at a join
OVERSTRETCH = np.radians(20.0)
TIMELINES, WALKS = 200, 50
WALKED = ("walks", "football", "fights")  # groups of subjects that hub graphs are made of
EVERY_OVERSTRETCHED = 6  # of so many takes one is also cleaned with legs overstretched on purpose


@dataclass(frozen=True)
class Knees:
    """Frames with a knee or an elbow where it must not be."""

    frames: int = 0
    wrong_way: int = 0
    jumps: int = 0
    worst_degrees: float = 0.0

    def __add__(self, other: "Knees") -> "Knees":
        return Knees(
            self.frames + other.frames,
            self.wrong_way + other.wrong_way,
            self.jumps + other.jumps,
            max(self.worst_degrees, other.worst_degrees),
        )


def knees_figures(data: Path) -> list[dict]:
    """Frames with knees or elbows bent the wrong way, or jumping."""
    own, cleaned, changed = _cleaned_takes(data)
    walks = sum((knees_of_result(*walk) for walk in _graph_walks(data)), Knees())
    made = sum(
        (knees_of_result(each.result, each.model.view.corpus) for each in all_timelines(data, TIMELINES)), Knees()
    )
    stretched = sum((knees_of_result(*walk) for walk in _graph_walks(data, overstretch_legs)), Knees())
    for each in seeded_timelines(data, TIMELINES, change=overstretch_legs, quick=True):
        stretched += knees_of_result(each.result, each.model.view.corpus)
    everything = {subject: own[subject] for subject in sorted(own, key=int)}
    rows = [
        *knee_figures("recordings as they are", sum(own.values(), Knees())),
        *knee_figures("cleaned takes", sum(cleaned.values(), Knees())),
        *knee_figures("takes overstretched on purpose and cleaned", changed),
        *knee_figures(f"{TIMELINES} timelines", made),
        *knee_figures(f"{WALKS} graph walks", walks),
        *knee_figures("timelines and graph walks of legs overstretched on purpose", stretched),
    ]
    for subject, knees in everything.items():
        rows.append(figure(f"knees; recordings of subject {subject}; wrong way", knees.wrong_way, "frames", "lower"))
        rows.append(
            figure(
                f"knees; cleaned takes of subject {subject}; wrong way or jumping",
                cleaned[subject].wrong_way + cleaned[subject].jumps,
                "frames",
                "lower",
            )
        )
    return rows


def overstretch_legs(motion: Motion, rng: np.random.Generator) -> Motion:
    """Turn knees beyond straight in the frames in which they are nearly straight, by up to 20 degrees."""
    local = np.array(motion.local_rotations, float)
    for limb in ("left_leg", "right_leg"):
        axis = hinges.hinge_axis(motion.skeleton, local, limb)
        if axis is None:
            continue
        bends = hinges.flexion(motion.skeleton, local, limb, axis)
        nearly = np.clip((np.radians(35.0) - bends) / np.radians(30.0), 0.0, 1.0)
        amount = rng.uniform(0.4, 1.0) * OVERSTRETCH + np.maximum(bends, 0.0)
        change = -np.minimum(amount, OVERSTRETCH + bends) * nearly**2 * (3 - 2 * nearly)
        knee = hinges.limb_joints(motion.skeleton, limb)[1]
        local[:, knee] = rotations.multiply(rotations.exp(change[:, None] * axis), local[:, knee])
    return replace(motion, local_rotations=local)


def knee_figures(what: str, knees: Knees) -> list[dict]:
    """The counts of one kind of motions."""
    return [
        figure(f"knees; {what}; frames", knees.frames, "frames", "higher"),
        figure(f"knees; {what}; bent over 5 degrees the wrong way", knees.wrong_way, "frames", "lower"),
        figure(f"knees; {what}; farthest the wrong way", knees.worst_degrees, "degrees", "lower"),
        figure(f"knees; {what}; jumps", knees.jumps, "frames", "lower"),
    ]


@cache
def _cleaned_takes(data: Path) -> tuple[dict[str, Knees], dict[str, Knees], Knees]:
    """Of every subject: knees as recorded, and after clean-up; and of some takes overstretched before it."""
    own: dict[str, Knees] = {}
    cleaned: dict[str, Knees] = {}
    changed = Knees()
    rng = np.random.default_rng(15)
    for number, (subject, path) in enumerate(_files(data)):
        take = formats.read(path, formats.ReadOptions(up="y"))
        assert isinstance(take.motion, Motion)
        own[subject] = own.get(subject, Knees()) + _compare(take.motion, take.motion)
        cleaned[subject] = cleaned.get(subject, Knees()) + _compare(_clean(path, take.motion, take.source), take.motion)
        if number % EVERY_OVERSTRETCHED == 0:
            changed += _clean_overstretched(take, rng)
    return own, cleaned, changed


def _files(data: Path) -> Iterator[tuple[str, Path]]:
    """Subject and file of every recording."""
    for row in csv.DictReader((data / "cmu" / "INDEX.csv").open()):
        yield row["subject"], data / "cmu" / row["file"]
    for path in sorted((data / "odd").glob("*.bvh")):
        yield path.stem.split("_")[0], path


def _clean(file: Path, motion: Motion, source: formats.Source) -> Motion:
    """A file as `motionloom clean` leaves it, read back from the file that it writes."""
    with tempfile.TemporaryDirectory(prefix="motionloom-bench-") as folder:
        path = Path(folder) / "clean.bvh"
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            clean(file, path)
        options = formats.ReadOptions(fps=motion.fps, scale=repr(source.metres_per_unit), up="y", rest_frame="keep")
        read = formats.read(path, options).motion
    assert isinstance(read, Motion)
    return cut(read, read.n_frames - motion.n_frames, read.n_frames)  # the file may begin with a rest pose


def _clean_overstretched(take: formats.Take, rng: np.random.Generator) -> Knees:
    """The knees of a take that is overstretched, written, cleaned and read back."""
    assert isinstance(take.motion, Motion)
    motion = overstretch_legs(take.motion, rng)
    with tempfile.TemporaryDirectory(prefix="motionloom-bench-") as folder:
        path = Path(folder) / "overstretched.bvh"
        formats.write(path, motion, take.source)
        return _compare(_clean(path, motion, take.source), motion)


def _graph_walks(data: Path, change: Change | None = None) -> Iterator[tuple[Result, Corpus]]:
    """Random graph walks of five seconds, on a hub graph of each group."""
    for number, group in enumerate(WALKED):
        with tempfile.TemporaryDirectory(prefix="motionloom-bench-") as folder:
            corpus = Corpus.create(Path(folder) / "corpus")
            fill_group(corpus, data, group, change)
            hubs = [{"name": "hub", "largest": True}]
            model = prepare(corpus, GraphRequest.from_data({"takes": corpus.names(), "hubs": hubs}))
            for seed in range(number, WALKS, len(WALKED)):
                answer = solve(snap, model, snap.Request(length="5s"), seed=seed)[0]
                yield snap.judge(snap.perform(answer, model), model, quick=True), corpus


def _compare(after: Motion, before: Motion) -> Knees:
    """The knees and elbows of a motion beside those of the motion that it was made from, frame by frame."""
    frames = np.arange(after.n_frames)
    return _count(after, {0: before}, np.zeros(len(frames), int), frames, np.zeros(len(frames), bool))


def knees_of_result(result: Result, corpus: Corpus) -> Knees:
    """The knees and elbows of a result beside those of the recordings that its frames come from."""
    origins = result.provenance
    main = origins.weights.argmax(axis=1)
    rows = np.arange(origins.n_frames)
    numbers, frames = origins.indices[rows, main], np.round(origins.frames[rows, main]).astype(int)
    takes = {}
    for number in np.unique(numbers).tolist():
        takes[number] = corpus.take(origins.sources[number].name).motion
    mixed = origins.weights[rows, main] < 0.999
    return _count(result.motion, takes, numbers, frames, mixed)


def _count(
    motion: Motion, takes: dict[int, Motion], numbers: np.ndarray, frames: np.ndarray, mixed: np.ndarray
) -> Knees:
    """Count frames of a motion whose frame i is mainly frame `frames[i]` of take `numbers[i]`."""
    wrong, jumps, worst = np.zeros(motion.n_frames, bool), np.zeros(motion.n_frames, bool), 0.0
    joined = (np.diff(numbers) != 0) | (np.abs(np.diff(frames)) > 3) | mixed[1:] | mixed[:-1]
    for limb in hinges.hinged_limbs(motion.skeleton):
        bends, out, own = np.zeros(motion.n_frames), _out_of_line(motion, limb), np.zeros((motion.n_frames, 3))
        for number, take in takes.items():
            axis = hinges.hinge_axis(take.skeleton, take.local_rotations, limb)
            if axis is None:
                continue
            here = numbers == number
            bends[here] = hinges.flexion(motion.skeleton, motion.local_rotations[here], limb, axis)
            own[here] = _out_of_line(take, limb)[np.clip(frames[here], 0, take.n_frames - 1)]
        wrong |= np.degrees(bends) < -WRONG_WAY
        worst = max(worst, float(np.degrees(-bends.min())))
        steps, own_steps = _steps(out), _steps(own)
        jumps[1:] |= np.where(joined, steps > ACROSS_JOINS, (steps > JUMP) & (own_steps < CALM)).any(axis=0)
    return Knees(motion.n_frames, int(wrong.sum()), int(jumps.sum()), max(worst, 0.0))


def _out_of_line(motion: Motion, limb: str) -> np.ndarray:
    """(F, 3) metres: from the line through hip and ankle to the knee, or through shoulder and wrist to the elbow."""
    positions = kinematics.world_positions(motion)
    start, knee, tip = (positions[:, joint] for joint in hinges.limb_joints(motion.skeleton, limb))
    line = (tip - start) / np.maximum(np.linalg.norm(tip - start, axis=-1, keepdims=True), 1e-9)
    return knee - start - line * ((knee - start) * line).sum(axis=-1, keepdims=True)


def _steps(out: np.ndarray) -> np.ndarray:
    """(2, F - 1) metres in a frame: of the distance, and between the two places, as of knees that turn over."""
    return np.stack([np.abs(np.diff(np.linalg.norm(out, axis=-1))), np.linalg.norm(np.diff(out, axis=0), axis=-1)])
