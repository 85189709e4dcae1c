"""Bridges: ways over a gap in a sequence, from the pose before it to the pose behind it, searched from both sides.

A tree goes on from the pose before the gap, another one, over the graph with its time turned round, leads to the pose
behind it. Where both come to the same frames at nearly the same place there is a bridge. What they miss each other by
is bent away over the frames of the bridge alone. A bridge that has to pass through a pose goes on from where paths of
the first tree come to that pose.
"""

from collections.abc import Sequence as Several
from dataclasses import dataclass, replace

import numpy as np

from motionloom.constraints.bend_limits import Distortion
from motionloom.graphs import PlacedClip
from motionloom.methods.buildup.model import Model
from motionloom.methods.buildup.sequence.bridge_paths import distortion_to, placed_path, smooth_borders
from motionloom.methods.buildup.sequence.entries import (
    FARTHEST,
    USUAL,
    LastPose,
    find_alike,
    metres_of_threshold,
)
from motionloom.methods.buildup.sequence.meetings import MeetingRules, Meetings, find_meetings
from motionloom.methods.buildup.sequence.outcome import joined_distortion
from motionloom.methods.buildup.sequence.sequence import where_is
from motionloom.methods.buildup.sequence.steps import HEADING_WITHIN
from motionloom.methods.buildup.tree.end_index import End, EndIndex, Query, find_ends, index_ends
from motionloom.methods.buildup.tree.graph_tables import GraphTables
from motionloom.methods.buildup.tree.mirrored_tables import leave_out, mirror
from motionloom.methods.buildup.tree.search_tree import NEVER, Entry, GrowthSettings, SearchTree, grow_tree
from motionloom.motion import Placement, compose, invert
from motionloom.motion.angles import wrap_angle

MOST_CHANGED = 0.3  # share by which steps of a bridge may be longer, shorter or to the side
SURE = 0.65  # of it, and of other limits, within which a bridge is chosen first: joins and feet still add to it
ALLOWED = 0.85  # the same, within which one is taken if there is no other
JOINED_ALLOWED = 0.9  # the same, once it is joined: what is finished is a little elsewhere than what is recorded
JOINED_AT_MOST = 12  # bridges that are joined to see whether they hold
BEYOND = 1000.0  # seconds for a bridge at its limits, that it may be longer to be bent less
SIDES = 3.5, 6.0  # seconds that are searched from each side: the more only where the less have no bridge
NODES = 300_000  # of each tree at most
SHORTEST = 0.4  # seconds of a bridge: the joins at its ends need room
PASSES = 2000  # ways to the pose that a bridge passes through from which it goes on
MET, BENT = 600, 60  # meetings that are looked at, and bent at most unless none of them is good
SIDES_ALIKE = 48  # frames like the pose at an end of the gap that are looked at
CHANGED_SECONDS = 4.0  # that a bridge may be longer to have its steps changed by so much less, all of them being one
ABOUT = 1.3  # times as far as the nearest pose: others that are looked at
HASTE = 0.05  # metres nearer to where its pose shall be for which a bridge may be a second longer, as in `Query.haste`
HARD_SECONDS = 0.25  # the same for a transition as hard as the threshold
JOIN_SPREAD = 0.3  # seconds on both sides of a transition over which its join spreads, about


@dataclass(frozen=True, eq=False)
class Gap:
    """What a bridge leads over, and what it passes through."""

    before: LastPose  # the last frame that stays, as it stands
    behind: LastPose  # the first that stays
    is_left_out: np.ndarray  # (N,) bool: frames of the view that may not be played
    group: int | None = None  # of poses to pass through; None for none
    place: tuple[float, float] | None = None  # metres along x and z, of that pose
    within: float = 0.9  # metres that are near it
    heading: float | None = None  # radians, to look along in that pose

    @property
    def key(self) -> tuple:
        """All that a bridge over it depends on."""
        sides = [
            (side.frame, side.since, float(side.placement.heading), *map(float, side.placement.slide))
            for side in (self.before, self.behind)
        ]
        return *sides, self.is_left_out.tobytes(), self.group, self.place, self.within, self.heading


