"""Text files: byte order marks, all line endings, and fast parsing of large blocks of numbers."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from motionloom.errors import FormatError

_LINE_END = re.compile(r"\r\n|\r|\n")
_PART = 1_000_000  # characters that are split at a time
_POWERS = 10.0 ** np.arange(23)


@dataclass(frozen=True)
class NumberBlock:
    """The numbers in a block of text, and their distribution over lines."""

    values: np.ndarray  # (C,) float64, at most as many as expected
    count: int  # of all numbers
    n_lines: int  # lines with numbers
    ragged_line: int | None  # the first line, from 0, with another count than expected
    ragged_count: int  # numbers of that line
    n_ragged: int  # number of such lines


def read_bytes(path: str | Path) -> bytes:
    """Read a file; raises if it is missing or not readable."""
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise FormatError(path, f"cannot be read ({error.strerror or error}). Is the path right?") from None
    return content


def to_text_bytes(path: str | Path, content: bytes) -> bytes:
    """Remove byte order marks and convert UTF-16 to UTF-8; raises if the file is empty or not text."""
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
    """Split text into lines, with any line endings; text that is not UTF-8 is decoded as Latin-1."""
    return _LINE_END.split(decode(content))


def decode(content: bytes) -> str:
    """Text that is not UTF-8 is decoded as Latin-1."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def iterate_lines(content: bytes) -> Iterator[tuple[int, str]]:
    """The lines of `split_lines` with their numbers, from 1, one at a time: a list of all takes far more memory."""
    text = decode(content)
    start, number = 0, 1
    while start <= len(text):
        stop = text.find("\n", start + _PART)
        if stop >= 0:
            part = text[start:stop].removesuffix("\r")
        else:
            stop = text.find("\r", start + _PART)  # no line feed follows it
            stop = stop if stop >= 0 else len(text)
            part = text[start:stop]
        lines = _LINE_END.split(part)
        yield from enumerate(lines, number)
        start, number = stop + 1, number + len(lines)


def count_lines(content: bytes) -> int:
    """Number of line endings, of any kind."""
    return content.count(b"\n") + content.count(b"\r") - content.count(b"\r\n")


def parse_numbers(path: str | Path, content: bytes, start: int, expected: int, per_line: int) -> NumberBlock:
    """Parse all numbers from byte start to the end of the content.

    Args:
        path: for messages.
        content: of the file.
        start: first byte of the block.
        expected: number of values; more are counted, not stored.
        per_line: expected number of values per line.
    """
    from motionloom.formats import _kernels

    text = _bytes_from(content, start)
    values = np.zeros(
        min(expected, (len(text) + 1) // 2)
    )  # every number takes at least two bytes, so a wrong count in the header cannot exhaust memory
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


def _bytes_from(content: bytes, start: int) -> np.ndarray:
    """The bytes from `start`; read-only also if there are none, because the kernel is compiled for that alone."""
    if start < len(content):
        return np.frombuffer(content, np.uint8, offset=start)
    nothing = np.zeros(0, np.uint8)
    nothing.setflags(write=False)
    return nothing


def parse_number(path: str | Path, token: str, line: int, what: str) -> float:
    """Parse one finite number of a header."""
    try:
        value = float(token)
    except ValueError:
        value = np.nan
    if not np.isfinite(value) or "_" in token:
        raise FormatError(path, f"'{shorten(token)}' is not a number, expected {what}. Please correct this line.", line)
    return value


def shorten(token: str, length: int = 24) -> str:
    """A token for a message: printable and truncated."""
    token = "".join(c if c.isprintable() else "?" for c in token)
    return token if len(token) <= length else token[: length - 1] + "…"


def _fill_odd(path: str | Path, content: bytes, start: int, values: np.ndarray, odd: np.ndarray) -> None:
    """Parse the odd numbers, (K, 3): index of the value, start and stop in the text; see the kernel."""
    if not len(odd):
        return
    steps = np.zeros(len(content) - start + 1, np.int8)
    steps[odd[:, 1]], steps[odd[:, 2]] = 1, -1  # tokens are apart from each other
    text = np.frombuffer(content, np.uint8, offset=start)
    is_odd = np.cumsum(steps[:-1], dtype=np.int8).astype(bool)
    found = np.fromstring(np.where(is_odd, text, np.uint8(32)).tobytes(), sep=" ")
    bad = np.flatnonzero(~np.isfinite(found))
    if len(bad):
        _refuse_token(path, content, start + int(odd[bad[0], 1]))
    kept = odd[:, 0] < len(values)
    values[odd[kept, 0]] = found[kept]


def _refuse_token(path: str | Path, content: bytes, at: int) -> None:
    token = re.split(rb"\s", content[at : at + 200], maxsplit=1)[0].decode("latin-1")
    reason = f"'{shorten(token)}' is not a valid number, expected a finite decimal. Is the file damaged here?"
    raise FormatError(path, reason, _line_at(content, at))


def _line_at(content: bytes, at: int) -> int:
    return count_lines(content[:at]) + 1
