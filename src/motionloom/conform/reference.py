"""The reference skeleton of a corpus: that of one take, chosen once, which all views show all takes on."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from motionloom.conform.conformed_motion import size_of
from motionloom.corpus import Corpus, TakeInfo
from motionloom.corpus.material import recorded_bodies
from motionloom.errors import BadInput, CorpusError, SkeletonMismatch
from motionloom.motion import Skeleton
from motionloom.retarget import check_retargetable

REMEMBERED = "reference"  # the key under which a corpus keeps it


@dataclass(frozen=True)
class Reference:
    """The skeleton that views show all takes on."""

    skeleton: Skeleton
    take: str  # that has it; one that was removed is named as it was
    is_chosen: bool  # by a person; else it is the usual one
    is_removed: bool = False  # the take is no longer in the corpus, its skeleton is


def find_reference(corpus: Corpus) -> Reference:
    """The reference skeleton of a corpus; the usual one is stored when it is first asked for, if that is possible.

    One that takes of other skeletons cannot be shown on is not stored: it gives way to the first that they can be.

    Raises:
        BadInput: if there is no body in the corpus, or the reference was deleted for good.
    """
    stored = corpus.remembered(REMEMBERED)
    if isinstance(stored, dict):
        return _read(corpus, stored)
    chosen = usual_reference(corpus, corpus.infos())
    if corpus.can_write and _can_be_retargeted(_skeleton(corpus, chosen)):
        _store(corpus, chosen, is_chosen=False)
    return Reference(_skeleton(corpus, chosen), chosen.name, is_chosen=False)


def choose_reference(corpus: Corpus, take: str | None) -> Reference:
    """Make the skeleton of a take the reference of a corpus; None: the usual one for the takes that it has now.

    Raises:
        BadInput: the take has points, or a skeleton that no other take could be shown on.
    """
    if take is None:
        chosen = usual_reference(corpus, corpus.infos())
    else:
        chosen = corpus.info(take)
        if chosen.skeleton is None:
            raise BadInput(f"{take} has points and no skeleton; choose a take of a body as the reference")
        _check_others_can_be_shown(corpus, chosen)
    _store(corpus, chosen, is_chosen=take is not None)
    return Reference(_skeleton(corpus, chosen), chosen.name, is_chosen=take is not None)


def stored_reference(corpus: Corpus) -> dict[str, Any]:
    """The reference as it is stored, as plain data: what `restore_reference` brings back."""
    find_reference(corpus)
    stored = corpus.remembered(REMEMBERED)
    return stored if isinstance(stored, dict) else {}


def restore_reference(corpus: Corpus, stored: dict[str, Any]) -> Reference:
    """Make a reference that was stored before the reference again.

    Raises:
        BadInput: its skeleton is no longer in the corpus.
    """
    found = _read(corpus, stored)
    corpus.remember(REMEMBERED, stored)
    return found


def usual_reference(corpus: Corpus, infos: Iterable[TakeInfo]) -> TakeInfo:
    """The take with the usual reference: in the hierarchy of most seconds, of median size, weighted by frames.

    Hierarchies that others can be retargeted to come first. Of the takes that have the skeleton, it is
    the one whose name comes first.
    """
    bodies = recorded_bodies(infos)
    if not bodies:
        raise BadInput(f"{corpus.folder} has no recordings of bodies, so there is no reference skeleton; import some")
    seconds: dict[tuple[bool, str], float] = {}
    for info in bodies:
        group = (_can_be_retargeted(_skeleton(corpus, info)), info.hierarchy or "")
        seconds[group] = seconds.get(group, 0.0) + info.duration
    _, hierarchy = max(seconds, key=lambda group: (group[0], seconds[group], group[1]))
    chosen = [info for info in bodies if info.hierarchy == hierarchy]
    skeleton = median_skeleton(corpus, chosen)
    return min((info for info in chosen if info.skeleton == skeleton.digest), key=lambda info: info.name)


def median_skeleton(corpus: Corpus, infos: Iterable[TakeInfo]) -> Skeleton:
    """Of the skeletons of takes, the one of median size, weighted by frames."""
    n_frames: dict[str, int] = {}
    for info in infos:
        n_frames[info.skeleton or ""] = n_frames.get(info.skeleton or "", 0) + info.n_frames
    skeletons = sorted((corpus.skeleton(digest) for digest in n_frames), key=lambda s: (size_of(s), s.digest))
    passed = np.cumsum([n_frames[skeleton.digest] for skeleton in skeletons])
    return skeletons[int(np.searchsorted(passed, passed[-1] / 2))]


def _store(corpus: Corpus, info: TakeInfo, *, is_chosen: bool) -> None:
    about = {"take": info.name, "content": info.digest, "skeleton": info.skeleton, "chosen": is_chosen}
    corpus.remember(REMEMBERED, about)


def _read(corpus: Corpus, stored: dict[str, Any]) -> Reference:
    """The stored reference: the skeleton that its take has now (roles may be corrected), else the one that it had."""
    is_chosen = bool(stored.get("chosen"))
    for info in corpus.infos():
        if info.digest == stored.get("content") and info.skeleton is not None:
            return Reference(_skeleton(corpus, info), info.name, is_chosen)
    name = str(stored.get("take"))
    try:
        return Reference(corpus.skeleton(str(stored.get("skeleton"))), name, is_chosen, is_removed=True)
    except CorpusError as error:
        raise BadInput(
            f"the reference skeleton is that of {name}, which is no longer in {corpus.folder}; choose another take "
            f"with `motionloom reference {corpus.folder} TAKE`"
        ) from error


def _check_others_can_be_shown(corpus: Corpus, info: TakeInfo) -> None:
    """Refuse a skeleton without the roles that all takes of other skeletons need; among its like it may be alone."""
    skeleton = _skeleton(corpus, info)
    try:
        check_retargetable(skeleton, skeleton)
    except SkeletonMismatch as error:
        if any(_can_be_retargeted(_skeleton(corpus, other)) for other in recorded_bodies(corpus.infos())):
            raise BadInput(f"{info.name} cannot be the reference: {error}") from error


@lru_cache(maxsize=256)
def _can_be_retargeted(skeleton: Skeleton) -> bool:
    try:
        check_retargetable(skeleton, skeleton)
    except SkeletonMismatch:
        return False
    return True


def _skeleton(corpus: Corpus, info: TakeInfo) -> Skeleton:
    assert info.skeleton is not None
    return corpus.skeleton(info.skeleton)
