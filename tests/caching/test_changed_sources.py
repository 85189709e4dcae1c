"""Sources that change between two runs on the same corpus: what is cached follows them."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import motionloom
from motionloom.corpus import Corpus, Source, Take

PACKAGE = Path(motionloom.__file__).parent
MADE_HERE = shutil.ignore_patterns("__pycache__", "node_modules", "static", "web")
RUN = """
import hashlib, sys
from motionloom.conform import make_view
from motionloom.corpus import Corpus
{imports}
with Corpus.open(sys.argv[1], write=True) as corpus:
    view = make_view(corpus)
    array = {made}
    print(hashlib.sha256(array.tobytes()).hexdigest(), *corpus.connection.execute("SELECT kind, key, made FROM models"))
"""
WINDOWS = RUN.format(
    imports="from motionloom.methods.annotate import USUAL, find_windows",
    made="find_windows(view, USUAL).coordinates",
)
COORDINATES = RUN.format(
    imports="from motionloom.graphs.view_measures import FEATURES, measure_view_features",
    made="measure_view_features(view, FEATURES).coordinates",
)


@pytest.fixture
def package(tmp_path) -> Path:
    """The sources of the package, in a place of their own."""
    return Path(shutil.copytree(PACKAGE, tmp_path / "sources" / "motionloom", ignore=MADE_HERE))


@pytest.fixture
def corpus(tmp_path, make) -> Path:
    """The folder of a corpus of three short takes."""
    with Corpus.create(tmp_path / "corpus") as corpus:
        for seed in range(3):
            motion = make.motion(n_frames=90, seed=seed)
            corpus.add(Take(f"take_{seed}", motion, Source("x", "npz", "", 60.0, 1.0)), floor_height=0.0)
    return corpus.folder


def run(package: Path, script: str, corpus: Path) -> str:
    """Run a script with the sources of a package, uncompiled, in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(package.parent), "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", script, str(corpus)], env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def change(package: Path, file: str, before: str, after: str) -> None:
    """Replace the only place of a source that reads like this."""
    path = package / file
    source = path.read_text()
    assert source.count(before) == 1, f"{file} has {before!r} {source.count(before)} times"
    path.write_text(source.replace(before, after))


def arrays_of(output: str) -> str:
    """The digest of what was made, without what else the corpus has."""
    return output.split()[0]


@pytest.mark.parametrize(
    ("script", "file", "before", "after"),
    [
        pytest.param(
            WINDOWS,
            "similarity/point_cloud.py",
            "    return np.array(kept)\n",
            "    return np.array(kept[:-3])\n",
            id="windows of annotation: similarity.distinct_joints leaves joints out",
        ),
        pytest.param(
            COORDINATES,
            "graphs/view_measures.py",
            '{"coordinates": project(space, raw)}',
            '{"coordinates": 2 * project(space, raw)}',
            id="features: graphs/view_measures doubles coordinates",
        ),
        pytest.param(
            WINDOWS,
            "motion/_kernels.py",
            "            positions[f, 0, c] = root_positions[f, c]\n",
            "            positions[f, 0, c] = 2 * root_positions[f, c]\n",
            id="windows of annotation: a compiled loop doubles the path of the root",
        ),
    ],
)
def test_a_change_in_what_makes_a_thing_makes_it_anew(package, corpus, script, file, before, after):
    first = run(package, script, corpus)
    assert run(package, script, corpus) == first
    change(package, file, before, after)
    assert arrays_of(run(package, script, corpus)) != arrays_of(first)


def test_changes_elsewhere_make_nothing_anew(package, corpus):
    first = run(package, WINDOWS, corpus)
    for file in (
        "cli/main.py",
        "render/scene/frame.py",
        "formats/bvh.py",
        "corpus/labels/label_files.py",
        "graphs/search.py",
    ):
        (package / file).write_text((package / file).read_text() + "\nMORE = 1\n")
    assert run(package, WINDOWS, corpus) == first
