"""Inputs of building a hub graph: what is the same in all of its steps."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.conform import View
from motionloom.features.feet import foot_points
from motionloom.methods.snap.builder.hub_contacts import impose_contacts, release_rolling_feet
from motionloom.methods.snap.builder.hub_levels import HubLevels, SupportedTake, cover_passages, settle_levels
from motionloom.methods.snap.builder.hub_poses import Feet, Passage, smooth_trios
from motionloom.methods.snap.builder.linked_stances import find_links
from motionloom.methods.snap.builder.roughness import Roughness
from motionloom.methods.snap.builder.take_bending import TakeBendSettings
from motionloom.motion import Footing, Motion
from motionloom.tasks import Progress


class Steps:
    """Counts steps and reports progress."""

    def __init__(self, progress: Progress | None) -> None:
        self.done, self.total, self.progress = 0, 0, progress

    def __call__(self) -> None:
        self.done += 1
        if self.progress is not None:
            self.progress(self.done, self.total)


@dataclass(frozen=True, eq=False)
class BuildInputs:
    """The constant inputs of all steps of building."""

    view: View
    bend: TakeBendSettings
    takes: Sequence[Motion]  # as recorded
    feet: Feet
    planted: Sequence[np.ndarray]  # (4,) bool of each hub
    bar: Roughness  # limit for joins
    levels: HubLevels
    steps: Steps

    def contacts(self, passages: Sequence[Sequence[Passage]]) -> list[np.ndarray]:
        """(F, 4) bool contacts of each take, with those of the hubs imposed at its match frames."""
        contacts = [np.array(self.view.layer(name, "contacts"), bool) & self.feet.can_stand for name in self.view.names]
        for own, flags in zip(passages, contacts):
            for passage in own:
                impose_contacts(flags, passage.frame, self.planted[passage.hub], self.view.fps)
            frames, planted = [passage.frame for passage in own], [self.planted[passage.hub] for passage in own]
            release_rolling_feet(flags, frames, planted, self.view.fps)
        return contacts

    def footings(self, passages: Sequence[Sequence[Passage]], contacts: Sequence[np.ndarray]) -> list[Footing]:
        """What the feet of each take stand on, with something below the feet of the hubs that it passes."""
        footings = list(self.levels.footings)
        if not self.levels.hubs.any():
            return footings
        for number, (own, flags) in enumerate(zip(passages, contacts)):
            points = foot_points(self.takes[number], 0.0, heels=self.feet.heels)
            footings[number] = cover_passages(footings[number], points, flags, own, self.levels.hubs)
        return footings

    def smoothed(self, number: int, passages: Sequence[Passage]) -> Motion:
        """A take as recorded, smoothed at its match frames."""
        return smooth_trios(self.takes[number], [passage.frame for passage in passages])


def settle_hubs(work: BuildInputs, passages: Sequence[Sequence[Passage]]) -> HubLevels:
    """The heights of hubs and of what takes stand on."""
    contacts = work.contacts(passages)
    links = [find_links(own, flags, work.planted) for own, flags in zip(passages, contacts)]
    takes = [
        SupportedTake(
            work.view.footing(name),
            foot_points(take, 0.0, heels=work.feet.heels),
            np.array(work.view.layer(name, "contacts"), bool) & work.feet.can_stand,
        )
        for name, take in zip(work.view.names, work.takes)
    ]
    return settle_levels(takes, passages, links, work.planted, work.view.fps)
