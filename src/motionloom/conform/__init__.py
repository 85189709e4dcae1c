"""Views of a corpus: takes conformed to one skeleton, frame rate and floor."""

from motionloom.conform.conformed_motion import conform_motion
from motionloom.conform.label_tracks import known_labels, label_tracks, take_ranges, used_labels, verified_tracks
from motionloom.conform.view import Origin, View
from motionloom.conform.view_builder import ViewSettings, make_view

__all__ = [
    "Origin",
    "View",
    "ViewSettings",
    "conform_motion",
    "known_labels",
    "label_tracks",
    "make_view",
    "take_ranges",
    "used_labels",
    "verified_tracks",
]
