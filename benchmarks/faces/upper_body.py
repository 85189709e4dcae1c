"""The markers of the shared C3D file: hips, trunk and right arm of a person who lifts a box; no legs, no head."""

from pathlib import Path

from motionloom.assembly.requests.marker_files import MarkerFile
from motionloom.markers import MarkerSet
from motionloom.motion import Skeleton

PLACES = Path(__file__).parents[2] / "examples" / "markers" / "upper_body.yaml"


def upper_body_markers(skeleton: Skeleton) -> MarkerSet:
    """The set on a skeleton, by its proportions."""
    return MarkerFile.read(PLACES).place(skeleton)
