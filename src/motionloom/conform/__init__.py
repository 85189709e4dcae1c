"""Views of a corpus: takes brought onto one skeleton, rate and floor."""

from motionloom.conform.conforming import conform_motion
from motionloom.conform.making import ViewSettings, make_view
from motionloom.conform.view import Origin, View

__all__ = ["Origin", "View", "ViewSettings", "conform_motion", "make_view"]
