"""The command-line contract: what commands do, print and return."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from motionloom import formats
from motionloom.corpus import Corpus, Source, Take


def test_import_names_takes_by_their_path_below_the_folder(motionloom, corpus):
    printed = json.loads(motionloom("info", corpus, "--json").out)
    assert [take["name"] for take in printed["takes"]] == ["walk/one", "walk/two", "wave"]
    assert [take["frames"] for take in printed["takes"]] == [40, 41, 42]
    assert printed["frames"] == 123
    assert printed["skeletons"] == 1


def test_totals_are_of_recordings_and_kept_results_are_counted_apart(motionloom, corpus):
    before = json.loads(motionloom("info", corpus, "--json").out)
    with Corpus.open(corpus, write=True) as store:
        motion = store.take("wave").motion
        moved = replace(motion, root_positions=motion.root_positions + 1.0)
        store.add(Take("new/mixed", moved, Source("several takes", "motionloom", "x", motion.fps, 1.0)))
    after = json.loads(motionloom("info", corpus, "--json").out)
    assert len(after["takes"]) == len(before["takes"]) + 1
    assert (after["seconds"], after["frames"]) == (before["seconds"], before["frames"])
    assert after["kept_results"] == 1 and before["kept_results"] == 0
    printed = motionloom("info", corpus).out
    assert f"{len(before['takes'])} takes and 1 kept result, " in printed and "new/mixed" in printed


def test_importing_again_skips_what_is_there(motionloom, corpus, recordings):
    again = motionloom("import", corpus, recordings, "--workers", "1")
    assert again.code == 0
    assert "0 takes imported, 3 already there, 0 refused" in again.out


def test_a_file_alone_is_named_by_its_stem_and_a_prefix_goes_in_front(motionloom, tmp_path, recordings):
    motionloom("new", tmp_path / "c")
    motionloom("import", tmp_path / "c", recordings / "walk" / "one.bvh", "--prefix", "mine/", "--workers", "1")
    with Corpus.open(tmp_path / "c") as corpus:
        assert corpus.names() == ["mine/one"]


def test_a_list_picks_files_of_a_folder_and_names_them_by_their_path(motionloom, tmp_path, recordings):
    listed = tmp_path / "some.txt"
    listed.write_text("# two of them\nwalk/two.bvh\n\nwave.bvh\n")
    motionloom("new", tmp_path / "c")
    assert motionloom("import", tmp_path / "c", recordings, "--list", listed, "--workers", "1").code == 0
    with Corpus.open(tmp_path / "c") as corpus:
        assert corpus.names() == ["walk/two", "wave"]


def test_a_list_alone_reads_below_its_own_folder(motionloom, tmp_path, recordings):
    (recordings / "all.txt").write_text("walk/two.bvh\n")
    motionloom("new", tmp_path / "c")
    motionloom("import", tmp_path / "c", "--list", recordings / "all.txt", "--workers", "1")
    with Corpus.open(tmp_path / "c") as corpus:
        assert corpus.names() == ["walk/two"]


def test_a_bad_file_is_named_with_its_reason_and_the_others_go_on(motionloom, tmp_path, recordings):
    (recordings / "broken.bvh").write_text("HIERARCHY\nROOT Hips\n{\nOFFSET 0 0\n}\n")
    motionloom("new", tmp_path / "c")
    ran = motionloom("import", tmp_path / "c", recordings, "--workers", "1")
    assert ran.code == 1
    assert "3 takes imported, 0 already there, 1 refused" in ran.out
    assert "broken.bvh line 4" in ran.err
    assert "Traceback" not in ran.err


def test_import_for_programs_lists_every_outcome(motionloom, tmp_path, recordings):
    (recordings / "broken.bvh").write_text("nothing")
    motionloom("new", tmp_path / "c")
    ran = motionloom("import", tmp_path / "c", recordings, recordings / "wave.bvh", "--json", "--workers", "1")
    printed = json.loads(ran.out)
    assert printed["imported"] == ["walk/one", "walk/two", "wave"]
    assert printed["duplicates"][0]["of"] == "wave"
    assert "broken.bvh" in printed["refused"][0]["path"]


def test_when_everything_is_refused_nothing_was_done(motionloom, tmp_path):
    (tmp_path / "broken.bvh").write_text("nothing")
    motionloom("new", tmp_path / "c")
    assert motionloom("import", tmp_path / "c", tmp_path / "broken.bvh").code == 2
    (tmp_path / "labels.csv").write_text("take,label,start,stop\nnobody,walk,0,1\n")
    assert motionloom("label", "import", tmp_path / "c", tmp_path / "labels.csv").code == 2


def test_the_same_warning_about_many_takes_is_printed_once(motionloom, tmp_path, make):
    folder = tmp_path / "odd"
    folder.mkdir()
    for i in range(6):
        formats.write(folder / f"{i}.bvh", make.motion(30, seed=i), name=str(i))
        text = (folder / f"{i}.bvh").read_text()
        for word in ("Left", "Right", "Head", "Neck", "Spine", "Hips"):
            text = text.replace(word, f"{word[0]}q")
        (folder / f"{i}.bvh").write_text(text)
    motionloom("new", tmp_path / "c")
    ran = motionloom("import", tmp_path / "c", folder, "--workers", "1")
    assert ran.code == 0
    warnings = [line for line in ran.err.splitlines() if line.startswith("look at")]
    assert warnings and all("and 3 more" in line for line in warnings)


def test_removing_can_be_undone_and_purging_cannot(motionloom, corpus):
    assert motionloom("remove", corpus, "walk/*").code == 0
    assert [t["name"] for t in json.loads(motionloom("info", corpus, "--json").out)["takes"]] == ["wave"]
    assert "walk/one" in motionloom("info", corpus, "--removed").out
    assert motionloom("remove", corpus, "one", "--undo").code == 0
    assert motionloom("remove", corpus, "--purge").out.endswith("1 removed take deleted permanently\n")
    ran = motionloom("remove", corpus, "two", "--undo")
    assert ran.code == 2
    with Corpus.open(corpus) as store:
        assert store.names() == ["walk/one", "wave"]


def test_rename_gives_another_name(motionloom, corpus):
    assert motionloom("rename", corpus, "wave", "greetings/wave").code == 0
    with Corpus.open(corpus) as store:
        assert store.names() == ["greetings/wave", "walk/one", "walk/two"]
    assert motionloom("rename", corpus, "one", "walk/two").code == 2


def test_roles_are_printed_and_can_be_corrected_and_taken_away(motionloom, corpus):
    assert "LeftToeBase" in motionloom("roles", corpus, "wave").out
    ran = motionloom("roles", corpus, "wave", "left_foot=LeftToeBase", "left_ball=")
    assert ran.code == 0
    assert "3 takes" in ran.out
    printed = json.loads(motionloom("roles", corpus, "walk/one", "--json").out)["roles"]
    assert printed["left_foot"] == "LeftToeBase"
    assert "left_ball" not in printed
    assert motionloom("roles", corpus, "wave", "left_foot=Nobody").code == 2
    assert "expected ROLE=JOINT" in motionloom("roles", corpus, "wave", "left_foot").err
    assert motionloom("roles", corpus, "wave", "tail=Hips").code == 2


def test_the_floor_is_printed_and_can_be_corrected(motionloom, corpus):
    assert "(estimated)" in motionloom("floor", corpus, "wave").out
    assert motionloom("floor", corpus, "wave", "0.25").code == 0
    assert "floor at 0.2500 m (given)" in motionloom("floor", corpus, "wave").out
    assert motionloom("floor", corpus, "wave", "nan").code == 2


def test_labels_go_in_and_come_out(motionloom, corpus, tmp_path):
    (tmp_path / "labels.csv").write_text(
        "take,label,start,stop\none,walk,0,20\nwalk/two.bvh,walk,5,41\nnone,walk,0,1\n"
    )
    ran = motionloom("label", "import", corpus, tmp_path / "labels.csv")
    assert ran.code == 1
    assert "2 labels added, 0 already there, 1 refused" in ran.out
    assert "line 4: no take 'none'" in ran.err
    assert motionloom("label", "export", corpus, tmp_path / "out.csv").code == 0
    with open(tmp_path / "out.csv") as file:
        rows = list(csv.DictReader(file))
    assert [(row["take"], row["label"], row["start"], row["stop"]) for row in rows] == [
        ("walk/one", "walk", "0", "20"),
        ("walk/two", "walk", "5", "41"),
    ]
    assert "walk" in motionloom("info", corpus, "walk/one").out


def test_a_label_file_for_another_corpus_does_not_flood_the_terminal(motionloom, corpus, tmp_path):
    rows = "".join(f"take_{i},walk,0,9\n" for i in range(500))
    (tmp_path / "labels.csv").write_text("take,label,start,stop\n" + rows)
    ran = motionloom("label", "import", corpus, tmp_path / "labels.csv")
    assert len(ran.err.splitlines()) == 11
    assert "490 more rows" in ran.err
    printed = json.loads(motionloom("label", "import", corpus, tmp_path / "labels.csv", "--json").out)
    assert len(printed["refused"]) == 500


def test_export_writes_one_take_or_many(motionloom, corpus, tmp_path):
    assert motionloom("export", corpus, "wave", "-o", tmp_path / "wave.npz").code == 0
    assert formats.read(tmp_path / "wave.npz").motion.n_frames == 42
    assert motionloom("export", corpus, "*", "-o", tmp_path / "out/{take}.bvh").code == 0
    assert sorted(p.relative_to(tmp_path / "out").as_posix() for p in (tmp_path / "out").rglob("*.bvh")) == [
        "walk/one.bvh",
        "walk/two.bvh",
        "wave.bvh",
    ]
    assert motionloom("export", corpus, "wave", "-o", tmp_path / "wave.glb").code == 0
    assert (tmp_path / "wave.glb").read_bytes()[:4] == b"glTF"


def test_takes_that_some_system_takes_for_the_same_file_are_exported_to_two(motionloom, corpus, tmp_path):
    assert motionloom("rename", corpus, "walk/one", "Wave").code == 0
    ran = motionloom("export", corpus, "*", "-o", tmp_path / "out/{take}.npz")
    assert ran.code == 0
    written = {path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*.npz")}
    assert written == {"Wave.npz", "walk/two.npz", "wave (2).npz"}
    assert "wave is written as 'wave (2)'" in ran.err and "Wave.npz" not in ran.err
    assert formats.read(tmp_path / "out/Wave.npz").motion.n_frames == 40


def test_export_goes_on_after_a_take_that_cannot_be_written(motionloom, corpus, tmp_path):
    array = sorted((corpus / "arrays").glob("*.npy"))[0]
    array.chmod(0o644)
    array.write_bytes(b"nothing")
    ran = motionloom("export", corpus, "*", "-o", tmp_path / "out/{take}.npz")
    assert ran.code == 1
    assert len(list((tmp_path / "out").rglob("*.npz"))) == 2
    assert ran.err.startswith("refused:")


def test_a_picture_that_fails_leaves_nothing_behind(motionloom, corpus, tmp_path, monkeypatch):
    from motionloom import render

    def fail(path, *arguments, **options):
        path.write_bytes(b"half")
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(render, "write_contact_sheet", fail)
    ran = motionloom("show", corpus, "wave", "-o", tmp_path / "new" / "wave.png")
    assert ran.code == 2
    assert "No space left on device" in ran.err
    assert list((tmp_path / "new").iterdir()) == []


def test_show_draws_sheets_and_videos(motionloom, corpus, tmp_path):
    assert motionloom("show", corpus, "wave", "-o", tmp_path / "wave.png").code == 0
    assert (tmp_path / "wave.png").read_bytes()[:4] == b"\x89PNG"
    assert motionloom("show", corpus, "wave", "-o", tmp_path / "wave.mp4", "--stop", 8).code == 0
    assert b"ftyp" in (tmp_path / "wave.mp4").read_bytes()[:16]


def test_check_finds_a_damaged_array_and_repairs_the_corpus(motionloom, corpus):
    assert motionloom("check", corpus).code == 0
    array = sorted((corpus / "arrays").glob("*.npy"))[0]
    array.chmod(0o644)
    content = bytearray(array.read_bytes())
    content[-5] ^= 0xFF
    array.write_bytes(bytes(content))
    ran = motionloom("check", corpus)
    assert ran.code == 1
    assert motionloom("check", corpus, "--repair").code == 0
    assert motionloom("check", corpus).code == 0
    assert len(json.loads(motionloom("info", corpus, "--json").out)["takes"]) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["import", "{corpus}"], "nothing to import"),
        (["import", "{corpus}", "x.bvh", "--fps", "0"], "frames per second"),
        (["import", "{corpus}", "x.bvh", "--scale", "huge"], "got 'huge'"),
        (["import", "{corpus}", "x.bvh", "--up", "w"], "up axis must be auto, x, y or z, got 'w'"),
        (["import", "{missing}", "x.bvh"], "missing"),
        (["info", "{missing}"], "missing"),
        (["info", "{corpus}", "nobody"], "no take 'nobody'"),
        (["new", "{corpus}"], "already a corpus"),
        (["remove", "{corpus}"], "name at least one take"),
        (["remove", "{corpus}", "fly/*"], "no take matches 'fly/*'"),
        (["show", "{corpus}", "wave", "-o", "x.gif"], "pictures must have the extension .png or .mp4"),
        (
            ["show", "{corpus}", "wave", "-o", "x.png", "--start", "50"],
            "frame 50 is out of range: the take has 42",
        ),
        (["export", "{corpus}", "wave", "-o", "x.fbx"], "cannot write '.fbx'"),
        (["export", "{corpus}", "*", "-o", "x.bvh"], "write {take} where the name goes"),
        (["label", "import", "{corpus}", "{missing}"], "no such file"),
        (["bench", "nonsense"], "no benchmark nonsense"),
        (["frobnicate"], "No such command 'frobnicate'"),
        (["label"], "Missing command"),
        (["show", "{corpus}", "walk/*", "-o", "x.png"], "matches 2 takes; show draws one at a time"),
        (["remove", "{corpus}", "wave", "--undo"], "no removed take 'wave'"),
        (["info"], "Missing argument 'CORPUS'"),
        (["demo", "{corpus}"], "not made by the tour"),
    ],
)
def test_wrong_use_is_one_sentence_and_code_2(motionloom, corpus, tmp_path, arguments, message):
    filled = [
        word.replace("{corpus}", str(corpus)).replace("{missing}", str(tmp_path / "missing")) for word in arguments
    ]
    ran = motionloom(*filled)
    assert ran.code == 2
    assert message in ran.err
    assert len(ran.err.strip().splitlines()) == 1
    assert ran.out == ""


def test_a_bug_is_reported_in_one_sentence_too(motionloom, corpus, monkeypatch):
    monkeypatch.setattr(Corpus, "infos", lambda self, **kw: 1 / 0)
    ran = motionloom("info", corpus)
    assert ran.code == 2
    assert "this is a bug (ZeroDivisionError: division by zero)" in ran.err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_import_that_is_stopped_leaves_the_corpus_whole(tmp_path, make, motionloom, number):
    folder = tmp_path / "many"
    folder.mkdir()
    for i in range(10):
        formats.write(folder / f"{i:02}.bvh", make.motion(300, seed=i))
    for i in range(400):  # recognised as the same content, so that the import is not over before Ctrl-C comes
        (folder / f"again_{i:03}.bvh").hardlink_to(folder / "00.bvh")
    path = tmp_path / "c"
    motionloom("new", path)
    process = subprocess.Popen(
        [sys.executable, "-m", "motionloom", "import", str(path), str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and len(list((path / "arrays").glob("*.npy"))) < 3:
        time.sleep(0.01)
    os.killpg(process.pid, number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "Traceback" not in err
    assert "stopped; everything that was reported as done is kept" in err
    assert "takes imported" in out
    assert motionloom("check", path).code == 0
    assert motionloom("import", path, folder).code == 0
    with Corpus.open(path) as corpus:
        assert len(corpus.names()) == 10


INTERRUPTED_TEXT = """
import sys
from motionloom.cli import main
main.method_command.register = lambda app: exec("raise KeyboardInterrupt")
sys.exit(main.run(["version"]))
"""


def test_a_command_that_is_stopped_in_the_middle_of_an_executed_text_ends_with_its_exit_code(tmp_path):
    (tmp_path / "stopped.py").write_text(INTERRUPTED_TEXT)
    ran = subprocess.run([sys.executable, "-m", "stopped"], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert ran.returncode == 1
    assert ran.stderr.strip() == "motionloom: stopped; everything that was reported as done is kept"


def test_no_arguments_at_all_show_the_help(motionloom):
    ran = motionloom()
    assert ran.code == 0
    assert "import" in ran.out and ran.err == ""


def test_suggested_commands_can_be_pasted(motionloom, tmp_path):
    assert f"motionloom import '{tmp_path}/my takes' FILE" in motionloom("new", tmp_path / "my takes").out


def test_version_says_its_number(motionloom):
    from motionloom import __version__

    assert motionloom("version").out == f"motionloom {__version__}\n"
    assert json.loads(motionloom("version", "--json").out)["motionloom"] == __version__


def test_warmup_compiles_every_kernel_of_the_package(motionloom):
    import importlib
    import pkgutil

    import motionloom as package

    ran = motionloom("warmup")
    assert ran.code == 0
    assert ran.out.startswith("ready after")
    kernels = [m.name for m in pkgutil.walk_packages(package.__path__, "motionloom.") if m.name.endswith("._kernels")]
    assert len(kernels) >= 4
    for name in kernels:
        for attribute, kernel in vars(importlib.import_module(name)).items():
            if hasattr(kernel, "signatures") and not attribute.startswith("_"):
                assert kernel.signatures, f"{name}.{attribute} is not compiled by warmup"


def test_help_does_not_load_the_heavy_packages():
    code = "import sys; from motionloom.cli.main import run; run(['--help']); print(sorted(sys.modules))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    loaded = set(eval(out.splitlines()[-1]))
    assert not loaded & {"numpy", "numba", "scipy", "PIL", "rich"}
