"""The desks of hub graphs: takes are compared once, whatever is asked about them agrees, and graphs are built."""

import numpy as np
import pytest

from motionloom.errors import BadInput
from motionloom.graphs.view_measures import world_positions_of
from motionloom.methods.snap.author import compared_view
from motionloom.motion import Motion, kinematics
from motionloom.studio.desks.hub_graphs import HubGraphsDesk
from motionloom.studio.desks.match_sets import MatchSetsDesk
from motionloom.tasks import Stopped, Task

TAKES = ["walk/normal_1", "walk/stop_and_go"]
W_MIN = 0.25


def unheard() -> Task:
    return Task(lambda *_: None, lambda: False)


@pytest.fixture(scope="module")
def folder(performed):
    return performed


@pytest.fixture(scope="module")
def desk(folder):
    desk = MatchSetsDesk(folder, can_write=False)
    desk.compare(unheard(), TAKES)
    return desk


@pytest.fixture(scope="module")
def known(desk):
    return desk._compared(unheard(), TAKES, 60.0)


@pytest.fixture(scope="module")
def accepted(desk):
    """A graph of the first suggestion."""
    request = {"takes": TAKES, "w_min": W_MIN, "hubs": []}
    one = desk.resolve(unheard(), request, TAKES, count=3)["suggestions"][0]
    hub = {"name": "step", "like": {"take": one["take"], "frame": one["frame"]}, "threshold": one["threshold"]}
    return {**request, "hubs": [hub]}


def test_the_material_says_where_takes_lie(desk, known):
    material = desk.compare(unheard(), TAKES)
    assert [take["name"] for take in material["takes"]] == TAKES
    assert [take["start"] for take in material["takes"]] == known.view.starts[:-1].tolist()
    assert sum(take["frames"] for take in material["takes"]) == material["frames"] == known.view.n_frames
    assert 0 < material["usual"] <= material["threshold"] <= material["most"]


@pytest.mark.parametrize("size", [40, 25, 16])
def test_every_pixel_is_the_nearest_pair_of_its_frames(desk, known, size):
    columns, rows = (100, 180), (260, 340)
    shades = desk.image(unheard(), TAKES, columns, rows, size, size)
    distances = known.measure.distances(slice(*rows), slice(*columns))
    edges = np.linspace(0, 80, size + 1).astype(int)
    nearest = [[distances[a:b, c:d].min() for c, d in zip(edges, edges[1:])] for a, b in zip(edges, edges[1:])]
    expected = np.minimum(np.array(nearest) / known.far, 1) * 254
    assert np.abs(shades - expected).max() <= 1


def test_a_frame_is_as_dark_as_can_be_where_it_meets_itself(desk, known):
    shades = desk.image(unheard(), TAKES, (50, 90), (50, 90), 40, 40)
    assert np.diag(shades).max() <= 6
    ends = desk.image(unheard(), TAKES, (0, 2), (0, 2), 2, 2)
    assert (ends[~known.measure.comparable[:2]] == 255).all()


def test_an_image_of_many_frames_keeps_its_ridges(desk, known):
    """A few rows stand for a pixel where it is high: the diagonal is there all the same."""
    count = known.view.n_frames
    shades = desk.image(unheard(), TAKES, (0, count), (0, count), 30, 30)
    assert np.median(np.diag(shades)[1:-1]) < 20


def test_a_slice_is_a_row_of_the_distances_with_its_minima(desk, known):
    cut = desk.slice(unheard(), TAKES, 150)
    exact = known.measure.pairs(150, np.arange(known.view.n_frames))
    np.testing.assert_allclose(cut["distances"], np.where(np.isfinite(exact), exact, np.nan), rtol=1e-5)
    assert cut["minima"][0] == 150
    near = cut["distances"][cut["minima"]]
    assert (np.diff(near) >= 0).all()
    for frame in cut["minima"][1:]:
        assert cut["distances"][frame] <= cut["distances"][[frame - 1, frame + 1]].min()
    assert np.isnan(desk.slice(unheard(), TAKES, 0)["distances"]).all()


