"""`*.hubs` files: what comes back is what went in, within 16 bits; anything else is one sentence."""

import json
import struct
import zlib
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.errors import BadInput, FormatError
from motionloom.methods.snap.graph.hubs_file import MAGIC, MOST_SUPPORTS, UNIT, hubs_bytes, read_hubs, write_hubs
from motionloom.motion import rotations

PREFIX = 24  # bytes before the header


@pytest.fixture
def graph(hub_graphs):
    return hub_graphs(2, hubs=3, clips=9, takes=2)


def read(tmp_path, content):
    path = tmp_path / "graph.hubs"
    path.write_bytes(content)
    return read_hubs(path)


def rewritten(content: bytes, change) -> bytes:
    """A file whose header was changed, and whose lengths and checksum agree with it."""
    _, version, length, _, _ = struct.unpack_from("<8sIIII", content)
    begin = PREFIX + length + -(PREFIX + length) % 8
    header = json.loads(content[PREFIX : PREFIX + length])
    change(header)
    text = json.dumps(header).encode()
    rest = text + bytes(-(PREFIX + len(text)) % 8) + content[begin:]
    return struct.pack("<8sIIII", MAGIC, version, len(text), PREFIX + len(rest), zlib.crc32(rest)) + rest


def test_a_graph_comes_back_within_sixteen_bits(graph, tmp_path):
    path = tmp_path / "graph.hubs"
    write_hubs(path, graph)
    back = read_hubs(path)
    assert back.skeleton == graph.skeleton
    assert (back.fps, back.nodes, back.clips, back.actions) == (graph.fps, graph.nodes, graph.clips, graph.actions)
    for name in ("clip_starts", "contacts", "placements"):
        np.testing.assert_array_equal(getattr(back, name), getattr(graph, name))
    for found, wanted in ((back.frames, graph.frames), (back.hub_frames, graph.hub_frames)):
        np.testing.assert_array_equal(found[..., :3], wanted[..., :3])
        turns, before = (np.asarray(rows[..., 3:], float).reshape(-1, 4) for rows in (found, wanted))
        assert rotations.angle_between(turns, before).max() < 2.05 / UNIT  # half a unit in each of four numbers, twice
        np.testing.assert_allclose(np.linalg.norm(turns, axis=-1), 1, atol=1e-6)


def test_all_clips_of_a_hub_still_share_one_pose_bit_for_bit(graph, tmp_path):
    back = read(tmp_path, hubs_bytes(graph))
    for hub in range(graph.n_hubs):
        rows = [back.clip_starts[c] for c in back.leaving[hub]]
        assert rows
        assert all(back.frames[row].tobytes() == back.hub_frames[hub, 1].tobytes() for row in rows)


def test_the_same_graph_makes_the_same_bytes(graph, hub_graphs, tmp_path):
    content = hubs_bytes(graph)
    assert content == hubs_bytes(hub_graphs(2, hubs=3, clips=9, takes=2))
    assert len(content) < 12_000 + graph.n_frames * (12 + 8 * graph.skeleton.n_joints + 1)


def test_names_may_be_of_any_language(graph, tmp_path):
    named = replace(graph, nodes=(replace(graph.nodes[0], name="Ruhe → 静止"), *graph.nodes[1:]))
    assert read(tmp_path, hubs_bytes(named)).nodes[0].name == "Ruhe → 静止"


def test_what_is_not_a_number_is_not_written(graph, tmp_path):
    frames = graph.frames.copy()
    frames[5, 7] = np.nan
    with pytest.raises(BadInput, match="the frames of the graph have values that are not finite"):
        write_hubs(tmp_path / "graph.hubs", replace(graph, frames=frames))
    assert not list(tmp_path.iterdir())


def test_every_cut_off_file_is_refused(graph, tmp_path):
    content = hubs_bytes(graph)
    for length in [*range(40), *range(40, len(content), 997), len(content) - 1]:
        with pytest.raises(FormatError, match=r"cut off|is empty"):
            read(tmp_path, content[:length])


