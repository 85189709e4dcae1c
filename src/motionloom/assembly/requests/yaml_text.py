"""YAML of people: the plain part of the language, read in one pass with limits on everything.

Text, numbers, true and false, lists and mappings with text as keys. Anchors, aliases and tags are refused: a few
hundred bytes of aliases stand for billions of values, and tags for things that no request is made of.
"""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from motionloom.errors import FormatError

Where = Sequence[str | int]  # keys and numbers that lead to a value

TEXT_LIMIT = 1_000_000  # characters of a text
MOST_VALUES = 100_000  # texts, numbers, lists and mappings of a text
MOST_DEPTH = 50  # lists and mappings inside one another
MOST_DIGITS = 100  # characters of a number
UNUSABLE = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]"
)  # control characters and no characters

_EVENTS: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # libyaml where it is there, twenty times as fast
_CONSTRUCTORS = yaml.constructor.SafeConstructor()
_RESOLVER = yaml.resolver.Resolver()
_TAG = "tag:yaml.org,2002:"
_TAGS = {  # that only say what a value is anyway
    yaml.ScalarEvent: (None, "!", *(_TAG + kind for kind in ("str", "int", "float", "bool", "null"))),
    yaml.SequenceStartEvent: (None, "!", _TAG + "seq"),
    yaml.MappingStartEvent: (None, "!", _TAG + "map"),
}
_WORDS: dict[str, Callable[[str], Any]] = {
    "str": str,
    "value": str,  # a lone =
    "merge": str,  # << where it is no key
    "bool": lambda text: _CONSTRUCTORS.bool_values[text.lower()],
    "null": lambda text: None,
}
_NUMBERS = {"int": _CONSTRUCTORS.construct_yaml_int, "float": _CONSTRUCTORS.construct_yaml_float}


@dataclass(frozen=True)
class YamlText:
    """What a text says, and where."""

    data: Any
    root: "_Part | None"

    def line_of(self, where: Where) -> int | None:
        """The line of a part, or of the innermost part around it that is there; None where there is nothing."""
        part = self.root
        for step in where:
            inner = part.parts.get(step) if part is not None else None
            if inner is None:
                break
            part = inner
        return part.line if part is not None else None


@dataclass
class _Part:
    """A value with its line, and the parts of a list or mapping."""

    line: int
    parts: dict[str | int, "_Part"] = field(default_factory=dict)


@dataclass
class _Open:
    """A list or mapping whose end has not come yet."""

    value: list | dict
    part: _Part
    where: tuple[str | int, ...]
    key: str | None = None  # of a mapping: the one whose value comes next

    @property
    def expects_key(self) -> bool:
        return isinstance(self.value, dict) and self.key is None

    def step(self) -> str | int:
        """The key or the number of the value that comes next."""
        return len(self.value) if self.key is None else self.key


class _Refused(Exception):
    """Why a text is not read, and the line."""

    def __init__(self, reason: str, line: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line


def read_yaml(text: str, path: str | Path) -> YamlText:
    """What a YAML text says; the path is for error messages, which name the line."""
    if len(text) > TEXT_LIMIT:
        raise FormatError(path, f"is too long: {len(text):,} characters, at most {TEXT_LIMIT:,} can be read")
    try:
        _check_characters(text)
        return _build(text)
    except _Refused as error:
        raise FormatError(path, error.reason, error.line) from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = " ".join((getattr(error, "problem", None) or str(error)).split())
        raise FormatError(path, f"is not valid YAML ({problem})", mark.line + 1 if mark else None) from None


def dump_yaml(data: Any, **options: Any) -> str:
    """Plain data as YAML that can be read again: nothing in it is an alias.

    Args:
        data: plain data.
        options: of PyYAML's `dump`.
    """
    return yaml.dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, **options)


class _Dumper(yaml.SafeDumper):
    def ignore_aliases(self, data: Any) -> bool:
        return True


def _check_characters(text: str) -> None:
    found = UNUSABLE.search(text)
    if found:
        line = text.count("\n", 0, found.start()) + 1
        raise _Refused(f"is not valid YAML ({_shown(found[0])} cannot be in a text)", line)


def _build(text: str) -> YamlText:
    """Read event by event; nothing is built that is not allowed, and nothing calls itself."""
    builder = _Builder()
    for event in yaml.parse(text, Loader=_EVENTS):
        builder.take(event)
    return YamlText(builder.data, builder.root)


