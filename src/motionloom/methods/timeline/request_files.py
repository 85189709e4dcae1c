"""Request files: YAML in and out, and the one sentence that says what is wrong with one."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from motionloom.errors import FormatError
from motionloom.formats.files import replace_file

Where = Sequence[str | int]  # keys and numbers that lead to a value


def load(path: str | Path) -> tuple[Any, Callable[[Where], int | None]]:
    """The data of a YAML file, and a function that says in which line a part of it stands."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise FormatError(path, "no such file") from None
    except (UnicodeDecodeError, OSError) as error:
        raise FormatError(path, f"cannot be read as text ({error})") from None
    try:
        tree = yaml.compose(text, Loader=yaml.SafeLoader)
        data = yaml.safe_load(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or str(error)
        raise FormatError(path, f"is no YAML ({problem})", mark.line + 1 if mark else None) from None
    if not isinstance(data, dict):
        raise FormatError(path, "is no request; it must say at least `length: 10s`")
    return data, lambda where: _line_of(tree, where)


def save(path: str | Path, data: Any) -> None:
    """Write plain data as a YAML file, short lists in one line."""
    replace_file(path, yaml.safe_dump(data, sort_keys=False, default_flow_style=None, width=100).encode())


def first_problem(error: ValidationError) -> tuple[Where, str]:
    """Where the first thing that is wrong stands, and what is wrong with it, in one sentence."""
    problem = error.errors(include_url=False)[0]
    where = tuple(problem["loc"])
    name = _written(where)
    if problem["type"] in ("unexpected_keyword_argument", "extra_forbidden"):
        return where, f"unknown '{name}'; see the schema of requests for what can be said there"
    if problem["type"] == "missing":
        return where[:-1], f"'{name}' is missing"
    said = problem["msg"].removeprefix("Value error, ").replace("Input should be", "it should be")
    given = problem["input"]
    shown = f" (found {given!r})" if isinstance(given, str | int | float | bool) and repr(given) not in said else ""
    return where, f"{name or 'the request'}: {said[:1].lower() + said[1:]}{shown}"


def _written(where: Where) -> str:
    """('labels', 0, 'to') -> 'labels[0].to'."""
    text = ""
    for part in where:
        text += f"[{part}]" if isinstance(part, int) else f"{'.' if text else ''}{part}"
    return text


def _line_of(tree: Any, where: Where) -> int | None:
    node = tree
    for part in where:
        inner = _child(node, part)
        if inner is None:
            break
        node = inner
    return node.start_mark.line + 1 if node is not None else None


def _child(node: Any, part: str | int) -> Any:
    if isinstance(node, yaml.MappingNode):
        return next((value for key, value in node.value if key.value == part), None)
    if isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
        return node.value[part]
    return None