def test_frames_are_laid_over_each_other_as_their_distance_compares_them(desk, known):
    first, second = 150, int(desk.slice(unheard(), TAKES, 150)["minima"][3])
    laid = desk.poses(unheard(), TAKES, [first, second])
    skeleton = known.view.skeleton
    points = kinematics.world_positions(
        Motion(skeleton, laid["roots"].astype(float), laid["rotations"].astype(float), known.view.fps)
    )
    apart = np.linalg.norm(points[0] - points[1], axis=1).mean()
    asis = world_positions_of(known.view)
    assert apart < np.linalg.norm(asis[first] - asis[second], axis=1).mean()
    assert apart < 3 * known.compared.most
    np.testing.assert_allclose(points[0, skeleton.index("hips")][[0, 2]], 0, atol=1e-5)


def test_what_grows_from_a_frame_is_the_match_set_of_every_threshold(desk, accepted):
    """Nearest first, so that a page can cut it at any threshold without asking."""
    hub = accepted["hubs"][0]
    seed = desk.resolve(unheard(), accepted, TAKES, count=0)["hubs"][0]["seed"]
    grown = desk.grow(unheard(), TAKES, seed, W_MIN, [])
    frames, distances = np.array(grown["frames"]), np.array(grown["distances"])
    assert frames[0] == seed and (np.diff(distances) >= 0).all()
    tried = 0
    for threshold in np.linspace(0.6, 1, 5) * hub["threshold"]:
        request = {**accepted, "hubs": [{**hub, "threshold": float(threshold)}]}
        (found,) = desk.resolve(unheard(), request, TAKES, count=0)["hubs"]
        if not found["problem"]:
            assert sorted(frames[distances <= threshold]) == found["frames"]
            tried += 1
    assert tried >= 2


def test_suggestions_can_be_accepted_as_they_are(desk):
    request = {"takes": TAKES, "w_min": W_MIN, "hubs": []}
    suggested = desk.resolve(unheard(), request, TAKES, count=5)["suggestions"]
    assert len(suggested) >= 2
    assert [len(suggestion["frames"]) for suggestion in suggested] == sorted(
        (len(suggestion["frames"]) for suggestion in suggested), reverse=True
    )
    for suggestion in suggested:
        hub = {
            "name": "h",
            "like": {"take": suggestion["take"], "frame": suggestion["frame"]},
            "threshold": suggestion["threshold"],
        }
        (found,) = desk.resolve(unheard(), {**request, "hubs": [hub]}, TAKES, count=0)["hubs"]
        assert not found["problem"]
        assert (found["frames"], found["seed"]) == (suggestion["frames"], suggestion["seed"])


def test_the_largest_set_says_what_it_is_grown_from(desk, accepted):
    largest = {"name": "h", "largest": True, "threshold": accepted["hubs"][0]["threshold"]}
    (hub,) = desk.resolve(unheard(), {**accepted, "hubs": [largest]}, TAKES, count=0)["hubs"]
    assert hub["distances"][hub["frames"].index(hub["seed"])] == 0


def test_nothing_is_compared_again_when_hubs_and_thresholds_change(desk, accepted, monkeypatch):
    monkeypatch.setattr(compared_view, "find_slice_minima", lambda *_, **__: pytest.fail("frames were compared again"))
    before = desk.n_comparisons
    hub = accepted["hubs"][0]
    for threshold in (0.5, 0.8, 1.0):
        changed = {**accepted, "hubs": [{**hub, "threshold": threshold * hub["threshold"]}]}
        desk.resolve(unheard(), changed, TAKES, count=3)
    desk.resolve(unheard(), {**accepted, "hubs": [], "w_min": 0.4}, TAKES, count=3)
    desk.compare(unheard(), TAKES, revision=7)  # labels were changed: the takes are the same
    assert desk.n_comparisons == before


def test_takes_are_compared_at_the_rate_of_the_graph(desk, known):
    material = desk.compare(unheard(), TAKES, fps=30.0)
    assert material["fps"] == 30 and abs(material["frames"] - known.view.n_frames / 2) <= len(TAKES)
    assert [take["step"] for take in material["takes"]] == pytest.approx([2 * _step for _step in steps_of(desk)])


