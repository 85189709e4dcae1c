"""Line charts: curves where their values are."""

import numpy as np
import pytest

from motionloom.errors import BadInput
from motionloom.render import Curve, CurvePanel, draw_line_chart, write_line_chart
from motionloom.render.charts.line_chart import COLOURS, HEADER, HEIGHT, LABELS, MARGIN, WIDTH


def line(values, name="one"):
    return Curve(name, np.arange(len(values), dtype=float), np.array(values, float))


def rows_of(page, colour, panel=0):
    """For each column of a panel's left half, the middle row of a colour."""
    left = MARGIN + panel * (LABELS + WIDTH + MARGIN) + LABELS
    part = page[HEADER : HEADER + HEIGHT, left + 20 : left + WIDTH // 2]
    where = np.abs(part.astype(int) - colour).sum(axis=-1) < 60
    return [float(np.flatnonzero(column).mean()) for column in where.T if column.any()]


def test_a_rising_curve_rises_and_a_falling_one_falls():
    page = draw_line_chart([CurvePanel("a", [line([0, 1, 2, 3]), line([3, 2, 1, 0], "two")])])
    rising, falling = rows_of(page, COLOURS[0]), rows_of(page, COLOURS[1])
    assert rising[0] > rising[-1] + 80, "rows count from the top"
    assert falling[0] < falling[-1] - 80


def test_panels_share_one_scale():
    low, high = CurvePanel("low", [line([1, 1, 1])]), CurvePanel("high", [line([4, 4, 4])])
    page = draw_line_chart([low, high])
    heights = [HEIGHT - np.median(rows_of(page, COLOURS[0], panel)) for panel in (0, 1)]
    assert heights[1] / heights[0] == pytest.approx(4.0, rel=0.05)


def test_powers_of_ten_are_evenly_apart():
    panels = [CurvePanel("", [line([value] * 3)]) for value in (1.0, 10.0, 100.0)]
    page = draw_line_chart(panels, log=True)
    first, second, third = (np.median(rows_of(page, COLOURS[0], panel)) for panel in range(3))
    assert first - second == pytest.approx(second - third, abs=1.5)
    assert first > second + 50


def test_it_is_written_as_a_picture(tmp_path):
    write_line_chart(tmp_path / "chart.png", [CurvePanel("a", [line([0.0])])], "a title")
    assert (tmp_path / "chart.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(("values", "log"), [([np.nan, 1.0], False), ([0.0, 1.0], True), ([], False)])
def test_what_cannot_be_drawn_is_refused(values, log):
    with pytest.raises(BadInput):
        draw_line_chart([CurvePanel("a", [line(values)])], log=log)
