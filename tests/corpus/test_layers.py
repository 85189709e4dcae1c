"""Layers: computed once, kept with what made them."""

import json
from dataclasses import replace

import numpy as np
import pytest
from benchmarks.unseen.performed_supports import perform_supports

from motionloom.caching import KINDS, Kind
from motionloom.corpus import LAYERS, Corpus, compute_layers, make_layers, read_ground
from motionloom.corpus import layers as layers_module
from motionloom.errors import BadInput
from motionloom.formats.take import Take
from motionloom.motion import Motion, Skeleton


@pytest.fixture
def filled(corpus, takes):
    corpus.add(takes.body("a", seed=1))
    corpus.add(takes.body("b", seed=2))
    corpus.add(takes.points("face"))
    return corpus


def test_layers_have_their_shapes_and_are_what_is_computed_from_the_take(filled):
    shapes = {"facing": (12, 3), "positions": (12, 21, 3), "velocities": (12, 21, 3), "accelerations": (12, 21, 3)}
    shapes |= {"contacts": (12, 4), "contact_heights": (12, 4), "supports": (0, 7)}
    assert set(shapes) == set(LAYERS)
    computed = compute_layers(filled.take("a").motion, filled.info("a").floor_height, LAYERS)
    for layer, shape in shapes.items():
        array = filled.layer("a", layer)
        assert array.shape == shape
        assert array.dtype == (bool if layer == "contacts" else np.float32)
        np.testing.assert_array_equal(array, computed[layer])


def test_a_layer_is_computed_once_and_then_mapped(filled, monkeypatch):
    first = np.array(filled.layer("a", "positions"))
    monkeypatch.setattr(layers_module, "compute_layers", None)
    again = filled.layer("a", "positions")
    assert isinstance(again, np.memmap)
    np.testing.assert_array_equal(again, first)


def test_readers_use_kept_layers_and_compute_missing_ones_without_writing(filled):
    kept = np.array(filled.layer("a", "facing"))
    with Corpus.open(filled.folder) as reader:
        assert isinstance(reader.layer("a", "facing"), np.memmap)
        before = sorted(path.name for path in filled.arrays.iterdir())
        missing = reader.layer("b", "facing")
        assert not isinstance(missing, np.memmap)
        assert sorted(path.name for path in filled.arrays.iterdir()) == before
        np.testing.assert_array_equal(reader.layer("a", "facing"), kept)
        np.testing.assert_array_equal(filled.layer("b", "facing"), missing)


def test_layers_are_kept_with_settings_code_and_take(filled):
    filled.layer("a", "contacts")
    row = filled.connection.execute("SELECT made_with, code_version, take_digest FROM layers").fetchone()
    assert json.loads(row[0])["settings"]["slow"] == 0.2
    assert row[1] == LAYERS["contacts"].compute.code_version
    assert row[2] == filled.info("a").digest


@pytest.mark.parametrize("changed", ["code", "settings", "floor"])
def test_a_layer_is_made_again_when_code_settings_or_floor_change(filled, monkeypatch, changed):
    old = np.array(filled.layer("a", "positions"))
    if changed == "code":
        monkeypatch.setattr(Kind, "code_version", "other")
    elif changed == "settings":
        kinds = {**LAYERS, "positions": replace(LAYERS["positions"], settings={"new": 1})}
        monkeypatch.setattr(layers_module, "LAYERS", kinds)
    else:
        filled.set_floor("a", filled.info("a").floor_height - 1.0)
    made = []
    real = layers_module.compute_layers
    monkeypatch.setattr(layers_module, "compute_layers", lambda *a: made.append(1) or real(*a))
    new = np.array(filled.layer("a", "positions"))
    assert made == [1]
    np.testing.assert_allclose(new[..., 1] - old[..., 1], 1.0 if changed == "floor" else 0.0, atol=1e-6)
    assert filled.connection.execute("SELECT count(*) FROM layers").fetchone() == (1,)
    assert len(list(filled.arrays.iterdir())) == 4  # three takes and one layer: the old one is gone