def steps_of(desk):
    return [take["step"] for take in desk.compare(unheard(), TAKES)["takes"]]


def test_what_cannot_be_a_hub_says_why_and_the_others_go_on(desk, accepted):
    alone = {"name": "alone", "frames": [{"take": TAKES[0], "frame": 100}]}
    found = desk.resolve(unheard(), {**accepted, "hubs": [*accepted["hubs"], alone]}, TAKES, count=2)
    assert not found["hubs"][0]["problem"]
    assert "at least 2" in found["hubs"][1]["problem"]
    assert found["suggestions"]


def test_frames_that_there_are_not_are_refused(desk, known):
    count = known.view.n_frames
    for ask in (
        lambda: desk.image(unheard(), TAKES, (0, count + 1), (0, 10), 10, 10),
        lambda: desk.image(unheard(), TAKES, (5, 5), (0, 10), 10, 10),
        lambda: desk.slice(unheard(), TAKES, count),
        lambda: desk.poses(unheard(), TAKES, [0, count]),
        lambda: desk.grow(unheard(), TAKES, count, W_MIN, []),
    ):
        with pytest.raises(BadInput, match=str(count)):
            ask()


@pytest.fixture(scope="module")
def built(folder, accepted):
    return HubGraphsDesk(folder, can_write=False).build(unheard(), accepted)


def test_a_graph_is_built_with_its_file_and_report(built, accepted, tmp_path):
    from motionloom.methods.snap.graph.hubs_file import read_hubs

    path = tmp_path / "graph.hubs"
    path.write_bytes(built["file"])
    graph = read_hubs(path)
    assert graph.nodes[0].name == "step"
    assert (graph.n_hubs, len(graph.clips)) == (built["statistics"]["hubs"], built["statistics"]["clips"])
    assert all(clip.source == clip.target == 0 for clip in graph.clips)  # dead ends are left out
    assert built["is_mended"] and built["has_loop"] and built["seconds"] > 0
    assert 0 < built["mean_displacement"] < built["worst_displacement"]


def test_dead_ends_are_reported_with_match_frames_that_connect_them(built, accepted, folder):
    assert built["dead_ends"]
    fixes = [fix for dead_end in built["dead_ends"] for fix in dead_end["fix"]]
    for dead_end in built["dead_ends"]:
        assert dead_end["why"] and dead_end["stop"] > dead_end["start"]
        assert all(dead_end["start"] <= fix["frame"] < dead_end["stop"] for fix in dead_end["fix"])
    desk = HubGraphsDesk(folder, can_write=False)
    added = [{"take": fix["take"], "frame": fix["frame"]} for fix in fixes]
    mended = desk.build(unheard(), {**accepted, "hubs": [{**accepted["hubs"][0], "add": added}]})
    lost = [sum(dead_end["seconds"] for dead_end in graph["dead_ends"]) for graph in (mended, built)]
    assert lost[0] < lost[1] or len(mended["dropped"]) >= len(added)  # a fix that would be rough is reported, not made


def test_dead_ends_can_be_kept(folder, accepted, built):
    kept = HubGraphsDesk(folder, can_write=False).build(unheard(), {**accepted, "mend": "keep"})
    assert not kept["is_mended"]
    assert kept["statistics"]["clips"] > built["statistics"]["clips"]


def test_a_build_that_nobody_wants_any_more_is_given_up(folder, accepted):
    with pytest.raises(Stopped):
        HubGraphsDesk(folder, can_write=False).build(Task(lambda *_: None, lambda: True), accepted)


def test_a_graph_that_cannot_be_built_is_refused_in_one_sentence(folder, accepted):
    hub = {**accepted["hubs"][0], "threshold": 1e-6}
    with pytest.raises(BadInput, match=r"^step: "):
        HubGraphsDesk(folder, can_write=False).build(unheard(), {**accepted, "hubs": [hub]})