def test_every_damaged_byte_is_found(graph, tmp_path):
    content = hubs_bytes(graph)
    for place in [*range(60), *range(60, len(content), 501)]:
        damaged = bytearray(content)
        damaged[place] ^= 0x41
        with pytest.raises(FormatError):
            read(tmp_path, bytes(damaged))
    with pytest.raises(FormatError, match="damaged"):
        read(tmp_path, content + b"\0")


def test_foreign_files_are_refused(tmp_path):
    for foreign in (b"HIERARCHY\nROOT Hips", b"\x93NUMPY", b"HUBS", b"HUBS\n\x1a\n" + bytes(90)):
        with pytest.raises(FormatError, match=r"not a \.hubs file|cut off"):
            read(tmp_path, foreign)
    with pytest.raises(FormatError, match="cannot be read"):
        read_hubs(tmp_path / "nothing.hubs")


def test_a_newer_version_says_so(graph, tmp_path):
    content = bytearray(hubs_bytes(graph))
    content[8:12] = struct.pack("<I", 7)
    with pytest.raises(FormatError, match=r"format version 7, but this motionloom reads up to 2\. Please update"):
        read(tmp_path, bytes(content))


CHANGES = {
    "no skeleton": lambda header: header.pop("skeleton"),
    "a parent that is none": lambda header: header["skeleton"]["parents"].__setitem__(1, 4),
    "a clip from nowhere": lambda header: header["clips"][0].update(source=99),
    "a clip to below": lambda header: header["clips"][0].update(target=-1),
    "a clip without frames": lambda header: header["clips"][0].update(frames=0),
    "more frames than a file can have": lambda header: header["clips"][-1].update(frames=10**18),
    "more frames than a number can count": lambda header: header["clips"][-1].update(frames=10**30),
    "frames in the dark": lambda header: header["arrays"]["roots"].update(offset=10**12),
    "frames before the file": lambda header: header["arrays"]["roots"].update(offset=-8),
    "another type": lambda header: header["arrays"]["rotations"].update(type="object"),
    "another shape": lambda header: header["arrays"]["contacts"].update(shape=[3]),
    "no time": lambda header: header.update(fps=0),
    "no number": lambda header: header["clips"][0].update(placement=[0, float("inf"), 0]),
    "a short placement": lambda header: header["clips"][0].update(placement=[0, 0]),
    "a node of a new kind": lambda header: header["nodes"][0].update(kind="door"),
    "a hub at the end": lambda header: header["nodes"].append(header["nodes"].pop(0)),
    "an action that nobody does": lambda header: header["actions"][0].update(clips=[1000]),
    "no clips": lambda header: header.update(clips=[]),
    "words for numbers": lambda header: header.update(nodes="hub"),
    "numbers for words": lambda header: header["clips"][0].update(name=3),
    "an action without clips": lambda header: header["actions"][0].update(clips=[]),
    "an action with a clip twice": lambda header: header["actions"][0].update(clips=[0, 0]),
    "a share that is none": lambda header: header["clips"][0].update(labels={"walk": float("nan")}),
    "more than all frames": lambda header: header["clips"][0].update(labels={"walk": 1.5}),
    "a clip that ends before it starts": lambda header: header["clips"][0].update(start=9, stop=3),
    "a clip from before its take": lambda header: header["clips"][0].update(start=-3, stop=3),
    "a clip of a take without end": lambda header: header["clips"][0].update(stop=10**40),
    "a start between two frames": lambda header: header["clips"][0].update(start=0.5),
    "a placement far away": lambda header: header["clips"][0].update(placement=[1e300, 0, 0]),
    "a heading that turns for ever": lambda header: header["clips"][0].update(placement=[0, 0, 1e300]),
    "a rate that nobody records": lambda header: header.update(fps=1e9),
    "half a character": lambda header: header["nodes"][0].update(name="\ud800"),
    "a name without end": lambda header: header["clips"][0].update(name="x" * 2000),
    "a parent between two joints": lambda header: header["skeleton"]["parents"].__setitem__(1, 0.5),
    "bones for giants": lambda header: header["skeleton"]["offsets"].__setitem__(1, [0, 1e38, 0]),
    "too many nodes": lambda header: header.update(nodes=header["nodes"][:1] * 3001),
    "too many clips": lambda header: header.update(clips=header["clips"][:1] * 5001),
    "too many labels": lambda header: header["clips"][0].update(labels={str(k): 0.5 for k in range(1001)}),
    "labels in a list": lambda header: header["clips"][0].update(labels=["walk"]),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_a_header_that_does_not_hold_is_one_sentence(graph, tmp_path, change):
    with pytest.raises(FormatError, match="its parts do not make a hub graph"):
        read(tmp_path, rewritten(hubs_bytes(graph), change))


def test_a_graph_far_from_the_origin_is_one_sentence(graph, tmp_path):
    frames = graph.frames.copy()
    frames[3, 1] = 1e38
    with pytest.raises(FormatError, match=r"a position in 'roots' is farther than 100000 m from the origin"):
        read(tmp_path, hubs_bytes(replace(graph, frames=frames)))


def test_a_header_without_end_is_one_sentence(graph, tmp_path):
    with pytest.raises(FormatError, match=r"its header has 10.* bytes; at most 10000000 are read"):
        read(tmp_path, rewritten(hubs_bytes(graph), lambda header: header.update(note=" " * 10_000_000)))


@pytest.mark.parametrize("text", [b"[]", b"7", b"{", b"[" * 100_000, b"\xff\xfe", b""])
def test_a_header_that_is_none_is_one_sentence(tmp_path, text):
    content = struct.pack("<8sIIII", MAGIC, 1, len(text), PREFIX + len(text), zlib.crc32(text)) + text
    with pytest.raises(FormatError, match="its header cannot be read"):
        read(tmp_path, content)


@given(rest=st.binary(max_size=200), length=st.integers(0, 2**32 - 1), version=st.integers(0, 2))
def test_random_bytes_never_do_more_than_be_refused(tmp_path_factory, rest, length, version):
    content = struct.pack("<8sIIII", MAGIC, version, length, PREFIX + len(rest), zlib.crc32(rest)) + rest
    with pytest.raises(FormatError):
        read(tmp_path_factory.mktemp("fuzz"), content)


@pytest.fixture
def stepped(hub_graphs):
    return hub_graphs(2, hubs=3, clips=9, takes=2, steps=4)


def test_what_clips_stand_on_comes_back_within_single_precision(stepped, graph, tmp_path):
    back = read(tmp_path, hubs_bytes(stepped))
    assert len(stepped.supports) > 10
    np.testing.assert_array_equal(back.supports[:, :3], stepped.supports[:, :3])
    np.testing.assert_allclose(back.supports, stepped.supports, atol=1e-6)
    for clip in range(len(stepped.clips)):
        wanted = stepped.footing(clip).to_rows()
        np.testing.assert_allclose(back.footing(clip).to_rows(), wanted, atol=1e-6)
    assert hubs_bytes(back) == hubs_bytes(replace(stepped, frames=back.frames, hub_frames=back.hub_frames))


def test_only_files_with_steps_need_the_newer_version(stepped, graph, tmp_path):
    versions = [struct.unpack_from("<8sI", hubs_bytes(written))[1] for written in (graph, stepped)]
    assert versions == [1, 2]
    assert not len(read(tmp_path, hubs_bytes(graph)).supports)
    flat, raised = (hubs_bytes(written) for written in (graph, replace(stepped, supports=graph.supports)))
    assert flat == raised


def rows_of(stepped, change):
    """A file whose supports were changed after they were written: `change` gets both arrays."""
    frames, boxes = stepped.supports[:, :3].astype("<u4"), stepped.supports[:, 3:].astype("<f4")
    content = hubs_bytes(stepped)
    places = [content.rindex(array.tobytes()) for array in (frames, boxes)]
    lengths = [array.nbytes for array in (frames, boxes)]
    change(frames, boxes)
    changed = bytearray(content)
    for place, length, array in zip(places, lengths, (frames, boxes)):
        changed[place : place + length] = array.tobytes()
    return rewritten(bytes(changed), lambda header: None)


BROKEN = {
    "a clip that is none": (lambda frames, boxes: frames.__setitem__((-1, 0), 99), "support 2[0-9] is of clip 99"),
    "clips out of order": (lambda frames, boxes: frames.__setitem__((0, 0), 12), "in the order of their clips"),
    "no frames": (lambda frames, boxes: frames.__setitem__((3, 2), frames[3, 1]), r"support 3 has the frames \["),
    "frames after its clip": (lambda frames, boxes: frames.__setitem__((3, 2), 10**9), r"support 3 has the frames \["),
    "a place that is no number": (lambda frames, boxes: boxes.__setitem__((1, 0), np.nan), "not finite"),
    "a box without extent": (lambda frames, boxes: boxes.__setitem__((1, 2), 0.0), "half extents of 0 and"),
    "a box upside down": (lambda frames, boxes: boxes.__setitem__((1, 6), 9.0), "above its top"),
    "a box far away": (lambda frames, boxes: boxes.__setitem__((1, 0), 2e4), "below 10000"),
}


@pytest.mark.parametrize(("change", "sentence"), BROKEN.values(), ids=BROKEN.keys())
def test_broken_rows_of_steps_are_one_sentence(stepped, tmp_path, change, sentence):
    with pytest.raises(FormatError, match=f"its parts do not make a hub graph .*{sentence}"):
        read(tmp_path, rows_of(stepped, change))


SHAPES = {
    "more rows than boxes": lambda header: header["arrays"]["support_frames"]["shape"].__setitem__(0, 3),
    "rows of another width": lambda header: header["arrays"]["supports"].update(shape=[4, 9]),
    "a count that is none": lambda header: header["arrays"]["supports"].update(shape=["many", 7]),
    "a count below zero": lambda header: header["arrays"]["supports"].update(shape=[-1, 7]),
    "no shape": lambda header: header["arrays"]["supports"].update(shape=[]),
    "boxes without frames": lambda header: header["arrays"].pop("support_frames"),
    "whole numbers for boxes": lambda header: header["arrays"]["supports"].update(type="uint32"),
}


@pytest.mark.parametrize("change", SHAPES.values(), ids=SHAPES.keys())
def test_arrays_of_steps_that_do_not_agree_are_one_sentence(stepped, tmp_path, change):
    with pytest.raises(FormatError, match="its parts do not make a hub graph"):
        read(tmp_path, rewritten(hubs_bytes(stepped), change))


def test_too_many_steps_are_one_sentence(stepped, tmp_path):
    many = np.repeat(stepped.supports[:1], MOST_SUPPORTS + 1, axis=0)
    with pytest.raises(BadInput, match=f"{MOST_SUPPORTS + 1} supports; at most {MOST_SUPPORTS}"):
        hubs_bytes(replace(stepped, supports=many))
    too_many = rewritten(
        hubs_bytes(stepped), lambda header: header["arrays"]["supports"].update(shape=[MOST_SUPPORTS + 1, 7])
    )
    with pytest.raises(FormatError, match=f"{MOST_SUPPORTS + 1} supports; at most {MOST_SUPPORTS} are read"):
        read(tmp_path, too_many)


def test_steps_that_are_not_a_number_are_not_written(stepped, tmp_path):
    supports = stepped.supports.copy()
    supports[2, 4] = np.inf
    with pytest.raises(BadInput, match="the supports of the graph have values that are not finite"):
        write_hubs(tmp_path / "graph.hubs", replace(stepped, supports=supports))


def test_a_subgraph_keeps_the_steps_of_its_clips(stepped):
    kept = [c for c in range(len(stepped.clips)) if c % 2]
    part = stepped.keep_clips(kept)
    for new, old in enumerate(kept):
        assert part.footing(new) == stepped.footing(old)
    arrays = part.to_arrays()
    np.testing.assert_array_equal(type(part).from_arrays(arrays, part.skeleton).supports, part.supports)