class _Builder:
    """Builds the value of one document."""

    def __init__(self) -> None:
        self.data: Any = None
        self.root: _Part | None = None
        self._open: list[_Open] = []
        self._count = 0

    def take(self, event: Any) -> None:
        """Take the next event."""
        line = event.start_mark.line + 1
        if isinstance(event, yaml.AliasEvent):
            raise _Refused("aliases (*name) cannot be used; write the value out each time", line)
        if isinstance(event, yaml.NodeEvent):
            self._check(event, line)
        if isinstance(event, yaml.ScalarEvent):
            self._take_scalar(event, line)
        elif isinstance(event, yaml.CollectionStartEvent):
            self._begin(event, line)
        elif isinstance(event, yaml.CollectionEndEvent):
            self._open.pop()
        elif isinstance(event, yaml.DocumentStartEvent) and self.root is not None:
            raise _Refused("is not valid YAML (there is a second document; give one)", line)

    def _check(self, event: Any, line: int) -> None:
        self._count += 1
        if self._count > MOST_VALUES:
            raise _Refused(f"there are more than {MOST_VALUES:,} values, which cannot be read", line)
        if event.anchor is not None:
            raise _Refused(f"anchors (&{shorten(event.anchor)}) cannot be used; write the value out each time", line)
        if event.tag not in _TAGS[type(event)]:
            raise _Refused(
                f"tags ({shorten(event.tag)}) cannot be used; leave it out, or put text in quotation marks", line
            )

    def _begin(self, event: Any, line: int) -> None:
        if self._expects_key():
            raise _Refused("a list or mapping cannot be a key; keys are text", line)
        if len(self._open) == MOST_DEPTH:
            raise _Refused(f"lists and mappings are more than {MOST_DEPTH} deep", line)
        value: list | dict = {} if isinstance(event, yaml.MappingStartEvent) else []
        part, where = _Part(line), self._next()
        self._put(value, part)
        self._open.append(_Open(value, part, where))

    def _take_scalar(self, event: Any, line: int) -> None:
        tag = event.tag if event.tag not in (None, "!") else None
        kind = (tag or _RESOLVER.resolve(yaml.ScalarNode, event.value, event.implicit)).removeprefix(_TAG)
        if tag is None and kind in _NUMBERS and "_" in event.value:
            kind = "str"  # 141_20 is the name of a take, and no 14,120 (nor is it in YAML 1.2)
        found = UNUSABLE.search(event.value)
        if found:
            raise _Refused(f"the text holds {_shown(found[0])}, which cannot be used", line)
        if self._expects_key():
            self._take_key(event.value, kind, line)
        else:
            self._put(self._value(event.value, kind, line), _Part(line))

    def _take_key(self, text: str, kind: str, line: int) -> None:
        around = self._open[-1]
        if kind == "merge":
            raise _Refused("a key << cannot be used; write the values out", line)
        if kind not in ("str", "value"):
            raise _Refused(f"the key {shorten(text) or '~'} is no text; put it in quotation marks", line)
        if text in around.value:
            raise _Refused(f"'{shorten(text)}' is given twice; give it once", line)
        around.key = text

    def _value(self, text: str, kind: str, line: int) -> Any:
        if kind == "timestamp":
            raise _Refused(f"is not valid YAML ({shorten(text)} is a date; put it in quotation marks)", line)
        try:
            return self._number(text, kind, line) if kind in _NUMBERS else _WORDS[kind](text)
        except (ValueError, LookupError):  # a tag says what it is not
            raise _Refused(f"is not valid YAML ({shorten(text)} is no {kind})", line) from None

    def _number(self, text: str, kind: str, line: int) -> int | float:
        name = written(self._next()) or "the text"
        if len(text) > MOST_DIGITS:
            found = f"the number {shorten(text)} has {len(text)} characters"
            raise _Refused(f"{name}: {found}, at most {MOST_DIGITS} can be read", line)
        number = _NUMBERS[kind](yaml.ScalarNode(_TAG + kind, text))
        if not math.isfinite(number):
            raise _Refused(f"{name}: {text} cannot be used; it should be a finite number", line)
        return number

    def _put(self, value: Any, part: _Part) -> None:
        """Put a value where it belongs."""
        if not self._open:
            self.data, self.root = value, part
            return
        around = self._open[-1]
        around.part.parts[around.step()] = part
        if isinstance(around.value, list):
            around.value.append(value)
        else:
            assert around.key is not None
            around.value[around.key] = value
            around.key = None

    def _expects_key(self) -> bool:
        return bool(self._open) and self._open[-1].expects_key

    def _next(self) -> tuple[str | int, ...]:
        """Where the value goes that comes next."""
        return (*self._open[-1].where, self._open[-1].step()) if self._open else ()


def written(where: Where) -> str:
    """('labels', 0, 'to') -> 'labels[0].to'."""
    text = ""
    for part in where:
        text += f"[{part}]" if isinstance(part, int) else f"{'.' if text else ''}{part}"
    return text


def shorten(text: str, most: int = 40) -> str:
    """A text for a message, cut off where it is longer than so many characters."""
    return text if len(text) <= most else f"{text[: most - 3]}..."


def _shown(character: str) -> str:
    return f"the character U+{ord(character):04X}"
