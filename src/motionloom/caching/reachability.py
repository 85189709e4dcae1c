"""Which modules decide what a function does: those whose code it can reach, found in the sources.

The search goes from definition to definition, not from module to module, so that a room's list of names or a module
with many uses does not pull in everything that they import. Names are followed to where they are defined, through the
`__init__` of packages, inside functions too. Methods count one by one, by the rule of rapid type analysis (Bacon and
Sweeney 1996): a method can run if something reached names its class and something reached has an attribute of its name.
A class is named where it is used and also in annotations: they say what arguments and fields are. A class that only
annotations name, and of which no method runs and no value is read, adds nothing.

Not seen: functions that are handed in as arguments, objects of classes that nothing reached names, modules that change
others when they are loaded, and modules loaded under names made up at run time from outside their package.
"""

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from motionloom.caching.mentions import ClassParts, Mentions, Path, read_class, read_mentions
from motionloom.caching.modules import LISTING, ImportedName, Module, Sources, SourceUnreadable

ON_MAKING = {"__init__", "__new__", "__post_init__", "__init_subclass__", "__set_name__", "__class_getitem__"}


@dataclass(frozen=True)
class Found:
    """What a name stands for: a definition of a module, or the module itself."""

    module: str
    name: str | None  # None: the module itself


@dataclass(frozen=True)
class Reached:
    """What a search came to, in names of modules."""

    modules: frozenset[str]  # whose code can be reached
    consulted: frozenset[str]  # all that were looked up, also in vain: without a change of any, it comes to the same


def reached_modules(
    roots: Iterable[tuple[str, str]], sources: Sources, apart: Collection[str] = frozenset()
) -> Reached:
    """The modules whose code some functions can reach, their own among them.

    Where modules are loaded under names that are made while it runs, all modules of the same package count, and that
    there are no more of them: "package.*".

    Args:
        roots: module and qualified name of each function; one that is not on the top level stands for what it is in.
        sources: of the modules.
        apart: modules that decide nothing and are not followed.
    """
    search = _Search(sources, apart)
    for name, function in roots:
        module, (outer, *inner) = search.module(name), function.split(".")
        if module is None:
            raise SourceUnreadable(f"there is no source of {name}")
        search.use(Found(name, outer if outer in module.definitions else None))
        search.mention_all(inner)
    search.run()
    consulted = frozenset(name for name in search.consulted if sources.covers(name))
    return Reached(frozenset(search.modules), consulted | search.modules)


