"""Edits in the middle: a hundred in sequences of twelve seconds, equally insert, replace and delete.

Sequences go from pose to pose at random. An edit counts as made if its steps are changed by at most 30 %, and if all
behind it is in the finished motion where it was before, within a millimetre and a tenth of a degree.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.buildup.material import SETS, model_of
from benchmarks.measure import figure
from motionloom.assembly import Played, choose_joins, play
from motionloom.methods.buildup import Model
from motionloom.methods.buildup.request import Built, Edit, Pose, Step
from motionloom.methods.buildup.sequence.edits import MadeEdit, make_edit
from motionloom.methods.buildup.sequence.finished_edits import finish_edits
from motionloom.methods.buildup.sequence.outcome import WINDOW
from motionloom.methods.buildup.sequence.sequence import BuiltSequence
from motionloom.methods.buildup.sequence.steps import begin, take_step
from motionloom.motion import Motion, rotations
from motionloom.quality import measure_joins

EDITS = 100
SEQUENCES = 10
SECONDS = 12.0
KINDS = ("insert", "replace", "delete")
CUT = 0.5, 2.0  # seconds that are replaced or taken out
CLEAR = 2.0  # seconds from the ends of a sequence that stay
MOST_STEPS = 100


@dataclass(frozen=True, eq=False)
class Edited:
    """One edit, measured in the finished motion."""

    kind: str
    why_not: str  # "" where it was made
    seconds: float = 0.0  # of the bridge
    metres: float = 0.0  # farthest that the hips behind it are from where they were, or the bent bridge from there
    degrees: float = 0.0  # the same
    is_kept: bool = True  # the rest, bit for bit
    changed: float = 0.0  # share of steps, %
    feet: float = 0.0  # millimetres that a planted point moves in a frame at most
    peaks: tuple[float, ...] = ()  # highest acceleration / bar near each join of the bridge

    @property
    def is_good(self) -> bool:
        """Whether it is what was asked for."""
        return not self.why_not and self.is_kept and self.metres <= 1e-3 and self.degrees <= 0.1 and self.changed <= 30


def figures(data: Path) -> list[dict]:
    """Edits in every set."""
    return [figure for name in SETS for figure in figures_of(data, name, f"edits; {name}")]


def figures_of(data: Path, name: str, label: str) -> list[dict]:
    """What edits in the sequences of a set come to."""
    edited = measure_set(data, name)
    made = [each for each in edited if not each.why_not]
    lasts, peaks = np.array([each.seconds for each in made]), np.concatenate([each.peaks for each in made])
    uncut = model_of(data, name).yardsticks.usual["joins with more acceleration than the bar"]
    kept = sum(bool(each.why_not) for each in edited)
    return [
        figure(f"{label}; good", sum(each.is_good for each in edited), "of 100", "higher"),
        *(
            figure(f"{label}; good, {kind}", 100 * np.mean([each.is_good for each in edited if each.kind == kind]),
                   "%", "higher")
            for kind in KINDS
        ),
        figure(f"{label}; kept as it was, with a reason", kept, "of 100", "lower"),
        figure(f"{label}; steps changed too much", sum(each.changed > 30 for each in made), "of 100", "lower"),
        figure(f"{label}; the rest not bit for bit", sum(not each.is_kept for each in made), "of 100", "lower"),
        figure(f"{label}; largest gap", 1000 * max(each.metres for each in made), "mm", "lower"),
        figure(f"{label}; largest heading gap", max(each.degrees for each in made), "degrees", "lower"),
        figure(f"{label}; steps changed, usual", float(np.median([each.changed for each in made])), "%", "lower"),
        figure(f"{label}; bridge, usual", float(np.median(lasts)), "s", "lower"),
        figure(f"{label}; bridge, longest of nine in ten", float(np.quantile(lasts, 0.9)), "s", "lower"),
        figure(f"{label}; joins above the bar", 100 * float((peaks > 1).mean()), "%", "lower"),
        figure(f"{label}; uncut windows above the bar", uncut, "%", "lower"),
        figure(f"{label}; planted feet, farthest in a frame", max(each.feet for each in made), "mm", "lower"),
    ]  # fmt: skip


@cache
def measure_set(data: Path, name: str, count: int = EDITS) -> tuple[Edited, ...]:
    """Every edit in a set."""
    model = model_of(data, name)
    sequences = [random_sequence(model, seed) for seed in range(SEQUENCES)]
    finished = [_perform(model, sequence) for sequence in sequences]
    return tuple(
        _measure(model, finished[seed % SEQUENCES], make_edit(model, sequences[seed % SEQUENCES], edit))
        for seed, edit in enumerate(random_edit(model, seed) for seed in range(count))
    )


def random_sequence(model: Model, seed: int) -> BuiltSequence:
    """Steps to poses of random groups, until the sequence lasts long enough; what is too much is left out."""
    rng, n_frames = np.random.default_rng([seed, 7]), round(SECONDS * model.fps)
    sequence = begin(model, Built())
    for number in range(MOST_STEPS):
        stretch = take_step(model, sequence, Step(pose=_any_pose(model, rng)), number).stretch
        sequence = sequence if stretch is None else sequence.extended(stretch)
        if sequence.n_frames >= n_frames:
            break
    left = n_frames - sequence.borders[-2]
    return BuiltSequence((*sequence.stretches[:-1], sequence.stretches[-1].part(0, left)))


def random_edit(model: Model, seed: int) -> Edit:
    """An edit somewhere in the middle."""
    rng, kind = np.random.default_rng([seed, 11]), KINDS[seed % len(KINDS)]
    start = rng.uniform(CLEAR, SECONDS - CLEAR - CUT[1])
    stop = None if kind == "insert" else f"{start + rng.uniform(*CUT):.2f}s"
    pose = None if kind == "delete" else _any_pose(model, rng)
    return Edit(kind, f"{start:.2f}s", stop, pose)  # type: ignore[arg-type]


def _any_pose(model: Model, rng: np.random.Generator) -> Pose:
    centre = int(rng.choice(model.groups.centres))
    name, _ = model.clip_frame(centre)
    return Pose(name, round(float(model.view.source_frames[centre])))


def _perform(model: Model, sequence: BuiltSequence) -> Played:
    plan = choose_joins(sequence.plan(model), model.view, model.yardsticks.bars, known=model.chosen_joins)
    return play(plan, model.view, targets=sequence.targets(model))


def _measure(model: Model, before: Played, found: MadeEdit) -> Edited:
    after, (made,) = finish_edits(model, before, [found])
    if made.bridge is None:
        return Edited(made.edit.kind, made.why_not)
    motion, given = after.motion, before.motion
    assert isinstance(motion, Motion) and isinstance(given, Motion)
    window = round(WINDOW * model.fps)
    first, stop = max(made.start - window, 0), min(made.stop + window, given.n_frames)
    shift = motion.n_frames - given.n_frames
    is_kept = all(
        np.array_equal(getattr(motion, part)[:first], getattr(given, part)[:first])
        and np.array_equal(getattr(motion, part)[stop + shift :], getattr(given, part)[stop:])
        for part in ("root_positions", "local_rotations")
    )
    behind = slice(stop + shift, None), slice(stop, None)
    off = motion.root_positions[behind[0]] - given.root_positions[behind[1]]
    turned = rotations.angle_between(motion.local_rotations[behind[0], 0], given.local_rotations[behind[1], 0])
    joins = [frame for frame in after.plan.begins[1:] if made.start <= frame <= made.stop + shift]
    peaks = measure_joins(motion, joins, model.yardsticks.bars)
    parts = {part.name.split(": ")[-1]: part.value for part in after.parts}
    return Edited(
        made.edit.kind,
        "",
        made.n_bridged / model.fps,
        max(float(np.linalg.norm(off, axis=1).max(initial=0.0)), parts["gap"]),
        max(float(np.degrees(turned).max(initial=0.0)), parts["heading gap"]),
        is_kept,
        parts["steps changed"],
        parts.get("planted feet stay", 0.0),
        tuple(peak.acceleration for peak in peaks),
    )
