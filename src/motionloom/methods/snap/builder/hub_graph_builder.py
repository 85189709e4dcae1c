"""Building: accepted match sets become common poses, bent takes, and a hub graph that only has to be played."""

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from motionloom.conform import View
from motionloom.features.feet import POINTS, foot_points
from motionloom.graphs.measures import measure_view_points, whole_motion
from motionloom.methods.snap.author.match_sets import USUAL_W_MIN, AcceptedSet, check_set, spacing_in_frames
from motionloom.methods.snap.builder.clip_extraction import cut_graph
from motionloom.methods.snap.builder.hub_contacts import agree, loosen, majority
from motionloom.methods.snap.builder.hub_poses import (
    Feet,
    HubPose,
    Passage,
    Stance,
    hub_placements,
    learn_feet,
    read_stance,
    smooth_trios,
    stance_points,
    stand,
)
from motionloom.methods.snap.builder.linked_stances import find_classes, find_links, follow_links, share_stance
from motionloom.methods.snap.builder.roughness import Roughness, learn_bar, passage_excess
from motionloom.methods.snap.builder.take_bending import (
    Bender,
    BendSettings,
    ask_exactly,
    bend_take,
    evolve,
    load_kernels,
    pass_again,
)
from motionloom.methods.snap.graph.hub_graph import HubGraph
from motionloom.motion import Motion, Placement, kinematics
from motionloom.similarity import align_set
from motionloom.similarity.point_cloud import PointClouds
from motionloom.tasks import Progress, keep_workers

SURELY = 1.25  # times as rough as may be, before takes are bent exactly: it will not be calm after that
SLIDES_MM = 1.0  # a planted point that moves more than that between two frames is seen to slide
WORTH_WORKERS = 6000  # frames: with fewer takes are bent before worker processes have begun
DROPPING_ROUNDS = 3  # of leaving out match frames; what is left out changes what is beside it


@dataclass(frozen=True)
class BuildSettings:
    """How hubs are built."""

    w_min: float = USUAL_W_MIN  # seconds between match frames, and between them and the ends of takes
    drops_rough: bool = True  # leave out match frames at which a join would be rougher than the takes are
    bend: BendSettings = field(default_factory=BendSettings)

    def spacing(self, fps: float) -> int:
        """w_min in frames; never less than displacement maps need."""
        return spacing_in_frames(self.w_min, fps, self.bend.displacement)


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
    dropped: tuple[str, ...] = ()  # match frames that were left out because joins there would be rough
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Built:
    """A hub graph, and what it took to make the takes fit."""

    graph: HubGraph
    report: BuildReport


