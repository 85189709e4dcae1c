"""Reading all demands of a request."""

from dataclasses import dataclass

from motionloom.errors import BadInput
from motionloom.methods.dynamics.demands.contact_demands import Contacts, contact_demands, read_contacts
from motionloom.methods.dynamics.demands.contradictions import check_contradictions
from motionloom.methods.dynamics.demands.demand import Demand, PoseKey
from motionloom.methods.dynamics.demands.point_demands import read_points
from motionloom.methods.dynamics.demands.pose_demands import read_angles, read_poses
from motionloom.methods.dynamics.demands.root_demands import read_root
from motionloom.methods.dynamics.demands.setting import Setting


@dataclass(frozen=True, eq=False)
class Demands:
    """All that a request asks."""

    parts: tuple[Demand, ...]
    keys: tuple[PoseKey, ...]  # by their frames
    contacts: Contacts

    @property
    def are_empty(self) -> bool:
        """Whether nothing is asked but what an edited motion has already."""
        return not self.parts or (
            not self.keys and not self.contacts.is_given and not any(len(d.pulled) for d in self.parts)
        )


def read_demands(setting: Setting) -> Demands:
    """The demands of a request; raises where two that must hold exactly cannot both."""
    poses, keys = read_poses(setting)
    angles, turned = read_angles(setting)
    points = read_points(setting)
    root = read_root(setting)
    contacts = read_contacts(setting)
    parts = (*poses, *angles, *points, *root, *contact_demands(setting, contacts))
    if not (poses or angles or points or root or contacts.is_given or setting.source is not None):
        raise BadInput("the request asks nothing: give poses, points, a root path or contacts, or `start_from`")
    every = tuple(sorted([*keys, *turned], key=lambda key: key.frame))
    check_contradictions(parts, every, setting)
    return Demands(parts, every, contacts)
