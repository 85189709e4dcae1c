"""Builder of hub graphs: from accepted match sets to common poses, bent takes and clips."""

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from motionloom.conform import View
from motionloom.constraints.carried_supports import carry_to
from motionloom.features.feet import foot_points
from motionloom.graphs.view_measures import measure_view_points, whole_motion
from motionloom.methods.snap.author.foot_levels import check_levels, view_levels
from motionloom.methods.snap.author.match_sets import USUAL_W_MIN, AcceptedSet, check_set, spacing_in_frames
from motionloom.methods.snap.builder.build_inputs import BuildInputs, Steps, settle_hubs
from motionloom.methods.snap.builder.build_report import BuildReport, TakeChange, measure_building
from motionloom.methods.snap.builder.clip_extraction import cut_graph
from motionloom.methods.snap.builder.hub_contacts import majority_contacts
from motionloom.methods.snap.builder.hub_levels import HubLevels, hold_planted
from motionloom.methods.snap.builder.hub_poses import (
    Feet,
    HubPose,
    Passage,
    Stance,
    hub_placements,
    learn_feet,
    read_stance,
    stance_points,
    stand,
)
from motionloom.methods.snap.builder.linked_stances import find_classes, find_links, follow_links, share_stance
from motionloom.methods.snap.builder.roughness import learn_bar, passage_excess
from motionloom.methods.snap.builder.take_bending import (
    Bender,
    TakeBendSettings,
    bend_again,
    bend_take,
    evolve_common_poses,
    exact_task,
    load_kernels,
)
from motionloom.methods.snap.graph.hub_graph import HubGraph
from motionloom.motion import Footing, Motion, Placement
from motionloom.similarity import align_set
from motionloom.similarity.point_cloud import PointClouds
from motionloom.tasks import Progress, keep_workers

SURELY = 1.25  # times the roughness limit: match frames above it are removed before takes are bent exactly
WORTH_WORKERS = 6000  # frames: for fewer, starting worker processes takes longer than bending
DROPPING_ROUNDS = 3  # of removing rough match frames; each removal changes its neighbours


@dataclass(frozen=True)
class BuildSettings:
    """Settings of building."""

    w_min: float = USUAL_W_MIN  # minimum seconds between match frames, and to the ends of takes
    drops_rough: bool = True  # remove match frames at which a join would be rougher than the takes are
    bend: TakeBendSettings = field(default_factory=TakeBendSettings)

    def spacing(self, fps: float) -> int:
        """The minimum number of frames between match frames, from w_min; at least what displacement maps need."""
        return spacing_in_frames(self.w_min, fps, self.bend.displacement)


@dataclass(frozen=True, eq=False)
class Built:
    """A hub graph, and the report of its building."""

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
    """Build the hub graph of match sets; every clip that enters a hub can be followed by every clip that leaves it.

    Match frames at which a bent take would be rougher than the calmest 90 % of the takes are removed.

    Args:
        view: of the takes.
        hubs: accepted match sets that keep the spacing to each other.
        settings: of building.
        measure: the frames of the view as point clouds, if computed already.
        progress: called as progress(done, total).
    """
    started = time.perf_counter()
    settings = settings or BuildSettings()
    levels = view_levels(view) if len(view.supports) else None
    _check(view, hubs, settings, levels)
    workers = 1 if view.n_frames < WORTH_WORKERS or len(view.names) < 2 else None
    with keep_workers(bend_take, workers=workers, prepare=load_kernels) as bend:
        work, passages = _begin(view, hubs, settings.bend, measure or measure_view_points(view), levels, progress)
        bent, dropped = _bend_takes(work, hubs, passages, bend, settings.drops_rough)
    graph = cut_graph(
        view,
        hubs=[hub.name for hub in hubs],
        poses=bent.poses,
        passages=bent.passages,
        bent=bent.takes,
        contacts=bent.contacts,
        footings=[_carried(work, bent, number) for number in range(len(bent.takes))],
    )
    changes = [TakeChange(*change) for change in zip(view.names, work.takes, bent.takes, bent.passages, bent.contacts)]
    report = measure_building(changes, [hub.name for hub in hubs], work.planted, work.levels.hubs, work.feet)
    notes = [*_footless(work), *report.notes, *_still_rough(work, hubs, bent)]
    classes = tuple(tuple(hubs[hub].name for hub in members) for members in bent.classes)
    seconds = time.perf_counter() - started
    return Built(graph, replace(report, classes=classes, seconds=seconds, dropped=tuple(dropped), notes=tuple(notes)))


