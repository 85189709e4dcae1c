"""Mutations of input files, the same for the same random generator: bytes, lines and words,
    and the parts of a format.

`mutate` makes a damaged or hostile file of a valid one. `KINDS` are the formats that it knows.
"""

import contextlib
import re
from collections.abc import Callable, Sequence

import numpy as np

from benchmarks.faults.archive_mutations import HUBS_MUTATIONS, NPZ_MUTATIONS

Mutation = Callable[[bytes, np.random.Generator], bytes]

MOST_BYTES = 400_000  # of a mutated file, except where it is long on purpose
LONG = 60_000  # characters of an overlong name, number or line
FORMAT_SHARE = 0.75  # of the mutations that know the format; the others change bytes

ODD_NUMBERS = (
    b"nan", b"-nan", b"inf", b"-inf", b"Infinity", b"1e38", b"-1e38", b"3.5e38", b"1e39", b"1e300", b"1e308",
    b"-1e308",
    b"1e309", b"1e-320", b"-0", b"0", b"-1", b"+1", b"1.", b".5", b"1e", b"1e+", b"0x10", b"1_000", b"1,5", b"--1",
    b"2147483648", b"-2147483649", b"9223372036854775808", b"18446744073709551616", b"1" + b"0" * 400,
    b"0" * 400 + b"1",
    b"0." + b"0" * 400 + b"1", b"1e" + b"9" * 30, b"1e-" + b"9" * 30, b"9" * 5000, "٣".encode(), "１２".encode(),
    "²".encode(),
)  # fmt: skip
ODD_WORDS = (
    b"", b"\0", b"\t", b"\x0b", b"\x0c", b"\x1c", b"\x7f", b"\x85", b"\xff", b"\xc3", b"\xed\xa0\x80",
    b"\xef\xbb\xbf",
    b"\xff\xfe", b"\xe2\x80\xa8", b"\xe2\x80\xae", b"\xc2\xa0", b"(", b")", b"((", b"()", b"{", b"}", b"{{", b"}}",
    b"[", b"]",
    b"#", b":", b"::", b";", b",", b'"', b"'", b'"""', b"\\", b"/", b"..", b"%s", b"{0}", b"__class__", b"=1+1",
    b"\r",
    b"\n", b"\r\n", b"\n\n", b"\n\r", "\u0301".encode(), "𝟙".encode(), "ﬀ".encode(), "İ".encode(), b"None", b"true",
    b"null",
)  # fmt: skip
WORDS: dict[str, tuple[bytes, ...]] = {
    "bvh": tuple(
        b"HIERARCHY|ROOT|ROOT x|JOINT|JOINT Hips|JOINT x {|End Site|End Site {|OFFSET|OFFSET 0 0 0|CHANNELS|"
        b"CHANNELS 0|"
        b"CHANNELS 1 Xrotation|CHANNELS 6 Xrotation Xrotation Xrotation Xrotation Xrotation Xrotation|MOTION|Frames:|"
        b"Frames: 1|Frames: 1000000000|Frames: 999999999999|Frame Time:|Frame Time: 0|Frame Time: 1e-6|"
        b"Frame Time: 100|Frame Time: 1e-300|Xposition|Zrotation".split(b"|")
    ),
    "asf": tuple(
        b":units|:root|:bonedata|:hierarchy|:version|:x|begin|end|root|back|head|name|name (|name (x|name root|id 1|"
        b"direction|direction 0 0 0|direction 1e200 1e200 0|length|length 0|length 1e-300|length 1e300|axis|"
        b"axis 0 0 0 XYZ|"
        b"axis XXX|dof|dof rx|dof rx rx|dof tx ty tz l|limits|limits (|(|(-1 1)|(inf -inf)|order|order TX|position|"
        b"orientation 1e300 0 0|angle rad|angle grad".split(b"|")
    ),
    "amc": tuple(
        b":DEGREES|:RADIANS|:FULLY-SPECIFIED|:SAMPLES-PER-SECOND 1e9|1|2|0|-1|99999999999999999999|root|back|"
        b"head|tail|"
        b"root 0 0 0 0 0 0|back 1 2 0 0|head|head 1|head 1e300".split(b"|")
    ),
    "csv": tuple(
        b'take,label,start,stop|take|label|start|stop|source|confidence|user|"|""|"""|,|,,,|;|"a|a"|"a\nb"|'
        b"'|0|1|-1|1e3|1.0|99999999999999999999|walk\x00run|\xe2\x80\xae".split(b"|")
    ),
    "yaml": tuple(
        b"&a|*a|*b|&a [*a]|<<: *a|<<: 1|!!python/object/apply:os.system ['true']|!!binary aGVsbG8=|!!set {a}|"
        b"!!omap [a: 1]|"
        b"!!timestamp 2001-01-01|!!int x|!!float x|!!null x|!!bool x|!x y|2001-13-45|0o777|0b2|1:60:60|.inf|"
        b".nan|-.inf|"
        b'"\\ud800"|"\\U00110000"|"\\x00"|? a|? [a]|? {a: b}|- - - -|[[[[|{{{{|%YAML 9.9|%TAG|---|...|@|`|~|null|yes|'
        b"|- >|||-\n|length: 10s|length: -1s|length: 1e300s|length: 999999999999999h|labels: []|from: end|"
        b"to: start".split(b"|")
    ),
}
_NUMBER = re.compile(rb"(?<![\w.])[-+]?\d[\d.]*(?:e[-+]?\d+)?", re.IGNORECASE)
_WORD = re.compile(rb"[^\s,{}()\[\]]+")
_LINE = re.compile(rb"[^\n]*\n|[^\n]+")


