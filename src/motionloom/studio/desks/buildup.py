"""The desk of the build-up workspace: poses to choose from, and ways to them from the last pose of what is built.

It answers while a pose is dragged, so nothing that takes longer runs here but preparing: motions are made at the desk
of the method. When a way was accepted, what is left of its tree is browsed, until the tree of the new last pose has
grown in a thread.
"""

import hashlib
import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from motionloom.caching import Recent
from motionloom.studio.desks.buildup_edits import describe_bridge, describe_edits
from motionloom.studio.desks.method import MethodDesk, Ready
from motionloom.tasks import Task

if TYPE_CHECKING:
    from motionloom.methods.buildup import Model, Request
    from motionloom.methods.buildup.request import Built, Edit, Step
    from motionloom.methods.buildup.sequence.edits import MadeEdit
    from motionloom.methods.buildup.sequence.sequence import BuiltSequence
    from motionloom.methods.buildup.sequence.ways import Browser, Way
    from motionloom.methods.buildup.tree.end_index import End

STANDINGS_KEPT = 12  # last poses whose trees are remembered
OFFERED_KEPT = 64  # ways that were shown of each
REACH_CELL = 0.25  # metres
HITTING = ("right_hand", "left_hand", "right_foot", "left_foot")  # roles that can be near a prop
MOST_CELLS = 120  # of the shading along each side


@dataclass
class Standing:
    """What one character has built so far, and all that can be reached from its last pose."""

    model: "Model"
    sequence: "BuiltSequence"
    why_not: tuple[str, ...]  # of each step; "" where it was taken as it was asked
    grown: "Browser | None" = None
    left: "Browser | None" = None  # what is left of the tree before; browsed until the whole one has grown
    growing: threading.Lock = field(default_factory=threading.Lock)
    offered: "Recent[tuple, End]" = field(default_factory=lambda: Recent(OFFERED_KEPT))
    edited: "tuple[tuple[Edit, ...], tuple[MadeEdit, ...]]" = ((), ())  # the edits made last, and what became of them

    def browser(self) -> "Browser":
        """What can be browsed now."""
        return self.grown or self.left or self.grow()

    def edits(self, asked: "tuple[Edit, ...]") -> "tuple[MadeEdit, ...]":
        """What edits in the middle make of it."""
        from motionloom.methods.buildup.sequence.edits import make_edits

        if self.edited[0] != asked:
            self.edited = (asked, make_edits(self.model, self.sequence, asked))
        return self.edited[1]

    def grow(self) -> "Browser":
        """The whole tree, grown if it is not there yet."""
        from motionloom.methods.buildup.sequence.ways import Browser

        with self.growing:
            if self.grown is None:
                self.grown = Browser.of(self.model, self.sequence)
            return self.grown


