"""Which modules a function can reach, in small packages that show one way of importing each."""

from pathlib import Path

import pytest

from motionloom.caching.modules import Sources, SourceUnreadable
from motionloom.caching.reachability import reached_modules


@pytest.fixture
def reach(tmp_path):
    """Write a package `p` of the given modules and find the modules that `p.main:make` reaches, without `p.`."""

    def find(root="make", **modules: str) -> set[str]:
        write(tmp_path / "p", modules)
        reached = reached_modules([("p.main", root)], Sources(tmp_path / "p"))
        return {name.removeprefix("p.") for name in reached.modules}

    return find


def write(folder: Path, modules: dict[str, str]) -> None:
    """Modules by name; `a__b` is the module a.b, `a` with modules inside is their package."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "__init__.py").touch()
    for name, source in modules.items():
        *parents, last = name.split("__")
        place = folder.joinpath(*parents)
        place.mkdir(parents=True, exist_ok=True)
        is_package = any(other.startswith(f"{name}__") for other in modules)
        path = place / last / "__init__.py" if is_package else place / f"{last}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(source)
        for parent in [place, *place.parents][: len(parents)]:
            (parent / "__init__.py").touch()


ANSWER = "def answer(): return 42\n"


@pytest.mark.parametrize(
    "main",
    [
        "from p.deep import answer\ndef make(): return answer()",
        "from p.deep import answer as reply\ndef make(): return reply()",
        "from p import deep\ndef make(): return deep.answer()",
        "from p import deep as d\ndef make(): return d.answer()",
        "import p.deep\ndef make(): return p.deep.answer()",
        "import p.deep as d\ndef make(): return d.answer()",
        "from .deep import answer\ndef make(): return answer()",
        "from . import deep\ndef make(): return deep.answer()",
        "from p.deep import *\ndef make(): return answer()",
        "def make():\n    from p.deep import answer\n    return answer()",
        "def make():\n    import p.deep as d\n    return d.answer()",
        "def make():\n    def inner():\n        from .deep import answer\n        return answer()\n    return inner()",
        "from p.deep import answer\ndef make(f=answer): return f()",
        "from p.deep import answer\n@answer\ndef make(): pass",
        "from p.deep import answer\nTABLE = {'x': answer}\ndef make(): return TABLE['x']()",
        "from p.deep import answer\nmake = answer",
        "from p.deep import answer\nTWO, THREE = answer(), 3\ndef make(): return TWO",
        "import p.deep\ndef make(): return getattr(p.deep, 'answer')()",
        "from p import deep\nMODULES = [deep]\ndef make(): return MODULES[0].answer()",
        "try:\n    from p.nowhere import answer\nexcept ImportError:\n    from p.deep import answer\n"
        "def make(): return answer()",
        "if 1:\n    from p.deep import answer\n    def make(): return answer()\nelse:\n    def make(): return 0",
        "make = lambda: __import__('p.deep').answer()",
        "from importlib import import_module\ndef make(): return import_module('p.deep').answer()",
        "from importlib import import_module\ndef make(name='deep'): return import_module(f'p.{name}').answer()",
        "DESK = 'p.deep:answer'\ndef make(): return load(DESK)",
        "from p.deep import answer\nclass Maker:\n    def run(self): return answer()\ndef make(): return Maker().run()",
        "from p.deep import answer\nclass Maker:\n    run = answer\ndef make(): return Maker",
        "from p.deep import answer\nclass Maker:\n    def __iter__(self): yield answer()\n"
        "def make(): return [*Maker()]",
        "from p.deep import answer\nasync def make(): return answer()",
        "from p.deep import answer\ndef make(): return [answer() for _ in range(3)]",
        "from p.deep import answer\nstate = 0\nstate += answer()\ndef make(): return state",
        "from p.deep import answer\nprint(answer())\ndef make(): return 0",
        "from p.deep import answer\nclass Maker:\n    x = 1\nMaker.x = answer()\ndef make(): return Maker.x",
    ],
)
def test_a_name_is_found_where_it_is_defined(reach, main):
    assert reach(main=main, deep=ANSWER, other=ANSWER) >= {"main", "deep"}


def test_only_what_is_used_is_reached(reach):
    main = """
