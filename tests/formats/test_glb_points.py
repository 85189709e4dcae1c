"""Points in GLB files: accepted by the Khronos validator, and where they are in every frame."""

import numpy as np
import pytest
from tests.formats.glb_reading import Glb, validate

from motionloom import formats
from motionloom.formats import _glb_points
from motionloom.markers import full_body_markers, put_on
from motionloom.motion import PointMotion
from motionloom.motion.drawn_points import describe_drawn
from motionloom.performer.face.markers import NAMES, NEUTRAL

INDEX = {name: number for number, name in enumerate(NAMES)}


def speaking(n_frames: int = 30) -> PointMotion:
    """A face whose lower lip goes up and down, one marker missing for a while and one always."""
    positions = np.tile(NEUTRAL / 1000 + [0.2, 1.2, 0.0], (n_frames, 1, 1))
    positions[:, INDEX["lower_lip"], 1] += 0.01 * np.sin(np.arange(n_frames) / 3)
    positions += np.linspace(0, 0.1, n_frames)[:, None, None] * [1.0, 0.0, 0.0]
    positions[10:15, INDEX["left_cheek"]] = np.nan
    positions[:4, INDEX["chin"]] = np.nan
    positions[:, INDEX["left_ear"]] = np.nan
    return PointMotion(NAMES, positions, 60.0)


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    path = tmp_path_factory.mktemp("glb") / "face.glb"
    formats.write(path, speaking())
    return speaking(), Glb(path)


def test_the_validator_has_nothing_to_say_against_points(make, tmp_path):
    body = make.motion(20)
    still = PointMotion(NAMES, np.tile(NEUTRAL / 1000, (3, 1, 1)), 60.0)
    line = PointMotion(("a", "b", "c"), np.arange(18.0).reshape(2, 3, 3), 30.0)
    motions = {
        "face": speaking(),
        "still": still,
        "unnamed": PointMotion(tuple(f"m{number}" for number in range(40)), speaking().positions, 60.0),
        "body": put_on(body, full_body_markers(body.skeleton)),
        "line": line,
        "two": PointMotion(("a", "b"), line.positions[:, :2], 30.0),
        "one": PointMotion(("a",), line.positions[:1, :1], 30.0),
        "same": PointMotion(("a", "b", "c", "d"), np.zeros((2, 4, 3)), 30.0),
    }
    for name, motion in motions.items():
        formats.write(tmp_path / f"{name}.glb", motion)
    for report in validate(*(tmp_path / f"{name}.glb" for name in motions)):
        assert (report["numErrors"], report["numWarnings"]) == (0, 0), report


def keys_of(file: Glb, node: int, path: str) -> tuple[np.ndarray, np.ndarray]:
    """Times (K,) and values (K, 3) of one channel."""
    animation = file.document["animations"][0]
    (channel,) = (c for c in animation["channels"] if c["target"] == {"node": node, "path": path})
    sampler = animation["samplers"][channel["sampler"]]
    return file.array(sampler["input"])[:, 0], file.array(sampler["output"])


def test_every_point_is_a_named_node_that_moves_as_it_does(written):
    motion, file = written
    nodes = file.document["nodes"]
    assert [node["name"] for node in nodes[1:-1]] == [name for name in NAMES if name != "left_ear"]
    assert nodes[0]["children"] == list(range(1, 40)) and all(node["mesh"] == 0 for node in nodes[1:-1])
    for number, node in enumerate(nodes[1:-1], start=1):
        own = motion.positions[:, INDEX[node["name"]]]
        seen = np.isfinite(own).all(axis=1)
        times, places = keys_of(file, number, "translation")
        np.testing.assert_allclose(times, np.flatnonzero(seen) / 60.0, atol=1e-6)
        np.testing.assert_allclose(places, own[seen], atol=1e-6)
    assert file.document["animations"][0]["extras"]["fps"] == 60.0


def test_what_is_missing_has_no_size_meanwhile(written):
    _, file = written
    number = {node["name"]: at for at, node in enumerate(file.document["nodes"])}
    times, sizes = keys_of(file, number["left_cheek"], "scale")
    np.testing.assert_allclose(times, [0.0, 10 / 60, 15 / 60], atol=1e-6)
    np.testing.assert_array_equal(sizes, [[1] * 3, [0] * 3, [1] * 3])
    times, sizes = keys_of(file, number["chin"], "scale")
    np.testing.assert_allclose(times, [0.0, 4 / 60], atol=1e-6)
    np.testing.assert_array_equal(sizes, [[0] * 3, [1] * 3])
    scaled = [c for c in file.document["animations"][0]["channels"] if c["target"]["path"] == "scale"]
    assert len(scaled) == 2


