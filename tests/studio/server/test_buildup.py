"""The server of the build-up workspace: poses to choose from, standings, and ways while a pose is dragged."""

import time
from dataclasses import replace

import numpy as np
import pytest

from motionloom.assembly import realize, solve
from motionloom.methods import buildup
from motionloom.studio.desks.buildup import BuildupDesk
from motionloom.studio.server.packing import unpack
from motionloom.tasks import Task

QUIET = Task(lambda *_: None, lambda: False)
GROUPS = {"groups": 12}


@pytest.fixture(scope="module")
def desk(performed):
    return BuildupDesk(performed, False)


@pytest.fixture(scope="module")
def cards(desk):
    return desk.palette(QUIET, GROUPS, 0)["cards"]


def stand(desk, **built):
    return desk.stand(QUIET, {**GROUPS, **built}, 0, 0)


def whole(desk, **built):
    """Where a character stands, as soon as all that it can reach is known."""
    stop = time.monotonic() + 60
    while not (found := stand(desk, **built))["is_whole"]:
        assert time.monotonic() < stop
        time.sleep(0.01)
    return found


def pose_of(card):
    return {"take": card["take"], "frame": card["frame"]}


def reachable(desk, cards):
    """A pose that can be had soon, but not at once."""
    soonest = stand(desk)["soonest"]
    known = [card for card in cards if (soonest[card["group"]] or 0) > 0.5]
    return min(known, key=lambda card: soonest[card["group"]])


def test_the_palette_shows_every_pose_group_once_looking_ahead_at_the_origin(desk, cards):
    assert sorted(card["group"] for card in cards) == list(range(GROUPS["groups"]))
    assert any("walk" in card["labels"] for card in cards)
    for card in cards:
        assert np.hypot(card["root"][0], card["root"][2]) < 0.3
        lengths = np.linalg.norm(np.reshape(card["rotations"], (-1, 4)), axis=1)
        np.testing.assert_allclose(lengths, 1, atol=1e-3)


def test_a_way_leads_from_the_last_pose_to_the_one_that_is_dragged(desk, cards):
    card, standing = reachable(desk, cards), stand(desk)
    header, arrays = desk.browse(QUIET, standing["key"], {"pose": pose_of(card), "place": (0.3, 0.6)}, 1, False)
    (way,) = header["ways"]
    assert way["group"] == card["group"]
    assert len(arrays["path0"]) == round(way["seconds"] * 60)
    np.testing.assert_allclose(arrays["path0"][0], standing["steps"][-1]["place"][:2], atol=0.1)
    np.testing.assert_allclose(arrays["path0"][-1], way["place"][:2], atol=1e-5)
    assert np.hypot(*(arrays["root0"][[0, 2]] - way["place"][:2])) < 0.3


def test_other_ways_differ_and_the_shading_says_how_soon(desk, cards):
    card, standing = reachable(desk, cards), stand(desk)
    header, arrays = desk.browse(QUIET, standing["key"], {"pose": pose_of(card)}, 4, True)
    assert len({str(way["clips"]) for way in header["ways"]}) == len(header["ways"])
    seconds = arrays["reach"]
    soonest = standing["soonest"][card["group"]]
    np.testing.assert_allclose(seconds[seconds >= 0].min(), soonest, atol=1e-6)
    x, z, _ = header["ways"][0]["place"]
    grid = header["reach"]
    column, row = int((x - grid["x"]) / grid["cell"]), int((z - grid["z"]) / grid["cell"])
    assert 0 <= seconds[row, column] <= header["ways"][0]["seconds"] + 1e-6


def test_what_was_accepted_is_where_one_stands_and_what_the_method_plays(desk, cards):
    card = reachable(desk, cards)
    header, _ = desk.browse(QUIET, stand(desk)["key"], {"pose": pose_of(card)}, 1, False)
    way = header["ways"][0]
    steps = [{"pose": pose_of(card), "clips": way["clips"]}]
    standing = whole(desk, steps=steps)
    assert standing["steps"][-1]["group"] == card["group"]
    np.testing.assert_allclose(standing["steps"][-1]["place"], way["place"], atol=1e-6)
    assert standing["steps"][-1]["stop"] == 1 + round(way["seconds"] * 60)
    model = buildup.prepare(desk.corpus, buildup.Material(groups=GROUPS["groups"]))
    request = buildup.Request.from_data({**GROUPS, "steps": steps})
    answer = next(iter(buildup.search(model, request)))
    assert answer.plans[0].n_frames == standing["steps"][-1]["stop"]
    assert any(each is not None for each in standing["soonest"])


