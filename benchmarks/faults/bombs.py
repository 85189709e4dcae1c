"""Hostile files up to 20 MB that ask for far more memory or time than they are worth.

`python -m benchmarks.faults.bombs FOLDER [NAME...]` measures them and prints one line of JSON for each: its name, what
the reader did, the most memory in megabytes and the seconds of processor time. Every bomb has a process of its own,
forked from one that has read valid files.
"""

import json
import os
import resource
import struct
import subprocess
import sys
import traceback
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.faults import seeds
from benchmarks.faults.archive_mutations import npy_bytes
from motionloom.methods.snap.graph.hubs_file import MOST_SUPPORTS, hubs_bytes
from motionloom.motion import Box, Support

MB = 1_000_000
ROOM = 3000 * MB  # bytes of address space beyond what valid files need: a bomb must not take the machine with it
PATIENCE = 30  # seconds of processor time, for the same reason


def pack_zip(members: list[tuple[str, bytes, int, int, int]]) -> bytes:
    """A zip file of (name, packed bytes, method, checksum, stated size): nothing has to agree."""
    body, directory = b"", b""
    for name, packed, method, crc, size in members:
        fields = struct.pack("<HHHHHIIIHH", 20, 0, method, 0, 33, crc, len(packed), size, len(name), 0)
        directory += b"PK\x01\x02\x14\x00" + fields + struct.pack("<HHHII", 0, 0, 0, 0, len(body)) + name.encode()
        body += b"PK\x03\x04" + fields + name.encode() + packed
    end = struct.pack(
        "<4sHHHHIIH", b"PK\x05\x06", 0, 0, len(members) % 65536, len(members) % 65536, len(directory), len(body), 0
    )
    return body + directory + end


def member(name: str, raw: bytes, size: int | None = None) -> tuple[str, bytes, int, int, int]:
    """A deflated member; its size as stated may be another."""
    packer = zlib.compressobj(6, zlib.DEFLATED, -15)
    packed = packer.compress(raw) + packer.flush()
    return name, packed, 8, zlib.crc32(raw), len(raw) if size is None else size


def swollen(name: str, head: bytes, megabytes: int, fill: bytes = b"\0", size: int | None = None) -> tuple:
    """A member of a head and many megabytes of one byte, packed a thousand to one."""
    packer = zlib.compressobj(6, zlib.DEFLATED, -15)
    start = packer.compress(head) + packer.flush(zlib.Z_FULL_FLUSH)
    block = fill * MB
    again = packer.compress(block) + packer.flush(zlib.Z_FULL_FLUSH)
    crc = zlib.crc32(head)
    for _ in range(megabytes):
        crc = zlib.crc32(block, crc)
    stated = len(head) + megabytes * MB if size is None else size
    return name, start + again * megabytes + packer.flush(), 8, crc, stated


def about_member(about: object) -> tuple:
    text = about if isinstance(about, bytes) else json.dumps(about).encode()
    return member("about.npy", npy_bytes(np.frombuffer(text, np.uint8)))


def npy_head(shape: tuple[int, ...], descr: str = "<f8") -> bytes:
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode()


POINTS = {"format": "motionloom", "version": 1, "fps": 60.0, "kind": "points", "names": ["a"]}
BODY = {**POINTS, "kind": "body", "names": ["a"], "roles": {}, "skeleton": "s"}


def body_members(about: dict, n_joints: int = 1, n_frames: int = 2) -> bytes:
    arrays = {
        "parents": np.arange(-1, n_joints - 1),
        "offsets": np.zeros((n_joints, 3)),
        "end_parents": np.zeros(0, int),
        "end_offsets": np.zeros((0, 3)),
        "root_positions": np.zeros((n_frames, 3)),
        "local_rotations": np.tile([1.0, 0, 0, 0], (n_frames, n_joints, 1)),
    }
    return pack_zip([about_member(about), *(member(f"{key}.npy", npy_bytes(array)) for key, array in arrays.items())])


def still_body() -> bytes:
    """As much as a small file may unfold to."""
    return body_members({**BODY, "names": [f"j{k}" for k in range(100)]}, 100, 30_000)


def swollen_points() -> bytes:
    head = npy_head((50_000_000, 1, 3))
    return pack_zip([about_member(POINTS), swollen("positions.npy", head, 1200)])


