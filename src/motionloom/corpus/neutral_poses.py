"""Neutral poses of the skeletons of a corpus: each learnt once from takes of it, so that all of them show one body."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np

from motionloom.caching import cached
from motionloom.corpus.layers import read_body
from motionloom.corpus.models import find_model, keep_model
from motionloom.errors import MotionloomError
from motionloom.features.neutral_pose import ENDS, NeutralPose, learn_neutral_pose
from motionloom.motion import Motion, Skeleton

if TYPE_CHECKING:
    from motionloom.corpus.corpus import Corpus

MOST_TAKES = 40  # of a skeleton that are looked at: those that were added first


def read_neutral_pose(corpus: "Corpus", skeleton: Skeleton) -> NeutralPose | None:
    """The neutral pose of a skeleton, from its takes in the order in which they were added; None if it has no take.

    It is cached if the corpus is open for writing. Takes that are added later change it only as long as those before
    them stand and walk too little.
    """
    rows = corpus.connection.execute(
        "SELECT name, digest FROM takes WHERE removed IS NULL AND skeleton = ? ORDER BY id LIMIT ?",
        [skeleton.digest, MOST_TAKES],
    ).fetchall()
    if not rows:
        return None
    names, digests = [name for name, _ in rows], [digest for _, digest in rows]
    key = _key(skeleton, digests)
    found = find_model(corpus, _learn.name, key, at_most=_learn.at_most)
    if found is None:
        found = {"turns": _pack(_learn(_read_bodies(corpus, names)))}
        if corpus.can_write:
            keep_model(
                corpus,
                _learn.name,
                key,
                found,
                settings={"skeleton": skeleton.digest},
                takes=digests,
                code_version=_learn.code_version,
                at_most=_learn.at_most,
            )
        else:
            corpus.unshared.put((_learn.name, key), found)
    return _unpack(found["turns"])


@cached("neutral pose", inputs=(read_body,), at_most=256)
def _learn(motions: Iterable[Motion]) -> NeutralPose:
    return learn_neutral_pose(motions)


def _read_bodies(corpus: "Corpus", names: Iterable[str]) -> Iterator[Motion]:
    for name in names:
        with suppress(MotionloomError):  # a damaged take must not keep others from being shown
            yield read_body(corpus, name)


def _key(skeleton: Skeleton, takes: list[str]) -> str:
    parts = [_learn.code_version, skeleton.digest, takes]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


def _pack(neutral: NeutralPose) -> np.ndarray:
    """(E, 4) rotations of `ENDS`; NaN for those as in the rest pose."""
    return np.array([neutral.rotations.get(role, np.full(4, np.nan)) for role in ENDS])


def _unpack(turns: np.ndarray) -> NeutralPose:
    return NeutralPose({role: np.array(turn) for role, turn in zip(ENDS, turns) if np.isfinite(turn).all()})
