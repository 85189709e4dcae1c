"""Request files: YAML in and out, and the one sentence that says what is wrong with one."""

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from motionloom.errors import FormatError
from motionloom.formats.files import replace_file

Where = Sequence[str | int]  # keys and numbers that lead to a value
UNKNOWN = ("unexpected_keyword_argument", "extra_forbidden")  # types of problems
PLAIN = {  # what is said of types, in the words of a file
    "Input should be": "it should be",
    "a valid tuple": "a list",
    "a dictionary or an instance of .*": "names with values, such as `length: 10s`",
    "[Tt]uple should have at most (.*) items? after validation": r"it should have at most \1 values",
    "a valid string": "text, in quotation marks if need be",
}


def load(path: str | Path) -> tuple[Any, Callable[[Where], int | None]]:
    """The data of a YAML file, and a function that says in which line a part of it stands."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise FormatError(path, "no such file") from None
    except (UnicodeDecodeError, OSError) as error:
        raise FormatError(path, f"cannot be read as text ({error})") from None
    return parse(text, path)


def parse(text: str, path: str | Path) -> tuple[Any, Callable[[Where], int | None]]:
    """As `load`, of the text of a file; its path is for what is said of mistakes."""
    try:
        tree = yaml.compose(text, Loader=yaml.SafeLoader)
        data = yaml.safe_load(text)
        _check_keys(path, tree)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or str(error)
        problem = " ".join(problem.split())
        raise FormatError(path, f"is no YAML ({problem})", mark.line + 1 if mark else None) from None
    except (ValueError, RecursionError) as error:  # a date that there is not, brackets without end
        raise FormatError(path, f"is no YAML that can be understood ({error})") from None
    if not isinstance(data, dict):
        raise FormatError(path, "is no request; it must say at least `length: 10s`")
    return data, lambda where: _line_of(tree, where)


def save(path: str | Path, data: Any) -> None:
    """Write plain data as a YAML file, short lists in one line."""
    replace_file(path, dump(data).encode())


def dump(data: Any) -> str:
    """Plain data as the text of a YAML file."""
    return yaml.safe_dump(data, sort_keys=False, default_flow_style=None, width=100, allow_unicode=True)


def first_problem(error: ValidationError, schema: Mapping[str, Any]) -> tuple[Where, str]:
    """Where the first thing that is wrong stands, and what is wrong with it, in one sentence; unknown words first."""
    problem = min(error.errors(include_url=False), key=lambda one: one["type"] not in UNKNOWN)
    where = tuple(problem["loc"])
    name = _written(where)
    if problem["type"] in UNKNOWN:
        return where, f"unknown '{name}'; there can be {', '.join(_known(schema, where[:-1]))}"
    if problem["type"] == "missing":
        return where[:-1], f"'{name}' is missing"
    said = problem["msg"].removeprefix("Value error, ")
    for word, plain in PLAIN.items():
        said = re.sub(word, plain, said)
    given = problem["input"]
    shown = f" (found {given!r})" if isinstance(given, str | int | float | bool) and repr(given) not in said else ""
    return where, f"{name or 'the request'}: {said[:1].lower() + said[1:]}{shown}"


def _written(where: Where) -> str:
    """('labels', 0, 'to') -> 'labels[0].to'."""
    text = ""
    for part in where:
        text += f"[{part}]" if isinstance(part, int) else f"{'.' if text else ''}{part}"
    return text


def _known(schema: Mapping[str, Any], where: Where) -> list[str]:
    """The names that can be said in a part of a request."""
    part: Any = schema
    for step in where:
        part = part["items"] if isinstance(step, int) else part["properties"][step]
        part = schema["$defs"][part["$ref"].split("/")[-1]] if "$ref" in part else part
    return [*part["properties"]]


def _line_of(tree: Any, where: Where) -> int | None:
    node = tree
    for part in where:
        inner = _child(node, part)
        if inner is None:
            break
        node = inner
    return node.start_mark.line + 1 if node is not None else None


def _check_keys(path: str | Path, node: Any) -> None:
    """Raise if something is said twice, of which only the last would count."""
    if isinstance(node, yaml.MappingNode):
        seen = set[str]()
        for key, value in node.value:
            if key.value in seen:
                raise FormatError(path, f"'{key.value}' is said twice; say it once", key.start_mark.line + 1)
            seen.add(key.value)
            _check_keys(path, value)
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            _check_keys(path, value)


def _child(node: Any, part: str | int) -> Any:
    if isinstance(node, yaml.MappingNode):
        return next((value for key, value in node.value if key.value == part), None)
    if isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
        return node.value[part]
    return None