def lying_points() -> bytes:
    head = npy_head((1000, 1, 3))
    return pack_zip([about_member(POINTS), swollen("positions.npy", head, 1200, size=len(head) + 24_000)])


def swollen_about() -> bytes:
    return pack_zip(
        [swollen("about.npy", npy_head((900 * MB,), "|u1") + b'{"a": 1', 900, b" "), member("positions.npy", b"")]
    )


def wide_array_header() -> bytes:
    return pack_zip([about_member(POINTS), member("positions.npy", npy_head((10**9, 1, 3)) + bytes(800))])


def many_members() -> bytes:
    entry = ("x", b"", 0, 0, 0)
    body = pack_zip([about_member(POINTS)])
    fields = struct.pack("<HHHHHIIIHH", 20, 0, 0, 0, 33, 0, 0, 0, len(entry[0]), 0)
    directory = (b"PK\x01\x02\x14\x00" + fields + struct.pack("<HHHII", 0, 0, 0, 0, 0) + b"x") * 400_000
    return (
        body[:-22] + directory + struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, 0, 0, len(directory), len(body) - 22, 0)
    )


def many_point_names() -> bytes:
    names = [f"p{k}" for k in range(2_000_000)]
    return pack_zip(
        [about_member({**POINTS, "names": names}), member("positions.npy", npy_bytes(np.zeros((1, 2_000_000, 3))))]
    )


def same_joint_names() -> bytes:
    return body_members({**BODY, "names": ["a"] * 200_000}, 200_000)


def many_roles() -> bytes:
    return body_members(
        {**BODY, "names": [f"j{k}" for k in range(9000)], "roles": {f"r{k}": "j8999" for k in range(500_000)}}, 9000
    )


def deep_about() -> bytes:
    return pack_zip([about_member(b"[" * (20 * MB)), member("positions.npy", b"")])


def bvh(joints: str, frames: str, root_channels: str = "CHANNELS 1 Xposition") -> bytes:
    return f"HIERARCHY\nROOT r\n{{\nOFFSET 0 0 0\n{root_channels}\n{joints}}}\nMOTION\n{frames}".encode()


FLAT_JOINT = "JOINT a\n{\nOFFSET 0 1 0\nCHANNELS 0\n}\n"


def wide_bvh() -> bytes:
    return bvh(FLAT_JOINT * 9900, "Frames: 2000000\nFrame Time: 0.01\n" + "0\n" * 2_000_000)


def many_channels_bvh() -> bytes:
    channels = "CHANNELS 1000000" + " Xrotation" * 1_000_000
    return bvh(FLAT_JOINT * 9900, "Frames: 1\nFrame Time: 0.01\n" + "0 " * 1_000_000, channels)


def chain_bvh() -> bytes:
    opened = "".join(f"JOINT j{k}\n{{\nOFFSET 0 1 0\nCHANNELS 3 Xposition Yposition Zposition\n" for k in range(5000))
    legs = "".join(f"JOINT {side}UpLeg\n{{\nOFFSET 1 0 0\nCHANNELS 0\n}}\n" for side in ("Left", "Right"))
    hips = "JOINT Hips\n{\nOFFSET 0 1 0\nCHANNELS 3 Xposition Yposition Zposition\n" + legs + "}\n"
    frame = " ".join(str(k % 10) for k in range(15_004)) + "\n"
    return bvh(
        opened + hips + "}\n" * 5000,
        "Frames: 20\nFrame Time: 0.01\n" + frame * 10 + frame[::-1].strip() + "\n" + frame * 9,
    )


def many_ends_bvh() -> bytes:
    return bvh("End Site\n{\nOFFSET 0 1 0\n}\n" * 600_000, "Frames: 1\nFrame Time: 0.01\n0\n")


def blank_lines_bvh() -> bytes:
    return b"HIERARCHY" + b"\n" * (20 * MB)


def braces_bvh() -> bytes:
    return b"HIERARCHY\nROOT a\n" + b"{" * (20 * MB)


