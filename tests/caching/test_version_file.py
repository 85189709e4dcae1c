"""Versions in a file: found without a search, and never believed where sources have changed."""

import json
import sys
from pathlib import Path

import pytest

from motionloom.caching.modules import Sources, SourceUnreadable
from motionloom.caching.reachability import Reached
from motionloom.caching.version_file import FILE, SEARCH, VersionFile, digest_modules

NAMES = ("p.main:make", "p.main:other")
MODULES = frozenset({"p.main", "p.deep", "p.room.*"})
REACHED = Reached(MODULES, MODULES | {"p.passing", "p.passing.thing"})


@pytest.fixture
def package(tmp_path, monkeypatch) -> Path:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    folder = tmp_path / "p"
    modules = ("__init__", "main", "deep", "other", "passing", "room/__init__", "room/a")
    for name in (*modules, *(f"caching/{name}" for name in SEARCH)):
        (folder / name).parent.mkdir(exist_ok=True, parents=True)
        (folder / f"{name}.py").write_text(f"# {name}\n")
    return folder


def keep(package: Path) -> str:
    """Write a version of some modules to the file; the digest that it has."""
    sources = Sources(package)
    digest = digest_modules(MODULES, sources)
    VersionFile(package, sources).write(NAMES, digest, REACHED)
    return digest


def find(package: Path):
    """What another process finds in the file."""
    return VersionFile(package, Sources(package)).find(NAMES)


def test_a_version_is_found_again_with_its_modules(package):
    assert find(package) is None
    digest = keep(package)
    assert find(package) == (digest, REACHED)


@pytest.mark.parametrize(
    "change", ["main", "deep", "room/b", "passing", "passing/thing", *(f"caching/{name}" for name in SEARCH)]
)
def test_it_is_not_believed_where_anything_consulted_the_search_or_a_listed_folder_has_changed(package, change):
    keep(package)
    (package / change).parent.mkdir(exist_ok=True)
    (package / f"{change}.py").write_text("# changed\n")
    assert find(package) is None


def test_other_modules_may_change(package):
    digest = keep(package)
    (package / "other.py").write_text("# changed\n")
    assert find(package) == (digest, REACHED)


def test_a_module_that_is_gone_is_no_error(package):
    keep(package)
    (package / "deep.py").unlink()
    assert find(package) is None


KEY = " ".join(NAMES)
BROKEN = ["", "{", "[]", "{}", '{"search": 1}', '{"search": "x", "versions": 3}']
BROKEN += [f'{{"search": "x", "versions": {{"{KEY}": {kept}}}}}' for kept in ("3", "[]", "{}", '{"modules": 3}')]


@pytest.mark.parametrize("content", BROKEN)
def test_a_broken_file_is_no_error(package, content):
    digest = keep(package)
    search = json.loads((package / "__pycache__" / FILE).read_text())["search"]
    (package / "__pycache__" / FILE).write_text(content.replace('"x"', f'"{search}"'))
    assert find(package) is None
    assert keep(package) == digest
    assert find(package) is not None


def test_what_changes_between_the_search_and_the_writing_is_noticed_by_the_next(package):
    sources = Sources(package)
    for name in ("p.main", "p.deep", "p.passing"):
        sources.module(name)  # as the search does
    digest = digest_modules(MODULES, sources)
    (package / "deep.py").write_text("# changed\n")
    VersionFile(package, sources).write(NAMES, digest, REACHED)
    assert find(package) is None


def test_processes_add_to_what_others_wrote(package):
    ours, theirs = (VersionFile(package, Sources(package)) for _ in range(2))
    ours.write(("p.main:a",), "1", REACHED)
    theirs.write(("p.main:b",), "2", REACHED)
    content = json.loads((package / "__pycache__" / FILE).read_text())
    assert set(content["versions"]) == {"p.main:a", "p.main:b"}
    assert [path.name for path in (package / "__pycache__").iterdir()] == [FILE]


def test_where_nothing_may_be_written_it_is_done_without(package, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    keep(package)
    assert not (package / "__pycache__").exists()
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    (package / "__pycache__").write_text("a file is in the way")
    keep(package)
    assert find(package) is None


def test_a_package_without_sources_says_so(tmp_path):
    with pytest.raises(SourceUnreadable, match=r"no source of p\.caching"):
        VersionFile(tmp_path / "p", Sources(tmp_path / "p"))
