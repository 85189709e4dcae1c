"""`motionloom fit`: files of labelled markers to the motion of a body."""

import json

import numpy as np
import pytest
from tests.markers.spoilt import joint_errors, standing, three_on_each

from motionloom import formats
from motionloom.assembly.requests.marker_files import MarkerFile
from motionloom.corpus import Corpus
from motionloom.formats import Source
from motionloom.markers import full_body_markers, put_on
from motionloom.motion import PointMotion

MILLIMETRES = Source("optical.c3d", "c3d", "", 60.0, 0.001, up="z")


def renamed(points, name):
    return PointMotion(tuple(name(each) for each in points.names), points.positions, points.fps)


def moved(points, positions):
    return PointMotion(points.names, positions, points.fps)


@pytest.fixture(scope="module")
def files(tmp_path_factory, make):
    """A body with markers on it, in many files, good and bad."""
    folder = tmp_path_factory.mktemp("fit")
    motion = standing(make.motion(60, seed=1, wildness=0.3, hinged=True))
    formats.write(folder / "body.npz", motion)
    points = put_on(motion, full_body_markers(motion.skeleton))
    formats.write(folder / "points.csv", points)
    formats.write(folder / "points.npz", points)
    formats.write(folder / "optical.c3d", renamed(points, lambda name: f"Anna:{name}"), MILLIMETRES)
    formats.write(folder / "others.csv", renamed(points, lambda name: f"mark{points.names.index(name)}"))
    formats.write(folder / "two.csv", renamed(points, lambda name: name if name in ("C7", "T10") else f"x{name}"))
    formats.write(folder / "giant.npz", moved(points, 10 * points.positions))
    formats.write(folder / "unseen.npz", moved(points, np.full_like(points.positions, np.nan)))
    content = (folder / "optical.c3d").read_bytes()
    (folder / "cut.c3d").write_bytes(content[: len(content) // 2])
    (folder / "broken.c3d").write_bytes(content[:2] + b"\x7f" * 600)
    (folder / "notes.csv").write_text("take,label,start,stop\na,b,0,1\n")
    (folder / "wrong.yaml").write_text("markers: [{name: mark0, joint: tail}]\n")
    (folder / "typing.yaml").write_text("markers: [{name: mark0, joint: head, offset: [0, up, 0]}]\n")
    rows = [{"name": f"mark{number}", "like": name} for number, name in enumerate(points.names)]
    (folder / "like.yaml").write_text(json.dumps({"markers": rows}))
    return folder


def truth(files):
    return formats.read(files / "body.npz").motion


@pytest.mark.parametrize("name", ["points.csv", "points.npz", "optical.c3d"])
def test_markers_that_were_put_on_a_body_give_its_motion(motionloom, files, tmp_path, name):
    out = tmp_path / "fitted.npz"
    ran = motionloom("fit", files / name, "--skeleton", files / "body.npz", "-o", out)
    assert ran.code == 0, ran.err
    fitted = formats.read(out).motion
    assert fitted.skeleton == truth(files).skeleton
    assert joint_errors(fitted, truth(files)).mean() < 0.002
    assert "41 markers" in ran.out
    assert next(line for line in ran.out.splitlines() if line.startswith("LWRA")).split()[1] == "LeftForeArm"


def test_every_kind_of_file_is_written_and_a_report(motionloom, files, tmp_path):
    for name in ("fitted.bvh", "fitted.glb", "fitted.png", "fitted.mp4"):
        report, picture = tmp_path / "report.json", tmp_path / "sheet.png"
        arguments = ["--skeleton", files / "body.npz", "-o", tmp_path / name, "--report", report, "--picture", picture]
        assert motionloom("fit", files / "points.csv", *arguments).code == 0
        assert (tmp_path / name).stat().st_size > 5_000
        assert picture.stat().st_size > 10_000
    written = json.loads(report.read_text())
    assert written["met"] and written["mean_mm"] < 1
    row = next(row for row in written["markers"] if row["name"] == "RANK")
    assert (row["joint"], row["frames_seen"], row["frames_left_out"]) == ("RightLeg", 60, 0)
    read_again = formats.read(tmp_path / "fitted.bvh").motion
    assert joint_errors(read_again, truth(files)).mean() < 0.002


def test_gaps_strays_and_markers_that_are_never_seen_are_told(motionloom, files, tmp_path):
    points = formats.read(files / "points.npz").motion
    positions, column = points.positions.copy(), points.names.index
    positions[10:40, column("LWRA")] = np.nan
    positions[:, column("RKNE")] = np.nan
    positions[20:25, column("C7")] += 0.5
    formats.write(tmp_path / "spoilt.npz", moved(points, positions))
    arguments = ["--skeleton", files / "body.npz", "-o", tmp_path / "out.npz", "--json"]
    ran = motionloom("fit", tmp_path / "spoilt.npz", *arguments)
    assert ran.code == 0, ran.err
    rows = {row["name"]: row for row in json.loads(ran.out)["markers"]}
    assert (rows["LWRA"]["frames_seen"], rows["LWRA"]["longest_gap_frames"]) == (30, 30)
    assert (rows["RKNE"]["share_seen"], rows["RKNE"]["mean_mm"]) == (0.0, None)
    assert (rows["C7"]["frames_left_out"], rows["LANK"]["frames_left_out"]) == (5, 0)
    assert joint_errors(formats.read(tmp_path / "out.npz").motion, truth(files)).mean() < 0.005


def test_a_marker_that_is_elsewhere_all_the_time_is_done_in_part(motionloom, files, tmp_path):
    points = formats.read(files / "points.npz").motion
    positions = points.positions.copy()
    positions[:, points.names.index("C7")] = [3.0, 2.0, 1.0]
    formats.write(tmp_path / "spoilt.npz", moved(points, positions))
    arguments = ["fit", tmp_path / "spoilt.npz", "--skeleton", files / "body.npz", "-o", tmp_path / "out.npz"]
    ran = motionloom(*arguments)
    assert ran.code == 1
    assert "not where the marker set has it" in ran.out
    assert (tmp_path / "out.npz").exists()


def test_other_names_are_placed_by_a_marker_file(motionloom, files, tmp_path):
    arguments = ["--skeleton", files / "body.npz", "-o", tmp_path / "out.npz", "--markers", files / "like.yaml"]
    assert motionloom("fit", files / "others.csv", *arguments).code == 0
    assert joint_errors(formats.read(tmp_path / "out.npz").motion, truth(files)).mean() < 0.002


def test_offsets_are_learnt_of_a_known_motion_written_and_used_again(motionloom, files, tmp_path):
    motion = truth(files)
    worn = three_on_each(motion.skeleton)
    formats.write(tmp_path / "worn.csv", put_on(motion, worn))
    body, out, used = files / "body.npz", tmp_path / "out.npz", tmp_path / "used.yaml"
    arguments = ["--skeleton", body, "-o", out, "--offsets-from", body, "--write-markers", used]
    assert motionloom("fit", tmp_path / "worn.csv", *arguments).code == 0
    learnt = MarkerFile.read(used).place(motion.skeleton)
    assert learnt.names == worn.names
    np.testing.assert_allclose(put_on(motion, learnt).positions, put_on(motion, worn).positions, atol=1e-4)
    again = tmp_path / "again.npz"
    assert motionloom("fit", tmp_path / "worn.csv", "--skeleton", body, "-o", again, "--markers", used).code == 0
    assert joint_errors(formats.read(again).motion, motion).max() < 1e-3


def test_a_larger_body_is_noticed_and_its_size_is_learnt(motionloom, files, tmp_path):
    points = formats.read(files / "points.npz").motion
    formats.write(tmp_path / "large.npz", moved(points, 1.2 * points.positions))
    arguments = ["fit", tmp_path / "large.npz", "--skeleton", files / "body.npz", "-o", tmp_path / "out.npz"]
    assert "--learn-size" in motionloom(*arguments).err
    ran = motionloom(*arguments, "--learn-size")
    assert ran.code == 0 and "--learn-size" not in ran.err
    legs = [motion.skeleton.leg_length for motion in (formats.read(tmp_path / "out.npz").motion, truth(files))]
    assert legs[0] == pytest.approx(1.2 * legs[1], rel=0.01)


def test_takes_of_a_corpus_are_fitted_and_added_to_it(motionloom, files, tmp_path):
    corpus = tmp_path / "corpus"
    motionloom("new", corpus)
    assert motionloom("import", corpus, files / "points.npz", files / "body.npz", "--workers", "1").code == 0
    arguments = ["points", "--skeleton", "body", "--corpus", corpus, "--save-as", "fitted/body"]
    ran = motionloom("fit", *arguments, "-o", tmp_path / "out.bvh")
    assert ran.code == 0, ran.err
    with Corpus.open(corpus) as store:
        kept, info = store.take("fitted/body"), store.info("fitted/body")
    assert joint_errors(kept.motion, truth(files)).mean() < 0.002
    assert any("41 markers" in finding.message for finding in info.findings)
    ran = motionloom("fit", *arguments, "-o", tmp_path / "again.bvh")
    assert ran.code == 2 and "already" in ran.err
    assert not (tmp_path / "again.bvh").exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["body.npz", "--skeleton", "body.npz"], "this is the motion of a body; give labelled markers"),
        (["points.csv", "--skeleton", "points.npz"], "these are points without a skeleton; give a body"),
        (["missing.c3d", "--skeleton", "body.npz"], "missing.c3d"),
        (["points.csv", "--skeleton", "missing.bvh"], "missing.bvh"),
        (["others.csv", "--skeleton", "body.npz"], "the markers are C7, T10"),
        (["others.csv", "--skeleton", "body.npz"], "--markers FILE"),
        (["two.csv", "--skeleton", "body.npz"], "only C7 and T10 of the set are among the points"),
        (["unseen.npz", "--skeleton", "body.npz"], "at most 0 markers of the set are seen at once"),
        (["giant.npz", "--skeleton", "body.npz"], "span 2"),
        (["cut.c3d", "--skeleton", "body.npz"], "Is the file cut off?"),
        (["broken.c3d", "--skeleton", "body.npz"], "broken.c3d"),
        (["notes.csv", "--skeleton", "body.npz"], "columns such as LFHD.x,LFHD.y,LFHD.z were expected"),
        (["others.csv", "--skeleton", "body.npz", "--markers", "wrong.yaml"], "has no joint 'tail'"),
        (["others.csv", "--skeleton", "body.npz", "--markers", "typing.yaml"], "typing.yaml line 1: markers[0].offset"),
        (["others.csv", "--skeleton", "body.npz", "--markers", "missing.yaml"], "no such file"),
        (["points.csv", "--skeleton", "body.npz", "--offsets-from", "points.npz"], "points without a skeleton"),
        (["points.csv", "--skeleton", "body.npz", "-o", "out.c3d"], "a body cannot be written as '.c3d'"),
        (["points.csv", "--skeleton", "body.npz", "-o", "out.csv"], "a body cannot be written as '.csv'"),
        (["points.csv", "--skeleton", "body.npz", "--picture", "p.jpg"], "must have the extension .png"),
        (["points.csv", "--skeleton", "body.npz", "--report", "out.npz"], "give each a file of its own"),
        (["points.csv", "--skeleton", "body.npz", "--save-as", "a"], "give it as --corpus"),
        (["points.csv", "--skeleton", "body.npz", "--corpus", "missing.bvh"], "is not a corpus"),
    ],
)
def test_bad_input_is_refused_in_one_sentence_and_nothing_is_written(
    motionloom, files, tmp_path, monkeypatch, arguments, sentence
):
    monkeypatch.chdir(tmp_path)
    inputs = {path.name for path in files.iterdir()} | {"missing.bvh", "missing.c3d", "missing.yaml"}
    given = [] if "-o" in arguments else ["-o", "out.npz"]
    ran = motionloom("fit", *(files / word if word in inputs else word for word in arguments), *given)
    assert ran.code == 2
    assert sentence in ran.err
    refusals = [line for line in ran.err.splitlines() if line.startswith("motionloom:")]
    assert len(refusals) == 1 and "bug" not in refusals[0]
    assert not list(tmp_path.iterdir())