def test_a_way_can_be_asked_to_take_about_so_long(desk, cards):
    card, standing = reachable(desk, cards), stand(desk)
    soonest = standing["soonest"][card["group"]]
    step = {"pose": pose_of(card), "lasting": f"{soonest + 1.5:.2f}s"}
    header, _ = desk.browse(QUIET, standing["key"], step, 1, False)
    assert header["ways"][0]["seconds"] > soonest + 0.5 or header["why_not"]


def test_an_edit_in_the_middle_moves_what_comes_behind(desk, cards):
    card = reachable(desk, cards)
    header, _ = desk.browse(QUIET, stand(desk)["key"], {"pose": pose_of(card), "lasting": "4s"}, 1, False)
    built = {"steps": [{"pose": pose_of(card), "clips": header["ways"][0]["clips"]}]}
    before = whole(desk, **built)
    middle = before["steps"][-1]["stop"] // 2
    edits = [{"kind": "insert", "from": f"{middle}f", "pose": pose_of(cards[0])}]
    after = whole(desk, **built, edits=edits)
    assert after["key"] == before["key"], "what can be reached from the last pose stays"
    assert len(after["edits"]) == 1
    (made,) = after["edits"]
    assert made["place"] is not None
    if made["why_not"] == "":
        assert after["steps"][-1]["stop"] == before["steps"][-1]["stop"] + made["frames"]
        assert (made["start"], made["stop"]) == (middle, middle + made["frames"])
        assert middle <= made["frame"] < made["stop"]
        np.testing.assert_allclose(after["steps"][-1]["place"], before["steps"][-1]["place"], atol=1e-6)


@pytest.fixture(scope="module")
def walker(make, tmp_path_factory):
    """A desk on takes in which a pose can be put in the middle."""
    folder = tmp_path_factory.mktemp("walker") / "corpus"
    make.demo_corpus(folder, ("run/walk_run_walk_1", "wave/walk_and_wave_1", "walk/stop_and_go")).close()
    return BuildupDesk(folder, False)


def test_the_pose_of_an_edit_that_is_dragged_has_its_bridge_described(walker):
    steps = [
        {"pose": {"take": "wave/walk_and_wave_1", "frame": 150}},
        {"pose": {"take": "walk/stop_and_go", "frame": 200}, "place": [1.0, 2.0]},
        {"pose": {"take": "run/walk_run_walk_1", "frame": 100}, "for": "4s"},
    ]
    standing = whole(walker, steps=steps)
    given = {"kind": "insert", "from": "2s", "pose": {"take": "walk/stop_and_go", "frame": 50}}
    edit = buildup.Request.from_data({**GROUPS, "edits": [given]}).edits[0]
    header, arrays = walker.browse(QUIET, standing["key"], {}, 1, False, (edit,))
    (way,) = header["ways"]
    (made,) = whole(walker, steps=steps, edits=[given])["edits"]
    np.testing.assert_allclose(way["place"], made["place"], atol=1e-9)
    assert way["seconds"] == pytest.approx(made["frames"] / 60)
    assert np.linalg.norm(arrays["path0"] - way["place"][:2], axis=1).min() < 1e-4
    assert np.hypot(*(arrays["root0"][[0, 2]] - way["place"][:2])) < 0.3
    far = replace(edit, place=(40.0, 0.0))
    header, arrays = walker.browse(QUIET, standing["key"], {}, 1, False, (far,))
    assert header["ways"] == [] and arrays == {}
    assert header["why_not"].startswith("out of reach")


WALKED = {"pose": {"take": "walk/stop_and_go", "frame": 200}}
WAVED = {"pose": {"take": "wave/walk_and_wave_1", "frame": 150}}


def built_up(walker, *steps):
    """Steps as somebody accepts them, each with the best way to its pose."""
    accepted = []
    for step in steps:
        whole(walker, steps=accepted)
        header, _ = walker.browse(QUIET, stand(walker, steps=accepted)["key"], step, 1, False)
        accepted.append({**step, "clips": header["ways"][0]["clips"]})
    return accepted


