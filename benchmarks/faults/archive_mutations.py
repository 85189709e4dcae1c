"""Mutations of files with parts: the members of .npz files, the header and arrays of .hubs files, and JSON in both.

What is damaged is the content: lengths and checksums agree with it again, most of the time.
"""

import contextlib
import copy
import io
import json
import struct
import zipfile
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np

ODD_VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 3, 0.5, -0.0, 1e-300, 1e38, -1e38, 3.5e38, 1e300, 1e308, 10**18, 2**31, 2**63,
    2**64, 10**30,
    10**400, float("nan"), float("inf"), float("-inf"), "", "a", "hub", "end", "0", "\0", "\ud800", "\udfff\ud800",
        "é", "(",
    "/etc/passwd", "__proto__", "constructor", "a\nb", "x" * 20_000, [], {}, [[]], [None], {"": None},
    {"__proto__": 1},
    [0] * 2000, ["a"] * 2000,
)  # fmt: skip
ODD_FLOATS = (
    np.nan,
    np.inf,
    -np.inf,
    0.0,
    -0.0,
    1e-40,
    1e-30,
    1e6,
    1e19,
    1e30,
    3e38,
    -3e38,
    1e39,
    1e200,
    1e308,
    -1e308,
)
SHAPES = (
    "()", "(0,)", "(1,)", "(3,)", "(0, 3)", "(3, 0)", "(-1, 3)", "(1000000000,)", "(100000, 100000)",
    "(4611686018427387904, 4)",
    "(9223372036854775807,)", "(18446744073709551616,)", "(True,)", "(1.5,)", "(3", "[3]", "None",
    "(" * 300 + ")" * 300,
    "(1,) * 10**9", "(" + "1, " * 40 + ")", "(" + "1, " * 3000 + ")",
)  # fmt: skip
DTYPES = (
    "|O", "<f2", "<f4", ">f8", "<f16", "<c16", "<i8", ">i4", "|b1", "|u1", "|S0", "|S1000000000", "<U3", "<M8[s]",
    "<m8",
    "|V8", "<f99", "", "float64", "O,O", "(1000000,)<f8", "é",
)  # fmt: skip
DIRECTORY_ENTRY, LOCAL_HEADER, END_OF_DIRECTORY = b"PK\x01\x02", b"PK\x03\x04", b"PK\x05\x06"
HUBS_PREFIX = struct.Struct("<8sIIII")
Members = list[tuple[str, bytes]]


def _pick(table: Any, rng: np.random.Generator) -> Any:
    return table[int(rng.integers(len(table)))]


def mutate_json(value: Any, rng: np.random.Generator) -> Any:
    """A copy of JSON values with one entry somewhere replaced, removed, doubled, moved, rescaled or nested."""
    value = copy.deepcopy(value)
    places = list(_places(value))
    if not places:
        return _pick(ODD_VALUES, rng)
    # any depth is as likely as any other: a long array has more entries than the whole header
    depth = _pick(sorted({depth for _, _, depth in places}), rng)
    holder, key, _ = _pick([place for place in places if place[2] == depth], rng)
    match int(rng.integers(9)):
        case 0 | 1 | 2:
            holder[key] = copy.deepcopy(_pick(ODD_VALUES, rng))
        case 3:
            del holder[key]
        case 4:
            if isinstance(holder, list):
                holder.insert(key, copy.deepcopy(holder[key]))
            else:
                holder[_pick(("", "x", "names", "fps", "version", "\ud800"), rng)] = copy.deepcopy(holder[key])
        case 5:
            other, there, _ = _pick(places, rng)
            holder[key] = copy.deepcopy(other[there])
        case 6 if isinstance(holder[key], int | float):
            with contextlib.suppress(OverflowError):
                holder[key] = _pick((-holder[key], holder[key] + 1, holder[key] - 1, holder[key] * 1e38), rng)
        case 7:
            for _ in range(int(rng.choice([1, 50, 800]))):
                holder[key] = [holder[key]] if rng.random() < 0.5 else {"a": holder[key]}
        case _:
            holder[key] = _like(holder[key], rng)
    return value


def _places(value: Any, depth: int = 0) -> Any:
    """Holder, key and depth of every entry."""
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, entry in entries:
        yield value, key, depth
        yield from _places(entry, depth + 1)


def _like(entry: Any, rng: np.random.Generator) -> Any:
    """An entry of the same type with another value."""
    match entry:
        case str():
            return entry + _pick(("", " ", "\0", "\ud800", entry, "x" * 5000), rng)
        case bool() | None:
            return not entry
        case int() | float():
            return type(entry)(rng.integers(-5, 40))
        case list():
            return [entry[k] for k in rng.permutation(len(entry))] * int(rng.choice([0, 1, 2, 300]))
        case _:
            return dict(list(entry.items())[: int(rng.integers(len(entry) + 1))])


def dump_json(value: Any) -> bytes:
    """JSON as text, also of numbers that JSON has not; what is too deep stays text."""
    try:
        return json.dumps(value).encode()
    except (RecursionError, ValueError):
        return b"[" * 100_000


