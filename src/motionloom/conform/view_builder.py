"""The view builder: chooses a reference skeleton, conforms every take and caches the result."""

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from motionloom.caching import cached
from motionloom.conform.conformed_motion import (
    conform_footing,
    conform_motion,
    describe_difference,
    nearest_frames,
    plant_again,
    size_of,
    some_of,
)
from motionloom.conform.ground_patches import lay_patches
from motionloom.conform.view import MIRRORED, NO_SUPPORTS, View, starts_of
from motionloom.corpus import Corpus, TakeInfo
from motionloom.corpus.models import find_model, keep_model
from motionloom.errors import BadInput, SkeletonMismatch
from motionloom.motion import Footing, Motion, Skeleton, mirror
from motionloom.motion.arrays import check_rate
from motionloom.motion.packed import pack_frames

KEPT = 8  # cached views of a corpus; models of a view are deleted with it
EVEN = 1e-4  # metres; tolerance for left and right bones to count as equally long
_OTHER_SIDE = [2, 3, 0, 1]  # contact points with left and right swapped


@dataclass(frozen=True)
class ViewSettings:
    """How takes are conformed."""

    fps: float = 60.0  # frames per second
    reference: str | None = None  # the take with the reference skeleton; None for the one of median size
    mirrored: bool = False  # with a left-right mirrored copy of every take


DEFAULT = ViewSettings()