def mutate(content: bytes, kind: str, rng: np.random.Generator) -> bytes:
    """A mutated file of a kind of `KINDS`: one change or a few, most of them aware of the format."""
    own = _MUTATIONS[kind]
    for _ in range(int(rng.choice([1, 1, 1, 2, 2, 3, 5]))):
        table = own if rng.random() < FORMAT_SHARE else BYTE_MUTATIONS
        with contextlib.suppress(RecursionError):  # an earlier one has nested it too deeply for another change
            content = pick(table, rng)(content, rng)
        if len(content) > MOST_BYTES:
            return content[: MOST_BYTES * 5]
    return content


def pick(table: Sequence, rng: np.random.Generator):
    """One entry of a table, by chance."""
    return table[int(rng.integers(len(table)))]


def _place(content: bytes, rng: np.random.Generator) -> tuple[int, int]:
    """Start and stop of a short range of bytes."""
    start = int(rng.integers(len(content) + 1))
    return start, min(len(content), start + int(rng.integers(1, 40)))


def _times(part: bytes, times: int) -> int:
    """How often a part may be repeated in a file of a usual size."""
    return max(1, min(times, MOST_BYTES // max(1, len(part))))


def flip_bits(content: bytes, rng: np.random.Generator) -> bytes:
    changed = bytearray(content)
    for at in rng.integers(len(content), size=int(rng.integers(1, 5))) if content else ():
        changed[at] ^= 1 << int(rng.integers(8))
    return bytes(changed)


def truncate(content: bytes, rng: np.random.Generator) -> bytes:
    return content[: int(rng.integers(len(content) + 1))]


def delete_bytes(content: bytes, rng: np.random.Generator) -> bytes:
    start, stop = _place(content, rng)
    return content[:start] + content[stop:]


def repeat_bytes(content: bytes, rng: np.random.Generator) -> bytes:
    start, stop = _place(content, rng)
    times = int(rng.choice([2, 2, 3, 50, 1000]))
    return content[:start] + content[start:stop] * times + content[stop:]


def insert_bytes(content: bytes, rng: np.random.Generator) -> bytes:
    start, _ = _place(content, rng)
    return content[:start] + rng.bytes(int(rng.integers(1, 12))) + content[start:]


def swap_bytes(content: bytes, rng: np.random.Generator) -> bytes:
    (a, b), (c, d) = sorted([_place(content, rng), _place(content, rng)])
    b = min(b, c)
    return content[:a] + content[c:d] + content[b:c] + content[a:b] + content[d:]


def insert_odd_word(content: bytes, rng: np.random.Generator) -> bytes:
    start, _ = _place(content, rng)
    return content[:start] + pick(ODD_WORDS, rng) + content[start:]


def _swap_parts(content: bytes, pattern: re.Pattern[bytes], rng: np.random.Generator) -> bytes:
    found = list(pattern.finditer(content))
    if len(found) < 2:
        return content
    a, b = sorted(rng.choice(len(found), 2, replace=False).tolist())
    first, second = found[a], found[b]
    between = content[first.end() : second.start()]
    return content[: first.start()] + second.group() + between + first.group() + content[second.end() :]


def _replace_part(content: bytes, pattern: re.Pattern[bytes], new: bytes, rng: np.random.Generator) -> bytes:
    found = list(pattern.finditer(content))
    if not found:
        return content + new
    part = pick(found, rng)
    return content[: part.start()] + new + content[part.end() :]


def swap_words(content: bytes, rng: np.random.Generator) -> bytes:
    return _swap_parts(content, _WORD, rng)


def swap_lines(content: bytes, rng: np.random.Generator) -> bytes:
    return _swap_parts(content, _LINE, rng)


def delete_line(content: bytes, rng: np.random.Generator) -> bytes:
    return _replace_part(content, _LINE, b"", rng)


def repeat_line(content: bytes, rng: np.random.Generator) -> bytes:
    found = list(_LINE.finditer(content))
    if not found:
        return content
    line = pick(found, rng)
    times = _times(line.group(), int(rng.choice([1, 1, 2, 30, 3000])))
    return content[: line.end()] + line.group() * times + content[line.end() :]


def repeat_lines(content: bytes, rng: np.random.Generator) -> bytes:
    lines = _LINE.findall(content)
    first, last = sorted(rng.integers(len(lines) + 1, size=2).tolist())
    repeated = b"".join(lines[first:last])
    again = repeated * _times(repeated, int(rng.choice([1, 2, 200])))
    return b"".join([*lines[:last], again, *lines[last:]])


def replace_number(content: bytes, rng: np.random.Generator) -> bytes:
    return _replace_part(content, _NUMBER, pick(ODD_NUMBERS, rng), rng)


def replace_many_numbers(content: bytes, rng: np.random.Generator) -> bytes:
    new, share = pick(ODD_NUMBERS[:28], rng), rng.uniform(0.1, 1.0)
    return _NUMBER.sub(lambda number: new if rng.random() < share else number.group(), content)


def scale_numbers(content: bytes, rng: np.random.Generator) -> bytes:
    power = b"e%d" % int(rng.choice([-300, -40, -10, 5, 20, 36, 37, 38, 39, 150, 300]))
    return _NUMBER.sub(lambda number: number.group() + power if b"." in number.group() else number.group(), content)


def replace_word(content: bytes, rng: np.random.Generator) -> bytes:
    return _replace_part(content, _WORD, pick(ODD_WORDS, rng), rng)


def lengthen_word(content: bytes, rng: np.random.Generator) -> bytes:
    letter = pick((b"a", b"9", b"(", "é".encode(), b"[", b'"', b"0."), rng)
    return _replace_part(content, _WORD, letter * int(rng.integers(100, LONG)), rng)


def change_line_ends(content: bytes, rng: np.random.Generator) -> bytes:
    return content.replace(b"\n", pick((b"\r", b"\r\n", b"\n\n", b"\x0b", b"\x85", b" ", "\u2028".encode()), rng))


def change_encoding(content: bytes, rng: np.random.Generator) -> bytes:
    text = content.decode("latin-1")
    codec = pick(("utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig", "utf-7", "cp037"), rng)
    return text.encode(codec, "replace")


def unbalance(content: bytes, rng: np.random.Generator) -> bytes:
    bracket = pick((b"{", b"}", b"(", b")", b"[", b"]", b'"', b"'"), rng)
    count = int(rng.choice([1, 1, 2, 3000]))
    return _replace_part(content, re.compile(rb"(?=\s)"), bracket * count, rng)


def _insert_word_of(kind: str) -> Mutation:
    def insert_word(content: bytes, rng: np.random.Generator) -> bytes:
        new = pick(WORDS[kind], rng)
        if rng.random() < 0.5:
            return _replace_part(content, _WORD, new, rng)
        return _replace_part(content, re.compile(rb"(?=\n)"), b"\n" + new, rng)

    return insert_word


def nest_joints(content: bytes, rng: np.random.Generator) -> bytes:
    depth = int(rng.choice([3, 50, 1500, 9000]))
    opened = b"".join(b"JOINT j%d\n{\nOFFSET 0 1 0\nCHANNELS 0\n" % k for k in range(depth))
    return _replace_part(content, re.compile(rb"(?=\n[ \t]*JOINT)"), b"\n" + opened + b"}\n" * depth, rng)


def nest_values(content: bytes, rng: np.random.Generator) -> bytes:
    depth = int(rng.choice([5, 100, 900, 5000]))
    opening, closing = pick(((b"[", b"]"), (b"{a: ", b"}"), (b"[{a: ", b"}]"), (b"- ", b"")), rng)
    return _replace_part(content, _WORD, opening * depth + b"1" + closing * depth, rng)


def add_aliases(content: bytes, rng: np.random.Generator) -> bytes:
    levels = [b"a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    for level in range(1, int(rng.integers(2, 10))):
        levels.append(b"a%d: &a%d [%s]" % (level, level, b", ".join([b"*a%d" % (level - 1)] * 9)))
    return content + b"\n" + b"\n".join(levels) + b"\n"


def widen_rows(content: bytes, rng: np.random.Generator) -> bytes:
    return content.replace(b"\n", b"," * int(rng.choice([1, 5, 3000])) + b"\n", int(rng.integers(1, 4)))


BYTE_MUTATIONS: tuple[Mutation, ...] = (
    flip_bits, truncate, delete_bytes, repeat_bytes, insert_bytes, swap_bytes, insert_odd_word,
)  # fmt: skip
TEXT_MUTATIONS: tuple[Mutation, ...] = (
    swap_words, swap_lines, delete_line, repeat_line, repeat_lines, replace_number, replace_number, replace_number,
    replace_many_numbers, scale_numbers, replace_word, replace_word, lengthen_word, change_line_ends,
    change_encoding, unbalance,
)  # fmt: skip
_MUTATIONS: dict[str, tuple[Mutation, ...]] = {
    **{kind: (*TEXT_MUTATIONS, *(_insert_word_of(kind),) * 4) for kind in WORDS},
    "npz": NPZ_MUTATIONS,
    "hubs": HUBS_MUTATIONS,
    "markers": TEXT_MUTATIONS,
    "trc": TEXT_MUTATIONS,
    "c3d": BYTE_MUTATIONS,
    "curves": TEXT_MUTATIONS,
}
_MUTATIONS["bvh"] += (nest_joints,)
for _table in ("csv", "markers", "trc", "curves"):
    _MUTATIONS[_table] += (widen_rows,)
_MUTATIONS["yaml"] += (nest_values, add_aliases)
KINDS = tuple(_MUTATIONS)
