"""The wheel works outside the checkout: what people get from `pip install`."""

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.long

REPOSITORY = Path(__file__).resolve().parents[2]


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    assert done.returncode == 0, f"{command}: {done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "uv", "build", "--wheel", "--no-build-isolation", "-o", folder, REPOSITORY)
    return next(folder.glob("motionloom-*.whl"))


def test_the_wheel_holds_the_package_and_nothing_else(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert "motionloom/cli/main.py" in names
    assert {name.split("/")[0].split("-")[0] for name in names} == {"motionloom"}
    assert not [name for name in names if name.endswith((".bvh", ".amc", ".asf", ".pyc"))]


def test_the_wheel_holds_the_front_end_built_and_not_its_sources(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    static = {name.removeprefix("motionloom/studio/static/") for name in names if "/studio/static/" in name}
    assert {"index.html", "built_from.txt", "hub_player.js"} <= static
    assert any(name.endswith(".js") for name in static)
    assert not [name for name in names if "/web/" in name or "node_modules" in name]


def test_the_source_package_builds_again_and_leaves_fetched_packages_out(tmp_path):
    run(sys.executable, "-m", "uv", "build", "--sdist", "--no-build-isolation", "-o", tmp_path, REPOSITORY)
    with tarfile.open(next(tmp_path.glob("*.tar.gz"))) as package:
        names = {name.split("/", 1)[-1] for name in package.getnames()}
    studio = "src/motionloom/studio"
    needed = {"hatch_build.py", f"{studio}/web/package-lock.json", f"{studio}/web/.npmrc", f"{studio}/web/src/main.ts"}
    assert needed | {f"{studio}/static/index.html"} <= names
    assert not [name for name in names if "node_modules" in name]


def test_the_installed_wheel_makes_a_corpus_and_exports(wheel, tmp_path):
    environment = tmp_path / "env"
    run(sys.executable, "-m", "uv", "venv", "--python", sys.executable, environment)
    python = environment / "bin" / "python"
    run(sys.executable, "-m", "uv", "pip", "install", "--python", python, "-r", REPOSITORY / "requirements.lock", wheel)
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "VIRTUAL_ENV"))}
    where = dict(cwd=tmp_path, env=clean)
    run(python, "-c", SCRIPT, **where)
    loom = environment / "bin" / "motionloom"
    run(loom, "new", "corpus", **where)
    run(loom, "import", "corpus", "swing.bvh", **where)
    assert "swing" in run(loom, "info", "corpus", **where)
    run(loom, "export", "corpus", "swing", "-o", "swing.glb", **where)
    run(loom, "show", "corpus", "swing", "-o", "swing.png", **where)
    assert (tmp_path / "swing.glb").stat().st_size > 1000
    assert (tmp_path / "swing.png").stat().st_size > 1000
    assert str(REPOSITORY) not in run(python, "-c", "import motionloom; print(motionloom.__file__)", **where)
    version = "from motionloom.conform.view_builder import _conform_take; print(_conform_take.code_version)"
    assert run(python, "-c", version, **where) == run(sys.executable, "-c", version)  # so they share what is cached
    found = "from motionloom.studio.front_end import ensure_built; print(ensure_built() / 'index.html')"
    assert Path(
        run(python, "-c", found, **{**where, "env": {**clean, "PATH": ""}}).strip()
    ).is_file()  # without Node.js


SCRIPT = """
import numpy as np
from motionloom import formats
from motionloom.motion import Motion, Skeleton, rotations

names = ("Hips", "LeftUpLeg", "LeftLeg", "LeftFoot")
skeleton = Skeleton(names, [-1, 0, 1, 2], [[0, 0, 0], [0.1, 0, 0], [0, -0.4, 0], [0, -0.4, 0]])
turns = np.zeros((30, 4, 3))
turns[:, 1, 0] = np.sin(np.linspace(0, 6, 30))
formats.write("swing.bvh", Motion(skeleton, np.tile([0, 0.9, 0], (30, 1)), rotations.exp(turns), 60.0))
"""
