"""Versions of code: digests of the files behind a function, and never of code that this process does not run."""

import importlib
import importlib.util
import os
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

import motionloom
from motionloom.caching import KINDS, Kind, cached, code_version, versions
from motionloom.caching.modules import Sources
from motionloom.caching.version_file import SEARCH
from motionloom.caching.versions import maker_names
from motionloom.features.facing import find_facing
from motionloom.motion import Motion
from motionloom.tasks import one_thread_per_product

HOUR = 3600.0


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    """Nothing is known yet."""
    monkeypatch.setattr(versions, "_known", {})
    monkeypatch.setattr(versions, "_sources", Sources(versions.PACKAGE))
    monkeypatch.setattr(versions, "_file", [])


@pytest.fixture
def outside(tmp_path):
    """A function in a file that is older than this process."""
    path = tmp_path / "outside.py"
    path.write_text("from motionloom.features.facing import find_facing\ndef make(): return find_facing\n")
    os.utime(path, (time.time() - HOUR, time.time() - HOUR))
    spec = importlib.util.spec_from_file_location("outside_of_it", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    yield module.make, path
    del sys.modules[spec.name]


def test_a_version_is_a_digest_that_stays():
    version = code_version(find_facing)
    assert len(version) == 16 and int(version, 16) >= 0
    assert code_version(find_facing) == version
    assert code_version(find_facing, one_thread_per_product) != version


def test_every_process_finds_the_same_version():
    script = "from motionloom.caching import code_version; from motionloom.features.facing import find_facing as f; "
    script += "print(code_version(f), end='')"
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert found.stdout == code_version(find_facing)


def test_another_process_finds_it_without_a_search(monkeypatch):
    version = code_version(find_facing)
    versions._known.clear()
    monkeypatch.setattr(versions, "digest_sources", None)
    assert code_version(find_facing) == version


class Package:
    """A package `p` that takes the place of this one, whose files are older than this process."""

    def __init__(self, folder: Path, monkeypatch) -> None:
        self.folder, self._monkeypatch = folder, monkeypatch

    def write(self, **modules: str) -> None:
        """Modules by name; `a__b` is the module a.b, `a__init` the own one of a package."""
        for name, source in modules.items():
            *parents, last = name.split("__")
            path = self.folder.joinpath(*parents, "__init__.py" if last == "init" else f"{last}.py")
            path.parent.mkdir(exist_ok=True, parents=True)
            path.write_text(source)
            os.utime(path, (time.time() - HOUR, time.time() - HOUR))

    def version(self) -> str:
        """Of `p.main:make`, as a process finds it that begins now."""
        self._monkeypatch.setattr(versions, "PACKAGE", self.folder)
        self._monkeypatch.setattr(versions, "_sources", Sources(self.folder))
        self._monkeypatch.setattr(versions, "_known", {})
        self._monkeypatch.setattr(versions, "_file", [])
        version = code_version(self.make)
        assert "~" not in version
        return version

    @property
    def make(self):
        """A function that says it is `p.main:make`."""
        names: dict = {"__name__": "p.main"}
        exec("def make(): pass", names)
        return names["make"]


@pytest.fixture
def package(tmp_path, monkeypatch) -> Package:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    package = Package(tmp_path / "p", monkeypatch)
    package.write(init="", **{f"caching__{name}": "" for name in SEARCH})
    package.write(room__slow="def answer(): return 1\n", room__fast="def answer(): return 2\n")
    return package


@pytest.mark.parametrize(
    "main",
    [
        "from p.room import answer\ndef make(): return answer()\n",
        "import p.room\ndef make(): return p.room.answer()\n",
        "def make():\n    from p.room import answer\n    return answer()\n",
    ],
)
def test_a_package_that_passes_on_another_function_of_the_same_name_gives_another_version(package, main):
    package.write(main=main)
    package.write(room__init="from p.room.slow import answer\n")
    slow = package.version()
    package.write(room__init="from p.room.fast import answer\n")
    assert package.version() != slow
    package.write(room__init="from p.room.slow import answer\n# and a remark\n")
    assert package.version() == slow  # nothing that it does is in the package's own file


def test_a_module_that_is_added_where_a_name_was_looked_up_before_counts(package):
    package.write(main="from p import room\ndef make(): return room.tools.answer()\n")
    package.write(room__init="def __getattr__(name): raise AttributeError(name)\n")
    before = package.version()
    package.write(room__tools="def answer(): return 3\n")
    assert package.version() != before


def test_a_module_that_becomes_a_package_imports_from_elsewhere(package):
    package.write(main="from p.tools import answer\ndef make(): return answer()\n")
    package.write(tools="from .deep import answer\n", deep="def answer(): return 1\n")
    before = package.version()
    package.write(tools__deep="def answer(): return 2\n")
    (package.folder / "tools.py").rename(package.folder / "tools" / "__init__.py")
    assert package.version() != before


def test_functions_are_named_by_module_and_name_whatever_is_around_them():
    assert maker_names(partial(find_facing, None)) == ("motionloom.features.facing:find_facing",)
    assert maker_names(Motion.__post_init__) == ("motionloom.motion.motion:Motion.__post_init__",)
    wrapped = one_thread_per_product()(find_facing)
    assert maker_names(wrapped, find_facing) == ("motionloom.features.facing:find_facing",)
    assert maker_names(Sources(versions.PACKAGE).path) == ("motionloom.caching.modules:Sources.path",)
    kind = Kind("x", find_facing)
    assert maker_names(kind) == ("motionloom.caching.kinds:Kind",)


def test_of_code_outside_the_package_the_file_counts_and_what_it_uses_of_the_package(outside):
    make, path = outside
    version = code_version(make)
    assert "~" not in version and version != code_version(find_facing)
    versions._known.clear()
    versions._sources = Sources(versions.PACKAGE)
    path.write_text(path.read_text() + "# changed\n")
    os.utime(path, (time.time() - HOUR, time.time() - HOUR))
    assert "~" not in code_version(make) != version


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """The folder of a package outside of this one, of three files; importable."""
    monkeypatch.syspath_prepend(tmp_path)
    folder = tmp_path / "mine_of_two"
    folder.mkdir()
    (folder / "__init__.py").write_text("from mine_of_two.maker import make\n")
    (folder / "maker.py").write_text("from .numbers import answer\ndef make(): return answer()\n")
    (folder / "numbers.py").write_text("def answer(): return 42\n")
    (folder / "unused.py").write_text("def other(): return 0\n")
    age(folder)
    yield folder
    for name in [name for name in sys.modules if name.partition(".")[0] == folder.name]:
        del sys.modules[name]


def age(folder: Path) -> None:
    """Make files older than this process."""
    for path in folder.iterdir():
        os.utime(path, (time.time() - HOUR, time.time() - HOUR))


@pytest.mark.parametrize(("changed", "is_another"), [("maker", True), ("numbers", True), ("unused", False)])
def test_of_a_package_outside_every_module_counts_that_its_maker_reaches(mine, monkeypatch, changed, is_another):
    make = importlib.import_module(mine.name).make
    version = code_version(make)
    (mine / f"{changed}.py").write_text((mine / f"{changed}.py").read_text() + "# changed\n")
    age(mine)
    monkeypatch.setattr(versions, "_known", {})
    monkeypatch.setattr(versions, "_sources", Sources(versions.PACKAGE))
    assert "~" not in version and (code_version(make) != version) == is_another


def test_a_package_outside_that_passes_on_another_function_gives_another_version(mine, monkeypatch):
    (mine / "maker.py").write_text("from mine_of_two import numbers\ndef make(): return numbers.answer()\n")
    (mine / "fast.py").write_text("def answer(): return 43\n")
    age(mine)
    make = importlib.import_module(mine.name).make
    version = code_version(make)
    (mine / "__init__.py").write_text("from mine_of_two import fast as numbers\n")
    age(mine)
    monkeypatch.setattr(versions, "_known", {})
    monkeypatch.setattr(versions, "_sources", Sources(versions.PACKAGE))
    assert code_version(make) != version


def test_sources_that_are_newer_than_the_process_give_a_version_that_nobody_else_has(outside):
    make, path = outside
    os.utime(path)
    assert "~" in code_version(make)
    assert "~" not in code_version(find_facing)


def test_sources_that_change_while_the_process_runs_change_its_version(outside, monkeypatch):
    make, path = outside
    version = code_version(make)
    path.write_text("def make(): return 2\n")
    assert code_version(make) == version  # it looks at the files once a second
    monkeypatch.setattr(versions, "CHECK_SECONDS", 0.0)
    changed = code_version(make)
    assert changed.startswith(f"{version}~")
    assert code_version(make) == changed
    path.unlink()
    assert code_version(make) == changed


def test_a_package_that_passes_on_another_function_while_the_process_runs_changes_its_version(package, monkeypatch):
    package.write(main="from p.room import answer\ndef make(): return answer()\n")
    package.write(room__init="from p.room.slow import answer\n")
    version = package.version()
    monkeypatch.setattr(versions, "CHECK_SECONDS", 0.0)
    package.write(room__init="from p.room.fast import answer  # now\n")
    assert code_version(package.make).startswith(f"{version}~")


def test_without_sources_the_version_of_the_package_counts(tmp_path, monkeypatch):
    monkeypatch.setattr(versions, "_sources", Sources(tmp_path / "motionloom"))
    assert code_version(find_facing) == motionloom.__version__


def test_a_function_that_is_in_no_file_has_a_version_that_nobody_else_has():
    names: dict = {}
    exec("def make(): pass", names)
    names["make"].__module__ = "nowhere"
    assert "~" in code_version(names["make"])


def test_versions_of_a_kind_count_its_inputs_too():
    plain, other = Kind("a", find_facing), Kind("b", one_thread_per_product)
    assert Kind("c", find_facing, inputs=(other,)).makers == (find_facing, one_thread_per_product)
    assert Kind("c", find_facing, inputs=(other,)).code_version != plain.code_version
    assert Kind("c", find_facing, inputs=(Kind("d", find_facing, (other,)),)).makers[-1] is one_thread_per_product


def test_a_kind_is_called_like_its_function_and_has_a_name_of_its_own(monkeypatch):
    monkeypatch.setattr(sys.modules[Kind.__module__], "KINDS", registered := dict(KINDS))

    @cached("sum of two")
    def add(a, b):
        return a + b

    assert add(1, 2) == 3
    assert registered["sum of two"] is add
    with pytest.raises(ValueError, match=r"'sum of two' is a kind already, made by .*add"):
        cached("sum of two")(find_facing)
