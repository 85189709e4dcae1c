"""Labelling through the server: choose words, accept, be offered what comes next, undo."""

import pytest
from starlette.testclient import TestClient

from motionloom.methods.annotate.labelling import sessions
from motionloom.studio.server.app import create_app
from motionloom.studio.server.settings import Settings

TAKES = ("walk/normal_1", "walk/stop_and_go", "run/run_1")
WORDS = ["stand", "walk", "run"]
CHOICE = {"vocabulary": WORDS, "classifier": "usual", "kernel": None, "gamma": None}


@pytest.fixture(scope="module")
def server(make, tmp_path_factory):
    """One server for all: starting its desk takes longer than most tests."""
    folder = tmp_path_factory.mktemp("annotate") / "corpus"
    with make.demo_corpus(folder, TAKES) as corpus:
        sessions.learn(corpus, sessions.Choice(), maybe_nothing=True)
        labels = corpus.labels()
    with TestClient(create_app(Settings(folder.parent, folder, is_warmed=False))) as page:
        page.labels = labels
        yield page


@pytest.fixture
def client(server):
    """A page on a corpus as it came, whatever was labelled before."""
    studio = server.app.state.studio
    with studio.corpus(write=True) as corpus:
        for table in ("labels", "verified", "proposals", "classified", "listed"):
            corpus.connection.execute(f"DELETE FROM {table}")
        corpus.connection.execute("DELETE FROM about WHERE key LIKE 'remembered %'")
        corpus.add_labels(server.labels)
    studio.kept.pop("annotate", None)
    return server


@pytest.fixture
def page(client):
    """A page that has chosen its words; `page.truth` is what would be right, and nothing is labelled yet."""
    studio = client.app.state.studio
    with studio.corpus(write=True) as corpus:
        client.truth = [label for label in corpus.labels() if label.label in WORDS]
        corpus.remove_labels(corpus.labels())
    learn(client)
    return client


def wait(client):
    """Until the desk has nothing to do."""
    client.app.state.studio.ask("annotate", "warm_up", {})


def learn(client, **changes):
    answer = client.post("/api/annotate/learn", json=CHOICE | changes)
    wait(client)
    return answer


def accept(client, take, **changes):
    ranges = {word: [[x.start, x.stop] for x in client.truth if (x.take, x.label) == (take, word)] for word in WORDS}
    frames = client.get("/api/annotate/tracks", params={"take": take}).json()["frames"]
    wanted = {"take": take, "labels": WORDS, "start": 0, "stop": frames, "ranges": ranges}
    answer = client.post("/api/annotate/accept", json=wanted | changes)
    wait(client)
    return answer


def state(client):
    return client.get("/api/annotate/state").json()


def tracks(client, take):
    return {
        label["label"]: label for label in client.get("/api/annotate/tracks", params={"take": take}).json()["labels"]
    }


def test_first_use_shows_the_words_that_the_corpus_knows_and_nothing_verified(client):
    reply = state(client)
    assert {"stand", "walk", "run"} <= {word["word"] for word in reply["words"]}
    assert (reply["choice"]["vocabulary"], reply["labels"], reply["verified"]) == ([], [], 0)
    assert reply["is_learnt"] is False
    assert len(reply["takes"]) == 3


def test_choosing_words_offers_where_to_begin(page):
    reply = state(page)
    assert reply["choice"]["vocabulary"] == WORDS
    assert "most like all others" in reply["offers"][0]["why"]
    assert sorted(take["rank"] for take in reply["takes"]) == [0, 1, 2]


def test_an_accepted_take_teaches_the_others(page):
    answer = accept(page, "walk/normal_1").json()
    assert answer["agreement"] is None  # nothing had been proposed
    reply = state(page)
    assert tracks(page, "walk/normal_1")["walk"]["verified"] == [[0, reply["takes"][1]["frames"]]]
    assert tracks(page, "walk/stop_and_go")["walk"]["proposed"]
    by_name = {take["name"]: take for take in reply["takes"]}
    assert by_name["walk/normal_1"]["verified"] == 1
    assert by_name["walk/normal_1"]["rank"] is None
    assert by_name["walk/stop_and_go"]["confidence"] > 0.5
    assert reply["offers"][0]["take"] != "walk/normal_1"
    walk = next(label for label in reply["labels"] if label["label"] == "walk")
    assert 0 < walk["holds"] <= walk["verified"]
    assert walk["proposed"] > 0
    second = accept(page, "walk/stop_and_go").json()
    assert 0 < second["agreement"] <= 1
    after = state(page)
    assert [review["take"] for review in after["looks"]] == ["walk/stop_and_go"]
    assert after["verified"] > reply["verified"]


