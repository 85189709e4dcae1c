"""Motions of faces from the command line: written in every format for points, kept, and refused as bodies at once."""

import json

import numpy as np
import pytest

from motionloom import formats
from motionloom.assembly import load_result, read_result
from motionloom.corpus import Corpus
from motionloom.motion import PointMotion

REQUEST = """
length: 1s
poses:
  - {at: 0s, pose: {take: face/happiness, frame: 0}}
  - {at: end, pose: {take: face/happiness, frame: 300}}
head: {like: {take: face/happiness, frame: 0}}
prior: {takes: ["face/*"]}
"""


@pytest.fixture(scope="module")
def faces(tmp_path_factory, make):
    folder = tmp_path_factory.mktemp("faces") / "corpus"
    make.face_corpus(folder, ("face/happiness", "face/anger", "face/disgust")).close()
    return folder


@pytest.fixture
def request_file(tmp_path):
    (tmp_path / "smile.yaml").write_text(REQUEST)
    return tmp_path / "smile.yaml"


def test_a_smile_is_written_in_every_format_for_points_kept_and_played_again(motionloom, faces, request_file, tmp_path):
    out, report = tmp_path / "smile.npz", tmp_path / "report.json"
    ran = motionloom("dynamics", "solve", faces, request_file, "-o", out, "--save-as", "made/smile", "--report", report)
    assert ran.code == 0, ran.err
    made = read_result(out).character.motion
    assert isinstance(made, PointMotion) and len(made.names) == 40
    quality = {line["name"]: line for line in json.loads(report.read_text())["quality"]}
    assert quality["nearest recorded frame"]["value"] < 3 and quality["foot skate"]["value"] is None
    with Corpus.open(faces) as store:
        kept = load_result(store, "made/smile")
        np.testing.assert_allclose(kept.character.motion.positions, made.positions, atol=1e-6)
        ((source, *_), *nearest) = kept.provenance.of_frame(30)
        assert source.kind == "generated" and nearest[0][0].name.startswith("face/")
    for extension in ("csv", "c3d", "glb", "png"):
        file = tmp_path / f"smile.{extension}"
        verb = "show" if extension == "png" else "export"
        assert motionloom(verb, faces, "made/smile", "-o", file).code == 0
        if extension in ("csv", "c3d"):
            again = formats.read(file).motion
            assert again.names == made.names
            np.testing.assert_allclose(again.positions, made.positions, atol=1e-6)
    assert motionloom("dynamics", "solve", faces, request_file, "-o", tmp_path / "again.csv").code == 0
    np.testing.assert_allclose(formats.read(tmp_path / "again.csv").motion.positions, made.positions, atol=1e-5)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("-o", "smile.bvh"), "smile.bvh: a .bvh holds bodies, and the request makes points; the extensions for"),
        (("-o", "smile.glb", "--skeleton", "reference"), "the request makes points, which have no skeleton"),
    ],
)
def test_what_points_cannot_be_is_refused_before_anything_is_learnt(
    motionloom, faces, request_file, tmp_path, monkeypatch, options, sentence
):
    monkeypatch.setattr("motionloom.assembly.prepare_for", None)
    monkeypatch.chdir(tmp_path)
    ran = motionloom("dynamics", "solve", faces, request_file, *options)
    assert ran.code == 2 and sentence in ran.err and len(ran.err.strip().splitlines()) == 1
    assert not list(tmp_path.glob("smile.[bg]*"))


@pytest.mark.parametrize("name", ["walk.csv", "walk.c3d"])
def test_what_holds_points_is_refused_for_bodies_before_anything_is_learnt(
    motionloom, corpus, tmp_path, monkeypatch, name
):
    monkeypatch.setattr("motionloom.assembly.prepare_for", None)
    (tmp_path / "edit.yaml").write_text("start_from: walk/one\nroot: [{at: 0.2s, position: [0.1, 0]}]\n")
    ran = motionloom("dynamics", "solve", corpus, tmp_path / "edit.yaml", "-o", tmp_path / name)
    assert ran.code == 2 and "holds points, and the request makes bodies; the extensions for bodies are" in ran.err
    assert not (tmp_path / name).exists()
