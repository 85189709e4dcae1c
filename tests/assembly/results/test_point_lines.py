"""What a report says of points: how near to recordings they are, and that some measures are of bodies."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.assembly.results.point_lines import FAST, HARD, NEAREST, measure_points
from motionloom.conform import PointViewSettings, make_point_view
from motionloom.motion.head_motion import HeadMotion, put_on_head


@pytest.fixture(scope="module")
def view(make, tmp_path_factory):
    with make.face_corpus(tmp_path_factory.mktemp("faces") / "corpus", ("face/happiness", "face/anger")) as corpus:
        yield make_point_view(corpus, None, PointViewSettings(fps=60.0))


def by_name(lines) -> dict:
    return {line.name: line for line in lines}


def test_a_recording_is_near_to_itself_wherever_its_head_is(view):
    motion = view.with_head("face/anger")
    away = HeadMotion(np.tile([3.0, 0.5, 1.0], (motion.n_frames, 1)), view.head("face/anger").rotations[::-1])
    for moved in (motion, put_on_head(view.motion("face/anger"), away)):
        lines, nearest = measure_points(moved, view)
        found = by_name(lines)
        assert found[NEAREST].value < 0.01 and found[FAST].value < 2 and found[HARD].value < 2
        assert 0 < found[FAST].usual < 2 and 0 < found[HARD].usual < 2
        assert nearest.sources[nearest.indices[50, 0]].name == "face/anger"
        assert nearest.frames[50, 0] == pytest.approx(view.origin(view.range_of("face/anger")[0] + 50).frame, abs=2.1)


def test_what_is_like_no_recording_and_jumps_is_told(view):
    positions = view.with_head("face/anger").positions.copy()
    positions[60:] += np.random.default_rng(0).normal(scale=0.005, size=positions[60:].shape)
    lines, _ = measure_points(replace(view.with_head("face/anger"), positions=positions), view)
    found = by_name(lines)
    assert found[NEAREST].value > 3 and "farthest" in found[NEAREST].note
    assert found[FAST].value > 50 and found[HARD].value > 50


def test_what_is_not_measured_is_said(view):
    motion = view.with_head("face/anger")
    lines, nearest = measure_points(motion, None)
    assert nearest is None and {line.value for line in lines} == {None}
    assert by_name(lines)["foot skate"].note == "points have neither feet nor joints"
    other = replace(motion, names=tuple(f"m{number}" for number in range(len(motion.names))))
    assert "same markers" in by_name(measure_points(other, view)[0])[NEAREST].note
    unseen = replace(motion, positions=np.full_like(motion.positions, np.nan))
    assert by_name(measure_points(unseen, view)[0])[NEAREST].value is None
    gaps = motion.positions.copy()
    gaps[10:20], gaps[30:40, 3] = np.nan, np.nan
    assert by_name(measure_points(replace(motion, positions=gaps), view)[0])[NEAREST].value < 0.01