def _begin(
    view: View,
    hubs: Sequence[AcceptedSet],
    settings: TakeBendSettings,
    measure: PointClouds,
    levels: np.ndarray | None,
    progress: Progress | None,
) -> tuple[BuildInputs, list[list[Passage]]]:
    """The inputs of all steps, and the passages of all takes."""
    takes = [view.motion(name) for name in view.names]
    feet = learn_feet(whole_motion(view), view.source_contacts, levels)
    passages = _passages(view, takes, hubs, measure) if hubs else [[] for _ in takes]
    planted = [majority_contacts(view.source_contacts[hub.frames] & feet.can_stand) for hub in hubs]
    bar, flat = learn_bar(takes), HubLevels.flat(len(hubs), len(takes))
    work = BuildInputs(view, settings, takes, feet, planted, bar, flat, Steps(progress))
    if levels is not None:
        work = replace(work, levels=settle_hubs(work, passages))
    work.steps.total = sum(bool(own) for own in passages) * settings.iterations + len(takes)
    return work, passages


def _bend_takes(
    work: BuildInputs, hubs: Sequence[AcceptedSet], passages: list[list[Passage]], bend: Bender, drops_rough: bool
) -> tuple["_BentTakes", list[str]]:
    """Takes bent through common poses, and descriptions of the match frames that were removed."""
    dropped: list[str] = []
    common, approximate = _evolve(work, passages, bend)
    if drops_rough:  # most rough match frames show before takes are bent exactly
        passages, dropped = _drop_rough(work, hubs, passages, approximate, SURELY)
    bent = _bend(work, passages, common, bend)
    changed = set(range(len(passages)))  # takes that were bent since they were last measured
    for _ in range(DROPPING_ROUNDS if drops_rough else 0):
        kept, removed = _drop_rough(work, hubs, passages, bent.takes, only=changed)
        if not removed:
            break
        changed = {n for n, (now, before) in enumerate(zip(kept, passages)) if len(now) < len(before)}
        passages, dropped = kept, [*dropped, *removed]
        bent = _bend(work, passages, common, bend, bent)
    return bent, dropped


@dataclass(frozen=True, eq=False)
class _BentTakes:
    """Bent takes with their passages, contacts and hubs."""

    takes: list[Motion]
    passages: list[list[Passage]]  # with hubs placed so that linked points coincide
    contacts: list[np.ndarray]
    footings: list[Footing]
    poses: list[HubPose]
    classes: list[tuple[int, ...]]


def _evolve(
    work: BuildInputs, passages: Sequence[Sequence[Passage]], bend: Bender
) -> tuple[list[Motion], list[Motion]]:
    """The three frames of each hub before its feet are planted, and all takes, bent approximately."""
    used = [number for number, own in enumerate(passages) if own]
    if not used:
        return [], list(work.takes)
    contacts = work.contacts(passages)
    footings = work.footings(passages, contacts)
    common, last = evolve_common_poses(
        [work.smoothed(number, passages[number]) for number in used],
        [passages[number] for number in used],
        [contacts[number] for number in used],
        len(work.planted),
        work.feet,
        work.bend,
        bend,
        work.steps,
        [footings[number] for number in used],
    )
    approximate = dict(zip(used, last))
    return common, [approximate.get(number, take) for number, take in enumerate(work.takes)]


