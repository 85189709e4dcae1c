"""Ground truth of a performance: labels, contacts and events in frames, read from the plan, not from the motion."""

import numpy as np

from motionloom.corpus.records import Contact, Event, Label
from motionloom.motion import find_runs, kinematics
from motionloom.performer.body.hands import palm_positions
from motionloom.performer.gait.footsteps import SIDES, Path, Plant, StepPlan
from motionloom.performer.perform import Moved
from motionloom.performer.stage import Stage

SOURCE = "performer"
TURNING, TURNED = 0.5, 0.5  # radians per second, and radians in all, of a turn worth the word
GOING = frozenset({"walk", "run", "sneak", "lame", "backwards", "sideways_left", "sideways_right"})
NOT_STANDING = GOING | {
    "turn_left",
    "turn_right",
    "jump",
    "crouch",
    "sit",
    "sit_down",
    "stand_up",
    "stumble",
    "pick_up",
    "place",
    "foot_shuffle",
}
PAUSE = 1.0  # seconds without a step that end a walk

Span = tuple[str, float, float]  # word, start and stop in seconds


def find_labels(name: str, stage: Stage, moved: Moved) -> list[Label]:
    """The frame ranges of a take in which labels hold."""
    spans = [(mark.word, mark.start, mark.stop) for mark in stage.labels]
    spans = [_snap_to_steps(span, spans, moved.plan) if span[0] in GOING else span for span in spans]
    spans += _turns(moved.path)
    busy = [(start, stop) for word, start, stop in spans if word in NOT_STANDING]
    standing = [gap for span in spans if span[0] == "stand" for gap in _gaps(*span, busy)]
    spans = [span for span in spans if span[0] != "stand"] + standing
    return labels_in_frames(name, spans, len(stage.times), stage.fps)


def find_contacts(name: str, stage: Stage, plan: StepPlan) -> list[Contact]:
    """The frame ranges in which heel and ball of each foot are in contact with the floor."""
    contacts = []
    for side in SIDES:
        for plant in plan.plants[side]:
            for point, (start, stop) in (("heel", heel_span(plant)), ("ball", ball_span(plant))):
                first, last = frames_in(start, stop, len(stage.times), stage.fps)
                part = "heel" if point == "heel" else "toes"
                raised = stage.additions[f"{side}_{part}_up"][first:last] > 1e-6
                contacts += [
                    Contact(name, f"{side}_{point}", first + a, first + b, SOURCE) for a, b in find_runs(~raised)
                ]
    return sorted(contacts)


def find_events(name: str, stage: Stage, moved: Moved) -> list[Event]:
    """The events with their frames: all steps, and events declared by actions, with the positions of hands."""
    events = [Event(name, "step", frame, SOURCE, data) for frame, data in _steps(stage, moved.plan)]
    positions, turned = kinematics.world(moved.motion)
    for mark in stage.events:
        frame = round(mark.start * stage.fps)
        if not 0 <= frame < len(stage.times):
            continue
        data = dict(mark.data)
        if "hands" in data:
            palms = {side: palm_positions(side, positions, turned)[frame] for side in data["hands"]}
            data["palms"] = {side: [round(float(c), 4) for c in palm] for side, palm in palms.items()}
            data.setdefault("point", [round(float(c), 4) for c in np.mean(list(palms.values()), axis=0)])
        if "feet" in data:
            balls = [positions[frame, moved.motion.skeleton.index(f"{side}_ball")] for side in data["feet"]]
            data["point"] = [round(float(c), 4) for c in np.mean(balls, axis=0)]
        events.append(Event(name, mark.word, frame, SOURCE, data))
    return sorted(events, key=lambda e: (e.frame, e.kind))


def heel_span(plant: Plant) -> tuple[float, float]:
    """Seconds during which the heel of a planted foot is down."""
    start = plant.start if plant.land_pitch <= 0 else plant.flat_start
    return start, plant.stop if plant.off_pitch <= 0 else plant.flat_stop


def ball_span(plant: Plant) -> tuple[float, float]:
    """Seconds during which the ball of a planted foot is down."""
    start = plant.start if plant.land_pitch >= 0 else plant.flat_start
    return start, plant.stop if plant.off_pitch >= 0 else plant.flat_stop


def frames_in(start: float, stop: float, n_frames: int, fps: float) -> tuple[int, int]:
    """The half-open frame range of the frames within [start, stop] seconds."""
    first = int(np.clip(np.ceil(start * fps - 1e-6), 0, n_frames))
    return first, int(np.clip(np.floor(stop * fps + 1e-6) + 1, first, n_frames))


def _steps(stage: Stage, plan: StepPlan) -> list[tuple[int, dict]]:
    steps = []
    for plant in plan.steps():
        first, last = frames_in(plant.start, plant.stop, len(stage.times), stage.fps)
        if first < last:
            place = [round(float(c), 4) for c in plant.place]
            data = {"side": plant.side, "place": place, "heading": round(float(plant.heading), 4)}
            steps.append((first, data | ({"height": plant.height} if plant.height else {})))
    return steps


def _snap_to_steps(span: Span, spans: list[Span], plan: StepPlan) -> Span:
    """Start a walk when its first foot leaves the floor and end it when its last lands, unless another walk follows."""
    word, start, stop = span
    swings = sorted((a.stop, b.start) for plants in plan.plants.values() for a, b in zip(plants, plants[1:]))
    if not any(w in GOING and s < start - 0.05 <= e for w, s, e in spans):
        start = next((off for off, _ in swings if off >= start - 0.7), start)
    if not any(w in GOING and s <= stop + 0.05 < e for w, s, e in spans):
        end = stop
        for off, land in swings:
            if start <= off and (land <= stop or off < end + 0.25) and off < stop + PAUSE:
                end = max(land, end if land > stop else land)
        stop = end
    return word, start, max(stop, start + 0.1)


def _turns(path: Path) -> list[Span]:
    """Left and right turns, from the heading itself."""
    rate = path.channels["turn"]
    spans: list[Span] = []
    for word, sign in (("turn_left", 1.0), ("turn_right", -1.0)):
        for first, last in find_runs(sign * rate > TURNING):
            if sign * rate[first:last].sum() / path.fps >= TURNED:
                spans.append((word, first / path.fps, last / path.fps))
    return spans


def _gaps(word: str, start: float, stop: float, busy: list[tuple[float, float]]) -> list[Span]:
    """The remaining parts of a span without busy times."""
    left = []
    for begin, end in sorted(busy):
        if begin > start and begin - start > 0.25:
            left.append((word, start, min(begin, stop)))
        start = max(start, end)
        if start >= stop:
            break
    if stop - start > 0.25:
        left.append((word, start, stop))
    return [span for span in left if span[2] - span[1] > 0.25]


def labels_in_frames(name: str, spans: list[Span], n_frames: int, fps: float) -> list[Label]:
    """Labels in frames of spans in seconds; touching and overlapping spans of a label are merged."""
    labels: list[Label] = []
    for word, start, stop in sorted(spans):
        first, last = (int(np.clip(round(t * fps), 0, n_frames)) for t in (start, stop))
        if labels and labels[-1].label == word and first <= labels[-1].stop + 1:
            labels[-1] = Label(name, word, labels[-1].start, max(last, labels[-1].stop), SOURCE)
        elif first < last:
            labels.append(Label(name, word, first, last, SOURCE))
    return labels
