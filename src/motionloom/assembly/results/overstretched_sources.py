"""Overstretched sources: frames of a result whose recordings have a knee or an elbow beyond straight."""

import numpy as np

from motionloom.conform.base_view import MIRRORED, swap_sides, take_of
from motionloom.constraints.overstretch import describe_frames
from motionloom.corpus import Corpus
from motionloom.errors import MotionloomError
from motionloom.motion import Motion, hinges
from motionloom.motion.provenance import RECORDED, Provenance

NOTICED = np.radians(1.0)  # radians beyond straight


def describe_sources(provenance: Provenance, corpus: Corpus) -> tuple[str, ...]:
    """One sentence for each limb that recordings overstretch in frames of a result, where views bring them back.

    Args:
        provenance: of the frames of the result.
        corpus: with the takes.
    """
    worst: dict[str, np.ndarray] = {}  # limb: (F,) radians beyond straight
    for number, source in enumerate(provenance.sources):
        if source.kind != RECORDED:
            continue
        for limb, bends in _bends(corpus, take_of(source.name)).items():
            shown = swap_sides(limb) if source.name.endswith(MIRRORED) else limb
            frames = np.clip(np.round(provenance.frames).astype(int), 0, len(bends) - 1)
            is_played = (provenance.indices == number) & (provenance.weights > 0)
            beyond = np.where(is_played, np.maximum(-bends[frames], 0.0), 0.0).max(axis=1)
            worst[shown] = np.maximum(worst.get(shown, 0.0), beyond)
    return tuple(_describe(limb, beyond) for limb, beyond in worst.items() if beyond.max() > NOTICED)


def _bends(corpus: Corpus, name: str) -> dict[str, np.ndarray]:
    """(F,) radians that each limb of a take is bent, negative beyond straight; none if it is no body of the corpus."""
    try:
        motion = corpus.take(name).motion
    except MotionloomError:
        return {}
    if not isinstance(motion, Motion):
        return {}
    local = motion.local_rotations
    axes = {limb: hinges.hinge_axis(motion.skeleton, local, limb) for limb in hinges.hinged_limbs(motion.skeleton)}
    return {limb: hinges.flexion(motion.skeleton, local, limb, axis) for limb, axis in axes.items() if axis is not None}


def _describe(limb: str, beyond: np.ndarray) -> str:
    frames = np.flatnonzero(beyond > NOTICED).tolist()
    return (
        f"the recordings overstretch the {limb.replace('_', ' ')} by up to {np.degrees(beyond.max()):.0f} degrees in "
        f"{describe_frames(frames)}; it was brought back"
    )