def _bend(
    work: BuildInputs,
    passages: Sequence[Sequence[Passage]],
    common: Sequence[Motion],
    bend: Bender,
    before: _BentTakes | None = None,
) -> _BentTakes:
    """Plant the feet of hubs and bend takes through them exactly; takes bent before only where they changed."""
    contacts = work.contacts(passages)
    links = [find_links(own, flags, work.planted) for own, flags in zip(passages, contacts)]
    classes = find_classes(passages, links, len(common))
    footings = work.footings(passages, contacts)
    stances = _stances(common, work.planted, work.levels.hubs, classes, work.feet)
    points = [stance_points(stance, work.feet.arms) for stance in stances]
    placed = [follow_links(own, own_links, points) for own, own_links in zip(passages, links)]
    poses = [
        HubPose(stand(frames, flags, stance, work.feet), flags)
        for frames, flags, stance in zip(common, work.planted, stances)
    ]
    takes: dict[int, Motion] = {}
    if before is not None and before.classes == classes:  # else stances have changed
        for number, (own, flags) in enumerate(zip(placed, contacts)):
            again = _bend_again(work, number, own, poses, flags, footings[number], before)
            if again is not None:
                takes[number] = again
    left = [number for number in range(len(placed)) if number not in takes]
    tasks = [
        exact_task(work.smoothed(n, placed[n]), placed[n], poses, contacts[n], work.feet, work.bend, footings[n])
        for n in left
    ]
    for number, bent in zip(left, bend(tasks)):
        takes[number] = bent.motion
        if before is None:
            work.steps()
    in_order = [takes[number] for number in range(len(placed))]
    return _BentTakes(in_order, placed, contacts, footings, poses, classes)


def _bend_again(
    work: BuildInputs,
    number: int,
    passages: Sequence[Passage],
    poses: Sequence[HubPose],
    contacts: np.ndarray,
    footing: Footing,
    before: _BentTakes,
) -> Motion | None:
    """A take with fewer passages than before, bent only where they were removed; None if placements have changed."""
    by_frame = {passage.frame: passage for passage in before.passages[number]}
    if not all(_is_same(passage.placement, by_frame[passage.frame].placement) for passage in passages):
        return None
    removed = sorted(by_frame.keys() - {passage.frame for passage in passages})
    take = work.smoothed(number, passages)
    bend = work.bend
    return bend_again(before.takes[number], take, passages, poses, contacts, work.feet, bend, removed, footing)


def _carried(work: BuildInputs, bent: _BentTakes, number: int) -> Footing:
    """The footing of a bent take."""
    footing, take, contacts = bent.footings[number], bent.takes[number], bent.contacts[number]
    if not footing.supports:
        return footing
    carried = carry_to(footing, work.takes[number], take, contacts)
    return hold_planted(carried, foot_points(take, 0.0, heels=work.feet.heels), contacts)


def _is_same(first: Placement, second: Placement) -> bool:
    return first.heading == second.heading and bool((first.slide == second.slide).all())


def _drop_rough(
    work: BuildInputs,
    hubs: Sequence[AcceptedSet],
    passages: Sequence[list[Passage]],
    bent: Sequence[Motion],
    most: float = 1.0,
    only: Collection[int] | None = None,
) -> tuple[list[list[Passage]], list[str]]:
    """Remove passages at which a join would be rough, except the two calmest of each hub.

    Args:
        work: constant inputs.
        hubs: accepted match sets.
        passages: of each take.
        bent: the bent takes.
        most: limit, in multiples of what is allowed.
        only: indices of the takes to measure; None for all.

    Returns:
        The remaining passages, and a description of each removed one.
    """
    removed: dict[tuple[int, int], str] = {}
    for hub, excesses in zip(hubs, _excesses(work, passages, bent, len(hubs), only)):
        for excess, number, frame in excesses[: max(len(excesses) - 2, 0)]:
            if excess > most:
                where = f"{hub.name}: {work.view.names[number]}, frame {frame}"
                removed[number, frame] = f"{where} ({excess:.1f} times as rough as allowed)"
    kept = [[passage for passage in own if (n, passage.frame) not in removed] for n, own in enumerate(passages)]
    return kept, [removed[key] for key in sorted(removed)]


