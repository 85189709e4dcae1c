"""An index of nearest frames: built in linear time, added to and asked in part."""

from motionloom.similarity.index.cells import Cells, CellSettings, make_cells
from motionloom.similarity.index.neighbour_index import NeighbourIndex, build_index, search_points, update_index

__all__ = ["CellSettings", "Cells", "NeighbourIndex", "build_index", "make_cells", "search_points", "update_index"]
