"""The demo corpus: all demo scores of bodies and faces performed, and put into a corpus with their truth."""

import hashlib
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from motionloom.corpus import Corpus, Source, Take
from motionloom.motion import Motion
from motionloom.performer.face_performance import FacePerformance, perform_face
from motionloom.performer.performance import Performance, perform
from motionloom.performer.scores.demo_face_scores import demo_face_scores
from motionloom.performer.scores.demo_scores import demo_scores
from motionloom.performer.scores.score import Score
from motionloom.performer.truth import SOURCE

Progress = Callable[[int, int], None]  # called as progress(done, total), in takes


def perform_demo(seed: int = 1, progress: Progress | None = None) -> Iterator[Performance]:
    """Perform the bodies of the demo corpus one by one; the same random seed gives the same arrays.

    Args:
        seed: random seed; another seed gives other variations of the same takes.
        progress: called after each take.
    """
    scores = demo_scores()
    for done, score in enumerate(scores, start=1):
        yield perform(score, _generator(score, seed))
        if progress is not None:
            progress(done, len(scores))


def perform_demo_faces(seed: int = 1, progress: Progress | None = None) -> Iterator[FacePerformance]:
    """Perform the faces of the demo corpus one by one, like `perform_demo`."""
    scores = demo_face_scores()
    for done, score in enumerate(scores, start=1):
        yield perform_face(score, _generator(score, seed))
        if progress is not None:
            progress(done, len(scores))


def make_demo_corpus(path: str | Path, seed: int = 1, progress: Progress | None = None) -> Corpus:
    """Make a corpus with the demo takes and their truth in a new folder, and leave it open for writing."""
    n_bodies, n_faces = len(demo_scores()), len(demo_face_scores())

    def report(done: int) -> None:
        if progress is not None:
            progress(done, n_bodies + n_faces)

    corpus = Corpus.create(path)
    try:
        for performance in perform_demo(seed, lambda done, total: report(done)):
            _add(corpus, performance, seed)
            corpus.add_contacts(performance.contacts)
        for face in perform_demo_faces(seed, lambda done, total: report(n_bodies + done)):
            _add(corpus, face, seed)
    except BaseException:
        corpus.close()  # an interrupted run leaves a valid corpus with fewer takes
        raise
    return corpus


def _generator(score: Score, seed: int) -> np.random.Generator:
    return np.random.default_rng([seed, zlib.crc32(score.name.encode())])  # a take does not depend on the others


def _add(corpus: Corpus, performance: Performance | FacePerformance, seed: int) -> None:
    corpus.add(Take(performance.name, performance.motion, _source(performance, seed)), floor_height=0.0)
    corpus.add_labels(performance.labels)
    corpus.add_events(performance.events)


def _source(performance: Performance | FacePerformance, seed: int) -> Source:
    motion = performance.motion
    if isinstance(motion, Motion):
        content = motion.root_positions.tobytes() + motion.local_rotations.tobytes()
    else:
        content = motion.positions.tobytes()
    digest = hashlib.sha256(content).hexdigest()
    return Source(f"performer:{performance.name}:{seed}", SOURCE, digest, motion.fps, 1.0)