def mutate_floats(raw: bytes, dtype: str, rng: np.random.Generator) -> bytes:
    """The bytes of an array with some numbers replaced, rescaled or exchanged."""
    numbers = np.frombuffer(raw[: len(raw) - len(raw) % np.dtype(dtype).itemsize], dtype).copy()
    if not len(numbers):
        return raw
    some = rng.integers(len(numbers), size=int(rng.choice([1, 1, 3, len(numbers)])))
    with np.errstate(all="ignore"):
        match int(rng.integers(3)):
            case 0 if numbers.dtype.kind == "f":
                numbers[some] = _pick(ODD_FLOATS, rng)
            case 1 if numbers.dtype.kind == "f":
                numbers *= numbers.dtype.type(_pick((0.0, 1.1, 0.999, 1e-30, 1e5, 1e20, 1e38, -1.0), rng))
            case 2 if numbers.dtype.kind != "f":
                odd = _pick((0, 1, 255, -1, 32767, -32768), rng) if numbers.dtype.itemsize > 1 else 255
                numbers[some] = np.array(odd).astype(numbers.dtype)
            case _:
                rng.shuffle(numbers)
    return numbers.tobytes()


def _read_members(content: bytes) -> Members:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return [(info.filename, archive.read(info)) for info in archive.infolist()]
    except Exception:  # damaged by an earlier mutation
        return []


