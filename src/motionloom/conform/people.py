"""People: which takes of points are of one person, and how faces of others differ in shape.

What moves least in faces is much alike somewhere in any two takes of one person, whatever the expressions, and never in
those of two people. Their shapes differ by what they differ at rest: in poses that all takes of a person come near, and
that are often held. Performed actors are told by 0.3 mm so; medians are 3 mm off where a surprise is held for most of
a take, and the most similar poses of two people are those in which one of them smiles about as wide as the other's
mouth is.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

SAME = 0.005  # of the extent: steady points of one person come nearer to each other than that, root mean square
SAMPLE = 120  # poses of a take that are compared
NEAREST = 10  # poses of a take that tell whether it comes near another pose
CANDIDATES = 600  # poses of a person that may be at rest, at most
OFTEN = 0.1  # how much it counts that a pose is often held, beside that all takes come near it


@dataclass(frozen=True, eq=False)
class People:
    """The person of each take, and their shapes."""

    of_takes: tuple[int, ...]  # the person of each take; 0 is who is seen most
    shapes: np.ndarray  # (P, M, 3) metres: by how much the face of each person is another than that of person 0

    @property
    def count(self) -> int:
        """P."""
        return len(self.shapes)


def find_people(takes: Sequence[np.ndarray], steady: np.ndarray) -> People:
    """Group takes by people.

    Args:
        takes: (F, M, 3) metres in the frame of the head each; NaN where a point is missing.
        steady: (S,) int: the points that move least; none where nothing is rigid: all takes are of one person then.
    """
    n_points = takes[0].shape[1]
    poses = [_sample(take) for take in takes]
    known = [number for number, sample in enumerate(poses) if len(sample)]
    if not len(steady) or len(known) < 2:
        return People((0,) * len(takes), np.zeros((1, n_points, 3)))
    extent = float(np.ptp(np.concatenate([poses[number] for number in known]).mean(axis=0), axis=0).max())
    person = _group([poses[number][:, steady] for number in known], SAME * extent)
    frames = np.bincount(person, weights=[len(takes[number]) for number in known])
    order = np.argsort(-frames, kind="stable")
    person = np.argsort(order)[person]  # who is seen most comes first
    at_rest = np.array(
        [_find_rest([poses[known[number]] for number in np.flatnonzero(person == one)]) for one in range(len(order))]
    )
    shapes = at_rest - at_rest[0]
    of_takes = np.zeros(len(takes), int)
    of_takes[known] = person
    return People(tuple(of_takes.tolist()), shapes)


def _sample(take: np.ndarray) -> np.ndarray:
    """(n, M, 3) some poses of a take in which all points are seen."""
    whole = np.flatnonzero(np.isfinite(take).all(axis=(1, 2)))
    chosen = whole[np.unique(np.linspace(0, len(whole) - 1, min(SAMPLE, len(whole))).astype(int))]
    return np.asarray(take[chosen], float)


def _group(poses: Sequence[np.ndarray], same: float) -> np.ndarray:
    """(T,) the group of each of T takes, which are joined where their nearest poses (n, S, 3) are near enough."""
    group = np.arange(len(poses))
    for one in range(len(poses)):
        for other in range(one):
            if group[one] != group[other] and _apart(poses[one], poses[other]).min() <= same:
                group[group == group[one]] = group[other]
    return np.unique(group, return_inverse=True)[1]


def _apart(some: np.ndarray, others: np.ndarray) -> np.ndarray:
    """(n, k) root mean square distances between points of poses (n, S, 3) and (k, S, 3)."""
    one, other = (each.reshape(len(each), -1) for each in (some, others))
    squares = (one**2).sum(axis=1)[:, None] + (other**2).sum(axis=1) - 2 * one @ other.T
    return np.sqrt(np.maximum(squares, 0.0) / some.shape[1])


def _find_rest(takes: Sequence[np.ndarray]) -> np.ndarray:
    """(M, 3) metres: a person at rest, from poses (n, M, 3) of each of their takes."""
    every = np.concatenate(takes)
    candidates = every[np.unique(np.linspace(0, len(every) - 1, min(CANDIDATES, len(every))).astype(int))]
    near = [np.sort(_apart(candidates, take), axis=1)[:, :NEAREST].mean(axis=1) for take in takes]
    held = np.median(_apart(candidates, candidates), axis=1)
    best = np.argsort(np.mean(near, axis=0) + OFTEN * held)[:NEAREST]
    return np.asarray(candidates[best].mean(axis=0))