from p.deep import answer
from p.other import question
def make(): return answer()
def ask(): return question()
"""
    assert reach(main=main, deep=ANSWER, other="def question(): pass") == {"main", "deep"}


def test_names_are_followed_through_packages_that_only_pass_them_on(reach):
    found = reach(
        main="from p.room import answer\ndef make(): return answer()",
        room="from p.room.inner import answer as answer\nfrom p.room.heavy import work",
        room__inner="from .deep import answer",
        room__deep=ANSWER,
        room__heavy="def work(): pass",
    )
    assert found == {"main", "room.deep"}


def test_a_module_that_a_package_imports_from_itself_is_that_module(reach):
    found = reach(
        main="from p import room\ndef make(): return room.tools.answer()",
        room="from p.room import tools, others",
        room__tools=ANSWER,
        room__others=ANSWER,
    )
    assert found == {"main", "room.tools"}


def test_a_function_named_like_its_module_is_the_function(reach):
    found = reach(
        main="from p.room import prepare\ndef make(): return prepare()",
        room="from p.room.prepare import prepare",
        room__prepare="from p.deep import answer\ndef prepare(): return 0\ndef other(): return answer()",
        deep=ANSWER,
    )
    assert found == {"main", "room.prepare"}


def test_names_that_a_package_loads_when_they_are_asked_for_are_found(reach):
    found = reach(
        main="from p.room import answer\ndef make(): return answer()",
        room="""
from importlib import import_module
WHERE = {"answer": "deep"}
def __getattr__(name): return getattr(import_module(f"p.room.{WHERE[name]}"), name)
""",
        room__deep=ANSWER,
    )
    assert found >= {"main", "room", "room.deep"}


def test_modules_loaded_under_names_made_while_it_runs_are_all_of_the_package(reach):
    found = reach(
        main="from p.room.table import find\ndef make(): return find('deep')",
        room__table="import importlib\ndef find(name): return importlib.import_module('p.room.' + name)",
        room__deep=ANSWER,
        other=ANSWER,
    )
    assert found == {"main", "room", "room.table", "room.deep", "room.*"}


def test_rings_end(reach):
    main = "from p.other import ask\ndef make(): return ask()\ndef answer(): return make()"
    assert reach(main=main, other="from p.main import answer\ndef ask(): return answer()") == {"main", "other"}
    stars = reach(main="from p.other import *\ndef make(): return x()", other="from p.main import *")
    assert stars == {"main"}
    again = reach(main="from p.other import ask\ndef make(): return ask()", other="from p.main import ask")
    assert again == {"main", "other"}


def test_all_names_of_a_star_import_are_found_and_no_others(reach):
    found = reach(
        main="from p.room import *\ndef make(): return len(answer())",
        room="from p.room.deep import *\nfrom p.room.other import question",
        room__deep=ANSWER,
        room__other="def question(): pass",
    )
    assert found == {"main", "room.deep"}


def test_packages_from_elsewhere_are_not_looked_at(reach):
    main = "import numpy as np\nfrom os import path\ndef make(): return np.linalg.norm(path.join())"
    assert reach(main=main, linalg=ANSWER, deep="class Vector:\n    def norm(self): pass") == {"main"}


CLASSES = """
from p.deep import answer
from p.other import question
class Maker:
    def run(self): return answer()
    def ask(self): return question()