def _write_members(members: Members, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        for name, raw in members:
            with contextlib.suppress(ValueError, UserWarning):
                archive.writestr(zipfile.ZipInfo(name), raw, method)
    return packed.getvalue()


def _split_npy(raw: bytes) -> tuple[str, bytes]:
    """The header of an .npy file as text, and its data."""
    length = int.from_bytes(raw[8:10], "little")
    return raw[10 : 10 + length].decode("latin-1").rstrip(), raw[10 + length :]


def _join_npy(header: str, data: bytes) -> bytes:
    text = header.encode("utf-8", "replace")
    text += b" " * (-(len(text) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + min(len(text), 65535).to_bytes(2, "little") + text + data


def _changing_member(change: Callable[[str, bytes, np.random.Generator], tuple[str, bytes]]) -> Any:
    """A mutation that changes one member of an archive."""

    def mutation(content: bytes, rng: np.random.Generator) -> bytes:
        members = _read_members(content)
        if not members:
            return content
        at = int(rng.integers(len(members)))
        members[at] = change(*members[at], rng)
        return _write_members(members)

    return mutation


def _change_about(name: str, raw: bytes, rng: np.random.Generator) -> tuple[str, bytes]:
    _, data = _split_npy(raw)
    try:
        about = json.loads(data)
    except ValueError:
        return _change_data(name, raw, rng)
    return name, npy_bytes(np.frombuffer(dump_json(mutate_json(about, rng)), np.uint8))


def npy_bytes(array: np.ndarray) -> bytes:
    """An array as an .npy file."""
    packed = io.BytesIO()
    np.lib.format.write_array(packed, array)
    return packed.getvalue()


def _change_data(name: str, raw: bytes, rng: np.random.Generator) -> tuple[str, bytes]:
    header, data = _split_npy(raw)
    dtype = next((kind for kind in ("<f8", "<f4", "<i8") if kind in header), "|u1")
    return name, raw[: len(raw) - len(data)] + mutate_floats(data, dtype, rng)


def _change_header(name: str, raw: bytes, rng: np.random.Generator) -> tuple[str, bytes]:
    header, data = _split_npy(raw)
    match int(rng.integers(5)):
        case 0 | 1:
            start, stop = header.find("("), header.rfind(")") + 1
            header = header[:start] + _pick(SHAPES, rng) + header[stop:]
        case 2:
            header = header.replace(header.partition("'descr': '")[2].partition("'")[0] or "?", _pick(DTYPES, rng), 1)
        case 3:
            header = header.replace("False", _pick(("True", "1", "None", "__import__('os')", "'"), rng))
        case _:
            header = header[: int(rng.integers(len(header) + 1))]
    return name, _join_npy(header, data)


def _change_length(name: str, raw: bytes, rng: np.random.Generator) -> tuple[str, bytes]:
    return name, _pick((raw[:-8], raw + bytes(8), raw[:3], raw * 3, b"", raw + bytes(2_000_000)), rng)


def _change_name(name: str, raw: bytes, rng: np.random.Generator) -> tuple[str, bytes]:
    others = (
        "about.npy",
        "about",
        "parents.npy",
        "positions.npy",
        "../x.npy",
        "/x.npy",
        "x.txt",
        "",
        "é.npy",
        "a/",
        "con.npy",
    )
    return _pick(others, rng), raw


def _change_members(content: bytes, rng: np.random.Generator) -> bytes:
    members = _read_members(content)
    if not members:
        return content
    at = int(rng.integers(len(members)))
    match int(rng.integers(4)):
        case 0:
            del members[at]
        case 1:
            members.insert(int(rng.integers(len(members) + 1)), members[at])
        case 2:
            members += [(f"x{k}.npy", b"") for k in range(int(rng.choice([1, 20, 3000])))]
        case _:
            members[at], members[0] = (members[at][0], members[0][1]), (members[0][0], members[at][1])
    return _write_members(
        members, _pick((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA), rng)
    )


def edit_directory(content: bytes, rng: np.random.Generator) -> bytes:
    """Change a field of an entry of a zip directory, of a local header, or of its end: sizes, offsets, methods,
    flags."""
    mark, size = _pick(((DIRECTORY_ENTRY, 46), (LOCAL_HEADER, 30), (END_OF_DIRECTORY, 22)), rng)
    places = [at for at in range(len(content)) if content.startswith(mark, at)] if len(content) < 100_000 else []
    if not places:
        return content
    at = _pick(places, rng) + int(rng.integers(4, size))
    changed = bytearray(content)
    new = _pick(
        (b"\0", b"\xff", b"\x01", b"\0\0\0\0", b"\xff\xff\xff\xff", b"\xff\xff\xff\x7f", b"\x08\x00", b"\x63\x00"), rng
    )
    changed[at : at + len(new)] = new
    return bytes(changed[: len(content)])


def edit_sizes(content: bytes, rng: np.random.Generator) -> bytes:
    """State another size of a member, in the directory and in its local header: sizes may lie."""
    changed = bytearray(content)
    size = int(_pick((0, 1, 100, 2**20, 2**31 - 1, 2**32 - 2, 2**32 - 1), rng))
    for mark, offset in ((DIRECTORY_ENTRY, 24), (LOCAL_HEADER, 22)):
        at = content.find(mark)
        if at >= 0 and at + offset + 4 <= len(content):
            changed[at + offset : at + offset + 4] = size.to_bytes(4, "little")
    return bytes(changed)


def _open_hubs(content: bytes) -> tuple[dict[str, Any], bytes]:
    """The header and the arrays of a .hubs file."""
    length = HUBS_PREFIX.unpack_from(content)[2]
    begin = HUBS_PREFIX.size + length
    return json.loads(content[HUBS_PREFIX.size : begin]), content[begin + -begin % 8 :]


def _close_hubs(content: bytes, header: bytes, data: bytes) -> bytes:
    version = HUBS_PREFIX.unpack_from(content)[1]
    rest = header + bytes(-(HUBS_PREFIX.size + len(header)) % 8) + data
    return HUBS_PREFIX.pack(content[:8], version, len(header), HUBS_PREFIX.size + len(rest), zlib.crc32(rest)) + rest


def _change_hubs(content: bytes, rng: np.random.Generator, change_data: bool) -> bytes:
    try:
        header, data = _open_hubs(content)
    except (ValueError, struct.error, RecursionError):  # damaged by an earlier mutation
        return content
    if change_data:
        arrays = header.get("arrays") if isinstance(header, dict) else None
        entry = _pick(list(arrays.values()), rng) if isinstance(arrays, dict) and arrays else None
        with contextlib.suppress(TypeError, KeyError, ValueError, IndexError, AttributeError, OverflowError):
            start = int(entry["offset"])
            stop = start + int(np.prod(entry["shape"])) * np.dtype(entry["type"]).itemsize
            data = data[:start] + mutate_floats(data[start:stop], entry["type"], rng) + data[stop:]
        return _close_hubs(content, dump_json(header), data)
    return _close_hubs(content, dump_json(mutate_json(header, rng)), data)


def change_hubs_header(content: bytes, rng: np.random.Generator) -> bytes:
    return _change_hubs(content, rng, change_data=False)


def change_hubs_arrays(content: bytes, rng: np.random.Generator) -> bytes:
    return _change_hubs(content, rng, change_data=True)


def change_hubs_bytes(content: bytes, rng: np.random.Generator) -> bytes:
    """Change bytes behind the prefix, with a checksum that agrees."""
    rest = bytearray(content[HUBS_PREFIX.size :])
    for at in rng.integers(len(rest), size=3) if rest else ():
        rest[at] = int(rng.integers(256))
    if len(content) < HUBS_PREFIX.size:
        return content
    mark, version, length, _, _ = HUBS_PREFIX.unpack_from(content)
    return HUBS_PREFIX.pack(mark, version, length, HUBS_PREFIX.size + len(rest), zlib.crc32(rest)) + bytes(rest)


_about, _data = _changing_member(_change_about), _changing_member(_change_data)
NPZ_MUTATIONS: tuple[Any, ...] = (
    _about, _about, _about, _data, _data, _data, _changing_member(_change_header), _changing_member(_change_header),
    _changing_member(_change_length), _changing_member(_change_name), _change_members, edit_directory, edit_sizes,
)  # fmt: skip
HUBS_MUTATIONS: tuple[Any, ...] = (*(change_hubs_header,) * 6, *(change_hubs_arrays,) * 2, change_hubs_bytes)
