"""The modules of packages as they are written: what each defines, and what the names that it imports stand for."""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

LISTING = ".*"  # ends the name that stands for all modules of a package
_DEFINES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)


class SourceUnreadable(Exception):
    """The source of a module is not there, or is no Python that can be parsed."""


@dataclass(frozen=True)
class ImportedName:
    """What an imported name stands for: a name of a module, or the module itself."""

    module: str
    name: str | None  # None: the module itself


Imports = dict[str, list[ImportedName]]  # by the name that an import statement binds; branches may bind it differently


@dataclass(frozen=True, eq=False)
class Module:
    """What the source of one module says on its top level, branches of `if` and `try` included."""

    name: str
    package: str  # that relative imports start from
    source: bytes
    on_load: list[ast.stmt]  # what runs when it is loaded, besides definitions and imports
    definitions: dict[str, list[ast.stmt]] = field(default_factory=dict)  # functions, classes, assignments
    imports: Imports = field(default_factory=dict)
    stars: list[str] = field(default_factory=list)  # modules whose names are all imported
    known: dict[int, Any] = field(default_factory=dict)  # what was found out about its code before


class Sources:
    """The modules of packages, each read once, when it is first asked for."""

    def __init__(self, folder: Path) -> None:
        """Of the package in a folder that is named like it."""
        self._folders: dict[str, tuple[Path, ...]] = {folder.name: (folder,)}
        self._paths: dict[str, Path | None] = {}
        self._modules: dict[str, Module] = {}

    def add(self, name: str, path: Path) -> None:
        """Let a module that is elsewhere count too."""
        self._paths[name] = path

    def add_package(self, name: str, folders: Iterable[Path]) -> None:
        """Let all modules of another package count too; the parts of one may be in several folders."""
        self._folders[name] = tuple(folders)

    def covers(self, name: str) -> bool:
        """Whether a module of this name would count, if there were one."""
        return name.partition(".")[0] in self._folders or name in self._paths

    def path(self, name: str) -> Path | None:
        """The file of a module; None where there is no such module here."""
        if name not in self._paths and self.covers(name):
            self._paths[name] = self._find(name)
        return self._paths.get(name)

    def module(self, name: str) -> Module | None:
        """A module; None where there is no such module here."""
        if name not in self._modules:
            path = self.path(name)
            if path is None:
                return None
            self._modules[name] = _parse(name, path, self.read(name))
        return self._modules[name]

    def source(self, name: str) -> bytes:
        """The source of a module, as it was when it was parsed; as it is now if it was not."""
        return self._modules[name].source if name in self._modules else self.read(name)

    def read(self, name: str) -> bytes:
        """The source of a module, as it is now; of a `LISTING` the names of all modules that it stands for."""
        if name.endswith(LISTING):
            return "\n".join(self.below(name.removesuffix(LISTING))).encode()
        path = self.path(name)
        if path is None:
            raise SourceUnreadable(f"there is no source of {name}")
        try:
            return path.read_bytes()
        except OSError as error:
            raise SourceUnreadable(f"{path}: {error}") from error

    def below(self, package: str) -> Iterator[str]:
        """The names of all modules of a package, its own first."""
        path = self.path(package)
        if path is None:
            return
        yield package
        if path.name == "__init__.py":
            for child in sorted(path.parent.iterdir()):
                name = child.stem if child.suffix == ".py" else child.name
                if name != "__init__" and name.isidentifier() and self.path(f"{package}.{name}") is not None:
                    yield from self.below(f"{package}.{name}")

    def _find(self, name: str) -> Path | None:
        package, *inside = name.split(".")
        places = [folder.joinpath(*inside) for folder in self._folders[package]]
        candidates = (path for place in places for path in (place / "__init__.py", place.with_name(f"{place.name}.py")))
        return next((path for path in candidates if path.is_file()), None)


def read_imports(statement: ast.Import | ast.ImportFrom, package: str) -> tuple[Imports, list[str]]:
    """What an import statement binds, and the modules that it takes all names from (`import *`).

    Args:
        statement: to read.
        package: of the module that it is in.
    """
    if isinstance(statement, ast.Import):
        whole = {alias.asname: alias.name for alias in statement.names if alias.asname}
        roots = {_root(alias.name): _root(alias.name) for alias in statement.names if not alias.asname}
        modules = {**whole, **roots}
        return {name: [ImportedName(module, None)] for name, module in modules.items()}, []
    base = _base(statement, package)
    stars = [base for alias in statement.names if alias.name == "*"]
    named = [alias for alias in statement.names if alias.name != "*"]
    return {alias.asname or alias.name: [ImportedName(base, alias.name)] for alias in named}, stars


def _base(statement: ast.ImportFrom, package: str) -> str:
    """The absolute name of the module that names are imported from."""
    if not statement.level:
        return statement.module or ""
    parents = package.split(".")
    parents = parents[: len(parents) - statement.level + 1]
    return ".".join([*parents, *([statement.module] if statement.module else [])])


def _root(module: str) -> str:
    return module.partition(".")[0]


def _parse(name: str, path: Path, source: bytes) -> Module:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError) as error:
        raise SourceUnreadable(f"{path}: {error}") from error
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    module = Module(name, package, source, [statement for statement in tree.body if _runs_on_load(statement)])
    _read_statements(module, tree.body)
    return module


def _read_statements(module: Module, statements: Iterable[ast.stmt]) -> None:
    for statement in statements:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            imports, stars = read_imports(statement, module.package)
            module.stars.extend(stars)
            for name, targets in imports.items():
                module.imports.setdefault(name, []).extend(targets)
        elif isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            module.definitions.setdefault(statement.name, []).append(statement)
        elif names := assigned_names(statement):
            for name in names:
                module.definitions.setdefault(name, []).append(statement)
        else:
            _read_inner(module, statement)


def _read_inner(module: Module, statement: ast.stmt) -> None:
    """What a statement has inside counts as if it stood alone."""
    for inner in ("body", "orelse", "finalbody"):
        _read_statements(module, getattr(statement, inner, []))
    for handler in getattr(statement, "handlers", []):
        _read_statements(module, handler.body)


def assigned_names(statement: ast.stmt) -> list[str]:
    """The plain names that a statement assigns to."""
    if isinstance(statement, ast.Assign):
        targets = statement.targets
    elif isinstance(statement, ast.AnnAssign | ast.AugAssign):
        targets = [statement.target]
    else:
        return []
    parts = [part for target in targets for part in ast.walk(target)]
    return [part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)]


def _runs_on_load(statement: ast.stmt) -> bool:
    return not (isinstance(statement, _DEFINES) or assigned_names(statement) or is_text(statement))


def is_text(statement: ast.stmt) -> bool:
    """Whether a statement is a string that stands alone, which documents."""
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