@dataclass(frozen=True)
class Through:
    """The pose that a bridge passes through."""

    frame: int  # of the bridge
    place: tuple[float, float, float]  # metres along x and z, radians: before it is bent
    away: float  # metres from where it was asked for


@dataclass(frozen=True, eq=False)
class Bridge:
    """Clips that lead over a gap, as they come out before they are bent."""

    clips: tuple[PlacedClip, ...]
    distances: tuple[float, ...]  # of the transitions into its clips; 0 where the recording goes on
    last_distance: float  # of the transition to the pose behind the gap
    behind: Placement  # of the recording behind the gap, where it comes out
    missed: tuple[float, float]  # metres and radians between the two sides where they meet
    bent: Distortion  # what it takes to close the gap
    through: Through | None = None  # the pose that was asked for

    @property
    def n_frames(self) -> int:
        return sum(clip.stop - clip.start for clip in self.clips)

    @property
    def shown(self) -> tuple[tuple[str, int, int], ...]:
        """The frames that it plays, by which bridges over one gap are told from each other."""
        return tuple((clip.name, clip.start, clip.stop) for clip in self.clips)

    @property
    def changed(self) -> float:
        """Share by which its steps are changed at most."""
        return steps_changed(self.bent)

    @property
    def frames_of_joins(self) -> int:
        """Transitions, with those at its ends."""
        return sum(distance > 0 for distance in (*self.distances, self.last_distance))


def steps_changed(bent: Distortion) -> float:
    """Share by which bending makes steps longer, shorter or sets them to the side, at most."""
    return max(bent.longer, bent.shorter, bent.aside)


def find_bridge(model: Model, gap: Gap, refused: Several[Bridge] = ()) -> tuple[Bridge | None, str]:
    """The best bridge over a gap that holds when it is joined; else None, and why. The model keeps the last ones.

    Args:
        model: of the takes.
        gap: to lead over.
        refused: bridges over it that did not hold once they were finished.
    """
    without = tuple(bridge.shown for bridge in refused)
    found = model.bridges.get((gap.key, without))
    if found is None:
        model.bridges.put((gap.key, without), found := _find_bridge(model, gap, without))
    return found


def _find_bridge(model: Model, gap: Gap, without: Several[tuple]) -> tuple[Bridge | None, str]:
    tables = leave_out(model.tables, gap.is_left_out)
    entries, exits = _entries(model, tables, gap), _exits(model, tables, gap)
    if not entries or not exits:
        where = "before" if not entries else "behind"
        return None, f"no pose in the graph is like the one {where} the gap; cut a little earlier or later"
    why_not = ""
    for seconds in SIDES:
        growth = replace(model.settings.growth, seconds=seconds, nodes=NODES)
        found = model.bridges.get((gap.key, seconds))
        if found is None:
            model.bridges.put((gap.key, seconds), found := _search(model, gap, tables, (entries, exits), growth))
        good, why_not = found
        left = (bridge for bridge in good if bridge.shown not in without)
        bridge = next((bridge for bridge in left if holds(model, gap, bridge)), None)
        if bridge is not None:
            return bridge, ""
    return None, why_not