def build(
    view: View,
    hubs: Sequence[AcceptedSet],
    settings: BuildSettings | None = None,
    *,
    measure: PointClouds | None = None,
    progress: Progress | None = None,
) -> Built:
    """Build the graph of some match sets: after that every clip can be played after any other of its hub.

    Match frames at which a take would be rougher than takes are in their calmest 90 % are left out again.

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
    alone = 1 if view.n_frames < WORTH_WORKERS or len(view.names) < 2 else None
    with keep_workers(bend_take, workers=alone, prepare=load_kernels) as bend:
        work, passages = _begin(view, hubs, settings, measure or measure_view_points(view), progress)
        bent, dropped = _pass_through_hubs(work, hubs, passages, bend)
    graph = cut_graph(
        view,
        hubs=[one.name for one in hubs],
        poses=bent.poses,
        passages=bent.passages,
        bent=bent.takes,
        contacts=bent.contacts,
    )
    report = _report(work, hubs, bent)
    notes = [*_footless(work), *report.notes, *_still_rough(work, hubs, bent)]
    classes = tuple(tuple(hubs[hub].name for hub in members) for members in bent.classes)
    seconds = time.perf_counter() - begun
    return Built(graph, replace(report, classes=classes, seconds=seconds, dropped=tuple(dropped), notes=tuple(notes)))


def _begin(
    view: View, hubs: Sequence[AcceptedSet], settings: BuildSettings, measure: PointClouds, progress: Progress | None
) -> tuple["_Work", list[list[Passage]]]:
    """What building needs, and where takes go through hubs."""
    takes = [view.motion(name) for name in view.names]
    feet = learn_feet(whole_motion(view), view.source_contacts)
    passages = _passages(view, takes, hubs, measure) if hubs else [[] for _ in takes]
    planted = [majority(view.source_contacts[one.frames] & feet.can_stand) for one in hubs]
    work = _Work(view, settings, takes, feet, planted, learn_bar(takes), _Steps(progress))
    work.steps.total = sum(bool(through) for through in passages) * settings.bend.iterations + len(takes)
    return work, passages


def _pass_through_hubs(
    work: "_Work", hubs: Sequence[AcceptedSet], passages: list[list[Passage]], bend: Bender
) -> tuple["_BentTakes", list[str]]:
    """Takes that pass through common poses, and which match frames had to go."""
    settings, dropped = work.settings, list[str]()
    common, about = _evolve(work, passages, bend)
    if settings.drops_rough:  # most of what is rough shows before anything is planted exactly
        passages, dropped = _drop_rough(work, hubs, passages, about, SURELY)
    bent = _bend(work, passages, common, bend)
    changed = set(range(len(passages)))  # takes that nobody looked at since they were bent
    for _ in range(DROPPING_ROUNDS if settings.drops_rough else 0):
        kept, gone = _drop_rough(work, hubs, passages, bent.takes, only=changed)
        if not gone:
            break
        changed = {n for n, (now, then) in enumerate(zip(kept, passages)) if len(now) < len(then)}
        passages, dropped = kept, [*dropped, *gone]
        bent = _bend(work, passages, common, bend, bent)
    return bent, dropped


@dataclass(frozen=True, eq=False)
class _Work:
    """What does not change while a graph is built."""

    view: View
    settings: BuildSettings
    takes: Sequence[Motion]  # as recorded
    feet: Feet
    planted: Sequence[np.ndarray]  # (4,) bool of each hub
    bar: Roughness  # that joins may have
    steps: "_Steps"

    def agreed(self, passages: Sequence[Sequence[Passage]]) -> list[np.ndarray]:
        """The contacts of all takes, with those of the hubs at their match frames."""
        contacts = [np.array(self.view.layer(name, "contacts"), bool) & self.feet.can_stand for name in self.view.names]
        for through, flags in zip(passages, contacts):
            for one in through:
                agree(flags, one.frame, self.planted[one.hub], self.view.fps)
            loosen(flags, [one.frame for one in through], [self.planted[one.hub] for one in through], self.view.fps)
        return contacts

    def calm(self, number: int, passages: Sequence[Passage]) -> Motion:
        return smooth_trios(self.takes[number], [one.frame for one in passages])


@dataclass(frozen=True, eq=False)
class _BentTakes:
    """Takes that pass through hubs."""

    takes: list[Motion]
    passages: list[list[Passage]]  # with hubs laid where linked feet meet
    contacts: list[np.ndarray]
    poses: list[HubPose]
    classes: list[tuple[int, ...]]


def _evolve(work: _Work, passages: Sequence[Sequence[Passage]], bend: Bender) -> tuple[list[Motion], list[Motion]]:
    """The three frames of each hub, before its feet stand, and all takes about as they will be."""
    used = [number for number, through in enumerate(passages) if through]
    if not used:
        return [], list(work.takes)
    contacts = work.agreed(passages)
    calm = [work.calm(n, passages[n]) for n in used]
    through, flags = [passages[n] for n in used], [contacts[n] for n in used]
    settings = work.settings.bend
    common, last = evolve(calm, through, flags, len(work.planted), work.feet, settings, bend, work.steps)
    about = dict(zip(used, last))
    return common, [about.get(number, take) for number, take in enumerate(work.takes)]


def _bend(
    work: _Work,
    passages: Sequence[Sequence[Passage]],
    common: Sequence[Motion],
    bend: Bender,
    before: _BentTakes | None = None,
) -> _BentTakes:
    """Let hubs stand, and takes pass through them; what was bent before is bent again only where it changed."""
    contacts = work.agreed(passages)
    links = [find_links(through, flags, work.planted) for through, flags in zip(passages, contacts)]
    classes = find_classes(passages, links, len(common))
    stances = _stances(common, work.planted, classes, work.feet)
    points = [stance_points(stance, work.feet.arms) for stance in stances]
    laid = [follow_links(through, own, points) for through, own in zip(passages, links)]
    poses = [
        HubPose(stand(frames, flags, stance, work.feet), flags)
        for frames, flags, stance in zip(common, work.planted, stances)
    ]
    takes: dict[int, Motion] = {}
    if before is not None and before.classes == classes:  # else hubs stand otherwise now
        for number, (through, flags) in enumerate(zip(laid, contacts)):
            again = _bend_again(work, number, through, poses, flags, before)
            if again is not None:
                takes[number] = again
    left = [number for number in range(len(laid)) if number not in takes]
    asked = [
        ask_exactly(work.calm(n, laid[n]), laid[n], poses, contacts[n], work.feet, work.settings.bend) for n in left
    ]
    for number, done in zip(left, bend(asked)):
        takes[number] = done.motion
        if before is None:
            work.steps()
    in_order = [takes[number] for number in range(len(laid))]
    return _BentTakes(in_order, laid, contacts, poses, classes)


def _bend_again(
    work: _Work,
    number: int,
    through: Sequence[Passage],
    poses: Sequence[HubPose],
    contacts: np.ndarray,
    before: _BentTakes,
) -> Motion | None:
    """A take with fewer passages than before: only what is between them is new; None if its hubs lie elsewhere now."""
    then = {one.frame: one for one in before.passages[number]}
    if not all(_same_place(one.placement, then[one.frame].placement) for one in through):
        return None
    gone = sorted(then.keys() - {one.frame for one in through})
    calm = work.calm(number, through)
    return pass_again(before.takes[number], calm, through, poses, contacts, work.feet, work.settings.bend, gone)


def _same_place(one: Placement, other: Placement) -> bool:
    return one.heading == other.heading and bool((one.slide == other.slide).all())


def _drop_rough(
    work: _Work,
    hubs: Sequence[AcceptedSet],
    passages: Sequence[list[Passage]],
    bent: Sequence[Motion],
    most: float = 1.0,
    only: Collection[int] | None = None,
) -> tuple[list[list[Passage]], list[str]]:
    """The passages without those where a join would be rough, and which went; each hub keeps its two calmest.

    With `only` no others than these takes are looked at.
    """
    gone: dict[tuple[int, int], str] = {}
    for hub, excesses in zip(hubs, _excesses(work, passages, bent, len(hubs), only)):
        for excess, number, frame in excesses[: max(len(excesses) - 2, 0)]:
            if excess > most:
                where = f"{hub.name}: {work.view.names[number]}, frame {frame}"
                gone[number, frame] = f"{where} ({excess:.1f} times as rough as may be)"
    kept = [[one for one in through if (n, one.frame) not in gone] for n, through in enumerate(passages)]
    return kept, [gone[key] for key in sorted(gone)]


def _excesses(
    work: _Work,
    passages: Sequence[Sequence[Passage]],
    bent: Sequence[Motion],
    n_hubs: int,
    only: Collection[int] | None = None,
) -> list[list[tuple[float, int, int]]]:
    """How rough each hub is at its match frames, the roughest first: times as may be, number of the take, frame.

    Takes that are not looked at count as calm.
    """
    reach = round(work.settings.bend.displacement.reach * work.view.fps)
    found: list[list[tuple[float, int, int]]] = [[] for _ in range(n_hubs)]
    for number, through in enumerate(passages):
        for one in through:
            is_looked_at = only is None or number in only
            excess = (
                passage_excess(bent[number], work.takes[number], one.frame, reach, work.bar) if is_looked_at else 0.0
            )
            found[one.hub].append((excess, number, one.frame))
    return [sorted(excesses, reverse=True) for excesses in found]


def _still_rough(work: _Work, hubs: Sequence[AcceptedSet], bent: _BentTakes) -> list[str]:
    """A sentence for each hub whose joins are rough and that has nothing left to leave out."""
    excesses = [found[0][0] for found in _excesses(work, bent.passages, bent.takes, len(hubs))]
    return [
        f"{hub.name}: joins are up to {excess:.2f} times as rough as the takes are in their calmest 90 %; "
        "choose other match frames, or drop the hub"
        for hub, excess in zip(hubs, excesses)
        if excess > 1
    ]


def _footless(work: _Work) -> list[str]:
    """A sentence where nothing can be planted."""
    if work.feet.can_stand.any():
        return []
    return [
        f"skeleton '{work.view.skeleton.name}' has no leg to plant a foot with, so feet may slide; if it has, "
        "say which joints are hips, knees and feet (`motionloom roles`)"
    ]


class _Steps:
    """Counts steps and tells whoever wants to know."""

    def __init__(self, progress: Progress | None) -> None:
        self.done, self.total, self.progress = 0, 0, progress

    def __call__(self) -> None:
        self.done += 1
        if self.progress is not None:
            self.progress(self.done, self.total)


def _check(view: View, hubs: Sequence[AcceptedSet], settings: BuildSettings) -> None:
    taken: list[int] = []
    for one in hubs:
        check_set(one.frames.tolist(), view.starts, spacing=settings.spacing(view.fps), taken=taken)
        taken += one.frames.tolist()


def _passages(
    view: View, takes: Sequence[Motion], hubs: Sequence[AcceptedSet], measure: PointClouds
) -> list[list[Passage]]:
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


def _report(work: _Work, hubs: Sequence[AcceptedSet], bent: _BentTakes) -> BuildReport:
    moved: list[list[np.ndarray]] = [[] for _ in hubs]
    total, count, worst, where, step_mm, notes = 0.0, 0, 0.0, "", 0.0, []
    everything = zip(work.view.names, work.takes, bent.takes, bent.passages, bent.contacts)
    for name, take, other, through, flags in everything:
        points = foot_points(other, 0.0, heels=work.feet.heels)
        steps = 1000 * np.linalg.norm(np.diff(points, axis=0), axis=-1)
        steps = np.where(flags[1:] & flags[:-1], steps, 0.0).max(axis=1, initial=0.0)
        step_mm = max(step_mm, float(steps.max(initial=0.0)))
        if steps.max(initial=0.0) > SLIDES_MM:
            notes.append(
                f"{name}: planted feet slide by up to {steps.max():.0f} mm in frame {int(steps.argmax()) + 1}, because "
                "legs are too short for where its hubs are; choose other match frames near it"
            )
        if not through:
            continue
        away = np.linalg.norm(kinematics.world_positions(take) - kinematics.world_positions(other), axis=-1)
        total, count = total + float(away.sum()), count + away.size
        if away.max() > worst:
            frame, joint = np.unravel_index(int(away.argmax()), away.shape)
            worst, where = float(away.max()), f"{name}, frame {frame}, {take.skeleton.names[joint]}"
        for one in through:
            moved[one.hub].append(away[one.frame])
    reports = [
        HubReport(
            one.name,
            len(values),
            tuple(point for point, stands in zip(POINTS, flags) if stands),
            float(np.mean(values)),
            float(np.max(values)),
        )
        for one, flags, values in zip(hubs, work.planted, moved)
    ]
    return BuildReport(tuple(reports), total / max(count, 1), worst, where, step_mm, (), 0.0, notes=tuple(notes))