class BuildupDesk(MethodDesk):
    """Keeps models, and the trees of last poses."""

    def __init__(self, folder: Path, can_write: bool) -> None:
        super().__init__(folder, can_write, "buildup")
        self._standings: Recent[str, Standing] = Recent(STANDINGS_KEPT)

    def warm_up(self, task: Task) -> None:
        """Load what browsing needs."""
        from motionloom.methods.buildup.sequence import steps  # noqa: F401
        from motionloom.methods.buildup.tree import _kernels  # noqa: F401

    def palette(self, task: Task, request: dict[str, Any], revision: int) -> dict[str, Any]:
        """The poses to choose from, alike ones side by side; each looks along +z at the origin."""
        from motionloom.methods.buildup.hits.body_points import arm_length
        from motionloom.methods.buildup.sequence.sequence import placement_at
        from motionloom.motion import place

        ready, _ = self._ready_for(task, request, revision)
        model = ready.model
        palette, view, groups = model.palette, model.view, model.groups
        centres = groups.centres[palette.order]
        motions = [place(view.pose(int(c)), placement_at(model, int(c), (0.0, 0.0, 0.0))) for c in centres]
        return {
            "fps": view.fps,
            "skeleton": view.skeleton.digest,
            "near": 0.5 * arm_length(view.skeleton),
            "points": [role for role in HITTING if view.skeleton.has(role)],
            "seconds": model.settings.growth.seconds,
            "cards": [
                {
                    "group": int(group),
                    **_take_frame(model, int(groups.centres[group])),
                    "labels": list(palette.labels[group]),
                    "seconds": float(groups.sizes[group] / view.fps),
                    "root": np.round(motion.root_positions[0], 4).tolist(),
                    "rotations": np.round(motion.local_rotations[0].ravel(), 4).tolist(),
                }
                for group, motion in zip(palette.order, motions)
            ],
        }

    def stand(self, task: Task, request: dict[str, Any], character: int, revision: int) -> dict[str, Any]:
        """Go to the last pose of a character: where it is, and how soon each pose can be had from there."""
        ready, asked = self._ready_for(task, request, revision)
        built = asked.cast[character]
        key, standing = self._stand(ready, asked, built)
        model, index = ready.model, standing.browser().index
        edits = standing.edits(built.edits)
        sequence = edits[-1].sequence if edits else standing.sequence
        soonest = np.full(model.groups.n_groups, np.inf)
        np.minimum.at(soonest, index.groups, index.times)
        ends = [_last_frame(model, sequence, border) for border in range(len(sequence.stretches))]
        is_whole = standing.grown is not None
        if not is_whole:
            threading.Thread(target=standing.grow, daemon=True, name="tree").start()
        return {
            "key": key,
            "steps": [
                {
                    "start": sequence.borders[border],
                    "stop": sequence.borders[border + 1],
                    "place": place,
                    "group": int(model.groups.of_frame[frame]),
                    "step": sequence.stretches[border].step,
                }
                for border, (frame, place) in enumerate(ends)
            ],
            "why_not": list(standing.why_not),
            "edits": describe_edits(model, edits),
            "is_whole": is_whole,
            "soonest": [None if np.isinf(each) else float(each / model.fps) for each in soonest],
        }

    def browse(
        self, task: Task, key: str, step: dict[str, Any], count: int, shades: bool, edits: Sequence[Any] = ()
    ) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        """Ways from a last pose to where a pose was dragged, as plain values and arrays.

        Args:
            task: not used.
            key: of the last pose, from `stand`.
            step: of the request that the best way would become.
            count: ways at most.
            shades: also how soon this pose can be had at which place.
            edits: made before, and at last the one whose pose is dragged; without them the way to a new pose is found.
        """
        from motionloom.methods.buildup.request import Step
        from motionloom.methods.buildup.sequence.steps import find_ways, group_of_pose

        standing = self._standings.get(key)
        if standing is None:
            return {"is_known": False, "ways": [], "why_not": ""}, {}
        if edits:
            return _browse_edit(standing, tuple(edits))
        asked = Step(**step)
        browser, model = standing.browser(), standing.model
        ways, why_not = find_ways(model, browser, asked, count)
        arrays: dict[str, np.ndarray] = {}
        described = []
        for number, way in enumerate(ways[:count]):
            clips = tuple((clip.name, clip.start, clip.stop) for clip in way.clips)
            standing.offered.put(clips, way.end)
            described.append(_describe_way(model, way))
            arrays |= {f"{name}{number}": array for name, array in _way_arrays(model, way).items()}
        header: dict[str, Any] = {"is_known": True, "ways": described, "why_not": why_not}
        if shades:
            group = None if asked.pose is None else group_of_pose(model, asked.pose)
            header["reach"], arrays["reach"] = shade_reach(browser, group)
        return header, arrays

    def choose_ways(
        self, task: Task, request: dict[str, Any], character: int, step: int, revision: int
    ) -> list[list[dict[str, Any]] | None]:
        """Choose the way of a step for its hit, and those of the steps after it; see `buildup_hits`."""
        from motionloom.studio.desks.buildup_hits import choose_ways

        ready, asked = self._ready_for(task, request, revision)
        return choose_ways(ready.model, asked, character, step, task.stop)

    def _stand(self, ready: Ready, asked: "Request", built: "Built") -> tuple[str, Standing]:
        """The standing of what is built, and its key; steps that were taken before are not taken again."""
        from motionloom.methods.buildup.sequence.steps import begin, take_step

        model = ready.model
        key = _key(model, built)
        standing = self._standings.get(key)
        if standing is None and not built.steps:
            standing = Standing(model, begin(model, built), ())
        elif standing is None:
            (*before, last) = built.steps
            _, parent = self._stand(ready, asked, replace(built, steps=tuple(before), hits=()))
            browser = None if last.clips is not None else parent.browser()
            taken = take_step(model, parent.sequence, last, len(before), browser)
            sequence = parent.sequence if taken.stretch is None else parent.sequence.extended(taken.stretch)
            left = _what_is_left(parent, sequence, last)
            standing = Standing(model, sequence, (*parent.why_not, taken.why_not), left=left)
        assert standing is not None
        self._standings.put(key, standing)
        return key, standing


