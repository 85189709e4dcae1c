"""The demo corpus: all demo scores performed, and put into a corpus with their truth."""

import hashlib
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from motionloom.corpus import Corpus, Source, Take
from motionloom.performer.performance import Performance, perform
from motionloom.performer.scores.demo_scores import demo_scores
from motionloom.performer.truth import SOURCE

Progress = Callable[[int, int], None]  # called as progress(done, total), in takes


def perform_demo(seed: int = 1, progress: Progress | None = None) -> Iterator[Performance]:
    """Perform the takes of the demo corpus one by one; the same random seed gives the same arrays.

    Args:
        seed: random seed; another seed gives other variations of the same takes.
        progress: called after each take.
    """
    scores = demo_scores()
    for done, score in enumerate(scores, start=1):
        rng = np.random.default_rng([seed, zlib.crc32(score.name.encode())])  # a take does not depend on the others
        yield perform(score, rng)
        if progress is not None:
            progress(done, len(scores))


def make_demo_corpus(path: str | Path, seed: int = 1, progress: Progress | None = None) -> Corpus:
    """Make a corpus with the demo takes and their truth in a new folder, and leave it open for writing."""
    corpus = Corpus.create(path)
    try:
        for performance in perform_demo(seed, progress):
            corpus.add(Take(performance.name, performance.motion, _source(performance, seed)), floor_height=0.0)
            corpus.add_labels(performance.labels)
            corpus.add_contacts(performance.contacts)
            corpus.add_events(performance.events)
    except BaseException:
        corpus.close()  # an interrupted run leaves a valid corpus with fewer takes
        raise
    return corpus


def _source(performance: Performance, seed: int) -> Source:
    motion = performance.motion
    digest = hashlib.sha256(motion.root_positions.tobytes() + motion.local_rotations.tobytes()).hexdigest()
    return Source(f"performer:{performance.name}:{seed}", SOURCE, digest, motion.fps, 1.0)
