"""A corpus of several hierarchies: one reference skeleton, timelines of all takes, exports on any skeleton."""

import json
from dataclasses import replace

import numpy as np
import pytest
from benchmarks.retarget.rigs import a_pose_rig

from motionloom import formats
from motionloom.corpus import Corpus, Label, Source, Take
from motionloom.motion import PointMotion, Skeleton
from motionloom.retarget import retarget_motion

TAKES = ("idle/toe_taps", "idle/weight_shifts", "wave/standing")
SOURCE = Source("x", "npz", "", 60.0, 1.0)


@pytest.fixture(scope="module")
def mixed(make, tmp_path_factory):
    """Takes of the performer, one of them on a rig of 65 joints as well, one without legs, and points."""
    folder = tmp_path_factory.mktemp("mixed") / "corpus"
    with make.demo_corpus(folder, TAKES) as corpus:
        motion = corpus.take(TAKES[2]).motion
        other = retarget_motion(motion, a_pose_rig()).motion
        corpus.add(Take("rig/wave", other, SOURCE), floor_height=0.0)
        corpus.add_labels([Label("rig/wave", "salute", 60, 200)])
        skeleton = motion.skeleton
        names = tuple(f"bone {i}" for i in range(skeleton.n_joints))
        nameless = Skeleton(names, skeleton.parents, skeleton.offsets)
        corpus.add(Take("rig/nameless", replace(motion, skeleton=nameless), SOURCE), floor_height=0.0)
        corpus.add(Take("face", PointMotion(("p",), np.zeros((5, 1, 3)), 60.0), SOURCE), floor_height=0.0)
    return folder


def test_the_reference_is_printed_and_chosen(motionloom, mixed):
    shown = motionloom("reference", mixed)
    assert shown.code == 0 and "is that of idle/toe_taps (24 joints" in shown.out and "the usual one" in shown.out
    assert "(65 joints" in motionloom("reference", mixed, "rig/wave").out
    assert json.loads(motionloom("reference", mixed, "--json").out)["chosen"] is True
    assert "the usual one" in motionloom("reference", mixed, "--usual").out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nobody"], "no take 'nobody' in the corpus"),
        (["face"], "face has points and no skeleton; choose a take of a body as the reference"),
        (["rig/wave", "--usual"], "give a take, or --usual"),
    ],
)
def test_a_reference_that_cannot_be_is_refused_in_a_sentence(motionloom, mixed, arguments, message):
    ran = motionloom("reference", mixed, *arguments)
    assert ran.code == 2 and message in ran.err and ran.err.count("\n") == 1


def test_a_timeline_uses_takes_of_every_hierarchy_and_names_what_it_leaves_out(motionloom, mixed, tmp_path):
    request = tmp_path / "request.yaml"
    request.write_text("length: 3s\nlabels:\n  - {label: salute, from: 1s, to: 2s}\n")
    ran = motionloom("timeline", mixed, request, "-o", tmp_path / "out.bvh", "--report", tmp_path / "report.json")
    assert ran.code == 0, ran.err
    notes = json.loads((tmp_path / "report.json").read_text())["notes"]
    assert any("rig/wave" in note for note in notes)  # the only take that salutes
    left = [note for note in notes if note.startswith("left out")]
    assert len(left) == 1 and left[0].startswith("left out: rig/nameless: ") and "has no legs" in left[0]
    assert formats.read(tmp_path / "out.bvh").motion.skeleton.n_joints == 24
    ran = motionloom("timeline", mixed, request, "-o", tmp_path / "rig.bvh", "--skeleton", "rig/wave")
    assert ran.code == 0 and formats.read(tmp_path / "rig.bvh").motion.skeleton.n_joints == 65


def test_points_that_a_request_names_are_left_out_too(motionloom, mixed, tmp_path):
    request, report = tmp_path / "request.yaml", tmp_path / "report.json"
    request.write_text("length: 3s\ntakes: [face, rig/wave]\n")
    ran = motionloom("timeline", mixed, request, "-o", tmp_path / "out.bvh", "--report", report)
    assert ran.code == 0, ran.err
    assert "left out: face: it has points and no skeleton" in json.loads(report.read_text())["notes"]
    request.write_text("length: 3s\ntakes: [face]\n")
    ran = motionloom("timeline", mixed, request, "-o", tmp_path / "no.bvh")
    assert ran.code == 2 and "face: points without a skeleton; choose takes of bodies as well" in ran.err
    assert not (tmp_path / "no.bvh").exists()


def test_hub_graphs_name_what_they_leave_out(motionloom, mixed, tmp_path):
    chosen = ["--takes", "face", "--takes", "idle/toe_taps", "--takes", "rig/*"]
    ran = motionloom("snap", "suggest", mixed, *chosen)
    assert ran.code == 0, ran.err
    assert "left out: face: it has points and no skeleton" in ran.err and "left out: rig/nameless: " in ran.err
    ran = motionloom("snap", "build", mixed, *chosen, "-o", tmp_path / "out.hubs", "--json")
    assert ran.code in (0, 1), ran.err
    assert "left out: face: it has points and no skeleton" in json.loads(ran.out)["report"]["notes"]


def test_a_result_is_not_searched_for_a_skeleton_that_it_cannot_be_written_on(motionloom, mixed, tmp_path):
    request = tmp_path / "request.yaml"
    request.write_text("length: 3s\n")
    ran = motionloom("timeline", mixed, request, "-o", tmp_path / "no.bvh", "--skeleton", "rig/nameless")
    assert ran.code == 2 and "has no legs" in ran.err and ran.err.count("\n") == 1
    assert not (tmp_path / "no.bvh").exists()


def test_takes_are_exported_on_the_skeleton_that_is_asked_for(motionloom, mixed, tmp_path):
    ran = motionloom(
        "export", mixed, "rig/wave", "wave/standing", "-o", tmp_path / "{take}.bvh", "--skeleton", "rig/wave"
    )
    assert ran.code == 0, ran.err
    for name in ("rig/wave", "wave/standing"):
        assert formats.read(tmp_path / f"{name}.bvh").motion.skeleton.n_joints == 65
    ran = motionloom("export", mixed, "rig/wave", "-o", tmp_path / "one.npz", "--skeleton", "reference")
    assert ran.code == 0 and formats.read(tmp_path / "one.npz").motion.skeleton.n_joints == 24
    ran = motionloom("export", mixed, "rig/nameless", "-o", tmp_path / "no.bvh", "--skeleton", "reference")
    assert ran.code == 2 and "has no legs" in ran.err and not (tmp_path / "no.bvh").exists()
    ran = motionloom("export", mixed, "rig/wave", "-o", tmp_path / "no.bvh", "--skeleton", "face")
    assert ran.code == 2 and "face has points and no skeleton" in ran.err


def test_annotation_learns_from_takes_of_every_hierarchy(motionloom, mixed):
    with Corpus.open(mixed, write=True) as corpus:
        for name in ("rig/wave", TAKES[2]):
            corpus.accept(name, ["wave"], 0, 200, {"wave": [(60, 140)]})
    ran = motionloom("annotate", "learn", mixed, "--labels", "wave")
    assert ran.code == 0, ran.err
    assert "left out: rig/nameless" in ran.err
    assert motionloom("annotate", "propose", mixed, "rig/wave", "idle/toe_taps").code == 0