def _search(
    model: Model, gap: Gap, tables: GraphTables, sides: tuple[list[Entry], list[Entry]], growth: GrowthSettings
) -> tuple[list[Bridge], str]:
    """Bridges of trees that grow so far, the best first, and why there is none if none of them holds."""
    forward = grow_tree(tables, sides[0], growth)
    index = index_ends(forward, int(model.groups.of_frame[gap.before.frame]), model.settings.settled)
    passed = _Passed(forward) if gap.group is None else _through_pose(index, gap, growth)
    if passed is None:
        return [], _why_not_passed(index, gap)
    backward = grow_tree(mirror(tables)[0], sides[1], growth)
    apart, shortest, longest = (round(each * model.fps) for each in (growth.apart, SHORTEST, 2 * growth.seconds))
    rules = MeetingRules(apart, shortest, longest)
    meetings = find_meetings(passed.tree, backward, rules, MET, passed.prices * model.fps)
    ranked = _ranked(model, gap, passed, backward, meetings)
    if not ranked:
        return [], "no way comes back to where the rest is; replace a longer stretch, or choose another pose"
    good = [bridge for bridge in ranked if _is_within(bridge, ALLOWED)]
    return good[:JOINED_AT_MOST], _why_none(ranked[0], bool(good))


def holds(model: Model, gap: Gap, bridge: Bridge) -> bool:
    """Whether a bridge is bent within limits also when its clips are joined."""
    joined = joined_distortion(model, (gap.before, gap.behind), bridge.clips, bridge.behind)
    return steps_changed(joined) <= JOINED_ALLOWED * MOST_CHANGED and joined.load <= JOINED_ALLOWED


def _why_none(best: Bridge, is_guess: bool) -> str:
    takes = f"it would take {best.bent.worst}, with what joins and feet add"
    if best.changed > ALLOWED * MOST_CHANGED:
        steps, most = 100 * best.changed, 100 * MOST_CHANGED
        takes = f"its steps would change by {steps:.3g} %; limit {most:.3g} %, with what joins and feet add"
    takes = "joining its clips changes its steps or turns too much" if is_guess else takes
    return f"nobody could move so, over the best bridge: {takes}; replace a longer stretch, or choose another pose"


@dataclass(frozen=True, eq=False)
class _Passed:
    """A tree whose paths have all passed through the pose, and the tree and ends that its roots go on from."""

    tree: SearchTree
    before: SearchTree | None = None
    ends: tuple[End, ...] = ()

    @property
    def prices(self) -> np.ndarray:
        """(T,) seconds that a node may come sooner for passing the pose as far from its place as its path does."""
        if not self.ends:
            return np.zeros(self.tree.n_nodes)
        away = np.array([end.distance for end in self.ends]) / HASTE
        return np.asarray(away[self.tree.roots])


def _entries(model: Model, tables: GraphTables, gap: Gap) -> list[Entry]:
    """How the graph can be entered after the pose before the gap."""
    found = []
    for alike in _near_enough(model, gap.before, gap, 1):
        node, begin = model.tables.node_at(alike.frame + 1), alike.frame + 1
        if not gap.is_left_out[begin : tables.graph.stops[node]].any():
            goes_on = alike.frame == gap.before.frame
            found.append(Entry(node, begin, alike.placement, NEVER if goes_on else 0, alike.distance))
    return found


def _exits(model: Model, tables: GraphTables, gap: Gap) -> list[Entry]:
    """The same for the pose behind it, over mirrored tables."""
    found = []
    n_frames, n_nodes = len(tables.facings), tables.graph.n_nodes
    for alike in _near_enough(model, gap.behind, gap, -1):
        node, stop = model.tables.node_at(alike.frame - 1), alike.frame
        if not gap.is_left_out[tables.graph.starts[node] : stop].any():
            goes_on = alike.frame == gap.behind.frame
            begin = n_frames - stop
            found.append(Entry(n_nodes - 1 - node, begin, alike.placement, NEVER if goes_on else 0, alike.distance))
    return found


def _near_enough(model: Model, pose: LastPose, gap: Gap, beside: int) -> list:
    """Frames like a pose that may be played with their neighbours: as a rule within what transitions usually are."""
    alike = find_alike(model, pose, beside=beside, count=SIDES_ALIKE)
    allowed = [each for each in alike if not gap.is_left_out[each.frame + beside]]
    threshold = metres_of_threshold(model)
    nearest = min((each.distance for each in allowed if each.frame != pose.frame), default=0.0)
    if nearest > FARTHEST * threshold:
        return [each for each in allowed if each.frame == pose.frame]
    return [each for each in allowed if each.distance <= max(USUAL * threshold, ABOUT * nearest)]