class _Search:
    def __init__(self, sources: Sources, apart: Collection[str]) -> None:
        self._sources = sources
        self._apart = apart
        self.modules: set[str] = set()  # whose code is reached
        self.consulted: set[str] = set()  # modules that were looked up, whether they are there or not
        self._used: set[Found] = set()
        self._known: set[Found] = set()  # that annotations name
        self._attributes: set[str] = set()
        self._methods: dict[str, list[tuple[Found, ast.AST]]] = {}  # of all classes named so far
        self._scanned: set[int] = set()  # methods, by their identity
        self._todo: list[tuple[Module, Mentions]] = []

    def module(self, name: str) -> Module | None:
        """A module of the sources, if there is one."""
        self.consulted.add(name)
        return self._sources.module(name)

    def run(self) -> None:
        while self._todo:
            module, mentions = self._todo.pop()
            self._follow(module, mentions)

    def use(self, found: Found) -> None:
        """Code that is reached uses a definition, or a whole module."""
        if found in self._used or found.module in self._apart:
            return
        self._used.add(found)
        module = self._touch(found.module)
        if module is None:
            return
        if found.name is None:
            for name in [*module.definitions, *module.imports]:
                for inner in self._look_up(module, name):
                    self.use(inner)
            return
        for definition in module.definitions.get(found.name, []):
            if isinstance(definition, ast.ClassDef):
                self._use_class(module, found, definition)
            else:
                self._todo.append((module, _mentions(module, definition)))

    def mention_all(self, attributes: Iterable[str]) -> None:
        """Code that is reached has attributes of these names."""
        for attribute in set(attributes) - self._attributes:
            self._attributes.add(attribute)
            for owner, method in self._methods.get(attribute, []):
                self._run_method(owner, method)

    def _know(self, found: Found) -> None:
        """An annotation names a definition: objects of a class may come from elsewhere."""
        if found in self._known or found in self._used or found.name is None or found.module in self._apart:
            return
        self._known.add(found)
        module = self.module(found.module)
        if module is None:
            return
        for definition in module.definitions.get(found.name, []):
            if isinstance(definition, ast.ClassDef):
                parts = _parts(module, definition)
                self._follow_types(module, parts.bases, parts.bases.used | parts.bases.typed | parts.body.typed)
                self._offer_methods(found, parts.values)
                self._offer_methods(found, parts.methods, always=_special(parts) - ON_MAKING)
            elif not isinstance(definition, ast.FunctionDef | ast.AsyncFunctionDef):
                mentions = _mentions(module, definition)
                self._follow_types(module, mentions, mentions.used | mentions.typed)

    def _use_class(self, module: Module, found: Found, definition: ast.ClassDef) -> None:
        parts = _parts(module, definition)
        self._todo += [(module, parts.bases), (module, parts.body)]
        self._offer_methods(found, parts.methods, always=_special(parts))

    def _offer_methods(
        self, owner: Found, offered: Mapping[str, list[ast.AST]], always: Collection[str] = frozenset()
    ) -> None:
        """Methods run, and values of a class count, where their name is mentioned; some do without."""
        for name, methods in offered.items():
            for method in methods:
                self._methods.setdefault(name, []).append((owner, method))
                if name in always or name in self._attributes:
                    self._run_method(owner, method)

    def _run_method(self, owner: Found, method: ast.AST) -> None:
        self.use(owner)
        module = self.module(owner.module)
        if module is not None and id(method) not in self._scanned:
            self._scanned.add(id(method))
            self._todo.append((module, _mentions(module, method)))

    def _is_module(self, name: str) -> bool:
        self.consulted.add(name)
        return self._sources.path(name) is not None

    def _touch(self, name: str) -> Module | None:
        module = self.module(name)
        if module is not None and name not in self.modules:
            self.modules.add(name)
            self._todo += [(module, _mentions(module, code)) for code in module.on_load]
        return module

    def _follow(self, module: Module, mentions: Mentions) -> None:
        self.mention_all(mentions.attributes)
        for path in mentions.used:
            for found, rest in self._resolve(module, mentions, path):
                self.mention_all(rest)
                if found is not None:
                    self.use(found)
        self._follow_types(module, mentions, mentions.typed)
        for text in mentions.texts:
            name = text.partition(":")[0]
            if self._is_module(name):
                self.use(Found(name, None))
        if mentions.loads_by_name:
            self.modules.add(module.package + LISTING)
            for name in self._sources.below(module.package):
                self.use(Found(name, None))

    def _follow_types(self, module: Module, mentions: Mentions, paths: Iterable[Path]) -> None:
        for path in paths:
            for found, _ in self._resolve(module, mentions, path):
                if found is not None:
                    self._know(found)

    def _resolve(self, module: Module, mentions: Mentions, path: Path) -> Iterator[tuple[Found | None, Path]]:
        """What a dotted name may stand for, and the attributes behind that; None for names from elsewhere."""
        name, rest = path[0], path[1:]
        if name in mentions.bound:
            yield None, rest  # an argument or a local variable
        imported = [found for what in mentions.imports.get(name, []) for found in self._import(what)]
        founds = imported or self._look_up(module, name, mentions.stars)
        if not founds:
            is_foreign = name in mentions.imports or name in module.imports
            yield None, () if is_foreign else rest
        for found in founds:
            yield from self._descend(found, rest)

    def _descend(self, found: Found, rest: Path) -> Iterator[tuple[Found, Path]]:
        """Go on from a module to what the rest of a dotted name means in it."""
        if found.name is not None or not rest:
            yield found, rest
            return
        for inner in self._import(ImportedName(found.module, rest[0])):
            yield from self._descend(inner, rest[1:])

    def _import(self, what: ImportedName, passed: frozenset[ImportedName] = frozenset()) -> list[Found]:
        """What is imported, where it is defined; nothing where that is not in the sources."""
        module = self.module(what.module)
        if module is None or what in passed:
            return []
        if what.name is None:
            return [Found(what.module, None)]
        founds = self._look_up(module, what.name, passed=passed | {what})
        if not founds and self._is_module(f"{what.module}.{what.name}"):
            founds = [Found(f"{what.module}.{what.name}", None)]
        if not founds and "__getattr__" in module.definitions:
            founds = [Found(what.module, "__getattr__")]
        return founds or ([] if passed else [Found(what.module, what.name)])

    def _look_up(
        self, module: Module, name: str, stars: Iterable[str] = (), passed: frozenset[ImportedName] = frozenset()
    ) -> list[Found]:
        """What a name means in a module; nothing where it is local, built in or not in the sources."""
        founds = [Found(module.name, name)] if name in module.definitions else []
        for what in module.imports.get(name, []):
            founds += self._import(what, passed)
        for star in [] if founds else [*stars, *module.stars]:
            founds += self._import(ImportedName(star, name), passed | {ImportedName(star, "*")})
        return founds


def _mentions(module: Module, code: ast.AST) -> Mentions:
    if id(code) not in module.known:
        module.known[id(code)] = read_mentions([code], module.package)
    known: Mentions = module.known[id(code)]
    return known


def _parts(module: Module, definition: ast.ClassDef) -> ClassParts:
    if id(definition) not in module.known:
        module.known[id(definition)] = read_class(definition, module.package)
    known: ClassParts = module.known[id(definition)]
    return known


def _special(parts: ClassParts) -> set[str]:
    """Methods that run without anybody naming them."""
    return {name for name in parts.methods if name.startswith("__") and name.endswith("__")}