def zeros_bvh() -> bytes:
    return bvh(
        FLAT_JOINT,
        f"Frames: {9_900_000 // 3}\nFrame Time: 0.01\n" + "0 0 0\n" * (9_900_000 // 3),
        "CHANNELS 3 Xrotation Yrotation Zrotation",
    )


def long_bvh() -> bytes:
    frames = "Frames: 1200000\nFrame Time: 0.01\n" + "0 10 20\n" * 1_200_000
    return bvh(FLAT_JOINT, frames, "CHANNELS 3 Xrotation Yrotation Zrotation")


def deep_bvh() -> bytes:
    opened = "".join("JOINT a\n{\nOFFSET 0 1 0\nCHANNELS 0\n" for _ in range(9999))
    return bvh(opened + "}\n" * 9999, "Frames: 240\nFrame Time: 0.01\n" + "1\n" * 240)


def odd_numbers_bvh() -> bytes:
    return bvh("", "Frames: 3000000\nFrame Time: 0.01\n" + "1e-99\n" * 3_000_000)


ASF_HEAD = (
    ":units\n length 0.45\n angle deg\n:root\n order TX\n axis XYZ\n position 0 0 0\n orientation 0 0 0\n:bonedata\n"
)


def asf(n_bones: int, dofs: str = "") -> bytes:
    bones = "".join(f"begin\nname b{k}\ndirection 0 1 0\nlength 1\naxis 0 0 0 XYZ\n{dofs}end\n" for k in range(n_bones))
    return (
        ASF_HEAD + bones + ":hierarchy\nbegin\nroot " + " ".join(f"b{k}" for k in range(n_bones)) + "\nend\n"
    ).encode()


def unclosed_limits_asf() -> bytes:
    bone = "begin\nname b\ndirection 0 1 0\nlength 1\naxis 0 0 0 XYZ\ndof rx\nlimits (0 1)\n" + "(0 1)\n" * 3_300_000
    return (ASF_HEAD + bone + "end\n:hierarchy\nbegin\nroot b\nend\n").encode()


def empty_frames_amc() -> bytes:
    return b":DEGREES\n" + b"1\n" * (10 * MB)


def short_lines_amc() -> bytes:
    return b":DEGREES\n" + b"".join(b"%d\nroot 0\n" % k for k in range(1, 1_300_000))


def long_amc(comment: bytes) -> bytes:
    return b":DEGREES\n" + b"".join(b"%d%s\nroot 0\nb0 1\n" % (k, comment) for k in range(1, 1_000_000))


BOX = Support(Box((0.0, 0.0), (0.2, 0.2), 0.0, 0.3, 0.0), 0, 1)
CSV_HEAD = b"take,label,start,stop\n"


def many_frames_c3d() -> bytes:
    """A C3D file that states 65,535 points and frames."""
    content = bytearray(seeds.point_files()["c3d"])
    content[2:4] = content[8:10] = b"\xff\xff"
    at = content.index(b"\x04\x01USED") + 9
    content[at : at + 2] = b"\xff\xff"
    return bytes(content) + bytes(19 * MB)


def many_clips_hubs(clips: int = 60_000, nodes: int = 60_000) -> bytes:
    return _changed_hubs(
        lambda header: header.update(
            clips=[
                {**header["clips"][0], "first": 6 * k, "frames": 6, "name": str(k), "labels": {}, "controls": {}}
                for k in range(clips)
            ],
            nodes=[{**header["nodes"][0], "name": str(k)} for k in range(nodes)],
        )
    )


def large_hubs(hubs: int, clips: int, supports: int = 0) -> bytes:
    """A graph without actions: a ring of all hubs, and clips that lead on from any hub and stand on supports."""
    graph = seeds.make_hub_graph()
    rng = np.random.default_rng(6)
    sources = np.arange(clips) % hubs
    targets = np.where(np.arange(clips) < hubs, (sources + 1) % hubs, rng.integers(hubs, size=clips))
    ring = replace(
        graph,
        nodes=tuple(replace(graph.nodes[0], name=f"hub {k}") for k in range(hubs)),
        clips=tuple(
            replace(graph.clips[0], name=f"clip {k}", source=int(a), target=int(b), labels={})
            for k, (a, b) in enumerate(zip(sources, targets))
        ),
        frames=np.repeat(graph.frames[:1], clips, axis=0),
        clip_starts=np.arange(clips + 1),
        contacts=np.zeros((clips, 4), bool),
        hub_frames=np.repeat(graph.hub_frames[:1], hubs, axis=0),
        placements=rng.normal(size=(clips, 3)),
        actions=(),
        supports=np.array([[k % clips, *BOX.to_row()] for k in range(supports)]).reshape(-1, 10),
    )
    return hubs_bytes(ring)


def many_indices_hubs() -> bytes:
    return _changed_hubs(lambda header: header["actions"][0].update(clips=[0] * 6_000_000))


def many_names_hubs() -> bytes:
    return _changed_hubs(lambda header: header["skeleton"].update(names=["a"] * 3_000_000, parents=[0] * 3_000_000))


def many_labels_hubs() -> bytes:
    return _changed_hubs(lambda header: header["clips"][0].update(labels={f"l{k}": 0.5 for k in range(1_000_000)}))


def _changed_hubs(change: Callable[[dict], object]) -> bytes:
    from benchmarks.faults.archive_mutations import _close_hubs, _open_hubs

    content = seeds.make_seeds()["hubs"][0]
    header, data = _open_hubs(content)
    change(header)
    return _close_hubs(content, json.dumps(header).encode(), data)


Files = dict[str, bytes]
BOMBS: dict[str, Callable[[], Files]] = {  # files by name; the last one is read
    "npz of zeros": lambda: {"a.npz": swollen_points()},
    "npz that states a smaller size": lambda: {"a.npz": lying_points()},
    "npz of a swollen header": lambda: {"a.npz": swollen_about()},
    "npz of a nested header": lambda: {"a.npz": deep_about()},
    "npz of an array that is not there": lambda: {"a.npz": wide_array_header()},
    "npz of a body that stands still": lambda: {"a.npz": still_body()},
    "npz of points that stand still": lambda: {
        "a.npz": pack_zip([about_member(POINTS), swollen("positions.npy", npy_head((4_000_000, 1, 3)), 96)])
    },
    "npz of many members": lambda: {"a.npz": many_members()},
    "npz of many points": lambda: {"a.npz": many_point_names()},
    "npz of one name for all joints": lambda: {"a.npz": same_joint_names()},
    "npz of many roles": lambda: {"a.npz": many_roles()},
    "bvh of many joints without channels": lambda: {"a.bvh": wide_bvh()},
    "bvh of many channels": lambda: {"a.bvh": many_channels_bvh()},
    "bvh of a moving chain above the hips": lambda: {"a.bvh": chain_bvh()},
    "bvh of many end sites": lambda: {"a.bvh": many_ends_bvh()},
    "bvh of blank lines": lambda: {"a.bvh": blank_lines_bvh()},
    "bvh of braces": lambda: {"a.bvh": braces_bvh()},
    "bvh of zeros": lambda: {"a.bvh": zeros_bvh()},
    "bvh of as many frames as it may have": lambda: {"a.bvh": long_bvh()},
    "bvh of a chain of all joints": lambda: {"a.bvh": deep_bvh()},
    "bvh of odd numbers": lambda: {"a.bvh": odd_numbers_bvh()},
    "bvh of a billion frames": lambda: {"a.bvh": bvh("", "Frames: 1000000000\nFrame Time: 0.01\n0\n")},
    "bvh in UTF-16": lambda: {"a.bvh": b"\xff\xfe" + "HIERARCHY\n".encode("utf-16-le") + b"\n\0" * (9 * MB)},
    "asf of many bones": lambda: {"a.asf": asf(250_000), "a.amc": seeds.AMC},
    "asf of many limits": lambda: {"a.asf": unclosed_limits_asf(), "a.amc": seeds.AMC},
    "asf of one line": lambda: {"a.asf": b":root\n" + b"a " * (10 * MB), "a.amc": seeds.AMC},
    "amc of frames without bones": lambda: {"a.asf": asf(9000), "a.amc": empty_frames_amc()},
    "amc of short lines": lambda: {"a.asf": asf(1), "a.amc": short_lines_amc()},
    "amc of as many frames as it may have": lambda: {"a.asf": asf(1, "dof rx\n"), "a.amc": long_amc(b"")},
    "amc of as many frames, with comments": lambda: {"a.asf": asf(1, "dof rx\n"), "a.amc": long_amc(b" # a")},
    "amc of another order at the end": lambda: {
        "a.asf": asf(1, "dof rx\n"),
        "a.amc": long_amc(b"") + b"1200000\nb0 1\nroot 0\n",
    },
    "csv of many rows": lambda: {"a.csv": CSV_HEAD + b"w,x,0,1\n" * 2_400_000},
    "csv of one field": lambda: {"a.csv": CSV_HEAD + b"a" * (19 * MB)},
    "csv of an open quote": lambda: {"a.csv": CSV_HEAD + b'"' + b"a\n" * (9 * MB)},
    "csv of many columns": lambda: {
        "a.csv": CSV_HEAD[:-1] + b"".join(b",%d" % k for k in range(1_300_000)) + b"\nw,x,0,1" + b"," * (9 * MB)
    },
    "csv of commas": lambda: {"a.csv": CSV_HEAD + b"," * (19 * MB)},
    "csv of zero bytes": lambda: {"a.csv": CSV_HEAD + b"w,x,0,1\n" + b"\0" * (19 * MB)},
    "csv of unknown takes": lambda: {"a.csv": CSV_HEAD + b"".join(b"walk_%d,x,0,1\n" % k for k in range(1_000_000))},
    "csv of many valid rows": lambda: {"a.csv": CSV_HEAD + b"".join(b"walk,l%d,0,1\n" % k for k in range(90_000))},
    "hubs of many clips": lambda: {"a.hubs": many_clips_hubs()},
    "hubs of many nodes": lambda: {"a.hubs": many_clips_hubs(4, 150_000)},
    "hubs of as many clips as it may have": lambda: {"a.hubs": large_hubs(3000, 5000)},
    "hubs of one hub for all clips": lambda: {"a.hubs": large_hubs(1, 5000)},
    "points in many rows with gaps": lambda: {"a.trc": b"C7.x,C7.y,C7.z\n" + b"1,2,3\n,,\n" * 1_200_000},
    "points in blank rows": lambda: {"a.trc": b"C7.x,C7.y,C7.z," + b"a," * 900_000 + b"\n" * (17 * MB)},
    "points in far frames": lambda: {"a.trc": b"frame,C7.x,C7.y,C7.z\n" + b"0,1,2,3\n1,1,2,3\n9999998,1,2,3\n"},
    "points of one name": lambda: {
        "a.trc": seeds.TRC.replace(b"LANK", b"\t\t".join([b"LANK"] * 3_000_000)),
    },
    "points that a c3d file has too many of": lambda: {"a.c3d": many_frames_c3d()},
    "hubs of as many supports as it may have": lambda: {"a.hubs": large_hubs(3000, 5000, MOST_SUPPORTS)},
    "hubs of many indices": lambda: {"a.hubs": many_indices_hubs()},
    "hubs of many joints": lambda: {"a.hubs": many_names_hubs()},
    "hubs of many labels": lambda: {"a.hubs": many_labels_hubs()},
}


def measure(name: str, folder: Path) -> dict:
    """What becomes of a bomb in a process of its own: what its reader did, megabytes, processor time."""
    from benchmarks.faults.readers import take_in_files

    files = BOMBS[name]()
    place = folder / name.replace(" ", "_")
    place.mkdir()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
            resource.setrlimit(resource.RLIMIT_AS, (size + ROOM, size + ROOM))
            resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE))
            outcome = take_in_files(files, place)
        except BaseException as error:
            outcome = f"{type(error).__name__}: {str(error)[:200]} at {traceback.extract_tb(error.__traceback__)[-1]}"
        os.write(writing, outcome.encode()[:4000])
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        outcome = pipe.read()
    usage = os.wait4(child, 0)[2]
    return {
        "name": name,
        "bytes": sum(map(len, files.values())),
        "outcome": outcome or "killed",
        "megabytes": usage.ru_maxrss * 1024 // MB,
        "seconds": round(usage.ru_utime + usage.ru_stime, 2),
    }


def measure_bombs(folder: Path) -> list[dict]:
    """What becomes of every bomb, measured by a program that has read nothing but small files before."""
    words = [sys.executable, "-m", "benchmarks.faults.bombs", str(folder)]
    ran = subprocess.run(words, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2])
    return [json.loads(line) for line in ran.stdout.splitlines()]


def main(folder: Path, names: list[str]) -> None:
    """Measure bombs and print them."""
    from benchmarks.faults.mutations import KINDS
    from benchmarks.faults.readers import take_in

    for kind in KINDS:
        for content in seeds.make_seeds()[kind]:
            assert take_in(kind, content, folder) == "read"
    for name in names or BOMBS:
        print(json.dumps(measure(name, folder)), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