def _browse_edit(standing: Standing, edits: "tuple[Edit, ...]") -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The bridge that the last of some edits makes, as `browse` describes ways."""
    from motionloom.methods.buildup.sequence.edits import make_edits

    made = make_edits(standing.model, standing.sequence, edits)[-1]
    if made.bridge is None or made.bridge.through is None:
        return {"is_known": True, "ways": [], "why_not": made.why_not}, {}
    way, arrays = describe_bridge(standing.model, made)
    return {"is_known": True, "ways": [way], "why_not": ""}, arrays


def _what_is_left(parent: Standing, sequence: "BuiltSequence", step: "Step") -> "Browser | None":
    """The part of the tree before that lies behind a way that was shown and then accepted; None where there is none."""
    from motionloom.methods.buildup.sequence.ways import Browser
    from motionloom.methods.buildup.tree.search_tree import subtree

    if step.clips is None or step.exact:
        return None
    end = parent.offered.get(tuple((clip.take, clip.start, clip.stop) for clip in step.clips))
    browsed = parent.grown
    if end is None or browsed is None:
        return None
    tree = browsed.index.tree
    if end.node >= tree.n_nodes or not tree.begins[end.node] <= end.frame:
        return None
    left = Browser.over(parent.model, sequence.last_pose(parent.model), subtree(tree, end.node, end.frame))
    return left if left.index.n_ends else None


def shade_reach(browser: "Browser", group: int | None) -> tuple[dict[str, Any], np.ndarray]:
    """How soon a pose can be had at which place: where the cells are, and (rows, columns) seconds, -1 for never.

    Args:
        browser: of the last pose.
        group: of poses; None for any.
    """
    index = browser.index
    own = slice(None) if group is None else index.groups == group
    places, times = index.places[own, :2], index.times[own]
    if not len(places):
        return {"x": 0.0, "z": 0.0, "cell": REACH_CELL}, np.full((0, 0), -1.0, np.float32)
    corner = np.floor(places.min(axis=0) / REACH_CELL)
    cells = np.minimum((places / REACH_CELL - corner).astype(int), MOST_CELLS - 1)
    columns, rows = cells.max(axis=0) + 1
    soonest = np.full((rows, columns), np.inf)
    np.minimum.at(soonest, (cells[:, 1], cells[:, 0]), times)
    seconds = np.where(np.isinf(soonest), -1.0, soonest / browser.model.fps)
    x, z = (float(each * REACH_CELL) for each in corner)
    return {"x": x, "z": z, "cell": REACH_CELL}, seconds.astype(np.float32)


def _describe_way(model: "Model", way: "Way") -> dict[str, Any]:
    return {
        "seconds": way.end.n_frames / model.fps,
        "place": way.end.place,
        "away": way.end.distance,
        "cuts": way.n_cuts,
        "hardest": way.hardest / model.graph.threshold,
        "group": way.end.group,
        "clips": [{"take": clip.name, "start": clip.start, "stop": clip.stop} for clip in way.clips],
    }


def _way_arrays(model: "Model", way: "Way") -> dict[str, np.ndarray]:
    """(N, 2) metres under the hips, and the pose that the way ends in: (3,) and (J, 4)."""
    from motionloom.motion import place
    from motionloom.motion.placement import turn_ground

    parts = []
    for clip in way.clips:
        start = model.view.range_of(clip.name)[0]
        own = model.facings[start + clip.start : start + clip.stop, :2]
        parts.append(turn_ground(own, clip.placement.heading) + clip.placement.slide)
    last = way.clips[-1]
    arrival = place(model.view.pose(model.view.range_of(last.name)[0] + last.stop - 1), last.placement)
    return {
        "path": np.concatenate(parts).astype(np.float32),
        "root": arrival.root_positions[0].astype(np.float32),
        "rotations": arrival.local_rotations[0].astype(np.float32),
    }


def _last_frame(model: "Model", sequence: "BuiltSequence", number: int) -> tuple[int, tuple[float, float, float]]:
    """The frame of the view that a stretch ends in, and where that is."""
    from motionloom.methods.buildup.sequence.sequence import where_ends

    stretch = sequence.stretches[number]
    clip = stretch.clips[-1]
    return model.view.range_of(clip.name)[0] + clip.stop - 1, stretch.end or where_ends(model, stretch)


def _take_frame(model: "Model", frame: int) -> dict[str, Any]:
    """A frame of the view as a request names it."""
    return {"take": model.clip_frame(frame)[0], "frame": round(float(model.view.source_frames[frame]))}


def _key(model: "Model", built: "Built") -> str:
    """What tells last poses apart."""
    from pydantic import TypeAdapter

    from motionloom.methods.buildup.request import Built

    plain = TypeAdapter(Built).dump_python(built, mode="json", exclude={"name", "edits", "hits"})
    text = json.dumps([id(model), model.view.key, plain], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:24]