def _through_pose(index: EndIndex, gap: Gap, growth: GrowthSettings) -> _Passed | None:
    """A tree that goes on from where paths come to the pose: near its place, or the soonest where it has none."""
    forward, within = index.tree, float(np.radians(HEADING_WITHIN))
    ends = find_ends(index, Query(gap.place, gap.group, gap.heading, within, within=gap.within, count=PASSES))
    if not ends:
        return None
    entries = [_after(forward, end) for end in ends]
    later = replace(growth, seconds=growth.seconds + max(end.n_frames for end in ends) / forward.tables.graph.fps)
    return _Passed(grow_tree(forward.tables, entries, later), forward, tuple(ends))


def _why_not_passed(index: EndIndex, gap: Gap) -> str:
    """Why no path comes to the pose where it shall be, and what can be had instead."""
    anywhere = index.groups == gap.group
    if not anywhere.any():
        return "the pose cannot be reached from there; choose another pose, or another time"
    if gap.place is None:
        return "the pose cannot be had with that heading; choose another one, or another time"
    away = float(np.linalg.norm(index.places[anywhere, :2] - np.array(gap.place), axis=1).min())
    if away <= gap.within:
        return "the pose cannot be had there with that heading; turn it, or choose another place or time"
    return f"out of reach: the pose comes no nearer than {away:.1f} m to there; choose another place, pose or time"


def _after(tree: SearchTree, end: End) -> Entry:
    """The entry that goes on from an end of a tree."""
    played = end.frame + 1 - int(tree.begins[end.node])
    since = min(int(tree.since[end.node]) + played, NEVER)
    node = int(tree.nodes[end.node])
    return Entry(node, end.frame + 1, tree.placement(end.node), since, lead=end.n_frames)


def _ranked(model: Model, gap: Gap, passed: _Passed, backward: SearchTree, meetings: Meetings) -> list[Bridge]:
    """Bridges that are short, bent little and easy to go over first; of those beyond limits those bent least."""
    threshold, is_found = metres_of_threshold(model), False
    found = list[tuple[float, int, Bridge]]()
    for number, (one, other) in enumerate(zip(meetings.forward, meetings.backward)):
        if is_found and number >= BENT:
            break
        bridge = bridge_at(model, gap, passed, backward, int(one), int(other))
        hard = sum((*bridge.distances, bridge.last_distance)) / threshold
        far = 0.0 if bridge.through is None else bridge.through.away / HASTE
        total = bridge.n_frames / model.fps + CHANGED_SECONDS * bridge.changed + HARD_SECONDS * hard + far
        is_sure = _is_within(bridge, SURE)
        total += 0.0 if is_sure else BEYOND * max(bridge.bent.load, bridge.changed / MOST_CHANGED)
        is_found = is_found or is_sure
        found.append((total, number, bridge))
    return [bridge for _, _, bridge in sorted(found, key=lambda each: each[:2])]


def _is_within(bridge: Bridge, share: float) -> bool:
    return bridge.changed <= share * MOST_CHANGED and bridge.bent.load <= share


def bridge_at(model: Model, gap: Gap, passed: _Passed, backward: SearchTree, one: int, other: int) -> Bridge:
    """The bridge that two tree nodes make that play the same frames."""
    before, last_entry = _pieces_before(passed, one), backward.entries[backward.path_to(other)[0]]
    after = _pieces_after(backward, other)
    here = before[-1].start + (after[0].stop - before[-1].start) // 2
    apart = compose(before[-1].placement, invert(after[0].placement))  # from where things are to where they come out
    mine, theirs = (where_is(model, here, side.placement) for side in (before[-1], after[0]))
    missed = float(np.hypot(mine[0] - theirs[0], mine[1] - theirs[1])), abs(float(wrap_angle(mine[2] - theirs[2])))
    middle = replace(before[-1], stop=after[0].stop)
    moved = [replace(each, placement=compose(apart, each.placement)) for each in after[1:]]
    played = _merge([*before[:-1], middle, *moved])
    behind = compose(apart, gap.behind.placement)
    clips, distances = _clips(model, played)
    bent = _bend(model, gap, played, behind)
    return Bridge(clips, distances, last_entry.distance, behind, missed, bent, _through(passed, one))


