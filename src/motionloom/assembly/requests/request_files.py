"""Request files: what every method's request can do. YAML in and out, and the one sentence that says what is wrong."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, ClassVar, Self

from pydantic import ConfigDict, TypeAdapter, ValidationError

from motionloom.assembly.requests.plain_data import check_plain
from motionloom.assembly.requests.yaml_text import TEXT_LIMIT, Where, dump_yaml, read_yaml, written
from motionloom.errors import BadInput, FormatError
from motionloom.formats.atomic_write import replace_file
from motionloom.formats.text import shorten

LONG_TEXT = 100_000  # characters; shorter texts keep all limits of `yaml_text`
STRICT = ConfigDict(extra="forbid", populate_by_name=True)  # of all dataclasses that a request is made of

LONGEST_SENTENCE = 600  # characters about what is wrong
UNKNOWN = ("unexpected_keyword_argument", "extra_forbidden")  # types of problems
PLAIN = {  # messages about types, in the words of a file
    "Input should be": "it should be",
    "a valid tuple": "a list",
    "a dictionary or an instance of .*": "names with values, such as `{example}`",
    "[Tt]uple should have at most (.*) items? after validation": r"it should have at most \1 values",
    "a valid string": "text, in quotation marks if need be",
}
BRANCH = re.compile(r"[a-z-]+\[.*\]")  # what pydantic calls one of the kinds that a value may have


class RequestFile:
    """What a request, a frozen dataclass of pydantic, inherits: it can be read and written, and has a schema."""

    example: ClassVar[str]  # the least that such a file can say
    kind: ClassVar[str] = "request"  # what such a file is called

    @classmethod
    def from_data(cls, data: Any) -> Self:
        """A request from plain data, checked; one sentence says what is wrong with it."""
        check_plain(data, f"the {cls.kind}")
        try:
            return _adapter(cls).validate_python(data)
        except ValidationError as error:
            raise BadInput(first_problem(error, cls)[1]) from None

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Read a YAML file; errors name the line."""
        return cls._checked(path, *load(path, cls))

    @classmethod
    def parse(cls, text: str, name: str = "the request") -> Self:
        """Read the text of a YAML file; errors name the file as given."""
        return cls._checked(name, *parse(text, name, cls))

    def to_data(self) -> dict[str, Any]:
        """As plain data, without what was left out."""
        return _adapter(type(self)).dump_python(self, mode="json", by_alias=True, exclude_defaults=True)

    def to_whole_data(self) -> dict[str, Any]:
        """As plain data, with everything that was left out at its default."""
        return _adapter(type(self)).dump_python(self, mode="json", by_alias=True)

    def write(self, path: str | Path) -> None:
        """Write it as a YAML file."""
        replace_file(path, self.to_text().encode())

    def to_text(self) -> str:
        """As the text of a YAML file, short lists in one line."""
        text = dump_yaml(self.to_data(), default_flow_style=None, width=100)
        if len(text) > LONG_TEXT:
            read_yaml(text, f"the {self.kind}")  # raises where it could not be read again
        return text

    @classmethod
    def schema(cls) -> Mapping[str, Any]:
        """The JSON schema of such files, for editors."""
        return _adapter(cls).json_schema(by_alias=True)

    @classmethod
    def _checked(cls, path: str | Path, data: Any, line_of: Callable[[Where], int | None]) -> Self:
        try:
            return _adapter(cls).validate_python(data)
        except ValidationError as error:
            where, sentence = first_problem(error, cls)
            raise FormatError(path, sentence, line_of(where)) from None


def load(path: str | Path, kind: type[RequestFile]) -> tuple[Any, Callable[[Where], int | None]]:
    """The data of a YAML file, and a function that says in which line a part of it stands."""
    return parse(read_text(path), path, kind)


def read_text(path: str | Path, limit: int = TEXT_LIMIT) -> str:
    """The text of a file that a person wrote; one of more characters than `limit` is not read at all."""
    try:
        with open(path, encoding="utf-8-sig") as file:
            text = file.read(limit + 1)
    except FileNotFoundError:
        raise FormatError(path, "no such file") from None
    except (UnicodeDecodeError, OSError, ValueError) as error:
        raise FormatError(path, f"cannot be read as text ({error})") from None
    if len(text) > limit:
        raise FormatError(path, f"is too long: more than {limit:,} characters cannot be read")
    return text


def parse(text: str, path: str | Path, kind: type[RequestFile]) -> tuple[Any, Callable[[Where], int | None]]:
    """As `load`, of the text of a file; its path is for error messages."""
    read = read_yaml(text, path)
    if not isinstance(read.data, dict):
        raise FormatError(path, f"is not a {kind.kind}; expected at least `{kind.example}`")
    return read.data, read.line_of


def first_problem(error: ValidationError, kind: type[RequestFile]) -> tuple[Where, str]:
    """Where the first thing that is wrong stands, and what is wrong with it, in one sentence; unknown words first."""
    where, sentence = _describe_first(error, kind)
    return where, shorten(sentence, LONGEST_SENTENCE)  # it may quote whatever was written


def _describe_first(error: ValidationError, kind: type[RequestFile]) -> tuple[Where, str]:
    problem = min(error.errors(include_url=False), key=lambda found: found["type"] not in UNKNOWN)
    where = tuple(step for step in problem["loc"] if not (isinstance(step, str) and BRANCH.fullmatch(step)))
    name = written(where)
    if problem["type"] in UNKNOWN:
        return where, f"unknown '{name}'; there can be {', '.join(_known(kind.schema(), where[:-1]))}"
    if problem["type"] == "missing":
        return where[:-1], f"'{name}' is missing"
    message = problem["msg"].removeprefix("Value error, ")
    for word, plain in PLAIN.items():
        message = re.sub(word, plain.replace("{example}", kind.example), message)
    given = problem["input"]
    shown = f" (found {given!r})" if isinstance(given, str | int | float | bool) and repr(given) not in message else ""
    return where, f"{name or f'the {kind.kind}'}: {message[:1].lower() + message[1:]}{shown}"


def _known(schema: Mapping[str, Any], where: Where) -> list[str]:
    """The keys that a part of a request may have."""
    part: Any = schema
    for step in where:
        part = part["items"] if isinstance(step, int) else part["properties"][step]
        part = next(
            (kind for kind in part.get("anyOf", ()) if kind.get("type") != "null"), part
        )  # what may be left out
        part = schema["$defs"][part["$ref"].split("/")[-1]] if "$ref" in part else part
    return [*part["properties"]]


_ADAPTERS: dict[type, TypeAdapter[Any]] = {}  # made when first asked for, which takes a while


def _adapter(kind: type) -> TypeAdapter[Any]:
    if kind not in _ADAPTERS:
        _ADAPTERS[kind] = TypeAdapter(kind)
    return _ADAPTERS[kind]
