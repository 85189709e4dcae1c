"""Linked stances: hubs between which feet stay planted must have them in the same places.

Gleicher et al. 2003, Appendix. If a clip keeps points of the feet planted from one hub to the next, both common poses
must have these points in the same place. For one foot a placement achieves that, because a foot is rigid. For both feet
the poses must have the same foot angles and distance: such hubs form classes, and share the average of their stances.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.features.feet import SIDES
from motionloom.graphs.components import find_components
from motionloom.methods.snap.builder.hub_poses import Passage, Stance, stance_points
from motionloom.motion import Placement, compose, place_points, rotations
from motionloom.motion.placement import heading_of, turn_ground
from motionloom.similarity.alignment import align_points


@dataclass(frozen=True, eq=False)
class Link:
    """A clip of a take that keeps points of the feet planted from one of its passages to the next."""

    first: int  # index, in its take, of the passage at which the clip begins
    points: np.ndarray  # (4,) bool: that stay planted

    @property
    def sides(self) -> tuple[bool, bool]:
        """Whether a point of the left foot, and of the right, is linked."""
        return bool(self.points[:2].any()), bool(self.points[2:].any())


def find_links(passages: Sequence[Passage], contacts: np.ndarray, planted: Sequence[np.ndarray]) -> list[Link]:
    """The links of a take.

    Args:
        passages: in order of their frames.
        contacts: (F, 4) bool, with those of the hubs imposed.
        planted: (4,) bool of each hub.
    """
    links = []
    for number, (first, second) in enumerate(zip(passages, passages[1:])):
        throughout = contacts[first.frame : second.frame + 1].all(axis=0)
        points = throughout & planted[first.hub] & planted[second.hub]
        if points.any():
            links.append(Link(number, points))
    return links


def find_classes(
    passages: Sequence[Sequence[Passage]], links: Sequence[Sequence[Link]], n_hubs: int
) -> list[tuple[int, ...]]:
    """Classes of hubs that are linked on both feet, directly or through others; only those of at least two hubs."""
    linked = [
        (through[link.first].hub, through[link.first + 1].hub)
        for through, of_take in zip(passages, links)
        for link in of_take
        if all(link.sides)
    ]
    if not linked:
        return []
    numbers = find_components(n_hubs, np.array([*linked, *((other, one) for one, other in linked)])).numbers
    classes = [tuple(np.flatnonzero(numbers == number).tolist()) for number in range(numbers.max() + 1)]
    return sorted(hubs for hubs in classes if len(hubs) > 1)


def share_stance(stances: Sequence[Stance], arms: np.ndarray) -> list[Stance]:
    """Give the feet of a class of hubs the average angles and distance, each pair as near as possible to where it was.

    Args:
        stances: of the hubs of the class, both feet flat.
        arms: (2, 2, 3) metres, ankle coordinates: heel and ball of each foot.
    """
    shapes = [_shape(stance_points(stance, arms)) for stance in stances]
    distance = float(np.mean([shape[0] for shape in shapes]))
    angles = [_mean_angle([shape[1 + side] for shape in shapes]) for side in (0, 1)]
    shared = []
    for stance in stances:
        own = stance_points(stance, arms)  # (4, 3)
        wanted = _feet_of_shape(own, distance, angles)
        fit = align_points(wanted, own)
        wanted = place_points(wanted, fit)
        shared.append(_moved(stance, own, wanted))
    return shared


def follow_links(passages: Sequence[Passage], links: Sequence[Link], points: Sequence[np.ndarray]) -> list[Passage]:
    """Place the hubs of a take so that linked points coincide, as near as possible to where they were.

    Args:
        passages: of the take, in order of their frames.
        links: of the take.
        points: (4, 3) metres, heels and balls of each hub in hub coordinates.
    """
    linked = {link.first: link for link in links}
    moved = list(passages)
    chain = [0]
    for number in range(1, len(passages) + 1):
        link = linked.get(number - 1)
        if link is None or number == len(passages):
            _settle(moved, passages, chain, points)
            chain = [number]
            continue
        moved[number] = replace(passages[number], placement=_meet(moved[number - 1], passages[number], link, points))
        chain.append(number)
    return moved


def _meet(before: Passage, passage: Passage, link: Link, points: Sequence[np.ndarray]) -> Placement:
    """The placement of a hub at which linked points coincide with those of the hub before."""
    there = place_points(points[before.hub], before.placement)
    own = points[passage.hub]
    if link.points.sum() == 1:
        column = int(link.points.argmax())
        turned = turn_ground(own[column, [0, 2]], passage.placement.heading)
        return Placement(passage.placement.heading, there[column, [0, 2]] - turned)
    chosen = np.ones(4, bool) if all(link.sides) else link.points
    return align_points(own[chosen], there[chosen])


def _settle(
    moved: list[Passage], before: Sequence[Passage], chain: Sequence[int], points: Sequence[np.ndarray]
) -> None:
    """Move a chain of linked hubs rigidly, as near as possible to where they were."""
    if len(chain) < 2:
        return
    own = [np.concatenate([points[before[n].hub], np.zeros((1, 3))]) for n in chain]
    now = np.concatenate([place_points(p, moved[n].placement) for n, p in zip(chain, own)])
    then = np.concatenate([place_points(p, before[n].placement) for n, p in zip(chain, own)])
    fit = align_points(now, then)
    for n in chain:
        moved[n] = replace(moved[n], placement=compose(fit, moved[n].placement))


def _shape(points: np.ndarray) -> tuple[float, float, float]:
    """Distance between the centres of the feet, and the angle of each foot to the line between them."""
    centres, soles = _centres(points)
    across = centres[1] - centres[0]
    line = heading_of(across)
    return float(np.hypot(*across)), float(heading_of(soles[0]) - line), float(heading_of(soles[1]) - line)


def _centres(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(2, 2) centres of the feet on the ground, and (2, 2) vectors from heel to ball."""
    ground = points[:, [0, 2]].reshape(2, 2, 2)  # side, heel and ball, x and z
    return ground.mean(axis=1), ground[:, 1] - ground[:, 0]


def _feet_of_shape(points: np.ndarray, distance: float, angles: Sequence[float]) -> np.ndarray:
    """(4, 3) the feet with a distance and angles, the line between them along +z; lengths and heights stay."""
    _, soles = _centres(points)
    wanted = points.copy()
    for side in range(len(SIDES)):
        centre = np.array([0.0, distance * (side - 0.5)])
        half = np.hypot(*soles[side]) / 2 * np.array([np.sin(angles[side]), np.cos(angles[side])])
        wanted[2 * side, [0, 2]], wanted[2 * side + 1, [0, 2]] = centre - half, centre + half
    return wanted


def _moved(stance: Stance, own: np.ndarray, wanted: np.ndarray) -> Stance:
    """The stance with heels and balls at wanted positions."""
    ankles, turned = stance.ankles.copy(), stance.turned.copy()
    for side in range(len(SIDES)):
        points = slice(2 * side, 2 * side + 2)
        fit = align_points(own[points], wanted[points])
        ankles[side] = place_points(stance.ankles[side], fit)
        turned[side] = rotations.multiply(rotations.about_y(fit.heading), stance.turned[side])
    return Stance(ankles, turned)


def _mean_angle(angles: Sequence[float]) -> float:
    return float(np.arctan2(np.sin(angles).mean(), np.cos(angles).mean()))