@pytest.mark.parametrize("workers", [0, 2])
def test_all_missing_layers_are_made_at_once_and_only_those(filled, workers):
    filled.layer("a", "facing")
    seen = []
    assert make_layers(filled, workers=workers, progress=lambda done, total: seen.append((done, total))).made == 13
    assert seen == [(1, 2), (2, 2)]
    assert make_layers(filled, workers=workers).made == 0
    assert isinstance(filled.layer("b", "contacts"), np.memmap)


def test_takes_whose_layers_cannot_be_made_are_reported_and_the_others_go_on(filled, takes):
    lonely = Motion(
        Skeleton(("root",), np.array([-1]), np.zeros((1, 3))), np.zeros((5, 3)), np.eye(4)[:1, None].repeat(5, 0), 60.0
    )
    filled.add(Take("aa", lonely, takes.body("x").source))
    report = make_layers(filled, workers=0)
    assert report.made == 14
    ((name, message),) = report.refused
    assert name == "aa"
    assert message
    assert isinstance(filled.layer("b", "contacts"), np.memmap)


def test_every_layer_is_a_kind_of_its_own():
    assert [kind.compute for kind in LAYERS.values()] == [KINDS[f"layer {layer}"] for layer in LAYERS]
    versions = {kind.compute.code_version for kind in LAYERS.values()}
    assert len(versions) == 3  # velocities and accelerations come from the same files as positions


def test_layers_that_are_no_more_go_with_their_arrays_when_others_of_the_take_are_kept(filled, monkeypatch):
    monkeypatch.setattr(layers_module, "LAYERS", {**LAYERS, "old": LAYERS["facing"]})
    filled.layer("a", "old")
    filled.layer("b", "old")
    monkeypatch.undo()
    filled.layer("a", "positions")
    rows = filled.connection.execute("SELECT layer, file FROM layers ORDER BY layer").fetchall()
    assert [layer for layer, _ in rows] == ["old", "positions"]  # that of b stays until something of b is made
    assert len(list(filled.arrays.iterdir())) == 5  # three takes and two layers


def test_points_have_no_layers_and_unknown_layers_name_the_known(filled):
    with pytest.raises(BadInput, match="face: has points and no skeleton"):
        filled.layer("face", "facing")
    with pytest.raises(BadInput, match="no layer 'speed'; the layers are facing, positions"):
        filled.layer("a", "speed")


def test_a_process_whose_sources_change_leaves_the_layers_of_others_alone(filled, monkeypatch):
    filled.layer("a", "positions")
    before = filled.connection.execute("SELECT * FROM layers").fetchall()
    monkeypatch.setattr(Kind, "code_version", "code~1")
    first = filled.layer("a", "positions")
    assert make_layers(filled, workers=0).made == 0  # nobody else could use them
    assert filled.connection.execute("SELECT * FROM layers").fetchall() == before
    monkeypatch.setattr(layers_module, "compute_layers", None)
    assert filled.layer("a", "positions") is first


def test_a_corpus_keeps_what_the_feet_of_a_take_stand_on(filled, takes):
    walk = perform_supports("stairs", seed=1)
    filled.add(Take("stairs", walk.motion, takes.body("x").source))
    ground = read_ground(filled, "stairs")
    contacts, heights = filled.layer("stairs", "contacts"), filled.layer("stairs", "contact_heights")
    assert filled.layer("stairs", "supports").shape == (len(ground.boxes), 7)
    assert ground.floor == filled.info("stairs").floor_height
    steps = np.unique(np.round(walk.heights[walk.contacts & (walk.heights > 0)], 3))
    np.testing.assert_allclose(np.unique(np.round([box.top for box in ground.boxes], 2)), steps, atol=0.02)
    surfaces = np.unique(np.float32([ground.floor, *(box.top for box in ground.boxes)]))
    np.testing.assert_array_equal(np.unique(heights[contacts]), surfaces)
    with Corpus.open(filled.folder) as reader:
        assert read_ground(reader, "stairs").to_data() == ground.to_data()


def test_a_take_on_the_floor_alone_has_a_flat_ground(filled):
    first, again = read_ground(filled, "a"), read_ground(filled, "a")
    assert first == again and first.is_flat
    assert filled.layer("a", "supports").shape == (0, 7)
