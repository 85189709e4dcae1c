"""The skeleton that motions are exported on: that of a take, of whichever hierarchy, instead of the reference."""

from collections.abc import Sequence
from dataclasses import replace

from motionloom.assembly.results.result import Result
from motionloom.conform import conform, find_reference
from motionloom.corpus import Corpus, TakeFinder
from motionloom.errors import BadInput
from motionloom.motion import Motion, Skeleton
from motionloom.retarget import Retargeted, check_retargetable, common_scale, retarget_motion

REFERENCE = "reference"  # the word for the reference skeleton of the corpus


def find_skeleton(corpus: Corpus, name: str) -> Skeleton:
    """The skeleton of a take, or of the reference.

    Args:
        corpus: that has it.
        name: of a take, or a unique suffix of it; or "reference", unless a take is called so.
    """
    if name == REFERENCE and REFERENCE not in corpus.names():
        return find_reference(corpus).skeleton
    info = corpus.info(TakeFinder(corpus.names()).find(name))
    if info.skeleton is None:
        raise BadInput(f"{info.name} has points and no skeleton; choose a take of a body")
    return corpus.skeleton(info.skeleton)


def find_result_skeleton(corpus: Corpus, name: str) -> Skeleton:
    """The skeleton of a take for results, which are on the reference; raises where they cannot be carried to it."""
    skeleton, reference = find_skeleton(corpus, name), find_reference(corpus).skeleton
    if skeleton.hierarchy_digest != reference.hierarchy_digest:
        check_retargetable(reference, skeleton)
    return skeleton


def on_skeleton(result: Result, skeleton: Skeleton) -> Result:
    """A result with its bodies on another skeleton, feet planted on what carries them; its report stays as it is."""
    characters = []
    for character in result.characters:
        motion = character.motion
        if not isinstance(motion, Motion) or motion.skeleton == skeleton:
            characters.append(character)
            continue
        made = conform(motion, 0.0, skeleton, motion.fps, contacts=character.contacts, footing=character.footing)
        characters.append(replace(character, motion=made.motion, footing=made.footing))
    return Result(tuple(characters), result.report)


def shared_scale(corpus: Corpus, names: Sequence[str], skeleton: Skeleton) -> float:
    """The scale of places that takes share when they are exported together, so that people who met still meet."""
    digests = [digest for name in names if (digest := corpus.info(name).skeleton) is not None]
    sources = [corpus.skeleton(digest) for digest in digests]
    for source in sources:
        check_retargetable(source, skeleton)
    return common_scale(sources, skeleton)


def take_on_skeleton(corpus: Corpus, name: str, skeleton: Skeleton, scale: float | None = None) -> Retargeted:
    """A take on another skeleton, at its own rate and floor, feet planted on what carried them.

    Args:
        corpus: that has the take.
        name: of the take.
        skeleton: to retarget to.
        scale: of places over the ground; None for that of the legs.
    """
    motion, info = corpus.take(name).motion, corpus.info(name)
    if not isinstance(motion, Motion):
        raise BadInput(f"{name} has points and no skeleton; it can be exported as it is")
    contacts, footing = corpus.layer(name, "contacts"), corpus.footing(name)
    return retarget_motion(
        motion, skeleton, floor_height=info.floor_height, contacts=contacts, footing=footing, scale=scale
    )