def test_what_is_read_is_not_replaced(motionloom, files, tmp_path):
    body = tmp_path / "body.npz"
    body.write_bytes((files / "body.npz").read_bytes())
    ran = motionloom("fit", files / "points.csv", "--skeleton", body, "-o", body)
    assert ran.code == 2 and "which is read; give another file" in ran.err
    assert body.read_bytes() == (files / "body.npz").read_bytes()


def test_a_motion_of_other_bones_tells_no_offsets(motionloom, files, make, tmp_path):
    motion = make.motion(60, seed=2)
    longer = type(motion)(motion.skeleton.scaled(1.1), motion.root_positions, motion.local_rotations, motion.fps)
    formats.write(tmp_path / "longer.npz", longer)
    for name, sentence in (
        ("longer.npz", "a motion with the same bones"),
        ("short.npz", "give the same frames of both"),
    ):
        formats.write(tmp_path / "short.npz", make.motion(30, seed=2))
        arguments = ["--skeleton", files / "body.npz", "-o", tmp_path / "out.npz", "--offsets-from", tmp_path / name]
        ran = motionloom("fit", files / "points.csv", *arguments)
        assert ran.code == 2 and sentence in ran.err
        assert not (tmp_path / "out.npz").exists()


def test_the_picture_shows_the_markers_on_the_body(files):
    from motionloom import render

    motion, points = truth(files), formats.read(files / "points.npz").motion
    plain, marked = (render.draw_contact_sheet(motion, markers=shown) for shown in (None, points))
    reddish = [(page.astype(int)[..., 0] > page.astype(int)[..., 1] + 80).sum() for page in (plain, marked)]
    assert plain.shape == marked.shape
    assert reddish[1] > reddish[0] + 500