def make_view(
    corpus: Corpus,
    names: Iterable[str] | None = None,
    settings: ViewSettings = DEFAULT,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> View:
    """Conform takes of one hierarchy to one skeleton, one frame rate and the floor y = 0.

    The result is cached if the corpus is open for writing; a view of the same takes, settings and code is read from
    the cache.

    Args:
        corpus: to read from.
        names: of the takes; None for all takes with a skeleton.
        settings: frame rate, reference skeleton, mirrored copies.
        progress: called as progress(takes_done, takes_total).
    """
    check_rate(settings.fps)
    infos = _choose(corpus, names)
    skeleton = _choose_skeleton(corpus, infos, settings)
    version = _conform_all.code_version
    key = _key(infos, settings, skeleton, version)
    digests = tuple(info.digest for info in infos)
    arrays = find_model(corpus, _conform_all.name, key, at_most=_conform_all.at_most)
    if arrays is None:
        arrays = _conform_all(corpus, infos, settings, skeleton, progress)
        if corpus.can_write:
            about: dict[str, Any] = {"settings": asdict(settings), "takes": digests, "code_version": version}
            keep_model(corpus, _conform_all.name, key, arrays, at_most=_conform_all.at_most, **about)
    shown = [info.name for info in infos]
    shown += [name + MIRRORED for name in shown] if settings.mirrored else []
    return View(
        corpus,
        key,
        skeleton,
        float(settings.fps),
        tuple(shown),
        digests,
        frames=arrays["frames"],
        starts=arrays["starts"],
        source_frames=arrays["source_frames"],
        source_contacts=arrays["source_contacts"],
        supports=arrays.get("supports", NO_SUPPORTS),
    )


def _choose(corpus: Corpus, names: Iterable[str] | None) -> list[TakeInfo]:
    """The takes of the view; raises unless they share a hierarchy."""
    if names is None:
        infos = [info for info in corpus.infos() if info.kind == "body"]
    else:
        infos = [corpus.info(name) for name in dict.fromkeys(names)]
    if not infos:
        raise BadInput(f"no takes chosen for the view; {corpus.folder} has {len(corpus.names())}, choose at least one")
    points = [info.name for info in infos if info.kind != "body"]
    if points:
        raise SkeletonMismatch(f"{some_of(points)}: points without a skeleton cannot be conformed; leave them out")
    first = infos[0]
    others = [info for info in infos if info.hierarchy != first.hierarchy]
    if others:
        difference = describe_difference(_skeleton(corpus, others[0]), _skeleton(corpus, first))
        raise SkeletonMismatch(
            f"{some_of([info.name for info in others])}: joints differ from those of {first.name} ({difference}); "
            "choose takes of one hierarchy, or retarget these first"
        )
    return infos


def _choose_skeleton(corpus: Corpus, infos: list[TakeInfo], settings: ViewSettings) -> Skeleton:
    """The reference skeleton: that of the settings, or the one of median size, weighted by frames."""
    if settings.reference is not None:
        reference = corpus.info(settings.reference)
        if reference.hierarchy != infos[0].hierarchy:
            raise SkeletonMismatch(
                f"joints of the reference {reference.name} differ from those of {infos[0].name}; "
                "choose a reference of the same hierarchy"
            )
        return _skeleton(corpus, reference)
    n_frames: dict[str, int] = {}
    for info in infos:
        n_frames[info.skeleton or ""] = n_frames.get(info.skeleton or "", 0) + info.n_frames
    skeletons = sorted((corpus.skeleton(digest) for digest in n_frames), key=lambda s: (size_of(s), s.digest))
    passed = np.cumsum([n_frames[skeleton.digest] for skeleton in skeletons])
    return skeletons[int(np.searchsorted(passed, passed[-1] / 2))]


@cached("view", at_most=KEPT)
def _conform_all(
    corpus: Corpus,
    infos: list[TakeInfo],
    settings: ViewSettings,
    skeleton: Skeleton,
    progress: Callable[[int, int], None] | None,
) -> dict[str, np.ndarray]:
    """The arrays of a view; see `View`."""
    motions, times, contacts, footings = [], [], [], []
    for info in infos:
        take = corpus.take(info.name).motion
        assert isinstance(take, Motion)
        rests = corpus.layer(info.name, "contacts")
        recorded = corpus.footing(info.name)
        floor = _lowest_surface(corpus, info, recorded)
        footing = conform_footing(recorded, take, floor, skeleton, settings.fps)
        motion = conform_motion(take, floor, skeleton, settings.fps, contacts=rests, footing=footing)
        frames, nearest = nearest_frames(take, motion)
        motions.append(motion)
        times.append(frames)
        contacts.append(rests[nearest])
        footings.append(footing)
        if progress is not None:
            progress(len(motions), len(infos))
    if settings.mirrored:
        other_contacts = [rests[:, _OTHER_SIDE] for rests in contacts]
        planted = [info.skeleton != skeleton.digest for info in infos]
        footings += [footing.mirrored() for footing in footings]
        motions += [_mirror(*arguments) for arguments in zip(motions, other_contacts, planted, footings[len(infos) :])]
        contacts += other_contacts
        times += times
    footings = [lay_patches(*arguments) for arguments in zip(motions, contacts, footings)]
    rows = [np.insert(footing.to_rows(), 0, number, axis=1) for number, footing in enumerate(footings)]
    supports = np.concatenate(rows)
    return {
        **({"supports": supports} if len(supports) else {}),
        "frames": np.concatenate([pack_frames(motion) for motion in motions]),
        "starts": starts_of([motion.n_frames for motion in motions]),
        "source_frames": np.concatenate(times),
        "source_contacts": np.concatenate(contacts),
    }


def _lowest_surface(corpus: Corpus, info: TakeInfo, footing: Footing) -> float:
    """Metres, world: the floor of a take, or what feet stand on below it, as in a pit: supports are above the floor."""
    if footing.ground.terrain is None:
        return info.floor_height
    heights = corpus.layer(info.name, "contact_heights")
    return min(info.floor_height, float(np.nanmin(heights))) if np.isfinite(heights).any() else info.floor_height


def _mirror(motion: Motion, contacts: np.ndarray, is_planted: bool, footing: Footing) -> Motion:
    """The mirrored copy; planted feet are planted again if left and right legs of the skeleton differ."""
    copy = mirror(motion, keep_skeleton=True)
    is_even = np.allclose(mirror(motion).skeleton.offsets, motion.skeleton.offsets, atol=EVEN)
    return plant_again(copy, contacts, footing) if is_planted and not is_even else copy


def _key(infos: list[TakeInfo], settings: ViewSettings, skeleton: Skeleton, version: str) -> str:
    takes: list[tuple] = [(info.name, info.digest, info.skeleton, info.floor_height) for info in infos]
    takes = [take if info.ground is None else (*take, info.ground) for take, info in zip(takes, infos)]
    parts = [takes, asdict(settings), skeleton.digest, version]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:32]


def _skeleton(corpus: Corpus, info: TakeInfo) -> Skeleton:
    assert info.skeleton is not None
    return corpus.skeleton(info.skeleton)
