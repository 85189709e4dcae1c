"""`motionloom backup`: what it prints, its exit codes, and Ctrl-C."""

import json
import signal
import subprocess
import sys

import pytest

from motionloom.corpus import Corpus, check


def test_a_backup_is_made_and_described(motionloom, corpus, tmp_path):
    ran = motionloom("backup", corpus, tmp_path / "copy")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(f"{tmp_path / 'copy'}: backup of {corpus}: 3 takes, 4 files, ")
    assert motionloom("check", tmp_path / "copy").code == 0


def test_a_backup_is_described_to_programs(motionloom, corpus, tmp_path):
    described = json.loads(motionloom("backup", corpus, tmp_path / "copy", "--json", "--link").out)
    assert {key: described[key] for key in ("corpus", "backup", "takes", "files", "problems")} == {
        "corpus": str(corpus),
        "backup": str(tmp_path / "copy"),
        "takes": 3,
        "files": 4,
        "problems": [],
    }


def test_a_damaged_array_is_named_and_the_exit_code_says_so(motionloom, corpus, tmp_path):
    with Corpus.open(corpus) as store:
        (file,) = store.connection.execute("SELECT file FROM takes WHERE name = 'wave'").fetchone()
    (corpus / "arrays" / file).write_bytes(b"")
    ran = motionloom("backup", corpus, tmp_path / "copy")
    assert ran.code == 1
    assert ran.out.startswith(f"take wave: {file} cannot be read")
    assert "1 problem of the corpus found" in ran.out
    assert motionloom("export", tmp_path / "copy", "walk/one", "-o", tmp_path / "one.bvh").code == 0


def test_what_cannot_be_done_is_refused_in_a_sentence(motionloom, corpus, tmp_path):
    ran = motionloom("backup", corpus, corpus / "copy")
    assert (ran.code, ran.out) == (2, "")
    assert "is inside of the corpus" in ran.err
    assert motionloom("backup", tmp_path / "nothing", tmp_path / "copy").code == 2
    assert not (tmp_path / "copy").exists()


SLOW = """
import os, sys, time
from motionloom.cli.main import run
from motionloom.corpus.integrity import backup
real = backup._copy_array
def copy(*arguments):
    print("copying", flush=True)
    time.sleep(60)
    return real(*arguments)
backup._copy_array = copy
sys.exit(run(["backup", sys.argv[1], sys.argv[2]]))
"""


@pytest.mark.parametrize("leftover", [False, True])
def test_ctrl_c_leaves_nothing_behind(corpus, tmp_path, leftover):
    place = tmp_path / "backups"
    if leftover:
        (place / ".copy.partial-backup" / "arrays").mkdir(parents=True)
    arguments = [sys.executable, "-c", SLOW, str(corpus), str(place / "copy")]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
        assert program.stdout.readline() == "copying\n"
        program.send_signal(signal.SIGINT)
        assert "stopped" in program.stderr.read()
    assert program.returncode == 1
    assert list(place.iterdir()) == []
    assert check(corpus).problems == ()
