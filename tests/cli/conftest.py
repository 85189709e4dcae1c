"""Running commands in this process, and a corpus to run them on."""

from dataclasses import dataclass

import pytest

from motionloom import formats
from motionloom.cli.main import run


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    code: int
    out: str
    err: str


@pytest.fixture
def motionloom(capsys):
    """Run `motionloom ...` and tell its exit code and what it printed."""

    def run_command(*arguments) -> Ran:
        capsys.readouterr()
        code = run([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return Ran(code, printed.out, printed.err)

    return run_command


@pytest.fixture
def recordings(tmp_path, make):
    """A folder with three BVH files, two of them in a folder of their own."""
    folder = tmp_path / "recordings"
    for i, name in enumerate(("walk/one", "walk/two", "wave")):
        path = folder / f"{name}.bvh"
        path.parent.mkdir(parents=True, exist_ok=True)
        formats.write(path, make.motion(40 + i, seed=i))
    return folder


@pytest.fixture
def corpus(tmp_path, recordings, motionloom):
    """A corpus with the three recordings."""
    path = tmp_path / "corpus"
    assert motionloom("new", path).code == 0
    assert motionloom("import", path, recordings, "--workers", "1").code == 0
    return path
