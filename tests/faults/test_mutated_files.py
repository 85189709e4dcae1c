"""Mutated files of every kind are read or refused in one sentence, and what is read is of use."""

import warnings
from pathlib import Path

import numpy as np
import pytest
from benchmarks.faults import seeds
from benchmarks.faults.mutations import KINDS, mutate
from benchmarks.faults.readers import READ, REFUSED, take_in

COUNT = 60  # of each kind; `motionloom bench faults` tries many more
SEED = 14


@pytest.mark.parametrize("kind", KINDS)
def test_a_mutated_file_is_read_or_refused_in_one_sentence(kind: str, tmp_path: Path) -> None:
    valid = seeds.make_seeds()[kind]
    assert all(take_in(kind, content, tmp_path) == READ for content in valid)
    outcomes = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # names that occur twice in an archive, numbers that overflow
        for number in range(COUNT):
            rng = np.random.default_rng([SEED, KINDS.index(kind), number])
            outcomes.append(take_in(kind, mutate(valid[number % len(valid)], kind, rng), tmp_path))
    assert set(outcomes) <= {READ, REFUSED} and REFUSED in outcomes
