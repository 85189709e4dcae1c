"""A server on a small demo corpus, without a browser."""

import shutil

import pytest
from starlette.testclient import TestClient

from motionloom.studio.server.app import create_app
from motionloom.studio.server.settings import Settings

TAKES = ("walk/normal_1", "walk/stop_and_go", "run/run_1")
FACES = ("face/happiness", "face/surprise")


@pytest.fixture(scope="session")
def performed(make, tmp_path_factory):
    """The corpus that every test gets a copy of."""
    folder = tmp_path_factory.mktemp("performed") / "corpus"
    make.demo_corpus(folder, TAKES).close()
    return folder


@pytest.fixture
def corpus_folder(performed, tmp_path):
    return shutil.copytree(performed, tmp_path / "corpus")


@pytest.fixture
def client(corpus_folder):
    """A page that talks to a server with a small corpus; its studio is `client.app.state.studio`."""
    settings = Settings(home=corpus_folder.parent, corpus=corpus_folder, is_warmed=False)
    with TestClient(create_app(settings), base_url="http://127.0.0.1") as client:
        yield client


@pytest.fixture(scope="session")
def performed_faces(make, tmp_path_factory):
    """A corpus of a body and some faces."""
    from motionloom.corpus import Corpus

    folder = tmp_path_factory.mktemp("performed") / "faces"
    make.demo_corpus(folder, TAKES[:1]).close()
    with Corpus.open(folder, write=True) as corpus:
        make.add_faces(corpus, FACES)
    return folder


@pytest.fixture
def face_client(performed_faces, tmp_path):
    """A page that talks to a server with a body and faces."""
    folder = shutil.copytree(performed_faces, tmp_path / "corpus")
    settings = Settings(home=folder.parent, corpus=folder, is_warmed=False)
    with TestClient(create_app(settings), base_url="http://127.0.0.1") as client:
        yield client


@pytest.fixture
def home_client(tmp_path):
    """A page of a server that was started without a corpus."""
    home = tmp_path / "home"
    home.mkdir()
    with TestClient(create_app(Settings(home=home, is_warmed=False)), base_url="http://127.0.0.1") as client:
        yield client
