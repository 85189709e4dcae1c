"""Real recordings: found through MOTIONLOOM_DATA, or beside the repository."""

import os
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real recordings; where it is absent tests skip, except in CI, where that is a failure."""
    folder = Path(os.environ.get("MOTIONLOOM_DATA", REPOSITORY.parent / "shared" / "data"))
    if not (folder / "cmu").is_dir():
        message = f"no real recordings in {folder}; set MOTIONLOOM_DATA to the folder that holds them"
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message)
    return folder
