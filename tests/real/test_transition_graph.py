"""Transition graphs of real recordings, and what is played along them."""

import numpy as np
import pytest

from motionloom.assembly import assemble, learn_yardsticks, plan_clips
from motionloom.conform import make_view
from motionloom.corpus import Corpus, import_files
from motionloom.graphs import (
    AngleSettings,
    GraphSettings,
    clips_along,
    find_components,
    random_walk,
    transition_graph_of,
)
from motionloom.similarity.feature_space import FeatureSettings
from motionloom.similarity.point_cloud import PointSettings

pytestmark = pytest.mark.real
TAKES = [f"143_{number:02d}.bvh" for number in range(1, 11)]


@pytest.fixture(scope="module")
def view(data, tmp_path_factory):
    """Ten takes of one person who walks, jogs, turns, jumps, kicks and throws."""
    with Corpus.create(tmp_path_factory.mktemp("real") / "corpus") as corpus:
        import_files(corpus, [data / "cmu" / "football_like" / take for take in TAKES], workers=0)
        yield make_view(corpus)


@pytest.mark.parametrize("measure", [PointSettings(), AngleSettings(), FeatureSettings()], ids=("m", "rad", "features"))
def test_every_node_reaches_every_other_and_most_recordings_are_in(view, measure):
    built = transition_graph_of(view, GraphSettings(measure=measure))
    graph = built.graph
    assert find_components(graph.n_nodes, graph.edges).n_components == 1
    assert built.report.kept_seconds > 0.5 * built.report.seconds
    assert (graph.distances <= graph.threshold).all()


def test_the_usual_threshold_is_some_centimetres(view):
    built = transition_graph_of(view)
    assert 0.02 < built.graph.threshold < 0.06
    assert built.report.kept_seconds > 0.85 * built.report.seconds
    assert not built.report.lost


def test_graph_walks_keep_their_feet_and_do_not_jolt(view):
    graph, yardsticks = transition_graph_of(view).graph, learn_yardsticks(view)
    above = []
    for seed in range(4):
        walk = random_walk(graph, 10.0, np.random.default_rng(seed))
        clips = clips_along(graph, walk, n_frames=600)
        plan = plan_clips(view, clips)
        result = assemble(plan, view, yardsticks=yardsticks)
        assert result.report.is_met, result.report.describe()
        quality = {line.name: line for line in result.report.quality}
        assert quality["farthest step of a planted point"].value < 1.0
        assert quality["deepest foot point below the floor"].value < 5.0
        assert quality["distance from the nearest real frame, median"].value < 2.0
        above.append(quality["joins with more acceleration than the bar"])
    assert np.mean([line.value for line in above]) < above[0].usual + 10  # points; recordings have such windows too
