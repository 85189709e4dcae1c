"""Hubs of bodies that stand on steps: at the height of the steps, with the steps below them."""

import numpy as np
import pytest

from motionloom.features.feet import foot_points
from motionloom.graphs.view_measures import whole_motion
from motionloom.methods.snap.builder.hub_poses import learn_feet


def soles(model, clip):
    """(F, 4) metres between the planted points of a clip and what is under them; NaN for others."""
    graph = model.graph
    start, stop = graph.clip_starts[clip : clip + 2]
    heels = learn_feet(whole_motion(model.view), model.view.source_contacts).heels
    points = foot_points(graph.clip_motion(clip), 0.0, heels=heels)
    planted = graph.contacts[start:stop]
    return np.where(planted, points[..., 1] - graph.footing(clip).under(points, planted), np.nan)


def test_a_hub_on_a_landing_is_on_the_landing(stairs):
    assert [hub.level for hub in stairs.report.build.hubs] == pytest.approx([0.3, 0.0], abs=0.01)
    assert "0.30 m above the floor" in stairs.describe()
    for hub in stairs.report.build.hubs:
        assert hub.mean_displacement < 0.03 and hub.worst_displacement < 0.12
    roots = [stairs.graph.hub_frames[hub, 1, 1] for hub in range(2)]
    assert roots[0] - roots[1] == pytest.approx(0.3, abs=0.06)


def test_planted_feet_stand_on_what_their_clip_has_below_them(stairs):
    above = np.concatenate([soles(stairs, clip) for clip in range(len(stairs.graph.clips))])
    assert np.nanmin(above) > -0.002 and np.nanmax(above) < 0.08
    assert np.isfinite(above).sum() > 1000


def test_supports_of_a_clip_are_seen_from_its_source(stairs):
    graph = stairs.graph
    raised = [clip for clip in range(len(graph.clips)) if graph.clips[clip].source == 0]
    assert raised
    for clip in raised:
        now = [support for support in graph.footing(clip).supports if support.start == 0]
        assert any(
            np.hypot(*support.box.centre) < 0.6 and support.box.top == pytest.approx(0.3, abs=0.01) for support in now
        )


def test_all_clips_of_a_hub_meet_on_one_level(stairs):
    """The body stands on the same height before and after a cut, whatever clip follows."""
    graph = stairs.graph
    for hub in range(graph.n_hubs):
        tops = {round(s.box.top, 9) for c in graph.leaving[hub] for s in graph.footing(c).supports if s.start == 0}
        tops |= {
            round(s.box.top, 9)
            for c in graph.entering[hub]
            for s in graph.footing(c).supports
            if s.stop == graph.clips[c].n_frames
        }
        assert len(tops) == (1 if hub == 0 else 0)