def test_the_mesh_is_skinned_to_the_points(written):
    """A viewer shows each vertex where its point is: as far from its joint as it is bound, whatever the joint does."""
    _, file = written
    mesh, skin = file.document["meshes"][1], file.document["skins"][0]
    assert skin["joints"] == list(range(1, 40))
    inverse = file.array(skin["inverseBindMatrices"]).reshape(-1, 4, 4).swapaxes(-1, -2).astype(float)
    kinds = [file.document["materials"][primitive["material"]]["name"] for primitive in mesh["primitives"]]
    assert kinds == ["skin", "mouth", "eye", "line", "outline"]
    for primitive, kind in zip(mesh["primitives"], kinds):
        attributes = (primitive["attributes"][key] for key in ("POSITION", "JOINTS_0", "WEIGHTS_0"))
        vertices, joints, weights = map(file.array, attributes)
        each = 6 if kind in ("line", "outline") else 1
        np.testing.assert_array_equal(joints[:, 0], np.repeat(np.arange(39), each))
        np.testing.assert_array_equal(weights, np.tile([1, 0, 0, 0], (39 * each, 1)))
        around = np.linalg.norm(vertices + inverse[joints[:, 0], :3, 3], axis=1)
        np.testing.assert_allclose(around, {"line": 0.00054, "outline": 0.00108}.get(kind, 0.0), atol=1e-6)
        indices = file.array(primitive["indices"])[:, 0]
        assert indices.max() < 39 * each and len(indices) % 3 == 0 and "mode" not in primitive


def test_lines_are_ribbons_between_their_ends(written):
    _, file = written
    (line,) = (
        primitive
        for primitive in file.document["meshes"][1]["primitives"]
        if file.document["materials"][primitive["material"]]["name"] == "line"
    )
    joints = file.array(line["attributes"]["JOINTS_0"])[:, 0]
    triangles = file.array(line["indices"])[:, 0].reshape(-1, 6, 3)  # of each line
    motion = speaking()
    mesh = describe_drawn(motion).mesh
    kept = [number for number in range(40) if number != INDEX["left_ear"]]
    joined = {tuple(sorted(kept[joint] for joint in set(joints[part.ravel()].tolist()))) for part in triangles}
    assert joined == {tuple(edge) for edge in mesh.edges.tolist()}
    vertices = file.array(line["attributes"]["POSITION"])
    areas = np.linalg.norm(
        np.cross(*(vertices[triangles[..., k]] - vertices[triangles[..., 0]] for k in (1, 2))), axis=-1
    )
    assert (np.sort(areas, axis=1)[:, 2:] > 0).all()  # four triangles at least have an area, whichever way a line goes


def test_balls_are_round_small_and_look_outwards(written):
    _, file = written
    ball = file.document["meshes"][0]["primitives"][0]
    vertices, normals = (file.array(ball["attributes"][key]) for key in ("POSITION", "NORMAL"))
    radius = np.linalg.norm(vertices, axis=1)
    assert radius.min() == pytest.approx(radius.max(), rel=1e-5) and 0.001 < radius.max() < 0.005
    np.testing.assert_allclose(normals, vertices / radius[:, None], atol=1e-5)
    a, b, c = np.moveaxis(vertices[file.array(ball["indices"])[:, 0].reshape(-1, 3)], 1, 0)
    outwards = (np.cross(b - a, c - a) * (a + b + c)).sum(axis=1)
    assert (outwards > 0).all()


def test_points_that_stay_where_they_are_get_a_single_key(tmp_path):
    still = PointMotion(NAMES, np.tile(NEUTRAL / 1000, (30, 1, 1)), 60.0)
    formats.write(tmp_path / "a.glb", still)
    assert len(keys_of(Glb(tmp_path / "a.glb"), 5, "translation")[0]) == 1
    assert _glb_points.encode(still, "a") == _glb_points.encode(still, "a")
