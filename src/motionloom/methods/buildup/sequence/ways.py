"""Ways: from the last pose of a sequence to another pose and place, as clips (section 4.2)."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from motionloom.graphs import PlacedClip
from motionloom.methods.buildup.model import Model
from motionloom.methods.buildup.sequence.entries import LastPose, find_entries
from motionloom.methods.buildup.sequence.sequence import BuiltSequence, Stretch
from motionloom.methods.buildup.tree.end_index import (
    End,
    EndIndex,
    NodeIndex,
    Query,
    find_ends,
    find_ends_as_printed,
    index_ends,
    soonest_ends,
)
from motionloom.methods.buildup.tree.search_tree import SearchTree, grow_onward

LOOKED_AT = 400  # ends near a place among which ways that differ are chosen
DIFFERENT = 0.3  # share of frames that a way has and none before it
LATER = 1.5  # times as long as the soonest, beyond which a way is no alternative, and a second


@dataclass(frozen=True, eq=False)
class Way:
    """One way to an end: what is played after the last pose."""

    end: End
    clips: tuple[PlacedClip, ...]
    distances: tuple[float, ...]  # of the transitions into its clips; 0 where the recording goes on
    frames: np.ndarray  # (F,) of the view, in the order in which they are played

    @property
    def hardest(self) -> float:
        """The largest distance of a transition on the way."""
        return max(self.distances, default=0.0)

    @property
    def n_cuts(self) -> int:
        return sum(distance > 0 for distance in self.distances)

    def stretch(self, step: int | None = None) -> Stretch:
        """As what a sequence is extended by."""
        return Stretch(self.clips, self.distances, step=step)


@dataclass(frozen=True, eq=False)
class Browser:
    """Everything that can be reached from a last pose."""

    model: Model
    last: LastPose
    index: EndIndex

    @staticmethod
    def of(model: Model, sequence: BuiltSequence) -> "Browser":
        """Grow the tree from the last pose of a sequence."""
        last = sequence.last_pose(model)
        tree = grow_onward(model.tables, find_entries(model, last), model.settings.growth)
        return Browser.over(model, last, tree)

    @staticmethod
    def over(model: Model, last: LastPose, tree: SearchTree) -> "Browser":
        """Browse a tree that is grown already."""
        own = int(model.groups.of_frame[last.frame])
        return Browser(model, last, index_ends(tree, own, model.settings.settled))

    @cached_property
    def nodes(self) -> NodeIndex:
        """The paper's index."""
        return NodeIndex.of(self.index)

    def ends(self, query: Query | None, group: int | None = None) -> list[End]:
        """Ends that a query allows, the soonest first; without a query those of a group, wherever they are."""
        if query is None:
            return soonest_ends(self.index, group, self.model.settings.count)
        if self.model.settings.order == "nodes":
            return find_ends_as_printed(self.nodes, query)
        return find_ends(self.index, query)

    def way(self, end: End) -> Way:
        """The way to an end."""
        return way_to(self.model, self.index.tree, end)

    def ways(self, query: Query | None, group: int | None = None, count: int = 4) -> list[Way]:
        """The best way, and others that differ from it and from each other.

        Args:
            query: where to end and how; None for anywhere.
            group: of poses, where there is no query.
            count: ways at most.
        """
        best = self.ends(query, group)
        if not best:
            return []
        if count == 1:
            return [self.way(best[0])]
        wide = None if query is None else replace(query, count=LOOKED_AT)
        more = soonest_ends(self.index, group, LOOKED_AT) if wide is None else find_ends(self.index, wide)
        latest = LATER * best[0].n_frames + self.model.fps
        ends = [*best, *(each for each in more if each.n_frames <= latest)]
        return choose_different((self.way(end) for end in ends), count)


def choose_different(ways: Iterable[Way], count: int) -> list[Way]:
    """The first way and, in their order, those that play other frames than all that were chosen before.

    No more ways are looked at than are needed, so that they can be made while this runs.
    """
    chosen: list[Way] = []
    for way in ways:
        if all(1 - np.isin(way.frames, other.frames).mean() >= DIFFERENT for other in chosen):
            chosen.append(way)
        if len(chosen) == count:
            break
    return chosen


def way_to(model: Model, tree: SearchTree, end: End) -> Way:
    """The way to an end of a tree: the intervals from its root on, the first from after the last pose."""
    path = tree.path_to(end.node)
    entry = tree.entries[path[0]]
    stops = np.asarray(model.graph.stops)[tree.nodes[path]]
    stops[-1] = end.frame + 1
    begins = tree.begins[path].astype(int)
    begins[0] -= entry.lead
    clips: list[PlacedClip] = []
    distances: list[float] = []
    for number, begin, stop in zip(path, begins, stops):
        if begin == stop:
            continue
        edge = int(tree.edges[number])
        if clips and model.graph.goes_on[edge]:
            clips[-1] = replace(clips[-1], stop=clips[-1].stop + int(stop - begin))
            continue
        name, start = model.clip_frame(int(begin))
        clips.append(PlacedClip(name, start, start + int(stop - begin), tree.placement(number)))
        distances.append(
            entry.distance if edge < 0 else 0.0 if model.graph.goes_on[edge] else float(model.graph.distances[edge])
        )
    frames = np.concatenate([np.arange(begin, stop) for begin, stop in zip(begins, stops)])
    return Way(end, tuple(clips), tuple(distances), frames)