"""


def test_methods_count_one_by_one(reach):
    found = reach(
        main="from p.classes import Maker\ndef make(): return Maker().run()",
        classes=CLASSES,
        deep=ANSWER,
        other="def question(): pass",
    )
    assert found == {"main", "classes", "deep"}


@pytest.mark.parametrize(
    "main",
    [
        "from p.classes import Maker\ndef make(one: Maker): return one.run()",
        "from p.classes import Maker\ndef make(one: 'list[Maker | None]'): return one[0].run()",
        "import p.classes\ndef make(*some: p.classes.Maker): return some[0].run()",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from p.classes import Maker\n"
        "def make(one: 'Maker'): return one.run()",
        "from p.classes import Maker\nMakers = dict[str, Maker]\ndef make(some: Makers): return some['x'].run()",
        "from p.classes import Maker\nclass House:\n    maker: Maker\ndef make(house: House): return house.maker.run()",
        "from p.classes import Maker\nclass Other(Maker): pass\ndef make(one: Other): return one.run()",
        "from p.classes import Maker\ndef find() -> Maker: ...\ndef make(): return find().run()",
        "from p.classes import Maker\ndef make(one: Maker, name='run'): return getattr(one, name)()",
        "from p.classes import Maker\nfrom typing import cast\ndef make(one): return cast('Maker', one).run()",
        "from p.classes import Maker\ndef make(one: Maker):\n    match one:\n        case Maker(run=x): return x()",
    ],
)
def test_annotations_tell_whose_methods_run(reach, main):
    found = reach(main=main, classes=CLASSES, deep=ANSWER, other="def question(): pass")
    assert found == {"main", "classes", "deep"}


@pytest.mark.parametrize("name", ["numpy", "deep", "Maker"])
def test_arguments_may_be_called_like_modules_and_classes(reach, name):
    imports = "import numpy\nfrom p import deep\nfrom p.classes import Maker as M, Maker\n"
    main = f"{imports}def make({name}: M): return {name}.run()"
    found = reach(main=main, classes=CLASSES, deep=ANSWER, other="def question(): pass")
    assert found == {"main", "classes", "deep"}


@pytest.mark.parametrize("main", ["return one.limit", "return getattr(one, 'limit')"])
def test_values_of_classes_that_come_in_count_where_they_are_read(reach, main):
    main = f"from p.classes import Maker\ndef make(one: Maker): {main}"
    classes = "from p.deep import answer\nclass Maker:\n    limit = answer()\n    other: int = 3\n    size: int"
    assert reach(main=main, classes=classes, deep=ANSWER) == {"main", "classes", "deep"}
    main = main.replace("limit", "size")
    assert reach(main=main, classes=classes, deep=ANSWER) == {"main"}


def test_a_class_that_only_an_annotation_names_and_that_does_nothing_adds_nothing(reach):
    main = "from p.classes import Maker, Progress\ndef make(one: Maker, progress: Progress | None): return one"
    classes = CLASSES + "Progress = dict[int, int]\n"
    assert reach(main=main, classes=classes, deep=ANSWER, other="def question(): pass") == {"main"}


def test_operators_of_what_comes_in_run_unnamed(reach):
    main = "from p.classes import Maker\ndef make(one: Maker): return one + 1"
    classes = "from p.deep import answer\nclass Maker:\n    def __add__(self, other): return answer()"
    assert reach(main=main, classes=classes, deep=ANSWER) == {"main", "classes", "deep"}


def test_properties_and_inherited_methods_are_reached(reach):
    found = reach(
        main="from p.child import Child\ndef make(): return Child().size",
        child="from p.parent import Parent\nclass Child(Parent): pass",
        parent="from p.deep import answer\nclass Parent:\n    @property\n    def size(self): return answer()",
        deep=ANSWER,
    )
    assert found == {"main", "child", "parent", "deep"}


def test_a_method_may_be_the_root(reach):
    assert reach("Maker.run", main=CLASSES, deep=ANSWER, other="def question(): pass") == {"main", "deep"}


def test_a_function_inside_another_stands_for_the_whole(reach):
    main = "from p.deep import answer\ndef make():\n    x = answer()\n    return lambda: x"
    assert reach("make.<locals>.<lambda>", main=main, deep=ANSWER) == {"main", "deep"}


def test_text_that_documents_mentions_nothing(reach):
    main = '"""answer"""\nfrom p.deep import answer\ndef make():\n    """answer"""\n    return 0'
    assert reach(main=main, deep=ANSWER) == {"main"}


def test_what_is_no_python_is_refused(reach):
    with pytest.raises(SourceUnreadable, match=r"deep\.py"):
        reach(main="from p.deep import answer\ndef make(): return answer()", deep="def answer(:")


def test_modules_that_are_set_apart_are_not_followed(tmp_path):
    main = "from p.frame import wrap\nfrom p.deep import answer\n@wrap\ndef make(): return answer()"
    write(tmp_path / "p", {"main": main, "frame": "from p.other import x\ndef wrap(f): return x(f)", "deep": ANSWER})
    assert reached_modules([("p.main", "make")], Sources(tmp_path / "p"), {"p.frame"}).modules == {"p.main", "p.deep"}


def test_all_modules_that_were_looked_up_are_consulted_and_foreign_ones_are_not(tmp_path):
    main = """
import numpy
from p.types import Maker
from p.room import answer, missing
def make(one: Maker): return answer(), missing(), numpy.zeros(3), 'p.absent.thing'
"""
    room = "from p.room.deep import answer\nfrom p.room.other import question\n"
    modules = {"main": main, "types": "class Maker: pass", "room__deep": ANSWER, "room__other": ANSWER, "alone": ANSWER}
    write(tmp_path / "p", modules)
    (tmp_path / "p" / "room" / "__init__.py").write_text(room)
    reached = reached_modules([("p.main", "make")], Sources(tmp_path / "p"))
    assert reached.modules == {"p.main", "p.room", "p.room.deep"}
    assert reached.consulted == {
        *("p.main", "p.types", "p.room", "p.room.deep"),
        *("p.room.missing", "p.absent.thing"),  # they are not there
    }
