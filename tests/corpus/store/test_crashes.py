"""A process that ends at any moment loses nothing that it reported and leaves no half take."""

import os
import random
import signal
import subprocess
import sys
import time
import zlib

import numpy as np
import pytest

from motionloom.corpus import Corpus, Label, check, import_files

# every call on the way of a take onto the disk, as (module, function): the crash comes before or after each
STEPS = [
    "os.fsync",
    "os.replace",
    "motionloom.corpus.store.array_files.sync_folder",
    "motionloom.corpus.store.catalogue.insert_take",
]


def run_and_crash(folder, take, step: str, after: bool) -> None:
    """Add a take in a child process that ends in the middle of a step, as by a power cut."""
    child = os.fork()
    if child == 0:
        module, _, function = step.rpartition(".")
        real = getattr(sys.modules[module], function)

        def crash(*arguments):
            if after:
                real(*arguments)
            os._exit(9)

        setattr(sys.modules[module], function, crash)
        try:
            with Corpus.open(folder, write=True) as corpus:
                corpus.add(take)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("step", STEPS)
def test_a_crash_at_any_step_leaves_the_corpus_as_it_was(corpus, takes, step, after):
    corpus.add(takes.body("before", seed=1))
    corpus.close()
    run_and_crash(corpus.folder, takes.body("crashed", seed=2), step, after)
    with Corpus.open(corpus.folder) as reader:
        assert reader.names() == ["before"]
    report = check(corpus.folder, repair=True)
    assert report.is_clean
    assert check(corpus.folder).problems == ()
    with Corpus.open(corpus.folder, write=True) as writer:
        assert len(list(writer.arrays.iterdir())) == 1
        assert writer.add(takes.body("crashed", seed=2)).status == "imported"
        assert writer.take("before").motion.n_frames == 12


IMPORTER = """
import sys, zlib
import numpy as np
from motionloom.corpus import Corpus
from motionloom.formats.take import Source, Take
from motionloom.motion import Motion, Skeleton, rotations

skeleton = Skeleton(("Hips", "LeftUpLeg"), np.array([-1, 0]), np.zeros((2, 3)))
with Corpus.open(sys.argv[1], write=True) as corpus:
    first = len(corpus.names())
    for number in range(first, first + 400):
        rng = np.random.default_rng(number)
        motion = Motion(skeleton, rng.normal(size=(300, 3)), rotations.normalize(rng.normal(size=(300, 2, 4))), 60.0)
        added = corpus.add(Take(f"take/{number}", motion, Source("x", "npz", "", 60.0, 1.0)), floor_height=0.0)
        frames = np.concatenate([motion.root_positions, motion.local_rotations.reshape(300, -1)], axis=1)
        print(added.name, zlib.crc32(frames.astype(np.float32).tobytes()), flush=True)
"""


def test_killed_many_times_at_random_moments_every_reported_take_is_there_bit_for_bit(corpus):
    corpus.close()
    chance = random.Random(5)
    reported: dict[str, int] = {}
    for _ in range(10):
        importer = subprocess.Popen(
            [sys.executable, "-c", IMPORTER, str(corpus.folder)], stdout=subprocess.PIPE, text=True
        )
        with importer:
            lines = [importer.stdout.readline()]
            time.sleep(chance.uniform(0.0, 0.1))
            importer.send_signal(signal.SIGKILL)
            lines += importer.stdout.readlines()
        reported |= {name: int(crc) for name, crc in (line.split() for line in lines if line.endswith("\n"))}
        assert check(corpus.folder, repair=True).is_clean
    assert len(reported) >= 10
    assert check(corpus.folder).problems == ()
    with Corpus.open(corpus.folder) as reader:
        assert set(reported) <= set(reader.names())
        assert len(reader.names()) - len(reported) <= 10  # at most one per kill was done and not yet reported
        for name, crc in reported.items():
            assert zlib.crc32(np.ascontiguousarray(reader.frames(name)).tobytes()) == crc


FILES = """
import sys
from motionloom.corpus import Corpus, import_each
with Corpus.open(sys.argv[1], write=True) as corpus:
    for outcome in import_each(corpus, [sys.argv[2]], workers=int(sys.argv[3])):
        print(outcome.status, outcome.name, flush=True)
"""


@pytest.mark.parametrize(("how", "workers"), [(signal.SIGKILL, 2), (signal.SIGINT, 1)])
def test_an_import_that_is_ended_can_be_done_again(corpus, takes, tmp_path, how, workers):
    corpus.close()
    takes.write_files(tmp_path / "data", 30)
    arguments = [sys.executable, "-c", FILES, str(corpus.folder), str(tmp_path / "data"), str(workers)]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as importer:
        lines = [importer.stdout.readline() for _ in range(3)]
        importer.send_signal(how)
        lines += importer.stdout.readlines()
    reported = {line.split()[1] for line in lines if line.endswith("\n")}
    assert check(corpus.folder, repair=True).is_clean
    with Corpus.open(corpus.folder) as reader:
        assert reported <= set(reader.names())
    with Corpus.open(corpus.folder, write=True) as writer:
        again = import_files(writer, [tmp_path / "data"])
        assert len(again.imported) + len(again.duplicates) == len(writer.names()) == 30


READER = """
import sys
from motionloom.corpus import Corpus
reads = 0
while True:
    with Corpus.open(sys.argv[1]) as corpus:
        names = corpus.names()
        for name in names[-5:]:
            assert corpus.take(name).motion.n_frames == 12
            assert len(corpus.labels(name)) in (0, 1)
        reads += len(names[-5:])
        if "last" in names:
            print(reads)
            break
"""


def test_several_processes_read_while_one_writes(corpus, takes):
    readers = [
        subprocess.Popen([sys.executable, "-c", READER, str(corpus.folder)], stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    for number in range(60):
        corpus.add(takes.body(f"a{number:02d}", seed=number), floor_height=0.0)
        corpus.add_labels([Label(f"a{number:02d}", "walk", 0, 5)])
        corpus.layer(f"a{number:02d}", "contacts")
    corpus.add(takes.body("last", seed=1000), floor_height=0.0)
    for reader in readers:
        assert int(reader.communicate(timeout=60)[0]) >= 5
        assert reader.returncode == 0
