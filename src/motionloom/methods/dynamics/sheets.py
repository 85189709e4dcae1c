"""Pictures of learning and searching: one-step errors (figure 2), courses of the objective (figure 4)."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from motionloom.methods.dynamics.evaluation import Evaluation
from motionloom.render import Curve, CurvePanel, write_line_chart

LEAST_EXCESS = 1e-4  # of the objective above its least value, as a share of that


def draw_errors(path: str | Path, evaluation: Evaluation, title: str = "") -> None:
    """Draw one-step errors by controls: a panel for each number of dimensions, a curve for each order."""
    panels = []
    for dimensions in evaluation.dimensions:
        curves = []
        for order in sorted({error.order for error in evaluation.errors}):
            found = evaluation.curve(dimensions, order)
            x, y = (np.array([getattr(error, name) for error in found], float) for name in ("controls", "error"))
            curves.append(Curve(f"m = {order}", x, y))
        panels.append(CurvePanel(f"d_x = {dimensions}", curves))
    write_line_chart(path, panels, title, x_label="controls, d_u", y_label=evaluation.per)


def draw_courses(path: str | Path, courses: Sequence[Sequence[float]], title: str = "") -> None:
    """Draw the objective over iterations, of a search and of those from random starts.

    Args:
        path: of the PNG.
        courses: the objective after 0, 1, 2, ... iterations; the first is of the usual start.
        title: of the picture.
    """
    names = ["usual start", *(f"random start {number}" for number in range(1, len(courses)))]
    least = min(min(course) for course in courses)
    floor = LEAST_EXCESS * max(abs(least), 1.0)
    curves = [
        Curve(name, np.arange(len(course), dtype=float), np.maximum(np.array(course) - least, floor))
        for name, course in zip(names, courses)
    ]
    panel = CurvePanel(f"above the least found, {least:.6g}", curves)
    write_line_chart(path, [panel], title, x_label="iterations", y_label="objective", log=True)
