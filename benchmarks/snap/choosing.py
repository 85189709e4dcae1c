"""Choosing hubs: how long it takes while a threshold is dragged, and that nothing is compared again."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.measure import best_of, figure
from benchmarks.snap.graphs import made
from motionloom.methods.snap.author.compared_view import compare_view
from motionloom.methods.snap.author.graph_request import Hub
from motionloom.methods.snap.author.hub_resolution import resolve_hubs, suggest_hubs, trade_off
from motionloom.similarity.point_cloud import PointClouds


def figures(data: Path) -> list[dict]:
    """What dragging a threshold and accepting a hub cost in the whole walking set."""
    one = made(data, "whole set walking")
    compared = compare_view(one.model.view)
    request = one.model.material
    accepted = resolve_hubs(compared, request)[0].frames.tolist()
    thresholds = np.linspace(0.3, 1.0, 20) * compared.most

    def drag() -> None:
        for threshold in thresholds:
            resolve_hubs(compared, replace(request, threshold=float(threshold)))

    with _counted() as count:
        compare_view(one.model.view)
        drag()
        suggest_hubs(compared, request, taken=accepted)
        trade_off(compared, request, Hub(largest=True), thresholds.tolist(), accepted)
    suggesting = best_of(lambda: suggest_hubs(compared, request, taken=accepted))
    return [
        figure("distances computed while hubs and thresholds change", count[0], "pairs", "lower"),
        figure(
            "whole set walking; match set for a dragged threshold",
            1000 * best_of(drag) / len(thresholds),
            "ms",
            "lower",
        ),
        figure("whole set walking; next suggestions after a hub is accepted", 1000 * suggesting, "ms", "lower"),
    ]


@contextmanager
def _counted() -> Iterator[list[int]]:
    """Counts the pairs of frames that are compared meanwhile."""
    count = [0]
    pairs, block = PointClouds.fill_pairs, PointClouds.squared_block

    def fill_pairs(self, first, second, out):  # type: ignore[no-untyped-def]
        count[0] += len(first)
        return pairs(self, first, second, out)

    def squared_block(self, rows, columns, scratch):  # type: ignore[no-untyped-def]
        count[0] += (rows.stop - rows.start) * (columns.stop - columns.start)
        return block(self, rows, columns, scratch)

    PointClouds.fill_pairs, PointClouds.squared_block = fill_pairs, squared_block  # type: ignore[method-assign]
    try:
        yield count
    finally:
        PointClouds.fill_pairs, PointClouds.squared_block = pairs, block  # type: ignore[method-assign]
