"""Views of a corpus: takes conformed to one skeleton, frame rate and floor."""

from motionloom.conform.base_view import LeftOut, Origin, describe_left_out
from motionloom.conform.conformed_motion import Conformed, conform, conform_motion
from motionloom.conform.label_tracks import known_labels, label_tracks, take_ranges, used_labels, verified_tracks
from motionloom.conform.point_view import PointView
from motionloom.conform.point_view_builder import PointViewSettings, make_point_view
from motionloom.conform.reference import (
    Reference,
    choose_reference,
    find_reference,
    restore_reference,
    stored_reference,
)
from motionloom.conform.view import View
from motionloom.conform.view_builder import ViewSettings, find_left_out, make_view

__all__ = [
    "Conformed",
    "LeftOut",
    "Origin",
    "PointView",
    "PointViewSettings",
    "Reference",
    "View",
    "ViewSettings",
    "choose_reference",
    "conform",
    "conform_motion",
    "describe_left_out",
    "find_left_out",
    "find_reference",
    "known_labels",
    "label_tracks",
    "make_point_view",
    "make_view",
    "restore_reference",
    "stored_reference",
    "take_ranges",
    "used_labels",
    "verified_tracks",
]
