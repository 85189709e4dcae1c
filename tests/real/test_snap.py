"""Hub graphs of real recordings."""

import numpy as np
import pytest

from motionloom.corpus import Corpus
from motionloom.corpus.importing import import_files
from motionloom.features.feet import foot_points
from motionloom.graphs.view_measures import whole_motion
from motionloom.methods.snap.author.graph_request import GraphRequest
from motionloom.methods.snap.builder.hub_poses import learn_feet
from motionloom.methods.snap.builder.roughness import join_roughness, learn_bar
from motionloom.methods.snap.prepare import prepare
from motionloom.motion import place
from motionloom.motion.motion import concatenate
from motionloom.quality.air import measure_air


@pytest.fixture(scope="module")
def sneak(data, tmp_path_factory):
    corpus = Corpus.create(tmp_path_factory.mktemp("sneak") / "corpus")
    import_files(corpus, [data / "cmu" / "sneak" / "77_32.bvh"])
    request = {"takes": ["77_32"], "threshold": 0.033, "hubs": [{"name": "sneak", "largest": True}], "mend": "keep"}
    return prepare(corpus, GraphRequest.from_data(request))


def test_thirteen_seconds_of_sneaking_are_one_hub_and_seven_clips(sneak):
    graph = sneak.graph
    assert graph.n_hubs == 1 and len(graph.clips) == 7
    assert sneak.report.build.mean_displacement < 0.033


def test_all_pairs_of_clips_join_calmly_with_feet_that_stand(sneak):
    graph, view = sneak.graph, sneak.view
    bar = learn_bar([view.motion(name) for name in view.names])
    heels = learn_feet(whole_motion(view), view.source_contacts).heels
    pairs = [(i, o) for i in graph.entering[0] for o in graph.leaving[0]]
    assert len(pairs) == 36
    for before, after in pairs:
        first = graph.clip_motion(before)
        joined = concatenate([first, place(graph.clip_motion(after), graph.placement(before))])
        assert join_roughness(joined, first.n_frames).excess(bar) <= 1.001
        flags = np.concatenate([graph.contacts[slice(*graph.clip_starts[c : c + 2])] for c in (before, after)])
        steps = np.linalg.norm(np.diff(foot_points(joined, 0.0, heels=heels), axis=0), axis=-1)
        assert steps[flags[1:] & flags[:-1]].max() < 1e-3


@pytest.fixture(scope="module")
def steps(data, tmp_path_factory):
    """Three climbs of three steps, up and down again."""
    corpus = Corpus.create(tmp_path_factory.mktemp("steps") / "corpus")
    import_files(corpus, [data / "cmu" / "everyday" / f"13_{number}.bvh" for number in (35, 36, 37)])
    request = {"w_min": 0.3, "hubs": [{"largest": True}] * 3, "mend": "keep"}
    return prepare(corpus, GraphRequest.from_data(request))


def test_hubs_of_climbs_stand_on_the_floor_and_on_steps(steps):
    levels = sorted(hub.level for hub in steps.report.build.hubs)
    assert levels[0] == 0 and levels[1] > 0.3 and levels[2] > levels[1] + 0.15
    assert all(hub.mean_displacement < 0.08 for hub in steps.report.build.hubs)


def test_no_clip_of_a_climb_is_in_the_air(steps):
    graph = steps.graph
    raised = [clip for clip in range(len(graph.clips)) if graph.footing(clip).supports]
    assert len(raised) > 10
    for clip in range(len(graph.clips)):
        motion = graph.clip_motion(clip)
        assert not measure_air(motion, footing=graph.footing(clip)).hovers
        assert clip not in raised or measure_air(motion).hovers
