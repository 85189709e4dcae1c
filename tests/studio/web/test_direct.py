"""What the Direct workspace computes or reads as the method does: points on pictures, and the names of a report."""

import json
from pathlib import Path

import numpy as np
import pytest

from motionloom.methods import dynamics
from motionloom.methods.dynamics.demands.point_demands import camera_of
from motionloom.methods.dynamics.request import Camera
from motionloom.studio.desks.direct import DirectDesk
from motionloom.tasks import Task

FOLDER = Path(__file__).parents[3] / "src/motionloom/studio/web/src/workspaces/direct"
QUIET = Task(lambda *_: None, lambda: False)


def test_the_page_sees_points_where_the_method_does():
    """The page's own test reads the same file."""
    for case in json.loads((FOLDER / "cameras.fixture.json").read_text()):
        camera = camera_of(
            Camera(**{name: tuple(v) if isinstance(v, list) else v for name, v in case["camera"].items()})
        )
        pixels, depths = camera.see(np.array(case["points"], float))
        for pixel, depth, expected in zip(pixels, depths, case["pixels"], strict=True):
            assert (depth > 0) == (expected is not None)
            if expected is not None:
                np.testing.assert_allclose(pixel, expected, atol=1e-3)


@pytest.fixture(scope="module")
def named():
    return json.loads((FOLDER / "report.fixture.json").read_text())


def test_a_report_names_what_was_asked_as_the_page_expects(performed, named):
    desk = DirectDesk(performed, False)
    request = dynamics.Request.from_data(named["request"])
    model = dynamics.prepare(desk.corpus, dynamics.material_of(desk.corpus, request))
    answer = next(iter(dynamics.search(model, request)))
    parts = [part.name for part in dynamics.perform(answer, model, quick=True).played[0].parts]
    assert parts == named["parts"]
    header, _ = desk.drag(QUIET, named["request"], 0)
    assert {part["name"] for part in header["parts"]} <= set(parts)
