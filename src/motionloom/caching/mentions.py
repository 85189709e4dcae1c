"""What a piece of code mentions: names in what runs, names in annotations, and attributes of whatever it is given."""

import ast
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from motionloom.caching.modules import Imports, assigned_names, is_text, read_imports

Path = tuple[str, ...]  # a dotted name: ("kinematics", "world_positions")
LOADERS = {"import_module", "__import__"}


@dataclass(frozen=True, eq=False)
class Mentions:
    """What a piece of code mentions. Local variables count as global names too, so there may be too many names."""

    used: set[Path] = field(default_factory=set)  # in what runs
    typed: set[Path] = field(default_factory=set)  # in annotations alone
    attributes: set[str] = field(default_factory=set)  # of objects; words that may be given to `getattr` count too
    bound: set[str] = field(default_factory=set)  # arguments and local variables
    texts: set[str] = field(default_factory=set)  # dotted words, which may be names of modules
    imports: Imports = field(default_factory=dict)  # inside
    stars: list[str] = field(default_factory=list)

    @property
    def loads_by_name(self) -> bool:
        """Whether it loads modules whose names are made while it runs."""
        return any(LOADERS & set(path) for path in self.used)


@dataclass(frozen=True, eq=False)
class ClassParts:
    """A class, taken apart: its methods count one by one."""

    bases: Mentions
    body: Mentions  # decorators, fields and all else that is no method
    methods: dict[str, list[ast.AST]]
    values: dict[str, list[ast.AST]]  # assignments in the body, by the names they assign to


def read_mentions(nodes: Iterable[ast.AST], package: str) -> Mentions:
    """What some code mentions.

    Args:
        nodes: the code.
        package: of its module.
    """
    mentions = Mentions()
    todo: list[ast.AST] = list(nodes)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            _import(node, package, mentions)
        else:
            todo.extend(_READERS.get(type(node), _read_children)(node, mentions))
    return mentions


def read_class(node: ast.ClassDef, package: str) -> ClassParts:
    """Take a class apart."""
    methods: dict[str, list[ast.AST]] = {}
    values: dict[str, list[ast.AST]] = {}
    rest: list[ast.AST] = [*node.decorator_list]
    for statement in _without_text(node.body):
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            methods.setdefault(statement.name, []).append(statement)
            continue
        rest.append(statement)
        for name in assigned_names(statement) if getattr(statement, "value", None) is not None else []:
            values.setdefault(name, []).append(statement)
    bases = read_mentions([*node.bases, *node.keywords], package)
    return ClassParts(bases, read_mentions(rest, package), methods, values)


def _import(node: ast.Import | ast.ImportFrom, package: str, mentions: Mentions) -> None:
    imports, stars = read_imports(node, package)
    mentions.stars.extend(stars)
    for name, targets in imports.items():
        mentions.imports.setdefault(name, []).extend(targets)


def _read_children(node: ast.AST, mentions: Mentions) -> list[ast.AST]:
    children: list[ast.AST] = []
    if isinstance(named := getattr(node, "name", None), str):  # by `except` and `case`
        mentions.bound.add(named)
    for name in node._fields:
        value = getattr(node, name, None)
        if isinstance(value, ast.AST):
            children.append(value)
        elif isinstance(value, list):
            children.extend(item for item in value if isinstance(item, ast.AST))
    return children


def _read_name(node: ast.AST, mentions: Mentions) -> list[ast.AST]:
    assert isinstance(node, ast.Name)
    mentions.used.add((node.id,))
    if not isinstance(node.ctx, ast.Load):
        mentions.bound.add(node.id)
    return []


def _read_attribute(node: ast.AST, mentions: Mentions) -> list[ast.AST]:
    path: list[str] = []
    while isinstance(node, ast.Attribute):
        path.append(node.attr)
        node = node.value
    if isinstance(node, ast.Name):
        mentions.used.add((node.id, *reversed(path)))
        return []
    mentions.attributes.update(path)
    return [node]


def _read_text(node: ast.AST, mentions: Mentions) -> list[ast.AST]:
    """A word may name an attribute, a dotted word a module."""
    value = getattr(node, "value", None)
    if isinstance(value, str) and len(value) < 200:
        words = value.replace(":", ".").split(".")
        if all(word.isidentifier() for word in words):
            mentions.attributes.update(words)
            mentions.typed.add(tuple(words))  # as in cast("Motion", value)
            if len(words) > 1:
                mentions.texts.add(value)
    return []


def _read_function(node: ast.AST, mentions: Mentions) -> list[ast.AST]:
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    mentions.bound.add(node.name)
    if node.returns is not None:
        _read_type(node.returns, mentions)
    return [*node.decorator_list, node.args, *_without_text(node.body)]


def _read_argument(node: ast.AST, mentions: Mentions) -> list[ast.AST]:
    assert isinstance(node, ast.arg)
    mentions.bound.add(node.arg)
    if node.annotation is not None:
        _read_type(node.annotation, mentions)
    return []


def _read_annotated(node: ast.AST, mentions: Mentions) -> list[ast.AST]:
    assert isinstance(node, ast.AnnAssign)
    _read_type(node.annotation, mentions)
    return [node.target, *([] if node.value is None else [node.value])]


def _read_inner_class(node: ast.AST, mentions: Mentions) -> list[ast.AST]:
    assert isinstance(node, ast.ClassDef)
    return [*node.decorator_list, *node.bases, *node.keywords, *_without_text(node.body)]


def _read_pattern(node: ast.AST, mentions: Mentions) -> list[ast.AST]:
    assert isinstance(node, ast.MatchClass)
    mentions.attributes.update(node.kwd_attrs)
    return [node.cls, *node.patterns, *node.kwd_patterns]


def _read_type(annotation: ast.AST, mentions: Mentions) -> None:
    """Names in an annotation, in quotation marks too."""
    inside = Mentions()
    todo: list[ast.AST] = [annotation]
    while todo:
        node = todo.pop()
        value = getattr(node, "value", None)
        if isinstance(node, ast.Constant) and isinstance(value, str):
            todo.extend(_parse_type(value))
        else:
            reader = _READERS[type(node)] if isinstance(node, ast.Name | ast.Attribute) else _read_children
            todo.extend(reader(node, inside))
    mentions.typed.update(inside.used)


def _parse_type(text: str) -> list[ast.AST]:
    try:
        return [ast.parse(text, mode="eval").body]
    except (SyntaxError, ValueError):
        return []  # a word of a Literal, or of Annotated


def _without_text(body: list[ast.stmt]) -> list[ast.stmt]:
    """Statements without strings that stand alone, which document."""
    return [statement for statement in body if not is_text(statement)]


_READERS: dict[type, Callable[[ast.AST, Mentions], list[ast.AST]]] = {
    ast.Name: _read_name,
    ast.Attribute: _read_attribute,
    ast.Constant: _read_text,
    ast.FunctionDef: _read_function,
    ast.AsyncFunctionDef: _read_function,
    ast.ClassDef: _read_inner_class,
    ast.arg: _read_argument,
    ast.AnnAssign: _read_annotated,
    ast.MatchClass: _read_pattern,
}
