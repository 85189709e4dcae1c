"""A corpus of very many small takes, made in seconds, to see whether the library stays quick.

Run as: python benchmarks/studio/many_takes.py FOLDER [TAKES]
"""

import sys
from pathlib import Path

import numpy as np

from motionloom.corpus import Corpus, Label, Source, Take
from motionloom.corpus.store import array_files, catalogue
from motionloom.corpus.store.packed_take import pack
from motionloom.motion import Motion, Skeleton, rotations

N_TAKES = 10_000
N_FRAMES = 30
FOLDERS = ("walk", "run", "jump", "boxing", "dance", "carry", "sit", "wave")
LABELS = ("walk", "run", "jump", "turn_left", "turn_right", "stand", "crouch", "punch", "kick", "wave", "sit", "reach")
_ROW = "INSERT INTO labels (take, label, start, stop, source) SELECT id, ?, ?, ?, 'user' FROM takes WHERE name = ?"


def make_corpus(folder: str | Path, n_takes: int = N_TAKES, seed: int = 1) -> Path:
    """Make a corpus of takes of half a second, with labels, four skeletons and some flags.

    The rows are written in one go: what takes a corpus its time, bringing each take safely to the disk, is not what is
    measured here.

    Args:
        folder: that does not exist yet.
        n_takes: how many.
        seed: of what differs between them.
    """
    rng = np.random.default_rng(seed)
    people = [_person(number) for number in range(4)]
    with Corpus.create(folder) as corpus, catalogue.transaction(corpus.connection) as db:
        for number in range(n_takes):
            take = _take(number, people[number % len(people)], rng)
            packed = pack(take, floor_height=0.0)
            stored, header, content = array_files.lay_out_file(packed.frames)
            (corpus.arrays / stored.file).write_bytes(header + content)
            catalogue.insert_take(db, packed, {"frames": stored})
            for label in _labels(take.name, number):
                db.execute(_ROW, [label.label, label.start, label.stop, label.take])
    return Path(folder)


def _take(number: int, person: Skeleton, rng: np.random.Generator) -> Take:
    turns = np.zeros((N_FRAMES, person.n_joints, 3))
    turns[:, 1:, 0] = rng.normal(scale=0.1, size=person.n_joints - 1)
    roots = np.tile([0.0, 0.93, 0.0], (N_FRAMES, 1))
    roots[:, 2] = np.linspace(0, rng.uniform(0.1, 1.0), N_FRAMES)
    name = f"{FOLDERS[number % len(FOLDERS)]}/take_{number:05d}"
    motion = Motion(person, roots, rotations.exp(turns), 60.0)
    return Take(name, motion, Source(f"{name}.bvh", "bvh", str(number), 60.0, 0.01))


def _labels(name: str, number: int) -> list[Label]:
    words = (LABELS[number % len(LABELS)], LABELS[(number * 7 + 3) % len(LABELS)])
    return [Label(name, word, 0, N_FRAMES - 5 * place) for place, word in enumerate(dict.fromkeys(words))]


def _person(number: int) -> Skeleton:
    names = ("Hips", "LeftUpLeg", "LeftLeg", "LeftFoot", "LeftToeBase", "RightUpLeg", "RightLeg", "RightFoot")
    names += ("RightToeBase", "Spine", "Head")
    parents = np.array([-1, 0, 1, 2, 3, 0, 5, 6, 7, 0, 9])
    size = 1.0 + 0.05 * number
    leg = [(0.09, -0.05, 0), (0, -0.42, 0), (0, -0.41, 0), (0, -0.05, 0.13)]
    other = [(-x, y, z) for x, y, z in leg]
    offsets = np.array([(0, 0, 0), *leg, *other, (0, 0.3, 0), (0, 0.3, 0)]) * size
    return Skeleton(names, parents, offsets, name=f"person {number + 1}")


if __name__ == "__main__":
    made = make_corpus(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else N_TAKES)
    sys.stdout.write(f"{made}\n")
