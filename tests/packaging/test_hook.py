"""The build hook: with a front end, or without one and saying so."""

import importlib.util
import shutil
from pathlib import Path

import pytest

from motionloom.studio import front_end

REPOSITORY = Path(__file__).resolve().parents[2]


class Listener:
    """Hears what a build says to people."""

    def __init__(self):
        self.warnings = []

    def display_info(self, text):
        pass

    def display_warning(self, text):
        self.warnings.append(text)


@pytest.fixture
def hook(tmp_path):
    """The hook of a package whose npm finds no registry."""
    spec = importlib.util.spec_from_file_location("hatch_build", REPOSITORY / "hatch_build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    studio = tmp_path / "src" / "motionloom" / "studio"
    (studio / "web").mkdir(parents=True)
    (studio / "web" / "package.json").write_text("{}")
    shutil.copy(front_end.__file__, studio / "front_end.py")
    return module.StudioBuildHook(str(tmp_path), {}, None, None, str(tmp_path / "dist"), "wheel", app=Listener())


@pytest.fixture
def programs(tmp_path, monkeypatch):
    folder = tmp_path / "programs"
    folder.mkdir()
    for name, text in {"node": "echo v20.19.0", "npm": "echo npm error no registry; exit 1"}.items():
        (folder / name).write_text(f"#!/bin/sh\n{text}\n")
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.delenv("MOTIONLOOM_REQUIRE_STUDIO", raising=False)
    return folder


def test_where_npm_is_out_of_reach_the_package_is_made_with_a_warning(hook, programs):
    hook.initialize("standard", {})
    assert len(hook.app.warnings) == 1
    assert "without its studio" in hook.app.warnings[0] and "no registry" in hook.app.warnings[0]


def test_where_the_studio_is_required_its_absence_ends_the_build(hook, programs, monkeypatch):
    monkeypatch.setenv("MOTIONLOOM_REQUIRE_STUDIO", "1")
    with pytest.raises(SystemExit, match=r"cannot be built: .*no registry"):
        hook.initialize("standard", {})


def test_node_is_asked_for_only_where_the_machine_has_no_good_one(hook, programs):
    assert hook.dependencies() == []
    (programs / "node").write_text("#!/bin/sh\necho v18.0.0\n")
    assert hook.dependencies() == [front_end.NODE_PACKAGE]


def test_what_is_built_already_needs_nothing(hook, programs):
    studio = Path(hook.root) / "src" / "motionloom" / "studio"
    (studio / "static").mkdir()
    (studio / "static" / "index.html").write_text("<html>")
    (studio / "static" / front_end.STAMP).write_text(front_end.digest(studio / "web"))
    (programs / "node").unlink()
    assert hook.dependencies() == []
    hook.initialize("standard", {})
    assert hook.app.warnings == []
