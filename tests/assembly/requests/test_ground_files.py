"""Ground files: what is written is read again, and what is wrong is one sentence with the file's name."""

import json

import numpy as np
import pytest

from motionloom.assembly.requests.ground_files import read_ground_file, write_ground_file
from motionloom.errors import BadInput, FormatError
from motionloom.motion import Box, Ground, Terrain

GROUND = Ground(
    0.1,
    (Box((1.0, 2.0), (0.3, 0.2), 0.5, 0.4, 0.1), Box((0.0, -1.0), (0.1, 0.1), 0.0, 0.9, 0.8)),
    Terrain((-1.0, 0.0), 0.25, np.random.default_rng(0).normal(size=(5, 7)), 0.3),
)


@pytest.mark.parametrize("name", ["ground.yaml", "ground.JSON", "ground"])
@pytest.mark.parametrize("ground", [GROUND, Ground(-0.25), Ground(0.0, GROUND.boxes)])
def test_a_ground_that_is_written_is_read_again(tmp_path, name, ground):
    write_ground_file(tmp_path / name, ground)
    assert read_ground_file(tmp_path / name).to_data() == ground.to_data()


def test_a_large_terrain_goes_to_json(tmp_path):
    large = Ground(0.0, (), Terrain((0.0, 0.0), 0.01, np.round(np.random.default_rng(1).random((400, 300)), 3)))
    with pytest.raises(BadInput, match=r"too large for YAML; give it a name that ends in .json"):
        write_ground_file(tmp_path / "large.yaml", large)
    assert not (tmp_path / "large.yaml").exists()
    write_ground_file(tmp_path / "large.json", large)
    np.testing.assert_array_equal(read_ground_file(tmp_path / "large.json").terrain.heights, large.terrain.heights)


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("a.yaml", "", "is not a ground; expected at least `floor: 0`"),
        ("a.yaml", "[1, 2]", "is not a ground"),
        ("a.yaml", "boxes: []", "a ground lacks floor"),
        ("a.yaml", "floor: 0\nhills: 3", "a ground has unknown hills"),
        ("a.yaml", "floor: high", "floor of a ground is 'high'; expected a number"),
        ("a.yaml", "floor: .nan", "should be a finite number"),
        ("a.yaml", "floor: 0\nboxes: 3", "expected a list"),
        ("a.yaml", "floor: 0\nboxes: [{top: 1}]", "box 0 of a ground lacks bottom, centre, half, turn"),
        ("a.yaml", "floor: &a 0", "anchors"),
        ("a.yaml", "floor: 0\nterrain: {origin: [0, 0], spacing: 0, heights: [[1]]}", "the spacing must be above 0"),
        ("a.yaml", "floor: 0\nterrain: {origin: [0, 0], spacing: 1, heights: [[1], [2, 3]]}", "no numbers in rows"),
        ("a.json", "{", "is not valid JSON"),
        ("a.json", '{"floor": NaN}', "NaN cannot be used"),
        ("a.json", '{"floor": 1e400}', "expected a finite number"),
        ("a.json", '{"floor": 0, "boxes": ' + "[" * 100_000, "is not valid JSON"),
        ("a.json", '{"floor": ' + "1" * 10_000 + "}", "is not valid JSON"),
    ],
)
def test_what_is_wrong_is_one_sentence_with_the_name_of_the_file(tmp_path, name, text, problem):
    (tmp_path / name).write_text(text)
    with pytest.raises(FormatError, match=name) as caught:
        read_ground_file(tmp_path / name)
    assert problem in str(caught.value) and "\n" not in str(caught.value)


def test_files_that_cannot_be_read_are_refused(tmp_path):
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe\x00")
    for name in ("bytes.json", "missing.json", "missing.yaml", "."):
        with pytest.raises(FormatError, match=r"no such file|cannot be read"):
            read_ground_file(tmp_path / name)


def test_a_file_may_say_only_what_matters(tmp_path):
    (tmp_path / "ramp.json").write_text(
        json.dumps({"floor": 0, "terrain": {"origin": [0, 0], "spacing": 2, "heights": [[0, 1], [0, 1]]}})
    )
    ground = read_ground_file(tmp_path / "ramp.json")
    assert ground.boxes == () and ground.heights(np.array([1.0, 1.0])) == pytest.approx(0.5)
