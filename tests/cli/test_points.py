"""Points through the commands: imported with what was found, listed, drawn, and exported as they came."""

import numpy as np
import pytest
from tests.formats.malformed.points import c3d_file
from tests.formats.point_sets import body_points, face_points, with_gaps

from motionloom import formats
from motionloom.formats import Source


@pytest.fixture
def markers(tmp_path):
    """A folder with a face as a table in centimetres and a body as C3D in millimetres, z up and with gaps."""
    folder = tmp_path / "markers"
    folder.mkdir()
    formats.write(folder / "smile.csv", face_points(), Source("", "", "", 60.0, 0.01))
    body = with_gaps(body_points(), (3, 10, 13), (5, 20, 38))
    formats.write(folder / "stand.c3d", body, Source("", "", "", 100.0, 0.001, up="z"))
    (folder / "INDEX.csv").write_text("file,frames\nsmile.csv,40\n")
    return folder


@pytest.fixture
def filled(tmp_path, markers, motionloom):
    """A corpus of them."""
    motionloom("new", tmp_path / "points")
    assert motionloom("import", tmp_path / "points", markers).code == 0
    return tmp_path / "points"


def test_an_import_tells_of_gaps_and_of_what_is_left_out(tmp_path, markers, motionloom):
    (markers / "force.c3d").write_bytes(c3d_file(np.arange(24.0).reshape(4, 2, 3), n_analog=6))
    motionloom("new", tmp_path / "points")
    ran = motionloom("import", tmp_path / "points", markers)
    assert ran.code == 0 and "3 takes imported, 0 already there, 0 refused" in ran.out
    told = " ".join(ran.err.split())
    assert "look at force: 6 analog channels at 100 per second are left out" in told
    assert "look at stand: 2 gaps in 2 of 6 points, 8.8 % of all samples; the longest, of 'LTOE', lasts 0.18 s" in told


def test_short_gaps_are_filled_on_request(tmp_path, markers, motionloom):
    motionloom("new", tmp_path / "points")
    assert motionloom("import", tmp_path / "points", markers, "--fill-gaps", "0.05").code == 0
    found = motionloom("info", tmp_path / "points", "stand").out
    assert "1 gap of up to 0.05 s filled, 3 samples of LANK" in " ".join(found.split())
    refusal = motionloom("import", tmp_path / "points", markers, "--fill-gaps", "3")
    assert refusal.code != 0 and "gaps to be filled must be 0 to 1 seconds long" in " ".join(refusal.err.split())


def test_which_samples_were_filled_is_kept(tmp_path, markers, motionloom):
    from motionloom.corpus import Corpus

    motionloom("new", tmp_path / "points")
    motionloom("import", tmp_path / "points", markers, "--fill-gaps", "0.05")
    with Corpus.open(tmp_path / "points") as corpus:
        assert corpus.take("stand").source.filled == (("LANK", 10, 13),)
        assert corpus.take("smile").source.filled == ()


@pytest.mark.parametrize("extension", ["csv", "c3d", "npz"])
def test_points_come_out_as_they_went_in(extension, filled, markers, tmp_path, motionloom):
    ran = motionloom("export", filled, "smile", "stand", "-o", f"{tmp_path}/out/{{take}}.{extension}")
    assert ran.code == 0, ran.err
    for name, original in (("smile", "smile.csv"), ("stand", "stand.c3d")):
        before = formats.read(markers / original)
        after = formats.read(tmp_path / "out" / f"{name}.{extension}")
        assert (after.motion.names, after.motion.fps) == (before.motion.names, before.motion.fps)
        assert (after.source.up, after.source.metres_per_unit) == (before.source.up, before.source.metres_per_unit)
        np.testing.assert_allclose(after.motion.positions, before.motion.positions, rtol=2e-7, atol=1e-9)


def test_points_are_listed_and_drawn(filled, tmp_path, motionloom):
    assert "points" in motionloom("info", filled, "smile").out
    for name in ("smile", "stand"):
        assert motionloom("show", filled, name, "-o", tmp_path / f"{name}.png").code == 0
        assert (tmp_path / f"{name}.png").stat().st_size > 5000


def test_what_a_format_does_not_hold_is_refused(corpus, filled, tmp_path, motionloom):
    refusal = motionloom("export", corpus, "wave", "-o", tmp_path / "wave.c3d")
    assert refusal.code != 0 and "a .c3d holds points, and this is the motion of a body" in " ".join(
        refusal.err.split()
    )
    refusal = motionloom("export", filled, "smile", "-o", tmp_path / "smile.bvh")
    assert refusal.code != 0 and "points have no skeleton" in " ".join(refusal.err.split())
    assert not (tmp_path / "wave.c3d").exists() and not (tmp_path / "smile.bvh").exists()
