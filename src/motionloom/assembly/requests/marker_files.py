"""Marker files: where markers are on a body, as people write it: like a known marker, on a joint, or by proportions."""

from collections.abc import Sequence
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field
from pydantic.dataclasses import dataclass

from motionloom.assembly.requests.request_files import STRICT, RequestFile
from motionloom.errors import BadInput
from motionloom.markers import MarkerSet, Place, full_body_places, place_markers
from motionloom.motion import Skeleton

Metres = Annotated[float, Field(ge=-10, le=10, allow_inf_nan=False)]
Share = Annotated[float, Field(ge=-2, le=2, allow_inf_nan=False)]
Joint = Annotated[str, Field(min_length=1, max_length=1000)]
DECIMALS = 6  # of metres


@dataclass(frozen=True, config=STRICT)
class PlacedMarker:
    """A marker and where it is on a body."""

    name: Annotated[str, Field(min_length=1, max_length=1000, description="As the points are called")]
    like: Annotated[
        str | None, Field(description="A marker of the full-body set, such as LFHD, that is in the same place")
    ] = None
    joint: Annotated[
        Joint | tuple[Joint, ...],
        Field(description="Joint that carries it, by name or role; of several the first that there is"),
    ] = ()
    offset: Annotated[tuple[Metres, Metres, Metres] | None, Field(description="Metres, in the frame of the joint")] = (
        None
    )
    from_: Annotated[
        str | None,
        Field(alias="from", description="Without an offset: role of the joint it is measured from, in T-pose"),
    ] = None
    to: Annotated[str | None, Field(description="Role of the joint towards which it is by a share")] = None
    share: Annotated[Share, Field(description="Of the way to that joint")] = 0.0
    beyond: Annotated[
        tuple[Share, Share, Share],
        Field(description="And from there to the left, up and ahead, in shares of the body's height"),
    ] = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        if (self.like is None) == (not self.joint):
            raise ValueError("give exactly one of like, or joint")
        placed = self.from_ is not None or self.to is not None or self.share != 0.0 or any(self.beyond)
        if placed and (self.like is not None or self.offset is not None):
            raise ValueError("from, to, share and beyond are of a joint without an offset")
        if self.offset is not None and self.like is not None:
            raise ValueError("give exactly one of like, or offset")
        if self.like is not None and self.like not in full_body_places():
            raise ValueError(f"no marker '{self.like}' in the full-body set; it has {', '.join(full_body_places())}")
        if self.to is None and self.share != 0.0:
            raise ValueError("a share is of the way to a joint; give it as to")

    def place_on(self, skeleton: Skeleton) -> Place:
        """Where it is without an offset."""
        if self.like is not None:
            return full_body_places()[self.like]
        start = self.from_ or next(iter(_known(skeleton, self.joints)), self.joints[0])
        return Place(self.joints, start, self.to or start, self.share, self.beyond)

    def missing_in(self, skeleton: Skeleton) -> str:
        """The joints that it would need and a skeleton has not, in words; "" if it can be placed."""
        place = self.place_on(skeleton)
        for joints in (place.bones, (place.start,), (place.end,)):
            if not _known(skeleton, joints):
                wanted = " or ".join(f"'{joint}'" for joint in joints)
                return f"bone for {self.like}" if self.like is not None else f"joint {wanted}"
        return ""

    @property
    def joints(self) -> tuple[str, ...]:
        """The joints of which the first that there is carries it."""
        return (self.joint,) if isinstance(self.joint, str) else self.joint


@dataclass(frozen=True, config=STRICT)
class MarkerFile(RequestFile):
    """The markers of a body; a set for any skeleton that has their joints."""

    example: ClassVar[str] = "markers: [{name: LeftHead, like: LFHD}]"
    kind: ClassVar[str] = "marker file"

    markers: Annotated[tuple[PlacedMarker, ...], Field(max_length=10_000, description="In any order")]

    def __post_init__(self) -> None:
        if not self.markers:
            raise ValueError("give at least one marker")
        names = [marker.name for marker in self.markers]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"two markers are called '{twice[0]}'; names must be unique")

    @staticmethod
    def of(markers: MarkerSet) -> "MarkerFile":
        """The file of a set whose offsets are known."""
        rows = zip(markers.names, markers.joints, markers.offsets.round(DECIMALS).tolist())
        return MarkerFile(tuple(PlacedMarker(name, joint=joint, offset=tuple(offset)) for name, joint, offset in rows))

    def place(self, skeleton: Skeleton) -> MarkerSet:
        """The set on a skeleton; raises where the skeleton has no joint for a marker."""
        for marker in self.markers:
            missing = marker.missing_in(skeleton)
            if missing:
                raise BadInput(f"marker '{marker.name}': skeleton '{skeleton.name}' has no {missing}")
        places = {marker.name: marker.place_on(skeleton) for marker in self.markers if marker.offset is None}
        placed = place_markers(skeleton, places) if places else MarkerSet((), (), np.zeros((0, 3)))
        found = dict(zip(placed.names, zip(placed.joints, placed.offsets)))
        for marker in self.markers:
            if marker.offset is not None:
                found[marker.name] = _known(skeleton, marker.joints)[0], np.array(marker.offset)
        joints, offsets = zip(*(found[marker.name] for marker in self.markers))
        return MarkerSet(tuple(marker.name for marker in self.markers), joints, np.array(offsets))


def _known(skeleton: Skeleton, joints: Sequence[str]) -> list[str]:
    """Those of some joints that a skeleton has, by role or name."""
    return [joint for joint in joints if skeleton.has(joint) or joint in skeleton.names]
