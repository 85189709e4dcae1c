"""Text files as they really are: byte order marks, all line ends, and big blocks of numbers read fast."""

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from motionloom.errors import FormatError

_LINE_END = re.compile(r"\r\n|\r|\n")
_POWERS = 10.0 ** np.arange(23)


@dataclass(frozen=True)
class NumberBlock:
    """The numbers in a stretch of text, and how they stood on its lines."""

    values: np.ndarray  # (C,) float64, at most as many as were asked for
    count: int  # how many there are in all
    n_lines: int  # lines that hold numbers
    ragged_line: int | None  # the first line, from 0, that does not hold as many as asked for
    ragged_count: int  # how many that one holds
    n_ragged: int  # how many such lines there are


def read_bytes(path: str | Path) -> bytes:
    """Read a file whole; one that is missing or not readable is refused."""
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise FormatError(path, f"cannot be read ({error.strerror or error}). Is the path right?") from None
    return content


def to_text_bytes(path: str | Path, content: bytes) -> bytes:
    """Take off byte order marks and bring UTF-16 to UTF-8; refuse what is empty or not text."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        try:
            content = content.decode("utf-16").encode()
        except UnicodeDecodeError:
            raise FormatError(path, "starts like UTF-16 text but is not. Is it the right file?") from None
    content = content.removeprefix(b"\xef\xbb\xbf")
    if not content or content.isspace():
        raise FormatError(path, "the file is empty. Was it copied completely?")
    zero = content.find(b"\0")
    if zero >= 0:
        raise FormatError(
            path, f"byte {zero} is zero, so this is not a text file. Is it the right file?", _line_at(content, zero)
        )
    return content


def split_lines(content: bytes) -> list[str]:
    """Lines of text whatever their ends; bytes that are not UTF-8 are taken as Latin-1, so that names survive."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    return _LINE_END.split(text)


def count_lines(content: bytes) -> int:
    """How many line ends there are, of any kind."""
    return content.count(b"\n") + content.count(b"\r") - content.count(b"\r\n")


def parse_numbers(path: str | Path, content: bytes, start: int, expected: int, per_line: int) -> NumberBlock:
    """Read all numbers from byte start to the end of the content.

    Args:
        path: for messages.
        content: the file.
        start: first byte of the block.
        expected: how many numbers are wanted; more are counted, not kept.
        per_line: how many of them a line should hold.
    """
    from motionloom.formats import _kernels

    text = np.frombuffer(content, np.uint8, offset=start) if start < len(content) else np.zeros(0, np.uint8)
    values = np.zeros(
        min(expected, (len(text) + 1) // 2)
    )  # every number takes two bytes at least, so a wild count costs nothing
    report = np.zeros(8, np.int64)
    odd = np.zeros((0, 3), np.int64)
    _kernels.parse_numbers(text, per_line, _POWERS, values, odd, report)
    if report[_kernels.ODD_COUNT]:
        odd = np.zeros((int(report[_kernels.ODD_COUNT]), 3), np.int64)
        _kernels.parse_numbers(text, per_line, _POWERS, values, odd, report)
    if report[_kernels.BAD_AT] >= 0:
        _refuse_token(path, content, start + int(report[_kernels.BAD_AT]))
    _fill_odd(path, content, start, values, odd)
    ragged = int(report[_kernels.RAGGED_LINE])
    return NumberBlock(
        values=values[: int(report[_kernels.COUNT])],
        count=int(report[_kernels.COUNT]),
        n_lines=int(report[_kernels.LINES]),
        ragged_line=ragged if ragged >= 0 else None,
        ragged_count=int(report[_kernels.RAGGED_COUNT]),
        n_ragged=int(report[_kernels.RAGGED_LINES]),
    )


def parse_number(path: str | Path, token: str, line: int, what: str) -> float:
    """Read one finite number of a header."""
    try:
        value = float(token)
    except ValueError:
        value = np.nan
    if not np.isfinite(value) or "_" in token:
        raise FormatError(path, f"'{shorten(token)}' is not a number, expected {what}. Please correct this line.", line)
    return value


def shorten(token: str, length: int = 24) -> str:
    """A token fit for a message: printable, and not too long."""
    token = "".join(c if c.isprintable() else "?" for c in token)
    return token if len(token) <= length else token[: length - 1] + "…"


def _fill_odd(path: str | Path, content: bytes, start: int, values: np.ndarray, odd: np.ndarray) -> None:
    for index, first, last in odd:
        value = float(content[start + first : start + last])
        if not np.isfinite(value):
            _refuse_token(path, content, start + int(first))
        if index < len(values):
            values[index] = value


def _refuse_token(path: str | Path, content: bytes, at: int) -> None:
    token = re.split(rb"\s", content[at : at + 200], maxsplit=1)[0].decode("latin-1")
    reason = (
        f"'{shorten(token)}' is not a number that can be used, expected a finite decimal. Is the file damaged here?"
    )
    raise FormatError(path, reason, _line_at(content, at))


def _line_at(content: bytes, at: int) -> int:
    return count_lines(content[:at]) + 1