def _excesses(
    work: BuildInputs,
    passages: Sequence[Sequence[Passage]],
    bent: Sequence[Motion],
    n_hubs: int,
    only: Collection[int] | None = None,
) -> list[list[tuple[float, int, int]]]:
    """For each hub, the roughness of its match frames, highest first: multiple of what is allowed, take, frame.

    Takes that are not measured count as calm.
    """
    reach = round(work.bend.displacement.reach * work.view.fps)
    found: list[list[tuple[float, int, int]]] = [[] for _ in range(n_hubs)]
    for number, own in enumerate(passages):
        for passage in own:
            excess = 0.0
            if only is None or number in only:
                excess = passage_excess(bent[number], work.takes[number], passage.frame, reach, work.bar)
            found[passage.hub].append((excess, number, passage.frame))
    return [sorted(excesses, reverse=True) for excesses in found]


def _still_rough(work: BuildInputs, hubs: Sequence[AcceptedSet], bent: _BentTakes) -> list[str]:
    """A sentence for each hub whose joins are still rough with its last two match frames."""
    excesses = [found[0][0] for found in _excesses(work, bent.passages, bent.takes, len(hubs))]
    return [
        f"{hub.name}: joins are up to {excess:.2f} times as rough as the takes are in their calmest 90 %; "
        "choose other match frames, or drop the hub"
        for hub, excess in zip(hubs, excesses)
        if excess > 1
    ]


def _footless(work: BuildInputs) -> list[str]:
    """A sentence if the skeleton has no feet to plant."""
    if work.feet.can_stand.any():
        return []
    return [
        f"skeleton '{work.view.skeleton.name}' has no leg to plant a foot with, so feet may slide; if it has one, "
        "set which joints are hips, knees and feet (`motionloom roles`)"
    ]


def _check(view: View, hubs: Sequence[AcceptedSet], settings: BuildSettings, levels: np.ndarray | None) -> None:
    taken: list[int] = []
    for hub in hubs:
        check_set(hub.frames.tolist(), view.starts, spacing=settings.spacing(view.fps), taken=taken)
        if levels is not None:
            check_levels(levels, hub.frames, lambda frame: f"frame {frame}")
        taken += hub.frames.tolist()


def _passages(
    view: View, takes: Sequence[Motion], hubs: Sequence[AcceptedSet], measure: PointClouds
) -> list[list[Passage]]:
    """The passages of every take in order of time, with hubs placed by the alignment of their match frames."""
    passages: list[list[Passage]] = [[] for _ in takes]
    for number, hub in enumerate(hubs):
        aligned = align_set(measure, hub.frames.tolist())
        owners = np.searchsorted(view.starts, aligned.frames, side="right") - 1
        local = aligned.frames - view.starts[owners]
        base = aligned.base
        placements = hub_placements(aligned, takes[owners[base]], int(local[base]))
        for owner, frame, placement in zip(owners.tolist(), local.tolist(), placements):
            passages[owner].append(Passage(number, frame, placement))
    return [sorted(own, key=lambda passage: passage.frame) for own in passages]


def _stances(
    common: Sequence[Motion],
    planted: Sequence[np.ndarray],
    levels: np.ndarray,
    classes: Sequence[tuple[int, ...]],
    feet: Feet,
) -> list[Stance]:
    """The stances of all hubs; hubs of a class have flat feet with the same angles and distance."""
    linked = {hub for hubs in classes for hub in hubs}
    stances = [
        read_stance(frames, flags, feet, flat=(hub in linked,) * 2, levels=levels[hub])
        for hub, (frames, flags) in enumerate(zip(common, planted))
    ]
    for hubs in classes:
        for hub, stance in zip(hubs, share_stance([stances[hub] for hub in hubs], feet.arms)):
            stances[hub] = stance
    return stances
