"""Building: accepted match sets become common poses, bent takes, and a hub graph that only has to be played."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from motionloom.conform import View
from motionloom.features.feet import POINTS, foot_points
from motionloom.graphs.measures import measure_view_points, whole_motion
from motionloom.methods.snap.agreeing import agree, majority
from motionloom.methods.snap.cutting import cut_graph
from motionloom.methods.snap.hub_graph import HubGraph
from motionloom.methods.snap.hub_poses import (
    Feet,
    HubPose,
    Passage,
    Stance,
    hub_placements,
    learn_feet,
    read_stance,
    stand,
)
from motionloom.methods.snap.linking import find_classes, find_links, follow_links, share_stance, stance_points
from motionloom.methods.snap.match_sets import check_set
from motionloom.methods.snap.passing import BendSettings, evolve, pass_through
from motionloom.motion import Motion, kinematics
from motionloom.similarity import align_set
from motionloom.similarity.point_cloud import PointClouds
from motionloom.tasks import Progress


@dataclass(frozen=True)
class BuildSettings:
    """How hubs are built."""

    w_min: float = 0.25  # seconds between match frames, and between them and the ends of takes
    bend: BendSettings = field(default_factory=BendSettings)

    def spacing(self, fps: float) -> int:
        """w_min in frames."""
        return max(1, round(self.w_min * fps))


@dataclass(frozen=True, eq=False)
class HubSet:
    """An accepted match set."""

    name: str
    frames: np.ndarray  # (N,) int, over all frames of the view


@dataclass(frozen=True)
class HubReport:
    """What became of one hub."""

    name: str
    match_frames: int
    planted: tuple[str, ...]  # points of the feet that stand in the common pose
    mean_displacement: float  # metres, of all joints in the match frames
    worst_displacement: float  # metres, of one joint in one match frame


@dataclass(frozen=True)
class BuildReport:
    """What building did to the takes."""

    hubs: tuple[HubReport, ...]
    mean_displacement: float  # metres, over all joints and frames of takes that have match frames
    worst_displacement: float  # metres, of one joint in one frame
    worst_where: str
    planted_step_mm: float  # millimetres that a planted point moves between two frames, at most
    classes: tuple[tuple[str, ...], ...]  # hubs that share their stance because they are linked on both feet
    seconds: float
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Built:
    """A hub graph, and what it took to make the takes fit."""

    graph: HubGraph
    report: BuildReport


def build(
    view: View,
    hubs: Sequence[HubSet],
    settings: BuildSettings | None = None,
    *,
    measure: PointClouds | None = None,
    progress: Progress | None = None,
) -> Built:
    """Build the graph of some match sets: after that every clip can be played after any other of its hub.

    Args:
        view: whose takes.
        hubs: match sets, none too near another.
        settings: how.
        measure: the frames of the view as clouds of points, where that is known already.
        progress: called with (steps done, steps in all).
    """
    begun = time.perf_counter()
    settings = settings or BuildSettings()
    _check(view, hubs, settings)
    measure = measure or measure_view_points(view)
    whole = whole_motion(view)
    takes = [view.motion(name) for name in view.names]
    contacts = [np.array(view.layer(name, "contacts"), bool) for name in view.names]
    feet = learn_feet(whole, view.source_contacts)
    planted = [majority(view.source_contacts[one.frames]) for one in hubs]
    passages = _passages(view, takes, hubs, measure)
    for through, flags in zip(passages, contacts):
        for one in through:
            agree(flags, one.frame, planted[one.hub], view.fps)
    used = [number for number, through in enumerate(passages) if through]
    step = _Steps(len(used) * settings.bend.iterations + len(takes), progress)
    poses: list[HubPose] = []
    classes: list[tuple[int, ...]] = []
    if used:
        common = evolve(
            [takes[n] for n in used],
            [passages[n] for n in used],
            [contacts[n] for n in used],
            len(hubs),
            feet,
            settings.bend,
            step,
        )
        links = [find_links(through, flags, planted) for through, flags in zip(passages, contacts)]
        classes = find_classes(passages, links, len(hubs))
        stances = _stances(common, planted, classes, feet)
        points = [stance_points(stance, feet.arms) for stance in stances]
        passages = [follow_links(through, own, points) for through, own in zip(passages, links)]
        poses = [
            HubPose(stand(frames, flags, stance, feet), flags)
            for frames, flags, stance in zip(common, planted, stances)
        ]
    bent = []
    for take, through, flags in zip(takes, passages, contacts):
        bent.append(pass_through(take, through, poses, flags, feet, settings.bend))
        step()
    graph = cut_graph(
        view, hubs=[one.name for one in hubs], poses=poses, passages=passages, bent=bent, contacts=contacts
    )
    named = tuple(tuple(hubs[h].name for h in hubs_of) for hubs_of in classes)
    report = _report(view, hubs, planted, takes, bent, passages, contacts, feet)
    return Built(graph, replace(report, classes=named, seconds=time.perf_counter() - begun))


class _Steps:
    """Counts steps and tells whoever wants to know."""

    def __init__(self, total: int, progress: Progress | None) -> None:
        self.done, self.total, self.progress = 0, total, progress

    def __call__(self) -> None:
        self.done += 1
        if self.progress is not None:
            self.progress(self.done, self.total)


def _check(view: View, hubs: Sequence[HubSet], settings: BuildSettings) -> None:
    taken: list[int] = []
    for one in hubs:
        check_set(one.frames.tolist(), view.starts, spacing=settings.spacing(view.fps), taken=taken)
        taken += one.frames.tolist()


def _passages(view: View, takes: Sequence[Motion], hubs: Sequence[HubSet], measure: PointClouds) -> list[list[Passage]]:
    """Where every take goes through hubs, in order of time, each hub laid as its match frames are aligned."""
    passages: list[list[Passage]] = [[] for _ in takes]
    for number, one in enumerate(hubs):
        aligned = align_set(measure, one.frames.tolist())
        owners = np.searchsorted(view.starts, aligned.frames, side="right") - 1
        local = aligned.frames - view.starts[owners]
        base = aligned.base
        placements = hub_placements(aligned, takes[owners[base]], int(local[base]))
        for owner, frame, placement in zip(owners.tolist(), local.tolist(), placements):
            passages[owner].append(Passage(number, frame, placement))
    return [sorted(through, key=lambda one: one.frame) for through in passages]


def _stances(
    common: Sequence[Motion], planted: Sequence[np.ndarray], classes: Sequence[tuple[int, ...]], feet: Feet
) -> list[Stance]:
    """Where the feet of all hubs are; hubs of a class stand flat, with the same angles and distance."""
    linked = {hub for hubs in classes for hub in hubs}
    stances = [
        read_stance(frames, flags, feet, flat=(hub in linked,) * 2)
        for hub, (frames, flags) in enumerate(zip(common, planted))
    ]
    for hubs in classes:
        for hub, stance in zip(hubs, share_stance([stances[hub] for hub in hubs], feet.arms)):
            stances[hub] = stance
    return stances


def _report(
    view: View,
    hubs: Sequence[HubSet],
    planted: Sequence[np.ndarray],
    takes: Sequence[Motion],
    bent: Sequence[Motion],
    passages: Sequence[Sequence[Passage]],
    contacts: Sequence[np.ndarray],
    feet: Feet,
) -> BuildReport:
    moved: list[list[np.ndarray]] = [[] for _ in hubs]
    total, count, worst, where, step_mm = 0.0, 0, 0.0, "", 0.0
    for name, take, other, through, flags in zip(view.names, takes, bent, passages, contacts):
        points = foot_points(other, 0.0, heels=feet.heels)
        steps = np.linalg.norm(np.diff(points, axis=0), axis=-1)[flags[1:] & flags[:-1]]
        step_mm = max(step_mm, 1000 * float(steps.max(initial=0.0)))
        if not through:
            continue
        away = np.linalg.norm(kinematics.world_positions(take) - kinematics.world_positions(other), axis=-1)
        total, count = total + float(away.sum()), count + away.size
        if away.max() > worst:
            frame, joint = np.unravel_index(int(away.argmax()), away.shape)
            worst, where = float(away.max()), f"{name}, frame {frame}, {view.skeleton.names[joint]}"
        for one in through:
            moved[one.hub].append(away[one.frame])
    reports = [
        HubReport(
            one.name,
            len(one.frames),
            tuple(point for point, stands in zip(POINTS, flags) if stands),
            float(np.mean(values)),
            float(np.max(values)),
        )
        for one, flags, values in zip(hubs, planted, moved)
    ]
    return BuildReport(tuple(reports), total / max(count, 1), worst, where, step_mm, (), 0.0)
