"""Mutated inputs: the same for the same seed, really different from a valid file, and of every kind."""

import warnings

import numpy as np
import pytest
from benchmarks.faults import seeds
from benchmarks.faults.mutations import KINDS, mutate


def mutants(kind: str, count: int) -> list[bytes]:
    valid = seeds.make_seeds()[kind]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # names that occur twice in an archive
        return [mutate(valid[seed % len(valid)], kind, np.random.default_rng([7, seed])) for seed in range(count)]


def test_there_is_a_valid_file_of_every_kind() -> None:
    assert set(seeds.make_seeds()) == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_seed_makes_the_same_mutants(kind: str) -> None:
    assert mutants(kind, 30) == mutants(kind, 30)


@pytest.mark.parametrize("kind", KINDS)
def test_nearly_all_mutants_differ_from_the_file_and_from_each_other(kind: str) -> None:
    made = mutants(kind, 100)
    assert len(set(made)) > 85
    assert sum(mutant in seeds.make_seeds()[kind] for mutant in made) < 10