def _through(passed: _Passed, number: int) -> Through | None:
    """Where the path to a node passes the pose."""
    if passed.before is None:
        return None
    end = passed.ends[passed.tree.path_to(number)[0]]
    return Through(end.n_frames - 1, end.place, end.distance)


@dataclass(frozen=True, eq=False)
class _Played:
    """Frames [start, stop) of the view, placed."""

    start: int
    stop: int
    placement: Placement
    distance: float  # of the transition to it; 0 where the recording goes on


def _pieces_before(passed: _Passed, number: int) -> list[_Played]:
    """What is played up to and with a node of the tree that goes on."""
    tree = passed.tree
    path = tree.path_to(number)
    pieces = _pieces(tree, path)
    if passed.before is None:
        return pieces
    end = passed.ends[path[0]]
    (*others, last) = _pieces(passed.before, passed.before.path_to(end.node))
    first = replace(pieces[0], start=last.start, distance=last.distance)
    return [*others, first, *pieces[1:]]


def _pieces(tree: SearchTree, path: Several[int]) -> list[_Played]:
    graph = tree.tables.graph
    return [
        _Played(
            int(tree.begins[number]),
            int(graph.stops[tree.nodes[number]]),
            tree.placement(number),
            tree.entries[path[0]].distance if tree.edges[number] < 0 else float(graph.distances[tree.edges[number]]),
        )
        for number in path
    ]


def _pieces_after(tree: SearchTree, number: int) -> list[_Played]:
    """What is played from and with a node of the tree over mirrored tables."""
    n_frames = len(tree.tables.facings)
    mirrored = _pieces(tree, tree.path_to(number))[::-1]
    into = [0.0, *(piece.distance for piece in mirrored[:-1])]
    return [
        _Played(n_frames - piece.stop, n_frames - piece.start, piece.placement, distance)
        for piece, distance in zip(mirrored, into)
    ]


def _merge(pieces: Several[_Played]) -> list[_Played]:
    """Pieces whose recording goes on in one."""
    merged: list[_Played] = []
    for piece in pieces:
        if merged and merged[-1].stop == piece.start and piece.distance == 0:
            merged[-1] = replace(merged[-1], stop=piece.stop)
        elif piece.stop > piece.start:
            merged.append(piece)
    return merged


def _clips(model: Model, pieces: Several[_Played]) -> tuple[tuple[PlacedClip, ...], tuple[float, ...]]:
    clips = []
    for piece in pieces:
        name, start = model.clip_frame(piece.start)
        clips.append(PlacedClip(name, start, start + piece.stop - piece.start, piece.placement))
    return tuple(clips), tuple(piece.distance for piece in pieces)


def _bend(model: Model, gap: Gap, pieces: Several[_Played], behind: Placement) -> Distortion:
    """What it takes to bend a bridge so that the pose behind it is where it stays."""
    spans = [(np.arange(piece.start, piece.stop), piece.placement) for piece in pieces]
    spans = [(np.array([gap.before.frame]), gap.before.placement), *spans, (np.array([gap.behind.frame]), behind)]
    path = np.concatenate([placed_path(model, frames, placement) for frames, placement in spans])
    borders = np.cumsum([len(frames) for frames, _ in spans])[:-1]
    path = smooth_borders(path, borders, round(JOIN_SPREAD * model.fps))
    x, z, heading = where_is(model, gap.behind.frame, gap.behind.placement)
    return distortion_to(model, path, (x, z, heading))
