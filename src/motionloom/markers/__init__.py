"""Bodies from markers: marker sets, and the motion of a skeleton whose markers are where labelled ones were seen."""

from motionloom.markers.fit import FittedBody, fit_markers
from motionloom.markers.full_body import Place, full_body_markers, full_body_places, place_markers
from motionloom.markers.marker_set import MarkerSet, learn_offsets, match_markers, put_on
from motionloom.markers.report import FitReport, MarkerReport
from motionloom.markers.settings import FitSettings

__all__ = [
    "FitReport",
    "FitSettings",
    "FittedBody",
    "MarkerReport",
    "MarkerSet",
    "Place",
    "fit_markers",
    "full_body_markers",
    "full_body_places",
    "learn_offsets",
    "match_markers",
    "place_markers",
    "put_on",
]
