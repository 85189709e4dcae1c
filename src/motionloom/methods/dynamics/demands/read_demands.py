"""Reading all demands of a request; what an earlier one asked in the same words is not read again."""

from collections.abc import Sequence
from dataclasses import dataclass

from motionloom.methods.dynamics.demands.body_setting import BodySetting
from motionloom.methods.dynamics.demands.contact_demands import Contacts, contact_demands, read_contacts
from motionloom.methods.dynamics.demands.contradictions import check_contradictions
from motionloom.methods.dynamics.demands.demand import Demand, Key, PoseKey
from motionloom.methods.dynamics.demands.point_demands import (
    NamedPoint,
    read_distances,
    read_positions,
    read_projections,
)
from motionloom.methods.dynamics.demands.pose_demands import read_angles, read_poses
from motionloom.methods.dynamics.demands.root_demands import read_root
from motionloom.methods.dynamics.demands.setting import Setting, asks_nothing
from motionloom.methods.dynamics.demands.turn_demands import read_bends, read_orientations


@dataclass(frozen=True, eq=False)
class Demands:
    """All that a request asks."""

    parts: tuple[Demand, ...]
    keys: tuple[Key, ...]  # by their frames
    positions: Sequence[tuple[NamedPoint, Demand]]

    @property
    def are_empty(self) -> bool:
        """Whether nothing is asked but what an edited motion has already."""
        return not self.parts or (not self.keys and not any(len(demand.pulled) for demand in self.parts))


@dataclass(frozen=True, eq=False)
class BodyDemands(Demands):
    """All that a request asks of a body."""

    keys: tuple[PoseKey, ...]
    contacts: Contacts
    poses: "Read"
    resting: Sequence[Demand]

    @property
    def are_empty(self) -> bool:
        """Whether nothing is asked but what an edited motion has already."""
        return super().are_empty and not (self.parts and self.contacts.is_given)


Read = tuple[list[Demand], list[PoseKey]]


@dataclass(frozen=True, eq=False)
class Earlier:
    """What an earlier request of the same model asked."""

    setting: Setting
    demands: Demands

    def poses(self, setting: Setting) -> Read | None:
        """Its poses, if they are asked for again."""
        is_same = self._fits(setting) and self.setting.request.poses == setting.request.poses
        return self.demands.poses if is_same and isinstance(self.demands, BodyDemands) else None

    def positions(self, setting: Setting) -> dict[NamedPoint, Demand]:
        """Its positions of points; how high points reach depends on what they stand on."""
        mine, asked = self.setting.request, setting.request
        is_same = (mine.root, mine.contacts) == (asked.root, asked.contacts) and self._fits(setting)
        return dict(self.demands.positions) if is_same else {}

    def contacts(self, setting: Setting) -> tuple[Contacts, Sequence[Demand]] | None:
        """Its contacts, if they are asked for again."""
        mine, asked = self.setting.request, setting.request
        own, now = ((each.contacts, each.contacts_like, each.feet, each.poses) for each in (mine, asked))
        if own != now or not self._fits(setting) or not isinstance(self.demands, BodyDemands):
            return None
        return self.demands.contacts, self.demands.resting

    def _fits(self, setting: Setting) -> bool:
        mine = self.setting
        same_model = mine.model is setting.model and mine.source_name == setting.source_name
        return same_model and (mine.n_frames, mine.fps) == (setting.n_frames, setting.fps)


def read_demands(setting: BodySetting, earlier: Earlier | None = None) -> BodyDemands:
    """The demands of a request; raises where two that must hold exactly cannot both."""
    read = None if earlier is None else earlier.poses(setting)
    poses, keys = read if read is not None else read_poses(setting)
    angles, turned = read_angles(setting)
    positions = read_positions(setting, {} if earlier is None else earlier.positions(setting))
    points = [demand for _, demand in positions]
    points += [*read_orientations(setting), *read_distances(setting), *read_bends(setting), *read_projections(setting)]
    root = read_root(setting)
    known = None if earlier is None else earlier.contacts(setting)
    contacts = read_contacts(setting, keys) if known is None else known[0]
    resting = contact_demands(setting, contacts) if known is None else known[1]
    parts = (*poses, *angles, *points, *root, *resting)
    if not (poses or angles or points or root or contacts.is_given or setting.source is not None):
        raise asks_nothing(setting.request)
    every = tuple(sorted([*keys, *turned], key=lambda key: key.frame))
    check_contradictions(parts, every, setting)
    return BodyDemands(parts, every, positions, contacts, (poses, keys), resting)