def missed_by(walker, steps, hits):
    """Metres by which the first step misses its hit as its way goes, and the report of the whole motion."""
    model = buildup.prepare(walker.corpus, buildup.Material(groups=GROUPS["groups"]))
    request = buildup.Request.from_data({**GROUPS, "steps": steps, "hits": hits})
    (answer,) = solve(buildup, model, request)
    report = realize(buildup, answer, model).report
    return report.details["hits"][0]["distance"], report


def test_the_way_of_a_step_is_chosen_anew_for_what_it_hits_and_those_after_it_follow(walker):
    steps = built_up(walker, WALKED, WAVED)
    header, _ = walker.browse(QUIET, stand(walker)["key"], {**WALKED, "place": (0.5, 2.0)}, 1, False)
    x, z, heading = header["ways"][0]["place"]  # another end of the same pose
    point = [x + 0.3 * np.sin(heading), 0.9, z + 0.3 * np.cos(heading)]
    hits = [{"joint": "right_hand", "point": point, "step": 1}]
    before, report = missed_by(walker, steps, hits)
    assert before > 0.3
    assert any("a step to" in part.why_not for part in report.parts if part.name.startswith("hit 1"))
    chosen = walker.choose_ways(QUIET, {**GROUPS, "steps": steps, "hits": hits}, 0, 0, 0)
    assert chosen[0] != steps[0]["clips"] and chosen[1] is not None
    anew = [{**step, "clips": clips} for step, clips in zip(steps, chosen)]
    freed = [{**step, "clips": None} for step in steps]
    after, _ = missed_by(walker, anew, hits)
    assert after < 0.5 * before and after == pytest.approx(missed_by(walker, freed, hits)[0], abs=1e-6)
    groups = [[part["group"] for part in stand(walker, steps=each)["steps"]] for each in (steps, anew)]
    assert groups[0] == groups[1]
    again = walker.choose_ways(QUIET, {**GROUPS, "steps": anew, "hits": hits}, 0, 0, 0)
    assert again == [anew[0]["clips"], None]


def test_what_no_way_comes_near_to_gets_the_best_way_and_says_the_way_out(walker):
    steps = built_up(walker, WALKED)
    hits = [{"joint": "right_hand", "point": [0.0, 1.0, -60.0], "step": 1}]
    (clips,) = walker.choose_ways(QUIET, {**GROUPS, "steps": steps, "hits": hits}, 0, 0, 0)
    distance, report = missed_by(walker, [{**WALKED, "clips": clips}], hits)
    (part,) = (part for part in report.parts if part.name.startswith("hit 1"))
    assert not part.met and part.value == distance
    assert "beyond reach: the right hand stays" in part.why_not and "a step to" in part.why_not


def test_a_last_pose_that_is_not_known_any_more_is_no_error(desk, cards):
    header, arrays = desk.browse(QUIET, "forgotten", {"pose": pose_of(cards[0])}, 1, False)
    assert (header["is_known"], header["ways"], arrays) == (False, [], {})


def test_a_page_gets_the_poses_a_standing_and_ways_over_the_socket(client):
    with client.websocket_connect("/api/socket") as socket:
        client.post("/api/buildup/palette", json={"tag": "t", "request": GROUPS})
        while (message := socket.receive_json())["type"] != "palette":
            assert message.get("job", {}).get("state") != "failed", message
        card = next(each for each in message["palette"]["cards"] if "walk" in each["labels"])
        answer = client.post("/api/buildup/standing", json={"request": GROUPS, "character": 0})
        assert answer.status_code == 200, answer.text
        asked = {"type": "browse", "tag": "b", "key": answer.json()["key"], "pose": pose_of(card), "place": [0, 1]}
        socket.send_json(asked)
        header, arrays = unpack(_bytes(socket))
        assert (header["type"], header["tag"], header["is_known"]) == ("browsed", "b", True)
        assert arrays["path0"].shape[1] == 2
        socket.send_json({**asked, "tag": "c", "pose": {"label": "swim"}})
        while (message := socket.receive_json())["type"] != "not_browsed":
            pass
        assert message["tag"] == "c" and "swim" in message["error"]


def _bytes(socket) -> bytes:
    """The next binary message."""
    while "bytes" not in (received := socket.receive()) or received["bytes"] is None:
        pass
    return received["bytes"]
