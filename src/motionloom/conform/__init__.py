"""Views of a corpus: takes brought onto one skeleton, rate and floor."""

from motionloom.conform.conformed_motion import conform_motion
from motionloom.conform.label_tracks import known_labels, label_tracks, said_labels, take_ranges, verified_tracks
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
    "said_labels",
    "take_ranges",
    "verified_tracks",
]
