"""Hub levels: how high what the feet of common poses stand on is, and supports of takes at exactly that height.

A step that two takes have recorded differs by some centimetres between them. All clips that meet in a hub stand on one
height there; so do hubs between which a foot stays on one step. Such hubs and supports form classes, as linked stances
do, and share the average height; where the floor is among them it is the floor.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from motionloom.features.feet import SIDES
from motionloom.graphs.components import find_components
from motionloom.methods.snap.author.foot_levels import GROUND, NEAR, find_stood_on
from motionloom.methods.snap.builder.hub_contacts import BRIDGE_SECONDS
from motionloom.methods.snap.builder.hub_poses import Passage
from motionloom.methods.snap.builder.linked_stances import Link
from motionloom.motion import Box, Footing, Support, find_runs
from motionloom.motion.placement import heading_of

MARGIN = 0.05  # metres of an added support around the points that stand on it
EDGE = 0.01  # metres of a support around points that it did not reach
LOWEST = 1e-3  # metres above the floor: lower levels are the floor
SAME = 1e-9  # metres between heights that are equal
_Surface = tuple[int, Box] | float  # a box of a take, or a height of the ground


@dataclass(frozen=True, eq=False)
class SupportedTake:
    """What is known of the feet of a take."""

    footing: Footing
    points: np.ndarray  # (F, 4, 3) metres, world: heels and balls as recorded
    contacts: np.ndarray  # (F, 4) bool, as recorded


@dataclass(frozen=True, eq=False)
class HubLevels:
    """The heights at which hubs stand, and what takes stand on, brought to these heights."""

    hubs: np.ndarray  # (H, 4) metres: what is below heels and balls of each hub; 0 for the floor
    footings: list[Footing]  # of each take

    @staticmethod
    def flat(n_hubs: int, n_takes: int) -> "HubLevels":
        """Those of takes without supports."""
        return HubLevels(np.zeros((n_hubs, 4)), [Footing()] * n_takes)


def settle_levels(
    takes: Sequence[SupportedTake],
    passages: Sequence[Sequence[Passage]],
    links: Sequence[Sequence[Link]],
    planted: Sequence[np.ndarray],
    fps: float,
) -> HubLevels:
    """The heights of hubs and of the supports that they stand on.

    Args:
        takes: with what they stand on.
        passages: of each take.
        links: of each take.
        planted: (4,) bool of each hub.
        fps: frames per second.
    """
    classes = _Classes(len(SIDES) * len(planted))
    for number, (take, own, own_links) in enumerate(zip(takes, passages, links)):
        stood_on = find_stood_on(take.footing, take.points, take.contacts)
        for passage in own:
            for side in range(len(SIDES)):
                surface = _below(number, take, stood_on, passage, planted[passage.hub], side, fps)
                if surface is not None:
                    classes.join(_foot(passage.hub, side), classes.number(surface))
        for link in own_links:
            for side in np.flatnonzero(link.sides).tolist():
                classes.join(_foot(own[link.first].hub, side), _foot(own[link.first + 1].hub, side))
    levels = classes.levels()
    hubs = levels[: len(SIDES) * len(planted)].reshape(-1, len(SIDES)).repeat(2, axis=1)
    footings = [_levelled(take.footing, number, classes, levels) for number, take in enumerate(takes)]
    return HubLevels(np.where(np.array(planted, bool).reshape(-1, 4), hubs, 0.0), footings)


def cover_passages(
    footing: Footing,
    points: np.ndarray,
    contacts: np.ndarray,
    passages: Sequence[Passage],
    levels: np.ndarray,
) -> Footing:
    """The footing of a take with something under every foot that a hub has planted above the floor.

    A foot that comes down later than in other takes, or does not come down, has nothing below it in the match frame.

    Args:
        footing: at the heights of the hubs.
        points: (F, 4, 3) metres, world: heels and balls as recorded.
        contacts: (F, 4) bool, with those of the hubs imposed.
        passages: of the take.
        levels: (H, 4) metres, of the hubs.
    """
    supports = list(footing.supports)
    for passage in passages:
        for side in range(len(SIDES)):
            columns = slice(2 * side, 2 * side + 2)
            level, foot = float(levels[passage.hub, columns].max()), points[passage.frame, columns]
            if level <= LOWEST or np.isnan(foot).all():
                continue
            rests = np.asarray(contacts[:, columns].any(axis=1))
            below = [s for s in supports if abs(s.box.top - level) <= SAME and _covers(s.box, foot)]
            for support in below:
                rests[max(support.start, 0) : support.stop] = False
            inside = [
                (start, stop)
                for start, stop in find_runs(rests)
                if start <= passage.frame + 1 and stop >= passage.frame
            ]
            box = below[0].box if below else _box_under(foot, level)
            supports += [Support(box, start, stop) for start, stop in inside]
    return replace(footing, supports=tuple(sorted(supports, key=lambda support: (support.start, support.stop))))


def hold_planted(footing: Footing, points: np.ndarray, contacts: np.ndarray) -> Footing:
    """The footing of a bent take with each support below all points that are planted on it, while they are.

    Args:
        footing: of the bent take.
        points: (F, 4, 3) metres, world: its heels and balls.
        contacts: (F, 4) bool: when they are planted.
    """
    stood_on = find_stood_on(footing, points, contacts)
    runs = [(column, start, stop) for column in range(4) for start, stop in find_runs(contacts[:, column])]
    supports = []
    for number, support in enumerate(footing.supports):
        own = [(column, start, stop) for column, start, stop in runs if (stood_on[start:stop, column] == number).any()]
        places = [points[start:stop, column][:, [0, 2]] for column, start, stop in own]
        box = support.box
        if places and not box.covers(np.concatenate(places)).all():
            box = box.extended(np.concatenate(places), EDGE)
        first, last = (min([support.start, *(run[1] for run in own)]), max([support.stop, *(run[2] for run in own)]))
        supports.append(Support(box, first, last))
    return replace(footing, supports=tuple(supports))


@dataclass(eq=False)
class _Classes:
    """Feet of hubs and surfaces that have one height."""

    n_feet: int
    surfaces: dict[_Surface, int] = field(default_factory=dict)
    edges: list[tuple[int, int]] = field(default_factory=list)

    def number(self, surface: _Surface) -> int:
        return self.surfaces.setdefault(surface, self.n_feet + len(self.surfaces))

    def join(self, first: int, second: int) -> None:
        self.edges += [(first, second), (second, first)]

    def levels(self) -> np.ndarray:
        """(N,) metres: the height of each foot, then of each surface."""
        n_nodes = self.n_feet + len(self.surfaces)
        levels = np.zeros(n_nodes)
        if not self.edges:
            return levels
        numbers = find_components(n_nodes, np.array(self.edges)).numbers
        for component in range(numbers.max() + 1):
            own = [surface for surface, node in self.surfaces.items() if numbers[node] == component]
            heights = [surface for surface in own if isinstance(surface, float)]
            tops = [surface[1].top for surface in own if not isinstance(surface, float)]
            if heights or tops:
                levels[numbers == component] = np.mean(heights or tops)
        return levels


def _foot(hub: int, side: int) -> int:
    return len(SIDES) * hub + side


def _below(
    number: int, take: SupportedTake, stood_on: np.ndarray, passage: Passage, planted: np.ndarray, side: int, fps: float
) -> _Surface | None:
    """What a planted foot of a hub stands on in a take: in the match frame, or the nearest in which it rests."""
    columns = [column for column in (2 * side, 2 * side + 1) if planted[column]]
    reach = round(BRIDGE_SECONDS * fps)
    first, last = max(passage.frame - reach, 0), min(passage.frame + reach + 1, len(take.points))
    for frame in sorted(range(first, last), key=lambda frame: abs(frame - passage.frame)):
        for column in columns:
            if take.contacts[frame, column]:
                if stood_on[frame, column] != GROUND:
                    return number, take.footing.supports[stood_on[frame, column]].box
                return float(take.footing.ground.supports_at(take.points[frame, column]))
    return None


def _levelled(footing: Footing, number: int, classes: _Classes, levels: np.ndarray) -> Footing:
    """The footing of a take with supports at the heights of their classes; those that are the floor are left out."""
    supports = []
    for support in footing.supports:
        node = classes.surfaces.get((number, support.box))
        if node is None:
            supports.append(support)
        elif levels[node] > LOWEST:
            top = float(levels[node])
            supports.append(replace(support, box=replace(support.box, top=top, bottom=min(support.box.bottom, top))))
    return replace(footing, supports=tuple(supports))


def _covers(box: Box, foot: np.ndarray) -> bool:
    return bool(box.covers(foot[~np.isnan(foot).any(axis=1)][:, [0, 2]], NEAR).all())


def _box_under(foot: np.ndarray, level: float) -> Box:
    """A box from the floor up to a level, under the (2, 3) heel and ball of a foot; NaN for one that does not exist."""
    known = foot[~np.isnan(foot).any(axis=1)][:, [0, 2]]
    turn = float(heading_of(known[-1] - known[0])) if len(known) == 2 else 0.0
    x, z = known.mean(axis=0)
    return Box((float(x), float(z)), (MARGIN, MARGIN), turn, level, min(0.0, level)).extended(known, MARGIN)
