"""Every graph of examples/graphs is built, and every graph walk of examples/graph_walks does what it asks for."""

import re
from pathlib import Path

import pytest

from motionloom.assembly import realize, solve
from motionloom.methods import snap

pytestmark = pytest.mark.long

REPOSITORY = Path(__file__).resolve().parents[2]
EXAMPLES = REPOSITORY / "examples"
GRAPHS = sorted((EXAMPLES / "graphs").glob("*.yaml"))
WALKS = sorted((EXAMPLES / "graph_walks").glob("*.yaml"))
TAKES = (
    "walk/figure_eight walk/circle_left walk/circle_right walk/corners_left walk/about_face_1 walk/about_face_2 "
    "walk/stop_and_go fight/left_stance fight/right_stance fight/switches fight/sparring fight/walk_up_1 "
    "fight/walk_up_2 idle/weight_shifts idle/foot_shuffles idle/toe_taps idle/waiting"
).split()


@pytest.fixture(scope="module")
def corpus(tmp_path_factory, make):
    return make.demo_corpus(tmp_path_factory.mktemp("graphs") / "corpus", TAKES)


@pytest.fixture(scope="module")
def built(corpus):
    done = {}

    def build(name):
        if name not in done:
            done[name] = snap.prepare(corpus, snap.GraphRequest.read(EXAMPLES / "graphs" / name))
        return done[name]

    return build


@pytest.mark.parametrize("path", GRAPHS, ids=lambda path: path.stem)
def test_a_graph_is_built_as_it_was_authored(built, path):
    model = built(path.name)
    assert model.graph.n_hubs == len(model.material.hubs)
    assert [node.name for node in model.graph.nodes[: model.graph.n_hubs]] == model.material.hub_names
    assert model.statistics.branching.least >= 1
    assert model.report.build.planted_step_mm < 1.0


@pytest.mark.parametrize("path", WALKS, ids=lambda path: path.stem)
def test_a_graph_walk_does_what_it_asks_for(built, path):
    graph = re.search(r"# graph: (\S+)", path.read_text())[1]
    model = built(graph)
    result = realize(snap, solve(snap, model, snap.Request.read(path))[0], model)
    assert result.report.is_met, result.report.describe()


def test_the_graph_and_the_graph_walk_of_the_page_are_made_as_they_are_printed(corpus):
    graph, walk = re.findall(r"```yaml\n(.*?)```", (REPOSITORY / "docs" / "snap.md").read_text(), flags=re.DOTALL)
    model = snap.prepare(corpus, snap.GraphRequest.parse(graph))
    assert [node.name for node in model.graph.nodes] == ["ready", "step", "stand"]
    result = realize(snap, solve(snap, model, snap.Request.parse(walk))[0], model)
    assert result.report.is_met, result.report.describe()


def test_both_stances_are_hubs_and_a_switch_leads_from_each_to_the_other(built):
    graph = built("fighting.yaml").graph
    switches = next(action.clips for action in graph.actions if action.name == "switch")
    assert {(graph.clips[clip].source, graph.clips[clip].target) for clip in switches} >= {(0, 1), (1, 0)}
    assert {"punch", "kick", "dodge", "shuffle", "switch"} <= {action.name for action in graph.actions}


def test_buttons_do_what_a_person_put_on_them(built):
    model = built("fighting_buttons.yaml")
    assert [action.name for action in model.graph.actions] == ["strike", "evade", "step", "turn round"]
    answer = solve(snap, model, snap.Request.from_data({"steps": [{"action": "evade"}]}))[0]
    last = model.graph.clips[answer.state.taken[-1].clip]
    assert last.labels["dodge"] > 0.5


def test_all_idle_hubs_are_linked_on_both_feet(built):
    model = built("idling.yaml")
    assert {name for names in model.report.build.classes for name in names} == {"hub 1", "hub 2", "hub 3"}