def test_what_was_accepted_can_be_undone_and_accepted_again(page):
    accept(page, "walk/normal_1")
    before = (state(page), tracks(page, "walk/stop_and_go"))
    accepted = accept(page, "walk/stop_and_go").json()["acceptance"]
    assert page.post("/api/annotate/undo", json=accepted).status_code == 200
    wait(page)
    after = (state(page), tracks(page, "walk/stop_and_go"))
    for reply in (before[0], after[0]):
        reply.pop("trials")
    assert after == before
    twice = page.post("/api/annotate/undo", json=accepted)
    assert (twice.status_code, "changed since" in twice.json()["error"]) == (400, True)
    assert accept(page, "walk/stop_and_go").status_code == 200


def test_an_undo_that_speaks_of_other_frames_or_words_is_refused(page):
    accepted = accept(page, "walk/normal_1").json()["acceptance"]
    stranger = {"take": "walk/normal_1", "label": "walk", "start": 0, "stop": 99_999, "source": "user"}
    assert page.post("/api/annotate/undo", json=accepted | {"replaced": [stranger]}).status_code == 400
    other = stranger | {"take": "run/run_1", "stop": 5}
    assert page.post("/api/annotate/undo", json=accepted | {"replaced": [other]}).status_code == 400


def test_an_acceptance_outside_the_take_or_without_words_is_refused_and_changes_nothing(page):
    assert accept(page, "walk/normal_1", stop=99_999).status_code == 400
    assert accept(page, "walk/normal_1", labels=[], ranges={}).status_code == 400
    assert "no take" in page.get("/api/annotate/tracks", params={"take": "nobody"}).json()["error"]
    assert state(page)["verified"] == 0


def test_settings_that_are_none_are_refused_in_a_sentence(page):
    answer = learn(page, gamma=0.0)
    assert (answer.status_code, "gamma" in answer.json()["error"]) == (400, True)
    assert learn(page, kernel="gauss", gamma=0.6).status_code == 200
    assert state(page)["choice"] == CHOICE | {"kernel": "gauss", "gamma": 0.6}


def test_a_word_is_renamed_wherever_it_was_used_and_back(page):
    accept(page, "walk/normal_1")
    before = tracks(page, "walk/normal_1")["walk"]
    answer = page.post("/api/annotate/rename", json={"old": "walk", "new": "stroll"})
    wait(page)
    assert answer.json()["labels"] == len(before["holds"])
    assert state(page)["choice"]["vocabulary"] == ["stand", "stroll", "run"]
    assert tracks(page, "walk/normal_1")["stroll"]["holds"] == before["holds"]
    taken = page.post("/api/annotate/rename", json={"old": "stroll", "new": "run"})
    assert (taken.status_code, "already" in taken.json()["error"]) == (400, True)
    page.post("/api/annotate/rename", json={"old": "stroll", "new": "walk"})
    wait(page)
    assert tracks(page, "walk/normal_1")["walk"] == before


def test_labels_that_people_gave_stand_before_proposals(client):
    learn(client)
    with client.app.state.studio.corpus() as corpus:
        expected = [(label.start, label.stop) for label in corpus.labels("run/run_1") if label.label == "run"]
    found = tracks(client, "run/run_1")["run"]
    assert [tuple(range_) for range_ in found["holds"]] == expected
    assert found["proposed"] == []


def test_pages_hear_that_labels_and_then_proposals_changed(page):
    with page.websocket_connect("/api/socket") as socket:
        accept(page, "walk/normal_1")
        heard = []
        while heard[-1:] != ["proposals"]:
            message = socket.receive_json()
            heard += [message["what"]] if message["type"] == "changed" else []
    assert heard == ["labels", "proposals"]


def test_the_curve_and_the_choice_are_there_for_another_server(page, tmp_path):
    accept(page, "walk/normal_1")
    accept(page, "walk/stop_and_go")
    before = state(page)
    folder = page.app.state.studio.folder
    with TestClient(create_app(Settings(tmp_path, folder, is_warmed=False))) as reader:
        reply = state(reader)
    assert reply["looks"] == before["looks"]
    assert reply["choice"] == before["choice"]
    assert reply["verified"] == before["verified"]


def test_with_a_corpus_that_cannot_be_changed_nothing_is_accepted(page, tmp_path):
    folder = page.app.state.studio.folder
    with TestClient(create_app(Settings(tmp_path, folder, is_warmed=False))) as reader:
        wanted = {"take": "run/run_1", "labels": ["run"], "start": 0, "stop": 9, "ranges": {}}
        answer = reader.post("/api/annotate/accept", json=wanted)
        assert (answer.status_code, "cannot be changed" in answer.json()["error"]) == (400, True)
        assert reader.get("/api/annotate/state").status_code == 200
